"""Examples of the C++ pieces mean the same under real torch and real Paddle."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from porter.host.home import rules_home
from tests.conftest import CACHE
from tests.cpp_pieces import examples
from tests.cpp_pieces.bench import Bench
from tests.cpp_pieces.examples import Example

pytestmark = [pytest.mark.real, pytest.mark.long]
PIECES = rules_home() / "paddle" / "polyfills" / "cpp"
FILES = sorted(PIECES.glob("*/examples.toml"))


def readable(path: Path) -> tuple[Example, ...]:
    try:
        return examples.read(path).examples
    except (ValueError, TypeError, KeyError):  # the test of that file tells
        return ()


EXAMPLES = [example for path in FILES for example in readable(path)]
SHOWN = 12


@pytest.fixture(scope="session")
def bench(framework_pythons: Mapping[str, Path]) -> Iterator[Bench]:
    only = [name for name in os.environ.get("PORTER_TEST_PIECES", "").split(",") if name]
    made = Bench(framework_pythons, PIECES, CACHE, only)
    yield made
    made.close()


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.parent.name)
def test_the_examples_of_a_piece_can_be_read(path: Path) -> None:
    assert examples.read(path).examples


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda e: f"{e.piece}-{' '.join(e.code.split())}")
def test_an_example_means_the_same_under_both_frameworks(bench: Bench, example: Example) -> None:
    faults = bench.faults(example)
    if faults:
        more = f"\n  and {len(faults) - SHOWN} more" if len(faults) > SHOWN else ""
        told = "\n  ".join(faults[:SHOWN]) + more
        pytest.fail(f"{example.piece}: {example.code}\n  {told}", pytrace=False)
