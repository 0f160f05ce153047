"""Item models over immutable tuples."""
