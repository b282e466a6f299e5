"""Find the first operation that two frameworks answer otherwise, in the traces of one call."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher
from itertools import count
from typing import TypeAlias

from porter.parity.trace import EVENTS, Event, Trace, Value
from porter.parity.values import Difference, Judge, contiguous, same_bytes

ALONE = 4  # operations shown that only one side has
REPEATED = 10_000_000  # pairs of operations with one name, up to which all are considered


@dataclass(frozen=True, slots=True, kw_only=True)
class Parting:
    """The first operation that differs.

    `kind` says in what: `inputs` (they differ already, with no operation between that does),
    `result`, `arguments` (what it left in them), `error` (one raised), `crash` (the target's
    process ended within it). `target` is None where only the source got so far.
    """

    kind: str
    source: Event | None
    target: Event | None
    message: str
    difference: Difference | None = None
    cause: tuple[Event, Event] | None = None  # where the repository's own values first differ
    slight: tuple[tuple[Event, Difference], ...] = ()  # passed over before
    agreed: int = 0  # operations that were the same before
    only_source: tuple[Event, ...] = ()  # not on the other side, since the last that agreed
    only_target: tuple[Event, ...] = ()
    called_back: Event | None = None  # the operation of a framework that it happened in
    around: tuple[Event, ...] = ()  # open calls of its own, on the source, innermost first


def pair_events(source: Trace, target: Trace) -> dict[int, Event]:
    """The source's operation for each of the target's that has one, by its number.

    By file, function and name of the operation, in order: operations that only one side makes are
    left over, and the longest sequences that both have are matched first.
    """
    left, right = [_key(e) for e in source.events], [_key(e) for e in target.events]
    here, there = Counter(left), Counter(right)
    if sum(here[key] * there[key] for key in here) > REPEATED:
        left, right = _number_keys(left), _number_keys(right)
    matcher = SequenceMatcher(None, left, right, autojunk=False)
    found = {}
    for start, other, size in matcher.get_matching_blocks():
        for n in range(size):
            found[target.events[other + n].number] = source.events[start + n]
    return found


def _number_keys(keys: list[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """Each key with how often it was there before: long loops would take minutes else."""
    seen: defaultdict[tuple[str, ...], count[int]] = defaultdict(count)
    return [(*key, str(next(seen[key]))) for key in keys]


def _key(event: Event) -> tuple[str, ...]:
    site = event.site
    word = site.label if event.kind == "value" else site.word
    return event.kind, site.path, site.function, site.kind, word


def first(source: Trace, target: Trace, judge: Judge, *, alike: bool = False) -> Parting | None:
    """Where the target's trace leaves the source's; None where it does not.

    `alike`: both came to the same in the end, so that slight differences did not matter.
    """
    walk = _Walk(source, target, judge, pair_events(source, target))
    found = walk.first(alike)
    return found and replace(found, around=walk.enclosing_calls(found))


@dataclass(slots=True)
class _Walk:
    """The target's trace beside the source's, and what has been seen of both so far.

    What goes into an operation is compared when it begins, what comes out when it ends, so that
    the innermost operation is blamed. Slight differences are passed over, unless there are no
    others.
    """

    source: Trace
    target: Trace
    judge: Judge
    pairs: Mapping[int, Event]  # `paired`
    slight: list[tuple[Event, Difference]] = field(default_factory=list)
    causes: list[tuple[Event, Event, Difference]] = field(default_factory=list)
    agreed: int = 0
    last: tuple[Event, Event] | None = None  # the last pair that agreed to its end
    open: list[Event] = field(default_factory=list)  # begun, and not ended
    skipped: set[int] = field(default_factory=set)  # called back with other inputs
    pending: dict[int, Parting] = field(default_factory=dict)  # in which operation -> the first

    def first(self, alike: bool) -> Parting | None:
        for what, event in self.target.steps:
            around = self.open[-1] if self.open else None
            if event.kind == "operation":
                self.open.append(event) if what == "start" else self.open.remove(event)
            other = self.pairs.get(event.number)
            if event.kind == "raised" and (other is None or _errors(other, event)):
                # out of a line that no operation stands for
                message, cause = (
                    f"source: no error; target: {event.error}",
                    self._cause(None, event),
                )
                return self._create_parting("error", message, None, event, cause=cause)
            if other is None or any(e.number in self.skipped for e in (event, *self.open)):
                continue
            found = self._difference(what, other, event)
            if found is not None:
                told = self._make_parting(found, other, event)
                if what == "end" or around is None or around.owner == "repository":
                    return self.pending.get(event.number, told)
                # the framework calls back as often as it likes, and in what order: whether that
                # matters, the end of its own operation tells
                self.skipped.add(event.number)
                self.pending.setdefault(around.number, replace(told, called_back=around))
            elif what == "end" and event.kind == "operation":
                self.agreed += 1
                self.last = other, event
        cut = self._cut_short()
        return cut if cut or alike else next(iter(self.pending.values()), None) or self._leftover()

    def enclosing_calls(self, found: Parting) -> tuple[Event, ...]:
        """The calls of the repository's own functions that were open, as the source made them."""
        calls: list[Event] = []
        for what, event in self.target.steps:
            if event is found.target:
                break
            if event.owner == "repository" and what == "start":
                calls.append(event)
            elif event.owner == "repository" and event in calls:
                calls.remove(event)
        return tuple(self.pairs[e.number] for e in reversed(calls) if e.number in self.pairs)

    # ------------------------------------------------------------ what differs

    def _difference(self, what: str, source: Event, target: Event) -> _Found | None:
        """Of one beginning or end."""
        judge = self.judge
        if target.kind == "value":
            both = {"": source.result or {}}, {"": target.result or {}}
            found = judge.differences(*both) if source.result and target.result else ()
            self.causes += [(source, target, each) for each in found]
            return None
        if what == "start":
            given = judge.differences(source.arguments, target.arguments)
            return self._grave("inputs", given, target)
        if source.error or target.error:
            return _errors(source, target)
        if source.result is None or target.result is None:
            return None
        strides = all(contiguous(value) for value in source.arguments.values())
        looser = not same_bytes(source, target)
        results = {"result": source.result}, {"result": target.result}
        came = judge.differences(*results, strides=strides, looser=looser)
        # what the operation left in its arguments, as far as either side changed them
        changed = list({**source.after, **target.after})
        left, right = (
            {place: value for place in changed if (value := _value_after(event, place))}
            for event in (source, target)
        )
        after = judge.differences(left, right, strides=False, looser=looser)
        return self._grave("result", came, target) or self._grave("arguments", after, target)

    def _grave(self, kind: str, found: Iterator[Difference], event: Event) -> _Found | None:
        for each in found:
            if not each.slight:
                return kind, f"{each.place}: {each.aspect}: {each.message}", each
            self.slight.append((event, each))
        return None

    # ------------------------------------------------------------ what is said

    def _create_parting(
        self,
        kind: str,
        message: str,
        source: Event | None,
        target: Event | None,
        difference: Difference | None = None,
        cause: tuple[Event, Event] | None = None,
    ) -> Parting:
        return Parting(
            kind=kind,
            message=message,
            source=source,
            target=target,
            difference=difference,
            cause=cause,
            slight=tuple(self.slight),
            agreed=self.agreed,
        )

    def _make_parting(self, found: _Found, source: Event, target: Event) -> Parting:
        kind, message, difference = found
        cause = self._cause(difference, target) if kind == "inputs" else None
        since = self.last or (None, None)
        known = {event.number for event in self.pairs.values()}
        return replace(
            self._create_parting(kind, message, source, target, difference, cause),
            only_source=_alone(self.source, since[0], source, known),
            only_target=_alone(self.target, since[1], target, self.pairs),
        )

    def _cause(self, difference: Difference | None, event: Event) -> tuple[Event, Event] | None:
        """Where a value of the repository's own first became what went in; else the first value, or
        branch, that is another in the function of the operation; else the last before it."""
        grave = [each for each in self.causes if not each[2].slight]
        went_in = difference and (difference.source, difference.target)
        same = [c for c in grave if (c[2].source, c[2].target) == went_in]
        place = event.site.path, event.site.function
        near = [c for c in grave if (c[1].site.path, c[1].site.function) == place]
        found = [*same, *near, *reversed(grave)]
        return found[0][:2] if found else None

    def _cut_short(self) -> Parting | None:
        """The target ended within an operation, or the source alone raised."""
        what, last = self.target.steps[-1] if self.target.steps else ("", None)
        if what == "start" and last is not None and len(self.target.events) < EVENTS:
            message = "the target's process ended within this operation"
            return self._create_parting("crash", message, self.pairs.get(last.number), last)
        known = {event.number for event in self.pairs.values()}
        raised = (e for e in self.source.events if e.kind == "raised" and e.number not in known)
        event = next(raised, None)
        if event is None:
            return None
        return self._create_parting(
            "error", f"source: {event.error}; target: no error", event, None
        )

    def _leftover(self) -> Parting | None:
        """A slight difference is the first where there is no other."""
        if not self.slight:
            return None
        event, found = self.slight[0]
        kind = "result" if found.place.startswith("result") else "inputs"
        message = f"{found.place}: {found.aspect}: {found.message}"
        return self._create_parting(kind, message, self.pairs[event.number], event, found)


_Found: TypeAlias = tuple[str, str, Difference | None]  # kind, message


def _errors(source: Event, target: Event) -> _Found | None:
    kinds = [e.error.partition(":")[0] for e in (source, target)]
    if kinds[0] == kinds[1]:
        return None
    said = [e.error or "returned" for e in (source, target)]
    return "error", f"source: {said[0]}; target: {said[1]}", None


def _value_after(event: Event, place: str) -> Value | None:
    """What was in an argument when the operation had ended."""
    return event.after.get(place) or event.arguments.get(place)


def _alone(
    trace: Trace, since: Event | None, until: Event, pairs: Container[int]
) -> tuple[Event, ...]:
    low = since.number if since else 0
    between = (e for e in trace.events if low < e.number < until.number)
    return tuple(e for e in between if e.number not in pairs and e.kind == "operation")[-ALONE:]
