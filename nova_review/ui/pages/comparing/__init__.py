"""The parts of the compare page: panels, texts under them, legend, filter, gallery.

May import Qt, widgets, the canvas and the views of `services`; knows no other page.
"""
