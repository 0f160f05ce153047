"""TABLES: the only SQL of the program, as SQLAlchemy Core, with its migrations.

May import services' ports and domain. Must not decide who may see what: it asks domain.
"""
