"""Torch-specific leftovers outside of single names: proxies not enabled, CMake, requirements."""

from __future__ import annotations

import ast
import posixpath
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache

from porter import targets
from porter.model import UNIT, Language, Residue, Role, SourceFile, State, Surface
from porter.residue.judged import Judged, judge_quirks
from porter.residue.python import parse
from porter.targets import TARGETS

CMAKE_COMMENT = re.compile(rb"#\[(=*)\[.*?\]\1\]|#[^\n]*", re.DOTALL)
FIND_TORCH = re.compile(rb"\b(find_package)\s*\(\s*(Torch|TorchVision|Caffe2)\b", re.IGNORECASE)
IN_CMAKE_IF = re.compile(rb"^[ \t]*(if|endif)\s*\(([^\n]*)", re.IGNORECASE | re.MULTILINE)
REQUIRES = re.compile(rb"""(?:^[ \t]*|["'])torch(?=\s*(?:["'\[;<>=!~,@]|$))""", re.MULTILINE)
REQUIREMENT = re.compile(r"torch\s*(?:[\[;<>=!~,@]|$)")
REQUIRING = frozenset({"install_requires", "setup_requires", "extras_require", "tests_require"})
REQUIRED = Judged("torch", "a requirement of a tree that is for the target only", State.MISSING)
ARCHITECTURES = "TORCH_CUDA_ARCH_LIST"
IN_TORCH = re.compile(rb"\$\{TORCH_INSTALL_PREFIX\}(?P<libraries>/lib\b)?")


@dataclass(frozen=True, slots=True)
class Script:
    """How a Python file takes part: where it imports torch, whether it enables the proxy first."""

    file: SourceFile
    imports: tuple[int, int] | None  # line and column of its first import of torch
    enables: bool
    runs: bool  # does something when it is run


@cache
def _enablers() -> frozenset[str]:
    """Last words of the calls that decide about a proxy."""
    return frozenset[str]().union(*(proxy.enablers for proxy in targets.proxies()))


@cache
def _completion() -> re.Pattern[bytes]:
    """An import of a package that enables a proxy and completes it."""
    names = (proxy.completion for proxy in targets.proxies() if proxy.completion)
    return re.compile(rf"^[ \t]*import ({'|'.join(names) or '(?!)'})\b".encode(), re.MULTILINE)


def completes(data: bytes) -> bool:
    """Whether a file imports a package that completes a proxy."""
    return _completion().search(data) is not None


@cache
def _asks() -> re.Pattern[bytes]:
    """A condition of a build file that asks for a target."""
    words = ["PORTER_FRAMEWORK", *(macro for t in TARGETS.values() for macro in t.macros)]
    return re.compile("|".join(words).encode(), re.IGNORECASE)


def script(file: SourceFile, tree: ast.Module) -> Script | None:
    """What a file of a build, tests or a script has to do with the proxy; None for others."""
    if file.role not in (Role.BUILD, Role.TEST, Role.ENTRY) or file.language is Language.NOTEBOOK:
        return None
    imports = sorted(_imports(tree))
    enabling = sorted(_find_enabling_statements(tree))
    first = imports[0] if imports else None
    enables = bool(enabling) and (first is None or enabling[0] < first)
    return Script(file, first, enables, _runs(tree))


def _imports(tree: ast.Module) -> Iterator[tuple[int, int]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and not node.level:
            names = [node.module or ""]
        else:
            continue
        if any(name.partition(".")[0] == "torch" for name in names):
            yield node.lineno, node.col_offset + 1


def _find_enabling_statements(tree: ast.Module) -> Iterator[tuple[int, int]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            if completes(ast.unparse(node).encode()):
                yield node.lineno, node.col_offset + 1
        elif isinstance(node, ast.Call):
            name = getattr(node.func, "attr", getattr(node.func, "id", ""))
            if name in _enablers() or (name == "run_path" and UNIT in ast.unparse(node)):
                yield node.lineno, node.col_offset + 1


def _runs(tree: ast.Module) -> bool:
    for node in tree.body:
        if isinstance(node, ast.If) and "__name__" in {
            n.id for n in ast.walk(node.test) if isinstance(n, ast.Name)
        }:
            return True
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            return True
        if isinstance(node, ast.For | ast.While | ast.With):
            return True
    return False


class Enabling:
    """Where a tree enables the target's proxy before it imports torch, as its files say.

    `first_modules` are those that have to import the package that completes the proxy.
    """

    def __init__(self, first_modules: Collection[str]) -> None:
        self._first_modules = first_modules
        self._incomplete: list[SourceFile] = []
        self._is_completed = False  # by a file that a plugin of pytest looks for
        self._covered: set[str] = set()  # folders of the conftests that enable it
        self._scripts: list[Script] = []

    def add(self, file: SourceFile, data: bytes) -> None:
        if file.path.rpartition("/")[2] == "conftest.py" and _turns_on(data):
            self._covered.add(_folder(file.path))
        if file.role in (Role.BUILD, Role.LIBRARY, Role.ENTRY):
            found = completes(data)
            self._is_completed |= found and file.role is not Role.ENTRY
            if not found and file.path in self._first_modules:
                self._incomplete.append(file)

    def add_script(self, file: SourceFile, tree: ast.Module) -> None:
        one = script(file, tree)
        self._scripts += [one] if one is not None else []

    def residue(self, target: Surface) -> Iterator[Residue]:
        """Where torch is imported and nothing has enabled the target's proxy before.

        Packages: the file that is run first does not. Build scripts: none in the folder or above
        does. Tests: no conftest.py in the folder or above does, nor does a package or build
        script; said once a folder. Scripts: each for itself, where it does something itself; none
        of them goes through a conftest.py.
        """
        if not any(judge_quirks(target, "torch", "import_without_proxy")):
            return
        for file in self._incomplete:
            reason = "a package uses torch and does not import what completes the proxy"
            yield Judged("torch", reason, State.MISSING).residue(file, 1, 1)
        scripts = sorted(self._scripts, key=lambda s: s.file.path)
        building = (s for s in scripts if s.enables and s.file.role is Role.BUILD)
        enabling = {_folder(s.file.path) for s in building}
        covered = self._covered | ({""} if self._is_completed else set())
        told: set[str] = set()
        for one in scripts:
            if one.imports is None or one.enables:
                continue
            folder, reason = _folder(one.file.path), ""
            if one.file.role is Role.BUILD and not _is_above(folder, enabling):
                reason = "a build script imports torch and does not enable the proxy"
            elif (
                one.file.role is Role.TEST and not _is_above(folder, covered) and folder not in told
            ):
                told.add(folder)
                reason = "tests import torch and no conftest.py enables the proxy"
            elif one.file.role is Role.ENTRY and one.runs:
                reason = "a script imports torch and does not enable the proxy"
            if reason:
                yield Judged("torch", reason, State.MISSING).residue(one.file, *one.imports)


def _turns_on(data: bytes) -> bool:
    tree = parse(data.replace(b"\0", b""))
    if tree is None:
        return any(name.encode() in data for name in (*_enablers(), UNIT))
    return any(True for _ in _find_enabling_statements(tree))


def _folder(path: str) -> str:
    return posixpath.dirname(path)


def _is_above(folder: str, folders: set[str]) -> bool:
    while folder:
        if folder in folders:
            return True
        folder = posixpath.dirname(folder)
    return "" in folders


def find_in_script(
    file: SourceFile, tree: ast.Module, data: bytes, keeps_torch: bool, target: Surface
) -> Iterator[Residue]:
    """Of a build script: architectures told to torch's builder only; in a tree that is for the
    target only, requirements on torch too."""
    if file.role is not Role.BUILD:
        return
    unread = next(judge_quirks(target, ARCHITECTURES, "environment_of_the_build"), None)
    told = (t.architectures.encode() for t in TARGETS.values() if t.architectures)
    if unread is not None and not any(name in data for name in told):
        for node in ast.walk(tree):
            if _sets(node, ARCHITECTURES):
                yield replace(unread, state=State.MISSING).residue(file, *_place(node))
    if not keeps_torch:
        for node in _find_requirements(tree):
            yield REQUIRED.residue(file, *_place(node))


def _place(node: ast.AST) -> tuple[int, int]:
    return getattr(node, "lineno", 1), getattr(node, "col_offset", 0) + 1


def _sets(node: ast.AST, variable: str) -> bool:
    """`os.environ[variable] = ...`, `setdefault(variable, ...)` or `putenv(variable, ...)`."""
    if isinstance(node, ast.Call):
        named = getattr(node.func, "attr", "") in ("setdefault", "putenv") and node.args
        return bool(named) and getattr(node.args[0], "value", None) == variable
    stored = isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store)
    return stored and getattr(node.slice, "value", None) == variable  # type: ignore[attr-defined]


def _find_requirements(tree: ast.Module) -> Iterator[ast.AST]:
    """The texts among what is given to setup() as a requirement that name torch."""
    given = [
        keyword.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        for keyword in node.keywords
        if keyword.arg in REQUIRING
    ]
    for node in (inner for value in given for inner in ast.walk(value)):
        text = node.value if isinstance(node, ast.Constant) else None
        if isinstance(text, str) and REQUIREMENT.match(text):
            yield node


def find_in_cmake(
    file: SourceFile, data: bytes, answered: Mapping[str, str], target: Surface
) -> Iterator[Residue]:
    """`find_package(Torch)` and folders below torch's, unless inside of an `if` that asks for
    the target, or answered by the vendored unit, which has a folder of torch's libraries."""
    code = CMAKE_COMMENT.sub(lambda m: re.sub(rb"[^\n]", b" ", m.group()), data)
    found = [(m.start(), f"find_package({m[2].decode()})") for m in FIND_TORCH.finditer(code)]
    found = [one for one in found if one[1] not in answered]
    found += [
        (m.start(), "TORCH_INSTALL_PREFIX")
        for m in IN_TORCH.finditer(code)
        if not (m["libraries"] and "TORCH_INSTALL_PREFIX" in answered)
    ]
    for offset, name in found:
        if not any(_asks().search(test) for test in _open_tests(code[:offset])):
            for judged in judge_quirks(target, name, "cmake"):
                yield replace(judged, state=State.MISSING).residue_at(file, data, offset)


def _open_tests(before: bytes) -> list[bytes]:
    tests: list[bytes] = []
    for match in IN_CMAKE_IF.finditer(before):
        if match.group(1).lower() == b"if":
            tests.append(match.group(2))
        elif tests:
            tests.pop()
    return tests


def find_in_requirements(file: SourceFile, data: bytes) -> Iterator[Residue]:
    """Requirements on torch, where the result is for the target only."""
    code = re.sub(rb"(?m)^[ \t]*#[^\n]*", lambda m: b" " * len(m.group()), data)
    for match in REQUIRES.finditer(code):
        yield REQUIRED.residue_at(file, data, match.end() - len(b"torch"))
