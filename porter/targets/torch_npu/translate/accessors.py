"""Accessors of tensors (`PackedTensorAccessor32<T, 2> x`, `x[n][c]`) as pointers with strides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from porter.targets.torch_npu.translate.prelude import NAMESPACE
from porter.targets.torch_npu.translate.syntax import (
    Binary,
    Expression,
    Index,
    Name,
    Number,
    Untranslatable,
)

TYPES = frozenset(("PackedTensorAccessor32", "PackedTensorAccessor64", "PackedTensorAccessor"))


@dataclass(frozen=True, slots=True)
class Accessor:
    """A parameter: its elements, how many dimensions it has, and its type in a host's words."""

    name: str
    element: str
    dimensions: int
    type: str
    constant: bool
    restrict: bool


@dataclass(slots=True)
class Accessors:
    """Those of a kernel, and the planes of each that it is about: `x[n][1][c]` is in plane 1."""

    known: dict[str, Accessor] = field(default_factory=dict)
    planes: dict[str, dict[str, tuple[tuple[int, str], ...]]] = field(default_factory=dict)

    def size(self, name: str, dimension: Expression, kind: str) -> Name:
        match dimension:
            case Number(at, text) if text.isdigit() and int(text) < self.known[name].dimensions:
                return Name(at, f"{name}_{kind}_{text}")
        raise Untranslatable(f"the size of a dimension of `{name}`", dimension.at)

    def element(self, at: int, name: str, indices: Sequence[Expression]) -> Index:
        accessor = self.known[name]
        if len(indices) != accessor.dimensions:
            raise Untranslatable(f"a part of `{name}`", at)
        fixed: list[tuple[int, str]] = []
        place = indices[-1]
        for dimension, index in reversed(list(enumerate(indices[:-1]))):
            if isinstance(index, Number):
                fixed.append((dimension, index.text))
                continue
            stride = Name(at, f"{name}_stride_{dimension}")
            place = Binary(at, "+", Binary(at, "*", index, stride), place)
        plane = "_".join([name, *(f"at_{d}_{number}" for d, number in reversed(fixed))])
        self.planes.setdefault(name, {})[plane] = tuple(fixed)
        return Index(at, plane, place)

    def launch(
        self,
        kernel: str,
        templates: Sequence[tuple[str, str]],
        parameters: Sequence[tuple[str, str]],
        inner: str,
    ) -> str:
        """The function that launches a kernel, given its accessors, by the one given pointers.
        `parameters` are names and, but for accessors, types."""
        own = f"launch_{kernel}_at"
        text = inner.replace(f"void launch_{kernel}(", f"void {own}(", 1)
        given = [f"const {NAMESPACE}::Dim &grid_", f"const {NAMESPACE}::Dim &block_"]
        passed = ["grid_", "block_"]
        checks: list[str] = []
        for name, type in parameters:
            accessor = self.known.get(name)
            if accessor is None:
                given.append(f"{type}{'' if type.endswith('*') else ' '}{name}")
                passed.append(name)
                continue
            given.append(f"const {accessor.type} &{name}")
            for fixed in self.planes.get(name, {}).values():
                places = (f" + {number} * {name}.stride({d})" for d, number in fixed)
                passed.append(f"{name}.data()" + "".join(places))
            last = accessor.dimensions - 1
            for dimension in range(accessor.dimensions):
                passed.append(f"static_cast<int64_t>({name}.size({dimension}))")
                if dimension != last:
                    passed.append(f"static_cast<int64_t>({name}.stride({dimension}))")
            said = f'"{kernel}: `{name}` is not contiguous"'
            apart = [f"({name}.stride({last}) == 1 || {name}.size({last}) == 1)"]
            apart += [
                f"{name}.stride({d}) >= {name}.stride({d + 1}) * {name}.size({d + 1})"
                for d in range(last)
            ]
            checks += [f"    TORCH_CHECK({' && '.join(apart)}, {said});\n"]
        head = ", ".join(f"{type or 'typename'} {name}" for name, type in templates)
        names = ", ".join(name for name, _ in templates)
        call = f"{own}<{names}>" if names else own
        head = f"template <{head}>\n" if head else ""
        return (
            f"{text}\n{head}void launch_{kernel}({', '.join(given)}) {{\n{''.join(checks)}"
            f"    {call}({', '.join(passed)});\n}}\n"
        )
