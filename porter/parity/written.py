"""Write a parity case as it stands in `porter.parity.toml`."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from porter.model import Argument, ParityCase, Placeholder, TensorSpec
from porter.parity.cases import INTEGER

Entry = dict[str, Any]  # of a `[[case]]`: what TOML reads it as


def entry(case: ParityCase) -> Entry:
    """What `porter.parity.cases` makes this case of, without what is so by default."""
    seeds = _Seeds()
    kept: Entry = {"name": case.name, "call": case.call}
    kept |= _present("args", [_argument(each, seeds) for each in case.args])
    kept |= _present("kwargs", {key: _argument(a, seeds) for key, a in case.kwargs.items()})
    kept |= _present("imports", list(case.imports))
    if case.tolerance is not None:
        own = case.tolerance
        kept["tolerance"] = {"rtol": own.rtol, "atol": own.atol} | _present("reason", own.reason)
    if [str(device) for device in case.devices] != ["cpu"]:
        kept["devices"] = [str(device) for device in case.devices]
    if case.expect != "result":
        kept["expect"] = case.expect
    kept |= _present("reference", case.reference)
    return kept | _present("waive", dict(case.waived))


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


def _present(key: str, value: Any) -> Entry:
    return {key: value} if value else {}


class _Seeds:
    """The seed that the next tensor of a case has by default."""

    def __init__(self) -> None:
        self.next = 0

    def of(self, spec: TensorSpec) -> Entry:
        self.next += 1
        return {"seed": spec.seed} if spec.seed != self.next - 1 else {}


def _argument(value: Argument, seeds: _Seeds) -> Any:
    if value is None:
        return {"none": True}
    if isinstance(value, Placeholder):
        return {"device": True} if value.kind == "device" else {"torch": value.value}
    if isinstance(value, TensorSpec):
        return tensor(value) | seeds.of(value)
    return [_argument(each, seeds) for each in value] if isinstance(value, tuple) else value


def tensor(spec: TensorSpec) -> Entry:
    """All but the seed."""
    given = spec.values is not None and 0 not in spec.shape
    kept: Entry = {"values": _listed(spec.values)} if given else {"shape": list(spec.shape)}
    if spec.dtype != "float32":
        kept["dtype"] = spec.dtype
    if spec.layout != "contiguous":
        kept["layout"] = spec.layout
    if spec.values is None and spec.dtype != "bool":
        kept |= _range(spec)
    if spec.special:
        kept["numbers"] = "special"
    return kept | ({"grad": True} if spec.grad else {})


def _range(spec: TensorSpec) -> Entry:
    low, high = (0, 10) if spec.dtype in INTEGER else (-1, 1)
    found: Entry = {}
    if spec.low != low:
        found["low"] = spec.low
    if spec.high != high:
        found["high"] = spec.high
    return found


def _listed(values: Any) -> Any:
    return [_listed(each) for each in values] if isinstance(values, tuple) else values
