"""Choose the pieces, write the unit, and hook it in: all as patches of a plan."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from posixpath import dirname

from porter.model import (
    UNIT,
    FilePatch,
    Language,
    Package,
    ProjectFacts,
    Role,
    Style,
    Surface,
    Use,
)
from porter.targets import TARGETS
from porter.unit import hooks
from porter.unit.builder import hook_builder, runs_unit
from porter.unit.choose import answers, choose
from porter.unit.compose import NAMES, changes, compose, marked
from porter.unit.edits import Edits
from porter.unit.installed import Installed, in_headers, shipped
from porter.unit.native import Seen, bare, select
from porter.unit.parts import Part
from porter.unit.pieces import Piece, Plane, provided


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitPlan:
    """What the unit adds and edits; `answers` maps each torch name answered to a piece id,
    `in_package` the Python names of the unit that the package imports."""

    patches: tuple[FilePatch, ...] = ()
    answers: Mapping[str, str]
    in_package: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()  # what a person has to look at


def assemble(
    files: Mapping[str, bytes],
    facts: ProjectFacts,
    uses: Sequence[Use],
    surface: Surface,
    style: Style,
    pieces: Sequence[Piece],
    seen: Seen | None = None,
    shown: Collection[str] = (),
) -> UnitPlan:
    """The unit for the names in `uses`, and the lines that reach it, in the tree `files`.

    What the library uses goes into its package, what only the tests use beside their
    conftest. Styles differ in the guards that rules wrote; the unit hooks itself to
    either. Run on a tree that has its own output already, it patches nothing. C++ parts are
    chosen by what a compiler has seen; without it names decide. `shown` are pieces that failed
    tests need; what a tree's own unit has of such pieces it keeps.
    """
    proxy = TARGETS[surface.package].proxy
    if proxy is None:  # torch itself is there
        return UnitPlan(answers={})
    edits = Edits(files, proxy)
    uses = [use for use in uses if UNIT not in use.path.split("/")]
    of_library = _by(Role.LIBRARY, uses)
    sources = {use.path: files[use.path] for use in of_library if use.language is Language.CPP}
    parts = select(pieces, sources, surface, seen) if sources else ()
    package = package_of(files, facts, uses)
    place = f"{package.path}/{UNIT}" if package is not None else UNIT
    units = {path: data for path, data in files.items() if UNIT in path and path.endswith(".py")}
    in_package, elsewhere = ({*shown, *held} for held in _held(units, place, pieces))
    imported = _of_python(choose(pieces, of_library, facts, surface, files, shown=in_package))
    if package is None and imported:
        names = ", ".join(piece.title for piece in imported if piece.provides)
        edits.note(f"no package with an __init__.py to hold the vendored unit: {names}")
        of_library = [use for use in of_library if use.language is not Language.PYTHON]
    wanting = [*of_library, *_of_build(uses, facts)]
    own = choose(pieces, wanting, facts, surface, files, parts, in_package)
    whole = [part for p in own if p.when is not None for part in p.parts if part not in parts]
    installed = _installed(parts, whole, surface, seen)
    done = _into_package(edits, facts, package, own, imported, (*parts, *whole), installed)
    of_unit = _of_python(done)
    of_tests = _by(Role.TEST, uses)
    in_tests = [use for use in of_tests if not any(answers(p, use) for p in done)]
    acts = len(in_tests) < len(of_tests) or any(p.id in shown for p in done)
    acts = acts or any(b".share(unit)" in data for data in units.values())
    first = package.name if package is not None and acts else ""
    asking = partial(choose, facts=facts, surface=surface, files=files, shown=elsewhere)
    for_tests = _for_tests(asking, pieces, done, in_tests)
    home = package.path if package is not None else ""
    native = partial(compose, edits.proxy, parts=(*parts, *whole), installed=installed)
    done += _into_tests(
        edits, for_tests, facts.pytest_roots, first, imported, {home: (own, native)}
    )
    return UnitPlan(
        patches=edits.patches(),
        answers=_answers(done, uses, [*parts, *whole]),
        in_package=_answers(of_unit, uses, []) if package is not None else {},
        notes=edits.notes,
    )


def _installed(
    parts: Sequence[Part], whole: Sequence[Part], surface: Surface, seen: Seen | None
) -> Installed:
    """What the target's headers declare: as the compiler saw them, else as they are shipped."""
    if seen:
        return in_headers((*parts, *whole), seen.compat)
    return shipped(surface.package, surface.version) if parts else Installed()


def _for_tests(
    asking: Callable[[Sequence[Piece], Sequence[Use]], Sequence[Piece]],
    pieces: Sequence[Piece],
    done: Sequence[Piece],
    uses: Sequence[Use],
) -> Sequence[Piece]:
    """What tests need beside the pieces that the package has; `asking` chooses."""
    rest = [p for p in _of_python(pieces) if p not in done]
    found = asking([*rest, *_needed_by(rest, done)], uses)
    if not found:
        return found
    # what goes on from pieces of others goes on from these as well
    rest += [p for p in _of_python(done) if p.shown_by]
    return asking([*rest, *_needed_by(rest, done)], uses)


def _needed_by(wanting: Sequence[Piece], pieces: Sequence[Piece]) -> list[Piece]:
    """Those of `pieces` that others need, and that these need in turn."""
    found: list[Piece] = []
    more = list(wanting)
    while more:
        needed = {need for piece in more for need in piece.needs}
        more = [piece for piece in pieces if piece.id in needed and piece not in found]
        found += more
    return found


def _held(
    units: Mapping[str, bytes], folder: str, pieces: Sequence[Piece]
) -> tuple[list[str], list[str]]:
    """The pieces that a tree's own units have: that of a folder, and the others."""
    own = [data for path, data in units.items() if path.startswith(folder)]
    others = [data for path, data in units.items() if not path.startswith(folder)]
    return _kept(own, pieces), _kept(others, pieces)


def _kept(units: Iterable[bytes], pieces: Sequence[Piece]) -> list[str]:
    """The pieces in units of the tree that failed tests can ask for."""
    text = b"".join(units)
    return [piece.id for piece in pieces if piece.asked_by and marked(piece).encode() in text]


def _by(role: Role, uses: Sequence[Use]) -> list[Use]:
    return [use for use in uses if use.role is role]


def _of_build(uses: Sequence[Use], facts: ProjectFacts) -> list[Use]:
    cmake = [u for u in uses if u.language is Language.CMAKE and u.role is not Role.VENDORED]
    return [*cmake, *(_by(Role.BUILD, uses) if facts.extensions else ())]


def _of_python(pieces: Sequence[Piece]) -> list[Piece]:
    return [piece for piece in pieces if piece.plane is Plane.PYTHON]


def _into_package(
    edits: Edits,
    facts: ProjectFacts,
    package: Package | None,
    chosen: Sequence[Piece],
    imported: Sequence[Piece],
    parts: Sequence[Part],
    installed: Installed,
) -> list[Piece]:
    """Write and hook what library and build need, `imported` by the package; the pieces that
    will act."""
    if not chosen:
        return []
    folder = package.path if package is not None else ""
    user = f"the package {package.name} uses" if package is not None else "this build uses"
    native = any(p.plane is not Plane.PYTHON or p not in imported for p in chosen)
    enabled = native and hook_builder(edits, facts, package, chosen)
    files = compose(
        *(edits.proxy, folder, user, chosen, parts, installed),
        names=NAMES if native else f"{UNIT}.py",
        imported=bool(imported),
        enabling="" if enabled else None,
    )
    edits.write(files)
    if package is not None and imported:
        run = any(b"__init__.py" in edits.files.get(path, b"") for path in facts.build_scripts)
        hook = partial(hooks.in_package, proxy=edits.proxy, inert=native, run=run)
        edits.edit(f"{package.path}/__init__.py", changes(imported), hook)
    return list(chosen)


def _into_tests(
    edits: Edits,
    chosen: Sequence[Piece],
    cuts: Collection[str],
    package: str,
    shared: Sequence[Piece],
    held: Mapping[str, tuple[Sequence[Piece], Callable[..., tuple[FilePatch, ...]]]],
) -> list[Piece]:
    """Write and hook what only tests need, beside the outermost conftests, and beside those in
    `cuts`, folders above which pytest may load none.

    The unit of `package`, if it is named, with its pieces `shared`, acts on the tests as well.
    Where a folder has a unit already, `held` has its pieces, and what composes it: they stay.
    """
    if not chosen and not package:
        return []
    enabling = [
        path
        for path in _conftests(edits.files)
        if hooks.enables(edits.files[path], path, edits.proxy)
    ]
    outermost = (p for p in enabling if not any(_is_below(p, other) for other in enabling))
    roots = dict.fromkeys([*outermost, *(p for p in enabling if dirname(p) in cuts)])
    if not roots and chosen:
        names = ", ".join(piece.title for piece in chosen if piece.provides)
        edits.note(
            f"no conftest.py that enables {edits.proxy.title}'s proxy, to give the tests: {names}"
        )
        return []
    for path in roots:
        hook = partial(hooks.running_unit, proxy=edits.proxy, package=package, names=bool(chosen))
        why = changes(chosen or shared)
        edits.edit(path, why, hook)
        last = package if runs_unit(edits, path) else None
        folder = dirname(path)
        others, composing = held.get(folder, ((), partial(compose, edits.proxy)))
        if others and last is None and f"{folder}/{UNIT}/enable.py".lstrip("/") in edits.files:
            last = ""  # the build runs it
        user = "this build and these tests use" if others else "these tests use"
        both = [*others, *(piece for piece in chosen if piece not in others)]
        for patch in composing(folder, user, both, enabling=last):
            edits.write([replace(patch, changes=patch.changes or why)])
    return list(chosen)


def _is_below(path: str, other: str) -> bool:
    return path != other and path.startswith(dirname(other) + "/" if dirname(other) else "")


def package_of(files: Collection[str], facts: ProjectFacts, uses: Sequence[Use]) -> Package | None:
    """The package that uses torch most, of those with an __init__ to hook."""
    top = [p for p in facts.packages if f"{p.path}/__init__.py" in files]
    count = Counter(
        package.name
        for use in uses
        for package in top
        if use.role is Role.LIBRARY and use.path.startswith(package.path + "/")
    )
    return max(top, key=lambda p: (count[p.name], -len(p.path)), default=None)


def _conftests(files: Mapping[str, bytes]) -> list[str]:
    found = [path for path in files if path.rpartition("/")[2] == "conftest.py"]
    return sorted(found, key=lambda path: (path.count("/"), path))


def _answers(done: Sequence[Piece], uses: Sequence[Use], parts: Sequence[Part]) -> dict[str, str]:
    other = [piece for piece in done if piece.plane is not Plane.CPP]
    found = {use.name: piece.id for piece in other for use in uses if answers(piece, use)}
    # a module that is a piece, by its own name; one that is there for what a piece has in it
    used = {use.name.rpartition(".")[0] for use in uses}
    found |= {n: piece.id for piece in other for n in piece.provides if n in used}
    holders = {above: p.id for p in other for n in p.provides for above in _modules_above(n)}
    found |= {use.name: holders[use.name] for use in uses if use.name in holders.keys() - found}
    found |= {n: p.id for p in other if p.plane is Plane.BUILD for n in p.provides}
    found |= {form: p.id for p in other for form in p.accepts}
    given = {bare(name): part.piece for part in parts for name in provided([part])}
    found |= {u.name: given[bare(u.name)] for u in uses if bare(u.name) in given}
    # a namespace by what there is in it: `namespace F = torch::nn::functional;`
    spaces = {name.rpartition("::")[0]: piece for name, piece in given.items()}
    found = {u.name: spaces[bare(u.name)] for u in uses if bare(u.name) in spaces} | found
    found |= {name: part.piece for part in parts for name in provided([part])}
    return dict(sorted(found.items()))


def _modules_above(name: str) -> Iterator[str]:
    while "." in (name := name.rpartition(".")[0]):
        yield name
