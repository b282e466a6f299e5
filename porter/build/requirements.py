"""Read what a project wants beside its framework, from its metadata."""

from __future__ import annotations

import ast
import configparser
import contextlib
import email
import re
import sys
import tomllib
import zipfile
from collections.abc import Collection, Iterable, Iterator, Mapping
from importlib.metadata import Distribution, distributions
from pathlib import Path

from packaging.requirements import InvalidRequirement, Requirement
from packaging.utils import canonicalize_name

from porter import targets
from porter.languages import cmake
from porter.languages.data import read_bytes, read_syntax, read_toml
from porter.languages.text import Unreadable
from porter.survey import roles, test_commands
from porter.targets.protocol import TOOLS, Environment

# Never installed for a project: the frameworks are chosen by the cell, and with them come the
# CUDA libraries that torch's metadata on PyPI names; other packages of NVIDIA's are the project's.
_WITH_FRAMEWORKS = re.compile(
    r"^(pytorch|pytorch-triton.*"
    r"|nvidia-(cublas|cuda-.*|cudnn|cufft|cufile|curand|cusolver|cusparse(lt)?|nccl|npp|nvcc|nvjitlink"
    r"|nvrtc|nvshmem|nvtx|nvvm)(-cu\d+)?|cuda-toolkit|tensorrt.*)$"
)
_TEST_FOLDERS = ("test", "tests", "testing")
_TEST_EXTRAS = (*_TEST_FOLDERS, "dev")
_FOR_TESTS = re.compile(rf"(?:^|[._-])(?:{'|'.join(_TEST_EXTRAS)})(?:[._-]|$)")
# A line of an environment of conda: a name, and a version, which is passed over, or conditions.
_OF_CONDA = re.compile(r"\s*- ([\w.-]+)(?: *=?=? *\d[\w.*]*| *([<>!][=<>!\d.,* ]*))?\s*(?:#|$)")
# What developers run beside tests, and which no test needs that does not import it.
_DEVELOPERS_TOOLS = frozenset(
    (
        *("autoflake", "autopep8", "awscli", "black", "build", "bump2version", "bumpversion"),
        *("clang-format", "cmakelang", "cmakelint", "codecov", "commitizen", "coverage"),
        *("cpplint", "flake8", "ipython", "isort", "jupyter", "mypy", "notebook", "nox"),
        *("pre-commit", "pydocstyle", "pylint", "pyright", "pyupgrade", "ruff", "sphinx"),
        *("sphinx-rtd-theme", "tox", "twine", "watchdog", "yapf"),
    )
)
NAME = re.compile(r"\s*([A-Za-z0-9][A-Za-z0-9._-]*)")
# By the name in find_package(): a distribution that puts its files where CMake looks.
_CMAKE_PACKAGES = {"pybind11": "pybind11[global]"}


def build_requirements(root: Path, environment: Environment) -> tuple[str, ...]:
    """[build-system] requires and setup_requires, what CMake files ask for beside, and porter's
    own tools where a user's interpreter lacks them."""
    system = _pyproject(root).get("build-system", {})
    own = system.get("requires", ()) if isinstance(system, dict) else ()
    written = _keep_usable((*own, *_setup_requires(root)))
    named = {m[1].lower() for text in written if (m := NAME.match(text))}
    asked = (text for text in find_cmake_packages(root) if text.partition("[")[0] not in named)
    return (*find_lacking_tools(environment), *written, *asked)


def find_cmake_packages(root: Path) -> tuple[str, ...]:
    """The distributions of packages that the project's own CMake files cannot do without, and
    that the tree does not bring."""
    wanted, brought = set[str](), set[str]()
    for path in sorted(root.rglob("CMakeLists.txt")):
        folders = path.relative_to(root).parts[:-1]
        others = (roles.VENDOR_FOLDERS, roles.KNOWN_LIBRARIES)
        if any(other.fullmatch(folder) for other in others for folder in folders):
            continue
        with contextlib.suppress(Unreadable):
            for command in cmake.parse(read_bytes(path), path.name).commands:
                words = [argument.value for argument in command.arguments]
                if command.name == "find_package":
                    wanted.update(() if "QUIET" in words else words[:1])
                elif command.name in ("add_subdirectory", "fetchcontent_declare"):
                    brought.update(word.rpartition("/")[2] for word in words[:1])
    found = wanted.intersection(_CMAKE_PACKAGES) - brought
    return tuple(_CMAKE_PACKAGES[name] for name in sorted(found))


def _setup_requires(root: Path) -> Iterator[str]:
    """What setuptools would fetch itself, without what that needs in turn."""
    written = configparser.ConfigParser(interpolation=None)
    with contextlib.suppress(OSError, UnicodeDecodeError, configparser.Error):
        written.read_string((root / "setup.cfg").read_text(encoding="utf-8"))
    yield from written.get("options", "setup_requires", fallback="").splitlines()
    yield from _read_setup(root, "setup_requires")


def _read_setup(root: Path, keyword: str) -> Iterator[str]:
    """The strings of a list that setup.py gives to setup() under a keyword; of what it computes,
    those of requirements.txt, where such scripts have it from."""
    try:
        tree = read_syntax((root / "setup.py").read_bytes())
    except (OSError, SyntaxError, ValueError):
        return
    given = (n.value for n in ast.walk(tree) if isinstance(n, ast.keyword) and n.arg == keyword)
    for value in given:
        if not isinstance(value, ast.List | ast.Tuple):
            yield from lines_of(root / "requirements.txt")
            continue
        for node in ast.walk(value):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield node.value


def find_lacking_tools(environment: Environment) -> tuple[str, ...]:
    """The tools that building and testing take for granted and an environment does not have."""
    has = names_in(environment)
    return tuple(tool for tool in TOOLS if NAME.match(tool)[1] not in has)  # type: ignore[index]


def names_in(environment: Environment) -> set[str]:
    """The distributions that an environment has, normalised."""
    return {
        canonicalize_name(d.metadata["Name"]) for d in distributions(path=list(environment.paths))
    }


def is_satisfied(written: Iterable[str], environment: Environment) -> bool:
    """Whether an environment certainly has what requirements ask for, and what that asks for: pip
    would find nothing to install. Only said of interpreters of this one's version."""
    paths, waiting, seen = list(environment.paths), list(written), set[str]()
    own = f"/python{sys.version_info.major}.{sys.version_info.minor}/"
    if waiting and not any(own in path for path in paths[:1]):
        return False
    while waiting:
        try:
            asked = Requirement(waiting.pop())
            name = canonicalize_name(asked.name)
            if asked.marker is not None and not asked.marker.evaluate({"extra": ""}):
                continue
            there = next(iter(distributions(name=name, path=paths)), None)
            if asked.url or asked.extras or there is None:
                return False
            if not asked.specifier.contains(there.version, prereleases=True):
                return False
        except ValueError:  # no requirement, or no version
            return False
        waiting += (there.requires or ()) if name not in seen else ()
        seen.add(name)
    return True


def test_requirements(root: Path) -> tuple[str, ...]:
    """What the conventional requirement files and dependency groups for tests list, and what
    tests need that use torch's internal tools."""
    groups = _pyproject(root).get("dependency-groups", {})
    listed = (
        [groups[name] for name in _choose_test_extras(groups)] if isinstance(groups, dict) else []
    )
    lines = [item for group in listed for item in group if isinstance(item, str)]
    for path in _lists(root):
        lines += _drop_tools(root, lines_of(path))
    return _keep_usable(
        (
            *lines,
            *_read_setup(root, "tests_require"),
            *_find_internals_needs(root),
            *_read_developers(root),
        )
    )


def _lists(root: Path) -> list[Path]:
    """Requirement files that say by their name, or by their folder, that they are for tests."""
    found = [*root.glob("*require*.txt"), *(root / "requirements").glob("*.txt")]
    found = [path for path in found if _FOR_TESTS.search(path.stem)]
    beside = [path for name in _TEST_FOLDERS for path in (root / name).glob("*require*.txt")]
    return sorted({*found, *beside})


def _read_developers(root: Path) -> Iterator[str]:
    """What CI, tox, requirements.txt and conda's environments install, of that what a file here
    imports, and pytest's plugins.

    The last two pin what fitted the Python and the framework of their day: without the pins.
    """
    listed = [text.partition("==")[0] for text in lines_of(root / "requirements.txt")]
    for path in sorted(root.glob("environment*.y*ml")):
        matches = map(_OF_CONDA.match, lines_of(path))
        listed += [m[1] + (m[2] or "").partition("==")[0] for m in matches if m]
    wanted = [*test_commands.find_installed(root), *(text.rstrip(", ") for text in listed)]
    if wanted:
        imported = _find_imported(root)
        for text in wanted:
            found = NAME.match(text)
            name = canonicalize_name(found[1]) if found else ""
            if name in imported or name.startswith("pytest-"):
                yield text


def _find_imported(root: Path) -> set[str]:
    """The names of modules that files import, as names of distributions."""
    lines = (line.split() for path in root.rglob("*.py") for line in lines_of(path))
    return {
        canonicalize_name(words[1].partition(".")[0].rstrip(","))
        for words in lines
        if words[:1] in (["import"], ["from"]) and len(words) > 1
    }


def _drop_tools(root: Path, lines: Iterable[str]) -> Iterator[str]:
    """Requirements without tools of developers, but for those that a file imports."""
    for text in lines:
        found = NAME.match(text)
        name = canonicalize_name(found[1]) if found else ""
        if name not in _DEVELOPERS_TOOLS or name in _find_imported(root):
            yield text


def _find_internals_needs(root: Path) -> Iterator[str]:
    """What torch's own test tools import and torch does not bring."""
    tests = (path for path in root.rglob("*.py") if "test" in path.name)
    if any("torch.testing._internal" in line for path in tests for line in lines_of(path)):
        yield "expecttest"


def run_requirements(installed: Distribution) -> tuple[str, ...]:
    """What an installed distribution declares, with its extras for tests."""
    extras = ("", *_choose_test_extras(installed.metadata.get_all("Provides-Extra") or ()))
    kept: list[str] = []
    for written in installed.requires or ():
        try:
            requirement = Requirement(written)
        except InvalidRequirement:
            continue  # pip would refuse it too; the import says what is missing
        marker = requirement.marker
        if marker is None or any(marker.evaluate({"extra": e}) for e in extras):
            kept.append(written.partition(";")[0].strip())
    return _keep_usable(kept)


def read_requirements(wheel: Path) -> tuple[str, ...]:
    """What the metadata of a wheel asks for here, without extras."""
    with zipfile.ZipFile(wheel) as archive:
        name = next(n for n in archive.namelist() if n.endswith(".dist-info/METADATA"))
        metadata = email.message_from_bytes(archive.read(name))
    found = map(Requirement, metadata.get_all("Requires-Dist") or ())
    return tuple(
        str(each).partition(";")[0].strip()
        for each in found
        if each.marker is None or each.marker.evaluate({"extra": ""})
    )


def _choose_test_extras(names: Collection[str]) -> list[str]:
    """The extras or groups for tests: that of developers, which has much beside, where there is
    no other."""
    there = [name for name in _TEST_EXTRAS if name in names]
    return [name for name in there if name != "dev"] or there


def replace_ported(wanted: Iterable[str], ports: Mapping[str, str]) -> Iterator[str]:
    """Requirements, with those that a framework has a port of naming the port in their place."""
    for text in wanted:
        name = NAME.match(text)
        port = ports.get(canonicalize_name(name[1])) if name else None
        yield text if port is None or name is None else port + text[name.end() :]


def drop_named(wanted: Iterable[str], names: Iterable[str]) -> list[str]:
    """Requirements of other distributions than these, as a project's own, which lists of what
    its samples need may have."""
    own = {canonicalize_name(name) for name in names}
    found = ((text, NAME.match(text)) for text in wanted)
    return [text for text, name in found if name is None or canonicalize_name(name[1]) not in own]


def is_framework(name: str) -> bool:
    """Whether a distribution is a framework, or comes with one: the cell chooses those."""
    names = {n for f in targets.frameworks() for n in (*f.distributions, *f.aliases)}
    return name in names or bool(_WITH_FRAMEWORKS.search(name))


def _keep_usable(written: Iterable[object]) -> tuple[str, ...]:
    """Requirements by name, without the frameworks, options and local paths."""
    return tuple(dict.fromkeys(_filter_requirements(written)))


def _filter_requirements(written: Iterable[object]) -> Iterator[str]:
    for item in written:
        text = str(item).partition(" #")[0].strip().rstrip("=<>!~, ")  # of a version in a variable
        found = NAME.match(text)
        if not found or text.startswith(("-", ".", "/", "#")) or "://" in text.partition("@")[0]:
            continue
        name = canonicalize_name(found[1])
        # Those of the environment fit its Python and its framework, where others may not.
        if not is_framework(name) and name not in ("setuptools", "pip", "pytest"):
            yield text


def lines_of(path: Path) -> list[str]:
    try:
        return path.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return []


def _pyproject(root: Path) -> dict[str, object]:
    try:
        return read_toml((root / "pyproject.toml").read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError):
        return {}  # pip says it better than we could
