"""Records of runs made up for tests."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any, TypeVar

from porter.model import (
    BuildResult,
    Cell,
    Change,
    Device,
    DeviceVerdict,
    Diagnostic,
    Edit,
    Evidence,
    Failure,
    Finding,
    Language,
    LostTests,
    Missing,
    Outcome,
    ParityResult,
    PatchRecord,
    ProjectFacts,
    Residue,
    Safety,
    Span,
    Stage,
    State,
    Status,
    SuiteComparison,
    SuiteResult,
    Tree,
    Verdict,
)
from porter.report.page.render import page
from porter.report.sources import Sources
from porter.run.record import Analysis, Migration, RunRecord, SourceRecord
from porter.run.store import Run

T = TypeVar("T")


def changed(record: RunRecord, **fields: Any) -> RunRecord:
    """A record with fields of its sections changed, and all else in it as if made of that."""
    parts: dict[str, Any] = {}
    for name in ("analysis", "migration", "verification"):
        section = getattr(record, name)
        own = {f.name for f in dataclasses.fields(section)} & {*fields}
        parts[name] = dataclasses.replace(
            section, of=(), **{field: fields.pop(field) for field in own}
        )
    for name in ("builds", "suites", "stages"):
        parts[name] = tuple(_new(item) for item in fields.pop(name, getattr(record, name)))
    return dataclasses.replace(record, **parts, **fields)


def _new(item: T) -> T:
    return dataclasses.replace(item, of=())  # type: ignore[type-var]


def record_of(number: int, text: str = "") -> RunRecord:
    """A run with this many of everything, with a text of the repository wherever one can be."""
    cells = [
        Cell(tree, name, Device.CPU, Evidence.NATIVE)
        for tree, name in ((Tree.UNPATCHED, "torch"), (Tree.PATCHED, "paddle"))
    ]
    names = [f"tests/test_{n}{text}.py::test_it" for n in range(number)]
    said = tuple(
        Diagnostic(
            tool="g++",
            severity="error",
            path=f"ops{text}.cpp",
            line=n + 1,
            column=1,
            message=f"message {n}{text}",
            cause=f"cause {n % 7}{text}",
            name=f"name{n}{text}",
        )
        for n in range(number)
    )
    lost = LostTests(
        exception="E", message=text, path="a.py", line=1, answer=f"missing x{text}", tests=("t",)
    )
    verdict = DeviceVerdict(Device.CPU, Verdict.RUNS, (f"reason{text}",))
    record = RunRecord(
        id="1",
        porter_version="0",
        created=0.0,
        cwd="/",
        source=SourceRecord(written=f"./ops{text}", identity="path:/ops", kind="path"),
        analysis=Analysis(
            target="paddle",
            target_version="3.3.1",
            facts=ProjectFacts(torch_files=1),
        ),
    )
    migration = Migration(
        patch=PatchRecord(
            path="port.patch",
            files=1,
            added=1,
            changes=(("a.py", (Change(rule="r", reason=f"why{text}", until=f"when{text}"),)),),
        ),
        residue=tuple(
            Residue(
                path=f"a{text}.py",
                line=n + 1,
                column=1,
                name=f"n{n}",
                reason=text,
                state=State.MISSING,
            )
            for n in range(number)
        ),
    )
    record = dataclasses.replace(record, migration=migration)
    return changed(
        record,
        findings=tuple(
            Finding(
                rule=f"paddle/python/rule_{n % 300}",
                path=f"dir/a{n % 500}{text}.py",
                span=Span(0, 1),
                line=n % 9 + 1,
                column=1,
                message=f"finding {n}{text}",
                safety=Safety.SAFE,
                edits=(Edit(Span(0, 1), b"x"),),
            )
            for n in range(number)
        ),
        missing=tuple(
            Missing(name=f"torch.n{n}{text}", language=Language.PYTHON, uses=n, state=State.MISSING)
            for n in range(number)
        ),
        builds=tuple(
            BuildResult(cell=cell, status=Status.FAILED, reason=text, diagnostics=said)
            for cell in cells
        ),
        suites=tuple(
            SuiteResult(cell=cell, status=Status.OK, outcomes=dict.fromkeys(names, Outcome.PASSED))
            for cell in cells
        ),
        comparison=SuiteComparison(
            lost=tuple(names[::2]),
            messages=dict.fromkeys(names[::2], f"failed: {text}"),
            failures={
                n: Failure(exception="E", message=text, path="a.py", line=2) for n in names[:9]
            },
        ),
        lost_tests=(lost,),
        parity=tuple(
            ParityResult(
                case=f"op {n // 16}{text} [{dtype} n=3 {layout}]",
                device=Device.CPU,
                evidence=Evidence.NATIVE,
                status=Status.OK if n % 5 else Status.FAILED,
                phase="" if n % 5 else "values",
                message=text,
                units=float(n),
            )
            for n in range(0, number, 16)
            for dtype in ("float32", "float64", "float16", "bfloat16", "int64")
            for layout in ("contiguous", "transposed", "sliced", "expanded", "")
        ),
        verdicts=(verdict,),
        overall=verdict,
        stages=[Stage(name="build", status=Status.OK, seconds=2.0, reason=text)],
        notes=(f"a note{text}",) if text else (),
    )


def made(folder: Path, record: RunRecord, diff: str = "", file: str = "") -> str:
    for name in ("patch", "base", "tree"):
        (folder / name).mkdir()
    (folder / "patch" / "port.patch").write_text(diff)
    for tree in ("base", "tree"):
        (folder / tree / "a.py").write_text(file)
    return page(record, Sources(Run(folder), record))


def diff_of(hunks: int, text: str) -> str:
    header = "diff --git a/a.py b/a.py\n--- a/a.py\n+++ b/a.py\n"
    return header + "".join(
        f"@@ -{10 * n + 1},2 +{10 * n + 1},3 @@\n context\n+added {n} {text}\n-- gone\n+++ x\n"
        for n in range(hunks)
    )
