"""The pages of the window; pages never talk to each other."""
