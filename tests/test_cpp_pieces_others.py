"""Examples of the other C++ pieces: see test_cpp_pieces.py."""

from __future__ import annotations

import pytest

from tests.cpp_pieces.bench import Bench
from tests.cpp_pieces.examples import Example
from tests.test_cpp_pieces import ALL_FILES, bench, fail_for_faults, name_of, readable

__all__ = ["bench"]
pytestmark = [pytest.mark.real, pytest.mark.long]


@pytest.mark.parametrize("example", [*readable(ALL_FILES[1::2])], ids=name_of)
def test_an_example_means_the_same_under_both_frameworks(bench: Bench, example: Example) -> None:
    fail_for_faults(bench, example)
