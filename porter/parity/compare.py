"""Compare two frameworks' answers to one case; the first broken contract is the phase."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from porter.model import ParityCase
from porter.parity.answers import Answer, TensorAnswer
from porter.parity.cases import tensors
from porter.parity.measure import Bounds, Distance, distance, is_near, tolerance_for

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
    both = _Both(case, source, target, more or More())
    found = (
        both.calls()
        or both.states()
        or both.structures()
        or both.kinds()
        or both.references()
        or both.values()
    )
    left = (a.left and f"left {a.left} process{'es' * (a.left > 1)} running" for a in both.answers)
    running = [f"{side} {said}" for side, said in zip(SIDES, left, strict=True) if said]
    return replace(found, message="; ".join([*filter(None, [found.message]), *running]))


SIDES = ("source", "target")
# What a tensor is besides its numbers, in the order of judgement.
KINDS: tuple[tuple[str, Callable[[TensorAnswer], Any]], ...] = (
    ("dtype", lambda tensor: tensor.dtype),
    ("shape", lambda tensor: tensor.shape),
    ("device", lambda tensor: tensor.device),
    ("strides", lambda tensor: tensor.meaningful_strides),
    ("alias", lambda tensor: tensor.alias or "its own memory"),
)


class _Both:
    """The answers of both sides to one case, and the greatest differences of their tensors."""

    def __init__(self, case: ParityCase, source: Answer, target: Answer, more: More) -> None:
        self.case = case
        self.source = source
        self.target = target
        self.answers = (source, target)
        self.more = more
        self.greatest: Distance | None = None

    def describe(self, what: Callable[[Answer], str]) -> str:
        """Something of either side, where there is something."""
        pairs = ((side, what(answer)) for side, answer in zip(SIDES, self.answers, strict=True))
        return "; ".join(f"{side}: {said}" for side, said in pairs if said)

    def pairs(self, role: str) -> Iterator[tuple[TensorAnswer, TensorAnswer]]:
        there = self.target.tensors_by_place(role)
        for place, one in self.source.tensors_by_place(role).items():
            if place in there:
                yield one, there[place]

    # ------------------------------------------------------- call, state, structure

    def calls(self) -> Judgement | None:
        for phase in ("import", "arguments"):
            broken = self.describe(lambda a, phase=phase: a.raised if a.phase == phase else "")  # type: ignore[misc]
            if broken:
                # arguments that cannot be made are no contract of the operator: they count as call
                return Judgement(phase="import" if phase == "import" else "call", message=broken)
        refused = all(answer.raised for answer in self.answers)
        if self.case.expect == "error" or (self.case.expect == "either" and refused):
            return self.errors()
        broken = self.describe(lambda answer: answer.raised)
        return Judgement(phase="call", message=broken) if broken else None

    def errors(self) -> Judgement:
        words = self.describe(lambda answer: answer.raised or "returned")
        if not all(answer.raised and answer.phase == "call" for answer in self.answers):
            return Judgement(phase="call", message=words)
        types = {answer.raised.partition(":")[0] for answer in self.answers}
        if len(types) > 1 and "error type" not in self.case.waived:
            return Judgement(phase="error type", message=words)
        return Judgement(message=words, refused=True)

    def states(self) -> Judgement | None:
        """No operator changes the process that it is called in, on whatever side."""
        changed = "; ".join(
            f"{side} changed {', '.join(answer.changed)}"
            for side, answer in zip(SIDES, self.answers, strict=True)
            if answer.changed
        )
        if not changed or "state" in self.case.waived:
            return None
        return Judgement(phase="state", message=changed)

    def structures(self) -> Judgement | None:
        for place, left, right in _walk(self.source.tree, self.target.tree, "result"):
            one, other = _describe(left), _describe(right)
            if left["kind"] == "other":
                message = f"{place}: a {left['type']} cannot be compared"
            elif one != other:
                message = f"{place}: {one} on the source, {other} on the target"
            else:
                continue
            return Judgement(phase="structure", message=message)
        return None

    def kinds(self) -> Judgement | None:
        pairs = [*self.pairs("result"), *self.pairs("argument")]
        waived = set(self.case.waived)
        specs = tensors((*self.case.args, *self.case.kwargs.values()))
        if any(spec.layout != "contiguous" for spec in specs):
            waived.add("strides")  # torch keeps the order of such memory, others do not
        for phase, kind in KINDS:
            for one, other in pairs:
                if kind(one) != kind(other) and phase not in waived:
                    message = f"{one.place}: {kind(one)} on the source, {kind(other)} on the target"
                    return Judgement(phase=phase, message=message)
        return None

    def references(self) -> Judgement | None:
        """The case's own reference must answer, and have a tensor for each of the operator's."""
        reference = self.more.reference
        if not self.case.reference or reference is None:
            return None
        there = reference.tensors_by_place("result")
        missing = ", ".join(
            place for place in self.source.tensors_by_place("result") if place not in there
        )
        message = reference.raised or (f"it returns no {missing}" if missing else "")
        return Judgement(phase="reference", message=message) if message else None

    # ------------------------------------------------------------------ values

    def values(self) -> Judgement:
        for place, left, right in _walk(self.source.tree, self.target.tree, "result"):
            one, other = left.get("value"), right.get("value")
            if left["kind"] == "scalar" and not _same_scalar(self.case, one, other):
                message = f"{place}: {one!r} on the source, {other!r} on the target"
                return self.judgement("values", message)
        for role, name in (("result", ""), ("argument", " after the call")):
            for one, other in self.pairs(role):
                problem = self.see(one, other)
                if problem:
                    return self.judgement("values", f"{one.place}{name}: {problem}")
        return self.gradients()

    def gradients(self) -> Judgement:
        broken = self.describe(lambda answer: answer.gradient_error)
        if broken:
            return self.judgement("gradient", broken)
        left, right = (", ".join(a.tensors_by_place("gradient")) or "nothing" for a in self.answers)
        if {*self.source.tensors_by_place("gradient")} != {
            *self.target.tensors_by_place("gradient")
        }:
            return self.judgement("gradient", f"of {left} on the source, of {right} on the target")
        for one, other in self.pairs("gradient"):
            here, there = (f"{each.dtype} {each.shape}" for each in (one, other))
            same = here == there
            problem = self.see(one, other) if same else f"{here} on the source, {there} there"
            if problem:
                return self.judgement("gradient", f"of {one.place}: {problem}")
        return self.judgement("", "")

    def see(self, one: TensorAnswer, other: TensorAnswer) -> str:
        """What is wrong with the target's tensor; empty where it is within what is allowed."""
        repeats = (repeat.tensors_by_place(one.role).get(one.place) for repeat in self.more.repeats)
        bounds = Bounds(
            tolerance_for(one.dtype, self.case.tolerance),
            self.reference(one),
            tuple(again for again in repeats if again and again.shape == one.shape),
            trusted=bool(self.case.reference),
        )
        new = distance(one, other, bounds)
        self.greatest = new.merge(self.greatest or new)
        return new.problem

    def reference(self, one: TensorAnswer) -> TensorAnswer | None:
        if self.more.reference is None:
            return None
        # a reference need not write into its arguments
        if self.case.reference and one.role == "argument":
            return None
        return self.more.reference.tensors_by_place(one.role).get(one.place)

    def judgement(self, phase: str, message: str) -> Judgement:
        found = self.greatest
        if found is None:
            return Judgement(phase=phase, message=message)
        return Judgement(
            phase=phase,
            message=message or found.excuse,
            max_abs=found.max_abs,
            max_rel=found.max_rel,
            max_ulp=found.max_ulp,
            units=found.units,
            cosine=found.cosine,
        )


def _walk(
    left: Mapping[str, Any], right: Mapping[str, Any], place: str
) -> Iterator[tuple[str, Mapping[str, Any], Mapping[str, Any]]]:
    yield place, left, right
    if "items" in left and "items" in right:
        names = left.get("keys") or range(len(left["items"]))
        for name, one, other in zip(names, left["items"], right["items"], strict=False):
            yield from _walk(one, other, f"{place}[{name}]")


def _describe(node: Mapping[str, Any]) -> str:
    match node["kind"]:
        case "scalar" | "other":
            return f"a {node['type']}"
        case "sequence":
            return f"a sequence of {len(node['items'])}"
        case "dict":
            return f"a dictionary of {', '.join(node['keys'])}"
        case kind:
            return f"a {kind}"


def _same_scalar(case: ParityCase, left: Any, right: Any) -> bool:
    if not isinstance(left, float):
        return bool(left == right)
    # what a float was before item() is not known
    return is_near(left, right, tolerance_for("float32", case.tolerance))
