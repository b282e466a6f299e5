"""Examples of the C++ pieces mean the same under real torch and real Paddle: here of every second
piece, of the others in test_cpp_pieces_others.py, so that two shards share them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path

import pytest

from porter.host.home import rules_home
from tests.conftest import CACHE
from tests.cpp_pieces import examples
from tests.cpp_pieces.bench import Bench
from tests.cpp_pieces.examples import Example

pytestmark = [pytest.mark.real, pytest.mark.long]
PIECES = rules_home() / "paddle" / "polyfills" / "cpp"
ALL_FILES = sorted(PIECES.glob("*/examples.toml"))
FILES = ALL_FILES[::2]
SHOWN = 12


def readable(paths: Iterable[Path]) -> Iterator[Example]:
    for path in paths:
        with suppress(ValueError, TypeError, KeyError):  # the test of that file tells
            yield from examples.read(path).examples


def name_of(example: Example) -> str:
    return f"{example.piece}-{' '.join(example.code.split())}"


@pytest.fixture(scope="session")
def bench(framework_pythons: Mapping[str, Path]) -> Iterator[Bench]:
    only = [name for name in os.environ.get("PORTER_TEST_PIECES", "").split(",") if name]
    made = Bench(framework_pythons, PIECES, CACHE, only)
    yield made
    made.close()


@pytest.mark.parametrize("path", ALL_FILES, ids=lambda path: path.parent.name)
def test_the_examples_of_a_piece_can_be_read(path: Path) -> None:
    assert examples.read(path).examples


@pytest.mark.parametrize("example", [*readable(FILES)], ids=name_of)
def test_an_example_means_the_same_under_both_frameworks(bench: Bench, example: Example) -> None:
    fail_for_faults(bench, example)


def fail_for_faults(bench: Bench, example: Example) -> None:
    faults = bench.faults(example)
    if faults:
        more = f"\n  and {len(faults) - SHOWN} more" if len(faults) > SHOWN else ""
        told = "\n  ".join(faults[:SHOWN]) + more
        pytest.fail(f"{example.piece}: {example.code}\n  {told}", pytrace=False)
