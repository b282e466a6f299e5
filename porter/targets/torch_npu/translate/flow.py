"""What a loop's body takes from the turn before, and by which operator."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from porter.targets.torch_npu.translate.instructions import Instruction, Vector


@dataclass(frozen=True, slots=True)
class Flow:
    """What the values of a loop's body are made of."""

    made: Mapping[int, Instruction]
    begins: set[int]  # what is there from the column before
    memory: dict[int, frozenset[int]] = field(default_factory=dict)

    def needs(self, value: Vector) -> frozenset[int]:
        """Which of what the columns before left."""
        if value.number not in self.memory:
            found = frozenset((value.number,)) & self.begins
            if value.number in self.made:
                for given in self.made[value.number].given:
                    if isinstance(given, Vector):
                        found |= self.needs(given)
            self.memory[value.number] = found
        return self.memory[value.number]

    def operator(self, final: Vector, begin: Vector) -> str | None:
        """By which operator a value goes from column to column, if by one alone."""
        instruction = self.made.get(final.number)
        vectors = [v for v in (instruction.given if instruction else ()) if isinstance(v, Vector)]
        match instruction:
            case Instruction("Add"):
                own = [v for v in vectors if self.needs(v)]
                return "+" if len(own) == 1 and self._goes_on(own[0], begin, "+") else None
            case Instruction("Select", _, (condition, then, otherwise)):
                assert isinstance(condition, Vector)
                assert isinstance(then, Vector) and isinstance(otherwise, Vector)
                if not self.needs(condition):
                    both = self._goes_on(then, begin, "+") and self._goes_on(otherwise, begin, "+")
                    return "+" if both else None
                own = [v for v in (then, otherwise) if self.needs(v)]
                sign = self._order(condition, then, otherwise)
                if len(own) == 1 and sign and self._goes_on(own[0], begin, sign):
                    return sign
        return None

    def _goes_on(self, value: Vector, begin: Vector, operator: str) -> bool:
        return value == begin or (
            self.needs(value) == {begin.number} and self.operator(value, begin) == operator
        )

    def _order(self, condition: Vector, then: Vector, otherwise: Vector) -> str | None:
        """Whether the greater or the less of two is chosen."""
        instruction = self.made.get(condition.number)
        match instruction:
            case Instruction("Or", _, (Vector() as first, Vector() as second)):
                other = self.made.get(second.number)
                if other is None or other.name != "Compare" or other.given[0] != other.given[1]:
                    return None
                if other.given[2] != "CMPMODE::NE":
                    return None
                return self._order(first, then, otherwise)
            case Instruction("Compare", _, (left, right, mode)) if {left, right} == {
                then,
                otherwise,
            }:
                greater = mode in ("CMPMODE::GT", "CMPMODE::GE")
                if not greater and mode not in ("CMPMODE::LT", "CMPMODE::LE"):
                    return None
                return "max" if greater == (left == then) else "min"
        return None
