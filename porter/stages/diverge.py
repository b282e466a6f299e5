"""diverge: a failing case or test of a run, under both frameworks with every operation recorded."""

from __future__ import annotations

import difflib
import os
import shlex
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from porter import suite
from porter.build import driver
from porter.errors import UsageError
from porter.host import devices, files
from porter.model import (
    Cell,
    Device,
    Divergence,
    Evidence,
    Outcome,
    ParityCase,
    Status,
    SuiteResult,
    Tree,
)
from porter.parity import trace
from porter.parity.cases import FILE_NAME
from porter.parity.examine import examine, examine_case
from porter.parity.side import Side
from porter.parity.trace import Bench, Sources
from porter.run.record import RunRecord
from porter.run.store import DIVERGENCE, Run
from porter.stages import build, parity, session
from porter.stages.options import Options, Progress
from porter.suite.compare import match


def diverge(run: Run, name: str, options: Options, progress: Progress) -> Divergence:
    """Find the first divergence, and keep it in the run's folder for the reports of the run."""
    folder = run.divergences / _folder(name)
    found = _diverge(run, name, folder, options, progress)
    files.save(folder / DIVERGENCE, found)
    return found


def _diverge(run: Run, name: str, folder: Path, options: Options, progress: Progress) -> Divergence:
    """Where the target first leaves the source, in a parity case or, with `::`, in a test.

    Builds what is not built. Raises UsageError before migrate, for a name that is neither, and
    where either side could not be built.
    """
    cases = parity.load(run, parity.load_migrated(run), options)
    case = next((case for case in cases if case.name == name), None)
    if case is None and "::" not in name:
        raise UsageError(f"no parity case is named {name!r}", hint=_hint(run.load(), cases, name))
    kept = build.build(run, options, progress)
    device = _device(case, options)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    source, target = parity.sides(folder, kept, device, progress, options.timeout)
    if source is None or target is None:
        lacking = "source" if source is None else "target"
        raise UsageError(f"the {lacking} is not built on {device}", hint="see `porter build`")
    names = (build.baseline_cell(kept, device, Evidence.NATIVE).environment, kept.target or "")
    bench = Bench(
        folder=folder, sides=(source, target), names=names, imports=case.imports if case else ()
    )
    if case is None:
        return _test(run, kept, name, device, bench, options, progress)
    before, after = (
        Sources(session.root(run, kept, patched), _packages(kept)) for patched in (False, True)
    )
    place = _place(options.parity or after.root / FILE_NAME, case)
    with progress.stage(f"{case.name} under {' and '.join(names)}, recorded"):
        return examine_case(case, device, bench, (before, after), place)


def _device(case: ParityCase | None, options: Options) -> Device:
    wanted = options.devices or (case.devices if case else (Device.CPU,))
    return next((device for device in wanted if device in devices.present()), Device.CPU)


def _hint(kept: RunRecord, cases: Sequence[ParityCase], name: str) -> str:
    """What could be meant."""
    failed = [f"case {p.case!r}" for p in kept.verification.parity if p.status is Status.FAILED]
    lost = list(kept.verification.comparison.lost) if kept.verification.comparison else []
    near = difflib.get_close_matches(name, [case.name for case in cases], n=1)
    found = [*(f"case {each!r}" for each in near), *failed, *lost][:3]
    return "such as " + ", ".join(found) if found else "a case's name, or a test as file.py::name"


def _folder(name: str) -> str:
    return "".join(sign if sign.isalnum() else "_" for sign in name)[-80:]


def _packages(kept: RunRecord) -> Mapping[str, str]:
    return {p.name: p.path for p in kept.facts.packages} if kept.facts else {}


def _place(file: Path, case: ParityCase) -> tuple[str, int]:
    """Where the file of cases has a case, or the one whose grid it is a point of."""
    name = case.group or case.name
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
        if line.split("=")[0].strip() == "name" and name in line:
            return file.name, number
    return file.name, 1


# ---------------------------------------------------------------------- a test


def _test(
    run: Run,
    kept: RunRecord,
    name: str,
    device: Device,
    bench: Bench,
    options: Options,
    progress: Progress,
) -> Divergence:
    cells = (
        Cell(Tree.UNPATCHED, bench.names[0], device, Evidence.NATIVE),
        Cell(Tree.PATCHED, bench.names[1], device, Evidence.NATIVE),
    )
    endings = []
    for number, (cell, side) in enumerate(zip(cells, bench.sides, strict=True)):
        root = driver.work_tree(build.folder_of(run, cell)) / (kept.source.subdir or "")
        tree = Sources(root, _packages(kept))
        recording = bench.recorder_environment(number, tree)
        node = _find_target_name(kept, cells, name) if number else name
        with progress.stage(f"{node} under {cell.environment}, recorded"):
            result = suite.run_suite(
                root,
                cell,
                side.python,
                # asserts as written: pytest would rewrite the files before they can be told
                f"pytest --assert=plain {shlex.quote(node)}",
                kept.facts,
                {**side.environment, **recording},
                side.log,
                options.timeout,
                progress.line,
                prelude=side.prelude,
                watchers=(trace.PLUGIN,),
            )
        endings.append(_ending(result, node))
    sides = _add_programs(bench.sides[0]), _add_programs(bench.sides[1])
    return examine(name, tree, replace(bench, sides=sides), (endings[0], endings[1]))


def _add_programs(side: Side) -> Side:
    """As tests are run: the programs of its environment are found."""
    path = os.pathsep.join((str(side.python.parent), os.environ.get("PATH", "")))
    return replace(side, environment={**side.environment, "PATH": path})


def _find_target_name(kept: RunRecord, cells: tuple[Cell, Cell], name: str) -> str:
    """What the target calls a test of the source."""
    found = {suite.cell: tuple(suite.outcomes) for suite in kept.suites}
    names = match(found.get(cells[0], ()), found.get(cells[1], ()))
    return next((there for there, here in names.items() if here == name), name)


def _ending(result: SuiteResult, node: str) -> str:
    outcome = result.outcomes.get(node)
    if outcome is Outcome.PASSED:
        return ""
    if outcome is None:
        return result.reason or "it did not run"
    return f"{outcome}: {result.messages.get(node, '')}".rstrip(": ")
