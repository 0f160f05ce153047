"""Names of prediction sets."""

import pytest

from nova_review.domain.errors import UserError
from nova_review.domain.prediction import check_set_name


@pytest.mark.parametrize("name", ["model-a", "Qwen2.5-VL-72B", "a", "_x", ".x", "x" * 100])
def test_names_of_sets(name: str) -> None:
    assert check_set_name(name) == name


@pytest.mark.parametrize("name", ["", "a b", "../x", "a\nb", "a\n", "..", ".", "模", "x" * 101, "x" * 10_000])
def test_what_is_no_name_of_a_set(name: str) -> None:
    with pytest.raises(UserError, match="must consist of letters") as refused:
        check_set_name(name)
    assert len(str(refused.value)) < 300
