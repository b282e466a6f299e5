"""Read what a target does otherwise than torch, and add it to a surface that it holds for."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

from porter.errors import RuleError
from porter.host.home import page
from porter.languages.data import read_toml
from porter.model import Fact, State, Surface, Symbol, When
from porter.surface.facts import parse
from porter.surface.versions import order

FOLDER = "quirks"
FILE = "quirks.toml"  # of a rule or piece that alone is concerned
KEYS = frozenset(
    (
        *("names", "condition", "form", "where", "signature", "consequence", "state", "beside"),
        *("since", "before", "native", "probe", "probes"),
    )
)
HINT = f"{page('how-to/add-a-quirk.md')} lists the keys of a quirk"


@dataclass(frozen=True, slots=True, kw_only=True)
class Quirk:
    """One way in which a target differs; `fact` holds of each name, for which `probes` may have
    code that leaves `holds` true where the name behaves as under torch. Of what no probe has
    answered the versions decide: from `since` on, and before `before`."""

    id: str
    names: tuple[str, ...]
    fact: Fact
    state: State | None = State.DIFFERENT  # of the names; None: as without it
    since: str = ""
    before: str = ""
    native: bool = False  # of C++, where neither a name nor a list of torch's says so
    probes: Mapping[str, str] = field(default_factory=dict)

    @property
    def until(self) -> str:
        """Say when it is gone."""
        names = ", ".join(f"`{name}`" for name in self.names[:3])
        more = ", ..." if len(self.names) > 3 else ""
        return f"the quirk {self.id} no longer holds for {names}{more}: {self.fact.sentence!r}"

    def names_on(self, surface: Surface) -> tuple[str, ...]:
        """Return the names that it holds for on a surface."""
        found = surface.quirks.get(self.id)
        if found is not None:
            return tuple(name for name in self.names if name in found)
        late = bool(self.before) and order(surface.version) >= order(self.before)
        early = bool(self.since) and order(surface.version) < order(self.since)
        return () if late or early else self.names


@cache
def read_quirks(folder: Path) -> Mapping[str, Quirk]:
    """Read the quirks of a target by id: of its folder `quirks`, its rules and its pieces.

    Raises RuleError for an unknown key or condition, and for an id that is there twice.
    """
    found: dict[str, Quirk] = {}
    for path, quirks in read_files(folder):
        for quirk in quirks:
            if quirk.id in found:
                raise RuleError(f"{path}: duplicate quirk {quirk.id!r}", hint=HINT)
            found[quirk.id] = quirk
    return found


def read_files(folder: Path) -> Iterator[tuple[Path, tuple[Quirk, ...]]]:
    """Yield each file of a target's quirks with what it holds."""
    for pattern in (f"{FOLDER}/*.toml", f"*/*/{FILE}", f"polyfills/*/*/{FILE}"):
        for path in sorted(folder.glob(pattern)):
            yield path, tuple(_read(path))


def _read(path: Path) -> Iterator[Quirk]:
    try:
        table = read_toml(path.read_text(encoding="utf-8"))
        for id, row in table.items():
            yield _quirk(id, row)
    except (OSError, ValueError, KeyError, TypeError, tomllib.TOMLDecodeError) as error:
        raise RuleError(f"{path}: {type(error).__name__}: {error}", hint=HINT) from error
    except RuleError as error:
        raise RuleError(f"{path}: {error}", hint=HINT) from error


def _quirk(id: str, row: Mapping[str, Any]) -> Quirk:
    unknown = sorted(row.keys() - KEYS)
    if unknown:
        raise RuleError(f"{id}: unknown key {unknown[0]!r}; known are {', '.join(sorted(KEYS))}")
    names = tuple(row.get("names", row.get("probes", ())))
    probes = row.get("probes", dict.fromkeys(names, row["probe"]) if "probe" in row else {})
    if not names:
        raise RuleError(f"{id}: names or probes are missing")
    state = row.get("state", State.DIFFERENT.value)
    return Quirk(
        id=id,
        names=names,
        fact=replace(
            parse(f"{row['condition']}: {row['consequence']}"),
            quirk=id,
            form=row.get("form", ""),
            where=_alternatives(row.get("where", [])),
            signature=row.get("signature", ""),
            beside=tuple(row.get("beside", ())),
        ),
        state=None if state == "as it is" else State(state),
        since=row.get("since", ""),
        before=row.get("before", ""),
        native=row.get("native", False),
        probes=probes,
    )


def _alternatives(where: Any) -> tuple[tuple[tuple[str, str], ...], ...]:
    """Read one table of parameters, or several of which one is enough."""
    tables = where if isinstance(where, list) else [where]
    return tuple(tuple(table.items()) for table in tables)


def apply_quirks(surface: Surface, quirks: Iterable[Quirk]) -> Surface:
    """Return a surface with the facts of these quirks, and with the ids of those that hold."""
    python, cpp = dict(surface.python), dict(surface.cpp)
    holding: dict[str, tuple[str, ...]] = {}
    for quirk in quirks:
        holding[quirk.id] = quirk.names_on(surface)
        for name in quirk.names:
            side = cpp if "::" in name or name in cpp or quirk.native else python
            if side is cpp and name not in cpp and quirk.state is None:
                continue  # no name that the compiler would find
            if name in holding[quirk.id]:
                side[name] = _apply_quirk(side.get(name), quirk, native=side is cpp)
            else:
                side[name] = _drop_quirk(side.get(name), quirk)
    return replace(surface, python=python, cpp=cpp, quirks=holding)


def _apply_quirk(symbol: Symbol | None, quirk: Quirk, native: bool) -> Symbol:
    """What it says replaces what was read off a signature or measured under its condition."""
    symbol = symbol or Symbol(kind="function" if native else "attribute")
    # In C++ a name that is a macro's was not seen, and is there.
    known = State.MISSING if not native or quirk.state is None else quirk.state
    if symbol.state is State.MISSING and quirk.state is not known:
        return symbol
    kept = [f for f in symbol.facts if f.quirk or f.condition != quirk.fact.condition]
    measured = [f for f in kept if f.when is When.MEASURED]
    facts = (*(f for f in kept if f.when is not When.MEASURED), quirk.fact, *measured)
    return replace(symbol, state=quirk.state or symbol.state, facts=facts)


def _drop_quirk(symbol: Symbol | None, quirk: Quirk) -> Symbol:
    if symbol is None:
        return Symbol(kind="attribute", provenance="probe")
    # Where only a probe can see whether the name is there, it was taken for missing.
    seen = quirk.state is State.MISSING and bool(quirk.probes)
    return replace(symbol, state=State.PRESENT) if seen else symbol
