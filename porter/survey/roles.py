"""What each file is for in its repository, from names, neighbours and who imports it."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable
from pathlib import Path, PurePosixPath

from porter.languages import cpp
from porter.languages.data import read_bytes
from porter.model import UNIT, Role

VENDOR_FOLDERS = re.compile(
    r"_?(?:3rd[-_]?part(?:y|ies)|third[-_]?part(?:y|ies)|thirdparty|vendor(?:ed|s)?"
    r"|extern(?:als?)?|_extern|submodules?|subprojects|bundled)"
)
# Libraries that are commonly copied or linked in whole; their folder alone proves nothing.
KNOWN_LIBRARIES = re.compile(
    r"(?:cutlass|googletest|gtest|gmock|pybind11|nanobind|dlpack|dmlc-core|eigen3?|fmt|spdlog"
    r"|cub|thrust|cccl|libcudacxx|nlohmann|rapidjson|boost|abseil-cpp|protobuf|flatbuffers"
    r"|robin-map|glm|libtorch|catch2|doctest|xbyak|composable_kernel|nvtx|parallel-hashmap)",
    re.IGNORECASE,
)
TEST_FOLDERS = {"test", "tests", "unittest", "unittests", "unit_test", "unit_tests", "testsuite"}
TEST_NAMES = re.compile(r"(?:test_.*|.*_test|Test[A-Z].*|conftest)$")
ENTRY_FOLDERS = re.compile(
    r"examples?|benchmarks?|bench|perf|demos?|scripts?|tools?|tutorials?|docs?|samples?|profiling"
)
BUILD_NAMES = re.compile(
    r"(?:setup|build|hatch_build|custom_build|_?build_backend|_custom_build)$|(?:setup|build)_\w+$"
)
BUILD_FOLDERS = re.compile(r"_?(?:\w+_)?(?:build|setup|tools?|scripts?|cmake)(?:_\w+)?")
HEADERS = f"{UNIT}/include/"  # of porter's own unit: chosen anew, never edited
ENABLING = f"{UNIT}/enable.py"  # of it, run by build scripts and entry scripts
LICENCES = re.compile(r"(?:licen[cs]e|copying|notice)(?:[-._].*)?$", re.IGNORECASE)
_MAIN = re.compile(rb"^if\s+__name__\s*==", re.MULTILINE)
_DEFINES_TESTS = re.compile(
    rb"^\s*(?:async\s+)?def\s+test|^\s*class\s+\w*Test|\bunittest\b", re.MULTILINE
)
_CASES = re.compile(rb"^class\s+\w+\(.*\bTestCase\b", re.MULTILINE)
_FUNCTIONS = re.compile(rb"^(?:async\s+)?def\s+test", re.MULTILINE)
_IMPORTS_PYTEST = re.compile(rb"^(?:import|from)\s+pytest\b", re.MULTILINE)
_BACKEND = re.compile(r'^\s*build-backend\s*=\s*["\']([\w.]+)', re.MULTILINE)
# A build script by another name (setup_cuda.py, setup.torch.py) calls setuptools all the same.
_NAMED_SETUP = re.compile(r"(?:^|[/._-])setup[._-][^/]*\.py$|[._-]setup\.py$")
_IMPORTS_SETUP = re.compile(rb"^[ \t]*(?:from|import)[ \t]+(?:setuptools|distutils)\b", re.M)
_CALLS_SETUP = re.compile(rb"^[ \t]*(?:setuptools\.)?setup\(", re.M)
_IMPORT = re.compile(
    rb"^[ \t]*(?:from[ \t]+([\w.]+)[ \t]+import[ \t]+([^\n#]*)|import[ \t]+([^\n#]+))", re.M
)


def role_finder(
    root: Path, paths: Iterable[str], submodules: frozenset[str]
) -> Callable[[str], Role]:
    """A function from path to role, made from all paths of a tree."""
    known = frozenset(paths)
    vendored = _find_foreign(root, known, submodules)
    build = _build_files(root, {p for p in known if not find_outermost(p, vendored)})
    packages = {p.rpartition("/")[0] for p in known if p.rpartition("/")[2] == "__init__.py"}
    entries = frozenset() if _library(packages) else _find_entry_named(known, packages)

    def role(path: str) -> Role:
        if _is_foreign(path, vendored):
            return Role.VENDORED
        if path in build or path.endswith(ENABLING):
            return Role.BUILD
        if path.endswith(".ipynb"):
            return Role.ENTRY
        if (_is_test(path) and not _is_script(root, path)) or _has_cases(root, path):
            return Role.TEST
        is_entry = _is_entry(root, path, packages) and not find_outermost(path, entries)
        return Role.ENTRY if is_entry else Role.LIBRARY

    return role


def vendored_finder(
    root: Path, paths: Iterable[str], submodules: frozenset[str]
) -> Callable[[str], bool]:
    """A function that tells whether the role of a path is to be vendored."""
    vendored = _find_foreign(root, frozenset(paths), submodules)
    return lambda path: _is_foreign(path, vendored)


def _find_foreign(root: Path, paths: frozenset[str], submodules: frozenset[str]) -> frozenset[str]:
    return find_vendored(root, paths) | submodules | read_submodules(root)


def _is_foreign(path: str, vendored: frozenset[str]) -> bool:
    return find_outermost(path, vendored) is not None or HEADERS in path


def find_outermost(path: str, folders: Iterable[str] | frozenset[str]) -> str | None:
    """The outermost of these folders that a path lies in."""
    parts = path.split("/")
    for count in range(1, len(parts)):
        folder = "/".join(parts[:count])
        if folder in folders:
            return folder
    return None


# ------------------------------------------------------------------ vendored


def find_vendored(root: Path, paths: Iterable[str]) -> frozenset[str]:
    """Folders of third-party code: by their name, by evidence of a project of its own, or as type
    stubs of it."""
    children: dict[str, list[str]] = defaultdict(list)  # folder -> source files, any depth
    for path in paths:
        parts = path.split("/")
        for count in range(1, len(parts)):
            children["/".join(parts[:count])].append(path)
    own = _licence(root)
    found: set[str] = set()
    for folder in sorted(children, key=lambda f: f.count("/")):
        if find_outermost(folder + "/", found):
            continue
        name = folder.rpartition("/")[2]
        files = children[folder]
        third_party = VENDOR_FOLDERS.fullmatch(name.lower()) or _are_stubs(name, files)
        if third_party or _own_project(root, folder, name, files, own):
            found.add(folder)
    return frozenset(found)


def _are_stubs(name: str, files: list[str]) -> bool:
    """What type checkers are told of other libraries, which nothing runs."""
    return name in ("stubs", "typings") and any(file.endswith(".pyi") for file in files)


def _own_project(root: Path, folder: str, name: str, files: list[str], own: bytes | None) -> bool:
    """Another project's tree: its own, different licence and build files; or a known library
    that brings its licence or is nothing but headers."""
    names = _names(root / folder)
    licence = _licence(root / folder, names)
    if KNOWN_LIBRARIES.fullmatch(name):
        headers = all(f.endswith(cpp.HEADERS) for f in files)
        return (licence is not None and licence != own) or (headers and len(files) > 1)
    if licence is None or own is None or licence in own or own in licence:
        return False
    return _is_project(root / folder, names) and _is_project(root, _names(root))


def _is_project(folder: Path, names: set[str]) -> bool:
    """Has build files that can stand alone; a part of a project often has some too."""
    if names & {"setup.py", "pyproject.toml", "configure", "configure.ac", "WORKSPACE"}:
        return True
    return any(
        re.search(rb"^\s*project\s*\(", read_bytes(folder / name), re.MULTILINE | re.IGNORECASE)
        for name in names & {"CMakeLists.txt", "meson.build"}
    )


def _names(folder: Path) -> set[str]:
    try:
        return {entry.name for entry in folder.iterdir()}
    except OSError:
        return set()


def _licence(folder: Path, names: set[str] | None = None) -> bytes | None:
    """The folder's licence text without white space, so that copies compare equal."""
    for name in sorted(_names(folder) if names is None else names):
        path = folder / name
        if LICENCES.fullmatch(name) and not path.is_symlink():
            text = b"".join(read_bytes(path)[:200_000].split())
            if text:
                return text
    return None


def empty_submodules(root: Path) -> list[str]:
    """Submodules that are declared and were not brought."""
    return sorted(n for n in read_submodules(root) if not any((root / n).glob("*")))


def read_submodules(root: Path) -> frozenset[str]:
    """Paths that .gitmodules states."""
    path = root / ".gitmodules"
    if path.is_symlink() or not path.is_file():
        return frozenset()
    text = path.read_text("utf-8", errors="replace")
    return frozenset(
        match.strip().strip('"').rstrip("/")
        for match in re.findall(r"^\s*path\s*=\s*(.+)$", text, re.MULTILINE)
    )


# --------------------------------------------------------------------- build


def _build_files(root: Path, paths: set[str]) -> set[str]:
    """Build scripts, and the modules beside them that they import."""
    build = {
        p for p in paths
        if p.rpartition("/")[2] in ("setup.py", "CMakeLists.txt", "pyproject.toml")
        or p.endswith(".cmake")
        or ("/" not in p and p.endswith(".py") and BUILD_NAMES.match(p[:-3]))
        or (_NAMED_SETUP.search(p) and _calls_setup(read_bytes(root / p)))
    }  # fmt: skip
    build |= _backends(root, paths)
    queue = [p for p in build if p.endswith(".py")]
    while queue:
        script = queue.pop()
        for found in _find_imported_files(root, script, paths) - build:
            build.add(found)
            queue.append(found)
    return build


def _calls_setup(data: bytes) -> bool:
    return bool(_IMPORTS_SETUP.search(data) and _CALLS_SETUP.search(data))


def _backends(root: Path, paths: set[str]) -> set[str]:
    """Modules that a pyproject names as its own build backend."""
    found = set()
    for path in paths:
        folder, _, name = path.rpartition("/")
        if name != "pyproject.toml":
            continue
        text = read_bytes(root / path).decode("utf-8", "replace")
        match = _BACKEND.search(text)
        if match and "backend-path" in text:
            tail = match[1].replace(".", "/")
            base = PurePosixPath(folder)
            found |= {
                p for p in paths
                if p in (f"{tail}.py", f"{tail}/__init__.py")
                or (p.endswith((f"/{tail}.py", f"/{tail}/__init__.py"))
                    and PurePosixPath(p).is_relative_to(base))
            }  # fmt: skip
    return found


def _find_imported_files(root: Path, script: str, paths: set[str]) -> set[str]:
    """Files a build script imports that are no part of the library itself."""
    folder = script.rpartition("/")[0]
    prefix = f"{folder}/" if folder else ""
    found = set()
    for module in _modules(read_bytes(root / script)):
        head = module.split(".")[0]
        tail = module.replace(".", "/")
        for candidate in (f"{prefix}{tail}.py", f"{prefix}{tail}/__init__.py"):
            if candidate in paths and ("." not in module or BUILD_FOLDERS.fullmatch(head)):
                own_package = candidate.endswith("/__init__.py")
                if not own_package or BUILD_FOLDERS.fullmatch(head):
                    found.add(candidate)
    return found


def _modules(data: bytes) -> set[str]:
    modules = set()
    for base, names, plain in _IMPORT.findall(data):
        listed = (names or plain).decode("ascii", "replace").strip("() \\\r")
        words = [item.split()[0] for item in listed.split(",") if item.split()]
        if base:
            origin = base.decode().lstrip(".")
            modules |= {origin, *(f"{origin}.{word}" for word in words)}
        else:
            modules |= set(words)
    return {module for module in modules if module}


# ------------------------------------------------------------- test and entry


def _is_test(path: str) -> bool:
    *folders, name = path.split("/")
    stem = name.rpartition(".")[0]
    return bool(TEST_NAMES.match(stem)) or any(f.lower() in TEST_FOLDERS for f in folders)


def _has_cases(root: Path, path: str) -> bool:
    """Named `test.py`, which may well be a library's evaluation: by the test cases in it, or the
    functions for pytest."""
    if path.rpartition("/")[2] not in ("test.py", "tests.py"):
        return False
    data = read_bytes(root / path)
    functions = _IMPORTS_PYTEST.search(data) and _FUNCTIONS.search(data)
    return bool(_CASES.search(data) or functions)


def _is_script(root: Path, path: str) -> bool:
    """Named like a test, outside of the tests, and a program with no test in it: an evaluation."""
    *folders, name = path.split("/")
    if name == "conftest.py" or any(f.lower() in TEST_FOLDERS for f in folders):
        return False
    data = read_bytes(root / path) if name.endswith(".py") else b""
    return bool(_MAIN.search(data)) and not _DEFINES_TESTS.search(data)


def _is_entry(root: Path, path: str, packages: set[str]) -> bool:
    parts = path.split("/")
    for count in range(1, len(parts)):
        if ENTRY_FOLDERS.fullmatch(parts[count - 1].lower()):
            return True
        if "/".join(parts[:count]) in packages:
            return False
    return path.endswith(".py") and bool(_MAIN.search(read_bytes(root / path)))


def _library(packages: set[str]) -> set[str]:
    """The packages that no folder's name sets apart."""
    apart = (p for p in packages if any(_is_apart(part.lower()) for part in p.split("/")))
    return packages - {*apart, ""}


def _find_entry_named(paths: Iterable[str], packages: set[str]) -> frozenset[str]:
    """Packages with C++ in them that are named as examples are: a library may be called `demo`."""
    folders = (
        find_outermost(p, packages) for p in paths if p.endswith((".cpp", ".cc", ".cu", ".cxx"))
    )
    return frozenset(f for f in folders if f and f.lower() not in TEST_FOLDERS)


def _is_apart(folder: str) -> bool:
    return folder in TEST_FOLDERS or ENTRY_FOLDERS.fullmatch(folder) is not None
