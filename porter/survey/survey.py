"""What a repository is, from all its files and without executing any of them."""

from __future__ import annotations

import ast
import configparser
import contextlib
import re
import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from porter import targets
from porter.ascend import marks
from porter.languages import python
from porter.languages.data import read_bytes, read_toml
from porter.model import Extension, Language, ProjectFacts, Role, SourceFile
from porter.survey import extensions, markers, packages, programs
from porter.survey import scripts as apart
from porter.survey.discover import Discovery
from porter.survey.roles import find_vendored, read_submodules

_DEEPEST = 200  # levels of syntax; build scripts by hand have about 20
_INI = (  # files that pytest reads, and what makes them its own
    ("pytest.ini", b""),
    (".pytest.ini", b""),
    ("pyproject.toml", b"[tool.pytest"),
    ("tox.ini", b"[pytest]"),
    ("setup.cfg", b"[tool:pytest]"),
)
CONFIGURATIONS = tuple(name for name, _ in _INI)
_CUDA_SUFFIXES = (".cu", ".cuh")
_TESTS = re.compile(rb"^(?:class\s+\w+\(.*\bTestCase\b|(?:async\s+)?def\s+test_)", re.MULTILINE)


def _transfers(data: bytes) -> bool:
    """Whether there is an import, also in a line that a patch adds, of what has torch.cuda be
    another device's."""
    words, pattern = _transfer()
    return any(word in data for word in words) and pattern.search(data) is not None


@cache
def _transfer() -> tuple[tuple[bytes, ...], re.Pattern[bytes]]:
    """The words of which such an import has one, and its pattern."""
    names = [name.rpartition(".") for name in targets.redirects()]
    said = (rf"{re.escape(above)}\b.*\b{last}\b" for above, _, last in names)
    text = rf"^\+?\s*(?:from|import)\s+(?:{'|'.join(said)})"
    words = tuple(last.encode() for _, _, last in names)
    return words, re.compile(text.encode(), re.MULTILINE)


def survey(root: Path, discovery: Discovery) -> ProjectFacts:
    """Gather the facts of a tree. Files that cannot be read or parsed add nothing."""
    from porter.ascend.recognise import recognise

    own = [file for file in discovery.files if file.role is not Role.VENDORED]
    registration, kernels, naming, ascend, transferred = _scan(root, own)
    scripts = _parse_scripts(root, own)
    settings = _settings(root)
    stated = _extensions(scripts, own)
    if any(
        # sources may lie outside of the project's folder, and call kernels of others
        source.endswith(_CUDA_SUFFIXES) or e.kind == "CUDAExtension"
        for e in stated
        for source in e.sources
    ):
        kernels.add("cuda")
    name = _distribution(scripts, settings)
    installed = packages.find(own, scripts, settings, stated, name)
    vendored = set(find_vendored(root, [f.path for f in discovery.files]))
    submodules = read_submodules(root)
    patched = [p for p in discovery.patches if _transfers(read_bytes(root / p))]
    made = [extension.name for extension in stated]
    started = programs.find(installed, frozenset(f.path for f in own), settings, scripts.values())
    named = frozenset(apart.stated_names(scripts.values(), settings))
    return ProjectFacts(
        builds=_builds(own, settings, scripts),
        build_scripts=_build_scripts(own),
        extensions=stated,
        registration=tuple(sorted(registration)),
        kernels=tuple(sorted(kernels)),
        packages=installed,
        tests=tuple(f.path for f in own if _is_test_file(root, f)),
        conftests=tuple(f.path for f in own if f.path.rpartition("/")[2] == "conftest.py"),
        pytest_roots=_pytest_roots(root, own),
        programs=started,
        scripts=apart.find(own, frozenset(naming), installed, started, named),
        vendored=tuple(sorted(vendored | (submodules & _folders(discovery)))),
        submodules=tuple(sorted(submodules)),
        distribution=name,
        first_modules=packages.first_modules(own, frozenset(naming), installed),
        torch_files=len(naming),
        ascend=recognise(root, own, ascend, discovery.data, targets.npu_names(), made)
        if ascend
        else None,
        transferred=tuple(sorted([*transferred, *patched])),
    )


def _scan(
    root: Path, files: Iterable[SourceFile]
) -> tuple[set[str], set[str], list[str], list[str], list[str]]:
    """Registration styles, kernel languages, the files that name torch, those that name Ascend,
    with the ones that may bind its operators, and those that have torch.cuda be torch.npu."""
    registration: set[str] = set()
    kernels: set[str] = set()
    names = targets.npu_names()
    of_npus, of_build = marks.cpp_marks(names), marks.build_marks(names)
    naming: list[str] = []
    ascend: list[str] = []
    binding: list[str] = []
    transferred: list[str] = []
    for file in files:
        data = read_bytes(root / file.path)
        if file.language is Language.PYTHON and _transfers(data):
            transferred.append(file.path)
        if file.language is Language.CPP and marks.has(data, of_npus):
            ascend.append(file.path)
        elif file.language is Language.CPP and marks.has(data, marks.BINDING):
            binding.append(file.path)
        elif (file.role is Role.BUILD and marks.has(data, of_build)) or (
            file.language is Language.PYTHON and marks.has(data, marks.CONVERTER)
        ):
            ascend.append(file.path)
        if markers.uses_torch(data, file.language):
            naming.append(file.path)
        for found, table in ((registration, markers.REGISTRATION), (kernels, markers.KERNELS)):
            left = (marker for marker in table if marker.label not in found)
            found |= markers.labels(data, file.language, left)
        if file.path.endswith(_CUDA_SUFFIXES) and file.role is not Role.TEST:
            kernels.add("cuda")
        if file.path.endswith(".asc"):
            kernels.add("ascendc")
    return registration, kernels, naming, [*ascend, *binding] if ascend else [], transferred


# --------------------------------------------------------------------- build


def _parse_scripts(root: Path, files: Iterable[SourceFile]) -> dict[str, python.Module]:
    """Build scripts as syntax, the one nearest to the root first."""
    modules = {}
    for file in files:
        if file.role is Role.BUILD and file.language is Language.PYTHON:
            try:
                module = python.parse(read_bytes(root / file.path), file.path)
            except python.Unreadable:
                continue  # the scan reports it, with the line
            if _depth(module.tree) < _DEEPEST:
                modules[file.path] = module
    return dict(sorted(modules.items(), key=lambda item: _rank(item[0])))


def _depth(tree: ast.AST) -> int:
    """How deep a tree nests: generated tables can be deeper than a reader may recurse."""
    depth, level = 0, [tree]
    while level:
        depth, level = depth + 1, [child for n in level for child in ast.iter_child_nodes(n)]
    return depth


def _rank(path: str) -> tuple[int, bool, str]:
    return path.count("/"), not path.endswith("setup.py"), path


def _build_scripts(files: Iterable[SourceFile]) -> tuple[str, ...]:
    paths = (f.path for f in files if f.role is Role.BUILD and f.language is Language.PYTHON)
    return tuple(sorted(paths, key=_rank))


def _extensions(
    scripts: Mapping[str, python.Module], files: Iterable[SourceFile]
) -> tuple[Extension, ...]:
    paths = [file.path for file in files]
    return tuple(e for module in scripts.values() for e in extensions.find(module, paths))


def _builds(
    files: Iterable[SourceFile], settings: Mapping[str, Any], scripts: Mapping[str, python.Module]
) -> tuple[str, ...]:
    names = {file.path.rpartition("/")[2] for file in files if file.role is Role.BUILD}
    found = []
    backend = str(packages.lookup(settings, "pyproject", "build-system", "build-backend") or "")
    imported = {name.split(".")[0] for module in scripts.values() for name, _, _ in module.imports}
    if "setup.py" in names or "setuptools" in imported or backend.startswith("setuptools"):
        found.append("setuptools")
    elif "project" in settings["pyproject"] and not backend:
        found.append("setuptools")  # what PEP 517 falls back to
    if backend and not backend.startswith("setuptools"):
        found.append(backend)
    if any(n == "CMakeLists.txt" for n in names):
        found.append("cmake")
    return tuple(found)


def _settings(root: Path) -> dict[str, Any]:
    """pyproject.toml and setup.cfg of the root as data; broken ones are empty."""
    settings: dict[str, Any] = {"pyproject": {}, "cfg": {}}
    with contextlib.suppress(tomllib.TOMLDecodeError, UnicodeDecodeError):  # the scan reports it
        settings["pyproject"] = read_toml(read_bytes(root / "pyproject.toml").decode("utf-8-sig"))
    parser = configparser.RawConfigParser()
    try:
        parser.read_string(read_bytes(root / "setup.cfg").decode("utf-8-sig"))
    except (configparser.Error, UnicodeDecodeError):
        return settings
    settings["cfg"] = {name: dict(parser.items(name)) for name in parser.sections()}
    return settings


def _distribution(scripts: Mapping[str, python.Module], settings: Mapping[str, Any]) -> str | None:
    for place in (
        ("pyproject", "project", "name"),
        ("pyproject", "tool", "poetry", "name"),
        ("pyproject", "tool", "flit", "metadata", "module"),
        ("cfg", "metadata", "name"),
    ):
        found = packages.lookup(settings, *place)
        if isinstance(found, str) and found.strip():
            return found.strip()
    names = (extensions.keyword(m, "setup", "name") for p, m in scripts.items() if "setup.py" in p)
    return next((name for name in names if name), None)


# --------------------------------------------------------------------- files


def _is_test_file(root: Path, file: SourceFile) -> bool:
    """By its name, or by the tests in it, whatever its name is: `gradient_tests.py`."""
    if file.role is not Role.TEST or file.language is not Language.PYTHON:
        return False
    name = file.path.rpartition("/")[2]
    named = re.fullmatch(r"(test_.*|.*_test|tests?|Test[A-Z].*)\.py", name)
    return named is not None or _TESTS.search(read_bytes(root / file.path)) is not None


def _pytest_roots(root: Path, files: Iterable[SourceFile]) -> tuple[str, ...]:
    """The folders of tests, and those above them, from which pytest takes its settings: where one
    is named, it loads no conftest.py above such a folder."""
    folders: set[str] = set()
    for file in files:
        folder = file.path.rpartition("/")[0] if file.role is Role.TEST else ""
        while folder and folder not in folders:
            folders.add(folder)
            folder = folder.rpartition("/")[0]
    return tuple(sorted(f for f in folders if any(_sets_pytest(root / f / n, s) for n, s in _INI)))


def _sets_pytest(path: Path, section: bytes) -> bool:
    return path.is_file() and section in read_bytes(path)


def _folders(discovery: Discovery) -> set[str]:
    """Every folder there is, also of submodules that were not fetched."""
    found = {skipped.path for skipped in discovery.skipped}
    for file in discovery.files:
        parts = file.path.split("/")
        found |= {"/".join(parts[:count]) for count in range(1, len(parts))}
    return found
