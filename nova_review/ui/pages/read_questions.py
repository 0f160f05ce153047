"""The questions that one key opens: label, place, side, sequence, plane, normality, why unreadable."""

from collections.abc import Callable

from nova_review.domain.edits import change_caption, say_cannot_read
from nova_review.domain.protocol import Vocabularies
from nova_review.domain.reading import Caption, Normality, Side, SliceAnswer
from nova_review.ui.commands import made
from nova_review.ui.finding_session import FindingSession
from nova_review.ui.pages.panels.findings import OTHER, parted_reason
from nova_review.ui.pages.read_palette import Question
from nova_review.ui.pages.read_verbs import FindingVerbs

SIDE_WORDS: dict[str, Side] = {
    "image left": Side.IMAGE_LEFT,
    "image right": Side.IMAGE_RIGHT,
    "midline": Side.MIDLINE,
    "bilateral": Side.BILATERAL,
    "not applicable": Side.NOT_APPLICABLE,
    "cannot tell": Side.CANNOT_TELL,
}
_CALLS = tuple(call.value for call in Normality)


class Questions:
    """Makes questions from the session; `write(field)` puts the keyboard into a text field."""

    def __init__(self, session: FindingSession, verbs: FindingVerbs, write: Callable[[str], None]) -> None:
        self._session = session
        self._verbs = verbs
        self._write = write

    def ask(self, name: str) -> Question:
        """Return the question of an action."""
        return {
            "label": self._label,
            "place": self._place,
            "side": self._side,
            "sequence": self._sequence,
            "plane": self._plane,
            "normality": self._normality,
            "cannot-be-read": self._cannot_read,
        }[name]()

    @property
    def _words(self) -> Vocabularies:
        return self._session.protocol.vocabularies

    @property
    def _caption(self) -> Caption:
        return (self._session.answer or SliceAnswer()).caption

    def _label(self) -> Question:
        selected = self._session.selected
        chosen = (selected.label,) if selected else ()
        write = self._writing("label")
        return Question("Label", self._words.labels, chosen, self._verbs.label, write=write)

    def _place(self) -> Question:
        selected = self._session.selected
        chosen = (selected.place,) if selected else ()
        return Question(
            "Anatomical place",
            self._words.places,
            chosen,
            lambda word: self._verbs.describe(place=word),
            write=self._writing("place"),
        )

    def _side(self) -> Question:
        selected = self._session.selected
        chosen = tuple(word for word, side in SIDE_WORDS.items() if selected and selected.side is side)
        return Question(
            "Side on the image",
            tuple(SIDE_WORDS),
            chosen,
            lambda word: self._verbs.describe(side=SIDE_WORDS[word]),
        )

    def _sequence(self) -> Question:
        words, chosen = self._words.sequences, self._caption.sequences
        return Question("Sequence", words, chosen, self._toggle_sequence, several=True)

    def _plane(self) -> Question:
        chosen = (self._caption.plane,) if self._caption.plane else ()
        return Question("Plane", self._words.planes, chosen, lambda word: self._change(plane=word))

    def _normality(self) -> Question:
        call = self._caption.normality
        chosen = (call.value,) if call else ()
        return Question(
            "The slice as a whole", _CALLS, chosen, lambda word: self._change(normality=Normality(word))
        )

    def _cannot_read(self) -> Question:
        answer = self._session.answer
        chosen = (parted_reason(answer.cannot_read_reason)[0],) if answer else ()
        reasons = self._words.cannot_read_reasons
        return Question("Why it cannot be read", reasons, chosen, self._say_cannot_read)

    def _say_cannot_read(self, reason: str) -> None:
        answer = self._session.answer
        said = answer is not None and parted_reason(answer.cannot_read_reason)[0] == reason
        accepted = said or self._session.apply(made(say_cannot_read, reason))
        if accepted and reason == OTHER:
            self._write("reason")

    def _toggle_sequence(self, word: str) -> None:
        had = self._caption.sequences
        wanted = (*had, word) if word not in had else tuple(w for w in had if w != word)
        known = [w for w in self._words.sequences if w in wanted]
        self._change(sequences=(*known, *(w for w in wanted if w not in known)))

    def _change(self, **changes: object) -> None:
        self._session.apply(change_caption(**changes))

    def _writing(self, field: str) -> Callable[[], None]:
        return lambda: self._write(field)
