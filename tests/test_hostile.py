"""The quick ones of the hostile inputs and faults; `make hostile` tries all."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.hostile.__main__ import areas
from tests.hostile.case import Case

QUICK = [case for _, cases in areas() for case in cases if case.quick]


@pytest.fixture(scope="module", autouse=True)
def benches(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep what the cases share where pytest deletes it."""
    before, tempfile.tempdir = tempfile.tempdir, str(tmp_path_factory.mktemp("benches"))
    yield
    tempfile.tempdir = before


@pytest.mark.parametrize("case", QUICK, ids=[f"{c.group}: {c.name}" for c in QUICK])
def test_nothing_is_lost(case: Case, tmp_path: Path) -> None:
    assert case.run(tmp_path) is None


def test_every_case_has_its_name() -> None:
    names = [(case.group, case.name) for _, cases in areas() for case in cases]
    assert len(names) == len(set(names))
