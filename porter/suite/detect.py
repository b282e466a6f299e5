"""Which commands run a repository's tests: as the user says, or found in the tree."""

from __future__ import annotations

import configparser
import os
import posixpath
import re
import shlex
import sys
import tomllib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath
from typing import Any

from porter.build.cell import nothing_to_build
from porter.errors import UsageError
from porter.languages.data import read_toml
from porter.model import ProjectFacts
from porter.survey import test_commands

TEST_FILE = re.compile(r"(test_.*|.*_test)\.py\Z")
SCRIPT = re.compile(r"(tests?|test_.*|.*_test)\.py\Z")
LIKE_A_TEST = re.compile(r"(test.*|.*tests?)\.py\Z", re.IGNORECASE)
PYTHON_FILE = re.compile(r".*\.py\Z")
TEST_FOLDERS = ("tests", "test", "testing")
PYTHON = re.compile(r"python(\d(\.\d+)?)?\Z")
ASSIGNMENT = re.compile(r"[A-Za-z_]\w*=")
SEPARATORS = frozenset({"&&", ";"})
HIDDEN = frozenset({"build", "dist", "node_modules", "__pycache__", "site-packages"})
CASES = re.compile(rb"^class\s+\w+\(.*\bTestCase\b", re.MULTILINE)
FUNCTIONS = re.compile(rb"^(async\s+)?def\s+test", re.MULTILINE)
PLAIN = re.compile(rb"^(async\s+)?def\s+test\w*\(\s*\)", re.MULTILINE)
IMPORTS_PYTEST = re.compile(rb"^(import|from)\s+pytest\b", re.MULTILINE)
METHODS = re.compile(rb"^\s+(async\s+)?def\s+test", re.MULTILINE)
IMPORTED = re.compile(rb"^(?:import|from)[ \t]+(\w+)", re.MULTILINE)
DEFINES_TESTS = re.compile(rb"^\s*(async\s+def|def)\s+test|^\s*class\s.*Test", re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Invocation:
    """One process: pytest with arguments, recorded by node id, or a command by exit status."""

    arguments: tuple[str, ...]
    pytest: bool
    environment: Mapping[str, str] = field(default_factory=dict)
    folder: str = ""  # where it runs, from the root
    on_path: bool = False  # what lies in that folder can be imported, after what is installed

    @property
    def text(self) -> str:
        start = ("python", "-m", "pytest") if self.on_path else ("pytest",)
        words = (*start, *self.arguments) if self.pytest else self.arguments
        said = shlex.join((*(f"{k}={v}" for k, v in self.environment.items()), *words))
        return f"cd {shlex.quote(self.folder)} && {said}" if self.folder else said


def parse(command: str) -> tuple[Invocation, ...]:
    """The invocations of a command line: `pytest tests -k x`, or `cd a && python a.py`.

    Raises UsageError for an empty command, unbalanced quotes or shell syntax beyond `&&` and `;`.
    """
    try:
        lexer = shlex.shlex(command, posix=True, punctuation_chars="&;|<>")
        lexer.whitespace_split = True
        words = list(lexer)
    except ValueError as error:
        raise UsageError(f"--tests: {error} in {command!r}", hint="check the quotes") from error
    if any(set(word) <= set("&|<>") and word not in SEPARATORS for word in words):
        raise UsageError(
            f"--tests: pipes, redirections and background jobs are not supported: {command!r}",
            hint="put the command in a script, or use plain commands joined by &&",
        )
    found: list[Invocation] = []
    folder = ""
    for part in filter(None, _split(words)):
        if part[0] == "cd" and len(part) == 2:
            folder = posixpath.normpath(posixpath.join(folder, part[1]))
        else:
            found.append(replace(_invocation(part), folder="" if folder == "." else folder))
    if folder.startswith(("..", "/")):
        raise UsageError(f"--tests: {folder} is not in the tree", hint="give a folder of the tree")
    if not found:
        raise UsageError("--tests: the command is empty", hint='such as --tests "pytest tests"')
    return tuple(found)


def _split(words: Iterable[str]) -> Iterator[list[str]]:
    part: list[str] = []
    for word in words:
        if word in SEPARATORS:
            yield part
            part = []
        else:
            part.append(word)
    yield part


def _invocation(words: list[str]) -> Invocation:
    environment: dict[str, str] = {}
    while words and ASSIGNMENT.match(words[0]):
        name, _, value = words.pop(0).partition("=")
        environment[name] = value
    if not words:
        raise UsageError("--tests: sets a variable, but runs no command", hint="add the command")
    after = _words_after_pytest(words)
    return Invocation(
        arguments=tuple(words if after is None else after),
        pytest=after is not None,
        environment=environment,
        on_path=after is not None and bool(PYTHON.match(words[0])),
    )


def _words_after_pytest(words: list[str]) -> list[str] | None:
    if words[0] in ("pytest", "py.test"):
        return words[1:]
    if PYTHON.match(words[0]) and words[1:3] in (["-m", "pytest"], ["-m", "py.test"]):
        return words[3:]
    return None


def find(root: Path, facts: ProjectFacts | None) -> tuple[Invocation, ...]:
    """How to run the tests found in a tree, in the way of the authors' own command where there is
    one; empty where there are none."""
    said = test_commands.commands(root)
    first = said[0] if said else test_commands.Command(source="")
    targets: list[str] | None = None
    if not (_options(root) or {}).get("testpaths"):  # pytest's own configuration says where
        targets = _targets(root, facts) or sorted({path for each in said for path in each.paths})
        if not targets:
            return ()
    alike = {each.folder for each in said} == {first.folder}
    folder = first.folder if alike and _all_below(first.folder, targets or ("",)) else ""
    environment = {**first.environment}
    if "PYTHONPATH" not in environment and (siblings := _folders_of_siblings(root, facts)):
        paths = [os.path.relpath(each, folder or ".") for each in siblings]
        environment["PYTHONPATH"] = os.pathsep.join(paths)
    return tuple(
        Invocation(
            arguments=(
                *(first.options if folder == first.folder else ()),
                *(os.path.relpath(target, folder or ".") for target in group),
            ),
            pytest=True,
            environment=environment,
            folder=folder,
            on_path=first.on_path
            or _import_from_root(root, facts)
            or bool(nothing_to_build(root)),  # nothing else to import is installed
        )
        for group in _without_clashes(root, targets or ())
    )


def _without_clashes(root: Path, targets: Collection[str]) -> list[list[str]]:
    """The targets in groups for one process each: packages of one name from several folders, such
    as `tests` and `projects/a/tests`, cannot be imported in one."""
    by_base: dict[PurePosixPath, list[str]] = {}
    names: dict[str, PurePosixPath] = {}
    clash = False
    for target in targets:
        base = PurePosixPath(target)
        base, name = base.parent if (root / base).is_file() else base, ""
        while base.name and (root / base / "__init__.py").is_file():
            base, name = base.parent, base.name
        by_base.setdefault(base if name else PurePosixPath(), []).append(target)
        clash |= bool(name) and names.setdefault(name, base) != base
    return [*by_base.values()] if clash else [[*targets]]


def _targets(root: Path, facts: ProjectFacts | None) -> list[str]:
    files = _test_files(root, facts)
    inside = [path for path in files if _test_folder(path)]
    alone = [path for path in files if _defines_tests(root / path)]  # others are scripts
    others = _test_files(root, facts, PYTHON_FILE)
    unnamed = [path for path in others if _has_unnamed_tests(root, path)]
    found = sorted({_test_folder(path) or path for path in inside or alone} | {*unnamed})
    return found or [path for path in others if _has_plain_tests(root, path)]


def _all_below(folder: str, targets: Iterable[str]) -> bool:
    return all(f"{target}/".startswith(f"{folder}/") for target in targets)


def _import_from_root(root: Path, facts: ProjectFacts | None) -> bool:
    """Whether tests import their own folder by its name: `from tests.helpers import x`."""
    files = [path for path in _test_files(root, facts, PYTHON_FILE) if "/" in path]
    names = {path.partition("/")[0] for path in files} & {*TEST_FOLDERS}
    written = "|".join(map(re.escape, names)).encode()
    by_name = re.compile(rb"^\s*(?:from|import)\s+(?:" + written + rb")\b", re.MULTILINE)
    return bool(names) and any(by_name.search((root / path).read_bytes()) for path in files)


def _folders_of_siblings(root: Path, facts: ProjectFacts | None) -> list[str]:
    """Folders that are packages of tests where a test imports a file beside it without the name of
    the package, as a script finds it: pytest puts the folder above on the path."""
    found = set()
    for path in _test_files(root, facts):
        folder = (root / path).parent
        if (folder / "__init__.py").is_file() and (root / path).is_file():
            names = {name.decode() for name in IMPORTED.findall((root / path).read_bytes())}
            if any(
                (folder / f"{name}.py").is_file()
                and name not in sys.stdlib_module_names
                and not any((root / at).exists() for at in (name, f"{name}.py", f"src/{name}"))
                for name in names
            ):
                found.add(folder.relative_to(root).as_posix())
    return sorted(found)


def _has_unnamed_tests(root: Path, path: str) -> bool:
    """Whether pytest would pass over tests here, unittest's cases or its own functions, for the
    name of their file."""
    name = PurePosixPath(path).name
    if TEST_FILE.match(name) or not (_test_folder(path) or LIKE_A_TEST.match(name)):
        return False
    data = (root / path).read_bytes() if (root / path).is_file() else b""
    cases = CASES.search(data) and METHODS.search(data)
    return bool(cases or (IMPORTS_PYTEST.search(data) and FUNCTIONS.search(data)))


def _has_plain_tests(root: Path, path: str) -> bool:
    """Whether a file in a folder of tests has a test function that asks for nothing: helpers of
    models, `def test(model, loader)`, have arguments."""
    file = root / path
    return bool(_test_folder(path) and file.is_file() and PLAIN.search(file.read_bytes()))


def scripts(root: Path, facts: ProjectFacts | None) -> tuple[str, ...]:
    """Files named like tests that define none: to be run as scripts, by the user's word."""
    return tuple(
        path for path in _test_files(root, facts, SCRIPT) if not _defines_tests(root / path)
    )


def _defines_tests(path: Path) -> bool:
    return not path.is_file() or bool(DEFINES_TESTS.search(path.read_bytes()))


def _test_files(
    root: Path, facts: ProjectFacts | None, named: re.Pattern[str] = TEST_FILE
) -> list[str]:
    vendored = tuple(f"{folder}/" for folder in facts.vendored) if facts else ()
    surveyed = [path for path in facts.tests if (root / path).exists()] if facts else []
    # the survey may have been of a folder above
    return sorted(
        path
        for path in surveyed or _walk(root)
        if named.match(PurePosixPath(path).name) and not path.startswith(vendored)
    )


def _walk(root: Path) -> Iterator[str]:
    for folder, names, files in os.walk(root):
        names[:] = [name for name in names if name[0] != "." and name not in HIDDEN]
        for name in files:
            yield (Path(folder) / name).relative_to(root).as_posix()


def _test_folder(path: str) -> str | None:
    parts = PurePosixPath(path).parent.parts
    for count, part in enumerate(parts, 1):
        if part in TEST_FOLDERS:
            return "/".join(parts[:count])
    return None


def is_configured(root: Path, arguments: Sequence[str], at: str = "") -> bool:
    """Whether pytest finds a configuration of the tree's own, from what it is given in the folder
    `at` up to `root`: elsewhere it would take one of a folder above, as that of a project that the
    tree lies in."""
    given = (root / at / text.partition("::")[0] for text in arguments if not text.startswith("-"))
    folders = {folder for path in given if path.exists() for folder in (path, *path.parents)}
    return any(
        _options(folder) is not None
        for folder in {root, *folders}
        if folder == root or root in folder.parents
    )


def _options(folder: Path) -> dict[str, Any] | None:
    """What the configuration of pytest in a folder says, in the order that pytest looks; None
    where there is none."""
    inis = (("pytest.ini", "pytest"), (".pytest.ini", "pytest"))
    others = (("tox.ini", "pytest"), ("setup.cfg", "tool:pytest"))
    newer = [name for name in ("pytest.toml", ".pytest.toml") if (folder / name).is_file()]
    found: list[dict[str, Any] | None] = [{} for _ in newer]
    found += [_ini(folder / name, section, whole=True) for name, section in inis]
    found += [_read_pyproject(folder), *(_ini(folder / name, section) for name, section in others)]
    return next((options for options in found if options is not None), None)


def _ini(path: Path, section: str, *, whole: bool = False) -> dict[str, Any] | None:
    """A section; of a file that is pytest's as a whole, nothing where the section is missing."""
    if not path.is_file():
        return None
    parser = configparser.ConfigParser(interpolation=None, strict=False)
    try:
        parser.read_string(path.read_text(encoding="utf-8", errors="replace"))
    except configparser.Error:
        return {}  # pytest itself will say what is wrong with it
    return dict(parser[section]) if section in parser else {} if whole else None


def _read_pyproject(root: Path) -> dict[str, Any] | None:
    path = root / "pyproject.toml"
    if not path.is_file():
        return None
    try:
        tool = read_toml(path.read_text(encoding="utf-8", errors="replace")).get("tool", {})
    except tomllib.TOMLDecodeError:
        return {}  # likewise
    options = tool.get("pytest") if isinstance(tool, dict) else None
    return {**options, **options.get("ini_options", {})} if isinstance(options, dict) else None
