"""Parity cases from calls that a repository's tests made: `porter/workers/record_calls.py`."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from porter.parity.written import Entry

WORKER = Path(__file__).parent.parent / "workers" / "record_calls.py"


@dataclass(slots=True)
class Calls:
    """Cases as they stand in a file, and functions of which no call can be written, with why."""

    entries: list[Entry] = field(default_factory=list)
    left_out: dict[str, str] = field(default_factory=dict)


def read(path: Path, imports: Iterable[str]) -> Calls:
    """The calls of a file that the worker wrote; none where it wrote no file."""
    calls, numbers = Calls(), Counter[str]()
    lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
    for line in lines:
        said = json.loads(line)
        call = said["call"]
        if "left_out" in said:
            calls.left_out.setdefault(call, said["left_out"])
            continue
        numbers[call] += 1
        entry: Entry = {"name": f"{_short(call)} {numbers[call]}", "call": call}
        if said["args"]:
            entry["args"] = _plain(said["args"])
        if said["kwargs"]:
            entry["kwargs"] = {key: _plain(each) for key, each in said["kwargs"].items()}
        if call.startswith("torch.ops."):
            entry["imports"] = list(imports)
        calls.entries.append(entry)
    done = {entry["call"] for entry in calls.entries}
    calls.left_out = {call: why for call, why in calls.left_out.items() if call not in done}
    return calls


def _short(call: str) -> str:
    return call.removeprefix("torch.ops.")


def _plain(value: Any) -> Any:
    """Without what is so by default; numbers that JSON lacks as numbers."""
    if isinstance(value, list):
        return [_plain(each) for each in value]
    if not isinstance(value, Mapping):
        return value
    if value.keys() == {"number"}:
        return float(value["number"])
    defaults = {"dtype": "float32", "layout": "contiguous"}
    return {key: _plain(each) for key, each in value.items() if defaults.get(key) != each}
