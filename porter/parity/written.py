"""Parity cases as they stand in `porter.parity.toml`: of a case, and of calls that tests made."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

from porter.host.home import WORKERS
from porter.languages.data import read_table
from porter.model import Argument, ParityCase, Placeholder, TensorSpec
from porter.parity.cases import INTEGER

RECORDER = WORKERS / "record_calls.py"
Entry = dict[str, Any]  # of a `[[case]]`: what TOML reads it as


# What is not written, as it is so by default.
CASE = {"devices": ["cpu"], "expect": "result"}
TENSOR = {"dtype": "float32", "layout": "contiguous", "numbers": "uniform", "grad": False}


def entry(case: ParityCase) -> Entry:
    """What `porter.parity.cases` makes this case of, without what is so by default."""
    seeds = count()
    own = case.tolerance
    every = {
        "name": case.name,
        "call": case.call,
        "args": [_argument(each, seeds) for each in case.args],
        "kwargs": {key: _argument(each, seeds) for key, each in case.kwargs.items()},
        "imports": list(case.imports),
        "tolerance": own
        and {"rtol": own.rtol, "atol": own.atol} | ({"reason": own.reason} if own.reason else {}),
        "devices": [str(device) for device in case.devices],
        "expect": case.expect,
        "reference": case.reference,
        "waive": dict(case.waived),
    }
    return {key: value for key, value in lean(every, CASE).items() if value}


def lean(table: Mapping[str, Any], defaults: Mapping[str, Any]) -> Entry:
    """Without what is as a table of defaults has it."""
    return {k: v for k, v in table.items() if k not in defaults or defaults[k] != v}


def block(written: Entry) -> str:
    """The lines of one `[[case]]`."""
    lines = [f"{_key(key)} = {inline(value)}" for key, value in written.items()]
    return "\n".join(["[[case]]", *lines]) + "\n"


def inline(value: Any) -> str:
    """A value in one line. Raises TypeError for what TOML has no way to write."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)  # of nan and inf, too
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{_key(k)} = {inline(v)}" for k, v in value.items()) + " }"
    if isinstance(value, Sequence):
        return "[" + ", ".join(map(inline, value)) + "]"
    raise TypeError(type(value).__name__)


def _key(name: str) -> str:
    plain = name.replace("_", "").replace("-", "").isalnum() and name.isascii()
    return name if plain else inline(name)


def _argument(value: Argument, seeds: Iterator[int]) -> Any:
    if value is None:
        return {"none": True}
    if isinstance(value, Placeholder):
        return {"device": True} if value.kind == "device" else {"torch": value.value}
    if isinstance(value, TensorSpec):
        return _tensor(value, next(seeds))
    return [_argument(each, seeds) for each in value] if isinstance(value, tuple) else value


def _tensor(spec: TensorSpec, seed: int) -> Entry:
    """`seed` is what it has by default."""
    given = spec.values is not None and 0 not in spec.shape
    low, high = (0, 10) if spec.dtype in INTEGER else (-1, 1)
    ranged = spec.values is None and spec.dtype != "bool"
    every = {
        **({"values": _convert_to_lists(spec.values)} if given else {"shape": list(spec.shape)}),
        "dtype": spec.dtype,
        "layout": spec.layout,
        "low": spec.low if ranged else low,
        "high": spec.high if ranged else high,
        "numbers": "special" if spec.special else "uniform",
        "grad": spec.grad,
        "seed": spec.seed,
    }
    return lean(every, TENSOR | {"low": low, "high": high, "seed": seed})


def _convert_to_lists(values: Any) -> Any:
    return [_convert_to_lists(each) for each in values] if isinstance(values, tuple) else values


# ------------------------------------------------- from calls that tests made


@dataclass(slots=True)
class Calls:
    """Cases as they stand in a file, and functions of which no call can be written, with why."""

    entries: list[Entry] = field(default_factory=list)
    left_out: dict[str, str] = field(default_factory=dict)


def read_recorded(path: Path, imports: Iterable[str]) -> Calls:
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
