"""Torch-specific leftovers in one Python file."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from porter.model import Fact, Given, Residue, SourceFile, State, Surface, When
from porter.residue import forms, meanings
from porter.residue.guards import is_guarded
from porter.residue.judged import Judged, judge_quirks, lacks
from porter.residue.resolve import Kinds, Place, places
from porter.surface import arguments
from porter.surface.classes import TENSOR, makes, possible
from porter.surface.facts import select_facts, select_kinds
from porter.surface.names import Known, python_state
from porter.uses.lookup import uses

OWN = ("torch.ops.", "torch.classes.")  # what follows is the repository's, but for:
NEEDLES = (
    b"torch",
    b".numel()",
    b".element_size()",
    b"get_current_stream",
    b"TORCH_CUDA_ARCH_LIST",
)
ONLY_INSIDE = "the unit answers it for the package and its tests, not for scripts"
BY_CALLER = "the unit answers it by the file that calls, and compiled code has none"
SHARED = b".share(__file__)"  # of the unit
OF_TORCH = frozenset({"aten", "load_library", "loaded_libraries", "prim", "prims"})


@dataclass(frozen=True, slots=True)
class Lookup:
    """What a use is judged by."""

    target: Surface
    torch: Surface
    answered: Mapping[str, str]

    def look_up(self, name: str) -> Known:
        return python_state(name, self.target, self.torch)

    def answers(self, name: str) -> bool:
        """Whether the vendored unit has the name, or what it is a member of. A module is answered
        for one name in it, which says nothing of the others."""
        if name in self.answered or any(used.startswith(f"{name}.") for used in self.answered):
            return True
        while name := name.rpartition(".")[0]:
            symbol = self.torch.python.get(name)
            if name in self.answered and (symbol is None or symbol.kind != "module"):
                return True
        return False


@dataclass(frozen=True, slots=True)
class Outside:
    """Scripts, which the unit does not serve as it does the package: by themselves they find only
    what the target lacks and has once the package is imported, no methods of tensors, and nothing
    that means something else; what the package has, if they are shared it."""

    inside: Lookup
    in_package: Mapping[str, str] | None  # None: whatever the unit answers
    completed: Surface  # for scripts that import what completes the proxy

    def residue_of(
        self, file: SourceFile, tree: ast.Module, data: bytes, *, covered: bool = False
    ) -> Iterator[Residue]:
        """The leftovers of a script; `covered` where it imports what completes the proxy."""
        given = self.inside.answered if self.in_package is None else self.in_package
        if self.in_package is not None and SHARED not in data and not covered:
            given = {name: piece for name, piece in given.items() if self._is_found(name)}
        target = self.completed if covered else self.inside.target
        lookup = replace(self.inside, answered=given, target=target)
        for one in residue_of(file, tree, lookup, walrus=b":=" in data):
            if self.inside.answers(one.name):
                one = replace(one, reason=f"{one.reason}; {ONLY_INSIDE}")
            yield one

    def _is_found(self, name: str) -> bool:
        symbol = self.inside.target.python.get(name)
        plain = "(" not in name and not name.startswith("torch.Tensor.")
        return plain and (symbol is None or symbol.state is State.MISSING)


def residue_of(
    file: SourceFile, tree: ast.Module, lookup: Lookup, walrus: bool = True
) -> Iterator[Residue]:
    """The leftovers of a file, in its order."""
    found = tuple(places(tree, walrus))
    kinds = Kinds(found)
    seen: set[tuple[int, int, str]] = set()
    for place in found:
        for judged in _judge(place, kinds, lookup):
            line, column = _position(judged.at or place.node)
            key = (line, column, judged.name)
            if key not in seen:
                seen.add(key)
                yield judged.residue(file, line, column)


def find_in_cython(file: SourceFile, data: bytes, lookup: Lookup) -> Iterator[Residue]:
    """The names of torch in a Cython file that the target lacks, or that mean something else in
    every use. These the vendored unit answers by the file of the code that calls: compiled code
    has none, and gets what its own caller does (measured with Cython 3)."""
    for use in uses([(file, data)]):
        known = lookup.look_up(use.name)
        facts = [f.sentence for f in select_kinds(known.facts, When.ANY, When.CALL)]
        if known.state is State.PRESENT or (known.state is State.DIFFERENT and not facts):
            continue
        if known.state is not State.DIFFERENT and lookup.answers(known.name):
            continue
        by_caller = f"; {BY_CALLER}" if lookup.answers(known.name) else ""
        reason = f"{facts[0]}{by_caller}" if facts else lacks(lookup.target)
        yield Judged(known.name, reason, known.state).residue(file, use.line, use.column)


DEEPEST = 200  # levels of a tree


def parse(data: bytes) -> ast.Module | None:
    """The tree of a file that names torch; None for others, and for what is no Python: the scan
    says so."""
    if not any(needle in data for needle in NEEDLES):
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(data)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    return None if _is_deep(tree) else tree


def _is_deep(tree: ast.AST) -> bool:
    """Whether functions that call themselves for each node of a tree would not come to an end."""
    level = [tree]
    for _ in range(DEEPEST):
        level = [child for node in level for child in ast.iter_child_nodes(node)]
    return bool(level)


def _position(node: ast.AST) -> tuple[int, int]:
    """Line and column of the part that holds the name: the attribute's own, for an attribute."""
    end = getattr(node, "end_col_offset", None)
    if isinstance(node, ast.Attribute) and not _plain(node) and end and node.end_lineno:
        return node.end_lineno, end - len(node.attr.encode()) + 1
    return getattr(node, "lineno", 1), getattr(node, "col_offset", 0) + 1


def _plain(node: ast.AST) -> bool:
    while isinstance(node, ast.Attribute):
        node = node.value
    return isinstance(node, ast.Name)


def _judge(place: Place, kinds: Kinds, lookup: Lookup) -> Iterator[Judged]:
    node = place.node
    if isinstance(node, ast.alias):
        yield from _import(place, lookup)
    elif isinstance(node, ast.Attribute | ast.Name):
        yield from _name(place, kinds, lookup)
        yield from _judge_unanswered(meanings.judge_name(place, lookup.target), lookup)
    elif isinstance(node, ast.AugAssign):
        yield from _judge_unanswered(forms.judge_assignment(place, kinds, lookup.target), lookup)
    elif isinstance(node, ast.Call):
        yield from _judge_unanswered(meanings.judge_call(place, lookup.target), lookup)
        yield from _call(place, kinds, lookup)
        yield from _judge_unanswered(forms.judge_call(place, kinds, lookup.target), lookup)
        yield from _judge_by_text(place, kinds, lookup)


def _judge_unanswered(found: Iterable[Judged], lookup: Lookup) -> Iterator[Judged]:
    """What the target's quirks say of forms, but for what the vendored unit answers."""
    return (judged for judged in found if not lookup.answers(judged.name))


def is_torch(name: str | None) -> bool:
    """Whether a dotted name is torch's, not one the repository registered."""
    if name is None or (name != "torch" and not name.startswith("torch.")):
        return False
    return not name.startswith(OWN) or name.split(".")[2] in OF_TORCH


def _import(place: Place, lookup: Lookup) -> Iterator[Judged]:
    alias, statement = place.node, place.around[-1]
    assert isinstance(alias, ast.alias)
    name = alias.name
    if isinstance(statement, ast.ImportFrom):
        if statement.level or alias.name == "*":
            return
        name = f"{statement.module}.{alias.name}"
    if is_torch(name):
        known = lookup.look_up(name)
        if known.state in (State.MISSING, State.UNKNOWN):
            yield from _unless(place, name, known, lookup)
    else:
        yield from forms.judge_name(place, name, lookup.target)


def _name(place: Place, kinds: Kinds, lookup: Lookup) -> Iterator[Judged]:
    node = place.node
    parent = place.around[-1]
    if isinstance(parent, ast.Attribute):
        return  # the longest chain is judged
    name = place.scope.resolve(node)
    if name is None:
        yield from _find_in_chains(place, kinds, lookup)
        yield from forms.judge_variable(place, lookup.look_up)
        return
    if not is_torch(name):
        yield from forms.judge_name(place, name, lookup.target)
        return
    stored = isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load)
    if stored and lookup.look_up(name).state is not State.MISSING:
        if not lookup.answers(name) and not is_guarded(place, name):
            for judged in judge_quirks(lookup.target, "torch", "attribute_assigned"):
                yield replace(judged, name=name)
        return
    yield from _judge_known(place, name, lookup)


def _find_in_chains(place: Place, kinds: Kinds, lookup: Lookup) -> Iterator[Judged]:
    """Attributes of objects, each of a chain like `f(x).cuda_stream.value`."""
    node: ast.AST = place.node
    outer = place
    while isinstance(node, ast.Attribute):
        if node.attr in possible():
            name = kinds.member(node, place.scope)
            if name is not None:
                yield from _judge_known(outer, name, lookup)
        outer = Place(node.value, place.scope, (*outer.around, node))
        node = node.value


def _judge_known(place: Place, name: str, lookup: Lookup) -> Iterator[Judged]:
    known = lookup.look_up(name)
    if known.state in (State.MISSING, State.UNKNOWN):
        yield from _unless(place, name, known, lookup)
    elif known.facts:
        yield from _different(place, known, lookup)


def _unless(place: Place, name: str, known: Known, lookup: Lookup) -> Iterator[Judged]:
    if lookup.answers(known.name) or is_guarded(place, name):
        return
    if known.state is State.UNKNOWN:
        reason = known.facts[0].sentence if known.facts else "this build of the target cannot tell"
    else:
        reason = "; ".join((lacks(lookup.target), *(f.sentence for f in known.facts)))
    yield Judged(known.name, reason, known.state)


def _different(place: Place, known: Known, lookup: Lookup) -> Iterator[Judged]:
    """Facts that a use meets by itself; those about a call's arguments are judged with the call."""
    call = place.around[-1]
    called = isinstance(call, ast.Call) and call.func is place.node
    asked = select_facts(known.facts, called=called)
    for fact in _facts_that_hold(asked, place, call if called else place.node, known.name, lookup):
        if not lookup.answers(known.name) and not is_guarded(place, known.name):
            yield Judged(known.name, fact.sentence, State.DIFFERENT)
            return
    for fact in known.facts:
        met = (fact.when is When.TRUTH and forms.is_tested(place)) or (
            fact.when is When.GATE and forms.is_compared(place)
        )
        if met and not lookup.answers(known.name) and not is_guarded(place, known.name):
            yield Judged(known.name, fact.sentence, State.DIFFERENT)
            return


def _facts_that_hold(
    facts: Iterable[Fact], place: Place, call: ast.AST, name: str, lookup: Lookup
) -> list[Fact]:
    """Those of these facts that surely hold, by the arguments of a call if it is one."""

    def look(value: ast.expr) -> str:
        if isinstance(value, ast.Call):
            called = place.scope.resolve(value.func)
            return arguments.TENSOR if called and makes(called) == TENSOR else ""
        known = place.scope.value(value.id) if isinstance(value, ast.Name) else None
        return arguments.describe(known, lambda _: "") if known is not None else ""

    given = Given(fate="written" if forms.is_written(place) else "", called=False)
    if isinstance(call, ast.Call):
        given = arguments.read_arguments(call, look)
    symbol = lookup.torch.python.get(name)
    return [f for f in facts if arguments.holds(f, given, symbol) is arguments.Holds.YES]


def _call(place: Place, kinds: Kinds, lookup: Lookup) -> Iterator[Judged]:
    """Keywords and positions that the target's callable rejects; a piece of the vendored unit
    that replaces a callable is still asked for these, but for the forms it says it accepts."""
    call = place.node
    assert isinstance(call, ast.Call)
    names = place.scope.callee_names(call.func)
    if not names and isinstance(call.func, ast.Attribute) and call.func.attr in possible():
        member = kinds.member(call.func, place.scope, sure=True)
        names = (member,) if member is not None else ()
    for name in dict.fromkeys(names):
        if is_torch(name):
            yield from _form(place, call, name, lookup)


def _judge_by_text(place: Place, kinds: Kinds, lookup: Lookup) -> Iterator[Judged]:
    """An attribute asked for by its name as text, with a number where it is missing."""
    assert isinstance(place.node, ast.Call)
    asked = forms.fallback(place.node)
    if asked is not None and asked.value in possible():
        attribute = ast.Attribute(place.node.args[0], str(asked.value), ast.Load())
        name = kinds.member(attribute, place.scope)
        if name is not None:
            yield from _judge_known(place, name, lookup)


def _form(place: Place, call: ast.Call, name: str, lookup: Lookup) -> Iterator[Judged]:
    known = lookup.look_up(name)
    if known.state not in (State.PRESENT, State.DIFFERENT) or not known.facts:
        return
    keywords = {k.arg for k in call.keywords if k.arg is not None}
    stars = [k for k, a in enumerate(call.args) if isinstance(a, ast.Starred)]
    positional = stars[0] + 1 if stars else len(call.args)  # a starred one is one or more
    asked = select_facts(known.facts, called=True, positional=positional, keywords=keywords)
    facts = _facts_that_hold(asked, place, call, known.name, lookup)
    if not facts or is_guarded(place, name):
        return
    for fact in facts:
        by_keyword = fact.when is When.KEYWORD
        form = f"{fact.condition.words[0]}=" if by_keyword else fact.sentence
        if f"{known.name}({form})" in lookup.answered:
            continue
        if by_keyword:
            yield Judged(f"{known.name}({form})", fact.sentence, State.DIFFERENT)
        elif fact.when is When.POSITION:
            yield Judged(known.name, fact.sentence, State.DIFFERENT)
