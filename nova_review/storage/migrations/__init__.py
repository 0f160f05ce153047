"""Steps from one schema of the study file to the next, run by Alembic on a copy of the file.

Only `migrate` loads this. A step is frozen once it has shipped: it never imports the tables of
today.
"""
