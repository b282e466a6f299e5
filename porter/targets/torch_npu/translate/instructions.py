"""Values of a kernel's elements, and the vector instructions that make them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from porter.targets.torch_npu.translate.syntax import Untranslatable

_MODES = {"<": "LT", ">": "GT", "<=": "LE", ">=": "GE", "==": "EQ", "!=": "NE"}
_FLIPPED = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "==": "==", "!=": "!="}
_ARITHMETIC = {"+": "Add", "-": "Sub", "*": "Mul", "/": "Div"}
_DOUBLE = re.compile(r"(?:[0-9]+\.[0-9]*|\.[0-9]+|[0-9]+(?=[eE]))(?:[eE][+-]?[0-9]+)?")


@dataclass(frozen=True, slots=True)
class Vector:
    """A value of each element: `float`, or `mask`, a bit."""

    number: int
    mask: bool = False


@dataclass(frozen=True, slots=True)
class Scalar:
    """A value that all elements share, as C++: `float`, `int` or `bool`."""

    text: str
    type: str


Value = Vector | Scalar


@dataclass(frozen=True, slots=True)
class Instruction:
    """`name(to, from...)`; what is no vector among `given` is a text."""

    name: str
    to: Vector
    given: tuple[Vector | str, ...]


@dataclass(frozen=True, slots=True)
class Pointer:
    """A parameter that points to elements, or the part of one that a row is."""

    name: str
    type: str  # of the elements, in Ascend C
    restrict: bool
    constant: bool
    base: str = ""  # the parameter, where `name` is that of a part
    offset: str = ""  # of the part

    def apart_from(self, other: Pointer, at: int) -> set[tuple[str, str]]:
        """The parameters that a launch has to check not to be the same memory. Raises
        Untranslatable where they are the same parameter."""
        if self.restrict or other.restrict:
            return set()
        first, second = sorted((self.base or self.name, other.base or other.name))
        if first == second:
            why = f"`{first}` is read after a write to another place that may be the same"
            raise Untranslatable(why, at)
        return {(first, second)}


@dataclass(slots=True)
class Instructions:
    """The instructions so far, in order."""

    made: list[Instruction] = field(default_factory=list)
    count: int = 0

    def number(self) -> Vector:
        """Return a new value that no instruction makes."""
        self.count += 1
        return Vector(self.count)

    def new(self, name: str, *given: Vector | str, mask: bool = False) -> Vector:
        """Add an instruction and return its result."""
        self.count += 1
        made = Vector(self.count, mask)
        self.made.append(Instruction(name, made, given))
        return made

    def full(self, text: str) -> Vector:
        return self.new("Duplicate", text)

    def as_elements(self, value: Value) -> Vector:
        """A value as floats, one an element."""
        if isinstance(value, Scalar):
            return self.full(as_float(value))
        if value.mask:
            return self.new("Select", value, self.full("1.0f"), self.full("0.0f"))
        return value

    def as_floats(self, value: Value) -> Value:
        if isinstance(value, Scalar):
            return Scalar(as_float(value), "float")
        return self.as_elements(value)

    def truth(self, value: Value) -> Value:
        """A value as a condition."""
        if isinstance(value, Scalar):
            return value if value.type == "bool" else Scalar(f"({value.text} != 0)", "bool")
        if value.mask:
            return value
        return self.new("CompareScalar", value, "0.0f", "CMPMODE::NE", mask=True)

    def mask(self, value: Value) -> Vector:
        if isinstance(value, Vector):
            return value
        chosen = self.full(f"({value.text} ? 1.0f : 0.0f)")
        return self.new("CompareScalar", chosen, "0.0f", "CMPMODE::NE", mask=True)

    def select(self, condition: Value, then: Value, otherwise: Value) -> Value:
        if isinstance(condition, Scalar):
            if isinstance(then, Scalar) and isinstance(otherwise, Scalar):
                text = f"({condition.text} ? {then.text} : {otherwise.text})"
                return Scalar(text, common(then, otherwise))
            condition = self.mask(condition)
        if is_truth(then) and is_truth(otherwise):
            first = self.new("And", condition, self.mask(then), mask=True)
            unset = self.new("Not", condition, mask=True)
            second = self.new("And", unset, self.mask(otherwise), mask=True)
            return self.new("Or", first, second, mask=True)
        return self.new("Select", condition, self.as_elements(then), self.as_elements(otherwise))

    def binary(self, at: int, operator: str, left: Value, right: Value) -> Value:
        if operator in ("&&", "||"):
            return self.both(operator, self.truth(left), self.truth(right))
        if isinstance(left, Scalar) and isinstance(right, Scalar):
            return _combine_scalars(operator, left, right)
        if operator in _MODES:
            return self.compare(operator, left, right)
        if operator not in _ARITHMETIC:
            raise Untranslatable(f"`{operator}` of elements", at)
        if isinstance(right, Scalar) and operator != "/":
            return self._combine_with_scalar(operator, self.as_elements(left), right)
        if isinstance(left, Scalar) and operator != "/":
            vector = self.as_elements(right)
            if operator == "-":  # s - x is (-x) + s
                return self.new("Adds", self.new("Muls", vector, "-1.0f"), as_float(left))
            return self._combine_with_scalar(operator, vector, left)
        return self.new(_ARITHMETIC[operator], self.as_elements(left), self.as_elements(right))

    def _combine_with_scalar(self, operator: str, left: Vector, right: Scalar) -> Vector:
        text = as_float(right)
        if operator == "-":
            return self.new("Adds", left, f"-{text}")
        return self.new("Adds" if operator == "+" else "Muls", left, text)

    def compare(self, operator: str, left: Value, right: Value) -> Vector:
        if isinstance(left, Scalar):
            left, right, operator = right, left, _FLIPPED[operator]
        mode, first = f"CMPMODE::{_MODES[operator]}", self.as_elements(left)
        if isinstance(right, Scalar):
            return self.new("CompareScalar", first, as_float(right), mode, mask=True)
        return self.new("Compare", first, self.as_elements(right), mode, mask=True)

    def both(self, operator: str, left: Value, right: Value) -> Value:
        """`&&` or `||` of two conditions."""
        if isinstance(left, Scalar) and isinstance(right, Scalar):
            return Scalar(f"({left.text} {operator} {right.text})", "bool")
        name = "And" if operator == "&&" else "Or"
        return self.new(name, self.mask(left), self.mask(right), mask=True)

    def negate(self, value: Value) -> Value:
        if isinstance(value, Scalar):
            return Scalar(f"(-{value.text})", "int" if value.type == "bool" else value.type)
        return self.new("Muls", self.as_elements(value), "-1.0f")

    def invert(self, value: Value) -> Value:
        """`!` of a condition."""
        if isinstance(value, Scalar):
            return Scalar(f"(!{value.text})", "bool")
        return self.new("Not", value, mask=True)


def is_truth(value: Value) -> bool:
    return value.mask if isinstance(value, Vector) else value.type == "bool"


def common(a: Scalar, b: Scalar) -> str:
    """The type of an expression of two scalars."""
    kinds = {a.type, b.type}
    return "float" if "float" in kinds else "int" if "int" in kinds else "bool"


def _combine_scalars(operator: str, left: Scalar, right: Scalar) -> Scalar:
    type = "bool" if operator in _MODES else common(left, right)
    type = "int" if type == "bool" and operator not in _MODES else type
    return Scalar(f"({left.text} {operator} {right.text})", type)


def literal_value(text: str) -> Scalar:
    """A literal."""
    digits = text.rstrip("fFlL")
    if _DOUBLE.fullmatch(digits) and not text.lower().startswith("0x"):
        return Scalar(f"{digits}{'0' if digits.endswith('.') else ''}f", "float")
    return Scalar(text, "int")


def as_float(value: Scalar) -> str:
    return value.text if value.type == "float" else f"static_cast<float>({value.text})"
