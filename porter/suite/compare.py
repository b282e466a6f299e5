"""Compare the tests of three cells by node id."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from functools import cache

from porter import targets
from porter.model import Outcome, SuiteComparison, SuiteResult

# What the same parameter is called under another framework.
SPELLINGS = (
    (re.compile(r"<(?:VarType|DataType)\.(\w+): \d+>"), lambda m: f"torch.{m[1].lower()}"),
    (re.compile(r"\bPlace\((\w+)(?::(\d+))?\)"), lambda m: _device(m[1], m[2])),
    (
        re.compile(r"\bdevice\(type='(\w+)'(?:, index=(\d+))?\)"),
        lambda m: _device(m[1], m[2]),
    ),
    (re.compile(r"\b0x[0-9a-fA-F]{4,}\b"), lambda m: "0x"),
)
DEVICES = {"gpu": "cuda"}


def compare(
    source: SuiteResult, patched_source: SuiteResult | None, target: SuiteResult | None
) -> SuiteComparison:
    """What became of each test of `source` with the patch, there and on the target.

    A test counts as lost where it passed on the source and does not pass elsewhere, for whatever
    reason: failed, skipped, or no longer collected. A cell that was not run loses nothing here;
    the verdict says that it was not run.
    """
    base = source.outcomes
    after = _aligned(base, target)
    patched = _aligned(base, patched_source)
    passed = [name for name, outcome in base.items() if outcome is Outcome.PASSED]
    lost = _lost(passed, after)
    lost_patched = _lost(passed, patched)
    return SuiteComparison(
        same=sum(_passed(after, name) and _passed(patched, name) for name in passed),
        lost=lost,
        lost_patched=lost_patched,
        failing_in_both=_both(base, after, (Outcome.FAILED, Outcome.ERROR)),
        skipped=_both(base, after, (Outcome.SKIPPED,)),
        gained=tuple(
            name
            for name, (outcome, _) in (after or {}).items()
            if outcome is Outcome.PASSED and base.get(name) is not Outcome.PASSED
        ),
        not_collected=_one_sided(base, after),
        messages={
            **_messages(lost_patched, patched, patched_source),
            **_messages(lost, after, target),
        },
    )


_Aligned = Mapping[str, tuple[Outcome, str]]  # id on the source -> outcome, id on this side


def _aligned(base: Mapping[str, Outcome], suite: SuiteResult | None) -> _Aligned | None:
    if suite is None or not (suite.outcomes or suite.command):
        return None  # not run; one that was started and ran no test has lost them all
    names = match(tuple(base), tuple(suite.outcomes))
    return {names.get(name, name): (out, name) for name, out in suite.outcomes.items()}


def match(source: Iterable[str], target: Iterable[str]) -> dict[str, str]:
    """Target ids to the source ids they stand for: equal, equal but for the framework's
    spelling of a parameter, or in the same order within one function where counts agree.
    """
    left, right = dict.fromkeys(source), dict.fromkeys(target)
    pairs: dict[str, str] = {}
    for key in (_same, _spelling, _function):
        groups = _grouped(right, key)
        for name, there in _grouped(left, key).items():
            here = groups.get(name, [])
            if len(here) == len(there):
                pairs.update(zip(here, there, strict=True))
        left = dict.fromkeys(name for name in left if name not in set(pairs.values()))
        right = dict.fromkeys(name for name in right if name not in pairs)
    return pairs


def _grouped(names: Iterable[str], key: Callable[[str], str]) -> dict[str, list[str]]:
    groups: defaultdict[str, list[str]] = defaultdict(list)
    for name in names:
        groups[key(name)].append(name)
    return groups


def _same(name: str) -> str:
    return name


@cache
def _modules() -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(f.package for f in targets.frameworks())})\.(?=\w)")


def _spelling(name: str) -> str:
    function, bracket, parameters = name.partition("[")
    parameters = _modules().sub("torch.", parameters)
    for pattern, replace in SPELLINGS:
        parameters = pattern.sub(replace, parameters)
    return function + bracket + parameters


def _function(name: str) -> str:
    function, bracket, _ = name.partition("[")
    return function + bracket


def _device(kind: str, index: str | None) -> str:
    name = DEVICES.get(kind, kind)
    return f"{name}:{index}" if index is not None else name


def _passed(side: _Aligned | None, name: str) -> bool:
    return side is not None and name in side and side[name][0] is Outcome.PASSED


def _lost(passed: Iterable[str], side: _Aligned | None) -> tuple[str, ...]:
    return () if side is None else tuple(n for n in passed if not _passed(side, n))


def _both(
    base: Mapping[str, Outcome], side: _Aligned | None, kinds: tuple[Outcome, ...]
) -> tuple[str, ...]:
    return tuple(
        name
        for name, outcome in base.items()
        if outcome in kinds and side is not None and name in side and side[name][0] in kinds
    )


def _one_sided(base: Mapping[str, Outcome], side: _Aligned | None) -> tuple[str, ...]:
    if side is None:
        return ()
    gone = [name for name in base if name not in side]
    return (*gone, *(name for name in side if name not in base))


def _messages(
    names: Iterable[str], side: _Aligned | None, suite: SuiteResult | None
) -> dict[str, str]:
    if side is None or suite is None:
        return {}
    found: dict[str, str] = {}
    for name in names:
        if name not in side:
            error = suite.messages.get(name.partition("::")[0], "")  # of its file
            found[name] = f"not collected: {error}".rstrip(": ")
        else:
            outcome, own = side[name]
            found[name] = f"{outcome}: {suite.messages.get(own, '')}".rstrip(": ")
    return found
