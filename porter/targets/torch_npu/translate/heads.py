"""Heads of kernels and of functions for the device: templates, parameters, what they return."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from porter.languages.cpp import Code, Function
from porter.targets.torch_npu.translate import accessors
from porter.targets.torch_npu.translate.syntax import HALVES, Untranslatable, plain

_RESTRICT = frozenset(("__restrict__", "__restrict", "restrict"))


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


def has_word(code: Code, function: Function, word: str) -> bool:
    return any(t.text == word for t in code.tokens[function.head : function.opening])


def expand_accessors(
    parameters: Sequence[Parameter], own: accessors.Accessors
) -> Iterator[Parameter]:
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


def host_type(parameter: Parameter) -> str:
    if not parameter.pointer:
        return parameter.type
    element = HALVES.get(plain(parameter.type), parameter.type)
    return f"{'const ' if parameter.constant else ''}{element} *"


def restore_parameters(parameters: tuple[Parameter, ...]) -> tuple[tuple[str, str, str, bool], ...]:
    return tuple(
        (p.name, "" if p.pointer else p.type, p.type if p.pointer else "", p.constant)
        for p in parameters
    )


def templates_of(code: Code, function: Function) -> Iterator[Template]:
    at = function.head
    if code.tokens[at].text != "template":
        return
    end = code.skip_angles(at + 1) - 1
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


def parameters_of(code: Code, function: Function) -> Iterator[Parameter]:
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
            raise Untranslatable("a parameter in an unsupported form", first)
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
    end = code.skip_angles(at + 1)
    name = tokens[last].text
    commas = [k for k in range(at + 2, end) if tokens[k].text == ","]
    inner = [
        code.text(a + 1, b - 1) for a, b in zip([at + 1, *commas], [*commas, end - 1], strict=True)
    ]
    if len(inner) < 2 or not inner[1].isdigit() or "*" in (t.text for t in tokens[first:last]):
        raise Untranslatable("a parameter in an unsupported form", first)
    traits = any("Restrict" in word for word in inner[2:])
    rest = ["at::DefaultPtrTraits", *inner[3:]] if inner[2:] else []
    type = f"at::{tokens[at].text}<{', '.join([*inner[:2], *rest])}>"
    constant = tokens[first].text == "const"
    own = accessors.Accessor(name, inner[0], int(inner[1]), type, constant, traits)
    return Parameter(inner[0], name, True, constant, traits, 0, own)
