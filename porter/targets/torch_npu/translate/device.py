"""Functions for the device, which kernels call."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from porter.languages.cpp import Code, Function, Unit
from porter.targets.torch_npu.translate.heads import (
    Parameter,
    Template,
    has_word,
    parameters_of,
    templates_of,
)
from porter.targets.torch_npu.translate.statements import Parser
from porter.targets.torch_npu.translate.syntax import Expression, Statement, Untranslatable
from porter.targets.torch_npu.translate.trees import words


@dataclass(frozen=True, slots=True)
class DeviceFunction:
    """A function of the file for the device."""

    name: str  # as it is called
    code: Code
    function: Function
    templates: tuple[Template, ...]
    parameters: tuple[Parameter, ...]

    @property
    def floats(self) -> frozenset[str]:
        return frozenset(t.name for t in self.templates if not t.type)

    def body(self) -> tuple[Statement, ...]:
        """Its statements. Raises Untranslatable."""
        return Parser(self.code, self.floats).body(self.function.opening)

    def defaults(self) -> tuple[Expression | None, ...]:
        return tuple(_default(self.code, parameter) for parameter in self.parameters)

    @property
    def returns(self) -> str:
        """The type that it returns, its last word."""
        tokens, function = self.code.tokens, self.function
        for place in range(function.head, function.opening):
            if tokens[place].text == function.name and tokens[place + 1].text == "(":
                before = tokens[place - 1].text
                if tokens[place - 2].text == "::":
                    return f"{tokens[place - 3].text}::{before}"
                return before
        return ""


def device_function(code: Code, name: str, at: int) -> DeviceFunction | None:
    """The function of a file that a call means, if it is one of the file."""
    short = name.rpartition("::")[2]
    found = [f for f in code.functions if f.name == short and has_word(code, f, "__device__")]
    if len(found) > 1:
        raise Untranslatable(f"one of several functions named `{name}`", at)
    if not found:
        return None
    (function,) = found
    templates = tuple(templates_of(code, function))
    return DeviceFunction(name, code, function, templates, tuple(parameters_of(code, function)))


def device_functions(unit: Unit) -> Iterator[Function]:
    """Functions for the device only."""
    for function in (*unit.code.functions, *unit.code.declared):
        words = {t.text for t in unit.code.tokens[function.head : function.opening]}
        if "__device__" in words and "__host__" not in words and "__global__" not in words:
            yield function


def _default(code: Code, parameter: Parameter) -> Expression | None:
    """A default value that is the same wherever it stands."""
    if not parameter.default:
        return None
    reader = Parser(code, ())
    reader.at = parameter.default
    value = reader.expression()
    return None if words(value) else value
