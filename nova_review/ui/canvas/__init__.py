"""The canvas: one slice, its boxes, and the gestures that change them."""
