"""Names of sets that do not fit: what tells them apart stays."""

from typing import Any

from nova_review.ui.theme import apply_theme
from nova_review.ui.widgets.labels import ElidedText
from tests.helpers.all_texts import PaintedTexts


def _painted(name: str, *, keeps_end: bool) -> str:
    label = ElidedText(name, strong=True, keeps_end=keeps_end)
    label.resize(110, 20)
    with PaintedTexts() as painted:
        label.grab()
    label.deleteLater()
    return " ".join(text for _, text in painted.texts)


def test_the_end_of_a_long_name_stays_where_it_is_asked_for(qapp: Any) -> None:
    apply_theme(qapp)
    names = [f"model-with-a-rather-long-name-{k:02d}" for k in (1, 2)]
    ends = [_painted(name, keeps_end=True) for name in names]
    assert ends[0].endswith("01")
    assert ends[1].endswith("02")
    assert all(end.startswith("mod") and len(end) < 20 for end in ends)
    assert len({_painted(name, keeps_end=False) for name in names}) == 1  # the control
    assert _painted("model-a", keeps_end=True) == "model-a"
