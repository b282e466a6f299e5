"""Calls of `OpPreparation::apply_tensor(...)` and other functions that are not exported."""

from collections.abc import Iterator

from porter.ascend.own_files import is_own_file
from porter.languages.cpp import Unit
from porter.model import Edit, Match, ProjectFacts, State
from porter.surface.load import load_newest
from porter.targets.torch_npu.names import qualify_names, uses_libtorch

SAID = "{} compiles, and the library cannot be loaded: libtorch_npu.so does not export it"
LIBTORCH = ("torch_npu::init_npu", "torch_npu::finalize_npu")  # which libtorch_npu does
EXPORTED = "_without_format"  # the form of apply_tensor that is


def check(unit: Unit, facts: ProjectFacts) -> Iterator[Match]:
    if is_own_file(unit.path, facts):
        return
    names = load_newest("torch_npu").cpp
    own = facts.ascend.own if facts.ascend else frozenset[str]()
    for name, first, last in qualify_names(unit):
        symbol = names.get(name)
        if symbol is None or symbol.state is State.PRESENT or name in own:
            continue
        if name in LIBTORCH and uses_libtorch(unit):
            continue
        called = last + 1 < len(unit.tokens) and unit.tokens[last + 1].text in ("(", "<")
        if not called or _declares(unit, first):
            continue
        other = names.get(name + EXPORTED)
        offered = other is not None and other.state is State.PRESENT
        token = unit.tokens[last]
        edits = (Edit(token.span, (token.text + EXPORTED).encode()),) if offered else ()
        said = SAID.format(name) + (f"; {token.text}{EXPORTED} it does" if offered else "")
        yield Match(token.span, edits, message=said, name=name)


def _declares(unit: Unit, first: int) -> bool:
    """Whether a type stands before: it is defined here."""
    before = unit.tokens[first - 1].text if first else ""
    return before in ("&", "*", ">") or before in ("void", "int", "bool", "auto", "Tensor")
