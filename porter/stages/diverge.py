"""diverge: a failing case or test of a run, under both frameworks with every operation recorded."""

from __future__ import annotations

import difflib
import os
import shlex
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

from porter import devices, suite, targets, triton_cpu
from porter.build import driver
from porter.errors import UsageError
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
from porter.parity.examine import Sources, examine, examine_case
from porter.parity.reproduce import Bench
from porter.parity.side import CASE_TIMEOUT, Side
from porter.record import Run, RunRecord
from porter.stages import build, session, verify
from porter.stages.options import Options, Progress
from porter.suite.compare import match


def diverge(run: Run, name: str, options: Options, progress: Progress) -> Divergence:
    """Where the target first leaves the source, in a parity case or, with `::`, in a test.

    Builds what is not built. Raises UsageError before migrate, for a name that is neither, and
    where either side could not be built.
    """
    cases = verify.cases(run, verify.migrated(run), options)
    case = next((case for case in cases if case.name == name), None)
    if case is None and "::" not in name:
        raise UsageError(f"no parity case is called {name!r}", hint=_hint(run.load(), cases, name))
    kept = build.build(run, options, progress)
    device = _device(case, options)
    pythons = verify.interpreters(kept, device)
    if pythons[0] is None or pythons[1] is None:
        side = "source" if pythons[0] is None else "target"
        raise UsageError(f"the {side} is not built on {device}", hint="see `porter build`")
    folder = run.folder / "diverge" / _folder(name)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    both = (pythons[0], pythons[1])
    if case is None:
        return _test(run, kept, name, device, both, folder, options, progress)
    return _case(run, kept, case, device, both, folder, options, progress)


def _device(case: ParityCase | None, options: Options) -> Device:
    wanted = options.devices or (case.devices if case else (Device.CPU,))
    return next((device for device in wanted if device in devices.present()), Device.CPU)


def _hint(kept: RunRecord, cases: Sequence[ParityCase], name: str) -> str:
    """What could be meant."""
    failed = [f"case {p.case!r}" for p in kept.parity if p.status is Status.FAILED]
    lost = list(kept.comparison.lost) if kept.comparison else []
    near = difflib.get_close_matches(name, [case.name for case in cases], n=1)
    found = [*(f"case {each!r}" for each in near), *failed, *lost][:3]
    return "such as " + ", ".join(found) if found else "a case's name, or a test as file.py::name"


def _folder(name: str) -> str:
    return "".join(sign if sign.isalnum() else "_" for sign in name)[-80:]


def _packages(kept: RunRecord) -> Mapping[str, str]:
    return {p.name: p.path for p in kept.facts.packages} if kept.facts else {}


# ---------------------------------------------------------------------- a case


def _case(
    run: Run,
    kept: RunRecord,
    case: ParityCase,
    device: Device,
    pythons: tuple[Path, Path],
    folder: Path,
    options: Options,
    progress: Progress,
) -> Divergence:
    names = (targets.SOURCE.name, kept.target or "")
    frameworks = targets.SOURCE, targets.framework(names[1])

    def side(number: int) -> Side:
        return Side(
            name=("source", "target")[number],
            python=pythons[number],
            prelude=frameworks[number].prelude if number else "",
            inputs=folder / "inputs",
            folder=folder,
            environment=dict(frameworks[number].activation),
            cwd=folder,
            log=folder / f"{('source', 'target')[number]}.log",
            on_line=progress.line,
            timeout=CASE_TIMEOUT,
            plugins=triton_cpu.plugins(kept.facts, device),
        )

    packages = _packages(kept)
    roots = [session.root(run, kept, patched) for patched in (False, True)]
    file = options.parity or roots[1] / verify.PARITY_FILE
    with progress.stage(f"{case.name} under {names[0]} and {names[1]}, recorded"):
        return examine_case(
            case,
            device,
            (side(0), side(1)),
            (Sources(roots[0], packages), Sources(roots[1], packages)),
            names,
            folder,
            _place(file, case),
        )


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
    pythons: tuple[Path, Path],
    folder: Path,
    options: Options,
    progress: Progress,
) -> Divergence:
    names = (targets.SOURCE.name, kept.target or "")
    cells = (
        Cell(Tree.UNPATCHED, names[0], device, Evidence.NATIVE),
        Cell(Tree.PATCHED, names[1], device, Evidence.NATIVE),
    )
    endings, roots = [], []
    for number, cell in enumerate(cells):
        framework = targets.framework(cell.environment)
        root = driver.work_tree(build.folder_of(run, cell)) / (kept.source.subdir or "")
        roots.append(root)
        recorded = trace.prepare(
            folder / ("trace.source", "trace.target")[number],
            root,
            _packages(kept),
            folder / "trace.source" if number else None,
        )
        node = _known(kept, cells, name) if number else name
        with progress.stage(f"{node} under {cell.environment}, recorded"):
            result = suite.run_suite(
                root,
                cell,
                pythons[number],
                # asserts as written: pytest would rewrite the files before they can be told
                f"pytest --assert=plain {shlex.quote(node)}",
                kept.facts,
                {**framework.activation, **recorded},
                folder / f"{('source', 'target')[number]}.log",
                options.timeout,
                progress.line,
                prelude=framework.prelude,
                plugins=(trace.PLUGIN,),
            )
        endings.append(_ending(result, node))
    return examine(
        name,
        folder,
        Sources(roots[1], _packages(kept)),
        Bench(
            source=folder / "trace.source",
            pythons=pythons,
            environments=(_variables(pythons[0], names[0]), _variables(pythons[1], names[1])),
            names=names,
            prelude=targets.framework(names[1]).prelude,
            plugins=triton_cpu.plugins(kept.facts, device),
        ),
        (endings[0], endings[1]),
    )


def _variables(python: Path, name: str) -> Mapping[str, str]:
    path = os.pathsep.join((str(python.parent), os.environ.get("PATH", "")))
    return {**targets.framework(name).activation, "PATH": path}


def _known(kept: RunRecord, cells: tuple[Cell, Cell], name: str) -> str:
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
