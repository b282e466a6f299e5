"""Run one step: the only importer of subprocess."""

from __future__ import annotations

import contextlib
import os
import re
import selectors
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from porter.errors import EnvironmentFailed
from porter.host import alive, sandbox, spending, usage
from porter.host.endings import STOPPED
from porter.host.home import WORKERS
from porter.host.output import OnLine, Output, fresh
from porter.host.sandbox import Mode, Policy
from porter.model import Step, StepResult

LONGEST = 1 << 20  # bytes of a line; a longer one is cut into several
SILENCE = 0.2  # seconds without output after which a process that has ended has said all
INTERVAL = 0.5  # seconds between looks at what a step uses
MARK = ".pid"  # beside the log of a step that runs
INTERRUPTED = "interrupted"
_SUPERVISOR = WORKERS / "supervisor.py"
_policy: Policy | None = None
_shown: list[Path] = []
_at_work: set[_Running] = set()
_ending = False  # no step begins
_on_start: Callable[[Step, Path], None] | None = None


def confine(policy: Policy) -> bool:
    """Put a policy in force for the foreign steps that follow; whether it is another one.

    Raises EnvironmentFailed where it requires a sandbox that does not work here.
    """
    global _policy
    if policy.mode is Mode.REQUIRE:
        _require()
    changed, _policy = policy != _policy, policy
    return changed


def show(paths: Iterable[Path]) -> None:
    """Let foreign steps read these, also in hidden places: what an environment stands on."""
    _shown.extend(path for path in paths if path not in _shown)


def announce(on_start: Callable[[Step, Path], None] | None) -> None:
    """Call this with each step, and with its log, before it is run."""
    global _on_start
    _on_start = on_start


@contextlib.contextmanager
def end_all() -> Iterator[None]:
    """End the steps of all threads; none begins before the block is left."""
    global _ending
    _ending = True
    try:
        for running in tuple(_at_work):
            running.end(INTERRUPTED)
        yield
    finally:
        _ending = False


def _require() -> None:
    if reason := why_no_sandbox():
        raise EnvironmentFailed(
            f"--sandbox require: no sandbox is available: {reason}",
            hint="install bubblewrap; `porter doctor` shows whether it works",
        )


def is_isolated() -> bool:
    """Whether foreign steps are run in the sandbox."""
    return _choose_policy().mode is not Mode.OFF and not why_no_sandbox()


def isolation() -> str:
    """What is in force for foreign steps, in words."""
    if _choose_policy().mode is Mode.OFF:
        return "off"
    return f"none: {why_no_sandbox()}" if why_no_sandbox() else "bubblewrap"


@cache
def why_no_sandbox() -> str:
    """Why steps cannot be sandboxed here; empty where they can."""
    program = shutil.which("bwrap")
    if program is None:
        return "bubblewrap is not installed"
    step = Step(name="sandbox", argv=("/bin/true",), cwd="/")
    argv = sandbox.command(program, step, sandbox.View(hidden=("/tmp",)), sandbox.limits(Path("/")))
    try:
        tried = subprocess.run(argv, capture_output=True, timeout=30, stdin=subprocess.DEVNULL)
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"bubblewrap does not run: {error}"
    said = tried.stderr.decode(errors="replace").strip().rpartition("\n")[2]
    return f"bubblewrap does not work: {said}" if tried.returncode else ""


def _choose_policy() -> Policy:
    return _policy or Policy()


@dataclass(slots=True, eq=False)
class _Running:
    """A step while it runs."""

    step: Step
    process: subprocess.Popen[bytes]
    allowed: sandbox.Limits
    within: str = ""  # what keeps its processes together: sandbox, supervisor
    group: Path | None = None  # by which the kernel limits their number
    why: str = ""  # porter ended it
    expired: bool = False
    ended: threading.Event = field(default_factory=threading.Event)
    last: float = float("inf")  # when reading stops, whoever keeps the output open

    def end(self, why: str = "") -> None:
        """End it with all that it started."""
        self.why = self.why or why
        self.last = min(self.last, time.monotonic() + 10 * SILENCE)
        if self.within == "supervisor":
            with contextlib.suppress(ProcessLookupError):
                self.process.terminate()  # the supervisor ends what has left the group
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(2)
        _end_group(self.process.pid)

    def watch(self) -> None:
        """End it when its time is up or it is over a limit."""
        deadline = time.monotonic() + self.step.timeout
        meter = usage.Meter(self.process.pid, self.step.writable, self.allowed)
        while True:
            left = deadline - time.monotonic()
            if left <= 0:
                self.expired = True
                return self.end()
            if self.ended.wait(min(INTERVAL, left)):
                return None
            if self.step.foreign and (over := meter.describe_excess()):
                return self.end(over)

    def output(self) -> Iterator[bytes]:
        """What it writes, line by line, until it has ended: what it started may keep its output
        open."""
        assert self.process.stdout is not None
        parts: list[bytes] = []
        total = length = 0
        with selectors.DefaultSelector() as selector:
            selector.register(self.process.stdout, selectors.EVENT_READ)
            while time.monotonic() < self.last:
                ended = self.process.poll() is not None
                if ended:
                    self.last = min(self.last, time.monotonic() + 10 * SILENCE)
                if selector.select(SILENCE):
                    read = os.read(self.process.stdout.fileno(), 1 << 16)
                    total += len(read)
                    if self.step.foreign and total > self.allowed.output:
                        self.end(
                            f"it wrote more than {usage.format_size(self.allowed.output)} of output"
                        )
                        break
                    first, *others = read.split(b"\n")
                    parts.append(first)
                    length += len(first)
                    for part in others:
                        yield b"".join(parts) + b"\n"
                        parts, length = [part], len(part)
                    if length > LONGEST:
                        yield b"".join(parts) + b"\n"
                        parts, length = [], 0
                    if read:
                        continue
                elif not ended:
                    continue
                break
        if any(parts):
            yield b"".join(parts)


def run(step: Step, log: Path, on_line: OnLine = lambda line: None) -> StepResult:
    """Run a step to its end, its whole output in `log`, each line given to `on_line`.

    A foreign step runs in the sandbox, as the policy in force says; all its processes end with it.
    Raises EnvironmentFailed when the program itself does not exist, and while porter is ending.
    """
    if _ending:
        raise _interrupted(step)
    if _on_start is not None:
        _on_start(step, log)
    log.parent.mkdir(parents=True, exist_ok=True)
    began = time.monotonic()
    safe = step.foreign and is_isolated()
    before = sandbox.links(step.writable) if safe else {}
    running = _start(step, log)
    _at_work.add(running)
    if _ending:  # since it was asked
        running.end(INTERRUPTED)
    watch = threading.Thread(target=running.watch, daemon=True)
    watch.start()
    mark = log.with_name(log.name + MARK)
    try:
        alive.write(fresh(mark), running.process.pid)
        with fresh(log).open("x+b") as file:
            output = Output(file, on_line, [re.compile(each) for each in step.failure_marks])
            returncode = _follow(running, output)
            for path in sandbox.find_escaping_links(before, step.writable) if safe else ():
                Path(path).unlink(missing_ok=True)
                output.take(f"porter removed a link out of the step's folders: {path}\n".encode())
            output.keep(log)
    except BaseException:  # interrupted: leave nothing running
        running.end()
        raise
    finally:
        _at_work.discard(running)
        running.ended.set()
        watch.join()
        if running.process.stdout is not None:
            running.process.stdout.close()
        mark.unlink(missing_ok=True)
        if running.group is not None:
            usage.remove_group(running.group)
        spending.add(step, time.monotonic() - began)
    if running.why == INTERRUPTED:  # its result would be taken for the step's own
        raise _interrupted(step)
    return StepResult(
        name=step.name,
        argv=step.argv,
        returncode=returncode,
        seconds=time.monotonic() - began,
        timed_out=running.expired,
        marked=output.marked,
        log=str(log),
        tail="\n".join(output.tail),
    )


def _follow(running: _Running, output: Output) -> int:
    """Take the output of a step until it has ended; its exit status, with nothing left of it."""
    for raw in running.output():
        output.take_of_step(raw)
    returncode = _wait(running)
    if running.group is not None and usage.was_full(running.group):
        running.why = running.why or usage.too_many(running.allowed)
    if running.why:
        output.marked = output.take(f"{STOPPED}{running.why}\n".encode())
    return returncode


def _start(step: Step, log: Path) -> _Running:
    policy = _choose_policy()
    given = sandbox.environment(step, os.environ, policy)
    _check(step, given)
    allowed = policy.limits or sandbox.limits(log.parent)
    argv, within = step.argv, ""
    if step.foreign and is_isolated():
        program, within = shutil.which("bwrap") or "bwrap", "sandbox"
        seen = sandbox.view(step, os.environ, policy, _shown)
        argv = sandbox.command(program, step, seen, allowed)
    elif step.foreign:
        if policy.mode is Mode.REQUIRE:
            _require()
        if sys.platform == "linux":
            own = sandbox.limit(step.argv, allowed, alone=False)
            argv, within = (sys.executable, "-I", "-S", str(_SUPERVISOR), *own), "supervisor"
    group = usage.make_group(allowed.processes) if step.foreign else None
    if group is not None:
        enter = 'echo $$ > "$0/cgroup.procs"'
        argv = ("/bin/sh", "-c", f'{enter} 2>/dev/null; exec "$@"', str(group), *argv)
    try:
        process = subprocess.Popen(
            argv,
            cwd=step.cwd,
            env=given,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    except (FileNotFoundError, PermissionError) as error:
        raise _cannot_run(step, error.strerror or str(error)) from error
    return _Running(step, process, allowed, within, group)


def _check(step: Step, given: Mapping[str, str]) -> None:
    """Raise EnvironmentFailed for a program that is not there: another one is started before it."""
    program = Path(step.cwd) / step.argv[0] if "/" in step.argv[0] else Path(step.argv[0])
    if shutil.which(program, path=given.get("PATH", os.defpath)) is None:
        there = "/" in step.argv[0] and program.exists()
        raise _cannot_run(step, "Permission denied" if there else "No such file or directory")


def _cannot_run(step: Step, why: str) -> EnvironmentFailed:
    return EnvironmentFailed(f"cannot run {step.argv[0]}: {why}", hint="run `porter doctor`")


def _interrupted(step: Step) -> EnvironmentFailed:
    return EnvironmentFailed(f"{step.name}: {INTERRUPTED}", hint="run porter again")


def _wait(running: _Running) -> int:
    """Its exit status, with nothing left of it; negative for a signal."""
    if running.why or running.expired:
        running.end()
    returncode = running.process.wait()
    _end_group(running.process.pid)  # what it has left running
    # bubblewrap and the supervisor say it as a shell does
    signalled = running.within and returncode - 128 in signal.valid_signals()
    return 128 - returncode if signalled else returncode


def end_left(folders: Iterable[Path]) -> None:
    """End the steps with logs in these folders whose porter was killed before they ended."""
    for folder in folders:
        for mark in folder.glob(f"*{MARK}"):
            pid = alive.read(mark)
            if pid is not None:
                _end_group(pid)
            mark.unlink(missing_ok=True)


def _end_group(pid: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(pid, signal.SIGKILL)
