"""From a name as it is used to the name a surface lists, and to its state."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from porter.model import Fact, State, Surface, Symbol
from porter.surface.facts import note

OF_MODULES = ("__dict__", "__file__", "__name__", "__path__", "__spec__", *dir(object))
OTHER_NAMESPACES = {"torch": ("at", "c10"), "at": ("c10",)}  # each one uses the next


@dataclass(frozen=True, slots=True)
class Known:
    """What a target has for a name: the name as listed, its state and its facts."""

    name: str
    state: State
    facts: tuple[Fact, ...] = ()


def python_name(name: str, torch: Mapping[str, Symbol]) -> str:
    """The longest part of a dotted name that torch lists; one word more where that is a
    module, since the word is then a name of the module that the list does not have."""
    words = name.split(".")
    for count in range(len(words), 0, -1):
        prefix = ".".join(words[:count])
        if prefix in torch:
            more = torch[prefix].kind == "module" and count < len(words)
            return ".".join(words[: count + 1]) if more else prefix
    return words[0]


def python_state(name: str, target: Surface, torch: Surface) -> Known:
    """What the target has for a Python name."""
    listed = python_name(name, torch.python)
    longer = name.split(".")[: listed.count(".") + 2]  # of which only the target's quirks know
    if ".".join(longer) in target.python:
        listed = ".".join(longer)
    symbol = target.python.get(listed)
    if symbol is not None:
        return Known(listed, symbol.state, symbol.facts)
    parent = target.python.get(listed.rpartition(".")[0])
    if (parent is not None and parent.state is State.MISSING) or _lacks_root(listed, target.python):
        return Known(listed, State.MISSING)
    if parent is not None and parent.kind == "module" and listed.endswith(OF_MODULES):
        return Known(listed, State.PRESENT)
    where = "the target" if listed in torch.python else f"torch {torch.version}"
    return Known(listed, State.UNKNOWN, (note(f"is not in porter's list of the names of {where}"),))


def _lacks_root(name: str, listed: Mapping[str, Symbol]) -> bool:
    """Whether a target says that it has nothing of a whole module or namespace: torch, at."""
    root = listed.get(name.replace("::", ".").partition(".")[0])
    return root is not None and root.state is State.MISSING


def cpp_name(name: str, torch: Mapping[str, Symbol]) -> str:
    """The name torch declares for a qualified name: `torch::kFloat` is `c10::kFloat`."""
    words = name.split("::")
    roots = (words[0], *OTHER_NAMESPACES.get(words[0], ()))
    for count in range(len(words), 1, -1):
        rest = "::".join(words[1:count])
        for root in roots:
            if f"{root}::{rest}" in torch:
                return f"{root}::{rest}"
    return name


def declares(name: str, torch: Mapping[str, Symbol]) -> bool:
    """Whether torch has a qualified C++ name itself, not only a namespace around it."""
    listed = cpp_name(name, torch)
    return listed in torch and listed.count("::") == name.count("::")


def cpp_state(name: str, target: Surface, torch: Surface) -> Known | None:
    """What the target has for a C++ name, macro or `<header>`; None where it is not torch's."""
    if name.startswith("<") or "::" not in name:
        symbol = target.cpp.get(name)
        if symbol is None:
            return Known(name, State.MISSING) if name.startswith("<") else None
        return Known(name, symbol.state, symbol.facts)
    written, listed = target.cpp.get(name), cpp_name(name, torch.cpp)
    if written is not None and written.state is State.PRESENT:
        return Known(name, State.PRESENT, written.facts)
    symbol = target.cpp.get(listed)
    if symbol is None and _lacks_root(listed, target.cpp):
        return Known(listed, State.MISSING)
    if symbol is None:
        return Known(listed, State.UNKNOWN, (note(f"torch {torch.version} does not declare it"),))
    known = listed.count("::") == name.count("::")
    if not known and symbol.kind == "namespace":  # of which the list has only some names
        inside = "::".join(name.split("::")[: listed.count("::") + 2])
        if symbol.state is State.MISSING:
            return Known(inside, State.MISSING, symbol.facts)
        return Known(name, State.UNKNOWN, (note(f"torch {torch.version} does not declare it"),))
    return Known(listed, symbol.state, symbol.facts)
