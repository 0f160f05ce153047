"""Where a reader stands at one presentation, as one unit of work sees it, and what he may do there."""

from dataclasses import dataclass

from nova_review.domain.protocol import Arm, Level, Stage
from nova_review.domain.reading import AnswerState
from nova_review.domain.study import Phase, Presentation
from nova_review.domain.visibility import (
    Permit,
    first_refusal,
    level_answered,
    may_answer,
    may_change,
    may_enter,
    may_go_on,
    may_read,
    stage_now,
)
from nova_review.services.reading_order import Order
from nova_review.services.reading_records import ReaderRows, ReadingRow


@dataclass(frozen=True, slots=True)
class Standing:
    """Phase, reading (None before the first answer) and stage at a presentation."""

    presentation: Presentation
    arm: Arm
    phase: Phase
    reading: ReadingRow | None

    @property
    def stage(self) -> Stage:
        """The stage at which the reader stands."""
        return stage_now(self.arm, revealed=bool(self.reading and self.reading.revealed_utc))

    @property
    def reading_id(self) -> str | None:
        """The id of the reading, if there is one."""
        return self.reading.id if self.reading else None

    def may_enter(self) -> Permit:
        """Whether the presentation may be opened at all."""
        return may_enter(self.presentation, self.arm, self.stage)

    def may_write(self) -> Permit:
        """Whether anything may be written about this reading now."""
        return first_refusal(
            may_read(self.phase, self.presentation.role),
            may_go_on(withdrawn=bool(self.reading and self.reading.withdrawn)),
        )

    def may_edit(self, level: Level, state: AnswerState | None) -> Permit:
        """Whether an answer of this level, now in this state, may be edited here and now."""
        here = level_answered(self.presentation, self.arm, level)
        return first_refusal(
            self.may_write(), may_answer(self.stage, level, answered_here=here), may_change(state)
        )


def standing_at(rows: ReaderRows, order: Order, presentation: Presentation) -> Standing:
    """Return where the reader stands; raises NotAllowedError if the presentation is not open yet."""
    standing = Standing(
        presentation=presentation,
        arm=order.protocol.arm(presentation.arm),
        phase=rows.phase(),
        reading=rows.reading(presentation.case_id, presentation.arm, presentation.occasion),
    )
    standing.may_enter().require()
    return standing
