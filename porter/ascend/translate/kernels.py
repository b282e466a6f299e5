"""`__global__` functions of CUDA: those that are elementwise, as kernels in Ascend C."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

from porter.ascend.translate import accessors, aclnn, emit, row_text, rows, values
from porter.ascend.translate.macros import expanded
from porter.ascend.translate.numbers import FLAT, Polynomial, constant, polynomial, symbol
from porter.ascend.translate.readings import readings
from porter.ascend.translate.syntax import (
    FLOATING,
    HALVES,
    WIDE,
    Alias,
    Array,
    Assign,
    Binary,
    Block,
    Declare,
    Do,
    Expression,
    For,
    If,
    Macro,
    Name,
    Parser,
    Return,
    Statement,
    Unary,
    Untranslatable,
    is_integer,
    plain,
)
from porter.ascend.translate.trees import changed, mapped, words
from porter.ascend.translate.vector import Body, Helper, Pointer, Scalar, unknown
from porter.ascend.translate.wide import narrowed
from porter.languages.cpp import Code, Function, Kind, Unit, parse

_RESTRICT = frozenset(("__restrict__", "__restrict", "restrict"))
# What these names stand for in CUDA code everywhere: a grid-stride loop.
_LOOPS = frozenset(("CUDA_KERNEL_LOOP", "CUDA_1D_KERNEL_LOOP", "CUDA_KERNEL_LOOP_TYPE"))


@dataclass(frozen=True, slots=True)
class Parameter:
    type: str  # as written, without const and *; of a pointer that of its elements
    name: str
    pointer: bool
    constant: bool
    restrict: bool
    default: int = 0  # the token that its default value begins at
    accessor: accessors.Accessor | None = None


@dataclass(frozen=True, slots=True)
class Template:
    """A parameter of a template: a type, or a value of a type."""

    name: str
    type: str  # "" where it is a type itself


@dataclass(frozen=True, slots=True)
class Kernel:
    """A kernel of a source, with its translation or why there is none."""

    name: str
    function: Function
    start: int  # bytes, from its template or attributes on
    end: int
    line: int
    templates: tuple[Template, ...]
    parameters: tuple[Parameter, ...]
    text: str = ""  # in Ascend C
    launch: str = ""  # the function that launches it
    reason: str = ""
    reason_line: int = 0


def kernels(unit: Unit) -> Iterator[Kernel]:
    """The kernels of a source, in order."""
    written = [f for f in unit.code.functions if _is(unit.code, f, "__global__")]
    places = [unit.code.tokens[f.head].start for f in written]
    ends = [unit.code.tokens[f.closing].end for f in written]
    other = expanded(unit)
    if len([f for f in other.code.functions if _is(other.code, f, "__global__")]) == len(written):
        unit = other
    code = unit.code
    constants, enums = _constants(unit), _enumerations(unit)
    constants |= dict.fromkeys((name for names in enums.values() for name in names), "int")
    found = [function for function in code.functions if _is(code, function, "__global__")]
    names = Counter(function.name for function in found)
    for function, start, end in zip(found, places, ends, strict=True):
        alone = names[function.name] == 1
        made = _kernel(unit, function, constants, frozenset(enums), alone=alone)
        yield replace(made, start=start, end=end)


def _is(code: Code, function: Function, word: str) -> bool:
    return any(t.text == word for t in code.tokens[function.head : function.opening])


def device_functions(unit: Unit) -> Iterator[Function]:
    """Functions for the device only."""
    for function in (*unit.code.functions, *unit.code.declared):
        words = {t.text for t in unit.code.tokens[function.head : function.opening]}
        if "__device__" in words and "__host__" not in words and "__global__" not in words:
            yield function


def _kernel(
    unit: Unit,
    function: Function,
    constants: Mapping[str, str],
    enums: frozenset[str],
    *,
    alone: bool,
) -> Kernel:
    code = unit.code
    line = code.line(function.head)
    start, end = code.tokens[function.head].start, code.tokens[function.closing].end
    templates: tuple[Template, ...] = ()
    parameters: tuple[Parameter, ...] = ()
    try:
        if not alone:
            raise Untranslatable("one of several kernels of this name", function.opening)
        templates = tuple(_templates(code, function))
        parameters = tuple(_parameters(code, function))
        _no_branches(unit, function)
        floats = frozenset(t.name for t in templates if not t.type)
        tensors = accessors.Accessors({p.name: p.accessor for p in parameters if p.accessor})
        reader = Parser(code, floats, tensors)
        own = _Own(code, function, reader.body(function.opening), constants, enums)
        given = tuple(_pointed(parameters, tensors))
        try:
            made = _one_by_one(own, templates, given) or _elementwise(own, templates, given)
        except Untranslatable as why:
            try:
                made = _by_rows(own, templates, given)
            except Untranslatable as other:
                raise (other if isinstance(why, _OtherElements) else why) from None
        if tensors.known:
            named = [(t.name, t.type) for t in templates]
            types = [(p.name, _type(p)) for p in parameters]
            made = made[0], tensors.launch(function.name, named, types, made[1])
        return Kernel(function.name, function, start, end, line, templates, parameters, *made)
    except Untranslatable as why:
        at = code.line(min(why.at, len(code.tokens) - 1))
        return Kernel(
            function.name,
            function,
            start,
            end,
            line,
            templates,
            parameters,
            reason=why.reason,
            reason_line=at,
        )


@dataclass(frozen=True, slots=True)
class _Own:
    """A kernel as it is written, and what is around it."""

    code: Code
    function: Function
    statements: tuple[Statement, ...]
    constants: Mapping[str, str]
    enums: frozenset[str]


def _pointed(parameters: Sequence[Parameter], own: accessors.Accessors) -> Iterator[Parameter]:
    """The parameters, with pointers, sizes and strides for each accessor."""
    for parameter in parameters:
        if parameter.accessor is None:
            yield parameter
            continue
        name, last = parameter.name, parameter.accessor.dimensions - 1
        for plane in own.planes.get(name, {}):
            yield replace(parameter, name=plane, accessor=None)
        for dimension in range(last + 1):
            yield Parameter("int64_t", f"{name}_size_{dimension}", False, False, False)
            if dimension != last:
                yield Parameter("int64_t", f"{name}_stride_{dimension}", False, False, False)


def _type(parameter: Parameter) -> str:
    if not parameter.pointer:
        return parameter.type
    element = HALVES.get(plain(parameter.type), parameter.type)
    return f"{'const ' if parameter.constant else ''}{element} *"


def _no_branches(unit: Unit, function: Function) -> None:
    first, last = unit.code.tokens[function.head].start, unit.code.tokens[function.closing].end
    for token in unit.tokens:
        if first < token.start < last and token.kind is Kind.DIRECTIVE and token.text != "#pragma":
            raise Untranslatable(f"{token.text} in its body", function.opening)


def _translated(
    own: _Own, templates: tuple[Template, ...], parameters: tuple[Parameter, ...]
) -> emit.Whole:
    code, function, constants, enums = own.code, own.function, own.constants, own.enums
    floats = frozenset(t.name for t in templates if not t.type)
    for template in templates:
        if template.type and not is_integer(template.type) and template.type != "bool":
            raise Untranslatable(f"the template's `{template.name}`", function.head)
    pointers = {p.name: _pointer(p, floats, function.opening) for p in parameters if p.pointer}
    if not pointers:
        raise Untranslatable("it has no pointers", function.opening)

    def helper(name: str, at: int) -> Helper | None:
        return _helper(code, name, at)

    body = Body(pointers, "", floats, constants, helper)
    for parameter in parameters:
        if not parameter.pointer:
            body.state.names[parameter.name] = _scalar(parameter, floats, enums, function.opening)
    for template in templates:
        if template.type:
            kind = "bool" if template.type == "bool" else "int"
            body.state.names[template.name] = Scalar(template.name, kind)
    loop = _loop(own.statements, body, function)
    body.index = loop.index
    bound = body.value(loop.bound)
    if not isinstance(bound, Scalar):
        raise Untranslatable("a number of elements that is one of them", function.opening)
    body.run(loop.body)
    if not body.state.stores:
        raise Untranslatable("it writes nothing", function.opening)
    body.keep(function.opening)
    stores = {name: body.as_elements(value) for name, value in body.state.stores.items()}
    return emit.Whole(
        name=function.name,
        templates=tuple((t.name, t.type) for t in templates),
        parameters=_given(parameters),
        elements={name: pointer.type for name, pointer in pointers.items()},
        floats=floats,
        bound=bound.text,
        strided=loop.strided,
        checks=tuple(check.replace("{name}", function.name) for check in rows.apart(body.apart)),
        axes=frozenset(name for names, _ in loop.number for name in names if name.endswith(".y")),
        instructions=tuple(body.instructions),
        loads=dict(body.loads),
        stores=stores,
        guards={name: text for name, text in body.guarded.items() if text},
        kept=dict(body.state.guards),
    )


def _elementwise(
    own: _Own, templates: tuple[Template, ...], parameters: tuple[Parameter, ...]
) -> tuple[str, str]:
    whole = _translated(own, templates, parameters)
    if (operator := aclnn.chosen(whole, _read)) is not None:
        return operator
    try:
        return emit.kernel(whole)
    except emit.TooLarge as error:
        raise Untranslatable(str(error), own.function.opening) from None


def _one_by_one(
    own: _Own, templates: tuple[Template, ...], parameters: tuple[Parameter, ...]
) -> tuple[str, str] | None:
    """A kernel that has several elements at a time, as one that has each by itself."""
    wide = {p.name: plain(p.type) for p in parameters if p.pointer and plain(p.type) in WIDE}
    whole = {p.name: symbol(p.name) for p in parameters if not p.pointer and is_integer(p.type)}
    numbers = _numbers(own.code.unit, own.constants)
    whole |= {name: constant(number) for name, number in numbers.items()}
    narrow = narrowed(own.statements, wide, whole)
    if narrow is None:
        return None
    parameters = tuple(
        replace(p, type=WIDE[wide[p.name]][0]) if p.name in wide else p for p in parameters
    )
    made = _translated(replace(own, statements=narrow.statements), templates, parameters)
    if narrow.rest:
        rest = _translated(replace(own, statements=narrow.rest), templates, parameters)
        if aclnn.trees(made) != aclnn.trees(rest) or made.guards or made.kept:
            why = "the last elements are computed in another way"
            raise Untranslatable(why, own.function.opening)
        made = rest
    made = replace(made, width=narrow.width)
    try:
        return aclnn.chosen(made, _read) or emit.kernel(made)
    except emit.TooLarge as error:
        raise Untranslatable(str(error), own.function.opening) from None


@cache
def _read(text: str) -> emit.Whole:
    """What the one kernel of a source computes."""
    unit = parse(text.encode(), "")
    (function,) = unit.code.functions
    statements = Parser(unit.code, ()).body(function.opening)
    own = _Own(unit.code, function, statements, {}, frozenset())
    return _translated(own, (), tuple(_parameters(unit.code, function)))


def _by_rows(
    own: _Own, templates: tuple[Template, ...], parameters: tuple[Parameter, ...]
) -> tuple[str, str]:
    """A kernel whose blocks go over rows."""
    code, function, constants, enums = own.code, own.function, own.constants, own.enums
    at = function.opening
    floats = frozenset(t.name for t in templates if not t.type)
    pointers: dict[str, Pointer] = {}
    integers: dict[str, str] = {}
    for parameter in parameters:
        if parameter.pointer and is_integer(parameter.type):
            integers[parameter.name] = plain(parameter.type)
        elif parameter.pointer:
            pointers[parameter.name] = _pointer(parameter, floats, at)
    scalars = {p.name: _scalar(p, floats, enums, at) for p in parameters if not p.pointer}
    scalars |= {t.name: Scalar(t.name, "bool") for t in templates if t.type == "bool"}

    def helper(name: str, at: int) -> Helper | None:
        return _helper(code, name, at)

    def device(name: str, at: int) -> values.DeviceFunction | None:
        return _device(code, name, at)

    source = values.Source(
        pointers=pointers,
        integers=integers,
        scalars=scalars,
        templates=tuple(t.name for t in templates if t.type and t.type != "bool"),
        floats=floats,
        constants=constants,
        numbers=_numbers(code.unit, constants),
        helper=helper,
        function=device,
    )
    writer, checks, shape = _read_as_rows(source, own.statements, at)
    whole = emit.Whole(
        name=function.name,
        templates=tuple((t.name, t.type) for t in templates),
        parameters=_given(parameters),
        elements={name: pointer.type for name, pointer in pointers.items()},
        floats=floats,
        bound="",
        strided=False,
        instructions=(),
        loads={},
        stores={},
        guards={},
        kept={},
    )
    said = [check.replace("{name}", function.name) for check in checks]
    try:
        return row_text.kernel(whole, writer, integers, said, shape)
    except emit.TooLarge as error:
        raise Untranslatable(str(error), at) from None


def _read_as_rows(
    source: values.Source, statements: tuple[Statement, ...], at: int
) -> tuple[row_text.Writer, tuple[str, ...], list[str]]:
    """Its loops, checks of a launch, and in what shape it is launched in another one's stead."""
    first: Untranslatable | None = None
    numbers = [n for n, value in source.scalars.items() if value.type == "int"]
    for reading in readings(statements, numbers, source.numbers):
        try:
            writer, checks = rows.translated(source, reading.statements, at, reading.sizes)
        except Untranslatable as why:
            first = first or why
            continue
        if not reading.grid:
            return writer, checks, []
        if reading.sizes == (1,) and not any("at_ += tile_" in line for line in writer.lines):
            continue  # a number a row: that is no work for a vector unit
        checks = tuple(check.replace("block_.x", "threads_.x") for check in checks)
        try:
            columns, parts = _told(source, reading.columns), _told(source, reading.parts)
        except Untranslatable as why:
            first = first or why
            continue
        shape = list(reading.checks)
        if reading.axis:
            threads = f"grid_.{reading.axis} * block_.{reading.axis}"
            said = '"a thread for each column was expected"'
            shape.append(f"TORCH_CHECK({threads} >= {columns}, {said});")
        grid = reading.grid
        if reading.parts:
            shape.append(f'TORCH_CHECK({parts} > 0, "a division by 0");')
            grid = f"{emit.NAMESPACE}::Dim(({columns} + {parts} - 1) / {parts})"
        shape.append(f"const {emit.NAMESPACE}::Dim rows_ = {grid};")
        if checks:
            shape.append(f"const {emit.NAMESPACE}::Dim threads_ = {reading.block};")
        return writer, checks, shape
    assert first is not None
    raise first


def _told(source: values.Source, number: Expression | None) -> str:
    """A number as the function that launches the kernel says it."""
    if number is None:
        return ""
    body = Body({}, "", source.floats, source.constants, source.helper)
    body.state.names |= source.scalars
    value = body.value(number)
    if not isinstance(value, Scalar):
        raise Untranslatable("a number of columns that is one of them", number.at)
    return f"static_cast<int64_t>({value.text})"


def _given(parameters: tuple[Parameter, ...]) -> tuple[tuple[str, str, str, bool], ...]:
    return tuple(
        (p.name, "" if p.pointer else p.type, p.type if p.pointer else "", p.constant)
        for p in parameters
    )


class _OtherElements(Untranslatable):
    """Its elements are not those of one thread each: if it goes over rows, that says why not."""


def _other(why: Untranslatable, index: str) -> Untranslatable:
    return why if index else _OtherElements(why.reason, why.at)


def _pointer(parameter: Parameter, floats: frozenset[str], at: int) -> Pointer:
    type = plain(parameter.type)
    if type == "float" or type in floats:
        element = type
    elif type in HALVES:
        element = HALVES[type]
    else:
        why = "the vector unit has no double" if type == "double" else "elements of this type"
        raise Untranslatable(f"`{parameter.name}` points to {type}: {why}", at)
    return Pointer(parameter.name, element, parameter.restrict, parameter.constant)


def _scalar(parameter: Parameter, floats: frozenset[str], enums: frozenset[str], at: int) -> Scalar:
    type = plain(parameter.type)
    if type == "bool":
        return Scalar(parameter.name, "bool")
    if is_integer(type) or type in enums:
        return Scalar(parameter.name, "int")
    if type in FLOATING or type in floats or type in HALVES:
        return Scalar(parameter.name, "float")
    raise Untranslatable(f"the parameter `{parameter.name}` of the type `{type}`", at)


# ---------------------------------------------------------------------- its loop


@dataclass(frozen=True, slots=True)
class _Loop:
    index: str
    bound: Expression
    body: tuple[Statement, ...]
    strided: bool  # every thread goes on until the end
    number: Polynomial = frozenset()  # what the elements' numbers are


def _loop(statements: tuple[Statement, ...], body: Body, function: Function) -> _Loop:
    """The elements that the kernel is about, and what it does with each."""
    known: dict[str, Polynomial] = {
        name: symbol(name)
        for name, value in body.state.names.items()
        if isinstance(value, Scalar) and value.type == "int"
    }
    index = ""
    for number, statement in enumerate(statements):
        rest = statements[number + 1 :]
        match statement:
            case Declare(_, type, name, value) if value is not None and _is_whole(type):
                own = polynomial(value, known)
                if own is not None and name not in known and _of_grid(own):
                    if name in changed(rest) and not _steps(rest, name):
                        raise Untranslatable(f"`{name}`, which is changed", statement.at)
                    known[name] = own
                    index = name if own in FLAT else index
                    continue
        match statement:
            case Declare(_, type, name) | Alias(_, name, type):
                try:
                    body.run([statement])
                except Untranslatable as why:
                    raise _other(why, index) from None
                made = body.state.names.get(name)
                if isinstance(made, Scalar) and made.type == "int":
                    known[name] = symbol(name)
                continue
            case Array() | Do() | Block():
                raise _other(unknown(statement), index)
            case If(_, condition, then, ()) if index and _is_leave(then):
                name, bound = _bound(condition, known, (">=",))
                if bound is not None:
                    return _Loop(name, bound, _by_name(rest, name, known), False, known[name])
            case If(_, condition, then, ()) if index and not rest:
                name, bound = _bound(condition, known, ("<",))
                if bound is not None:
                    return _Loop(name, bound, _by_name(then, name, known), False, known[name])
            case For(_, start, condition, step, inner) if not rest:
                found = _strided(start, condition, step, inner, known)
                if found is not None:
                    return found
            case Macro(_, macro, (Name(_, name), bound, *_), inner) if macro in _LOOPS and not rest:
                return _Loop(name, bound, inner, strided=True)
        other = Untranslatable(
            "its elements are not those of one thread each: blockIdx.x * blockDim.x + threadIdx.x"
            " with a bound, or a loop with the stride of the grid",
            statement.at,
        )
        raise _other(other, index)
    raise _other(Untranslatable("there is no bound of its elements", function.opening), index)


def _steps(rest: Sequence[Statement], name: str) -> bool:
    """Whether a variable is only changed as that of a loop, which is all that follows."""
    match rest:
        case [*_, For(_, (), _, _, body)]:
            return name not in changed([*rest[:-1], *body])
    return False


def _is_whole(type: str) -> bool:
    return is_integer(type) or plain(type) == "auto"


def _of_grid(value: Polynomial) -> bool:
    """Whether it says something of the threads, or of how many there are."""
    return any("." in name for names, _ in value for name in names)


def _by_name(
    body: tuple[Statement, ...], index: str, known: Mapping[str, Polynomial]
) -> tuple[Statement, ...]:
    """The same with the one name for the element's number."""

    def change(expression: Expression) -> Expression | None:
        own = polynomial(expression, known) == known[index]
        return Name(expression.at, index) if own else None

    return mapped(body, change)


def _strided(
    start: tuple[Statement, ...],
    condition: Expression,
    step: Statement,
    body: tuple[Statement, ...],
    known: Mapping[str, Polynomial],
) -> _Loop | None:
    """A loop of each thread over every so many-th element."""
    match start, step:
        case (Declare(_, _, name, value),), _ if value is not None:
            first = polynomial(value, known)
        case (Assign(_, Name(_, name), "=", value),), _:
            first = polynomial(value, known)
        case (), Assign(_, Name(_, name)):
            first = known.get(name)
        case _:
            return None
    match step:
        case Assign(_, Name(_, own), "+=", by) if own == name:
            pass
        case Assign(_, Name(_, own), "=", Binary(_, "+", Name(_, left), by)) if own == name == left:
            pass
        case _:
            return None
    here = {**known, name: symbol(name)}
    _, bound = _bound(condition, here, ("<",), symbol(name))
    if bound is None or first not in FLAT or FLAT[first] != polynomial(by, known):
        return None
    return _Loop(name, bound, body, True, first)


def _is_leave(then: tuple[Statement, ...]) -> bool:
    return len(then) == 1 and isinstance(then[0], Return) and then[0].value is None


def _bound(
    condition: Expression,
    known: Mapping[str, Polynomial],
    operators: tuple[str, ...],
    element: Polynomial | None = None,
) -> tuple[str, Expression | None]:
    """The element's number and `n` of `i < n`, or of `n > i`."""
    if isinstance(condition, Unary) and condition.operator == "!":
        other = {"<": ">=", ">=": "<"}
        return _bound(condition.value, known, tuple(other[o] for o in operators), element)
    if not isinstance(condition, Binary):
        return "", None
    flipped = {"<": ">", ">=": "<="}
    sides = []
    if condition.operator in operators:
        sides.append((condition.left, condition.right))
    if condition.operator in {flipped[o] for o in operators}:
        sides.append((condition.right, condition.left))
    for own, bound in sides:
        number = polynomial(own, known)
        if number is None or not (number == element if element else number in FLAT):
            continue
        for name, value in known.items():
            if value == number:
                return name, bound
    return "", None


# ---------------------------------------------------------------------- its head


def _templates(code: Code, function: Function) -> Iterator[Template]:
    at = function.head
    if code.tokens[at].text != "template":
        return
    end = code.after_angles(at + 1) - 1
    first = at + 2
    for place in range(at + 2, end + 1):
        if place == end or code.tokens[place].text == ",":
            words = [t.text for t in code.tokens[first:place]]
            if "=" in words:
                words = words[: words.index("=")]
            if len(words) < 2 or "..." in words or "<" in words:
                raise Untranslatable("the parameters of its template", first)
            is_type = words[0] in ("typename", "class")
            yield Template(words[-1], "" if is_type else " ".join(words[:-1]))
            first = place + 1


def _parameters(code: Code, function: Function) -> Iterator[Parameter]:
    """Of a function, from its head."""
    opening = next(
        at + 1
        for at in range(function.opening - 2, function.head - 1, -1)
        if code.tokens[at].text == function.name and code.tokens[at + 1].text == "("
    )
    for first, last in _whole(code, code.arguments(opening)):
        words = [t.text for t in code.tokens[first : last + 1]]
        if any(word in accessors.TYPES for word in words):
            yield _accessor(code, first, last)
            continue
        default = 0
        if "=" in words:
            default = first + words.index("=") + 1
            words = words[: words.index("=")]
        if words == ["void"]:
            continue
        name = words.pop()
        if words.count("*") > 1 or name in ("]", "*", "&") or "[" in words or not words:
            raise Untranslatable("a parameter of another form", first)
        if name.endswith("_"):  # as those of the translation do
            raise Untranslatable(f"the name `{name}`", first)
        type = " ".join(w for w in words if w not in ("*", "&", "const", *_RESTRICT))
        if "&" in words and "const" not in words:
            raise Untranslatable(f"`{name}` is a reference", first)
        pointer = "*" in words
        constant = pointer and "const" in words[: words.index("*")]
        restrict = bool(_RESTRICT & set(words))
        type = type.replace(" :: ", "::")
        yield Parameter(type, name, pointer, constant, restrict, default)


def _whole(code: Code, ranges: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Parameters, of which a type may have commas in it."""
    begun: int | None = None
    depth = 0
    for first, last in ranges:
        begun = first if begun is None else begun
        texts = [t.text for t in code.tokens[first : last + 1]]
        depth += texts.count("<") - texts.count(">")
        if depth <= 0:
            yield begun, last
            begun, depth = None, 0


def _accessor(code: Code, first: int, last: int) -> Parameter:
    tokens = code.tokens
    at = next(k for k in range(first, last) if tokens[k].text in accessors.TYPES)
    end = code.after_angles(at + 1)
    name = tokens[last].text
    commas = [k for k in range(at + 2, end) if tokens[k].text == ","]
    inner = [
        code.text(a + 1, b - 1) for a, b in zip([at + 1, *commas], [*commas, end - 1], strict=True)
    ]
    if len(inner) < 2 or not inner[1].isdigit() or "*" in (t.text for t in tokens[first:last]):
        raise Untranslatable("a parameter of another form", first)
    traits = any("Restrict" in word for word in inner[2:])
    rest = ["at::DefaultPtrTraits", *inner[3:]] if inner[2:] else []
    type = f"at::{tokens[at].text}<{', '.join([*inner[:2], *rest])}>"
    constant = tokens[first].text == "const"
    own = accessors.Accessor(name, inner[0], int(inner[1]), type, constant, traits)
    return Parameter(inner[0], name, True, constant, traits, 0, own)


def _only(code: Code, name: str, at: int) -> Function | None:
    """A function of the file for the device, by name."""
    short = name.rpartition("::")[2]
    found = [f for f in code.functions if f.name == short and _is(code, f, "__device__")]
    if len(found) > 1:
        raise Untranslatable(f"one of several functions `{name}`", at)
    return found[0] if found else None


def _returns(code: Code, function: Function) -> str:
    """The type that a function returns, its last word."""
    for place in range(function.head, function.opening):
        if code.tokens[place].text == function.name and code.tokens[place + 1].text == "(":
            before = code.tokens[place - 1].text
            if code.tokens[place - 2].text == "::":
                return f"{code.tokens[place - 3].text}::{before}"
            return before
    return ""


def _helper(code: Code, name: str, at: int) -> Helper | None:
    """A function of scalars."""
    function = _only(code, name, at)
    if function is None:
        return None
    templates = tuple(_templates(code, function))
    if any(template.type for template in templates):
        raise Untranslatable(f"`{name}` with a number in its template", at)
    types = {template.name for template in templates}
    parameters = tuple(_parameters(code, function))
    if any(p.pointer for p in parameters):
        raise Untranslatable(f"`{name}`, which takes pointers", at)
    body = Parser(code, types).body(function.opening)
    given = tuple((p.type, p.name) for p in parameters)
    defaults = tuple(_default(code, p) for p in parameters)
    return Helper(name, given, body, _returns(code, function), frozenset(types), defaults)


def _default(code: Code, parameter: Parameter) -> Expression | None:
    """A default value that is the same wherever it stands."""
    if not parameter.default:
        return None
    reader = Parser(code, ())
    reader.at = parameter.default
    value = reader.expression()
    return None if words(value) else value


def _device(code: Code, name: str, at: int) -> values.DeviceFunction | None:
    """A function that threads call with what each of them has."""
    function = _only(code, name, at)
    if function is None:
        return None
    templates = tuple(_templates(code, function))
    parameters = tuple(_parameters(code, function))
    body = Parser(code, {t.name for t in templates if not t.type}).body(function.opening)
    return values.DeviceFunction(
        tuple((p.type + (" *" if p.pointer else ""), p.name) for p in parameters),
        tuple((t.name, t.type) for t in templates),
        body,
        _returns(code, function),
    )


def _numbers(unit: Unit, constants: Mapping[str, str]) -> dict[str, int]:
    """The constants that are whole numbers, as they are written."""
    out: dict[str, int] = {}
    for name in constants:
        for at in unit.places(name):
            after = unit.tokens[at + 1 : at + 3]
            if after and after[0].text == "=" and len(after) > 1:
                after = after[1:]
            elif unit.tokens[at - 1].text != "#define":
                continue
            text = after[0].text.rstrip("uUlL")
            ends = unit.tokens[at + 3].text if unit.tokens[at - 1].text != "#define" else ";"
            if text.isdigit() and ends in (";", ","):
                out[name] = int(text)
                break
    return out


def _enumerations(unit: Unit) -> dict[str, tuple[str, ...]]:
    """The enumerations of a file, and the names of their values."""
    code, out = unit.code, dict[str, tuple[str, ...]]()
    for at in code.places("enum"):
        place = at + 1
        scoped = code.tokens[place].text in ("class", "struct")
        place += scoped
        name = code.tokens[place].text if code.tokens[place].kind is Kind.NAME else ""
        while code.tokens[place].text not in ("{", ";"):
            place += 1
        closing = code.pairs.get(place)
        if closing is None:
            continue
        after = code.tokens[closing + 1 : closing + 2]
        if not name and after and after[0].kind is Kind.NAME:
            name = after[0].text  # typedef enum {...} name;
        values = [code.tokens[first].text for first, _ in code.arguments(place)]
        out[name] = tuple(f"{name}::{value}" if scoped else value for value in values)
    return out


def _constants(unit: Unit) -> dict[str, str]:
    """Constants of the file that a kernel may name: `constexpr T NAME = ...`, and numbers that are
    `#define`d."""
    out: dict[str, str] = {}
    code = unit.code
    for at in code.places("constexpr", "const"):
        if code.inside(at) is not None:
            continue
        end = next(
            (k for k in range(at, min(at + 8, len(code.tokens))) if code.tokens[k].text == "="), 0
        )
        if not end:
            continue
        words = [t.text for t in code.tokens[at + 1 : end]]
        words = [
            w for w in words if w not in ("constexpr", "const", "static", "inline", "__device__")
        ]
        if len(words) >= 2 and (
            is_integer(" ".join(words[:-1])) or words[0] in ("float", "double", "bool")
        ):
            out[words[-1]] = " ".join(words[:-1])
    tokens = unit.tokens
    for at in unit.places("#define"):
        if at + 3 > len(tokens) or tokens[at + 2].kind is not Kind.NUMBER:
            continue
        line = unit.position(tokens[at].start)[0]
        alone = at + 3 == len(tokens) or unit.position(tokens[at + 3].start)[0] != line
        if alone:
            floating = "." in tokens[at + 2].text or "e" in tokens[at + 2].text.lower()
            out[tokens[at + 1].text] = "double" if floating else "int"
    return out
