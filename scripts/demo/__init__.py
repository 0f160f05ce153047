"""The parts that make the demo data set: anatomy, lesions, scanner, texts, readers, models.

It may import numpy, scipy, nibabel, nilearn's data files and Pillow; `readers` and `models`
use the standard library alone. It must not be imported by the program itself.
"""
