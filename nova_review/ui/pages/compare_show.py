"""Shows one slice on the panels as soon as it is ready, and reads its neighbours ahead."""

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QObject, Signal

from nova_review.services.answer_sets import SliceKey
from nova_review.services.comparing_views import ComparedSlice, ReadersAgreement
from nova_review.ui.canvas.compare_view import CompareView
from nova_review.ui.canvas.items import CanvasImage
from nova_review.ui.canvas.window_level import PRESETS
from nova_review.ui.pages.comparing.head import CountedLine
from nova_review.ui.pages.comparing.panels import ComparePanels
from nova_review.ui.pages.comparing.shown import panel_contents
from nova_review.ui.pages.comparing.thumbnails import CompareSlices, LargeSlice

NO_SIZE = 480
"""Side of the black ground of a slice whose picture and size are not there."""


class SliceShow(QObject):
    """Signals: `opened(SliceKey, ComparedSlice)` when a slice stands on the panels."""

    opened = Signal(object, object)

    def __init__(
        self,
        slices: CompareSlices,
        panels: ComparePanels,
        counted: CountedLine,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._slices, self._panels, self._counted = slices, panels, counted
        self._wanted: SliceKey | None = None
        self._shown: LargeSlice | None = None
        self._on_panels: SliceKey | None = None
        self._with_texts = True
        slices.large_made.connect(self._on_made)

    def current(self) -> SliceKey | None:
        """Return the slice that is open, or on its way."""
        return self._wanted

    def shown(self) -> ComparedSlice | None:
        """Return what stands on the panels."""
        return None if self._shown is None else self._shown.shown

    def open(self, key: SliceKey, ahead: Sequence[SliceKey] = ()) -> None:
        """Show a slice at once if it is ready, else when it comes; the old one stays until then."""
        self._wanted = key
        ready = self._slices.large(key)
        if ready is not None:
            self._show(key, ready)
        self._slices.want_large([key, *ahead])

    def show_nothing(self, words: str) -> None:
        """Show black panels, and say why."""
        self._wanted = self._shown = self._on_panels = None
        self._panels.show_black()
        self._counted.show_slice(words)

    def toggle_texts(self) -> None:
        """Show or hide captions and diagnoses under the panels."""
        self._with_texts = not self._with_texts
        self._panels.show_texts(visible=self._with_texts)

    def window_acts(self) -> dict[str, Callable[[], object]]:
        """Return what window and zoom keys do; the panels follow the first one."""
        acts: dict[str, Callable[[], object]] = {
            "reset": self._on_first(CompareView.reset_window),
            "invert": self._on_first(lambda view: view.set_inverted(inverted=not view.view_state().inverted)),
            "full": self._on_first(lambda view: view.zoom_to(100)),
            "fit": self._on_first(CompareView.fit),
        }
        return acts | {f"preset-{n}": partial(self._preset, n - 1) for n in range(1, 8)}

    def _preset(self, place: int) -> None:
        self._on_first(lambda view: view.set_window(PRESETS[place].window_for(view.picture())))()

    def _on_first(self, act: Callable[[CompareView], object]) -> Callable[[], None]:
        def do() -> None:
            panels = self._panels.shown_panels()
            if panels and panels[0].view.has_image():
                act(panels[0].view)

        return do

    def _on_made(self, key: SliceKey, large: LargeSlice) -> None:
        if key == self._wanted:
            self._show(key, large)

    def _show(self, key: SliceKey, large: LargeSlice) -> None:
        same = key == self._on_panels and self._shown is not None and self._shown.image is large.image
        self._shown, self._on_panels = large, key
        contents = panel_contents(large.shown)
        if same:
            self._panels.show_contents(contents)
        else:
            self._panels.show_slice(large.image or _black(large.shown), contents)
        self._counted.show_slice(slice_words(large.shown, large.problem))
        self.opened.emit(key, large.shown)


def _black(one: ComparedSlice) -> CanvasImage:
    width, height = one.width or NO_SIZE, one.height or NO_SIZE
    return CanvasImage(width, height, bytes(width * height))


def slice_words(one: ComparedSlice, problem: str) -> str:
    """Return what stands over the panels of a slice."""
    parts = [one.file_name, f"case {one.case}"]
    if one.readers is not ReadersAgreement.UNDEFINED:
        parts.append(f"readers {one.readers.value}")
    if one.flagged:
        parts.append("⚑ flagged")
    if one.tags:
        parts.append("# " + ", ".join(one.tags))
    if problem:
        parts.append(problem)
    return "  ·  ".join(parts)
