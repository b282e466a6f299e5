"""Read `porter.parity.toml`: as written, validated, frozen."""

from __future__ import annotations

import difflib
import math
import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, NoReturn, TypeVar

from porter.errors import UsageError
from porter.languages.data import read_toml
from porter.model import Argument, Device, ParityCase, Placeholder, TensorSpec, Tolerance
from porter.parity import grid
from porter.parity.measure import is_loosened

FILE_NAME = "porter.parity.toml"
FLOATING = ("float64", "float32", "float16", "bfloat16", "float8_e4m3fn", "float8_e5m2")
COMPLEX = ("complex64", "complex128")
INTEGER = ("int64", "int32", "int16", "int8", "uint8")
DTYPES = (*FLOATING, *COMPLEX, *INTEGER, "bool")
LAYOUTS = ("contiguous", "transposed", "sliced", "expanded")
NUMBERS = ("uniform", "special")
EXPECTATIONS = ("result", "error", "either")
FILE_KEYS = ("imports", "devices", "case")
CASE_KEYS = (
    *("name", "call", "args", "kwargs", "imports", "tolerance", "devices", "expect"),
    *("reference", "waive", "grid"),
)
WAIVABLE = ("state", "device", "strides", "alias", "error type")
MOST_ELEMENTS = 1 << 28  # of a tensor: 2 GiB of float64
MOST_AXES = 16  # of a tensor, and of a grid
MOST_VALUES = 256  # of an axis of a grid
TENSOR_KEYS = ("shape", "values", "dtype", "layout", "low", "high", "seed", "grad", "numbers")
TOLERANCE_KEYS = ("rtol", "atol", "reason")
KINDS = {
    dict: "a table",
    list: "an array",
    bool: "true or false",
    str: "a string that is not empty",
    float: "a number",
    int: "an integer from 0",
}
_Kind = TypeVar("_Kind")


def load(path: Path) -> tuple[ParityCase, ...]:
    """The cases of a file, in order. Raises UsageError with file, place and remedy."""
    try:
        written = read_toml(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}", hint="check --parity") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"{path}: not TOML: {error}", hint="see parity-cases.md") from error
    return tuple(_Reader(path, written).read())


class _Reader:
    """Checks what stands in one file; every complaint names the file and the place."""

    def __init__(self, file: Path, written: Mapping[str, Any]) -> None:
        self.file = file
        self.written = written
        self.tensors = 0  # in the case being read: the default seed

    def fail(self, place: str, problem: str, hint: str = "") -> NoReturn:
        raise UsageError(f"{self.file}: {place}: {problem}", hint=hint or "see parity-cases.md")

    # ------------------------------------------------------------ kinds of values

    def keys(self, table: Mapping[str, Any], known: Iterable[str], place: str) -> None:
        for key in table:
            if key not in known:
                self.fail(place, f"unknown key {key!r}", _suggest(key, known))

    def choice(self, value: Any, known: Iterable[str], place: str) -> str:
        if value not in known:
            self.fail(place, f"unknown value {value!r}", _suggest(str(value), known))
        return str(value)

    def expect(self, kind: type[_Kind], value: Any, place: str) -> _Kind:
        if not isinstance(value, kind):
            self.fail(place, f"must be {KINDS[kind]}")
        return value

    def table(self, value: Any, place: str) -> dict[str, Any]:
        return self.expect(dict, value, place)

    def array(self, value: Any, place: str) -> list[Any]:
        return self.expect(list, value, place)

    def text(self, value: Any, place: str) -> str:
        return self.expect(str, value if str(value).strip() else None, place)

    def number(self, value: Any, place: str) -> float:
        return float(self.expect(float, float(value) if type(value) is int else value, place))

    def seed(self, value: Any, place: str) -> int:
        return self.expect(int, value if type(value) is int and value >= 0 else None, place)

    def strings(self, value: Any, place: str) -> tuple[str, ...]:
        return tuple(self.text(each, place) for each in self.array(value, place))

    def devices(self, value: Any, place: str) -> tuple[Device, ...]:
        names = self.strings(value, place)
        if not names:
            self.fail(place, "no device given", 'such as ["cpu"]')
        known = [str(device) for device in Device]
        for name in names:
            if name not in known:  # no guess: "gpu" is nearer to npu than to cuda
                self.fail(place, f"unknown device {name!r}", f"known: {', '.join(known)}")
        return tuple(Device(name) for name in names)

    # ------------------------------------------------------------------- cases

    def read(self) -> list[ParityCase]:
        written = self.written
        self.keys(written, FILE_KEYS, "the file")
        self.strings(written.get("imports", []), "imports")
        self.devices(written.get("devices", ["cpu"]), "devices")
        entries = self.array(written.get("case", []), "case")
        numbered = ((self.table(e, f"case {n}"), f"case {n}") for n, e in enumerate(entries, 1))
        cases = [case for entry, place in numbered for case in self.cases(entry, place)]
        names = Counter(case.name for case in cases)
        for name, number in names.items():
            if number > 1:
                self.fail(f"case {name!r}", "duplicate name", "give each case its own name")
        return cases

    def cases(self, table: dict[str, Any], place: str) -> list[ParityCase]:
        """The case, or one for each point of its grid."""
        name = self.text(table.get("name"), f"{place}: name")
        if "grid" not in table:
            return [self.case(table, name)]
        axes = self.axes(table["grid"], f"case {name!r}: grid")
        if "expect" not in table:  # a dtype or a size that both refuse is no difference
            table = table | {"expect": "either"}
        points = grid.points(table, axes)
        cases = [self.case(point, f"{name} [{what}]") for what, point in points]
        return [replace(case, group=name) for case in cases]

    def axes(self, value: Any, place: str) -> dict[str, list[Any]]:
        axes = {}
        for name, values in self.table(value, place).items():
            if isinstance(values, str):
                values = list(grid.SETS[self.choice(values, grid.SETS, f"{place}.{name}")])
            axes[name] = self.array(values, f"{place}.{name}")
            if not values:
                self.fail(f"{place}.{name}", "has no values")
            if len(axes) > MOST_AXES or len(axes[name]) > MOST_VALUES:
                most = f"at most {MOST_AXES} axes of {MOST_VALUES} values"
                self.fail(f"{place}.{name}", "is too large", most)
        return axes

    def case(self, table: Mapping[str, Any], name: str) -> ParityCase:
        place = f"case {name!r}"
        self.keys(table, CASE_KEYS, place)
        self.tensors = 0
        args = self.array(table.get("args", []), f"{place}: args")
        kwargs = self.table(table.get("kwargs", {}), f"{place}: kwargs")
        arguments = tuple(self.argument(a, f"{place}: args[{n}]") for n, a in enumerate(args))
        named = {key: self.argument(a, f"{place}: kwargs.{key}") for key, a in kwargs.items()}
        own = self.strings(table.get("imports", []), f"{place}: imports")
        devices = table.get("devices", self.written.get("devices", ["cpu"]))
        specs = tensors((*arguments, *named.values()))
        return ParityCase(
            name=name,
            call=self.call(table.get("call"), f"{place}: call"),
            args=arguments,
            kwargs=named,
            tolerance=self.tolerance(table.get("tolerance"), specs, f"{place}: tolerance"),
            devices=self.devices(devices, f"{place}: devices"),
            imports=tuple(dict.fromkeys((*self.written.get("imports", []), *own))),
            expect=self.choice(table.get("expect", "result"), EXPECTATIONS, f"{place}: expect"),
            reference=(
                self.call(table["reference"], f"{place}: reference") if "reference" in table else ""
            ),
            waived=self.read_waivers(table.get("waive", {}), f"{place}: waive"),
        )

    def read_waivers(self, value: Any, place: str) -> dict[str, str]:
        table = self.table(value, place)
        self.keys(table, WAIVABLE, place)
        return {
            phase: self.text(why, f"{place}.{phase}: its reason") for phase, why in table.items()
        }

    def call(self, value: Any, place: str) -> str:
        call = self.text(value, place)
        file, colon, function = call.rpartition(":")
        if file.endswith(".py"):
            folder = self.file.parent.resolve()
            path = (folder / file).resolve()
            if not path.is_file() or not path.is_relative_to(folder):
                self.fail(place, f"no file {file}", "it is searched for next to the case file")
            return f"{path}:{function}"
        module, colon, attribute = call.partition(":")
        dotted = attribute if colon else call
        parts = [*module.split("."), *dotted.split(".")] if colon else call.split(".")
        operator = call.startswith("torch.ops.") and len(parts) >= 4
        if not all(part.isidentifier() for part in parts) or not (colon or operator):
            hint = "write package.module:function, file.py:function or torch.ops.<namespace>.<name>"
            self.fail(place, f"is not callable: {call!r}", hint)
        return call

    def tolerance(self, value: Any, specs: tuple[TensorSpec, ...], place: str) -> Tolerance | None:
        if value is None:
            return None
        table = self.table(value, place)
        self.keys(table, TOLERANCE_KEYS, place)
        if "rtol" not in table or "atol" not in table:
            self.fail(place, "set both rtol and atol, or neither")
        own = Tolerance(
            rtol=self.number(table["rtol"], f"{place}: rtol"),
            atol=self.number(table["atol"], f"{place}: atol"),
            reason=self.text(table.get("reason", "-"), f"{place}: reason"),
        )
        if not (own.rtol >= 0 and own.atol >= 0):
            self.fail(place, "rtol and atol cannot be negative or NaN")
        if "reason" not in table and is_loosened(own, [spec.dtype for spec in specs]):
            self.fail(place, "looser than the default without a reason", 'add reason = "..."')
        return own if "reason" in table else Tolerance(rtol=own.rtol, atol=own.atol)

    def argument(self, value: Any, place: str) -> Argument:
        if isinstance(value, list):
            return tuple(self.argument(each, f"{place}[{n}]") for n, each in enumerate(value))
        if isinstance(value, bool | int | float | str):
            return value
        table = self.table(value, place)
        if set(table) == {"none"}:
            return None
        if set(table) == {"device"}:
            return Placeholder("device")
        if set(table) == {"torch"}:
            return Placeholder("torch", self.text(table["torch"], place))
        return self.tensor(table, place)

    def tensor(self, table: Mapping[str, Any], place: str) -> TensorSpec:
        self.keys(table, (*TENSOR_KEYS, "torch", "device", "none"), place)
        if "shape" not in table and "values" not in table:
            self.fail(place, "a tensor needs shape or values")
        dtype = self.choice(table.get("dtype", "float32"), DTYPES, f"{place}: dtype")
        integer = dtype in INTEGER
        values = self.values(table, place)
        self.tensors += 1
        spec = TensorSpec(
            shape=self.shape(table, place) if "shape" in table else _extent(values),
            dtype=dtype,
            layout=self.choice(table.get("layout", "contiguous"), LAYOUTS, f"{place}: layout"),
            low=self.number(table.get("low", 0 if integer else -1), f"{place}: low"),
            high=self.number(table.get("high", 10 if integer else 1), f"{place}: high"),
            seed=self.seed(table.get("seed", self.tensors - 1), f"{place}: seed"),
            grad=self.expect(bool, table.get("grad", False), f"{place}: grad"),
            values=values,
            special=self.choice(table.get("numbers", "uniform"), NUMBERS, f"{place}: numbers")
            == "special",
        )
        self.consistent(spec, place)
        return spec

    def shape(self, table: Mapping[str, Any], place: str) -> tuple[int, ...]:
        sizes = self.array(table["shape"], f"{place}: shape")
        if not all(type(size) is int and size >= 0 for size in sizes):
            self.fail(f"{place}: shape", "must be integers from 0")
        if len(sizes) > MOST_AXES or math.prod(filter(None, sizes)) > MOST_ELEMENTS:
            most = f"at most {MOST_AXES} axes and {MOST_ELEMENTS:,} elements"
            self.fail(f"{place}: shape", "is too large", most)
        return tuple(sizes)

    def values(self, table: Mapping[str, Any], place: str) -> Any:
        if "values" not in table:
            return None
        frozen = _freeze(table["values"])
        if _extent(frozen) is None:
            self.fail(f"{place}: values", "must be a number, or numbers in arrays of equal lengths")
        return frozen

    def consistent(self, spec: TensorSpec, place: str) -> None:
        rank = len(spec.shape)
        if spec.grad and spec.dtype not in FLOATING[:4]:
            self.fail(f"{place}: grad", f"{spec.dtype} has no gradient", "use a floating dtype")
        if rank < {"transposed": 2, "sliced": 1, "expanded": 1}.get(spec.layout, 0):
            self.fail(f"{place}: layout", f"{spec.layout} needs more axes than {rank}")
        if spec.high < spec.low:
            self.fail(f"{place}: high", "is below low")
        if spec.dtype == "uint8" and spec.low < 0:
            self.fail(f"{place}: low", "uint8 has no negative values")
        if spec.dtype in INTEGER and not _whole(spec.values):
            self.fail(f"{place}: values", f"{spec.dtype} accepts only integers")
        if spec.values is not None and _extent(spec.values) != spec.shape:
            self.fail(f"{place}: shape", f"does not agree with values, {_extent(spec.values)}")


def tensors(arguments: Iterable[Argument]) -> tuple[TensorSpec, ...]:
    """The tensors of arguments, nested ones too, in order."""
    found: list[TensorSpec] = []
    for argument in arguments:
        if isinstance(argument, TensorSpec):
            found.append(argument)
        elif isinstance(argument, tuple):
            found += tensors(argument)
    return tuple(found)


def _suggest(word: str, known: Iterable[str]) -> str:
    close = difflib.get_close_matches(word, list(known), n=1)
    return f"did you mean {close[0]!r}?" if close else f"known: {', '.join(known)}"


def _freeze(value: Any) -> Any:
    return tuple(map(_freeze, value)) if isinstance(value, list) else value


def _whole(values: Any) -> bool:
    if isinstance(values, tuple):
        return all(_whole(each) for each in values)
    return not isinstance(values, float)


def _extent(values: Any) -> Any:
    """The shape of nested numbers; None where they are ragged or no numbers."""
    if not isinstance(values, tuple):
        return () if isinstance(values, bool | int | float) else None
    inner = {_extent(each) for each in values}
    if not values:
        return (0,)
    if len(inner) != 1 or None in inner:
        return None
    return (len(values), *inner.pop())
