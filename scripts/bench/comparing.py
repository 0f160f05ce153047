"""How fast is the compare page? 906 slices and four sets, printed beside other programs of the same run.

    PYTHONPATH=scripts:. python -m bench.comparing [--cache DIR] [--napari PYTHON]

Makes the slices of the reading bench with gold and four models' boxes, a study of them, and opens the page
on Qt's offscreen platform with real key events. Measured:

- verdicts of every box of four sets, and the same after a threshold has moved,
- a filter typed and entered until the new list is painted,
- next slice with gold and four panels, every panel painted, after a look of 100 ms at each,
- the gallery of 3,624 thumbnails: first screen, a scroll step, memory,
- one evaluation of each set by pycocotools, and napari's next slice with four layers (where it is named).
"""

import argparse
import csv
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from bench.agreement import best_of
from bench.process import resident_mib
from bench.scoring import coco_evaluation
from bench.slices import COUNT, SIDE, make_slices, picture_name
from nova_review.analysis.scored_boxes import SliceBoxes, scored_boxes
from nova_review.domain.geometry import Box
from nova_review.domain.prediction import PredictedBox

SETS = ("model-1", "model-2", "model-3", "model-4")
STEPS, DWELL = 120, 0.1
Gold = dict[str, list[Box]]
Predictions = dict[str, list[tuple[Box, float]]]


def make_boxes() -> tuple[Gold, dict[str, Predictions]]:
    """One to three lesions a slice; each model finds most, badly at times, and adds some."""
    rng = np.random.default_rng(4)
    gold: Gold = {}
    found: dict[str, Predictions] = {name: {} for name in SETS}
    for number in range(COUNT):
        name = picture_name(number)
        gold[name] = [_box(rng) for _ in range(int(rng.integers(1, 4)))]
        for one in found.values():
            near = [(_moved(rng, b), float(rng.random())) for b in gold[name] if rng.random() < 0.8]
            stray = [(_box(rng), float(rng.random())) for _ in range(int(rng.poisson(0.7)))]
            one[name] = near + stray
    return gold, found


def _box(rng: np.random.Generator) -> Box:
    width, height = rng.uniform(20, 120, 2)
    x, y = rng.uniform(0, SIDE - 120, 2)
    return Box(round(float(x), 1), round(float(y), 1), round(float(width), 1), round(float(height), 1))


def _moved(rng: np.random.Generator, box: Box) -> Box:
    dx, dy = rng.normal(0, 0.15, 2) * (box.width, box.height)
    return Box(max(box.x + dx, 0), max(box.y + dy, 0), box.width, box.height)


def make_study(cache: Path) -> tuple[Path, Gold, dict[str, Predictions]]:
    """Write the data set with its gold, the study and the four sets; returns the study file."""
    from nova_review.bootstrap.house import HouseServices
    from nova_review.services.prediction_content import PredictionOptions

    made, (gold, found) = make_slices(cache), make_boxes()
    with (made.plain / "bboxes_gold.csv").open("w", newline="", encoding="utf-8") as file:
        table = csv.writer(file)
        table.writerow(["filename", "x", "y", "width", "height"])
        table.writerows([n, b.x, b.y, b.width, b.height] for n, boxes in gold.items() for b in boxes)
    study = cache / "compare.nova"
    for old in (study, *(study.with_name(study.name + end) for end in ("-wal", "-shm"))):
        old.unlink(missing_ok=True)
    house = HouseServices(log_file=None)
    house.studies.new_study([house.read_data_set(made.plain, lambda _done, _of: True)], study)
    for name, predictions in found.items():
        file_ = cache / f"{name}.json"
        file_.write_text(json.dumps(_as_file(predictions)), encoding="utf-8")
        house.predictions.add(study, file_, name=name, options=PredictionOptions())
    (made.plain / "bboxes_gold.csv").unlink()  # the reading bench takes the folder as it was
    return study, gold, found


def _as_file(predictions: Predictions) -> dict[str, Any]:
    rows = [
        {
            "filename": name,
            "boxes": [[b.x, b.y, b.width, b.height] for b, _ in boxes],
            "scores": [score for _, score in boxes],
            "caption": "Axial FLAIR, hyperintense lesion of the left frontal lobe.",
            "diagnoses": ["Glioma", "Metastasis", "Abscess"],
        }
        for name, boxes in predictions.items()
    ]
    return {"boxes": "xywh", "units": "pixel", "predictions": rows}


def coco_times(gold: Gold, found: dict[str, Predictions]) -> float | None:
    """Seconds of one pycocotools evaluation of each set, added up; None where it is not installed."""
    total = 0.0
    for predictions in found.values():
        rows = [
            SliceBoxes(n, n, tuple(gold[n]), tuple(PredictedBox(b, s) for b, s in predictions[n]))
            for n in gold
        ]
        evaluation = coco_evaluation(scored_boxes(rows), "pycocotools")
        if evaluation is None:
            return None
        total += best_of(evaluation, 2)
    return total


class Page:
    """The compare page on a study, driven by real key events."""

    def __init__(self, study: Path) -> None:
        os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
        from PySide6.QtWidgets import QApplication

        from nova_review.bootstrap.comparing import compare_desk
        from nova_review.bootstrap.house import HouseServices
        from nova_review.storage.engine import open_store
        from nova_review.ui.messages import Messages
        from nova_review.ui.pages.compare import ComparePage
        from nova_review.ui.theme import apply_theme
        from nova_review.ui.workers import start_workers

        self.app = QApplication.instance() or QApplication(sys.argv[:1])
        apply_theme(self.app)  # type: ignore[arg-type]
        self._store = open_store(study)
        self._workers = start_workers()
        self.desk = compare_desk(study, self._store, HouseServices(log_file=None).studies)
        self.page = ComparePage(self.desk, self._workers, Messages())
        self.page.resize(1920, 1080)
        self.page.show()
        self.page.begin()
        self.wait(lambda: self.page.selection() is not None)
        self.page.compare(SETS)
        self.wait(lambda: len(self.page.panels.shown_panels()) == len(SETS) + 1)
        self.rest(1.0)

    def close(self) -> None:
        self.page.end()
        self.page.close()
        self._workers.close()
        self._store.close()

    def wait(self, condition: Callable[[], object], *, seconds: float = 60) -> float:
        """Let events happen until a condition holds; returns the seconds that it took."""
        began = time.perf_counter()
        while not condition():
            self.app.processEvents()
            if time.perf_counter() - began > seconds:
                raise TimeoutError("the page did not do what was waited for")
        return time.perf_counter() - began

    def rest(self, seconds: float) -> None:
        """Let events happen for a while."""
        end = time.perf_counter() + seconds
        while time.perf_counter() < end:
            self.app.processEvents()
            time.sleep(0.001)

    def press(self, key: object) -> None:
        from PySide6.QtTest import QTest

        QTest.keyClick(self.app.focusWidget() or self.page, key)  # type: ignore[call-overload, attr-defined]

    def next_slices(self) -> list[float]:
        """Seconds from the key to all panels painted, for every step."""
        from PySide6.QtCore import Qt

        watch = _PaintWatch([panel.view for panel in self.page.panels.shown_panels()])
        times = []
        for _ in range(STEPS):
            watch.forget()
            began = time.perf_counter()
            self.press(Qt.Key.Key_Right)
            self.wait(watch.all_painted)
            times.append(time.perf_counter() - began)
            self.rest(DWELL)
        return times

    def filter_times(self, wheres: list[str]) -> list[float]:
        """Seconds from a filter to its list painted."""
        times = []
        watch = _PaintWatch([self.page.list.viewport()])
        for where in wheres:
            shown: list[bool] = []
            connection = self.page.shown.connect(lambda into=shown: into.append(True))
            watch.forget()
            began = time.perf_counter()
            self.page.filter_by(where)
            self.wait(partial(bool, shown))
            watch.forget()
            self.page.list.viewport().update()
            self.wait(watch.all_painted)
            times.append(time.perf_counter() - began)
            self.page.shown.disconnect(connection)
            self.rest(0.3)
        return times

    def gallery(self) -> tuple[float, list[float]]:
        """Seconds until the first screen of thumbnails stands, and seconds of each scroll step painted."""
        from PySide6.QtCore import Qt

        began = time.perf_counter()
        self.press(Qt.Key.Key_G)
        gallery = self.page.gallery
        self.wait(gallery.isVisible)
        listing = gallery.gallery_model().listing()
        rows = [listing.key_at(row) for row in range(40)]
        self.wait(lambda: all(self.page.slices.small(key) is not None for key in rows))
        gallery.viewport().repaint()
        first = time.perf_counter() - began
        bar, times = gallery.verticalScrollBar(), []
        for _ in range(100):
            bar.setValue(bar.value() + bar.singleStep())
            start = time.perf_counter()
            gallery.viewport().repaint()
            times.append(time.perf_counter() - start)
            self.rest(0.02)
        return first, times


class _PaintWatch:
    """Notes which of some widgets have been painted."""

    def __init__(self, widgets: list[Any]) -> None:
        from PySide6.QtCore import QEvent, QObject

        seen: set[int] = set()

        class Filter(QObject):
            def eventFilter(  # noqa: N802  Qt's own name
                self, watched: QObject, event: QEvent
            ) -> bool:
                if event.type() == QEvent.Type.Paint:
                    seen.add(id(watched))
                return False

        self._seen, self._widgets, self._filter = seen, widgets, Filter()
        for widget in widgets:
            widget.installEventFilter(self._filter)

    def forget(self) -> None:
        self._seen.clear()

    def all_painted(self) -> bool:
        return all(id(widget) in self._seen for widget in self._widgets)


def napari_step(python: Path | None, cache: Path) -> str:
    """What napari needs for its next slice, in words; it runs in an environment of its own."""
    if python is None:
        return "napari is not measured: name a Python that has it with --napari"
    script = Path(__file__).with_name("napari_step.py")
    command = ["xvfb-run", "-a", "-s", "-screen 0 1920x1080x24", str(python), str(script)]
    run = subprocess.run(
        [*command, str(make_slices(cache).plain / "images")], capture_output=True, text=True, check=False
    )
    lines = run.stdout.split()
    if run.returncode or len(lines) < 2:
        return f"napari could not be measured: {run.stderr.strip().splitlines()[-1:]}"
    return f"napari, next slice, four layers     {float(lines[-2]):8.1f} ms, p95 {float(lines[-1]):.1f} ms"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--cache", type=Path, default=Path("bench-cache"), help="where pictures are kept")
    parser.add_argument("--napari", type=Path, help="a Python that has napari")
    arguments = parser.parse_args()
    cache = arguments.cache
    cache.mkdir(parents=True, exist_ok=True)
    study, gold, found = make_study(cache)
    _report_page(study)
    coco = coco_times(gold, found)
    if coco is not None:
        print(f"pycocotools, one evaluation a set   {coco * 1000:8.1f} ms")
    print(napari_step(arguments.napari, cache))


def _report_page(study: Path) -> None:
    from nova_review.domain.verdicts import Thresholds
    from nova_review.services.comparing_views import CompareRequest

    page = Page(study)
    numbers = iter(np.linspace(0.3, 0.7, 50).tolist())

    def judge_anew() -> None:
        page.desk.open(CompareRequest(SETS, Thresholds(round(next(numbers), 3), 0.1)))

    verdicts = best_of(judge_anew, 5)
    wheres = [
        "verdict = miss and relative_size < 0.01",
        "right = model-1 and wrong = model-2",
        "models_right = 0",
        "",
        "iou > 0.3 and iou < 0.6",
        "verdict = duplicate",
    ]
    filters = page.filter_times(wheres)
    page.page.filter_by("")
    page.rest(1.0)
    steps = page.next_slices()
    first, scroll = page.gallery()
    memory = resident_mib(os.getpid())
    page.close()
    print(f"{COUNT} slices x {len(SETS)} sets")
    print(f"verdicts of all boxes               {verdicts * 1000:8.1f} ms   (aim: under 100)")
    print(
        f"filter to painted list, median      {statistics.median(filters) * 1000:8.1f} ms   (aim: under 50)"
    )
    print(f"filter to painted list, worst       {max(filters) * 1000:8.1f} ms")
    print(f"next slice, 5 panels, median        {statistics.median(steps) * 1000:8.1f} ms")
    print(f"next slice, 5 panels, p95           {np.percentile(steps, 95) * 1000:8.1f} ms   (aim: under 33)")
    print(f"gallery, first screen               {first * 1000:8.1f} ms")
    print(
        f"gallery, scroll step, median        {statistics.median(scroll) * 1000:8.1f} ms   (aim: under 16.7)"
    )
    print(f"gallery, scroll step, p95           {np.percentile(scroll, 95) * 1000:8.1f} ms")
    print(f"memory                              {memory:8.0f} MiB  (aim: under 500)")


if __name__ == "__main__":
    main()
