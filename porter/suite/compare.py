"""Compare the tests of three cells by node id."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from functools import cache

from porter import targets
from porter.model import Failure, Outcome, SuiteComparison, SuiteResult
from porter.suite.session import NOTHING

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
    source: SuiteResult,
    patched_source: SuiteResult | None,
    target: SuiteResult | None,
    unmodified: SuiteResult | None = None,
) -> SuiteComparison:
    """What became of each test of `source` with the patch, there and on the target, and which
    need it there.

    A test counts as lost where it passed on the source and does not pass elsewhere, for whatever
    reason: failed, skipped, or no longer collected; on the target also where it passed on the
    source with the patch only, which fixes what the source framework refuses. A flaky test says
    nothing of the patch. A cell that was not run loses nothing here; the verdict says that it was
    not run.
    """
    base = source.outcomes
    after, patched = _Cell(base, target), _Cell(base, patched_source)
    without = _Cell(base, unmodified).outcomes if unmodified else None
    flaky = {*source.flaky}
    on_target = [name for name in after.outcomes if after.has_passed(name) and name not in flaky]
    passed = dict.fromkeys(n for n, o in base.items() if o is Outcome.PASSED and n not in flaky)
    fixed = [name for name in patched.outcomes if patched.has_passed(name) and name not in passed]
    due = passed | dict.fromkeys(name for name in fixed if name not in flaky)
    lost = after.find_lost(due)
    lost_patched = patched.find_lost(passed)
    failing = after.both(base, Outcome.FAILED, Outcome.ERROR)
    return SuiteComparison(
        same=sum(after.has_passed(name) and patched.has_passed(name) for name in due),
        lost=lost,
        fixed=tuple(name for name in due if name not in passed),
        lost_patched=lost_patched,
        failing_in_both=tuple(name for name in failing if name not in {*due, *flaky}),
        flaky=source.flaky,
        skipped=after.both(base, Outcome.SKIPPED),
        gained=tuple(name for name in on_target if name not in due),
        by_patch=tuple(
            name
            for name in on_target
            if without is not None and without.get(name) is not Outcome.PASSED
        ),
        not_collected=after.one_sided(base),
        failures=after.failures(lost),
        messages={**patched.messages(lost_patched), **after.messages(lost)},
    )


class _Cell:
    """The outcomes of one cell by the source's ids of the tests; none where it was not run."""

    def __init__(self, base: Mapping[str, Outcome], suite: SuiteResult | None) -> None:
        found = suite.outcomes if suite else {}
        self.said = suite.messages if suite else {}
        self.reason = suite.reason.removesuffix(f"; {NOTHING}") if suite else ""
        self.raised = suite.failures if suite else {}
        # one that was started and ran no test has lost them all
        self.ran = suite is not None and bool(found or suite.command)
        names = match(base, found)
        self.ids = {names.get(name, name): name for name in found}  # on the source -> here
        self.outcomes = {name: found[own] for name, own in self.ids.items()}

    def has_passed(self, name: str) -> bool:
        return self.outcomes.get(name) is Outcome.PASSED

    def find_lost(self, passed: Iterable[str]) -> tuple[str, ...]:
        return tuple(name for name in passed if self.ran and not self.has_passed(name))

    def both(self, base: Mapping[str, Outcome], *kinds: Outcome) -> tuple[str, ...]:
        return tuple(n for n, o in base.items() if o in kinds and self.outcomes.get(n) in kinds)

    def one_sided(self, base: Mapping[str, Outcome]) -> tuple[str, ...]:
        gone = (name for name in base if self.ran and name not in self.outcomes)
        return (*gone, *(name for name in self.outcomes if name not in base))

    def messages(self, names: Iterable[str]) -> dict[str, str]:
        found: dict[str, str] = {}
        for name in names:
            outcome = self.outcomes.get(name, "not collected")
            said = self.said.get(self._own(name), "" if self.ids else self.reason)
            found[name] = f"{outcome}: {said}".rstrip(": ")
        return found

    def failures(self, names: Iterable[str]) -> dict[str, Failure]:
        raised = {name: self.raised.get(self._own(name)) for name in names}
        return {name: found for name, found in raised.items() if found is not None}

    def _own(self, name: str) -> str:
        """Its id here; of one that was not collected that of its file."""
        return self.ids.get(name, name.partition("::")[0])


def match(source: Iterable[str], target: Iterable[str]) -> dict[str, str]:
    """Target ids to the source ids they stand for: equal, equal but for the framework's
    spelling of a parameter, or in the same order within one function where counts agree.
    """
    left, right = dict.fromkeys(source), dict.fromkeys(target)
    pairs: dict[str, str] = {}
    for key in (_same, _spelling, _function):
        groups = _group(right, key)
        for name, there in _group(left, key).items():
            here = groups.get(name, [])
            if len(here) == len(there):
                pairs.update(zip(here, there, strict=True))
        left = dict.fromkeys(name for name in left if name not in set(pairs.values()))
        right = dict.fromkeys(name for name in right if name not in pairs)
    return pairs


def _group(names: Iterable[str], key: Callable[[str], str]) -> dict[str, list[str]]:
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
