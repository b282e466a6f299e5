"""Which pieces a repository needs: by the names it uses, and by how it is built."""

from __future__ import annotations

import ast
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from porter.languages import python
from porter.model import (
    UNIT,
    Extension,
    Fact,
    Language,
    Missing,
    ProjectFacts,
    Role,
    State,
    Surface,
    Symbol,
    Use,
    When,
)
from porter.rules.guard import builds_for_torch
from porter.surface.arguments import Holds, holds
from porter.surface.facts import BY_FORM
from porter.surface.load import load_torch
from porter.unit.family import REGISTERING
from porter.unit.native import bare
from porter.unit.parts import Part
from porter.unit.pieces import Condition, Piece, Plane
from porter.uses.lookup import FORM, meets

BUILDER = "torch.utils.cpp_extension"
IMPORTS_NN = re.compile(rb"^\s*(?:import torch\.nn\b|from torch\.nn\b)", re.MULTILINE)
LANGUAGES = {Plane.PYTHON: Language.PYTHON, Plane.CPP: Language.CPP, Plane.BUILD: Language.PYTHON}


def choose(
    pieces: Sequence[Piece],
    uses: Sequence[Use],
    facts: ProjectFacts,
    surface: Surface,
    files: Mapping[str, bytes],
    parts: Sequence[Part] = (),
    shown: Collection[str] = (),
) -> tuple[Piece, ...]:
    """The pieces that these uses, or the build, make needed, and those they need in turn.

    Of C++ pieces those that have one of `parts`, or a condition that holds; `shown` are the ids of
    those that failed tests need.
    """
    by_id = {piece.id: piece for piece in pieces}
    owners = {part.piece for part in parts}
    harmed = _keep_harmed(uses, surface)
    wanted = [
        piece
        for piece in pieces
        if piece.id in owners
        or (
            not is_offered(piece, surface)
            and (
                (_matters(piece, surface) and any(answers(piece, use) for use in harmed))
                or piece.id in shown
                or (piece.when is not None and _holds(piece, facts, files, uses))
            )
        )
    ]
    chosen = _add_needs(wanted, by_id)
    more = [piece for piece in pieces if _completes(piece, chosen, files)]
    chosen = _add_needs([*wanted, *more], by_id)
    return tuple(chosen[key] for key in sorted(chosen))


def _keep_harmed(uses: Sequence[Use], surface: Surface) -> list[Use]:
    """The uses, without calls of names that the target refuses in other forms of call only."""
    forms = defaultdict(list)
    for use in uses:
        if form := FORM.match(use.name):
            forms[use.path, use.line, use.column, form["name"]].append(form)

    def harmless(use: Use) -> bool:
        found = forms.get((use.path, use.line, use.column, use.name), ())
        symbol = surface.python.get(use.name)
        facts = _facts_of_uses(symbol) if symbol and found else []
        return bool(facts) and not any(_meets(fact, use, found) for fact in facts)

    return [use for use in uses if not harmless(use)]


def _meets(fact: Fact, use: Use, forms: Iterable[re.Match[str]]) -> bool:
    """Whether a call may meet a fact, by its arguments or its form."""
    if fact.where:
        return holds(fact, use.given, load_torch().python.get(use.name)) is not Holds.NO
    return fact.when not in BY_FORM or any(meets(fact, form) for form in forms)


def _facts_of_uses(symbol: Symbol) -> list[Fact]:
    """The facts that a use of a name itself meets."""
    return [fact for fact in symbol.facts if fact.when is not When.ELSEWHERE]


def _add_needs(wanted: Iterable[Piece], by_id: Mapping[str, Piece]) -> dict[str, Piece]:
    chosen: dict[str, Piece] = {}
    todo = [*wanted]
    while todo:
        piece = todo.pop()
        if piece.id not in chosen:
            chosen[piece.id] = piece
            todo += [by_id[need] for need in piece.needs]
    return chosen


def _completes(piece: Piece, chosen: Collection[str], files: Mapping[str, bytes]) -> bool:
    """Whether a Python piece goes on from a chosen one, and the sources have a word for that."""
    if piece.plane is not Plane.PYTHON or not set(piece.needs) & set(chosen) - {REGISTERING}:
        return False
    words = [word.encode() for word in piece.mentions]
    sources = [data for path, data in files.items() if path.endswith(".py") and UNIT not in path]
    return any(word in data for data in sources for word in words)


def _matters(piece: Piece, surface: Surface) -> bool:
    """Whether a use of a name that a Python piece provides makes it needed: not where a rule edits
    those uses that the target's meaning harms, which no one sees in the others."""
    kinds = {
        kind
        for name in piece.provides
        if (symbol := surface.python.get(name))
        for kind in {fact.when for fact in _facts_of_uses(symbol)} or {When.ANY}
    }
    # Of an operator there are none: its uses are those harmed.
    harmless = bool(piece.instead_of) and kinds == {When.SOME_USES}
    return piece.plane is Plane.PYTHON and not harmless


def answers(piece: Piece, use: Use) -> bool:
    """Whether a use is of a name that the piece provides, or of a form of call it accepts."""
    if LANGUAGES.get(piece.plane) is not use.language or use.role is Role.VENDORED:
        return False
    if use.name in piece.accepts:
        return True
    if piece.plane is Plane.CPP:
        return use.name in piece.provides or bare(use.name) in {bare(n) for n in piece.provides}
    return any(use.name == name or use.name.startswith(name + ".") for name in piece.provides)


def answers_by_name(pieces: Sequence[Piece], uses: Iterable[Use]) -> dict[str, str]:
    """The ids of the pieces that `answers` is true of, by the names of uses; the last where there
    are several. Not for pieces of C++."""
    exact: dict[tuple[Language | None, str], int] = {}
    whole: dict[tuple[Language | None, str], int] = {}
    for number, piece in enumerate(pieces):
        language = LANGUAGES.get(piece.plane)
        exact |= {(language, name): number for name in piece.accepts}
        whole |= {(language, name): number for name in piece.provides}
    found: dict[str, int] = {}
    for use in uses:
        if use.role is not Role.VENDORED:
            names = (use.name, *names_above(use.name))
            numbers = [whole[at] for name in names if (at := (use.language, name)) in whole]
            numbers += [exact[at] for at in [(use.language, use.name)] if at in exact]
            if numbers:
                found[use.name] = max(*numbers, found.get(use.name, 0))
    return {name: pieces[number].id for name, number in found.items()}


def names_above(name: str) -> Iterator[str]:
    """The dotted names that a name is below, the longest first."""
    while name := name.rpartition(".")[0]:
        yield name


def modules_above(name: str) -> list[str]:
    """The modules that have to be there for a name, without torch itself."""
    return [above for above in names_above(name) if "." in above]


def find_shown_by(pieces: Sequence[Piece], messages: Iterable[str]) -> tuple[str, ...]:
    """The ids of the pieces that would answer what failed tests say."""
    said = [*dict.fromkeys(messages)]
    return tuple(
        piece.id
        for piece in pieces
        if any(re.search(pattern, text) for pattern in piece.triggers for text in said)
    )


def find_offers(
    pieces: Sequence[Piece], missing: Iterable[Missing], surface: Surface, *, packaged: bool = False
) -> dict[tuple[Language, str], str]:
    """Which names that a target lacks a unit, or the package, could have: (language, name) -> id of
    a piece.

    Whether the unit gets them shows when it is assembled: it needs a package or a conftest.
    """
    lacking = [piece for piece in pieces if not is_offered(piece, surface)]
    if not packaged:
        lacking = [piece for piece in lacking if not piece.instead_of or _matters(piece, surface)]
    python = [piece for piece in lacking if piece.plane is Plane.PYTHON]
    holders = {above: p.id for p in python for n in p.provides for above in modules_above(n)}
    exact, below, stripped = _index(lacking)
    of_quirks = find_answers_of_quirks(lacking, surface)
    found = {}
    for item in missing:
        names = (item.name, *names_above(item.name))
        numbers = [exact.get((item.language, item.name))]
        numbers += [below.get((item.language, name)) for name in names]
        numbers += [stripped.get(bare(item.name))] if item.language is Language.CPP else []
        first = min((number for number in numbers if number is not None), default=None)
        if first is not None:
            found[item.language, item.name] = lacking[first].id
        elif item.language is Language.PYTHON and item.name in holders:
            found[item.language, item.name] = holders[item.name]
        elif item.language is Language.PYTHON and (symbol := surface.python.get(item.name)):
            ids = [of_quirks.get(fact.quirk, "") for fact in symbol.facts]
            if ids and all(ids):
                found[item.language, item.name] = ids[0]
    return found


def find_answers_of_quirks(pieces: Iterable[Piece], surface: Surface) -> dict[str, str]:
    """The ids of the pieces that do away with quirks, by the ids of those."""
    lacking = (piece for piece in pieces if piece.quirks and not is_offered(piece, surface))
    return {quirk: piece.id for piece in lacking for quirk in piece.quirks}


_Index = dict[tuple[Language | None, str], int]


def _index(pieces: Sequence[Piece]) -> tuple[_Index, _Index, dict[str, int]]:
    """The first piece that `answers` is true of: by the name itself, for it and all below it, and
    for a name of C++ without its namespace."""
    exact: _Index = {}
    below: _Index = {}
    stripped: dict[str, int] = {}
    for number, piece in enumerate(pieces):
        language = LANGUAGES.get(piece.plane)
        for name in piece.forms:
            exact.setdefault((language, name), number)
        for name in piece.provides:
            if piece.plane is Plane.CPP:
                stripped.setdefault(bare(name), number)
            else:
                below.setdefault((language, name), number)
    return exact, below, stripped


def is_offered(piece: Piece, surface: Surface) -> bool:
    """Whether the target has what the piece is for."""
    if piece.quirks:
        return all(surface.quirks.get(id) == () for id in piece.quirks)
    names = piece.missing or piece.provides
    side = surface.cpp if piece.plane is Plane.CPP else surface.python
    if piece.plane is Plane.BUILD or not names:
        return False
    symbols = [side.get(name) for name in names]
    present = all(symbol is not None and symbol.state is State.PRESENT for symbol in symbols)
    return present and not any(_rejects(side, form) for form in piece.accepts)


def _rejects(side: Mapping[str, Symbol], form: str) -> bool:
    """Whether the target does not take a form of call: `torch.f(key=)`, or with what it says of
    it in the place of the keyword."""
    name, _, asked = form.removesuffix(")").partition("(")
    symbol = side.get(name)
    facts = symbol.facts if symbol else ()
    return any(
        asked == (f"{fact.condition.words[0]}=" if fact.when is When.KEYWORD else fact.sentence)
        for fact in facts
    )


def _holds(
    piece: Piece,
    facts: ProjectFacts,
    files: Mapping[str, bytes],
    uses: Sequence[Use],
) -> bool:
    condition = piece.when
    if condition is Condition.REACHED_FROM_TORCH:
        paths = {use.path for use in uses if use.name in piece.mentions}
        return any(not IMPORTS_NN.search(files.get(path, b"")) for path in paths)
    if condition is Condition.FOR_ASCEND:
        return facts.ascend is not None
    if condition is Condition.CMAKE_FINDS_TORCH:
        return any(use.name == "find_package(Torch)" for use in uses)
    if "setuptools" not in facts.builds and not facts.extensions:
        return False
    if not _builds_for_torch(facts, uses):
        return False
    if condition is Condition.PYBIND11_ON_CPU:
        may_be_cpu = any(extension.kind != "CUDAExtension" for extension in facts.extensions)
        return may_be_cpu and "pybind11" in facts.registration
    positional = any(e.positional and e.kind != "Extension" for e in facts.extensions)
    by_home = any(use.name == f"{BUILDER}.CUDA_HOME" for use in uses)
    return positional or by_home or _several(facts.extensions, files)


def _builds_for_torch(facts: ProjectFacts, uses: Sequence[Use]) -> bool:
    """Whether what is built is for torch: by the classes of extensions, the sources, the script."""
    return builds_for_torch(facts) or any(
        use.language is Language.CPP or use.name.startswith(BUILDER)
        for use in uses
        if use.role is not Role.VENDORED
    )


def _several(extensions: Sequence[Extension], files: Mapping[str, bytes]) -> bool:
    """Whether one build may make more than one extension, as far as its script tells.

    Calls with the same name are alternatives of one extension.
    """
    by_script: dict[str, list[Extension]] = {}
    for extension in extensions:
        by_script.setdefault(extension.path, []).append(extension)
    return any(
        (len(found) > 1 and len({e.name or f"line {e.line}" for e in found}) > 1)
        or any(e.repeated for e in found)
        or _is_called_twice(files.get(path, b""), path, found)
        for path, found in by_script.items()
    )


def _is_called_twice(data: bytes, path: str, extensions: Iterable[Extension]) -> bool:
    """Whether an extension stands in a function that its script calls more than once.

    By name: the lines of the survey are those before any edit.
    """
    try:
        tree = python.parse(data, path).tree
    except python.Unreadable:
        return False
    kinds = {extension.kind for extension in extensions}
    calls = Counter(_call_name(node) for node in ast.walk(tree))
    return any(
        calls[function.name] > 1 and any(_call_name(node) in kinds for node in ast.walk(function))
        for function in ast.walk(tree)
        if isinstance(function, ast.FunctionDef)
    )


def _call_name(node: ast.AST) -> str | None:
    """The last part of the name that a call calls."""
    if not isinstance(node, ast.Call):
        return None
    callee = node.func
    return getattr(callee, "attr", None) or getattr(callee, "id", None)
