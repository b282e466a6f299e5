"""`__global__` functions of CUDA: those that are elementwise, as kernels in Ascend C."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from porter.languages.cpp import Function, Kind, Unit
from porter.targets.torch_npu.translate import by_rows, elementwise
from porter.targets.torch_npu.translate.accessors import Accessors
from porter.targets.torch_npu.translate.constants import constants_of, enumerations
from porter.targets.torch_npu.translate.grid import OtherElements
from porter.targets.torch_npu.translate.heads import (
    Parameter,
    Template,
    expand_accessors,
    has_word,
    host_type,
    parameters_of,
    templates_of,
)
from porter.targets.torch_npu.translate.macros import expand
from porter.targets.torch_npu.translate.statements import Parser
from porter.targets.torch_npu.translate.syntax import (
    Untranslatable,
)
from porter.targets.torch_npu.translate.written import Written


@dataclass(frozen=True, slots=True)
class Kernel:
    """A kernel of a source, with its translation or why there is none."""

    name: str
    start: int  # bytes, from its template or attributes on
    end: int
    line: int
    templates: tuple[Template, ...] = ()
    parameters: tuple[Parameter, ...] = ()
    text: str = ""  # in Ascend C
    launch: str = ""  # the function that launches it
    reason: str = ""
    reason_line: int = 0


def kernels(unit: Unit) -> Iterator[Kernel]:
    """The kernels of a source, in order."""
    code = unit.code
    written = [f for f in code.functions if has_word(code, f, "__global__")]
    places = [code.tokens[f.head].start for f in written]
    ends = [code.tokens[f.closing].end for f in written]
    other = expand(unit)
    found = [f for f in other.code.functions if has_word(other.code, f, "__global__")]
    if len(found) == len(written):
        unit = other
    else:
        found = written
    constants, enums = constants_of(unit), enumerations(unit)
    constants |= dict.fromkeys((name for names in enums.values() for name in names), "int")
    names = Counter(function.name for function in found)
    for function, start, end in zip(found, places, ends, strict=True):
        alone = names[function.name] == 1
        made = _kernel(unit, function, constants, frozenset(enums), alone=alone)
        yield replace(made, start=start, end=end)


def _kernel(
    unit: Unit,
    function: Function,
    constants: Mapping[str, str],
    enums: frozenset[str],
    *,
    alone: bool,
) -> Kernel:
    code = unit.code
    start, end = code.tokens[function.head].start, code.tokens[function.closing].end
    kernel = Kernel(function.name, start, end, code.line(function.head))
    try:
        if not alone:
            raise Untranslatable("one of several kernels with this name", function.opening)
        kernel = replace(kernel, templates=tuple(templates_of(code, function)))
        kernel = replace(kernel, parameters=tuple(parameters_of(code, function)))
        _no_branches(unit, function)
        floats = frozenset(t.name for t in kernel.templates if not t.type)
        tensors = Accessors({p.name: p.accessor for p in kernel.parameters if p.accessor})
        statements = Parser(code, floats, tensors).body(function.opening)
        text, launch = _either_way(
            Written(
                code=code,
                function=function,
                templates=kernel.templates,
                parameters=tuple(expand_accessors(kernel.parameters, tensors)),
                statements=statements,
                constants=constants,
                enums=enums,
            )
        )
        if tensors.known:
            named = [(t.name, t.type) for t in kernel.templates]
            types = [(p.name, host_type(p)) for p in kernel.parameters]
            launch = tensors.launch(function.name, named, types, launch)
        return replace(kernel, text=text, launch=launch)
    except Untranslatable as why:
        at = code.line(min(why.at, len(code.tokens) - 1))
        return replace(kernel, reason=why.reason, reason_line=at)


def _either_way(own: Written) -> tuple[str, str]:
    try:
        return elementwise.translate(own)
    except Untranslatable as why:
        try:
            return by_rows.translate(own)
        except Untranslatable as other:
            raise (other if isinstance(why, OtherElements) else why) from None


def _no_branches(unit: Unit, function: Function) -> None:
    first, last = unit.code.tokens[function.head].start, unit.code.tokens[function.closing].end
    begin, end = (bisect_left(unit.tokens, at, key=lambda t: t.start) for at in (first + 1, last))
    for token in unit.tokens[begin:end]:
        if token.kind is Kind.DIRECTIVE and token.text != "#pragma":
            raise Untranslatable(f"{token.text} in its body", function.opening)
