"""What a reader may be called."""

import pytest

from nova_review.domain.errors import UserError
from nova_review.services.reader_plan import check_names


@pytest.mark.parametrize(
    "name", ["Dr. O'Neill", "山田\u3000太郎", "می\u200cخواهم", "Müller-Lüdenscheidt", "x" * 100]
)
def test_names_of_people(name: str) -> None:
    check_names([name], ["Somebody"])


@pytest.mark.parametrize(
    "name",
    ["a\nb", "a\tb", "\x1b[31mred", "a\0b", "a\u2028b", "\u202ecba", "A\udcff", "x" * 101, "x" * 10_000],
)
def test_what_is_no_name_is_refused_in_a_short_line_without_it(name: str) -> None:
    with pytest.raises(UserError, match="cannot be named so") as refused:
        check_names([name], [])
    assert name not in str(refused.value)
    assert str(refused.value).isprintable()
    assert len(str(refused.value)) < 400
