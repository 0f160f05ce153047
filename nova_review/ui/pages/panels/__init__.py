"""The panels round the canvas: they paint frozen values and tell what the reader did.

No panel changes data or knows another panel; each is shown again from the value. May import
widgets, models, theme, domain and the views of services.ports; must not import the session.
"""
