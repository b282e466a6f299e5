"""The folder of one cell: its copy of the tree, its variables, the options of a build."""

from __future__ import annotations

import hashlib
import os
import posixpath
import shlex
import shutil
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from porter.build import ascend_emulation, cmake_units, cuda_headers, emulation
from porter.build.extensions import switches
from porter.build.objects import Cache, stores, wrappers
from porter.model import UNSET, Ascend, Cell, Device, Evidence, Step
from porter.sources import repository
from porter.targets.protocol import Environment, Framework

# Build scripts ask for the version before they decide what to compile.
_REFUSING_NVCC = """#!/bin/sh
case " $* " in *" --version "* | *" -V "*) exec {real} --version ;; esac
for word in "$@"; do
  case "$word" in *.cu) echo "$word(1): error: {said}" >&2 ;; esac
done
exit 1
"""
# What the copies of the tree are built as, whose version is that of a tag.
VERSION = os.environ.get("SETUPTOOLS_SCM_PRETEND_VERSION") or "0.0.1"
_BYTES_PER_JOB = 2 * 1024**3  # what one unit with a framework's headers takes


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """How to build; the defaults fit a machine of any size."""

    subdir: str = ""  # folder of the project inside the tree
    project: str = ""  # folder of what is built in its place
    build_scripts: tuple[str, ...] = ("setup.py",)  # from the root of the tree
    packages: tuple[str, ...] = ()  # their folders, likewise
    jobs: int = 0  # 0: as many as cores and memory allow
    timeout: float = 3600.0  # seconds for a step
    variables: tuple[tuple[str, str], ...] = ()  # added last: the user's own
    requirements: bool = True  # install what the project asks for and the interpreter lacks
    extras: tuple[str, ...] = ()  # what it needs and does not say
    tested: bool = False  # it has tests, which run in the tree where nothing is to be installed
    compat_wheel: Path | None = None  # the package of pieces, where the tree imports it
    everywhere: bool = False  # it acts on all code, as for a tree that does not import it
    needed: tuple[Path, ...] = ()  # projects to build and install before it
    prepare: tuple[str, ...] = ()  # a command that is run in the project first
    ascend: Ascend | None = None  # operators that packages are built of for an emulated NPU
    cache: Cache | None = None  # of objects whose preprocessed input agrees
    identity: str = ""  # of the source: its builds share objects


def work_tree(folder: Path) -> Path:
    """The built copy of the tree in a cell's folder: where its tests are to run."""
    return folder / "tree"


def cell_name(cell: Cell) -> str:
    """The folder name of a cell."""
    return f"{cell.tree}-{cell.environment}-{cell.device}-{cell.evidence}"


def nothing_to_build(project: Path) -> str:
    """Why pip has nothing to install here, or nothing."""
    if (project / "setup.py").is_file():
        return ""
    text = ""
    if (project / "pyproject.toml").is_file():
        text = (project / "pyproject.toml").read_text(encoding="utf-8", errors="replace")
    if any(table in text for table in ("[project]", "[build-system]", "[tool.poetry]")):
        return ""
    if (project / "CMakeLists.txt").is_file():
        return "no Python build: CMakeLists.txt only"
    return "no setup.py and no project in a pyproject.toml"


def projects(tree: Path, options: Options) -> tuple[str, ...]:
    """The folders that pip has something to install from: the project's own, else those in it that
    have a build script, or a package in them; or what is built in its place."""
    if options.project:
        return (options.project,)
    own = options.subdir
    if not nothing_to_build(tree / own):
        return (own,)
    folders = {posixpath.dirname(script) for script in options.build_scripts}
    for package in options.packages:
        above = (str(folder) for folder in PurePosixPath(package).parents)
        built = (f for f in above if f != "." and not nothing_to_build(tree / f))
        folders |= {next(built, own)}
    inside = (f for f in sorted(folders) if f"{f}/".startswith(f"{own}/" if own else ""))
    return tuple(f for f in inside if f != own and not nothing_to_build(tree / f))


def has_no_build(tree: Path, options: Options) -> str:
    """Why a cell of this tree has nothing to run, or nothing: there is something to install, or
    tests of Python files that are imported where they are."""
    if projects(tree, options):
        return ""
    root = tree / options.subdir
    in_place = options.tested and not (root / "CMakeLists.txt").is_file()
    return "" if in_place else nothing_to_build(root)


def variables(
    tree: Path, cell: Cell, environment: Environment, framework: Framework, options: Options
) -> dict[str, str]:
    """The environment variables of a cell's build steps, later ones stronger.

    Writes the wrappers of the object cache beside the tree.
    """
    jobs = str(options.jobs or default_jobs())
    own = environment.variables()
    return {
        **own,
        **framework.activation,
        "MAX_JOBS": jobs,
        "CMAKE_BUILD_PARALLEL_LEVEL": jobs,
        "LC_ALL": "C.UTF-8",
        "NO_COLOR": "1",
        "SETUPTOOLS_SCM_PRETEND_VERSION": VERSION,
        **cmake_units.variables(tree, environment, tree.parent / "logs"),
        **switches(tree, options.build_scripts, cell.device),
        **(wrappers(tree.parent / "bin", prefixes(tree), options.cache) if options.cache else {}),
        **_cuda(tree.parent, cell, environment, own["PATH"]),
        **dict(options.variables),
    }


def preparation(
    tree: Path, cell: Cell, environment: Environment, framework: Framework, options: Options
) -> Step | None:
    """The command that is to be run in a cell's project before it is built, if there is one."""
    if not options.prepare:
        return None
    return Step(
        name="prepare",
        argv=options.prepare,
        cwd=str(tree / options.subdir),
        environment=variables(tree, cell, environment, framework, options),
        timeout=options.timeout,
        writable=(str(tree.parent),),
    )


def _cuda(folder: Path, cell: Cell, environment: Environment, path: str) -> dict[str, str]:
    if cell.evidence is Evidence.EMULATED:
        if cell.device is Device.NPU:
            return ascend_emulation.variables(ascend_emulation.folder(environment), path)
        return emulation.variables(environment, path, folder / "logs")
    return _hide_cuda(folder / "no-cuda", cell, environment, path)


def _hide_cuda(folder: Path, cell: Cell, environment: Environment, path: str) -> dict[str, str]:
    """A framework without CUDA cannot use what nvcc makes: its build finds no toolkit.

    Else a build script that takes a toolkit on the machine for a GPU would have every kernel
    compiled, only to fail when it links. Folders of PATH that hold an nvcc are given without it;
    a tool that looks in the usual places all the same gets one that fails at the first source.
    Where there is no toolkit nothing is put in its place.
    """
    if cell.device is not Device.CPU or environment.build != Device.CPU:
        return {}
    found = cuda_headers.toolkit(folder.parent / "logs")
    if found is None:
        return {}
    if folder.exists():
        shutil.rmtree(folder)
    folder.mkdir(parents=True)
    said = f"this is a CUDA source, and {environment.framework} here is built for the CPU only"
    nvcc = folder / "nvcc"
    nvcc.write_text(_REFUSING_NVCC.format(real=shlex.quote(str(found.nvcc)), said=said))
    nvcc.chmod(0o755)
    named = [name for name in ("CUDA_HOME", "CUDA_PATH") if os.environ.get(name)]
    return {
        "PATH": os.pathsep.join(_hide_nvcc(folder, entry) for entry in path.split(os.pathsep)),
        "CUDACXX": str(nvcc),  # CMake then finds no compiler for CUDA
        "PYTORCH_NVCC": str(nvcc),
        **dict.fromkeys(named, UNSET),
    }


def _hide_nvcc(folder: Path, entry: str) -> str:
    """A folder of PATH, or links to all in it but nvcc if it has that."""
    if not entry or not (Path(entry) / "nvcc").exists():
        return entry
    links = folder / f"bin-{hashlib.sha256(entry.encode()).hexdigest()[:8]}"
    links.mkdir(exist_ok=True)
    for program in Path(entry).iterdir():
        link = links / program.name
        if program.name != "nvcc" and not link.is_symlink():
            link.symlink_to(program)
    return str(links)


def cache_of(folder: Path, root: Path, options: Options) -> Cache:
    """The object cache of a cell that is built in `folder`."""
    return Cache(folder / "objects", stores(options.identity, (root, *options.needed)))


def prefixes(tree: Path) -> tuple[Path, Path]:
    """Folders of a cell whose own path says nothing about what is compiled."""
    return tree, tree.parent / "venv"


def default_jobs() -> int:
    """As many compile jobs as cores and memory allow."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return max(1, min(len(os.sched_getaffinity(0)), memory // _BYTES_PER_JOB))


def copy_tree(root: Path, tree: Path) -> Path:
    """A tree of its own for the cell: two frameworks must not share objects or built modules."""
    if tree.exists():
        shutil.rmtree(tree)
    tree.parent.mkdir(parents=True, exist_ok=True)
    shutil.copytree(root, tree, symlinks=True)
    if repository.is_own(tree):  # which has no tags, and build scripts ask `git describe`
        repository.tag(tree, VERSION)
    return tree
