"""Runs the steps on the connection that `migrate` hands in; loaded by Alembic alone."""

from alembic import context

context.configure(connection=context.config.attributes["connection"])
context.run_migrations()
