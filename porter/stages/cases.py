"""Parity cases for a repository, made by porter: from calls of its tests, and from signatures."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from porter import suite, targets
from porter.build import driver
from porter.emulators import triton_cpu
from porter.errors import EnvironmentFailed
from porter.model import Cell, Device, Evidence, ParityCase, Tree
from porter.parity import cases as parity_cases
from porter.parity import smoke, written
from porter.parity.cases import tensors
from porter.parity.side import Side
from porter.parity.written import Entry
from porter.run.record import RunRecord
from porter.run.store import Run
from porter.stages import build, parity
from porter.stages.options import Options, Progress

CELL = Cell(Tree.UNPATCHED, targets.SOURCE.name, Device.CPU, Evidence.NATIVE)
HEAD = """\
# Calls that `porter parity run` makes under both frameworks and compares.
# Written by `porter parity init`: change and add as you like; parity-cases.md of porter's
# documentation lists the keys.
"""


@dataclass(frozen=True, slots=True)
class Made:
    """A file of cases: its text, how many are in it, and operators that have none, with why."""

    text: str
    recorded: int
    signatures: int
    left_out: dict[str, str]

    def encode(self) -> str:
        """As JSON, without the text."""
        numbers = {"recorded": self.recorded, "signatures": self.signatures}
        return json.dumps({**numbers, "left_out": self.left_out}, indent=2)


def make(run: Run, options: Options, progress: Progress) -> Made:
    """Cases for the unpatched tree, built for the CPU under the source framework.

    Raises EnvironmentFailed where it cannot be built, and what building raises.
    """
    kept = build.build_cells(run, [CELL], options, progress)
    built = build.result_of(kept, CELL)
    reason = parity.unusable(built)
    if built is None or built.python is None or reason:
        raise EnvironmentFailed(f"no calls can be made: {reason}", hint="see `porter build`")
    folder, python = run.folder / "cases", Path(built.python)
    plugins = triton_cpu.plugins(kept.facts, Device.CPU)
    source = Side.create(targets.SOURCE.name, "source", python, folder, progress.line, plugins)
    with progress.stage("operators by their signatures"):
        asked = dataclasses.replace(source, work=folder / "calls")
        found = smoke.calls(sorted(built.modules), asked, Device.CPU)
    with progress.stage("calls of the tests, recorded"):
        seen = _record_calls(run, kept, source, options, progress, found.imports)
    with progress.stage("calls with reproducible results"):
        kept_entries = _steady(seen.entries, source)
    calls = found.made
    left_out = {**seen.left_out, **{n: why for n, why in calls.items() if isinstance(why, str)}}
    by_test = {entry["call"] for entry in kept_entries}
    guessed = [
        _grid(case)
        for case in calls.values()
        if isinstance(case, ParityCase) and case.call not in by_test
    ]
    entries = [*kept_entries, *guessed]
    answered = {entry["call"] for entry in entries}
    unsteady = {e["call"]: "no call returned the same result twice" for e in seen.entries}
    left_out = {n: w for n, w in (left_out | unsteady).items() if n not in answered}
    text = "\n".join([HEAD, *map(written.block, entries)])
    return Made(text, len(kept_entries), len(guessed), left_out)


def _record_calls(
    run: Run,
    kept: RunRecord,
    source: Side,
    options: Options,
    progress: Progress,
    imports: Sequence[str],
) -> written.Calls:
    """Calls of the tests, which are run once more for that."""
    path = source.work / "calls.jsonl"
    path.unlink(missing_ok=True)
    suite.run_suite(
        driver.work_tree(build.folder_of(run, CELL)) / (kept.source.subdir or ""),
        CELL,
        source.python,
        options.tests,
        kept.facts,
        {**source.environment, "PORTER_CALLS": str(path)},
        source.work / "tests.log",
        options.timeout,
        progress.line,
        watchers=(written.RECORDER,),
    )
    return written.read_recorded(path, imports)


def _steady(entries: Sequence[Entry], source: Side) -> list[Entry]:
    """Those that give the same twice under the source: no random numbers, nothing kept."""
    path = source.work / parity_cases.FILE_NAME
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(map(written.block, entries)), encoding="utf-8")
    cases = parity_cases.load(path)
    asked = dataclasses.replace(source, work=source.work / "steady")
    good = smoke.steady(cases, asked, Device.CPU)
    names = {case.name for case in good}
    return [entry for entry in entries if entry["name"] in names]


def _grid(case: ParityCase) -> Entry:
    """A call from a signature, with a grid of dtypes and layouts where its tensors have them."""
    specs = tensors((*case.args, *case.kwargs.values()))
    floating = [spec for spec in specs if spec.dtype == "float32"]
    entry = written.entry(dataclasses.replace(case, name=case.name.removeprefix("torch.ops.")))
    if not floating:
        return entry
    axes = {"dtype": "floating", "numbers": "numbers"}
    if all(len(spec.shape) > 1 for spec in floating):
        axes["layout"] = "layouts"
    for part in ("args", "kwargs"):
        if part in entry:
            entry[part] = _name_axes(entry[part], axes)
    return entry | {"grid": axes}


def _name_axes(value: Any, axes: dict[str, str]) -> Any:
    if isinstance(value, list):
        return [_name_axes(each, axes) for each in value]
    if not isinstance(value, dict):
        return value
    if "shape" in value and "dtype" not in value:
        return value | {name: name for name in axes}
    return {key: _name_axes(each, axes) for key, each in value.items()}
