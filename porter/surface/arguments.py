"""Bind a call's arguments to torch's signature, and judge what is said of a name by them.

What is seen of an argument is words: `number whole 2`, `sequence list empty`, `text 'mean'`,
`tensor`, `none`; `?` where the value itself is not seen, nothing where not even the kind is. Of a
tensor also PROPERTIES, as porter/uses/tensors finds them: what is not said may still be so.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import IntEnum
from functools import cache

from porter.model import Fact, Given, Symbol, When
from porter.surface.measured import MEASURED, is_harmless, is_of_other_inputs

Look = Callable[[ast.expr], str]  # what is seen of what no literal tells
ABSENT, SEVERAL, TENSOR = "absent", "several", "tensor"
NO_NUMBER, NO_TENSOR = "no_number", "no_tensor"  # what else it may be is not seen
PROPERTIES = frozenset(
    ("boolean", "constant", "contiguous", "dimensional", "floating", "int64", "no_half", "planar")
) | {"temporary", NO_NUMBER, NO_TENSOR}
ANNOTATED = "annotated"  # what becomes of a name in an annotation
IMPORTED = "imported"  # of one that is imported, and may be used elsewhere
RECEIVER, FATE = "self", "result"  # what conditions call the object of a method, and what it gives
MODULE = "module"  # and how a file comes by what is in torch.nn: one of these
BY_IMPORT, BY_ATTRIBUTES = "imported", "reached"
SEQUENCES = {"list", "range", "size"}  # a list or tuple, or torch.Size
TRUTHS = ("True", "False")
VALUES = ("nan", "infinite", "empty")  # and numbers, and texts in quotes
OF_CALLS = {
    "len": "number whole ?",
    "int": "number whole ?",
    "float": "number fraction ?",
    "bool": "number truth ?",
    "str": "text ?",
    "tuple": "sequence list ?",
    "list": "sequence list ?",
    "sorted": "sequence list ?",
    "range": "sequence range ?",
}
ORDERS = (ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE)  # of each element of a tensor
NOT_FINITE = {"nan": "number nan", "inf": "number infinite", "-inf": "number infinite"}
KINDS = ("number", "text", "sequence", TENSOR, "none", "dtype", SEVERAL)


class Holds(IntEnum):
    """Whether what is said of a name holds of one use of it."""

    NO = 0
    PERHAPS = 1  # the source does not tell
    YES = 2


@dataclass(frozen=True, slots=True)
class Parameter:
    name: str
    default: str | None  # what is seen of it; None: an argument is needed
    by_position: bool = True
    many: bool = False


def read_arguments(call: ast.Call, look: Look) -> Given:
    """What is seen of the arguments of a call."""
    plain = [value for value in call.args if not isinstance(value, ast.Starred)]
    named = tuple((k.arg, describe(k.value, look)) for k in call.keywords if k.arg is not None)
    more = len(plain) < len(call.args) or len(named) < len(call.keywords)
    first = [describe(value, look) for value in plain] if plain == call.args else []
    return Given(tuple(first), named, more)


def describe(node: ast.expr, look: Look) -> str:
    """What an expression is, as far as it says."""
    match node:
        case ast.Constant(value=value):
            return _kind_of_value(value)
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as value)):
            return _kind_of_value(-value)
        case ast.UnaryOp(op=ast.USub() | ast.UAdd(), operand=operand):
            return describe(operand, look)
        case ast.Tuple(elts=inside) | ast.List(elts=inside):
            starred = any(isinstance(each, ast.Starred) for each in inside)
            many = "plural" if len(inside) > 1 else "" if inside else "empty"
            seen = "?" if starred else many
            return f"sequence list {seen}".rstrip()
        case ast.ListComp():
            return "sequence list ?"
        case ast.Attribute(attr="shape"):
            return "sequence size ?"
        case ast.JoinedStr():
            return "text ?"
        case ast.Subscript(value=ast.Attribute(attr="shape"), slice=place):
            return "sequence size ?" if isinstance(place, ast.Slice) else "number whole ?"
        case ast.Subscript(value=value, slice=ast.Slice()) if "list" in describe(value, look):
            return "sequence list ?"
        case ast.Attribute(attr="nan" | "inf" as name, value=ast.Name()):
            return NOT_FINITE[name]
        case ast.IfExp(body=one, orelse=other):
            return _kind_of_either(describe(one, look), describe(other, look))
        case ast.BinOp() if numbers := _kind_of_numbers(node, look):
            return numbers
        case ast.BinOp() | ast.UnaryOp(op=ast.Invert()) | ast.Compare():
            return _kind_of_operation(node, look)
        case ast.Call():
            return _kind_of_call(node) or look(node)
    return look(node)


def _kind_of_value(value: object) -> str:
    match value:
        case bool():
            return f"number truth {value}"
        case int():
            return f"number whole {value}"
        case float():
            return "number infinite" if value in (1e999, -1e999) else f"number fraction {value}"
        case str():
            return f"text {value!r}" if " " not in value else "text ?"
        case None:
            return "none"
    return ""


def _kind_of_call(call: ast.Call) -> str:
    match call.func:
        case ast.Name(id="float") if call.args and isinstance(call.args[0], ast.Constant):
            return NOT_FINITE.get(str(call.args[0].value).lower(), OF_CALLS["float"])
        case ast.Name(id=name):
            return OF_CALLS.get(name, "")
        case ast.Attribute(attr="size"):
            return "number whole ?" if call.args or call.keywords else "sequence size ?"
    return ""


def _kind_of_either(one: str, other: str) -> str:
    common = [word for word in one.split() if word in other.split()]
    return one if one == other else f"{' '.join(common)} ?" if "number" in common else ""


def _kind_of_numbers(node: ast.BinOp, look: Look) -> str:
    sides = [describe(side, look).split() for side in (node.left, node.right)]
    if not all("number" in side for side in sides):
        return ""
    whole = all("whole" in side for side in sides) and not isinstance(node.op, ast.Div | ast.Pow)
    return "number whole ?" if whole else "number fraction ?"


def _kind_of_operation(node: ast.expr, look: Look) -> str:
    """A tensor if an operand is one, and what else is seen of it."""
    known = look(node)
    if TENSOR in known.split():
        return known
    match node:
        case ast.Compare(ops=[op]) if not isinstance(op, ORDERS):
            return known
        case ast.Compare(ops=[_, _, *_]):
            return known
    operands = (n for n in ast.iter_child_nodes(node) if isinstance(n, ast.expr))
    seen = {word for operand in operands for word in describe(operand, look).split()}
    if TENSOR in seen:
        return f"{TENSOR} {known}".rstrip()
    return f"{NO_NUMBER} {known}".rstrip() if NO_NUMBER in seen else known


@cache
def parameters(signature: str, member: bool) -> tuple[Parameter, ...] | None:
    """The parameters of a signature as captured, without the receiver; None if it is no Python."""
    try:
        function = ast.parse(f"def f{signature.removesuffix(' -> Tensor')}: ...").body[0]
    except SyntaxError:
        return None
    assert isinstance(function, ast.FunctionDef)
    args = function.args
    first = [*args.posonlyargs, *args.args]
    needed = len(first) - len(args.defaults)
    defaults = [*([None] * needed), *args.defaults]
    found = [Parameter(a.arg, _default(d)) for a, d in zip(first, defaults, strict=True)]
    if args.vararg is not None:
        found.append(Parameter(args.vararg.arg, ABSENT, many=True))
    for arg, default in zip(args.kwonlyargs, args.kw_defaults, strict=True):
        found.append(Parameter(arg.arg, _default(default), by_position=False))
    return tuple(found[1:] if member else found)


def _default(node: ast.expr | None) -> str | None:
    return None if node is None else f"{ABSENT} {describe(node, lambda _: '')}".rstrip()


def bind(call: Given, expected: Iterable[Parameter]) -> dict[str, str] | None:
    """What is seen of each parameter; None where the call does not fit. What `*` or `**` may hold
    is not seen."""
    positional, keywords = [*call.positional], dict(call.keywords)
    bound: dict[str, str] = {}
    for one in expected:
        if one.many:
            none = "" if call.more else ABSENT
            bound[one.name] = SEVERAL if len(positional) > 1 else "".join(positional or [none])
            positional = []
        elif one.by_position and positional:
            bound[one.name] = positional.pop(0)
        elif one.name in keywords:
            bound[one.name] = keywords.pop(one.name)
        elif call.more:
            bound[one.name] = ""
        elif one.default is None:
            return None
        else:
            bound[one.name] = one.default
    return None if positional or keywords else bound


def holds(fact: Fact, call: Given | None, torch: Symbol | None) -> Holds:
    """Whether a fact about a name holds of a use: of a call, or without one. Which keywords and
    how many arguments by position it asks for has been judged by then."""
    if call is not None and call.fate in (ANNOTATED, IMPORTED):  # its uses are reported
        told = call.fate == IMPORTED and fact.when is When.ANY
        return Holds.YES if told and holds(fact, None, torch) is Holds.YES else Holds.NO
    if call is not None and not call.called and fact.when is When.CALL:
        return Holds.PERHAPS  # where it is called is not seen
    expected = _signatures(fact, torch)
    if fact.where:
        answer = _check_condition(fact, call, expected, torch)
        return min(answer, Holds.PERHAPS) if fact.when is When.SOME_USES else answer
    match fact.when:
        case When.MEASURED:
            return _check_measured(fact, call, expected)
        case When.CALL if not fact.quirk and (found := MEASURED.fullmatch(fact.sentence)):
            if call is not None and is_harmless(found, call):
                return Holds.NO
            return Holds.YES if found["some"] == found["all"] else Holds.PERHAPS
        case When.SOME_USES | When.TRUTH | When.GATE | When.DTYPE:
            return Holds.PERHAPS
    return Holds.YES


def _signatures(fact: Fact, torch: Symbol | None) -> list[tuple[Parameter, ...]]:
    texts = (fact.signature,) if fact.signature else torch.signatures if torch else ()
    member = torch is not None and torch.kind == "member"
    found = (parameters(text, member) for text in texts)
    return [each for each in found if each is not None]


def _check_condition(
    fact: Fact, call: Given | None, expected: Iterable[tuple[Parameter, ...]], torch: Symbol | None
) -> Holds:
    if call is None:
        return Holds.PERHAPS
    member = torch is None or torch.kind in ("member", "attribute")
    around = {FATE: call.fate, RECEIVER if member else MODULE: call.receiver}
    if {name for asked in fact.where for name, _ in asked} <= around.keys():
        return max(_all(asked, around) for asked in fact.where)
    if not call.called:
        return Holds.PERHAPS
    calls = [around | bound for each in expected if (bound := bind(call, each)) is not None]
    answers = {max(_all(asked, bound) for asked in fact.where) for bound in calls}
    return answers.pop() if len(answers) == 1 else Holds.PERHAPS


def _all(asked: Iterable[tuple[str, str]], bound: Mapping[str, str]) -> Holds:
    return min(_is(words, _value(names, bound)) for names, words in asked)


def _value(names: str, bound: Mapping[str, str]) -> str:
    """What is seen of a parameter, which signatures may name in more than one way."""
    return next((bound[name] for name in names.split("|") if name in bound), ABSENT)


def _is(asked: str, value: str) -> Holds:
    """Whether a value is one of `a|b`, or none of `not a|b`; of `a b` both words have to hold."""
    wrong = asked.startswith("not ")
    seen, words = value.split(), asked.removeprefix("not ").split("|")
    answer = max(min(_is_one(word, seen) for word in several.split()) for several in words)
    return Holds(Holds.YES - answer) if wrong else answer


def _is_one(word: str, value: list[str]) -> Holds:
    if word in value:
        return Holds.YES
    if word in (ABSENT, "given"):
        return Holds.YES if (word == ABSENT) == (ABSENT in value) else Holds.NO
    if (word == TENSOR and NO_TENSOR in value) or (word == "number" and NO_NUMBER in value):
        return Holds.NO
    if word == "seen":
        return Holds.NO if PROPERTIES.issuperset(value) else Holds.YES
    if PROPERTIES.issuperset(value):  # not even the kind
        return Holds.PERHAPS
    if word in PROPERTIES:
        return Holds.PERHAPS if TENSOR in value else Holds.NO
    if word in SEQUENCES:
        unseen = {"sequence", "?"}.issubset(value) and SEQUENCES.isdisjoint(value)
        return Holds.PERHAPS if unseen else Holds.NO
    if word == "integral":  # of a dtype that is known by its name
        return Holds.PERHAPS if value == ["dtype"] else Holds.NO
    if word == "plural":
        return Holds.PERHAPS if {"sequence", "?"}.issubset(value) else Holds.NO
    if word in VALUES or word in TRUTHS or word[-1:].isdigit() or word[:1] in "'\"":
        possible = {"finite", "whole"}.isdisjoint(value) or word not in VALUES
        return Holds.PERHAPS if "?" in value and possible else Holds.NO
    return Holds.NO


@cache
def _read_example(code: str) -> Given | None:
    """What is seen of the arguments of a measured call; None where its text was cut."""
    try:
        example = ast.parse(code, mode="eval").body
    except SyntaxError:
        return None
    return read_arguments(example, lambda _: TENSOR) if isinstance(example, ast.Call) else None


def _check_measured(
    fact: Fact, call: Given | None, expected: Iterable[tuple[Parameter, ...]]
) -> Holds:
    """Whether a call may be of the kind of the one that was seen to differ: each argument that
    is no tensor there is of the same kind here."""
    found = MEASURED.fullmatch(fact.sentence)
    theirs = _read_example(found["code"]) if found else None
    if call is None or not call.called or found is None or theirs is None:
        return Holds.PERHAPS
    if is_of_other_inputs(found, call) or is_harmless(found, call):
        return Holds.NO
    some, every = int(found["some"]), int(found["all"])
    if call.more and 4 * some < every:  # it is not even seen which arguments there are
        return Holds.NO
    seldom = 2 * some < every
    pairs = [(bind(call, each), bind(theirs, each)) for each in expected]
    if all(mine is None for mine, _ in pairs) or all(other is None for _, other in pairs):
        return Holds.PERHAPS  # not as torch's surface says
    alike = any(
        all(_alike(mine[name], other[name], seldom) for name in other)
        for mine, other in pairs
        if mine is not None and other is not None
    )
    return Holds.PERHAPS if alike else Holds.NO


def _alike(mine: str, theirs: str, seldom: bool) -> bool:
    """Whether a value may be of the same kind as one of a measured call."""
    words, others = set(mine.split()) - PROPERTIES, set(theirs.split()) - PROPERTIES
    if ABSENT in others or not words:
        return True
    if mine == ABSENT:
        return not seldom
    for kinds in (KINDS, ("whole", "fraction", "truth"), ("empty",), ("True", "False")):
        if words & {*kinds} != others & {*kinds}:
            return "?" in words and kinds is not KINDS
    return True
