"""What a reader is shown of one slice and of one case, built from his own rows."""

from nova_review.domain.protocol import Level, Shown
from nova_review.domain.reading import EMPTY_CASE_ANSWER, EMPTY_SLICE_ANSWER, composed_caption, mark_of
from nova_review.domain.visibility import CaseField, may_see, shows
from nova_review.services.ports import OpenedCase, OpenedSlice, Place
from nova_review.services.reading_order import Order
from nova_review.services.reading_pictures import PictureShelf
from nova_review.services.reading_records import ReaderRows, StoredCaseAnswer, StoredSliceAnswer
from nova_review.services.reading_standing import Standing, standing_at
from nova_review.services.reading_worklist import seen_before_here, shown_seen_before


def opened_slice(rows: ReaderRows, order: Order, place: Place, shelf: PictureShelf) -> OpenedSlice:
    """Return a slice with this reader's newest answer; raises NotAllowedError if it is not his to see."""
    standing = standing_at(rows, order, order.presentation_at(place))
    newest = newest_slice_answer(rows, standing, place)
    state = newest.record.state if newest else None
    answer = newest.answer if newest else EMPTY_SLICE_ANSWER
    permit = standing.may_edit(Level.SLICE, state)
    image = rows.image(place.slice_id)
    shelf.put_row(place.slice_id, image)
    return OpenedSlice(
        place=place,
        words=name_of(rows, order, place, standing),
        width=image.width if image else 0,
        height=image.height if image else 0,
        stage=standing.stage,
        answer=answer,
        state=state,
        version=newest.record.version if newest else 0,
        revision=newest.record.revision if newest else 0,
        mark=mark_of(state=state, outcome=answer.outcome, opened=_is_opened(rows, place)),
        may_edit=permit.allowed,
        why_not=permit.reason,
        image_problem=shelf.problem(image, words=order.words(place)),
    )


def opened_case(rows: ReaderRows, order: Order, presentation_id: str) -> OpenedCase:
    """Return a case at the stage where its reader stands; the history is not even read before that."""
    standing = standing_at(rows, order, order.presentation(presentation_id))
    newest = newest_case_answer(rows, standing)
    state = newest.record.state if newest else None
    permit = standing.may_edit(Level.CASE, state)
    return OpenedCase(
        presentation_id=presentation_id,
        stage=standing.stage,
        history=_history(rows, standing),
        own_captions=_own_captions(rows, standing),
        answer=newest.answer if newest else EMPTY_CASE_ANSWER,
        state=state,
        version=newest.record.version if newest else 0,
        revision=newest.record.revision if newest else 0,
        seen_before=shown_seen_before(standing, standing.stage, seen_before_here(rows, order)),
        may_edit=permit.allowed,
        why_not=permit.reason,
    )


def name_of(rows: ReaderRows, order: Order, place: Place, standing: Standing) -> str:
    """Return the only name of a slice: its place in words, or its file name if the protocol shows it."""
    visible = order.protocol.file_names_visible
    if may_see(standing.stage, CaseField.FILE_NAME, file_names_visible=visible):
        return rows.file_name(place.slice_id)
    return order.words(place)


def newest_slice_answer(rows: ReaderRows, standing: Standing, place: Place) -> StoredSliceAnswer | None:
    """Return the newest version of this reader's answer on a slice."""
    return rows.slice_answer(standing.reading.id, place.slice_id) if standing.reading else None


def newest_case_answer(rows: ReaderRows, standing: Standing) -> StoredCaseAnswer | None:
    """Return the newest version of this reader's answer on a case."""
    return rows.case_answer(standing.reading.id) if standing.reading else None


def _is_opened(rows: ReaderRows, place: Place) -> bool:
    return (place.presentation_id, place.slice_id) in rows.viewed([place.presentation_id])


def _history(rows: ReaderRows, standing: Standing) -> str | None:
    if not may_see(standing.stage, CaseField.HISTORY, file_names_visible=False):
        return None
    return rows.history(standing.presentation.case_id) or ""


def _own_captions(rows: ReaderRows, standing: Standing) -> tuple[tuple[str, str], ...]:
    if standing.reading is None or not shows(standing.stage, Shown.OWN_CAPTION):
        return ()
    captions = {
        a.slice_id: composed_caption(a.answer.caption) for a in rows.slice_answers(standing.reading.id)
    }
    return tuple((s, captions[s]) for s in standing.presentation.slice_ids if s in captions)
