"""Read what the pytest recorder wrote in one process, to the end or to the crash."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from porter.languages.data import read_table
from porter.model import Failure, Outcome

_FRAME = re.compile(r'^  File "(?P<path>[^"]+)", line (?P<line>\d+).*\n(?P<source> {4}.*)?', re.M)
_RAISED = re.compile(r"^(?P<type>[A-Za-z_][\w.]*)(?:: |$)", re.M)
WATCHDOG = "Timeout ("  # first words of faulthandler when its time is up


@dataclass(slots=True)
class Recording:
    """One process of pytest."""

    outcomes: dict[str, Outcome] = field(default_factory=dict)
    messages: dict[str, str] = field(default_factory=dict)
    failures: dict[str, Failure] = field(default_factory=dict)
    collected: list[str] = field(default_factory=list)
    deselected: list[str] = field(default_factory=list)
    collecting: str | None = None  # what was being collected when the process ended
    running: str | None = None  # the test that was running when the process ended
    watchdog: bool = False  # a single test or file ran past its limit
    exitstatus: int | None = None  # of pytest; none: the process died before its end

    def add(self, event: dict[str, Any]) -> None:
        name: str = event.get("id", "")
        match event["event"]:
            case "collecting":
                self.collecting = name
            case "collected":
                self.collected, self.collecting = event["ids"], None
            case "deselected":
                self.deselected += event["ids"]
            case "start":
                self.running = name
            case "outcome":
                self.outcomes[name] = Outcome(event["outcome"])
                if event["message"]:
                    self.messages[name] = event["message"]
                if event.get("failure"):
                    self.failures[name] = Failure(**event["failure"])
                if self.running == name:
                    self.running = None
            case "finish":
                self.exitstatus, self.running = event["status"], None


def read(path: Path) -> Recording:
    """The recording at a path; empty where nothing was written."""
    recording = Recording()
    if path.exists():
        text = path.read_text(encoding="utf-8", errors="replace")
        recording.watchdog = any(line.startswith(WATCHDOG) for line in text.splitlines())
        for event in _events(text):
            try:
                recording.add(event)
            except (KeyError, TypeError, ValueError):
                break  # the tests wrote this, not the recorder
    return recording


def read_notes(path: Path) -> Iterator[tuple[str, str]]:
    """(what a polyfill gives, the test that called it or nothing) as the unit wrote it down."""
    if path.exists():
        for line in dict.fromkeys(path.read_text(encoding="utf-8", errors="replace").splitlines()):
            name, _, test = line.partition(" ")
            yield name, test.rpartition(" (")[0]  # "test.py::test_it (call)"


def read_output(text: str, root: Path) -> Failure | None:
    """What a script's output says that ended it: Python's own words, after the last traceback."""
    _, begun, trace = text.rpartition("Traceback (most recent call last):")
    if not begun:
        return None
    found: dict[str, Any] = {}
    for place in _FRAME.finditer(trace):
        path = Path(place["path"])
        if path.is_relative_to(root) and "site-packages" not in path.parts:
            inner = path.relative_to(root).as_posix()
            source = (place["source"] or "").strip()
            found = {"path": inner, "line": int(place["line"]), "source": source}
    said = _RAISED.search(trace)
    if said is None:
        return None
    message = trace[said.end() :].strip()
    return Failure(exception=said["type"].rpartition(".")[2], message=message, **found)


def _events(text: str) -> Iterator[dict[str, Any]]:
    for line in text.splitlines():
        if line.startswith('{"event"'):
            try:
                yield read_table(line)
            except ValueError:
                return  # the process died while writing its last line
