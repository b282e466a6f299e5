"""Choose the pieces, write the unit, and hook it in: all as patches of a plan."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from posixpath import dirname

from porter.model import (
    UNIT,
    FilePatch,
    Form,
    Language,
    ProjectFacts,
    Role,
    Surface,
    Use,
)
from porter.targets import TARGETS
from porter.unit import hooks
from porter.unit.builder import Home, hook_builder, runs_unit
from porter.unit.choose import answers, answers_by_name, choose, is_offered, modules_above
from porter.unit.compose import NAMES, changes, compose, make_mark
from porter.unit.edits import Edits
from porter.unit.installed import Installed, load_shipped, read_headers
from porter.unit.native import Seen, bare, select
from porter.unit.parts import Part
from porter.unit.pieces import Piece, Plane, names_provided
from porter.unit.projects import Project, first_files, package_of, split


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
    form: Form,
    pieces: Sequence[Piece],
    seen: Seen | None = None,
    shown: Collection[str] = (),
) -> UnitPlan:
    """What answers the names in `uses`: of the package, or the unit for them and the lines that
    reach it, in the tree `files`.

    What the library uses goes into its package, what only the tests use beside their
    conftest. Styles differ in the guards that rules wrote; the unit hooks itself to
    either. Run on a tree that has its own output already, it patches nothing. C++ parts are
    chosen by what a compiler has seen; without it names decide. `shown` are pieces that failed
    tests need; what a tree's own unit has of such pieces it keeps.
    """
    proxy = TARGETS[surface.package].proxy
    if proxy is None:  # torch itself is there
        return UnitPlan(answers={})
    if not form.is_vendored:
        return _plan_package(facts, uses, surface, pieces)
    edits, work = Edits(files, proxy), _Work(surface, pieces, seen, shown)
    uses = [use for use in uses if UNIT not in use.path.split("/")]
    done = [
        _plan_vendored(edits, each, work) for each in split(files, facts, uses, _conftests(edits))
    ]
    return UnitPlan(
        patches=edits.patches(),
        answers=dict(sorted(item for plan in done for item in plan.answers.items())),
        in_package={name: id for plan in done for name, id in plan.in_package.items()},
        notes=edits.notes,
    )


@dataclass(frozen=True, slots=True)
class _Work:
    """What the units of a tree are chosen by."""

    surface: Surface
    pieces: Sequence[Piece]
    seen: Seen | None
    shown: Collection[str]


def _plan_vendored(edits: Edits, project: Project, work: _Work) -> UnitPlan:
    """The answers of the unit of a project, which is written and hooked in, and of what only its
    tests have."""
    files, facts, uses = edits.before, project.facts, project.uses
    surface, pieces, seen = work.surface, work.pieces, work.seen
    of_library = _uses_by(Role.LIBRARY, uses)
    sources = {use.path: files[use.path] for use in of_library if use.language is Language.CPP}
    parts = select(pieces, sources, surface, seen) if sources else ()
    home = Home(project.root, package_of(files, facts, uses))
    units = {
        path: data
        for path, data in files.items()
        if UNIT in path and path.endswith(".py") and project.has(path)
    }
    in_package, elsewhere = ({*work.shown, *h} for h in _find_held(units, home.place, pieces))
    imported = _python_pieces(choose(pieces, of_library, facts, surface, files, shown=in_package))
    if home.package is None and imported:
        names = ", ".join(piece.title for piece in imported if piece.provides)
        edits.note(f"no imported package or module that can contain the vendored unit: {names}")
        of_library = [use for use in of_library if use.language is not Language.PYTHON]
    wanting = [*of_library, *_uses_of_build(uses, facts)]
    own = choose(pieces, wanting, facts, surface, files, parts, in_package)
    whole = [part for p in own if p.when is not None for part in p.parts if part not in parts]
    installed = _find_installed(parts, whole, surface, seen)
    done = _write_into_package(edits, facts, home, own, imported, (*parts, *whole), installed)
    done += _write_into_others(edits, project, home, partial(choose, pieces), surface)
    of_unit = _python_pieces(done)
    of_tests = _uses_by(Role.TEST, uses)
    in_tests = [use for use in of_tests if not any(answers(p, use) for p in done)]
    acts = len(in_tests) < len(of_tests) or any(p.id in work.shown for p in done)
    acts = acts or any(b".share(unit)" in data for data in units.values())
    asking = partial(choose, facts=facts, surface=surface, files=files, shown=elsewhere)
    for_tests = _choose_for_tests(asking, pieces, done, in_tests)
    native = partial(
        compose, edits.proxy, parts=(*parts, *whole), installed=installed, project=home.up
    )
    held = {home.folder: (own, native)}
    done += _write_into_tests(
        edits, project, for_tests, home.module if acts else "", imported, held
    )
    return UnitPlan(
        answers=_answers(done, uses, [*parts, *whole]),
        in_package=_answers(of_unit, uses, []) if home.package is not None else {},
    )


def _plan_package(
    facts: ProjectFacts, uses: Sequence[Use], surface: Surface, pieces: Sequence[Piece]
) -> UnitPlan:
    """What the package answers, which has every piece that the target needs, and whose lines rules
    write."""
    lacked = [piece for piece in pieces if not is_offered(piece, surface)]
    parts = [part for piece in lacked for part in piece.parts]
    return UnitPlan(
        answers=_answers(lacked, uses, parts),
        in_package=_answers(_python_pieces(lacked), uses, []) if facts.first_modules else {},
    )


def _find_installed(
    parts: Sequence[Part], whole: Sequence[Part], surface: Surface, seen: Seen | None
) -> Installed:
    """What the target's headers declare: as the compiler saw them, else as they are shipped."""
    if seen:
        return read_headers((*parts, *whole), seen.compat)
    return load_shipped(surface.package, surface.version) if parts else Installed()


def _choose_for_tests(
    asking: Callable[[Sequence[Piece], Sequence[Use]], Sequence[Piece]],
    pieces: Sequence[Piece],
    done: Sequence[Piece],
    uses: Sequence[Use],
) -> Sequence[Piece]:
    """What tests need beside the pieces that the package has; `asking` chooses."""
    rest = [p for p in _python_pieces(pieces) if p not in done]
    found = asking([*rest, *_find_needed(rest, done)], uses)
    if not found:
        return found
    # what goes on from pieces of others goes on from these as well
    rest += [p for p in _python_pieces(done) if p.shown_by]
    return asking([*rest, *_find_needed(rest, done)], uses)


def _find_needed(wanting: Sequence[Piece], pieces: Sequence[Piece]) -> list[Piece]:
    """Those of `pieces` that others need, and that these need in turn."""
    found: list[Piece] = []
    more = list(wanting)
    while more:
        needed = {need for piece in more for need in piece.needs}
        more = [piece for piece in pieces if piece.id in needed and piece not in found]
        found += more
    return found


def _find_held(
    units: Mapping[str, bytes], folder: str, pieces: Sequence[Piece]
) -> tuple[list[str], list[str]]:
    """The pieces that a tree's own units have: that of a folder, and the others."""
    own = [data for path, data in units.items() if path.startswith(folder)]
    others = [data for path, data in units.items() if not path.startswith(folder)]
    return _find_kept(own, pieces), _find_kept(others, pieces)


def _find_kept(units: Iterable[bytes], pieces: Sequence[Piece]) -> list[str]:
    """The pieces in units of the tree that failed tests can ask for."""
    text = b"".join(units)
    return [piece.id for piece in pieces if piece.triggers and make_mark(piece).encode() in text]


def _uses_by(role: Role, uses: Sequence[Use]) -> list[Use]:
    return [use for use in uses if use.role is role]


def _uses_of_build(uses: Sequence[Use], facts: ProjectFacts) -> list[Use]:
    cmake = [u for u in uses if u.language is Language.CMAKE and u.role is not Role.VENDORED]
    return [*cmake, *(_uses_by(Role.BUILD, uses) if facts.extensions else ())]


def _python_pieces(pieces: Sequence[Piece]) -> list[Piece]:
    return [piece for piece in pieces if piece.plane is Plane.PYTHON]


def _write_into_package(
    edits: Edits,
    facts: ProjectFacts,
    home: Home,
    chosen: Sequence[Piece],
    imported: Sequence[Piece],
    parts: Sequence[Part],
    installed: Installed,
) -> list[Piece]:
    """Write and hook what library and build need, `imported` by the package; the pieces that
    will act."""
    if not chosen:
        return []
    native = any(p.plane is not Plane.PYTHON or p not in imported for p in chosen)
    whole = native or not home.name  # a folder
    enabled = whole and hook_builder(edits, facts, home, chosen, native=native)
    edits.write(
        compose(
            *(edits.proxy, home.folder, home.user, chosen, parts, installed),
            names=NAMES if whole else f"{UNIT}.py",
            imported=bool(imported),
            enabling="" if enabled else None,
            project=home.up,
        )
    )
    if home.package is not None and imported:
        run = any(b"__init__.py" in edits.files.get(path, b"") for path in facts.build_scripts)
        for path in first_files(home.package, edits.files, facts):
            depth = path.removeprefix(f"{home.folder}/").count("/") + 1 if home.name else 0
            hook = partial(hooks.hook_package, proxy=edits.proxy, depth=depth, run=run)
            edits.edit(path, changes(imported), hook)
    return list(chosen)


def _write_into_others(
    edits: Edits,
    project: Project,
    home: Home,
    choosing: Callable[..., Sequence[Piece]],
    surface: Surface,
) -> list[Piece]:
    """Write units of their own into the other packages of a project, which may be imported without
    that one; but for those that import it when they are imported themselves."""
    found: list[Piece] = []
    facts, files = project.facts, edits.before
    for package in facts.packages:
        initial = f"{package.path}/__init__.py"
        if package == home.package or initial not in files or not home.name:
            continue
        uses = [
            u for u in _uses_by(Role.LIBRARY, project.uses) if u.path.startswith(f"{package.path}/")
        ]
        chosen = _python_pieces(
            choosing(uses, replace(facts, extensions=(), builds=()), surface, files)
        )
        if chosen and not hooks.imports(files[initial], initial, home.name):
            other = Home(project.root, package)
            found += _write_into_package(edits, facts, other, chosen, chosen, (), Installed())
    return found


def _write_into_tests(
    edits: Edits,
    project: Project,
    chosen: Sequence[Piece],
    module: str,
    shared: Sequence[Piece],
    held: Mapping[str, tuple[Sequence[Piece], Callable[..., tuple[FilePatch, ...]]]],
) -> list[Piece]:
    """Write and hook what only tests need, beside the outermost conftests, and beside those in
    folders above which pytest may load none.

    The unit that is the `module`, if it is named, with its pieces `shared`, acts on the tests as
    well. Where a folder has a unit already, `held` has its pieces, and what composes it: they stay.
    """
    if not chosen and not module:
        return []
    enabling = [path for path in _conftests(edits) if project.has(path)]
    outermost = (p for p in enabling if not any(_is_below(p, other) for other in enabling))
    cuts = project.facts.pytest_roots
    roots = dict.fromkeys([*outermost, *(p for p in enabling if dirname(p) in cuts)])
    if not roots and chosen:
        names = ", ".join(piece.title for piece in chosen if piece.provides)
        edits.note(
            f"no conftest.py that enables {edits.proxy.title}'s proxy for the tests: {names}"
        )
        return []
    for path in roots:
        hook = partial(hooks.run_unit_beside, proxy=edits.proxy, unit=module, names=bool(chosen))
        why = changes(chosen or shared)
        edits.edit(path, why, hook)
        last = module if runs_unit(edits, path) else None
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


def _conftests(edits: Edits) -> list[str]:
    """The conftests that enable the proxy, outer ones first."""
    found = [path for path in edits.files if path.rpartition("/")[2] == "conftest.py"]
    found = [path for path in found if hooks.enables(edits.files[path], path, edits.proxy)]
    return sorted(found, key=lambda path: (path.count("/"), path))


def _answers(done: Sequence[Piece], uses: Sequence[Use], parts: Sequence[Part]) -> dict[str, str]:
    other = [piece for piece in done if piece.plane is not Plane.CPP]
    named = {(use.name, use.language, use.role is Role.VENDORED): use for use in uses}.values()
    found = answers_by_name(other, named)
    # a module that is a piece, by its own name; one that is there for what a piece has in it
    used = {use.name.rpartition(".")[0] for use in uses}
    found |= {n: piece.id for piece in other for n in piece.provides if n in used}
    holders = {above: p.id for p in other for n in p.provides for above in modules_above(n)}
    found |= {use.name: holders[use.name] for use in uses if use.name in holders.keys() - found}
    found |= {n: p.id for p in other if p.plane is Plane.BUILD for n in p.provides}
    asked = {use.name for use in uses}
    found |= {form: p.id for p in other for form in (*p.accepts, *asked.intersection(p.keywords))}
    given = {bare(name): part.piece for part in parts for name in names_provided([part])}
    found |= {u.name: given[bare(u.name)] for u in uses if bare(u.name) in given}
    # a namespace by what there is in it: `namespace F = torch::nn::functional;`
    spaces = {name.rpartition("::")[0]: piece for name, piece in given.items()}
    found = {u.name: spaces[bare(u.name)] for u in uses if bare(u.name) in spaces} | found
    found |= {name: part.piece for part in parts for name in names_provided([part])}
    return dict(sorted(found.items()))
