"""PREDICTIONS IN: answers of models, in every file shape in which they are met.

`reading.read_predictions` is the way in. `parsing` turns bytes into plain values, `shapes` finds
slices in them, `raw` holds what was found, `conventions` settles how boxes are written, `building`
makes domain values. Nothing is guessed silently: what is odd is left out with its place named.
"""
