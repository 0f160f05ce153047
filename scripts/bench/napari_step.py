"""napari's next slice with four layers and a screenshot; run by a Python that has napari.

    PYTHON scripts/bench/napari_step.py FOLDER_OF_PICTURES

Prints the median and the 95th percentile in milliseconds: files decoded, four image layers and one layer of
boxes changed, and the canvas read back, so that the frame is known to be drawn.
"""

import importlib
import statistics
import sys
import time
from pathlib import Path
from typing import Any

STEPS = 60


def main() -> None:
    """Measure and print."""
    napari: Any = importlib.import_module("napari")
    numpy: Any = importlib.import_module("numpy")
    pictures: Any = importlib.import_module("PIL.Image")
    files = sorted(Path(sys.argv[1]).glob("*.png"))[: STEPS + 1]

    def read(file: Path) -> Any:
        return numpy.asarray(pictures.open(file).convert("L"))

    viewer = napari.Viewer(show=True)
    viewer.window.resize(1920, 1080)
    layers = [viewer.add_image(read(files[0]), name=f"set {k}") for k in range(4)]
    corners = [numpy.array([[100, 100], [100, 200], [200, 200], [200, 100]]) for _ in range(3)]
    boxes = viewer.add_shapes(corners, shape_type="polygon", face_color="transparent")
    getattr(viewer, "canvas", viewer).grid.enabled = True  # it moved in 0.9
    times = []
    for file in files[1:]:
        began = time.perf_counter()
        picture = read(file)
        for layer in layers:
            layer.data = picture
        boxes.data = corners
        viewer.screenshot(canvas_only=True, flash=False)
        times.append(1000 * (time.perf_counter() - began))
    viewer.close()
    ordered = sorted(times)
    print(f"{statistics.median(times):.1f} {ordered[int(0.95 * len(ordered))]:.1f}")


if __name__ == "__main__":
    main()
