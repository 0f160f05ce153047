"""Parts of the score page: what its table and plots say, and the widgets that show it."""
