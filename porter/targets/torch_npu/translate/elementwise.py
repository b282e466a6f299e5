"""Kernels whose threads have an element, or some elements, each."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from porter.languages.cpp import parse
from porter.targets.torch_npu.translate import aclnn, emit, rows
from porter.targets.torch_npu.translate.grid import elements
from porter.targets.torch_npu.translate.heads import parameters_of
from porter.targets.torch_npu.translate.instructions import Scalar
from porter.targets.torch_npu.translate.numbers import constant, symbol
from porter.targets.torch_npu.translate.statements import Parser
from porter.targets.torch_npu.translate.syntax import WIDE, Untranslatable, is_integer, plain
from porter.targets.torch_npu.translate.vector import Body
from porter.targets.torch_npu.translate.wide import narrow_kernel
from porter.targets.torch_npu.translate.written import Written


def translate(own: Written) -> tuple[str, str]:
    """The kernel and the function that launches it. Raises Untranslatable."""
    whole = _narrow(own) or _whole(own)
    if (operator := aclnn.choose_operator(whole, _read)) is not None:
        return operator
    try:
        return emit.kernel(whole)
    except emit.TooLarge as error:
        raise Untranslatable(str(error), own.at) from None


def _whole(own: Written) -> emit.Whole:
    for template in own.templates:
        if template.type and not is_integer(template.type) and template.type != "bool":
            raise Untranslatable(f"the template's `{template.name}`", own.function.head)
    pointers = {p.name: own.pointer(p) for p in own.parameters if p.pointer}
    if not pointers:
        raise Untranslatable("it has no pointers", own.at)
    body = Body(pointers, "", own.floats, own.constants, own.device)
    body.state.names |= own.scalars()
    for template in own.templates:
        if template.type:
            kind = "bool" if template.type == "bool" else "int"
            body.state.names[template.name] = Scalar(template.name, kind)
    loop = elements(own.statements, body, own.function)
    body.index = loop.index
    bound = body.value(loop.bound)
    if not isinstance(bound, Scalar):
        raise Untranslatable("an element as the number of elements", own.at)
    body.run(loop.body)
    if not body.state.stores:
        raise Untranslatable("it writes nothing", own.at)
    body.keep(own.at)
    stores = {name: body.make.as_elements(value) for name, value in body.state.stores.items()}
    return replace(
        own.whole(pointers),
        bound=bound.text,
        strided=loop.strided,
        checks=tuple(c.replace("{name}", own.function.name) for c in rows.checks_apart(body.apart)),
        axes=frozenset(name for names, _ in loop.number for name in names if name.endswith(".y")),
        instructions=tuple(body.make.made),
        loads=dict(body.loads),
        stores=stores,
        guards={name: text for name, text in body.guarded.items() if text},
        kept=dict(body.state.guards),
    )


def _narrow(own: Written) -> emit.Whole | None:
    """A kernel that has several elements at a time, as one that has each by itself."""
    wide = {p.name: plain(p.type) for p in own.parameters if p.pointer and plain(p.type) in WIDE}
    known = {p.name: symbol(p.name) for p in own.parameters if not p.pointer and is_integer(p.type)}
    known |= {name: constant(number) for name, number in own.numbers().items()}
    narrow = narrow_kernel(own.statements, wide, known)
    if narrow is None:
        return None
    parameters = tuple(
        replace(p, type=WIDE[wide[p.name]][0]) if p.name in wide else p for p in own.parameters
    )
    own = replace(own, parameters=parameters)
    made = _whole(replace(own, statements=narrow.statements))
    if narrow.rest:
        rest = _whole(replace(own, statements=narrow.rest))
        if aclnn.trees(made) != aclnn.trees(rest) or made.guards or made.kept:
            raise Untranslatable("the last elements are computed differently", own.at)
        made = rest
    return replace(made, width=narrow.width)


@cache
def _read(text: str) -> emit.Whole:
    """What the one kernel of a source computes."""
    code = parse(text.encode(), "").code
    (function,) = code.functions
    statements = Parser(code, ()).body(function.opening)
    parameters = tuple(parameters_of(code, function))
    return _whole(
        Written(
            code=code,
            function=function,
            parameters=parameters,
            statements=statements,
            constants={},
        )
    )
