"""Examples of the other C++ pieces: see test_cpp_pieces.py."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cpp_pieces import examples
from tests.cpp_pieces.bench import Bench
from tests.cpp_pieces.examples import Example
from tests.test_cpp_pieces import ALL_FILES, bench, fail_for_faults, name_of, readable

__all__ = ["bench"]
pytestmark = [pytest.mark.real, pytest.mark.long]
FILES = ALL_FILES[1::2]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.parent.name)
def test_the_examples_of_a_piece_can_be_read(path: Path) -> None:
    assert examples.read(path).examples


@pytest.mark.parametrize("example", [*readable(FILES)], ids=name_of)
def test_an_example_means_the_same_under_both_frameworks(bench: Bench, example: Example) -> None:
    fail_for_faults(bench, example)
