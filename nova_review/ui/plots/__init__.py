"""Small plots in the look of the program, painted by Qt; each mark leads to its slices."""
