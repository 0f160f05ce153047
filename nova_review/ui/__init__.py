"""QT: the only package that imports PySide6.

May import services, analysis and domain. Must not import storage, formats or bootstrap, nor
decide what may be seen.
"""
