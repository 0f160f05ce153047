"""From what a reader does in the panels to edits of the session; typing merges into one step."""

from collections.abc import Mapping
from dataclasses import fields

from PySide6.QtCore import QObject, QTimer

from nova_review.domain.edits import (
    change_caption,
    describe_finding,
    remove_finding,
    say_cannot_read,
    set_diagnoses,
    set_rationale,
    take_outcome_back,
)
from nova_review.domain.reading import Caption, Diagnosis
from nova_review.ui.commands import made
from nova_review.ui.finding_session import FindingSession
from nova_review.ui.pages.panels.caption import CaptionPanel
from nova_review.ui.pages.panels.case import CasePanel
from nova_review.ui.pages.panels.findings import FindingsPanel
from nova_review.ui.pages.read_verbs import BoxVerbs, FindingVerbs
from nova_review.ui.session import ReviewSession

TYPING_PAUSE_MS = 1_500
_TYPED = frozenset({"label", "place"})


class FindingWiring(QObject):
    """Listens to findings and caption. A step of typing ends with a pause, another field or slice."""

    def __init__(self, session: FindingSession, verbs: FindingVerbs, parent: QObject) -> None:
        super().__init__(parent)
        self._session = session
        self._verbs = verbs
        self._shown_caption = Caption()
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(TYPING_PAUSE_MS)
        self._pause.timeout.connect(session.end_merge)

    def listen_to_findings(self, panel: FindingsPanel) -> None:
        panel.finding_selected.connect(self._session.select)
        panel.finding_described.connect(self._on_described)
        panel.finding_removed.connect(lambda finding_id: self._session.apply(remove_finding(finding_id)))
        panel.text_committed.connect(self._on_committed)
        panel.no_finding_toggled.connect(lambda _wanted: self._verbs.toggle_no_finding())
        panel.cannot_read_chosen.connect(lambda reason: self._session.apply(made(say_cannot_read, reason)))
        panel.cannot_read_explained.connect(self._on_explained)
        panel.outcome_taken_back.connect(lambda: self._session.apply(take_outcome_back()))

    def note_caption_shown(self, caption: Caption) -> None:
        """Remember what the caption's panel shows: only what differs from it was changed there."""
        self._shown_caption = caption

    def listen_to_caption(self, panel: CaptionPanel) -> None:
        panel.caption_changed.connect(self._on_caption)
        panel.text_committed.connect(self._on_committed)
        panel.submitted.connect(self._session.lock)

    def stop(self) -> None:
        """The window has closed."""
        self._pause.stop()

    def _on_described(self, finding_id: str, changes: Mapping[str, object]) -> None:
        typed = set(changes) <= _TYPED
        merge = f"{finding_id} {sorted(changes)}" if typed else None
        self._note_typing(merge)
        self._session.apply(made(describe_finding, finding_id, **changes), merge=merge)

    def _on_explained(self, reason: str) -> None:
        self._note_typing("reason")
        self._session.apply(made(say_cannot_read, reason), merge="reason")

    def _on_caption(self, caption: Caption) -> None:
        changes = _changes(self._shown_caption, caption)
        self._shown_caption = caption
        merge = "caption text" if set(changes) == {"text"} else None
        self._note_typing(merge)
        self._session.apply(change_caption(**changes), merge=merge)

    def _on_committed(self) -> None:
        self._pause.stop()
        self._session.end_merge()
        selected = self._session.selected
        if selected is not None and selected.label:
            self._session.remember_label(selected.label)

    def _note_typing(self, merge: str | None) -> None:
        if merge is None:
            self._pause.stop()
        else:
            self._pause.start()


class AnswerWiring(FindingWiring):
    """Listens to all panels of a reading."""

    def __init__(self, session: ReviewSession, verbs: BoxVerbs, parent: QObject) -> None:
        super().__init__(session, verbs, parent)
        self._reading = session
        self._copy_previous = verbs.copy_previous

    def listen_to_caption(self, panel: CaptionPanel) -> None:
        super().listen_to_caption(panel)
        panel.copy_previous_requested.connect(self._copy_previous)

    def listen_to_case(self, panel: CasePanel) -> None:
        panel.diagnoses_changed.connect(self._on_diagnoses)
        panel.rationale_changed.connect(self._on_rationale)
        panel.text_committed.connect(self._on_committed)
        panel.submit_requested.connect(self._reading.submit)

    def _on_diagnoses(self, diagnoses: tuple[Diagnosis, ...]) -> None:
        answer = self._reading.case_answer
        merge = _typed_line(answer.diagnoses if answer else (), diagnoses)
        self._note_typing(merge)
        self._reading.apply_case(made(set_diagnoses, diagnoses), merge=merge)

    def _on_rationale(self, text: str) -> None:
        self._note_typing("rationale")
        self._reading.apply_case(set_rationale(text), merge="rationale")


def _changes(before: Caption, after: Caption) -> dict[str, object]:
    names = [field.name for field in fields(Caption)]
    return {name: getattr(after, name) for name in names if getattr(after, name) != getattr(before, name)}


def _typed_line(before: tuple[Diagnosis, ...], after: tuple[Diagnosis, ...]) -> str | None:
    """Return a merge word if one name was typed in: that line's, else None."""
    if len(after) == len(before) + 1 and after[:-1] == before:
        return f"diagnosis {len(before)}"
    if len(after) != len(before):
        return None
    changed = [n for n, (a, b) in enumerate(zip(before, after, strict=True)) if a != b]
    if len(changed) != 1 or before[changed[0]].confidence != after[changed[0]].confidence:
        return None
    return f"diagnosis {changed[0]}"
