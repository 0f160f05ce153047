"""The parts of the judging page: they paint what the desk shows and tell what the judge did.

No part changes anything or knows another part. May import widgets, theme, domain and the views of
services; must not import sessions or workers.
"""
