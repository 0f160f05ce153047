"""VERBS on the command line, one file per group, over the same services as the window.

May import services, analysis and domain. Must not import storage, formats, bootstrap or Qt.
"""
