"""What names and elements are after the two sides of a condition."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from porter.targets.torch_npu.translate.instructions import Instructions, Scalar, Value, Vector
from porter.targets.torch_npu.translate.syntax import Untranslatable


@dataclass(slots=True)
class State:
    """What the names and the elements of the pointers are at a point of the body."""

    names: dict[str, Value] = field(default_factory=dict)
    stores: dict[str, Value] = field(default_factory=dict)
    guards: dict[str, str] = field(default_factory=dict)  # of stores: where they are made at all

    def copy(self) -> State:
        return State(dict(self.names), dict(self.stores), dict(self.guards))


@dataclass(frozen=True, slots=True)
class Branches:
    """The states before a condition and after each of its sides."""

    make: Instructions
    condition: Value
    before: State
    then: State
    otherwise: State

    def names(self, known: Iterable[str]) -> dict[str, Value]:
        """What those names are that have a value after both sides."""
        found: dict[str, Value] = {}
        for name in known:
            a, b = self.then.names.get(name), self.otherwise.names.get(name)
            if a is not None and b is not None:
                found[name] = a if a == b else self.make.select(self.condition, a, b)
        return found

    def all_stores(self) -> dict[str, Value]:
        """Return the pointers that are written on a side."""
        return {**self.then.stores, **self.otherwise.stores}

    def store(self, name: str, loaded: Callable[[str], Vector], at: int) -> tuple[Value, str]:
        """What a pointer's element is, and where it is written at all ("" for everywhere).

        Raises Untranslatable where that is a matter of both sides."""
        sides = [side for side in (self.then, self.otherwise) if name in side.stores]
        if isinstance(self.condition, Scalar) and len(sides) == 1:
            (side,) = sides
            own = self.condition.text if side is self.then else f"!{self.condition.text}"
            inner = side.guards.get(name)
            return side.stores[name], f"{own} && {inner}" if inner else own
        if any(name in side.guards for side in sides):
            before = self.before.guards.get(name), self.before.stores.get(name)
            if any((side.guards.get(name), side.stores[name]) != before for side in sides):
                raise Untranslatable("a place that is written conditionally", at)
            return self.before.stores[name], self.before.guards[name]
        a = self.then.stores.get(name) or loaded(name)
        b = self.otherwise.stores.get(name) or loaded(name)
        return a if a == b else self.make.select(self.condition, a, b), ""

    def one_sided(self, name: str) -> bool:
        return name not in self.then.stores or name not in self.otherwise.stores
