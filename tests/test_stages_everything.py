"""port: what lost tests ask for is migrated, built and verified once more, until nothing is new."""

from __future__ import annotations

import dataclasses
from itertools import pairwise
from pathlib import Path

import pytest

from porter.build.diagnostics import plain
from porter.cli.common import progress
from porter.model import (
    BuildResult,
    Cell,
    Delivery,
    Device,
    Evidence,
    Form,
    LostTests,
    ProjectFacts,
    Stage,
    Status,
    SuiteComparison,
    SuiteResult,
    Tree,
)
from porter.report.json import document
from porter.run.record import Analysis, Migration, PatchRecord, RunRecord
from porter.run.store import Run
from porter.stages import everything, migrate, verify
from porter.stages.options import Options, Progress
from tests.records import changed

NO_KERNEL = (
    "The kernel with key (CPU, Undefined(AnyLayout), bool) of kernel `max` is not registered"
)
MIXED = ("python/mixed_functions", "python/mixed_operands")
TWO_DTYPES = "Type promotion only support calculations between floating-point numbers"

VENDORED = Form(delivery=Delivery.VENDORED)


class Stages:
    """Stands in for migrate and verify; `says` is what tests say, by the pieces that they have."""

    def __init__(self, says: dict[tuple[str, ...], str]) -> None:
        self.says = says
        self.rounds: list[tuple[str, ...]] = []

    def migrate(self, run: Run, options: Options, progress: Progress) -> RunRecord:
        kept = run.load()
        self.rounds.append(kept.migration.reported_pieces)
        kept = dataclasses.replace(kept, migration=migrate._begin_record(kept, Options()).migration)
        return run.save(kept.replace_stage(Stage(name="migrate", status=Status.OK, seconds=2.0)))

    def verify(self, run: Run, options: Options, progress: Progress, *, resume: bool) -> RunRecord:
        kept = run.load()
        message = self.says[kept.migration.reported_pieces]
        lost = {"test_it": message} if message else {}
        kept = kept.update_verification(comparison=SuiteComparison(lost=(*lost,), messages=lost))
        return run.save(kept.replace_stage(Stage(name="verify", status=Status.OK, seconds=3.0)))


@pytest.fixture
def run(tmp_path: Path) -> Run:
    from porter.run import store
    from porter.run.record import SourceRecord

    run = store.create()
    source = SourceRecord(written=".", identity="x", kind="path", location=str(tmp_path))
    kept = store.begin(run, source)
    facts = ProjectFacts(torch_files=1)
    analysis = Analysis(target="paddle", target_version="3.3.1", facts=facts, form=VENDORED)
    kept = dataclasses.replace(kept, analysis=analysis)
    run.save(kept.replace_stage(Stage(name="analyze", status=Status.OK, seconds=0.0)))
    return run


@pytest.mark.parametrize(
    ("says", "rounds"),
    [
        ({(): ""}, [()]),
        ({(): "AssertionError"}, [()]),
        (
            {(): TWO_DTYPES, MIXED: TWO_DTYPES},
            [(), MIXED],
        ),
        (
            {
                (): TWO_DTYPES,
                MIXED: NO_KERNEL,
                ("python/larger_dtypes", *MIXED): "",
            },
            [
                (),
                MIXED,
                ("python/larger_dtypes", *MIXED),
            ],
        ),
    ],
    ids=["nothing lost", "no piece", "asked once only", "two rounds"],
)
def test_rounds(
    run: Run,
    monkeypatch: pytest.MonkeyPatch,
    says: dict[tuple[str, ...], str],
    rounds: list[tuple[str, ...]],
) -> None:
    stages = Stages(says)
    monkeypatch.setattr(everything.migrate, "migrate", stages.migrate)
    monkeypatch.setattr(everything.verify, "verify", stages.verify)
    kept = everything.port(run, Options(), progress())
    assert stages.rounds == rounds
    recorded = kept.migration.rounds
    assert [one.pieces for one in recorded] == [
        tuple(sorted({*after} - {*before})) for before, after in pairwise(rounds)
    ]
    told = [(one["before"]["lost"], one["after"]["lost"]) for one in document(kept)["rounds"]]
    assert told == [(bool(says[one]), bool(says[other])) for one, other in pairwise(rounds)]
    seconds = {stage.name: stage.seconds for stage in kept.stages}
    assert (seconds["migrate"], seconds["verify"]) == (2.0 * len(rounds), 3.0 * len(rounds))


def test_the_answers_to_lost_tests_and_imports_are_asked_for(run: Run) -> None:
    """By a name that is missing, whatever the patterns of pieces; not what has no piece."""

    def group(answer: str) -> LostTests:
        return LostTests(
            exception="E", message="", path="", line=0, answer=answer, tests=("test_it",)
        )

    answers = ("polyfill python/fill_of_nan", "quirk no_half_on_cpu", "missing torch.frob", "")
    said = "import ops: AttributeError: module 'torch' has no attribute 'inference_mode'"
    failed = dataclasses.replace(plain("python", said.removeprefix("import ops: ")), message=said)
    kept = run.load().update_verification(
        lost_tests=tuple(map(group, answers)), lost_imports={"ops": failed}
    )
    assert verify.requested_pieces(kept) == ("python/fill_of_nan", "python/inference_mode")
    packaged = changed(kept, form=Form())
    assert verify.requested_pieces(packaged) == (), "the package has them all"


def test_a_run_that_was_killed_before_its_next_round_goes_on_with_it(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = MIXED
    stages = Stages({(): TWO_DTYPES, asked: ""})
    stages.migrate(run, Options(), progress())
    stages.verify(run, Options(), progress(), resume=False)
    monkeypatch.setattr(everything.migrate, "migrate", stages.migrate)
    monkeypatch.setattr(everything.verify, "verify", stages.verify)
    everything.port(run, Options(), progress())
    assert stages.rounds == [(), asked]


def test_a_new_patch_leaves_what_was_built_and_tested_without_one(run: Run) -> None:
    sides = ((Tree.UNPATCHED, "torch"), (Tree.PATCHED, "torch"), (Tree.PATCHED, "paddle"))
    cells = [Cell(tree, name, Device.CPU, Evidence.NATIVE) for tree, name in sides]
    kept = dataclasses.replace(
        run.load(),
        migration=Migration(patch=PatchRecord(path="port.patch")),
        builds=tuple(BuildResult(cell=cell, status=Status.OK) for cell in cells),
        suites=tuple(SuiteResult(cell=cell, status=Status.OK) for cell in cells),
    )
    after = migrate._begin_record(kept, Options())
    assert [built.cell for built in after.builds] == cells[:1]
    assert [suite.cell for suite in after.suites] == cells[:1]
    failed = BuildResult(cell=cells[0], status=Status.FAILED)
    built = dataclasses.replace(kept, builds=(failed,))
    assert migrate._begin_record(built, Options()).builds == ()
