"""Find the first operation that two frameworks answer otherwise, in the traces of one call."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher

from porter.parity.trace import EVENTS, Event, Trace
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


def paired(source: Trace, target: Trace) -> dict[int, Event]:
    """The source's operation for each of the target's that has one, by its number.

    By file, function and name of the operation, in order: operations that only one side makes are
    left over, and the longest sequences that both have are matched first.
    """
    left, right = [_key(e) for e in source.events], [_key(e) for e in target.events]
    here, there = Counter(left), Counter(right)
    if sum(here[key] * there[key] for key in here) > REPEATED:
        left, right = _counted(left), _counted(right)
    matcher = SequenceMatcher(None, left, right, autojunk=False)
    found = {}
    for start, other, size in matcher.get_matching_blocks():
        for n in range(size):
            found[target.events[other + n].number] = source.events[start + n]
    return found


def _counted(keys: list[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """Each key with how often it was there before: long loops would take minutes else."""
    seen: Counter[tuple[str, ...]] = Counter()
    found = []
    for key in keys:
        seen[key] += 1
        found.append((*key, str(seen[key])))
    return found


def _key(event: Event) -> tuple[str, ...]:
    site = event.site
    word = site.label if event.kind == "value" else site.word
    return event.kind, site.path, site.function, site.kind, word


@dataclass(slots=True)
class _Walk:
    """What has been seen of two traces so far."""

    slight: list[tuple[Event, Difference]] = field(default_factory=list)
    causes: list[tuple[Event, Event, Difference]] = field(default_factory=list)
    agreed: int = 0
    last: tuple[Event, Event] | None = None  # the last pair that agreed to its end
    open: list[Event] = field(default_factory=list)  # begun, and not ended
    skipped: set[int] = field(default_factory=set)  # called back with other inputs
    pending: dict[int, Parting] = field(default_factory=dict)  # in which operation -> the first


def first(source: Trace, target: Trace, judge: Judge, *, alike: bool = False) -> Parting | None:
    """Where the target's trace leaves the source's; None where it does not.

    `alike`: both came to the same in the end, so that slight differences did not matter.
    """
    pairs = paired(source, target)
    found = _first(source, target, judge, pairs, alike)
    return found and replace(found, around=_around(target, found, pairs))


def _around(target: Trace, found: Parting, pairs: Mapping[int, Event]) -> tuple[Event, ...]:
    """The calls of the repository's own functions that were open, as the source made them."""
    open_ones: list[Event] = []
    for what, event in target.steps:
        if event is found.target:
            break
        if event.of == "repository" and what == "start":
            open_ones.append(event)
        elif event.of == "repository" and event in open_ones:
            open_ones.remove(event)
    inner_first = [pairs[e.number] for e in reversed(open_ones) if e.number in pairs]
    return tuple(inner_first)


def _first(
    source: Trace, target: Trace, judge: Judge, pairs: Mapping[int, Event], alike: bool
) -> Parting | None:
    """What goes into an operation is compared when it begins, what comes out when it ends, so that
    the innermost operation is blamed. Slight differences are passed over, unless there are no
    others.
    """
    walk = _Walk()
    for what, event in target.steps:
        around = walk.open[-1] if walk.open else None
        if event.kind == "operation":
            walk.open.append(event) if what == "start" else walk.open.remove(event)
        other = pairs.get(event.number)
        if event.kind == "raised" and (other is None or _errors(other, event)):
            return _went_on(event, walk)
        if other is None or any(e.number in walk.skipped for e in (event, *walk.open)):
            continue
        found = _difference(what, other, event, judge, walk)
        if found is not None:
            told = _told(found, other, event, walk, source, target, pairs)
            if what == "end" or around is None or around.of == "repository":
                return walk.pending.get(event.number, told)
            # the framework calls back as often as it likes, and in what order: whether that
            # matters, the end of its own operation tells
            walk.skipped.add(event.number)
            walk.pending.setdefault(around.number, replace(told, called_back=around))
        elif what == "end" and event.kind == "operation":
            walk.agreed += 1
            walk.last = other, event
    cut = _cut_short(source, target, pairs, walk)
    left = next(iter(walk.pending.values()), None) or _leftover(pairs, walk)
    return cut if cut or alike else left


def _difference(
    what: str, source: Event, target: Event, judge: Judge, walk: _Walk
) -> tuple[str, str, Difference | None] | None:
    """(kind, message, difference) of one beginning or end."""
    if target.kind == "value":
        both = {"": source.result or {}}, {"": target.result or {}}
        found = list(judge.differences(*both)) if source.result and target.result else []
        walk.causes += [(source, target, d) for d in found]
        return None
    if what == "start":
        return _grave("inputs", judge.differences(source.arguments, target.arguments), target, walk)
    if source.error or target.error:
        return _errors(source, target)
    strides = all(contiguous(value) for value in source.arguments.values())
    looser = not same_bytes(source, target)
    results = {"result": source.result or {}}, {"result": target.result or {}}
    found_ones = judge.differences(*results, strides=strides, looser=looser)
    if source.result is None or target.result is None:
        return None
    return _grave("result", found_ones, target, walk) or _mutations(
        source, target, judge, looser, walk
    )


def _grave(
    kind: str, found: Iterator[Difference], event: Event, walk: _Walk
) -> tuple[str, str, Difference | None] | None:
    for each in found:
        if not each.slight:
            return kind, f"{each.place}: {each.aspect}: {each.message}", each
        walk.slight.append((event, each))
    return None


def _errors(source: Event, target: Event) -> tuple[str, str, Difference | None] | None:
    kinds = [e.error.partition(":")[0] for e in (source, target)]
    if kinds[0] == kinds[1]:
        return None
    said = [e.error or "returned" for e in (source, target)]
    return "error", f"source: {said[0]}; target: {said[1]}", None


def _mutations(
    source: Event, target: Event, judge: Judge, looser: bool, walk: _Walk
) -> tuple[str, str, Difference | None] | None:
    """What the operation left in its arguments, as far as either side changed them."""
    changed = list({**source.after, **target.after})
    left = {place: _left(source, place) for place in changed}
    right = {place: _left(target, place) for place in changed}
    both = [p for p in changed if left[p] is not None and right[p] is not None]
    found = judge.differences(
        {p: left[p] or {} for p in both},
        {p: right[p] or {} for p in both},
        strides=False,
        looser=looser,
    )
    return _grave("arguments", found, target, walk)


def _left(event: Event, place: str) -> Mapping[str, object] | None:
    """What was in an argument when the operation had ended."""
    return event.after.get(place) or event.arguments.get(place)


# ------------------------------------------------------------------ what is said


def _told(
    found: tuple[str, str, Difference | None],
    source: Event,
    target: Event,
    walk: _Walk,
    all_source: Trace,
    all_target: Trace,
    pairs: Mapping[int, Event],
) -> Parting:
    kind, message, difference = found
    since = walk.last or (None, None)
    return Parting(
        kind=kind,
        source=source,
        target=target,
        message=message,
        difference=difference,
        cause=_cause(difference, walk, target) if kind == "inputs" else None,
        slight=tuple(walk.slight),
        agreed=walk.agreed,
        only_source=_alone(all_source, since[0], source, {e.number for e in pairs.values()}),
        only_target=_alone(all_target, since[1], target, set(pairs)),
    )


def _cause(difference: Difference | None, walk: _Walk, event: Event) -> tuple[Event, Event] | None:
    """Where a value of the repository's own first became what went in; else the first value, or
    branch, that is another in the function of the operation; else the last before it."""
    grave = [(s, t, d) for s, t, d in walk.causes if not d.slight]
    same = [c for c in grave if difference is not None and _is(c[2], difference)]
    place = event.site.path, event.site.function
    near = [c for c in grave if (c[1].site.path, c[1].site.function) == place]
    found = [*same, *near, *reversed(grave)]
    return found[0][:2] if found else None


def _is(one: Difference, other: Difference) -> bool:
    return (one.source, one.target) == (other.source, other.target)


def _alone(
    trace: Trace,
    since: Event | None,
    until: Event,
    pairs: set[int],
) -> tuple[Event, ...]:
    low = since.number if since else 0
    between = (e for e in trace.events if low < e.number < until.number)
    return tuple(e for e in between if e.number not in pairs and e.kind == "operation")[-ALONE:]


def _cut_short(
    source: Trace, target: Trace, pairs: Mapping[int, Event], walk: _Walk
) -> Parting | None:
    """The target ended within an operation, or the source alone raised."""
    what, last = target.steps[-1] if target.steps else ("", None)
    if what == "start" and last is not None and len(target.events) < EVENTS:
        return Parting(
            kind="crash",
            source=pairs.get(last.number),
            target=last,
            message="the target's process ended within this operation",
            slight=tuple(walk.slight),
            agreed=walk.agreed,
        )
    known = {event.number for event in pairs.values()}
    raised = (e for e in source.events if e.kind == "raised" and e.number not in known)
    event = next(raised, None)
    if event is None:
        return None
    return Parting(
        kind="error",
        source=event,
        target=None,
        message=f"source: {event.error}; target: went on",
        slight=tuple(walk.slight),
        agreed=walk.agreed,
    )


def _went_on(event: Event, walk: _Walk) -> Parting:
    """The target raised where the source did not, out of a line that no operation stands for."""
    return Parting(
        kind="error",
        source=None,
        target=event,
        message=f"source: went on; target: {event.error}",
        cause=_cause(None, walk, event),
        slight=tuple(walk.slight),
        agreed=walk.agreed,
    )


def _leftover(pairs: Mapping[int, Event], walk: _Walk) -> Parting | None:
    """A slight difference is the first where there is no other."""
    if not walk.slight:
        return None
    event, difference = walk.slight[0]
    other = pairs[event.number]
    return Parting(
        kind="result" if difference.place.startswith("result") else "inputs",
        source=other,
        target=event,
        message=f"{difference.place}: {difference.aspect}: {difference.message}",
        difference=difference,
        slight=tuple(walk.slight),
        agreed=walk.agreed,
    )
