"""What the `examples.toml` of a C++ piece says: expressions, and the grid to call them on."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

DTYPES = (
    *("float64", "float32", "float16", "bfloat16"),
    *("int64", "int32", "int16", "int8", "uint8", "bool"),
)
SHAPES = ((), (0,), (3,), (2, 3), (2, 3, 4))
LAYOUTS = ("contiguous", "transposed", "sliced")
SPECIAL = ("float64", "float32", "float16", "bfloat16")
KEYS = {
    *("code", "dtypes", "shapes", "layouts", "inputs", "special", "low", "high"),
    *("tolerance", "unordered", "values", "strides", "aliases", "errors", "reason"),
    *("differs", "where"),
}
NEEDS_REASON = {"unordered": True, "values": False, "strides": False, "aliases": False}


@dataclass(frozen=True, slots=True)
class Point:
    """One call of an example: what `x` is."""

    dtype: str
    shape: tuple[int, ...]
    layout: str

    def __str__(self) -> str:
        return f"x: {self.dtype} {list(self.shape)} {self.layout}"


@dataclass(frozen=True, slots=True)
class Example:
    """One expression, the grid for `x`, what else it is given, and what is compared."""

    piece: str
    number: int
    code: str
    dtypes: tuple[str, ...] = DTYPES
    shapes: tuple[tuple[int, ...], ...] = SHAPES
    layouts: tuple[str, ...] = LAYOUTS
    inputs: Mapping[str, Any] = field(default_factory=dict)
    special: bool = False
    low: float | None = None
    high: float | None = None
    tolerance: float | None = None
    unordered: bool = False
    values: bool = True
    strides: bool | str = True
    aliases: bool = True
    gradients: str = ""  # why they are not torch's
    errors: str = "any"
    differs: str = ""
    where: tuple[Mapping[str, Any], ...] = ({},)

    def points(self) -> Iterator[Point]:
        """The grid: every dtype with every shape, in each layout that is another for the shape."""
        for dtype in self.dtypes:
            for shape in self.shapes:
                for layout in self.layouts:
                    if layout == "contiguous" or _can_be(layout, shape):
                        yield Point(dtype, shape, layout)
            if self.special and dtype in SPECIAL:
                yield Point(dtype, (8,), "special")

    def given(self, point: Point) -> dict[str, Any]:
        """What the inputs of a call are made from."""
        limits = {"low": self.low, "high": self.high}
        drawn = {key: value for key, value in limits.items() if value is not None}
        return {**asdict(point), "inputs": dict(self.inputs), "drawn": drawn}

    def may_differ(self, point: Point) -> bool:
        """Whether the example says that the frameworks differ there."""
        return bool(self.differs) and any(
            point.dtype in where.get("dtypes", [point.dtype])
            and list(point.shape) in where.get("shapes", [list(point.shape)])
            and point.layout in where.get("layouts", [point.layout])
            for where in self.where
        )


@dataclass(frozen=True, slots=True)
class Examples:
    """Those of a piece, and the C++ that stands before them: headers and declarations."""

    piece: str
    examples: tuple[Example, ...]
    headers: tuple[str, ...] = ()
    prelude: str = ""


def _can_be(layout: str, shape: tuple[int, ...]) -> bool:
    if 0 in shape:
        return False
    return len(shape) >= (2 if layout == "transposed" else 1)


def read(path: Path) -> Examples:
    """The examples of a file; ValueError where it says what is not understood."""
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    unknown = set(data) - {"example", "headers", "prelude", "defaults", "gradients"}
    if unknown:
        raise ValueError(f"{path}: unknown: {sorted(unknown)}")
    piece = path.parent.name
    tables = [{**data.get("defaults", {}), **table} for table in data.get("example", [])]
    made = [given for table in tables for given in _examples(path, table)]
    others = {code: why for why, codes in data.get("gradients", {}).items() for code in codes}
    if unused := others.keys() - {given["code"] for given in made}:
        raise ValueError(f"{path}: no example: {sorted(unused)}")
    examples = tuple(
        Example(piece, number, **given, gradients=others.get(given["code"], ""))
        for number, given in enumerate(made)
    )
    return Examples(piece, examples, tuple(data.get("headers", ())), data.get("prelude", ""))


def _examples(path: Path, table: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """What is given of each example of a table."""
    unknown = set(table) - KEYS
    if unknown:
        raise ValueError(f"{path}: unknown: {sorted(unknown)} of {table.get('code')}")
    less = any(table.get(key) is value for key, value in NEEDS_REASON.items())
    if less and not table.get("reason"):
        raise ValueError(f"{path}: a reason is needed for {table['code']}")
    if "where" in table and not table.get("differs"):
        raise ValueError(f"{path}: `where` needs `differs` for {table['code']}")
    given = {key: table[key] for key in table if key not in ("code", "reason", "where")}
    for key in ("dtypes", "layouts"):
        if key in given:
            given[key] = tuple(given[key])
    if "shapes" in given:
        given["shapes"] = tuple(tuple(shape) for shape in given["shapes"])
    where = table.get("where", {})
    given["where"] = tuple(where) if isinstance(where, list) else (where,)
    codes = table["code"]
    for code in [codes] if isinstance(codes, str) else codes:
        yield {**given, "code": code.strip()}
