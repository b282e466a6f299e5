"""Forms of use that mean something else under a proxy, though every name in them is there."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import takewhile

from porter.model import State, Surface, When
from porter.residue.guards import is_guarded
from porter.residue.judged import Judged, judge_quirks
from porter.residue.resolve import Kinds, Place, Scope, is_tensor
from porter.surface.classes import TENSOR
from porter.surface.facts import select_kinds
from porter.surface.names import Known
from porter.uses.in_place import OPERATORS

INDEX = "torch.cuda.current_device"
NUMBER = ("numel", "nelement")
SIZES = ("view", "reshape", "expand", "repeat", "unflatten", "narrow", "unfold", "range")
TRANSPOSING = ("t", "transpose", "permute", "mT", "T", "swapaxes", "movedim")
READS_VERSION = frozenset({"parse", "Version", "LooseVersion", "TorchVersion", "split", "match"})
OF_TRITON = "driver.active.get_current_stream"

Knows = Callable[[str], Known]


def is_tested(place: Place) -> bool:
    """Whether a value is used as a condition, or compared with None."""
    outer, node = place.around[-1], place.node
    if isinstance(outer, ast.If | ast.While | ast.IfExp | ast.Assert):
        return outer.test is node
    if isinstance(outer, ast.UnaryOp):
        return isinstance(outer.op, ast.Not)
    if isinstance(outer, ast.Call):
        return getattr(outer.func, "id", "") == "bool"
    if isinstance(outer, ast.Compare):
        other = [o for o in (outer.left, *outer.comparators) if o is not node]
        plain = all(isinstance(op, ast.Is | ast.IsNot | ast.Eq | ast.NotEq) for op in outer.ops)
        return plain and any(isinstance(o, ast.Constant) and o.value is None for o in other)
    return isinstance(outer, ast.BoolOp)


def is_compared(place: Place) -> bool:
    """Whether a version goes into a comparison, as far as one statement shows; not with a torch
    1.x, which any later version answers in the same way."""
    outer = [*takewhile(lambda node: not isinstance(node, ast.stmt), reversed(place.around))]
    comparison = next((node for node in outer if isinstance(node, ast.Compare)), None)
    if comparison is not None:
        return not _is_of_torch_1(comparison)
    called = (node.func for node in outer if isinstance(node, ast.Call))
    return any(getattr(f, "attr", getattr(f, "id", "")) in READS_VERSION for f in called)


def _is_of_torch_1(comparison: ast.Compare) -> bool:
    majors = re.findall(r"(?<![\w.])\d+(?=\.|, \d)", ast.unparse(comparison))
    return bool(majors) and {*majors} <= {"0", "1"}


def judge_name(place: Place, name: str, target: Surface) -> Iterator[Judged]:
    """Names of other libraries that ask torch themselves."""
    known = OF_TRITON if name.endswith(OF_TRITON) else name
    for judged in judge_quirks(target, known, "stream_of_a_library"):
        if not is_guarded(place, name):
            yield replace(judged, name=name, state=State.UNKNOWN)


def judge_variable(place: Place, known: Knows) -> Iterator[Judged]:
    """A variable made of torch's version, compared with another."""
    node = place.node
    outer = place.around[-1]
    if (
        not isinstance(node, ast.Name)
        or not isinstance(outer, ast.Compare)
        or _is_of_torch_1(outer)
    ):
        return
    value = place.scope.value(node.id)
    for inner in ast.walk(value) if value is not None else ():
        name = place.scope.resolve(inner) or ""
        gates = select_kinds(known(name).facts, When.GATE) if name else []
        if gates and not is_guarded(place, name):
            yield Judged(name, gates[0].sentence, State.DIFFERENT)
            return


def judge_assignment(place: Place, kinds: Kinds, surface: Surface) -> Iterator[Judged]:
    """An operator in place on a tensor that a function was called with, on a view, or on an
    attribute; kernels have no such."""
    statement, functions = place.node, [n for n in place.around if isinstance(n, ast.FunctionDef)]
    assert isinstance(statement, ast.AugAssign)
    target, operator = statement.target, OPERATORS.get(type(statement.op))
    marks = [ast.unparse(mark).partition("(")[0] for f in functions for mark in f.decorator_list]
    if any(mark.endswith(("jit", "kernel", "prim_func", "macro")) for mark in marks):
        return
    if operator is not None and _is_seen_elsewhere(target, place.scope, kinds):
        yield from judge_quirks(surface, f"torch.Tensor.{operator}", "seen_elsewhere", target)


def _is_seen_elsewhere(target: ast.expr, scope: Scope, kinds: Kinds) -> bool:
    """Whether it is a tensor by its annotation as an argument, by what is stored in an attribute,
    or as a part of a tensor."""
    if isinstance(target, ast.Attribute):
        return kinds.class_of(target, scope) == TENSOR
    holder = scope.holder(target.id) if isinstance(target, ast.Name) else None
    if holder is None or not isinstance(target, ast.Name):
        return False
    if target.id in holder.arguments:
        return is_tensor(holder.annotations.get(target.id), holder)
    value = scope.value(target.id)
    parts = 0
    while value is not None:
        if isinstance(value, ast.Subscript):
            value, parts = value.value, parts + 1
        elif isinstance(value, ast.Call) and getattr(value.func, "attr", "") in SIZES + TRANSPOSING:
            value, parts = getattr(value.func, "value", None), parts + 1
        else:
            return (
                parts > 0
                and not isinstance(value, ast.Call)
                and kinds.class_of(value, scope) == TENSOR
            )
    return False


def judge_call(place: Place, kinds: Kinds, target: Surface) -> Iterator[Judged]:
    """What a call does with an index, a count or strides."""
    call = place.node
    assert isinstance(call, ast.Call)
    name = place.scope.resolve(call.func) or ""
    if name == INDEX or not (call.args or call.keywords):
        return
    found = [
        *_device(call, name, place.scope, target),
        *_number(call, name, place.scope, target),
        *_strides(call, name, place.scope, target),
        *_host(call, name, place.scope, target),
    ]
    if getattr(place.around[-1], "attr", "") == "as_strided":
        found = [judged for judged in found if judged.name != "torch.empty_like"]
    if found and not is_guarded(place, name):
        yield from found


def fallback(call: ast.Call) -> ast.Constant | None:
    """The attribute that `getattr(x, "name", 0)` asks for: a number stands for what is missing,
    and nobody sees the difference. None and the like are what a test of presence gives."""
    if getattr(call.func, "id", "") != "getattr" or len(call.args) not in (2, 3):
        return None
    name, default = call.args[1], call.args[2:]
    number = [type(getattr(value, "value", None)) in (int, float) for value in default]
    plain = isinstance(name, ast.Constant) and isinstance(name.value, str) and all(number)
    return name if plain and isinstance(name, ast.Constant) else None


def _device(call: ast.Call, name: str, scope: Scope, target: Surface) -> Iterator[Judged]:
    """An index where a device is meant."""
    given = [k.value for k in call.keywords if k.arg == "device"]
    moved = isinstance(call.func, ast.Attribute) and call.func.attr == "to" and not name
    if moved:
        given += call.args[:1]
    torch = name.startswith("torch.") and not name.startswith(("torch.cuda.", "torch.ops."))
    if not (moved or torch):
        return
    for value in given:
        value = _resolve(value, scope)
        if isinstance(value, ast.Call) and scope.resolve(value.func) == INDEX:
            yield from judge_quirks(target, INDEX, "index_as_device")


def _resolve(node: ast.expr, scope: Scope) -> ast.expr:
    if isinstance(node, ast.Name):
        return scope.value(node.id) or node
    return node


def _number(call: ast.Call, name: str, scope: Scope, target: Surface) -> Iterator[Judged]:
    """A count of elements where a kernel or a foreign function wants a number."""
    launch = isinstance(call.func, ast.Subscript) or name == "triton.cdiv"
    operator = name.startswith("torch.ops.")
    elsewhere = not name.startswith("torch.") and not _builtin(call.func)
    of_sizes = getattr(call.func, "id", getattr(call.func, "attr", "")) in SIZES
    if not (launch or operator or elsewhere or of_sizes):
        return
    for value in (*call.args, *(k.value for k in call.keywords)):
        value = _resolve(value, scope)
        counts = set(_methods(value))
        bytes_too = "element_size" in counts
        part = of_sizes and _is_quotient(value)  # has a dimension where numel() gives a 0-D tensor
        if counts & set(NUMBER) and (launch or operator or bytes_too or part):
            yield from judge_quirks(target, "torch.Tensor.numel", "number_is_needed", value)
            return


def _is_quotient(value: ast.expr) -> bool:
    quotients = (ast.FloorDiv, ast.Mod)
    return any(isinstance(n, ast.BinOp) and isinstance(n.op, quotients) for n in ast.walk(value))


def _builtin(function: ast.expr) -> bool:
    """`int`, `print`, `max` and the like take a 0-D tensor as they take a number."""
    if not isinstance(function, ast.Name):
        return False
    builtins = __builtins__ if isinstance(__builtins__, dict) else vars(__builtins__)
    return function.id in builtins


def _methods(node: ast.expr) -> Iterator[str]:
    """Methods called without arguments in a sum or product."""
    if isinstance(node, ast.BinOp):
        yield from _methods(node.left)
        yield from _methods(node.right)
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and not node.args:
        yield node.func.attr


def _strides(call: ast.Call, name: str, scope: Scope, target: Surface) -> Iterator[Judged]:
    if name != "torch.empty_like" or not call.args:
        return
    source = _resolve(call.args[0], scope)
    if isinstance(source, ast.Call):
        source = source.func
    if isinstance(source, ast.Attribute) and source.attr in TRANSPOSING:
        yield from judge_quirks(target, name, "strides_of_a_transposed")


def _host(call: ast.Call, name: str, scope: Scope, target: Surface) -> Iterator[Judged]:
    """A tensor made without a device for an operator of the repository's: on the GPU under the
    target's GPU build."""
    if not name.startswith("torch.ops.") or name.startswith("torch.ops.aten."):
        return
    for value in (*call.args, *(k.value for k in call.keywords)):
        value = _resolve(value, scope)
        if not isinstance(value, ast.Call) or scope.resolve(value.func) != "torch.tensor":
            continue
        if all(k.arg != "device" for k in value.keywords):
            for judged in judge_quirks(
                target, "torch.tensor", "host_tensor_for_an_operator", value
            ):
                yield replace(judged, state=State.UNKNOWN)
