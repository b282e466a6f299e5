"""A suite that is being run: what is known so far, and its processes."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from porter.host import process
from porter.model import Outcome, Step, StepResult
from porter.suite.recording import noted


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
    collected: dict[str, None] = field(default_factory=dict)  # in order
    deselected: set[str] = field(default_factory=set)
    ignored: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    polyfilled: dict[str, dict[str, None]] = field(default_factory=dict)  # check -> tests
    problem: str = ""  # why it could not be run to its end
    processes: int = 0

    def error(self, name: str, message: str) -> None:
        self.outcomes[name] = Outcome.ERROR
        self.messages[name] = message


def run_step(
    session: Session, name: str, argv: tuple[str, ...], environment: Mapping[str, str]
) -> StepResult | None:
    """None when the time of the suite is up."""
    left = session.deadline - time.monotonic()
    if left <= 0:
        session.problem = out_of_time(session)
        return None
    session.processes += 1
    count = session.processes
    log = session.log if count == 1 else session.log.with_suffix(f".{count}{session.log.suffix}")
    notes = log.with_suffix(".noted")
    notes.unlink(missing_ok=True)
    given = {**session.environment, **environment, "PORTER_NOTED": str(notes)}
    paths = [
        each["PYTHONPATH"] for each in (environment, session.environment) if "PYTHONPATH" in each
    ]
    if paths:  # the command's own comes first, and porter's is not lost
        given["PYTHONPATH"] = os.pathsep.join(paths)
    step = Step(
        name=name,
        argv=argv,
        cwd=str(session.root),
        environment=given,
        timeout=left,
        writable=(str(session.root), str(session.log.parent)),
    )
    result = process.run(step, log, session.on_line)
    for check, test in noted(notes):
        session.polyfilled.setdefault(check, {})[test or name] = None
    return result


def ending(session: Session, result: StepResult, watchdog: bool = False) -> str:
    if result.timed_out:
        return out_of_time(session)
    if watchdog:
        limit = float(session.environment["PORTER_TEST_TIMEOUT"])
        return f"ran past the limit of {limit:g} s for one test"
    if result.returncode < 0:
        return f"crashed the interpreter: {process.signal_name(-result.returncode)}"
    return f"ended the interpreter with exit status {result.returncode}"


def out_of_time(session: Session) -> str:
    return f"ran past the limit of {session.timeout:g} s for the suite"


def last_lines(result: StepResult, count: int = 5) -> str:
    lines = [line for line in result.tail.splitlines() if line.strip()]
    return "\n".join(lines[-count:])
