"""The record of a run: what was computed from something that changed is gone."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import pytest

from porter.errors import EnvironmentFailed
from porter.model import (
    Ascend,
    BuildResult,
    Cell,
    Device,
    DeviceVerdict,
    Evidence,
    ParityResult,
    ProjectFacts,
    Stage,
    Status,
    SuiteResult,
    Tree,
    Verdict,
)
from porter.run import store
from porter.run.record import (
    Analysis,
    Migration,
    PatchRecord,
    RunRecord,
    SourceRecord,
    Verification,
)

BEFORE = Cell(Tree.UNPATCHED, "torch", Device.CPU, Evidence.NATIVE)
AFTER = Cell(Tree.PATCHED, "paddle", Device.CPU, Evidence.NATIVE)
ELSEWHERE = dataclasses.replace(AFTER, device=Device.CUDA)
SOURCE = SourceRecord(written=".", identity="path:/ops", kind="path", digest="a tree")
STAGES = ("analyze", "migrate", "build", "verify", "report")
PORTED = DeviceVerdict(Device.CPU, Verdict.PORTED, ("all of it",))


def built(cell: Cell, status: Status = Status.OK) -> BuildResult:
    return BuildResult(cell=cell, status=status)


def suite(cell: Cell) -> SuiteResult:
    return SuiteResult(cell=cell, status=Status.OK)


@pytest.fixture
def whole() -> RunRecord:
    """A run that came to its end."""
    facts = ProjectFacts(ascend=Ascend(headers=frozenset("abcdefgh")))
    parity = ParityResult(
        case="f", device=Device.CPU, evidence=Evidence.NATIVE, status=Status.OK, max_abs=0.1
    )
    return RunRecord(
        id="1",
        porter_version="1",
        created=0.5,
        cwd="/",
        source=SOURCE,
        analysis=Analysis(target="paddle", target_version="3.3.1", facts=facts),
        migration=Migration(patch=PatchRecord(path="port.patch", digest="another")),
        builds=(built(BEFORE), built(AFTER)),
        suites=(suite(BEFORE), suite(AFTER)),
        verification=Verification(parity=(parity,), verdicts=(PORTED,), overall=PORTED),
        stages=tuple(Stage(name=name, status=Status.OK, seconds=1.0) for name in STAGES),
    )


def holds(record: RunRecord) -> tuple[set[str], set[Cell], set[Cell], bool]:
    """The stages that are done, the cells that are built and tested, and if there is a verdict."""
    return (
        {stage.name for stage in record.stages},
        {build.cell for build in record.builds},
        {suite.cell for suite in record.suites},
        record.verification.overall is not None,
    )


@pytest.mark.parametrize(
    ("change", "stages", "builds", "suites"),
    [
        ({"source": dataclasses.replace(SOURCE, digest="new")}, 0, set(), set()),
        ({"analysis": Analysis(target="torch_npu")}, 0, {BEFORE}, {BEFORE}),
        ({"migration": Migration()}, 1, {BEFORE}, {BEFORE}),
        ({"prepare": ("make", "sources")}, 2, set(), set()),
        ({"pythons": {"paddle": "/own"}}, 2, {BEFORE}, {BEFORE}),
        ({"builds": (built(BEFORE),)}, 2, {BEFORE}, {BEFORE}),
        ({"builds": (built(BEFORE), built(AFTER, Status.FAILED))}, 2, {BEFORE, AFTER}, {BEFORE}),
        ({"suites": (suite(BEFORE),)}, 3, {BEFORE, AFTER}, {BEFORE}),
        ({"verification": Verification()}, 3, {BEFORE, AFTER}, {BEFORE, AFTER}),
    ],
)
def test_what_was_computed_from_what_changed_is_gone(
    whole: RunRecord,
    change: dict[str, Any],
    stages: int,
    builds: set[Cell],
    suites: set[Cell],
) -> None:
    after = dataclasses.replace(whole, **change)
    assert holds(after) == ({*STAGES[:stages]}, builds, suites, False)


def test_what_is_added_beside_a_verdict_leaves_it(whole: RunRecord) -> None:
    more = dataclasses.replace(
        whole, builds=(*whole.builds, built(ELSEWHERE)), isolation="bubblewrap", asked="tests=x"
    )
    assert holds(more)[3] and more.verification == whole.verification
    assert {stage.name for stage in more.stages} == {*STAGES}


def test_a_result_of_another_patch_cannot_be_put_beside_this_one(whole: RunRecord) -> None:
    other = Migration(patch=PatchRecord(path="port.patch", digest="a third"))
    new = dataclasses.replace(whole, migration=other)
    again = dataclasses.replace(
        new, builds=whole.builds, suites=whole.suites, verification=whole.verification
    )
    assert holds(again)[1:] == ({BEFORE}, {BEFORE}, False)


def test_a_record_comes_back_from_its_file_as_it_was(whole: RunRecord, home: Path) -> None:
    run = store.create()
    run.save(whole)
    text = (run.folder / "record.json").read_text()
    assert run.load() == whole
    assert holds(run.load()) == holds(whole)
    run.save(run.load())
    assert (run.folder / "record.json").read_text() == text, "sets have one order"


def test_a_record_of_another_layout_is_refused_with_what_to_do(
    whole: RunRecord, home: Path
) -> None:
    run = store.create()
    run.save(whole)
    path = run.folder / "record.json"
    path.write_text(path.read_text().replace('"migration"', '"patch"'))
    with pytest.raises(EnvironmentFailed, match=run.folder.name) as caught:
        run.load()
    assert "porter analyze" in caught.value.hint
