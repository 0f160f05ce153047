"""Small building blocks of the pages: chips, dots, text fields, labels, buttons with their key.

They paint the values that they are shown and tell by signal what the person did; they change no
data. May import ui.theme, domain and the views of services.ports; must not import pages or the
session.
"""
