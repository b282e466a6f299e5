"""Run one call under both frameworks, recorded, and say where their ways part.

The operation is written as a script, too, which is run to see whether it differs by itself.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path

from porter.host import process
from porter.host.endings import describe_ending
from porter.model import (
    COMPAT,
    UNIT,
    Device,
    Divergence,
    FirstDifference,
    ParityCase,
    Step,
    StepResult,
    Tolerance,
)
from porter.parity import diverge, layers, trace
from porter.parity.answers import Answer
from porter.parity.compare import compare
from porter.parity.diverge import Parting
from porter.parity.script import SCRIPT, Call, run, text, write_call
from porter.parity.side import ask, write_inputs
from porter.parity.trace import Bench, Event, Sources
from porter.parity.values import Judge
from porter.parity.values import show as shown_value

SECONDS = 120.0


def examine_case(
    case: ParityCase,
    device: Device,
    bench: Bench,
    trees: tuple[Sources, Sources],
    place: tuple[str, int] = ("", 0),
) -> Divergence:
    """Make a case's call under both, one after the other, and examine what was recorded.

    `place` is where the case stands.
    """
    jobs = write_inputs([case], bench.folder / "inputs")
    answers: list[Answer] = []
    for number, (side, tree) in enumerate(zip(bench.sides, trees, strict=True)):
        environment = {**side.environment, **bench.recorder_environment(number, tree)}
        plugins = (*side.plugins, trace.PLUGIN)
        asked = replace(side, work=bench.folder, environment=environment, plugins=plugins)
        found = ask(asked, jobs, device)
        answers.append(found.by_case.get(0) or Answer(raised=found.unavailable, phase="call"))
    judgement = compare(case, answers[0], answers[1])
    wrong = f"{judgement.phase}: {judgement.message}" if judgement.phase else ""
    raised = [answer.raised if wrong else "" for answer in answers]  # both may, where that is right
    endings = raised[0], raised[1] or wrong
    return examine(case.name, trees[1], bench, endings, tolerance=case.tolerance, place=place)


def examine(
    name: str,
    tree: Sources,
    bench: Bench,
    endings: tuple[str, str],
    *,
    tolerance: Tolerance | None = None,
    place: tuple[str, int] = ("", 0),
) -> Divergence:
    """Compare the traces of both sides; scripts to reproduce are written beside them.

    `tree` is what the target was built from, `endings` what is wrong with each side's, or nothing.
    """
    folders = bench.trace(0), bench.trace(1)
    source, target = (trace.read(each, place) for each in folders)
    alike = not any(endings)
    found = diverge.first(source, target, Judge(*folders, tolerance), alike=alike)
    counts = tuple(sum(e.kind == "operation" for e in each.events) for each in (source, target))
    return Divergence(
        name=name,
        frameworks=bench.names,
        operations=(counts[0], counts[1]),
        endings=endings,
        folder=str(bench.folder),
        first=_first(found, tree, bench) if found else None,
    )


def _first(found: Parting, tree: Sources, bench: Bench) -> FirstDifference:
    def experiment(swap: tuple[str, str] | None, flat: bool) -> bool:
        call = write_call(found.source, swap, flat=flat) if found.source else "none"
        return not isinstance(call, str) and agrees(bench.folder / "experiment", call, bench)

    environment = bench.sides[1].python.parents[1]
    packages = next(environment.glob("lib/python*/site-packages"), environment)
    layer = layers.layer(found, tree.root, experiment, packages)
    event = found.target or found.source
    assert event is not None
    told = found.source or event
    first = FirstDifference(
        kind=found.kind,
        message=found.message,
        path=event.site.path,
        line=event.site.line,
        source_line=found.source.site.line if found.source else None,
        function=event.site.function,
        operation=event.site.label,
        layer=layer.name,
        sure=layer.sure,
        evidence=layer.evidence,
        place=layer.place.removeprefix(f"{tree.root.resolve()}/").removeprefix(f"{tree.root}/"),
        arguments={p: shown_value(v, bench.trace(0)) for p, v in told.arguments.items()},
        source=_came(found, found.source, bench.trace(0)),
        target=_came(found, found.target, bench.trace(1)),
        agreed=found.agreed,
        slight=tuple(f"{_place_of(e)}: {d.place}: {d.message}" for e, d in found.slight),
        only_source=tuple(map(_place_of, found.only_source)),
        only_target=tuple(map(_place_of, found.only_target)),
    )
    own = found.source if found.kind != "inputs" else None
    around = [event for event in found.around if event is not own]
    events = [own, *around] if own is not None else around
    unit = Path(layer.place.rpartition(":")[0]) if layer.name == layers.POLYFILL else None
    return _reproduce(first, events, bench, unit)


def _place_of(event: Event) -> str:
    return f"{event.site.path}:{event.site.line} {event.site.label}"


def _came(found: Parting, event: Event | None, folder: Path) -> str:
    """What one side has where the two differ: the value, what an argument became, or an error."""
    if event is None:
        return "no error" if found.kind == "error" else ""
    if event.error:
        return event.error
    side = 0 if event is found.source else 1
    if found.difference is not None and found.kind in ("inputs", "arguments"):
        return shown_value((found.difference.source, found.difference.target)[side], folder)
    return shown_value(event.result, folder) if event.result else "did not return"


# -------------------------------------------------------------- as a script


def put(folder: Path, call: Call, bench: Bench, unit: Path | None = None, title: str = "") -> None:
    """Write the script and its files into a new folder; with a file of the pieces, what brings
    these, with a copy of a vendored unit."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for plugin in bench.sides[1].plugins if call.needs else ():
        shutil.copyfile(plugin, folder / plugin.name)
    ran_first = _import_statement(unit, folder) if unit is not None else ""
    source, files = text(call, bench, title or call.event.site.label, ran_first)
    (folder / SCRIPT).write_text(source, encoding="utf-8")
    for name, file in files.items():
        shutil.copyfile(bench.trace(0) / "data" / file, folder / name)


def _import_statement(file: Path, folder: Path) -> str:
    """The statement that brings the pieces that a file is of; a vendored unit's Python is put into
    the folder."""
    if COMPAT in file.parts:
        return f"import {COMPAT}\n"
    if file.name == f"{UNIT}.py":
        shutil.copyfile(file, folder / file.name)
        return run(file.name)
    root = next(parent for parent in file.parents if parent.name == UNIT)
    (folder / UNIT).mkdir()
    for each in root.glob("*.py"):
        if each.name not in ("__init__.py", "enable.py"):
            shutil.copyfile(each, folder / UNIT / each.name)
    return run(f"{UNIT}/{file.name}")


def ran(folder: Path, bench: Bench, side: int) -> StepResult:
    """The script under the source (0) or the target (1)."""
    words = ([], [bench.names[1]])[side]
    step = Step(
        name=f"reproduce {bench.names[side]}",
        argv=(str(bench.sides[side].python), "-W", "ignore", str(folder / SCRIPT), *words),
        cwd=str(folder),
        environment={"PYTHONDONTWRITEBYTECODE": "1", **bench.sides[side].environment},
        timeout=SECONDS,
        writable=(str(folder),),
    )
    return process.run(step, folder / f"{bench.names[side]}.log")


def agrees(folder: Path, call: Call, bench: Bench) -> bool:
    """Whether the target gives what the source gave, from this call."""
    put(folder, call, bench)
    return ran(folder, bench, 1).ok


def _reproduce(
    first: FirstDifference, events: Sequence[Event], bench: Bench, unit: Path | None
) -> FirstDifference:
    """With a script of the first of the source's operations that differs in one, the innermost
    first, or with why there is none."""
    folder, title = bench.folder / "reproduce", f"{first.layer}: {first.message}"
    reasons = []
    for event in events:
        call = write_call(event)
        if isinstance(call, str):
            reasons.append(call)
            continue
        put(folder, call, bench, unit, title.replace('"""', "'''"))
        with ThreadPoolExecutor() as pool:  # of processes: one framework beside the other
            results = list(pool.map(partial(ran, folder, bench), (0, 1)))
        if results[0].ok and not results[1].ok and not results[1].timed_out:
            needs, said = ", ".join(call.needs), _describe_result(results[1])
            return replace(first, script=str(folder / SCRIPT), needs=needs, said=said)
        if not results[0].ok:
            reasons.append(
                f"{event.site.label} under {bench.names[0]} again: {_describe_result(results[0])}"
            )
        else:
            reasons.append(
                f"{event.site.label} does not differ when run alone with the recorded inputs"
            )
    shutil.rmtree(folder, ignore_errors=True)
    return replace(first, no_script="; ".join(dict.fromkeys(reasons)) or "no operation to call")


def _describe_result(result: StepResult) -> str:
    lines = [line for line in result.tail.splitlines() if line.strip()]
    errors = [line for line in lines if re.match(r"[\w.]*(Error|Exception)\b", line)]
    return (errors or lines or [describe_ending(result)])[-1][:300]
