"""Parity cases from calls that a repository's tests made: `porter/workers/record_calls.py`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from porter.host.home import WORKERS
from porter.languages.data import read_table
from porter.parity.written import TENSOR, Entry, lean

WORKER = WORKERS / "record_calls.py"


@dataclass(slots=True)
class Calls:
    """Cases as they stand in a file, and functions of which no call can be written, with why."""

    entries: list[Entry] = field(default_factory=list)
    left_out: dict[str, str] = field(default_factory=dict)


def read(path: Path, imports: Iterable[str]) -> Calls:
    """The calls of a file that the worker wrote; none where it wrote no file."""
    calls, numbers = Calls(), Counter[str]()
    lines = path.read_text("utf-8", "replace").splitlines() if path.is_file() else []
    for line in lines:
        try:
            said = read_table(line)
            call = str(said["call"])
            args, kwargs = list(said.get("args", ())), dict(said.get("kwargs", ()))
        except (KeyError, TypeError, ValueError):
            continue  # the tests wrote this, not the recorder
        if "left_out" in said:
            calls.left_out.setdefault(call, str(said["left_out"]))
            continue
        numbers[call] += 1
        short = call.removeprefix("torch.ops.")
        entry: Entry = {"name": f"{short} {numbers[call]}", "call": call}
        if args:
            entry["args"] = _plain(args)
        if kwargs:
            entry["kwargs"] = {key: _plain(each) for key, each in kwargs.items()}
        if call.startswith("torch.ops."):
            entry["imports"] = list(imports)
        calls.entries.append(entry)
    done = {entry["call"] for entry in calls.entries}
    calls.left_out = {call: why for call, why in calls.left_out.items() if call not in done}
    return calls


def _plain(value: Any) -> Any:
    """Without what is so by default; numbers that JSON lacks as numbers."""
    if isinstance(value, list):
        return [_plain(each) for each in value]
    if not isinstance(value, Mapping):
        return value
    if value.keys() == {"number"}:
        return float(value["number"])
    return {key: _plain(each) for key, each in lean(value, TENSOR).items()}
