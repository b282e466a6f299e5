"""Surfaces as files: one line a name, so that two versions can be compared by diff."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from porter.errors import RuleError, UsageError
from porter.host import files
from porter.host.home import porter_home, rules_home
from porter.model import State, Surface, Symbol
from porter.surface.facts import parse
from porter.surface.names import OF_MODULES
from porter.surface.quirks import apply_quirks, read_quirks
from porter.surface.versions import order
from porter.targets import home_of

TORCH = "torch"
NEWEST = "999"


def list_shipped(package: str, home: Path | None = None) -> tuple[str, ...]:
    """Versions of a package whose surface porter ships, oldest first."""
    folder = (home or home_of(package)) / package / "surfaces"
    return tuple(sorted((p.stem for p in folder.glob("*.json")), key=order))


def nearest(package: str, version: str, home: Path | None = None) -> str:
    """The shipped version that stands for this one: itself, else the newest one before it,
    else the oldest. Whoever calls says so when the answer is not the question.
    Raises UsageError when none is shipped for the package."""
    versions = list_shipped(package, home)
    if not versions:
        raise UsageError(
            f"porter ships no surface of {package}",
            hint=f"create one: porter surface capture --python PATH -o {package}.json",
        )
    before = [v for v in versions if order(v) <= order(version)]
    return before[-1] if before else versions[0]


def own(package: str, version: str) -> Path:
    """Where the surface of the user's own build of a version is kept."""
    return porter_home() / "surfaces" / package / f"{version}.json"


def load(package: str, version: str, home: Path | None = None) -> Surface:
    """The surface that the user captured of this version, else that of the nearest shipped
    one, with what the target's quirks say; its `version` says which that is.
    Raises UsageError when none is shipped, RuleError when its file is damaged."""
    captured = own(package, version)
    if home is None and captured.is_file():
        return _complete(captured, home_of(package) / package)
    folder = (home or home_of(package)) / package
    home = home or home_of(package)
    return _complete(folder / "surfaces" / f"{nearest(package, version, home)}.json", folder)


@cache
def _complete(path: Path, folder: Path) -> Surface:
    return apply_quirks(read(path), read_quirks(folder).values())


def load_torch(home: Path | None = None) -> Surface:
    """What the newest torch that porter knows offers: the list of names to ask for."""
    home = home or rules_home()
    return read(home / TORCH / "surfaces" / f"{nearest(TORCH, NEWEST, home)}.json")


def load_newest(package: str, home: Path | None = None) -> Surface:
    """What a package offers: of the newest version that the user captured, else of the newest
    that porter ships."""
    captured = (porter_home() / "surfaces" / package).glob("*.json")
    newest = max(captured, key=lambda path: order(path.stem), default=None)
    if home is None and newest is not None:
        return read(newest)
    home = home or home_of(package)
    return read(home / package / "surfaces" / f"{nearest(package, NEWEST, home)}.json")


_OF_CUDA = re.compile(
    r"torch\.(?:cuda|backends\.(?:cuda|cudnn)|_C\._[Cc]uda)\b|(?:at|c10|torch)::cuda\b|<(?:ATen|c10)/cuda/"
)


def extend(surface: Surface, under: Surface) -> Surface:
    """A surface of an extension, with the names of the framework that it extends; what is CUDA's in
    that is missing, as the framework's build for the CPU has the names and nothing behind them."""

    def both(own: Mapping[str, Symbol], given: Mapping[str, Symbol]) -> dict[str, Symbol]:
        missing = {
            name: replace(symbol, state=State.MISSING)
            for name, symbol in given.items()
            if _OF_CUDA.match(name) and not _is_member(name, given)
        }
        return {**given, **missing, **own}

    # What every module has, where a proxy does not stand for it.
    modules = (name for name, symbol in under.python.items() if symbol.kind == "module")
    own = {f"{m}.{name}": Symbol(kind="attribute") for m in modules for name in OF_MODULES}
    return replace(
        surface,
        python=both({**own, **surface.python}, under.python),
        cpp=both(surface.cpp, under.cpp),
    )


def _is_member(name: str, given: Mapping[str, Symbol]) -> bool:
    """Whether it is a member: other classes, such as the extension's streams, have the same."""
    owner = given.get(name.rpartition(".")[0])
    return owner is not None and owner.kind == "class"


@cache
def read(path: Path) -> Surface:
    """Read one surface file, which the target's quirks are not written into.

    Raises RuleError when it is none.
    """
    try:
        document = json.loads(path.read_bytes())
        return Surface(
            package=document["package"],
            version=document["version"],
            build=document["build"],
            python=_symbols(document["python"]),
            cpp=_symbols(document["cpp"]),
            quirks={id: tuple(names) for id, names in document.get("quirks", {}).items()},
            errors={id: tuple(texts) for id, texts in document.get("errors", {}).items()},
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RuleError) as error:
        raise RuleError(
            f"{path} is not a surface: {type(error).__name__}: {error}",
            hint="create it again: porter surface capture",
        ) from error


def save(surface: Surface, path: Path) -> None:
    """Write a surface, sorted, one name a line; replaces the file in one step."""
    path.parent.mkdir(parents=True, exist_ok=True)
    files.replace(path, dumps(surface))


def dumps(surface: Surface) -> str:
    """The text of a surface file."""
    head = {"package": surface.package, "version": surface.version, "build": surface.build}
    lines = [f"{json.dumps(key)}: {json.dumps(value)}," for key, value in head.items()]
    tables = {"python": {name: _row(symbol) for name, symbol in surface.python.items()}}
    tables["cpp"] = {name: _row(symbol) for name, symbol in surface.cpp.items()}
    for key, found in (("quirks", surface.quirks), ("errors", surface.errors)):
        if found:
            tables[key] = {id: json.dumps(texts) for id, texts in found.items()}
    blocks = (
        f'"{key}": {{\n' + ",\n".join(f"{json.dumps(n)}: {rows[n]}" for n in sorted(rows)) + "\n}"
        for key, rows in tables.items()
    )
    return "{\n" + "\n".join(lines) + "\n" + ",\n".join(blocks) + "\n}\n"


def _row(symbol: Symbol) -> str:
    row: list[Any] = [
        symbol.kind,
        symbol.state.value,
        list(symbol.signatures),
        symbol.provenance,
        [str(fact) for fact in symbol.facts],
    ]
    while row and not row[-1]:
        row.pop()
    if row[1:] == [State.PRESENT.value]:
        row = row[:1]
    return json.dumps(row, ensure_ascii=False, separators=(", ", ": "))


def _symbols(rows: Mapping[str, list[Any]]) -> dict[str, Symbol]:
    blank: list[Any] = ["", "present", (), "", ()]
    shared: dict[tuple[str, ...], Symbol] = {}  # of most names nothing but the state is known
    out: dict[str, Symbol] = {}
    for name, row in rows.items():
        if len(row) <= 2:
            key = tuple(row)
            if key not in shared:
                shared[key] = Symbol(kind=row[0], state=State([*row, *blank[len(row) :]][1]))
            out[name] = shared[key]
            continue
        kind, state, signatures, provenance, facts = [*row, *blank[len(row) :]]
        out[name] = Symbol(
            kind=kind,
            state=State(state),
            signatures=tuple(signatures),
            provenance=provenance,
            facts=tuple(map(parse, facts)),
        )
    return out
