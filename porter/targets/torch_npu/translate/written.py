"""A kernel as it is written, and what is around it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from porter.languages.cpp import Code, Function
from porter.targets.torch_npu.translate.constants import numbers_of
from porter.targets.torch_npu.translate.device import DeviceFunction, device_function
from porter.targets.torch_npu.translate.emit import Whole
from porter.targets.torch_npu.translate.heads import Parameter, Template, restore_parameters
from porter.targets.torch_npu.translate.instructions import Pointer, Scalar
from porter.targets.torch_npu.translate.syntax import (
    FLOATING,
    HALVES,
    Statement,
    Untranslatable,
    is_integer,
    plain,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """A kernel of a file; `parameters` have pointers and numbers for each accessor."""

    code: Code
    function: Function
    templates: tuple[Template, ...] = ()
    parameters: tuple[Parameter, ...]
    statements: tuple[Statement, ...]
    constants: Mapping[str, str]  # of the file, and their types
    enums: frozenset[str] = frozenset()

    @property
    def at(self) -> int:
        """The token at which what is said of all of it is."""
        return self.function.opening

    @property
    def floats(self) -> frozenset[str]:
        """Types that are parameters of the template."""
        return frozenset(t.name for t in self.templates if not t.type)

    def device(self, name: str, at: int) -> DeviceFunction | None:
        return device_function(self.code, name, at)

    def numbers(self) -> dict[str, int]:
        """The constants of the file that are whole numbers."""
        return numbers_of(self.code.unit, self.constants)

    def pointer(self, parameter: Parameter) -> Pointer:
        """A parameter that points to elements. Raises Untranslatable for others."""
        type = plain(parameter.type)
        if type == "float" or type in self.floats:
            element = type
        elif type in HALVES:
            element = HALVES[type]
        else:
            why = "the vector unit has no double" if type == "double" else "elements of this type"
            raise Untranslatable(f"`{parameter.name}` points to {type}: {why}", self.at)
        return Pointer(parameter.name, element, parameter.restrict, parameter.constant)

    def scalars(self) -> dict[str, Scalar]:
        """The parameters that are numbers. Raises Untranslatable."""
        return {p.name: self._scalar(p) for p in self.parameters if not p.pointer}

    def _scalar(self, parameter: Parameter) -> Scalar:
        type = plain(parameter.type)
        if type == "bool":
            return Scalar(parameter.name, "bool")
        if is_integer(type) or type in self.enums:
            return Scalar(parameter.name, "int")
        if type in FLOATING or type in self.floats or type in HALVES:
            return Scalar(parameter.name, "float")
        raise Untranslatable(f"the parameter `{parameter.name}` of the type `{type}`", self.at)

    def whole(self, pointers: Mapping[str, Pointer]) -> Whole:
        """What is written of it in Ascend C, but for what it does."""
        return Whole(
            name=self.function.name,
            templates=tuple((t.name, t.type) for t in self.templates),
            parameters=restore_parameters(self.parameters),
            elements={name: pointer.type for name, pointer in pointers.items()},
            floats=self.floats,
        )
