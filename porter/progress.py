"""How far the work of a command is, how long the rest may take, and where its time went; nothing
here prints."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

# `[3/12]` of ninja, `[ 40%]` of CMake and pytest, `3 of 12 files` of porter.
_SHARE = re.compile(r"\[\s*(\d+)/(\d+)\]|\[\s*(\d+)%\]|^(\d+) of (\d+) ")
Spent = Mapping[str, tuple[int, float]]  # by kind: how many, and their seconds
Expect = Callable[[], Mapping[str, float]]


@dataclass
class Pace:
    """The stages of a command, and the one that it is at."""

    plan: Sequence[str] = ()
    clock: Callable[[], float] = time.monotonic
    stage: str = ""
    share: float | None = None  # of the step at work that is done
    totals: Callable[[Spent | None], Spent] = lambda before: {}  # of processes that have ended
    spent: dict[str, float] = field(default_factory=dict)  # seconds of the stages before it
    processes: dict[str, dict[str, tuple[int, float]]] = field(default_factory=dict)
    _expect: Expect = dict
    _expected: Mapping[str, float] | None = None
    _began: float = 0.0
    _step_began: float = 0.0
    _before: Spent | None = None

    def __post_init__(self) -> None:
        self._began, self._before = self.clock(), self.totals(None)

    def enter(self, stage: str) -> None:
        """Say which stage begins; the one before it has ended."""
        now, totals = self.clock(), self.totals(self._before)
        self.spent[self.stage] = self.spent.get(self.stage, 0.0) + now - self._began
        kinds = self.processes.setdefault(self.stage, {})
        for kind, (number, seconds) in totals.items():
            known = kinds.get(kind, (0, 0.0))
            kinds[kind] = (known[0] + number, known[1] + seconds)
        self.stage, self._began, self._before = stage, now, self.totals(None)
        self.begin_step()

    def begin_step(self) -> None:
        self.share, self._step_began = None, self.clock()

    def expect(self, expected: Expect) -> None:
        """Say who knows how many seconds stages take; asked when somebody looks."""
        self._expect, self._expected = expected, None

    def take(self, line: str) -> None:
        """Read from a line of output how much of its step is done."""
        match = _SHARE.search(line)
        if match is None:
            return
        done, total = (
            (match[1] or match[4], match[2] or match[5]) if not match[3] else (match[3], 100)
        )
        if int(total):
            self.share = min(1.0, int(done) / int(total))

    @property
    def position(self) -> str:
        """`2/5`; empty where the stage is not in the plan."""
        if len(self.plan) < 2 or self.stage not in self.plan:
            return ""
        return f"{self.plan.index(self.stage) + 1}/{len(self.plan)}"

    def rows(self) -> Iterator[tuple[str, str, int, float]]:
        """Each stage with its seconds by the clock, then its kinds of processes, the longest
        first: (stage, kind, how many, seconds); the kind of a stage itself is empty."""
        self.enter("")
        for stage, seconds in self.spent.items():
            kinds = self.processes[stage]
            yield stage, "", sum(number for number, _ in kinds.values()), seconds
            for kind, (number, own) in sorted(kinds.items(), key=lambda item: -item[1][1]):
                yield stage, kind, number, own

    def left(self) -> float | None:
        """Seconds until the end, where each stage that is left is known; else of the step at work,
        where its share says; None where nobody knows."""
        now = self.clock()
        if self._expected is None:
            self._expected = self._expect()
        at = self.plan.index(self.stage) if self.stage in self.plan else len(self.plan)
        rest = [*self.plan[at:]]
        if rest and all(name in self._expected for name in rest):
            here = max(0.0, self._expected[rest[0]] - (now - self._began))
            return here + sum(self._expected[name] for name in rest[1:])
        if self.share is not None and self.share > 0.05:
            return (now - self._step_began) * (1 - self.share) / self.share
        return None


def describe_seconds(seconds: float) -> str:
    """`40 s`, `3 min`, `1 h 20 min`."""
    if seconds < 59.5:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"
