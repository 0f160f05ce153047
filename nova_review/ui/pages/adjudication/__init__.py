"""The panels of the adjudication page: they paint frozen values and tell what the adjudicator did.

No panel changes data or knows another panel; each is shown again from the value. May import
widgets, models, theme, domain and the views of services; must not import the session.
"""
