"""FILES: pictures, data sets, exports and imports.

May import services' ports and domain. Must not import storage or Qt, nor write anywhere but
where it is told.
"""
