"""A suite that is being run: its processes, what is known so far, what that amounts to."""

from __future__ import annotations

import os
import re
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from porter.build.undeclared import remedy
from porter.emulators import triton_cpu
from porter.host import process
from porter.host.endings import signal_name
from porter.model import Cell, Failure, Outcome, Status, Step, StepResult, SuiteResult
from porter.suite.recording import read_notes

NOTHING = "no tests were collected"
NO_MODULE = re.compile(r"No module named '(\w+)'")


@dataclass(slots=True, kw_only=True)
class Session:
    """What is known so far of a suite that is being run."""

    root: Path
    python: Path
    environment: Mapping[str, str]
    log: Path
    deadline: float
    timeout: float
    on_line: Callable[[str], None]
    prelude: str = ""  # Python that enables the framework's proxy, for scripts
    plugins: tuple[Path, ...] = ()  # what each process runs first
    outcomes: dict[str, Outcome] = field(default_factory=dict)
    messages: dict[str, str] = field(default_factory=dict)
    failures: dict[str, Failure] = field(default_factory=dict)
    collected: dict[str, None] = field(default_factory=dict)  # in order
    deselected: set[str] = field(default_factory=set)
    ignored: list[str] = field(default_factory=list)
    only: list[str] = field(default_factory=list)  # files of tests, or commands; else all
    notes: list[str] = field(default_factory=list)
    polyfilled: dict[str, dict[str, None]] = field(default_factory=dict)  # check -> tests
    problem: str = ""  # why it could not be run to its end
    processes: int = 0

    def error(self, name: str, message: str) -> None:
        self.outcomes[name] = Outcome.ERROR
        self.messages[name] = message

    def run(
        self, name: str, argv: tuple[str, ...], environment: Mapping[str, str], folder: str = ""
    ) -> StepResult | None:
        """Run a process in a folder of the tree; None when the time of the suite is up."""
        left = self.deadline - time.monotonic()
        if left <= 0:
            self.problem = self.timeout_message
            return None
        self.processes += 1
        count = self.processes
        log = self.log if count == 1 else self.log.with_suffix(f".{count}{self.log.suffix}")
        notes = log.with_suffix(".noted")
        notes.unlink(missing_ok=True)
        given = {**self.environment, **environment, "PORTER_NOTED": str(notes)}
        places = (each.get("PYTHONPATH") for each in (environment, self.environment))
        paths = [path for path in places if path is not None]
        if paths:  # the command's own comes first, and porter's is not lost
            given["PYTHONPATH"] = os.pathsep.join(paths)
        step = Step(
            name=name,
            argv=argv,
            cwd=str(self.root / folder),
            environment=given,
            timeout=left,
            writable=(str(self.root), str(self.log.parent)),
        )
        result = process.run(step, log, self.on_line)
        for check, test in read_notes(notes):
            self.polyfilled.setdefault(check, {})[test or name] = None
        return result

    def ending(self, result: StepResult, watchdog: bool = False) -> str:
        if result.timed_out:
            return self.timeout_message
        if watchdog:
            limit = float(self.environment["PORTER_TEST_TIMEOUT"])
            return f"exceeded the limit of {limit:g} s for one test"
        if result.returncode < 0:
            return f"crashed the interpreter: {signal_name(-result.returncode)}"
        return f"ended the interpreter with exit status {result.returncode}"

    @property
    def timeout_message(self) -> str:
        return f"exceeded the limit of {self.timeout:g} s for the suite"

    # ------------------------------------------------------------ what it amounts to

    def result(self, cell: Cell, command: str) -> SuiteResult:
        """In one status and one reason. Nothing but skips is SKIPPED, never OK."""
        counts = Counter(self.outcomes.values())
        lacking = remedy(self._find_lacking_modules())
        reasons = (self.problem, *self.notes, self._describe_counts(counts), lacking)
        return SuiteResult(
            cell=cell,
            status=self._status(counts),
            reason="; ".join(reason for reason in reasons if reason),
            command=command,
            outcomes=self.outcomes,
            messages=self.messages,
            failures=self.failures,
            polyfilled={
                check: known
                for check, tests in sorted(self.polyfilled.items())
                if check != triton_cpu.NOTE and (known := self._keep_known(tests))
            },
            emulated=self._keep_known(self.polyfilled.get(triton_cpu.NOTE, ())),
        )

    def _keep_known(self, tests: Iterable[str]) -> tuple[str, ...]:
        return tuple(test for test in tests if test in self.outcomes)

    def _find_lacking_modules(self) -> set[str]:
        """Modules that tests want and that neither the environment nor the tree has."""
        said = (each for each in self.failures.values() if each.exception == "ModuleNotFoundError")
        names = {found[1] for each in said if (found := NO_MODULE.fullmatch(each.message))}
        return {name for name in names if next(self.root.rglob(f"{name}.py"), None) is None}

    def _status(self, counts: Counter[Outcome]) -> Status:
        if self.problem:
            return Status.PARTIAL if counts[Outcome.PASSED] else Status.FAILED
        if counts.total() == counts[Outcome.SKIPPED]:
            return Status.SKIPPED
        bad = counts[Outcome.FAILED] + counts[Outcome.ERROR]
        return Status.FAILED if bad else Status.OK

    def _describe_counts(self, counts: Counter[Outcome]) -> str:
        if not self.outcomes:
            return NOTHING
        why = "".join(
            f" ({word} mostly: {said})"
            for word, outcome in (("skipped", Outcome.SKIPPED), ("errors", Outcome.ERROR))
            if (said := self._commonest(outcome))
        )
        return ", ".join(f"{counts[o]} {o}" for o in Outcome if counts[o]) + why

    def _commonest(self, outcome: Outcome) -> str:
        """The first line of what is said most of the tests with this outcome."""
        said = (self.messages.get(n, "") for n, found in self.outcomes.items() if found is outcome)
        lines = Counter(text.strip().splitlines()[0] for text in said if text.strip())
        return lines.most_common(1)[0][0] if lines else ""


def last_lines(result: StepResult, count: int = 5) -> str:
    lines = [line for line in result.tail.splitlines() if line.strip()]
    return "\n".join(lines[-count:])
