"""Write a recorded operation as a script, and see whether it still differs."""

from __future__ import annotations

import re
import shutil
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from porter.host import process
from porter.model import UNIT, Step, StepResult
from porter.parity import trace
from porter.parity.script import SCRIPT, About, Call, text, written
from porter.parity.side import Side
from porter.parity.trace import Event

SECONDS = 120.0


@dataclass(frozen=True, slots=True)
class Sources:
    """What a side's package was built from, and the import names of what is in it."""

    root: Path
    packages: Mapping[str, str]  # import name -> folder in the root


@dataclass(frozen=True, slots=True, kw_only=True)
class Bench:
    """Where calls are recorded and scripts are run: both sides, and a folder for their traces."""

    folder: Path
    sides: tuple[Side, Side]
    names: tuple[str, str]  # of the frameworks
    imports: tuple[str, ...] = ()  # modules that register operators

    def trace(self, number: int) -> Path:
        """Of the source (0) or the target (1)."""
        return self.folder / f"trace.{('source', 'target')[number]}"

    def recording(self, number: int, tree: Sources) -> Mapping[str, str]:
        """The environment in which a side is recorded; the target after the source."""
        before = self.trace(0) if number else None
        return trace.prepare(self.trace(number), tree.root, tree.packages, before)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reproduction:
    """A script that was seen to differ, or why there is none."""

    path: Path | None = None
    needs: str = ""  # what has to be installed
    said: str = ""  # by the script under the target
    reason: str = ""


def put(folder: Path, call: Call, bench: Bench, unit: Path | None = None, title: str = "") -> None:
    """Write the script and its files into a new folder; with a vendored unit, a copy of that."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    plugins = bench.sides[1].plugins if call.needs else ()
    for plugin in plugins:
        shutil.copyfile(plugin, folder / plugin.name)
    about = About(
        title=title or call.event.site.label,
        names=bench.names,
        prelude=bench.sides[1].prelude,
        imports=bench.imports,
        plugins=tuple(plugin.name for plugin in plugins),
        unit=_copied(unit, folder) if unit is not None else "",
    )
    source, files = text(call, about)
    (folder / SCRIPT).write_text(source, encoding="utf-8")
    for name, file in files.items():
        shutil.copyfile(bench.trace(0) / "data" / file, folder / name)


def _copied(file: Path, folder: Path) -> str:
    """Put the Python of a vendored unit into a folder; the module to run."""
    if file.name == f"{UNIT}.py":
        shutil.copyfile(file, folder / file.name)
        return file.name
    root = next(parent for parent in file.parents if parent.name == UNIT)
    (folder / UNIT).mkdir()
    for each in root.glob("*.py"):
        if each.name not in ("__init__.py", "enable.py"):
            shutil.copyfile(each, folder / UNIT / each.name)
    return f"{UNIT}/{file.name}"


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


def reproduce(
    events: Sequence[Event], folder: Path, bench: Bench, unit: Path | None, title: str
) -> Reproduction:
    """The first of the source's operations, the innermost first, that differs in a script."""
    reasons = []
    for event in events:
        call = written(event)
        if isinstance(call, str):
            reasons.append(call)
            continue
        put(folder, call, bench, unit, title)
        with ThreadPoolExecutor() as pool:  # of processes: one framework beside the other
            results = list(pool.map(partial(ran, folder, bench), (0, 1)))
        if results[0].ok and not results[1].ok and not results[1].timed_out:
            needs = ", ".join(call.needs)
            return Reproduction(path=folder / SCRIPT, needs=needs, said=_said(results[1]))
        if not results[0].ok:
            reasons.append(f"{event.site.label} under {bench.names[0]} again: {_said(results[0])}")
        else:
            reasons.append(f"{event.site.label} alone, with the recorded inputs, does not differ")
    shutil.rmtree(folder, ignore_errors=True)
    return Reproduction(reason="; ".join(dict.fromkeys(reasons)) or "no operation to call")


def _said(result: StepResult) -> str:
    lines = [line for line in result.tail.splitlines() if line.strip()]
    errors = [line for line in lines if re.match(r"[\w.]*(Error|Exception)\b", line)]
    return (errors or lines or [process.ending(result)])[-1][:300]
