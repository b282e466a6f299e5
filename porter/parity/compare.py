"""Compare two frameworks' answers to one case; the first broken contract is the phase."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from porter.model import ParityCase, Tolerance
from porter.parity.answers import Answer, TensorAnswer
from porter.parity.inputs import decode
from porter.parity.tolerance import allowed

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """An empty phase: the answers agree. The differences are the greatest that were seen."""

    phase: str = ""
    message: str = ""
    max_abs: float | None = None
    max_rel: float | None = None


def compare(case: ParityCase, source: Answer, target: Answer) -> Judgement:
    """Judge what the target answered by what the source answered."""
    return (
        _calls(case, source, target)
        or _structures(source, target)
        or _kinds(source, target)
        or _values(case, source, target)
    )


# ------------------------------------------------------------ import and call


def _calls(case: ParityCase, source: Answer, target: Answer) -> Judgement | None:
    both = (("source", source), ("target", target))
    for phase in ("import", "arguments"):
        broken = [f"{side}: {a.raised}" for side, a in both if a.raised and a.phase == phase]
        if broken:
            # arguments that cannot be made are no contract of the operator: they count as call
            return Judgement(phase="import" if phase == "import" else "call", message=_join(broken))
    if case.expect == "error":
        return _errors(both)
    broken = [f"{side}: {answer.raised}" for side, answer in both if answer.raised]
    return Judgement(phase="call", message=_join(broken)) if broken else None


def _errors(both: tuple[tuple[str, Answer], ...]) -> Judgement:
    words = [f"{side}: {answer.raised or 'returned'}" for side, answer in both]
    raised = all(answer.raised and answer.phase == "call" for _, answer in both)
    return Judgement(phase="" if raised else "call", message=_join(words))


def _join(lines: list[str]) -> str:
    return "; ".join(lines)


# ------------------------------------------------------------------ structure


def _structures(source: Answer, target: Answer) -> Judgement | None:
    for place, left, right in _walk(source.tree, target.tree, "result"):
        one, other = _described(left), _described(right)
        if left["kind"] == "other":
            message = f"{place}: a {left['type']} cannot be compared"
        elif one != other:
            message = f"{place}: {one} on the source, {other} on the target"
        else:
            continue
        return Judgement(phase="structure", message=message)
    return None


def _walk(
    left: Mapping[str, Any], right: Mapping[str, Any], place: str
) -> Iterator[tuple[str, Mapping[str, Any], Mapping[str, Any]]]:
    yield place, left, right
    if "items" in left and "items" in right:
        names = left.get("keys") or range(len(left["items"]))
        for name, one, other in zip(names, left["items"], right["items"], strict=False):
            yield from _walk(one, other, f"{place}[{name}]")


def _described(node: Mapping[str, Any]) -> str:
    match node["kind"]:
        case "scalar" | "other":
            return f"a {node['type']}"
        case "sequence":
            return f"a sequence of {len(node['items'])}"
        case "dict":
            return f"a dictionary of {', '.join(node['keys'])}"
        case kind:
            return f"a {kind}"


# ------------------------------------------------------------ dtype and shape


def _kinds(source: Answer, target: Answer) -> Judgement | None:
    pairs = [*_pairs(source, target, "result"), *_pairs(source, target, "argument")]
    for one, other in pairs:
        if one.dtype != other.dtype:
            message = f"{one.place}: {one.dtype} on the source, {other.dtype} on the target"
            return Judgement(phase="dtype", message=message)
    for one, other in pairs:
        if one.shape != other.shape:
            message = f"{one.place}: {one.shape} on the source, {other.shape} on the target"
            return Judgement(phase="shape", message=message)
    return None


def _pairs(
    source: Answer, target: Answer, role: str
) -> Iterator[tuple[TensorAnswer, TensorAnswer]]:
    there = target.of_role(role)
    for place, one in source.of_role(role).items():
        if place in there:
            yield one, there[place]


# --------------------------------------------------------------------- values


def _values(case: ParityCase, source: Answer, target: Answer) -> Judgement:
    greatest = _Greatest()
    for place, left, right in _walk(source.tree, target.tree, "result"):
        if left["kind"] == "scalar" and not _same_scalar(case, left["value"], right["value"]):
            message = f"{place}: {left['value']!r} on the source, {right['value']!r} on the target"
            return greatest.judgement("values", message)
    for role, name in (("result", ""), ("argument", " after the call")):
        for one, other in _pairs(source, target, role):
            problem = _difference(one, other, case.tolerance, greatest)
            if problem:
                return greatest.judgement("values", f"{one.place}{name}: {problem}")
    return _gradients(case, source, target, greatest)


def _gradients(case: ParityCase, source: Answer, target: Answer, greatest: _Greatest) -> Judgement:
    errors = (("source", source.gradient_error), ("target", target.gradient_error))
    broken = [f"{side}: {error}" for side, error in errors if error]
    if broken:
        return greatest.judgement("gradient", _join(broken))
    left, right = source.of_role("gradient"), target.of_role("gradient")
    if left.keys() != right.keys():
        message = f"of {_names(left)} on the source, of {_names(right)} on the target"
        return greatest.judgement("gradient", message)
    for place, one in left.items():
        other = right[place]
        if (one.dtype, one.shape) != (other.dtype, other.shape):
            problem = f"{one.dtype} {one.shape} on the source, {other.dtype} {other.shape} there"
        else:
            problem = _difference(one, other, case.tolerance, greatest)
        if problem:
            return greatest.judgement("gradient", f"of {place}: {problem}")
    return greatest.judgement("", "")


def _names(answers: Mapping[str, TensorAnswer]) -> str:
    return ", ".join(answers) or "nothing"


def _same_scalar(case: ParityCase, left: Any, right: Any) -> bool:
    if not isinstance(left, float):
        return bool(left == right)
    limit = allowed("float32", case.tolerance)  # what a float was before item() is not known
    if math.isnan(left) or math.isnan(right):
        return math.isnan(left) and math.isnan(right)
    if math.isinf(left) or math.isinf(right):
        return bool(left == right)
    return bool(abs(left - right) <= limit.atol + limit.rtol * abs(left))


class _Greatest:
    """The greatest differences seen in a case."""

    def __init__(self) -> None:
        self.absolute: float | None = None
        self.relative: float | None = None

    def see(self, absolute: float, relative: float) -> None:
        self.absolute = max(self.absolute or 0.0, absolute)
        self.relative = max(self.relative or 0.0, relative)

    def judgement(self, phase: str, message: str) -> Judgement:
        return Judgement(phase=phase, message=message, max_abs=self.absolute, max_rel=self.relative)


def _difference(
    one: TensorAnswer, other: TensorAnswer, own: Tolerance | None, greatest: _Greatest
) -> str:
    """What is wrong with the target's tensor; empty where it is within the tolerance."""
    import numpy as np

    limit = allowed(one.dtype, own)
    expected, actual = decode(one.data, one.dtype), decode(other.data, other.dtype)
    if expected.size == 0:
        return ""
    if np.issubdtype(expected.dtype, np.inexact):
        wide = np.complex128 if np.iscomplexobj(expected) else np.float64
        expected, actual = expected.astype(wide), actual.astype(wide)
        problem = _special(expected, actual)
        if problem:
            return problem
        finite = np.isfinite(expected)
        expected, actual = np.where(finite, expected, 0), np.where(finite, actual, 0)
    return _far(expected, actual, limit, greatest)


def _special(expected: Array, actual: Array) -> str:
    """NaN and infinities stand at the same places."""
    import numpy as np

    parts = [(expected, actual)]
    if np.iscomplexobj(expected):
        parts = [(expected.real, actual.real), (expected.imag, actual.imag)]
    for left, right in parts:
        for name, test in (("NaN", np.isnan), ("inf", np.isposinf), ("-inf", np.isneginf)):
            differ = test(left) != test(right)
            if differ.any():
                where = _index(np.argmax(differ), differ.shape)
                return (
                    f"{name} at other places: {int(differ.sum())} of {differ.size}, as at {where}"
                )
    return ""


def _far(expected: Array, actual: Array, limit: Tolerance, greatest: _Greatest) -> str:
    import numpy as np

    exact = limit.rtol == limit.atol == 0
    wide = expected if np.iscomplexobj(expected) else expected.astype(np.float64)
    size = np.abs(wide)
    absolute = np.abs(actual.astype(wide.dtype) - wide)
    relative = np.divide(absolute, size, out=np.zeros_like(absolute), where=size > 0)
    greatest.see(float(absolute.max()), float(relative.max()))
    # equality of integers is judged on the integers: float64 cannot tell large ones apart
    wrong = expected != actual if exact else absolute > limit.atol + limit.rtol * size
    if not wrong.any():
        return ""
    count, most = int(wrong.sum()), np.argmax(absolute)
    farthest = np.argmax(relative)
    return (
        f"{count} of {wrong.size} elements differ ({100 * count / wrong.size:.1f} %): "
        f"greatest absolute difference {absolute.flat[most]:.6g} at "
        f"{_index(most, wrong.shape)} (allowed {limit.atol:g}), "
        f"greatest relative difference {relative.flat[farthest]:.6g} at "
        f"{_index(farthest, wrong.shape)} (allowed {limit.rtol:g})"
    )


def _index(flat: Any, shape: tuple[int, ...]) -> tuple[int, ...]:
    import numpy as np

    return tuple(int(i) for i in np.unravel_index(int(flat), shape))
