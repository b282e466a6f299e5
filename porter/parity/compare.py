"""Compare two frameworks' answers to one case; the first broken contract is the phase."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from porter.model import ParityCase
from porter.parity.answers import Answer, TensorAnswer
from porter.parity.cases import tensors
from porter.parity.measure import Bounds, Distance, distance
from porter.parity.tolerance import allowed

NUMBERS = ("values", "gradient")  # phases in which the source's own error counts


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """An empty phase: the answers agree. The differences are the greatest that were seen."""

    phase: str = ""
    message: str = ""
    max_abs: float | None = None
    max_rel: float | None = None
    max_ulp: float | None = None
    units: float | None = None  # of the tolerance; up to 1 is within it
    cosine: float | None = None  # the least
    refused: bool = False  # both sides raised, and may


@dataclass(frozen=True, slots=True, kw_only=True)
class More:
    """What else the source was asked: the call in higher precision, and the same call again."""

    reference: Answer | None = None
    repeats: Sequence[Answer] = ()


def compare(
    case: ParityCase, source: Answer, target: Answer, more: More | None = None
) -> Judgement:
    """Judge what the target answered by what the source answered."""
    found = (
        _calls(case, source, target)
        or _states(case, source, target)
        or _structures(source, target)
        or _kinds(case, source, target)
        or _references(case, source, more or More())
        or _values(case, source, target, more or More())
    )
    running = [
        f"{side} left {answer.left} process{'es' * (answer.left > 1)} running"
        for side, answer in (("source", source), ("target", target))
        if answer.left
    ]
    return replace(found, message=_join([*filter(None, [found.message]), *running]))


# ------------------------------------------------------------ import and call


def _calls(case: ParityCase, source: Answer, target: Answer) -> Judgement | None:
    both = (("source", source), ("target", target))
    for phase in ("import", "arguments"):
        broken = [f"{side}: {a.raised}" for side, a in both if a.raised and a.phase == phase]
        if broken:
            # arguments that cannot be made are no contract of the operator: they count as call
            return Judgement(phase="import" if phase == "import" else "call", message=_join(broken))
    refused = all(answer.raised for _, answer in both)
    if case.expect == "error" or (case.expect == "either" and refused):
        return _errors(case, both)
    broken = [f"{side}: {answer.raised}" for side, answer in both if answer.raised]
    return Judgement(phase="call", message=_join(broken)) if broken else None


def _errors(case: ParityCase, both: tuple[tuple[str, Answer], ...]) -> Judgement:
    words = _join([f"{side}: {answer.raised or 'returned'}" for side, answer in both])
    if not all(answer.raised and answer.phase == "call" for _, answer in both):
        return Judgement(phase="call", message=words)
    types = {answer.raised.partition(":")[0] for _, answer in both}
    if len(types) > 1 and "error type" not in case.waived:
        return Judgement(phase="error type", message=words)
    return Judgement(message=words, refused=True)


def _join(lines: list[str]) -> str:
    return "; ".join(lines)


# ---------------------------------------------------------------------- state


def _states(case: ParityCase, source: Answer, target: Answer) -> Judgement | None:
    """No operator changes the process that it is called in, on whatever side."""
    changed = [
        f"{side} changed {', '.join(answer.changed)}"
        for side, answer in (("source", source), ("target", target))
        if answer.changed
    ]
    if not changed or "state" in case.waived:
        return None
    return Judgement(phase="state", message=_join(changed))


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


# What a tensor is besides its numbers, in the order of judgement.
KINDS: tuple[tuple[str, Callable[[TensorAnswer], Any]], ...] = (
    ("dtype", lambda tensor: tensor.dtype),
    ("shape", lambda tensor: tensor.shape),
    ("device", lambda tensor: tensor.device),
    ("strides", lambda tensor: tensor.meaningful_strides),
    ("alias", lambda tensor: tensor.alias or "memory of its own"),
)


def _kinds(case: ParityCase, source: Answer, target: Answer) -> Judgement | None:
    pairs = [*_pairs(source, target, "result"), *_pairs(source, target, "argument")]
    waived = set(case.waived)
    if any(spec.layout != "contiguous" for spec in tensors((*case.args, *case.kwargs.values()))):
        waived.add("strides")  # torch keeps the order of such memory, others do not
    for phase, kind in KINDS:
        for one, other in pairs:
            if kind(one) != kind(other) and phase not in waived:
                message = f"{one.place}: {kind(one)} on the source, {kind(other)} on the target"
                return Judgement(phase=phase, message=message)
    return None


def _pairs(
    source: Answer, target: Answer, role: str
) -> Iterator[tuple[TensorAnswer, TensorAnswer]]:
    there = target.of_role(role)
    for place, one in source.of_role(role).items():
        if place in there:
            yield one, there[place]


# ------------------------------------------------------------------ reference


def _references(case: ParityCase, source: Answer, more: More) -> Judgement | None:
    """The case's own reference must answer, and have a tensor for each of the operator's."""
    if not case.reference or more.reference is None:
        return None
    if more.reference.raised:
        return Judgement(phase="reference", message=more.reference.raised)
    there = more.reference.of_role("result")
    missing = [place for place in source.of_role("result") if place not in there]
    if missing:
        return Judgement(phase="reference", message=f"it returns no {', '.join(missing)}")
    return None


# --------------------------------------------------------------------- values


def _values(case: ParityCase, source: Answer, target: Answer, more: More) -> Judgement:
    greatest = _Greatest(case, more)
    for place, left, right in _walk(source.tree, target.tree, "result"):
        if left["kind"] == "scalar" and not _same_scalar(case, left["value"], right["value"]):
            message = f"{place}: {left['value']!r} on the source, {right['value']!r} on the target"
            return greatest.judgement("values", message)
    for role, name in (("result", ""), ("argument", " after the call")):
        for one, other in _pairs(source, target, role):
            problem = greatest.see(one, other)
            if problem:
                return greatest.judgement("values", f"{one.place}{name}: {problem}")
    return _gradients(source, target, greatest)


def _gradients(source: Answer, target: Answer, greatest: _Greatest) -> Judgement:
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
            problem = greatest.see(one, other)
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
    """Compares the tensors of a case and keeps the greatest differences."""

    def __init__(self, case: ParityCase, more: More) -> None:
        self.case = case
        self.more = more
        self.found: Distance | None = None

    def see(self, one: TensorAnswer, other: TensorAnswer) -> str:
        """What is wrong with the target's tensor; empty where it is within what is allowed."""
        bounds = Bounds(
            allowed(one.dtype, self.case.tolerance),
            self._reference(one),
            tuple(
                again
                for repeat in self.more.repeats
                if (again := repeat.of_role(one.role).get(one.place)) and again.shape == one.shape
            ),
            trusted=bool(self.case.reference),
        )
        new = distance(one, other, bounds)
        old = self.found or new
        self.found = Distance(
            excuse=new.excuse or old.excuse,
            absolute=max(old.absolute, new.absolute),
            relative=max(old.relative, new.relative),
            units=max(old.units, new.units),
            ulps=max((u for u in (old.ulps, new.ulps) if u is not None), default=None),
            cosine=min((c for c in (old.cosine, new.cosine) if c is not None), default=None),
        )
        return new.problem

    def _reference(self, one: TensorAnswer) -> TensorAnswer | None:
        if self.more.reference is None:
            return None
        # a reference need not write into its arguments
        if self.case.reference and one.role == "argument":
            return None
        return self.more.reference.of_role(one.role).get(one.place)

    def judgement(self, phase: str, message: str) -> Judgement:
        found = self.found
        if found is None:
            return Judgement(phase=phase, message=message)
        return Judgement(
            phase=phase,
            message=message or found.excuse,
            max_abs=found.absolute,
            max_rel=found.relative,
            max_ulp=found.ulps,
            units=found.units,
            cosine=found.cosine,
        )
