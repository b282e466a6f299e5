"""Run a repository's own tests in one cell, and go on after a test that ends the interpreter."""

from __future__ import annotations

import json
import os
import shutil
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path

from porter.emulators import triton_cpu
from porter.errors import UsageError
from porter.host.home import WORKERS
from porter.model import COMPAT, Cell, Outcome, ProjectFacts, Status, StepResult, SuiteResult
from porter.suite import detect
from porter.suite.detect import Invocation
from porter.suite.recording import Recording, read, read_output
from porter.suite.session import Session, last_lines

MAX_CRASHES = 20
TEST_TIMEOUT = 600.0  # seconds for a single test
PLUGIN = "porter_pytest_recorder"
RECORDER = WORKERS / "pytest_recorder.py"
SCRIPT_RUNNER = RECORDER.with_name("run_script.py")
NOT_PACKAGES = frozenset(detect.TEST_FOLDERS)
USAGE_ERROR = 4  # exit status of pytest
# Options of a repository's own configuration whose plugins the environment may lack.
WITHOUT_OPTIONS = ("-o", "addopts=", "-o", "required_plugins=")
BROKEN_PLUGINS = """
from importlib.metadata import entry_points

import pytest

manager = pytest.PytestPluginManager()
for each in entry_points(group="pytest11"):
    try:
        manager.register(each.load(), each.name)
    except BaseException as error:
        if (getattr(error, "name", None) or "").partition(".")[0] != "torch":
            print("porter: broken", each.name)
"""


def run_suite(
    root: Path,
    cell: Cell,
    environment_python: Path,
    command: str | None,
    facts: ProjectFacts | None,
    prelude_env: Mapping[str, str],
    log: Path,
    timeout: float,
    on_line: Callable[[str], None] = lambda line: None,
    *,
    test_timeout: float = TEST_TIMEOUT,
    prelude: str = "",
    watchers: Sequence[Path] = (),
    only: Collection[str] = (),
) -> SuiteResult:
    """Run the tests of the tree at `root` with the interpreter that has the built package.

    `command` as given by the user, or None to find the tests. `timeout` is for all tests
    together; `prelude` is Python run before a script, which no conftest.py prepares; `watchers` are
    plugins besides those that the device needs. With `only`, node ids, nothing is run but the
    files of these tests.
    What the recorder writes, and a log for each process, stands beside `log`.
    Raises UsageError for a command that cannot be read.
    """
    invocations = detect.parse(command) if command else detect.find(root, facts)
    for one in invocations:
        if not (root / one.folder).is_dir():
            raise UsageError(
                f"--tests: no folder {one.folder} in the tree",
                hint="`cd` expects a folder relative to the root of the project",
            )
    if not invocations:
        reason = "; ".join(["the repository has no tests", *_find_folders(root, facts)])
        return SuiteResult(cell=cell, status=Status.SKIPPED, reason=reason)
    log.parent.mkdir(parents=True, exist_ok=True)
    plugins = (*triton_cpu.plugins(facts, cell.device), *watchers)
    session = Session(
        root=root,
        python=environment_python,
        environment=prelude_env,
        log=log,
        deadline=time.monotonic() + timeout,
        timeout=timeout,
        on_line=on_line,
        prelude=prelude,
        plugins=plugins,
    )
    session.environment = _environment(session, facts, test_timeout)
    session.only = sorted({name.partition("::")[0] for name in only})
    for invocation in invocations:
        _pytest(session, invocation) if invocation.pytest else _command(session, invocation)
    if not session.outcomes:
        session.notes = session.notes or _find_folders(root, facts)
    return session.result(cell, " && ".join(invocation.text for invocation in invocations))


def _find_folders(root: Path, facts: ProjectFacts | None) -> list[str]:
    found = detect.scripts(root, facts)
    return [f'{found[0]} looks like a script: --tests "python {found[0]}"'] if found else []


def _environment(
    session: Session, facts: ProjectFacts | None, test_timeout: float
) -> dict[str, str]:
    plugin = session.log.parent / f"{session.log.stem}-plugin"
    plugin.mkdir(parents=True, exist_ok=True)
    for name, path in ((PLUGIN, RECORDER), *((_plugin_name(p), p) for p in session.plugins)):
        shutil.copyfile(path, plugin / f"{name}.py")
    names = {package.name.partition(".")[0] for package in facts.packages} if facts else set()
    extra = session.environment.get("PYTHONPATH")
    return {
        **session.environment,
        "PATH": os.pathsep.join((str(session.python.parent), os.environ.get("PATH", ""))),
        "PYTHONPATH": os.pathsep.join((str(plugin), extra) if extra else (str(plugin),)),
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONHASHSEED": "0",  # parameters taken from a set: the same node ids in every cell
        "PYTHONNOUSERSITE": "1",
        "PYTEST_ADDOPTS": "",
        "PORTER_ROOT": str(session.root),
        "PORTER_INSTALLED": json.dumps(sorted(names - NOT_PACKAGES)),
        "PORTER_TEST_TIMEOUT": str(test_timeout),
    }


def _plugin_name(plugin: Path) -> str:
    return f"porter_{plugin.stem}"


# -------------------------------------------------------------- by exit status


def _command(session: Session, invocation: Invocation) -> None:
    """One outcome for a script or another command, by its exit status."""
    words = invocation.arguments
    python = bool(detect.PYTHON.match(words[0]))
    argv = (str(session.python), *words[1:]) if python else words
    first = [f"import {_plugin_name(plugin)}" for plugin in session.plugins]
    prelude = "\n".join([*first, session.prelude])
    if python and prelude and words[1:2] and words[1].endswith(".py"):
        argv = (argv[0], str(SCRIPT_RUNNER), prelude, *words[1:])
        if session.prelude:
            session.notes = ["scripts were started with the proxy enabled"]
    name = " ".join(words[1:] if python and len(words) > 1 else words)
    if session.only and name not in session.only:
        return
    session.collected[name] = None
    result = session.run(name, argv, invocation.environment, invocation.folder)
    if result is None:
        session.error(name, session.timeout_message)
    elif result.ok:
        session.outcomes[name] = Outcome.PASSED
    else:
        died = result.timed_out or result.returncode < 0
        session.outcomes[name] = Outcome.ERROR if died else Outcome.FAILED
        session.messages[name] = f"{session.ending(result)}\n{last_lines(result)}".strip()
        if told := read_output(result.tail, session.root):
            session.failures[name] = told


# ---------------------------------------------------------------------- pytest


def _pytest(session: Session, invocation: Invocation) -> None:
    """Run pytest; then those files that could not be collected by themselves, as long as more of
    them can: two that register operators under one name cannot be in one process."""
    _run_to_end(session, invocation)
    failed: frozenset[str] = frozenset()
    while not session.problem and _find_uncollected(session) not in (failed, frozenset()):
        failed = _find_uncollected(session)
        known = {name.partition("::")[0] for name in (*session.collected, *session.outcomes)}
        if not known - failed:
            break
        _run_to_end(session, invocation, sorted(known - failed))
        alone = sorted(failed & {name.partition("::")[0] for name in session.collected})
        for name in alone:
            del session.outcomes[name]
            session.messages.pop(name, None)
            session.failures.pop(name, None)
        if alone:
            session.notes.append(f"run in separate processes: {', '.join(alone)}")
    _leave(session)


def _find_uncollected(session: Session) -> frozenset[str]:
    """Files with an error in their collection that did not end the interpreter."""
    files = (name for name, found in session.outcomes.items() if found is Outcome.ERROR)
    return frozenset(f for f in files if f.endswith(".py") and f not in session.ignored)


def _run_to_end(session: Session, invocation: Invocation, without: Sequence[str] = ()) -> None:
    """Start pytest, again after each crash, without what ran and what crashed."""
    options: tuple[str, ...] = ()
    crashes = 0
    while crashes <= MAX_CRASHES:
        record = session.log.with_name(f"{session.log.stem}.{session.processes + 1}.jsonl")
        result = _run_pytest(session, invocation, options, record, without)
        if result is None:
            break
        recording = read(record)
        _merge(session, recording)
        if recording.exitstatus is not None:
            _finish(session, recording, result)
            break
        if not {*WITHOUT_OPTIONS} <= {*options} and _is_refused(result):
            session.notes.append("run without the options of the repository's configuration")
            options += WITHOUT_OPTIONS
            continue
        off = any(word.startswith("no:") for word in options)
        if not off and (broken := _find_broken_plugins(session, result)):
            session.notes.append(
                f"run without plugins that pytest cannot load: {', '.join(broken)}"
            )
            options += tuple(word for name in broken for word in ("-p", f"no:{name}"))
            continue
        if COMPAT not in options and _may_need_torch_early(session, recording, result):
            session.notes.append(
                f"torch is imported before the tree gives it: run with `-p {COMPAT}`"
            )
            options += ("-p", COMPAT)
            continue
        if not _blame_crash(session, recording, result):
            break
        crashes += 1
    else:
        session.problem = f"stopped after {MAX_CRASHES + 1} crashes of the interpreter"


def _run_pytest(
    session: Session,
    invocation: Invocation,
    options: tuple[str, ...],
    record: Path,
    without: Sequence[str],
) -> StepResult | None:
    resume = record.with_suffix(".resume.json")
    done = {"done": sorted(session.outcomes), "ignore": [*session.ignored, *without]}
    done["only"] = session.only
    resume.write_text(json.dumps(done), encoding="utf-8")
    record.unlink(missing_ok=True)
    # not `-x`, not only what was collected without errors, nothing written into the tree
    fixed = ("--maxfail=0", "--continue-on-collection-errors", "--color=no", "--verbose")
    cache = ("-o", f"cache_dir={record.parent / f'{session.log.stem}-cache'}")
    loaded = [word for name in map(_plugin_name, session.plugins) for word in ("-p", name)]
    start = (str(session.python), "-P", "-m", "pytest", *loaded, "-p", PLUGIN)
    if not detect.is_configured(session.root, invocation.arguments, invocation.folder):
        here = str(session.root.resolve())  # as pytest has the files, else ids lose their folder
        start += ("-c", os.devnull, "--rootdir", here, "--confcutdir", here)
    argv = (*start, *cache, *options, *fixed)
    recorder = {"PORTER_RECORD": str(record), "PORTER_RESUME": str(resume)}
    if invocation.on_path:
        recorder["PORTER_IMPORT_FROM"] = str(session.root / invocation.folder)
    environment = {**invocation.environment, **recorder}
    argv = (*argv, *invocation.arguments)
    return session.run("tests", argv, environment, invocation.folder)


def _merge(session: Session, recording: Recording) -> None:
    session.outcomes.update(recording.outcomes)
    session.messages.update(recording.messages)
    session.failures.update(recording.failures)
    session.collected.update(dict.fromkeys(recording.collected))
    session.deselected.update(recording.deselected)


def _is_refused(result: StepResult) -> bool:
    marks = ("unrecognized arguments", "Missing required plugins", "required_plugins")
    return result.returncode == USAGE_ERROR and any(mark in result.tail for mark in marks)


def _find_broken_plugins(session: Session, result: StepResult) -> list[str]:
    """Plugins that end pytest at its start: their modules are missing, raise, or have hooks of an
    older pytest. Not those that lack torch, which can be given to them."""
    if "Error while loading plugin" not in result.tail:
        return []
    listed = session.run("plugins", (str(session.python), "-P", "-c", BROKEN_PLUGINS), {})
    lines = listed.tail.splitlines() if listed is not None else []
    return [line.split()[-1] for line in lines if line.startswith("porter: broken ")]


def _may_need_torch_early(session: Session, recording: Recording, result: StepResult) -> bool:
    """Whether pytest ended at its start for want of torch, where the package can be asked for it
    before pytest loads its other plugins."""
    if recording.collecting or "No module named 'torch'" not in result.tail:
        return False
    asked = f"import importlib.util as u, sys; sys.exit(u.find_spec({COMPAT!r}) is None)"
    found = session.run("plugins", (str(session.python), "-P", "-c", asked), {})
    return found is not None and found.ok


def _finish(session: Session, recording: Recording, result: StepResult) -> None:
    if result.returncode < 0:
        session.notes.append(f"the interpreter ended after the last test: {session.ending(result)}")
    elif recording.exitstatus not in (0, 1, 2, 5):
        session.problem = f"pytest ended with status {result.returncode}: {last_lines(result)}"


def _blame_crash(session: Session, recording: Recording, result: StepResult) -> bool:
    """Blame the test or the file that was at work; False when there is no going on."""
    how = session.ending(result, recording.watchdog)
    if recording.running:
        session.error(recording.running, how)
        return not result.timed_out
    file = (recording.collecting or "").partition("::")[0]
    if file.endswith(".py") and file not in session.ignored:
        session.error(file, f"{how} during collection")
        session.ignored.append(file)
        return not result.timed_out
    session.problem = f"pytest did not finish: {how}: {last_lines(result)}"
    return False


def _leave(session: Session) -> None:
    """A test that was collected and never run is not a pass."""
    known = session.outcomes.keys() | session.deselected
    left = [name for name in session.collected if name not in known]
    if left and not session.problem:
        late = time.monotonic() >= session.deadline
        session.problem = session.timeout_message if late else "pytest stopped early"
    for name in left:
        session.error(name, f"not run: {session.problem}")
