"""Small arguments for an operator, made from its schema or from pybind11's text."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from porter.model import Argument, Placeholder, TensorSpec

# In a schema, or as pybind11 writes a type.
_TENSOR = r"(?:\w+(?:\.|::))?Tensor(?:\([a-z]+!?\))?"
_LIST = r"(?:[Ll]ist|Sequence|collections\.abc\.Sequence|typing\.Sequence)"
_OPTIONAL = re.compile(r"(?:typing\.)?Optional\[(.*)\]|(.*?)\s*\|\s*None|(.*)\?")
_INT = r"(?:int|SymInt|(?:typing\.)?SupportsInt(?: \| (?:typing\.)?SupportsIndex)?)"
_FLOAT = r"(?:float|Scalar|(?:typing\.)?SupportsFloat(?: \| (?:typing\.)?SupportsIndex)?)"


@dataclass(frozen=True, slots=True)
class Trial:
    """What tensors and integers to try: a spec for each tensor in turn, the last one for more."""

    tensors: tuple[TensorSpec, ...]
    integer: int


_MATRIX = TensorSpec(shape=(4, 4))
_ROWS = TensorSpec(shape=(4, 3))
_PLACES = TensorSpec(shape=(4,), dtype="int64", low=0, high=3)
TENSORS = (
    (_MATRIX,),
    (TensorSpec(shape=(4,)),),
    (_ROWS, _PLACES),
    (_ROWS, _ROWS, _PLACES),
    (TensorSpec(shape=(1, 4, 3)),),
    (TensorSpec(shape=(1, 2, 8, 8)),),
    (_PLACES,),
    (replace(_ROWS, low=0.1),),
    (replace(_MATRIX, dtype="float64"),),
)
TRIALS = tuple(Trial(tensors, integer) for tensors in TENSORS for integer in (1, 2))


def parameters(written: str) -> tuple[str, ...] | None:
    """The types of the parameters that have no default, in order; None where they are not told.

    A keyword-only one is `name=type`.
    """
    _, opening, rest = written.partition("(")
    if not opening:
        return None
    types, only = [], False
    for part in _split(rest):
        name, kind = _split_parameter(part)
        if part == "*":
            only = True
        elif "=" not in _flat(part):
            types.append(f"{name}={kind}" if only else kind)
    return tuple(types)


def takes_tensors(types: tuple[str, ...]) -> bool:
    return any("Tensor" in kind for kind in types)


def arguments(
    types: tuple[str, ...], trial: Trial
) -> tuple[tuple[Argument, ...], dict[str, Argument]] | str:
    """Positional and named arguments of these types, or the type that has none."""
    made: list[Argument] = []
    named: dict[str, Argument] = {}
    tensors = 0
    for written in types:
        name, equals, kind = written.partition("=") if "=" in written else ("", "", written)
        spec = trial.tensors[min(tensors, len(trial.tensors) - 1)]
        value = _argument(kind, replace(spec, seed=tensors), trial.integer)
        if isinstance(value, _Unknown):
            return kind
        tensors += "Tensor" in kind
        if equals:
            named[name] = value
        else:
            made.append(value)
    return tuple(made), named


class _Unknown:
    """No value is known for a type."""


def _argument(kind: str, tensor: TensorSpec, integer: int) -> Argument | _Unknown:
    optional = _OPTIONAL.fullmatch(kind)
    if optional and not re.fullmatch(_INT + "|" + _FLOAT, kind):
        inner = next(part for part in optional.groups() if part is not None)
        return _argument(inner, tensor, integer) if "Tensor" in inner else None
    values: tuple[tuple[str, Argument], ...] = (
        (_TENSOR, tensor),
        (rf"{_TENSOR}\[\d*\]|{_LIST}\[{_TENSOR}\]", (tensor, replace(tensor, seed=9))),
        (_INT, integer),
        (_FLOAT, 0.5),
        ("bool", False),
        ("str", "sum"),
        (rf"{_INT}\[\d*\]|{_LIST}\[{_INT}\]", (integer, integer)),
        (rf"{_FLOAT}\[\d*\]|{_LIST}\[{_FLOAT}\]", (0.5, 0.5)),
        (r"ScalarType|torch\.dtype", Placeholder("torch", "float32")),
        (r"Device|torch\.device", Placeholder("device")),
    )
    return next((value for form, value in values if re.fullmatch(form, kind)), _Unknown())


def _split_parameter(part: str) -> tuple[str, str]:
    """Name and type of `x: torch.Tensor` or of `Tensor x`."""
    if " " not in part:
        return "", part
    name, colon, kind = part.partition(":")
    if colon and not kind.startswith(":"):
        return name.strip(), kind.strip()
    kind, _, name = part.rpartition(" ")
    return name.strip(), kind.strip()


def _split(text: str) -> list[str]:
    """The parts between commas that no bracket encloses, until one closes that was open before."""
    parts, depth = [""], 0
    for sign in text:
        depth += (sign in "([{") - (sign in ")]}")
        if depth < 0:
            break
        if sign == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += sign
    return [part.strip() for part in parts if part.strip()]


def _flat(part: str) -> str:
    return re.sub(r"\[.*\]|\(.*\)", "", part)
