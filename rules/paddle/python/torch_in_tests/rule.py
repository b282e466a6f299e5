"""The conftest.py that every test of a tree goes through, or none where one is needed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from porter.languages.python import Module
from porter.model import Form, Match, ProjectFacts
from porter.rules.guard import builds_for_torch, enables_proxy, first_foreign_import, guard
from porter.rules.rule import NewFile
from porter.targets.paddle import PROXY

TEST_FILE = re.compile(r"(?:test_[^/]*|[^/]*_test)\.py")
CASES = re.compile(rb"^(class\s+\w+\(.*\bTestCase\b|(async\s+)?def\s+test)", re.MULTILINE)
TEST_FOLDERS = {"test", "tests", "unittest", "unittests", "unit_tests", "testing"}


def is_about(path: str, facts: ProjectFacts) -> bool:
    return facts.uses_torch and path.rpartition("/")[2] == "conftest.py"


def check(module: Module, facts: ProjectFacts, form: Form) -> Iterator[Match]:
    """The outermost conftest.py, unless a package that stands around it is imported first."""
    folder = module.path.rpartition("/")[0]
    if not is_about(module.path, facts) or enables_proxy(module, PROXY):
        return
    if not form.is_vendored and _is_seen(facts):
        return
    if _home(folder, facts) == folder and not _has_outer_conftest(folder, facts, inclusive=False):
        yield guard(module, first_foreign_import(module))


def create(facts: ProjectFacts, files: Mapping[str, bytes], form: Form) -> Iterator[NewFile]:
    """A conftest.py for each folder of tests that import torch and have none."""
    if not form.is_vendored and _is_seen(facts):
        return
    folders = {
        _home(_root(path), facts)
        for path in files
        if b"torch" in files[path] and _is_test(path, files[path], facts)
    }
    guard = PROXY.guard(form)
    imports = "".join(f"import {name}\n" for name in guard.imports)
    text = guard.fork if form.is_fork else f"{imports}\n{guard.dual}"
    for folder in sorted(folders):
        nested = any(_contains(other, folder) and other != folder for other in folders)
        if not nested and not _has_outer_conftest(folder, facts, inclusive=True):
            yield NewFile(path=f"{folder}/conftest.py".lstrip("/"), data=text.encode())


def _is_seen(facts: ProjectFacts) -> bool:
    """Whether the tree has a guard elsewhere, which porter-compat's plugin for pytest sees."""
    return bool(facts.first_modules) or builds_for_torch(facts)


def _is_test(path: str, data: bytes, facts: ProjectFacts) -> bool:
    """By its name, as pytest takes it, or by the tests in it, run by the name of the file then."""
    if not TEST_FILE.fullmatch(path.rpartition("/")[2]) and not CASES.search(data):
        return False
    return any(path == test or path.startswith(f"{test}/") for test in facts.tests)


def _root(path: str) -> str:
    """The outermost folder for tests that a file is in, else its own folder."""
    folders = path.split("/")[:-1]
    for index, folder in enumerate(folders):
        if folder.lower() in TEST_FOLDERS:
            return "/".join(folders[: index + 1])
    return "/".join(folders)


def _home(folder: str, facts: ProjectFacts) -> str:
    """The folder itself; outside of the package that it is or is in, where there is one: that
    package would be imported before a conftest.py inside of it."""
    around = [p.path for p in facts.packages if p.path and f"{folder}/".startswith(f"{p.path}/")]
    return min(around, key=len).rpartition("/")[0] if around else folder


def _has_outer_conftest(folder: str, facts: ProjectFacts, *, inclusive: bool) -> bool:
    """Whether a conftest.py in a folder above (or in this one) is loaded first: above a folder
    with settings of its own pytest loads none, if that folder is named."""
    others = [path.rpartition("/")[0] for path in facts.conftests]
    cuts = [cut for cut in facts.pytest_roots if _contains(cut, folder)]
    return any(
        _contains(other, folder) and (inclusive or other != folder)
        for other in others
        if all(_contains(cut, other) for cut in cuts)
    )


def _contains(folder: str, other: str) -> bool:
    return not folder or other == folder or other.startswith(f"{folder}/")
