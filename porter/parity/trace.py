"""What a framework was asked by a repository's Python, operation by operation, as recorded."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

from porter.host.home import WORKERS
from porter.languages.data import read_table
from porter.model import COMPAT
from porter.parity import answers
from porter.parity.answers import TensorAnswer
from porter.parity.side import Side

PLUGIN = WORKERS / "trace_calls.py"
TRACE = "trace.jsonl"
EVENTS = 30_000  # after so many the recorder stops

# A value as the recorder describes it: `kind` is tensor, scalar, sequence, dict or other.
Value: TypeAlias = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """A place in the repository's Python."""

    path: str
    line: int
    function: str = ""  # with the classes and functions around it
    kind: str = "call"  # call, attribute, subscript, operator, store, value
    label: str = ""  # as written
    word: str = ""  # the name or the sign alone
    name: str = ""  # with what the file's imports say: torch.nn.functional.relu


@dataclass(slots=True, kw_only=True)
class Event:
    """One operation. Without an end the process ended within it."""

    number: int
    site: Site
    kind: str  # operation, value (of the repository's own Python), raised (out of a function)
    callee: Mapping[str, Any] = field(default_factory=dict)
    arguments: Mapping[str, Value] = field(default_factory=dict)
    result: Value | None = None
    after: Mapping[str, Value] = field(default_factory=dict)  # arguments that it changed
    error: str = ""
    unit: tuple[tuple[str, int, str], ...] = ()  # functions of the vendored unit: file, line, name
    operators: tuple[str, ...] = ()  # of torch, that an extension called

    @property
    def owner(self) -> str:
        """Whose function: repository, extension, kernel, unit, framework, other."""
        return str(self.callee.get("of", ""))


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """The operations in the order in which they began, and the order of beginnings and ends."""

    folder: Path
    events: tuple[Event, ...]
    steps: tuple[tuple[str, Event], ...]  # ("start" or "end", event)


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

    def recorder_environment(self, number: int, tree: Sources) -> Mapping[str, str]:
        """The environment in which `PLUGIN` records a side.

        The target draws the random numbers again that the trace of the source has.
        """
        folder, first = self.trace(number), self.trace(0)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / TRACE).unlink(missing_ok=True)
        setup = {
            "workers": str(WORKERS),
            "out": str(folder),
            "root": str(tree.root),
            "packages": dict(tree.packages),
            "unit": COMPAT,
            "events": EVENTS,
            "again": str(first) if (first / TRACE).is_file() else "",
        }
        path = folder / "setup.json"
        path.write_text(json.dumps(setup), encoding="utf-8")
        return {"PORTER_TRACE": str(path), "TORCHDYNAMO_DISABLE": "1"}


def read(folder: Path, case: tuple[str, int] = ("", 0)) -> Trace:
    """A trace, to the end or to the crash; `case` is where the file of cases has the call."""
    sites: dict[int, Site] = {}
    events: dict[int, Event] = {}
    steps: list[tuple[str, Event]] = []
    for line in _lines(folder / TRACE):
        try:
            if "number" in line:
                number = int(line.pop("number"))
                if not line["path"]:
                    line["path"], line["line"] = case
                sites[number] = Site(**line)
                continue
            event = _event(line, sites, events)
            events[event.number] = event
            steps.append(("start" if "start" in line else "end", event))
        except (KeyError, TypeError, ValueError):  # no line of the recorder's: the trace ends
            break
    return Trace(
        folder=folder,
        events=tuple(events[number] for number in sorted(events)),
        steps=tuple(steps),
    )


def _event(
    line: Mapping[str, Any], sites: Mapping[int, Site], events: Mapping[int, Event]
) -> Event:
    """What a line of the recorder is about: a new event, or the one that it ends."""
    if "start" in line:
        return Event(
            number=int(line["start"]),
            site=sites[line["site"]],
            kind="operation",
            callee=line["callee"],
            arguments=line["arguments"],
        )
    if "end" in line:
        event = events[line["end"]]
        event.result = line.get("result")
        event.after = line.get("after", {})
        event.error = line.get("error", "")
        event.operators = tuple(line.get("operators", ()))
        event.unit = tuple((file, at, name) for file, at, name in line["unit"])
        return event
    if "value" in line:
        number, site = int(line["value"]), sites[line["site"]]
        return Event(number=number, site=site, kind="value", result=line["result"])
    site = Site(**{"path": "", "line": 0, **line["where"], "kind": "raised"})
    number, callee = int(line["raised"]), {"file": line["file"]}
    return Event(number=number, site=site, kind="raised", error=line["error"], callee=callee)


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    if not path.is_file():
        return
    with path.open(encoding="utf-8", errors="replace") as file:
        for text in file:
            try:
                yield read_table(text)
            except ValueError:  # cut short by a crash
                return


def tensor(value: Value, folder: Path) -> TensorAnswer | None:
    """A recorded tensor with its numbers; None where these were not kept."""
    if "file" not in value or not (folder / "data" / value["file"]).is_file():
        return None
    return answers.tensor({"role": "result", "place": "", "strides": (), **value}, folder / "data")
