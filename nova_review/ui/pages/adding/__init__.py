"""The parts of the page that brings prediction sets in: the form, readings with pictures, the summary.

May import Qt, widgets, the canvas and the views of `services`; knows no page.
"""
