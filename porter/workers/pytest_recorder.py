"""A pytest plugin that writes what happens as JSON lines, so that a crash keeps what ran.

Stands alone: copied beside the suite's log and loaded with `-p`. Read from the environment:
PORTER_RECORD, the file to append to; PORTER_RESUME, JSON {"done": node ids, "ignore": paths,
"only": paths, where not all files are collected};
PORTER_INSTALLED, JSON list of import names to take from the environment, not from PORTER_ROOT, the
tree; PORTER_IMPORT_FROM, a folder to import from what is found nowhere else;
PORTER_TEST_TIMEOUT, seconds a single test may take.
"""

from __future__ import annotations

import faulthandler
import importlib.machinery
import json
import linecache
import os
import re
import sys
import traceback
import unittest
from collections.abc import Iterable, Iterator
from importlib.machinery import ModuleSpec
from pathlib import Path
from typing import Any

import pytest

FIND = importlib.machinery.PathFinder.find_spec
TESTS = re.compile(r"tests?|testing|test_\w*|\w*_tests?|conftest")
WORST = {"passed": 0, "skipped": 1, "failed": 2, "error": 3}
MESSAGE_LIMIT = 2000
OF_PORTER = {"porter_compat", "_porter_compat"}  # its pieces raise for the code that calls them


class InstalledFirst:
    """Finds the packages under test in the environment, wherever sys.path has the tree; the tests
    in them that are not installed, and nothing else, in the tree."""

    def __init__(self, names: Iterable[str], root: str) -> None:
        self.names = frozenset(names)
        self.root = os.path.join(os.path.realpath(root), "")

    def find_spec(self, name: str, path: Any = None, target: object = None) -> ModuleSpec | None:
        top, *inner = name.split(".")
        if top not in self.names:
            return None
        if not inner:
            return FIND(name, [entry for entry in sys.path if not self._is_in_tree(entry)])
        if FIND(name, path) is None and TESTS.fullmatch(inner[-1]):
            package = FIND(top, [entry for entry in sys.path if self._is_in_tree(entry)])
            found = (package and package.submodule_search_locations) or ()
            return FIND(name, [os.path.join(folder, *inner[:-1]) for folder in found])
        return None

    def _is_in_tree(self, entry: str) -> bool:
        full = os.path.join(os.path.realpath(entry or os.getcwd()), "")
        inside = full.startswith(self.root)
        return inside and "site-packages" not in full and "dist-packages" not in full


class Recorder:
    """Writes one line an event, at once."""

    def __init__(self, path: str, resume: dict[str, list[str]], limit: float) -> None:
        self.file = open(path, "a", encoding="ascii")  # noqa: SIM115 - open to the end
        self.done = frozenset(resume.get("done", ()))
        self.ignore = frozenset(resume.get("ignore", ()))
        self.only = frozenset(resume.get("only", ()))
        self.limit = limit
        # node id -> (outcome, message); several at once under pytest-xdist
        self.state: dict[str, tuple[str, str, Any]] = {}
        self.root = ""

    def write(self, event: str, **fields: object) -> None:
        self.file.write(json.dumps({"event": event, **fields}) + "\n")
        self.file.flush()

    @pytest.hookimpl(tryfirst=True)
    def pytest_ignore_collect(self, collection_path: Path, config: pytest.Config) -> bool | None:
        self.root = str(config.rootpath)
        name = os.path.relpath(str(collection_path), self.root).replace(os.sep, "/")
        other = bool(self.only) and collection_path.is_file() and name not in self.only
        other = other and not name.endswith("__init__.py")  # a package, with what is in it
        return True if other or name in self.ignore else None

    def pytest_collectstart(self, collector: pytest.Collector) -> None:
        self.write("collecting", id=collector.nodeid)
        self._watch()

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        faulthandler.cancel_dump_traceback_later()
        if report.failed:
            fields = {"message": why(report), "failure": getattr(report, FAILURE, None)}
            self.write("outcome", id=report.nodeid, outcome="error", **fields)
        elif report.skipped:
            self.write("outcome", id=report.nodeid, outcome="skipped", message=why(report))

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(
        self, config: pytest.Config, items: list[pytest.Item]
    ) -> None:
        self.write("collected", ids=[item.nodeid for item in items])
        done = [item for item in items if item.nodeid in self.done]
        items[:] = [item for item in items if item.nodeid not in self.done]
        if done:
            config.hook.pytest_deselected(items=done)

    def pytest_deselected(self, items: list[pytest.Item]) -> None:
        names = [item.nodeid for item in items if item.nodeid not in self.done]
        if names:
            self.write("deselected", ids=names)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logstart(self, nodeid: str, location: object) -> None:
        self.write("start", id=nodeid)
        self._watch()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        outcome = outcome_of(report)
        if outcome is None:
            return
        worst, *_ = self.state.get(report.nodeid, (None,))
        if worst is None or WORST[outcome] > WORST[worst]:
            message = why(report) if outcome != "passed" else ""
            self.state[report.nodeid] = (outcome, message, getattr(report, FAILURE, None))

    @pytest.hookimpl(trylast=True)
    def pytest_runtest_logfinish(self, nodeid: str, location: object) -> None:
        faulthandler.cancel_dump_traceback_later()
        nothing = ("error", "pytest reported no outcome", None)
        outcome, message, failure = self.state.pop(nodeid, nothing)
        self.write("outcome", id=nodeid, outcome=outcome, message=message, failure=failure)

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        self.write("finish", status=int(exitstatus))

    def _watch(self) -> None:
        # the exit is from a thread of C code: it also ends a call that holds the interpreter
        if self.limit > 0:
            faulthandler.dump_traceback_later(self.limit, exit=True, file=self.file)


def outcome_of(report: Any) -> str | None:
    """The word for one phase of a test, or None where the phase says nothing."""
    if hasattr(report, "wasxfail"):
        return "skipped"
    if report.failed:
        return "failed" if report.when == "call" else "error"
    if report.skipped:
        # one skipped sub-test does not skip its test
        return None if hasattr(report, "context") else "skipped"
    return "passed" if report.passed and report.when == "call" else None


def why(report: Any) -> str:
    """The reason of a skip, or the message of a failure."""
    if hasattr(report, "wasxfail"):
        return "expected failure: " + str(report.wasxfail)
    longrepr = report.longrepr
    if isinstance(longrepr, tuple):
        return str(longrepr[-1]).removeprefix("Skipped: ")[:MESSAGE_LIMIT]
    crash = getattr(longrepr, "reprcrash", None)
    text = str(crash.message) if crash is not None else error_lines(str(longrepr))
    return text if len(text) <= MESSAGE_LIMIT else "..." + text[-MESSAGE_LIMIT:]


def error_lines(text: str) -> str:
    """The lines that pytest marks as the error, of a text that tells the whole way there."""
    lines = [line[1:].strip() for line in text.splitlines() if line.startswith("E  ")]
    places = [line.partition(": in ")[0] for line in text.splitlines() if ".py:" in line]
    where = f" ({places[-1].strip()})" if places and lines else ""
    return "\n".join(lines) + where if lines else text


# ------------------------------------------------------------ what was raised, and where

FAILURE = "porter_failure"  # of a report: pytest-xdist sends it on from a worker


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(call: Any) -> Iterator[None]:
    yield from _keep_failure(call)


@pytest.hookimpl(hookwrapper=True)
def pytest_make_collect_report() -> Iterator[None]:
    """Import a script of tests that calls `unittest.main()` whoever imports it, without that call,
    which reads pytest's options and ends the process."""
    main = unittest.main
    unittest.main = lambda *_, **__: None  # type: ignore[assignment]
    try:
        yield from _keep_failure(None)
    finally:
        unittest.main = main


def _keep_failure(call: Any) -> Iterator[None]:
    """Keep with a report what was raised."""
    made: Any = yield
    report = made.get_result()
    excinfo = getattr(call or getattr(report, "call", None), "excinfo", None)
    if excinfo is not None:
        setattr(report, FAILURE, failure(excinfo.value))


def failure(error: BaseException) -> dict[str, object]:
    """The exception and the innermost frame of the project's own code."""
    if type(error).__name__ == "CollectError" and error.__cause__ is not None:
        error = error.__cause__
    try:
        text = str(error)
    except Exception:  # crash boundary: the tests' own exception
        text = ""
    if len(text) > 2 * MESSAGE_LIMIT:
        text = f"{text[:MESSAGE_LIMIT]}\n...\n{text[-MESSAGE_LIMIT:]}"
    names = (kind.__name__ for kind in type(error).__mro__)
    public = next(name for name in names if not name.startswith("_"))
    found: dict[str, object] = {"exception": public, "message": text}
    for frame, line in traceback.walk_tb(error.__traceback__):
        path = own_path(frame.f_code.co_filename)
        if path:
            source = linecache.getline(frame.f_code.co_filename, line).strip()
            found |= {"path": path, "line": line, "source": source[:MESSAGE_LIMIT]}
    return found


def own_path(filename: str) -> str:
    """The path of a file of the project, from its root or from site-packages; else nothing."""
    full = os.path.realpath(filename).replace(os.sep, "/")
    *_, inner = re.split("/(?:site|dist)-packages/", full)
    if inner == full:
        inner = full.removeprefix(INSTALLED.root.replace(os.sep, "/"))
        inside = inner != full
    else:
        inside = inner.partition("/")[0].removesuffix(".py") in INSTALLED.names
    return inner if inside and not OF_PORTER & {*inner.removesuffix(".py").split("/")} else ""


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> None:
    """Give hypothesis the settings that it has by itself in CI: the same examples in every cell,
    and no limit of milliseconds. What the repository sets is read later."""
    if early_config.pluginmanager.has_plugin("hypothesispytest"):
        from hypothesis import settings

        settings.register_profile("porter", derandomize=True, deadline=None, database=None)
        settings.load_profile("porter")


def pytest_configure(config: pytest.Config) -> None:
    if hasattr(config, "workerinput"):  # a pytest-xdist worker: its controller records
        return
    resume = {}
    if os.environ.get("PORTER_RESUME"):
        with open(os.environ["PORTER_RESUME"], encoding="utf-8") as file:
            resume = json.load(file)
    limit = float(os.environ.get("PORTER_TEST_TIMEOUT", "0"))
    config.pluginmanager.register(Recorder(os.environ["PORTER_RECORD"], resume, limit))


INSTALLED = InstalledFirst(
    json.loads(os.environ.get("PORTER_INSTALLED", "[]")), os.environ.get("PORTER_ROOT", "")
)
sys.meta_path.insert(0, INSTALLED)
if os.environ.get("PORTER_IMPORT_FROM"):
    sys.path.append(os.environ["PORTER_IMPORT_FROM"])


def pytest_collectstart(collector: pytest.Collector) -> None:
    """Lets a file of an installed package stand for its like in the tree, and no other file."""
    if isinstance(collector, pytest.Module):
        top = collector.path
        while (top.parent / "__init__.py").is_file():
            top = top.parent
        own = top != collector.path and top.name in INSTALLED.names
        os.environ["PY_IGNORE_IMPORTMISMATCH"] = "1" if own else ""
