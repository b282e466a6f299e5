"""How far the work of a command is, how long the rest may take, and where its time went; nothing
here prints."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePath

from porter.model import Step

# `[3/12]` of ninja, `[ 40%]` of CMake and pytest, `3 of 12 files` of porter.
_SHARE = re.compile(r"\[\s*(\d+)/(\d+)\]|\[\s*(\d+)%\]|^(\d+) of (\d+) ")
Expect = Callable[[], Mapping[str, float]]


@dataclass
class Pace:
    """The stages of a command, and the one that it is at."""

    plan: Sequence[str] = ()
    clock: Callable[[], float] = time.monotonic
    stage: str = ""
    share: float | None = None  # of the step at work that is done
    spent: dict[str, float] = field(default_factory=dict)  # seconds of the stages before it
    _expect: Expect = dict
    _expected: Mapping[str, float] | None = None
    _began: float = 0.0
    _step_began: float = 0.0

    def __post_init__(self) -> None:
        self._began = self.clock()

    def enter(self, stage: str) -> None:
        """Say which stage begins; the one before it has ended."""
        now = self.clock()
        self.spent[self.stage] = self.spent.get(self.stage, 0.0) + now - self._began
        self.stage, self._began = stage, now
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


@dataclass
class Timing:
    """Seconds of the processes that a command started, by its stage and their kind."""

    pace: Pace = field(default_factory=Pace)
    spent: dict[tuple[str, str], tuple[int, float]] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    def take(self, step: Step, seconds: float) -> None:
        key = (self.pace.stage, kind_of(step))
        with self._lock:
            number, before = self.spent.get(key, (0, 0.0))
            self.spent[key] = (number + 1, before + seconds)

    def rows(self) -> list[tuple[str, str, int, float]]:
        """Each stage with its seconds by the clock, then its kinds of processes, the longest
        first: (stage, kind, how many, seconds); the kind of a stage itself is empty."""
        self.pace.enter("")
        found: list[tuple[str, str, int, float]] = []
        for stage, seconds in self.pace.spent.items():
            own = [(kind, *said) for (of, kind), said in self.spent.items() if of == stage]
            found.append((stage, "", sum(number for _, number, _ in own), seconds))
            found += [(stage, *each) for each in sorted(own, key=lambda row: -row[2])]
        return found


def kind_of(step: Step) -> str:
    """The program of a step; of Python what it is for."""
    program = PurePath(step.argv[0]).name
    if re.fullmatch(r"python[\d.]*", program):
        named = re.match(r"[A-Za-z][A-Za-z _-]*[A-Za-z]", step.name)
        return f"python: {named[0] if named else step.name}"
    return program
