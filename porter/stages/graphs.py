"""Operators in torchair's graph mode: their meta functions and graphs against what they give eager.

With the calls that the repository's tests make. What is found is told as parity is: a case for each
operator with each kind of arguments.
"""

from __future__ import annotations

import contextlib
import json
import math
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import Any

from porter import suite, targets
from porter.build import driver
from porter.errors import EnvironmentFailed
from porter.host.home import WORKERS
from porter.languages.data import read_table
from porter.model import (
    AscendPart,
    BuildResult,
    Cell,
    Device,
    Evidence,
    ParityResult,
    Status,
    Tree,
)
from porter.run.record import RunRecord
from porter.run.store import Run
from porter.stages import build, parity
from porter.stages.options import Options, Progress
from porter.targets.examined import Examined, Problem

_RECORDER = WORKERS / "record_operators.py"
_LOOKED_AT = {AscendPart.CONVERTER, AscendPart.META}


def examine(
    run: Run,
    kept: RunRecord,
    device: Device,
    evidence: Evidence,
    options: Options,
    progress: Progress,
) -> tuple[ParityResult, ...]:
    """The operators with a meta function or a converter, as the target's tests call them; nothing
    where there is none, or torchair is not."""
    ascend = kept.facts.ascend if kept.facts else None
    pieces = {p.part for o in ascend.operators for p in o.pieces} if ascend else set()
    cell = Cell(Tree.PATCHED, kept.target or "", device, evidence)
    built = build.result_of(kept, cell)
    if device is not Device.NPU or not pieces & _LOOKED_AT or built is None:
        return ()
    if parity.unusable(built):
        return ()
    with progress.stage(f"operators in graphs on {build.device_label(device, evidence)}"):
        calls, modules = _calls(run, kept, built, options, progress)
        try:
            framework, python = targets.framework(cell.environment), Path(built.python or "")
            folder = run.folder / "graphs"
            found = framework.examine_graphs(python, modules, calls, folder) if calls else ()
        except EnvironmentFailed as error:
            progress.note(f"  graphs are not examined: {error}")
            return ()
    return tuple(
        _result(run.tree, asked, one, device, evidence)
        for asked, one in zip(calls, found, strict=True)
        if one.ran or not asked.get("dynamic")  # to a meta function that is no other call
    )


def _calls(
    run: Run, kept: RunRecord, built: BuildResult, options: Options, progress: Progress
) -> tuple[list[dict[str, Any]], list[str]]:
    """What the tests, run once more, call, the largest of each with dynamic sizes, too; and what is
    to be imported for that."""
    folder = build.folder_of(run, built.cell)
    written = folder / "logs" / "operators.jsonl"
    written.unlink(missing_ok=True)
    framework = targets.framework(built.cell.environment)
    suite.run_suite(
        driver.work_tree(folder) / (kept.source.subdir or ""),
        built.cell,
        Path(built.python or ""),
        options.tests,
        kept.facts,
        {**framework.activation, "PORTER_OPERATORS": str(written)},
        folder / "logs" / "operators.log",
        options.timeout,
        progress.line,
        prelude=framework.prelude,
        watchers=(_RECORDER,),
    )
    lines = written.read_text("utf-8", "replace").splitlines() if written.is_file() else []
    said = [*_tables(lines)]
    modules = [name for each in said for name in each.get("modules", ())]
    calls = [{**each, "own": True} for each in said if "operator" in each]
    plain = [call for call in calls if not call["grad"]]
    largest = {
        name: max((call for call in plain if call["operator"] == name), key=_size)
        for name in dict.fromkeys(call["operator"] for call in plain)
    }
    dynamic = [{**call, "dynamic": True} for call in largest.values()]
    return [*calls, *dynamic], list(dict.fromkeys([*modules, *_converters(kept)]))


def _size(call: Mapping[str, Any]) -> int:
    """The elements of the largest tensor."""
    given = [each for each in call["args"] if isinstance(each, Mapping) and "shape" in each]
    return max((math.prod(each["shape"]) for each in given), default=0)


def _converters(kept: RunRecord) -> Iterable[str]:
    """The modules of packages that register converters, whether a test imports them or not."""
    facts = kept.facts
    for operator in facts.ascend.operators if facts and facts.ascend else ():
        for piece in operator.pieces:
            for package in facts.packages if facts else ():
                path = PurePosixPath(piece.path)
                if piece.part is AscendPart.CONVERTER and path.is_relative_to(package.path):
                    inner = path.relative_to(package.path).with_suffix("").parts
                    yield ".".join([package.name, *(p for p in inner if p != "__init__")])


def _result(
    tree: Path, asked: Mapping[str, Any], found: Examined, device: Device, evidence: Evidence
) -> ParityResult:
    given = [*asked["args"], *asked["kwargs"].values()]
    said = ", ".join(map(_describe_argument, given))
    sizes = ", dynamic sizes" if asked.get("dynamic") else ""
    kind = "graph" if found.graphs or found.ran else "meta function"
    case = f"{kind} of {found.operator} [{said}{sizes}]"
    wrong = [problem for problem in found.problems if problem.kind != "eager"]
    status, phase, message = Status.OK, "", ""
    if wrong:
        status, phase = Status.FAILED, wrong[0].kind
        message = "; ".join(_describe_problem(problem, tree) for problem in wrong)
    elif found.problems:
        status, message = Status.SKIPPED, found.problems[0].text
    elif found.ran not in ("", "yes"):
        status, message = Status.SKIPPED, f"the graph was built as declared, not run: {found.ran}"
    return ParityResult(
        case=case, device=device, evidence=evidence, status=status, phase=phase, message=message
    )


def _describe_argument(argument: Any) -> str:
    if isinstance(argument, Mapping) and "shape" in argument:
        shape = "x".join(map(str, argument["shape"])) or "scalar"
        return f"{argument['type']} {shape}"
    return json.dumps(argument)


def _describe_problem(problem: Problem, tree: Path) -> str:
    """A problem and where it is: in the repository's own file, where the path ends like one."""
    parts = Path(problem.path).parts
    endings: Iterable[Path] = (Path(*parts[n:]) for n in range(1, len(parts)))
    own = next((path for path in endings if (tree / path).is_file()), None)
    return f"{own or problem.path}:{problem.line}: {problem.text}" if parts else problem.text


def _tables(lines: Iterable[str]) -> Iterator[dict[str, Any]]:
    """The recorded calls, without lines that the tests wrote."""
    for line in lines:
        with contextlib.suppress(ValueError):
            yield read_table(line)
