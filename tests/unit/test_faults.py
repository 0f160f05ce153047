"""The fifteen faults that cost other tools their users' work, and the tests that hold each.

The table is an index: each name must be a test that runs. What concerns clocks is tested here.
"""

import ast
import os
import time
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path

import pytest

from nova_review.bootstrap import HouseServices
from nova_review.services import clock
from nova_review.services.clock import SystemClock
from nova_review.services.export_content import ExportChoice
from nova_review.storage.snapshot import read_snapshot
from tests.helpers.desks import NO_FINDING, open_memory_desk, places_of, seen
from tests.helpers.leaks import DATA_SET, make_leaky_study
from tests.helpers.reading_worlds import make_world

PAGE = "unit/ui/test_read_page_faults.py"
CANVAS = "unit/ui/test_canvas_gestures.py"
ENGINE = "unit/storage/test_engine.py"
IMAGES = "unit/formats/test_images.py"
INSIDE = "e2e/test_faults_inside.py"
OUTSIDE = "e2e/test_faults_outside.py"
ROUND = "e2e/test_reading_round.py"
LASTING = "contract/test_reading_durability.py"
TRIP = "unit/formats/exchange/test_round_trip.py"

HELD_BY: dict[int, tuple[str, dict[str, tuple[str, ...]]]] = {
    1: (
        "Disk full or read-only folder during a save",
        {
            PAGE: (
                "test_a_failed_save_keeps_record_and_draft_and_says_so_once",
                "test_retry_by_key_saves_the_draft_and_takes_the_message_away",
                "test_a_failed_save_is_tried_again_by_itself",
                "test_a_file_that_cannot_be_written_says_so",
            ),
            ENGINE: (
                "test_the_old_record_stays_whole_and_trying_again_works",
                "test_writing_is_refused_in_a_sentence",
            ),
            LASTING: ("test_a_full_disk_keeps_the_old_record_and_a_retry_works",),
        },
    ),
    2: (
        "Edit, then another slice, a key, a menu, close, kill -9",
        {
            PAGE: (
                "test_an_edit_is_stored_when_the_slice_is_left",
                "test_an_edit_is_stored_when_the_window_closes",
                "test_typing_is_stored_when_the_window_closes",
                "test_an_edit_is_stored_within_a_second_without_any_other_act",
            ),
            OUTSIDE: ("test_an_edit_is_on_disk_however_the_slice_is_left",),
            ROUND: ("test_two_people_read_and_what_they_said_comes_out",),
            LASTING: ("test_kill_9_loses_no_acknowledged_draft",),
        },
    ),
    3: (
        "Opening every slice changes nothing",
        {
            INSIDE: ("test_opening_every_slice_and_leaving_it_changes_no_answer",),
            PAGE: ("test_looking_at_every_slice_changes_no_reading",),
            "unit/services/test_readings.py": ("test_opening_and_saving_untouched_slices_stores_nothing",),
        },
    ),
    4: (
        "A box keeps every digit",
        {
            PAGE: ("test_a_box_saved_and_read_a_hundred_times_is_the_same",),
            "unit/services/test_readings.py": ("test_a_box_keeps_every_digit_over_a_hundred_saves",),
            TRIP: ("test_box_survives_ten_round_trips_exactly",),
        },
    ),
    5: (
        "The same box at any zoom and pixel ratio",
        {
            CANVAS: (
                "test_the_same_box_drawn_at_any_zoom_has_the_same_coordinates",
                "test_coordinates_are_not_rounded_to_pixels",
            ),
            ROUND: ("test_two_people_read_and_what_they_said_comes_out",),
        },
    ),
    6: (
        "Borders, backward drags, clicks",
        {
            CANVAS: (
                "test_backward_drags_are_normalised",
                "test_drawing_past_the_border_reaches_it_exactly",
                "test_edges_outside_stay_until_they_are_dragged",
                "test_a_drag_without_area_stores_nothing",
            ),
            PAGE: (
                "test_a_drag_past_the_border_ends_at_the_border",
                "test_a_click_without_area_stores_nothing",
            ),
            "unit/domain/test_geometry.py": (
                "test_the_far_edges_are_reachable",
                "test_only_the_dragged_edge_is_clamped",
            ),
        },
    ),
    7: (
        "Pictures of every mode, and damaged ones",
        {
            IMAGES: (
                "test_12_bit_data_in_16_bit_is_shown_by_its_own_range",
                "test_a_palette_is_read_by_colour_and_not_by_index",
                "test_transparency_is_dropped_and_said",
                "test_cmyk_is_not_inverted",
                "test_one_bit_is_black_and_white",
                "test_an_odd_width_is_not_sheared",
                "test_exif_orientation_is_applied_alike_in_every_format_and_said",
                "test_a_cut_file_is_refused_by_name",
                "test_loading_of_truncated_pictures_is_never_switched_on",
                "test_a_bomb_is_refused_from_its_header_with_its_size",
            ),
            PAGE: ("test_a_slice_that_cannot_be_opened_keeps_the_one_before",),
        },
    ),
    8: (
        "Undo and redo",
        {
            PAGE: (
                "test_undo_takes_back_one_act_at_a_time_and_the_record_follows",
                "test_undo_never_acts_on_another_slice",
                "test_a_drag_of_a_box_is_one_step_and_a_drag_that_comes_back_is_none",
                "test_typing_is_one_step_until_the_field_is_left",
            ),
        },
    ),
    9: (
        "Keys in a text field are text",
        {PAGE: ("test_keys_typed_in_the_caption_edit_the_caption_and_nothing_else",)},
    ),
    10: (
        "20,000 slices",
        {
            "unit/ui/test_panels_around.py": ("test_twenty_thousand_presentations_need_no_widget_each",),
            "unit/ui/test_session.py": ("test_next_slices_are_read_ahead_and_memory_is_bounded",),
        },
    ),
    11: (
        "Awkward text and paths",
        {
            INSIDE: ("test_awkward_text_goes_from_the_field_into_the_file_and_out_in_every_format",),
            TRIP: ("test_awkward_text", "test_guard_is_undone"),
            ENGINE: ("test_a_study_may_have_any_name",),
            "unit/cli/test_output.py": ("test_a_pipe_takes_every_letter_under_any_locale",),
        },
    ),
    12: (
        "All normal, one class, one reader, n = 1",
        {
            "unit/analysis/test_agreement.py": ("test_one_reader",),
            "unit/analysis/test_registry.py": ("test_nothing_read_is_undefined_with_a_reason",),
            "unit/cli/test_agreement.py": ("test_one_reader_has_a_reason_and_no_number",),
        },
    ),
    13: (
        "Two processes on one study",
        {
            INSIDE: ("test_what_was_changed_elsewhere_meanwhile_is_a_message_and_nothing_is_lost",),
            LASTING: ("test_two_programs_on_one_slice",),
            PAGE: (
                "test_an_answer_changed_elsewhere_is_settled_by_the_person",
                "test_an_answer_submitted_elsewhere_is_not_lost_here",
            ),
            ENGINE: ("test_network_drives_are_refused",),
            "unit/ui/test_adjudicate_page.py": (
                "test_a_change_elsewhere_is_a_conflict_that_the_person_settles",
            ),
        },
    ),
    14: (
        "German numbers, clocks set back, times of an import",
        {
            INSIDE: ("test_a_german_desktop_changes_no_number",),
            OUTSIDE: ("test_an_edit_is_on_disk_however_the_slice_is_left",),
            "unit/formats/test_nova.py": ("test_decimal_commas_are_read_in_a_semicolon_file",),
            "unit/test_faults.py": (
                "test_a_clock_that_is_set_back_shortens_no_reading",
                "test_times_are_utc_wherever_the_computer_stands",
                "test_an_import_keeps_the_times_of_the_answers",
            ),
        },
    ),
    15: (
        "A clean wheel, and missing system libraries",
        {
            "unit/house/test_wheel.py": ("test_every_resource_is_inside", "test_every_module_is_inside"),
            "unit/services/test_system_parts.py": ("test_the_sentence_names_the_library_and_the_line",),
        },
    ),
}


def test_every_fault_is_in_the_table() -> None:
    assert sorted(HELD_BY) == list(range(1, 16))


@pytest.mark.parametrize("number", sorted(HELD_BY), ids=lambda n: f"{n}-{HELD_BY[n][0].replace(' ', '_')}")
def test_the_tests_that_hold_a_fault_exist_and_run(number: int, repository: Path) -> None:
    for file, names in HELD_BY[number][1].items():
        running = _running_tests(repository / "tests" / file)
        assert [name for name in names if name not in running] == [], file


@cache
def _running_tests(file: Path) -> frozenset[str]:
    """The tests of a file that are neither skipped nor expected to fail, wherever it is run."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    found = (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))
    return frozenset(
        node.name
        for node in found
        if node.name.startswith("test_")
        and not any("skip" in ast.unparse(d) or "xfail" in ast.unparse(d) for d in node.decorator_list)
    )


# Fault 14: clocks.


def test_a_clock_that_is_set_back_shortens_no_reading(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Looked at for 30 s; meanwhile the computer's clock is set back by an hour."""
    world = make_world("sqlite", tmp_path, slices_of_cases=[1])
    clock_now = SystemClock()
    desk = open_memory_desk(world.store, reader_id=world.reader_ids[0], clock=clock_now)
    place = places_of(desk.worklist().entries[0])[0]
    view = replace(seen(place, started=100.0, seconds=30.0), started_utc=clock_now.utc_now())
    monkeypatch.setattr(clock, "_wall", lambda: datetime.now(UTC) - timedelta(hours=1))
    desk.log_view(view)
    desk.lock_slice(place, NO_FINDING, revision=0)
    desk.close()
    assert world.file is not None
    with world.file.read() as connection:
        contexts = [r.context for r in read_snapshot(connection).slice_readings]
    world.close()
    (mine,) = [c for c in contexts if c.started_utc is not None]
    assert mine.active_seconds == 30.0
    assert view.started_utc <= (mine.closed_utc or "")
    assert (mine.sitting_minutes or 0.0) >= 0.0


@pytest.mark.parametrize("zone", ["Europe/Berlin", "Asia/Kolkata", "America/New_York"])
def test_times_are_utc_wherever_the_computer_stands(zone: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", zone)
    time.tzset()
    try:
        before, said, after = datetime.now(UTC), SystemClock().utc_now(), datetime.now(UTC)
    finally:
        monkeypatch.undo()
        time.tzset()
    assert said.endswith("Z")
    second = timedelta(seconds=1)
    assert before - second < datetime.fromisoformat(said) < after + second
    assert "TZ" not in os.environ or os.environ["TZ"] != zone


def test_an_import_keeps_the_times_of_the_answers(tmp_path: Path) -> None:
    services = HouseServices(log_file=None)
    first = make_leaky_study(tmp_path)
    services.studies.close(first, reason="done")
    choice = ExportChoice(with_times=True, notes=True)
    services.exporting.export(first, format_name="nova-csv", folder=tmp_path / "out", choice=choice)
    data_set = services.read_data_set(tmp_path / DATA_SET, lambda _done, _total: True)
    second = tmp_path / "second.nova"
    services.studies.new_study([data_set], second, progress=lambda _done, _total: True)
    services.importing.add(second, tmp_path / "out")
    times = [_times(services, file) for file in (first, second)]
    assert len(times[0]) == 4
    assert times[1] == times[0]
    assert all(begun <= closed <= datetime.now(UTC).isoformat() for begun, closed in times[0].values())


def _times(services: HouseServices, file: Path) -> dict[str, tuple[str, str]]:
    """When each slice was begun and closed by a reader who was at the window."""
    found = services.studies.snapshot(file).slice_readings
    return {
        r.file_name: (r.context.started_utc or "", r.context.closed_utc or "")
        for r in found
        if r.context.started_utc is not None
    }
