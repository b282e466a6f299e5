"""What a foreign step may see, touch and use: from a policy to the command line of bubblewrap."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from porter.host.home import PACKAGE, porter_home, rules_home
from porter.model import UNSET, Device, Step


class Mode(StrEnum):
    """How much the user insists on the sandbox."""

    AUTO = "auto"
    REQUIRE = "require"
    OFF = "off"


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What one step may use, in bytes; the defaults follow the machine."""

    memory: int
    disk: int  # of the folders it may write, and of one file
    processes: int
    output: int = 1 << 28
    temporary: int = 1 << 30  # of /tmp, of the home folder and of /dev/shm, each


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """What the user chose for the foreign steps of a command."""

    mode: Mode = Mode.AUTO
    passed: tuple[str, ...] = ()  # names of variables, beside the known ones
    devices: tuple[Device, ...] = ()  # accelerators whose nodes are there
    readable: tuple[Path, ...] = ()  # folders in hidden places that are there all the same
    limits: Limits | None = None


# Variables that builds and tests go by, and that hold no secret.
_PASSED = re.compile(
    r"PATH|LANG|LANGUAGE|LC_\w+|TZ|TERM|USER|LOGNAME|SHELL|HOME|COLUMNS|NO_COLOR|SOURCE_DATE_EPOCH"
    r"|CC|CXX|CPP|LD|AR|AS|NM|RANLIB|STRIP|FC|(C|CXX|CPP|LD|F|CUDA|NVCC|TORCH_NVCC)_?FLAGS"
    r"|(LD_)?LIBRARY_PATH|LD_RUN_PATH|CPATH|C(PLUS)?_INCLUDE_PATH|PKG_CONFIG_PATH|CONDA_PREFIX"
    r"|MAX_JOBS|MAKEFLAGS|NPU_ARCH|CUDAHOSTCXX|CUDACXX|PYTORCH_NVCC|PYTHON(HASHSEED|UNBUFFERED"
    r"|DONTWRITEBYTECODE)|(CMAKE|CUDA|CUDNN|NVCC|NVIDIA|ASCEND|[A-Z]+_CUDA|NINJA|OMP|MKL"
    r"|KMP|OPENBLAS|SETUPTOOLS_SCM|TRITON|FLAGS|PORTER)_\w+"
)
_SECRET = re.compile(r"TOKEN|SECRET|PASSW|CREDENTIAL|AUTH|(API|ACCESS|PRIVATE)_?KEY", re.IGNORECASE)
# Folders named by these of the user's variables are shown to a step where they lie in a hidden one.
_FOLDERS = (
    *("PATH", "LD_LIBRARY_PATH", "LIBRARY_PATH", "CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH"),
    *("PKG_CONFIG_PATH", "CMAKE_PREFIX_PATH", "CONDA_PREFIX", "CUDA_HOME", "CUDA_PATH"),
    *("ASCEND_HOME_PATH", "ASCEND_TOOLKIT_HOME"),
)
_NODES = {
    Device.CUDA: ("nvidia*", "dxg"),  # dxg: a GPU shared with Windows
    Device.NPU: ("davinci*", "devmm_svm", "hisi*"),
}
# Homes of all users, temporary files, and the sockets of services and agents.
_HIDDEN = ("/root", "/home", "/run", "/tmp", "/var/tmp")
# What root may read or write even without capabilities.
_MASKED = ("/etc/shadow", "/etc/shadow-", "/etc/gshadow", "/etc/gshadow-", "/etc/krb5.keytab")
_MASKED_FOLDERS = ("/etc/ssh", "/etc/ssl/private")
_READ_ONLY = ("/proc/sys", "/proc/sysrq-trigger", "/proc/fs", "/proc/acpi", "/proc/scsi")
SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/opt", "/nix", "/proc", "/dev")
_LIMIT = """ulimit -c 0; ulimit -f {blocks}; ulimit -d {kilobytes}
{processes}
echo 500 > /proc/self/oom_score_adj
"""
NOT_ISOLATED = "network, files that you can read and write, other processes"


def limits(folder: Path) -> Limits:
    """The limits that fit this machine, for steps that write below a folder."""
    pages = os.sysconf("SC_PHYS_PAGES") if hasattr(os, "sysconf") else 1 << 22
    memory = pages * (os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096)
    free = shutil.disk_usage(folder).free
    return Limits(
        memory=memory * 9 // 10,
        disk=max(1 << 28, free * 3 // 4),
        processes=1024 + 256 * (os.cpu_count() or 1),
        temporary=memory // 4,
    )


def environment(step: Step, given: Mapping[str, str], policy: Policy) -> dict[str, str]:
    """The variables of a step: all of porter's for its own programs, chosen ones for others."""
    kept = {
        name: value
        for name, value in given.items()
        if not step.foreign or passes(name, policy.passed)
    }
    return {k: v for k, v in {**kept, **step.environment}.items() if v != UNSET}


def passes(name: str, chosen: Iterable[str] = ()) -> bool:
    """Whether a foreign step gets a variable of this name."""
    return name in chosen or bool(_PASSED.fullmatch(name) and not _SECRET.search(name))


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """The file system that a step sees: all of the machine's, read-only, but for these."""

    hidden: tuple[str, ...]  # empty folders in their place, gone with the step
    masked: tuple[str, ...] = ()  # files
    readable: tuple[tuple[str, str], ...] = ()  # where it is -> where it is seen
    writable: tuple[tuple[str, str], ...] = ()
    nodes: tuple[str, ...] = ()
    read_only: tuple[str, ...] = field(default=())


def view(step: Step, given: Mapping[str, str], policy: Policy, needed: Iterable[Path] = ()) -> View:
    """What a step sees on this machine, `needed` included."""
    home = Path(given.get("HOME", "/root"))
    places = {os.path.realpath(place) for place in (*_HIDDEN, home) if Path(place).is_dir()}
    hidden = sorted(place for place in places if not _is_system(place))
    asked = [*map(Path, (step.cwd, *step.readable)), *needed]
    named = (*_find_named_folders(given, policy), *prefixes(Path(step.argv[0])))
    shown = [*_own(), *policy.readable, *named, *asked]
    masked = [path for path in _MASKED if os.access(path, os.R_OK)]
    folders = [path for path in _MASKED_FOLDERS if Path(path).is_dir()]
    nodes = [
        str(node)
        for device in policy.devices
        for pattern in _NODES.get(device, ())
        for node in sorted(Path("/dev").glob(pattern))
    ]
    readable = tuple(dict.fromkeys(_again(shown, hidden)))
    return View(
        hidden=(*hidden, *folders),
        masked=tuple(masked),
        readable=readable,
        writable=tuple(dict.fromkeys(_places(step.writable, hidden, readable))),
        nodes=tuple(nodes),
        read_only=tuple(path for path in _READ_ONLY if Path(path).exists()),
    )


def _is_system(place: str) -> bool:
    return place == "/" or _is_below(place, SYSTEM)


def _is_below(path: str, folders: Iterable[str]) -> bool:
    return any(path == folder or path.startswith(f"{folder}/") for folder in folders)


def _own() -> Iterator[Path]:
    """What porter itself is made of, and its data."""
    yield from (Path(sys.prefix), Path(sys.base_prefix), PACKAGE, rules_home())
    yield from prefixes(Path(sys.executable))
    home = porter_home()
    yield home
    yield from (home / name for name in ("envs", "objects", "cuda-headers", "emulated"))


def _find_named_folders(given: Mapping[str, str], policy: Policy) -> Iterator[Path]:
    """The folders that the user's variables name."""
    for name in (*_FOLDERS, *policy.passed):
        for entry in given.get(name, "").split(os.pathsep):
            if Path(entry).is_absolute():
                yield Path(entry)
    for name in ("CC", "CXX", "PYTORCH_NVCC", "CUDACXX"):
        found = shutil.which(given.get(name, "").partition(" ")[0])
        if found:
            yield from prefixes(Path(found))


def prefixes(program: Path) -> Iterator[Path]:
    """The folders that a program needs: its own, and for an interpreter those of its prefix and of
    the one that a virtual environment stands on."""
    found: Path | None = Path(shutil.which(program) or "")
    for _ in range(10):  # links, one by one
        if found is None or not found.is_absolute():
            return
        yield found.parent
        prefix = found.parent.parent
        if found.parent.name == "bin":
            yield prefix
        written = prefix / "pyvenv.cfg"
        text = written.read_text(errors="replace") if written.is_file() else ""
        if home := re.search(r"^home\s*=\s*(.+)$", text, re.MULTILINE):
            yield from (Path(home[1].strip()), Path(home[1].strip()).parent)
        target = found.parent / found.readlink() if found.is_symlink() else None
        found = Path(os.path.normpath(target)) if target else None


def _again(shown: Iterable[Path], hidden: list[str]) -> Iterator[tuple[str, str]]:
    """Those that a hidden folder would take away; never that folder itself, nor one above it."""
    for source, seen in _places([str(path) for path in shown if path.exists()], hidden):
        inside = _is_below(source, hidden) or _is_below(seen, hidden)
        above = any(_is_below(place, (source, seen)) for place in hidden)
        if inside and not above:
            yield source, seen


def _places(
    paths: Sequence[str], hidden: list[str], beside: Iterable[tuple[str, str]] = ()
) -> Iterator[tuple[str, str]]:
    """Each by its real path, and by the written one where a link in it is hidden: what lies in
    another one, or in one of those `beside`, is there with its links."""
    real = {*map(os.path.realpath, paths), *(place for _, place in beside)}
    for path in paths:
        source = os.path.realpath(path)
        yield source, source
        there = any(path != place and _is_below(path, [place]) for place in real)
        if source != path and _is_below(path, hidden) and not there:
            yield source, path


def command(program: str, step: Step, seen: View, allowed: Limits) -> tuple[str, ...]:
    """The command line of bubblewrap that runs a step."""
    size = ("--size", str(allowed.temporary))
    words = [
        "--ro-bind",
        "/",
        "/",
        "--dev",
        "/dev",
        *size,
        "--tmpfs",
        "/dev/shm",
        "--proc",
        "/proc",
    ]
    for path in seen.read_only:
        words += ["--ro-bind", path, path]
    for path in seen.hidden:
        words += [*size, "--tmpfs", path]
    for path in seen.masked:
        words += ["--ro-bind", "/dev/null", path]
    for option, pairs in (("--ro-bind", seen.readable), ("--bind", seen.writable)):
        for source, place in sorted(pairs, key=lambda pair: pair[1].count("/")):
            words += [option, source, place]
    for node in seen.nodes:
        words += ["--dev-bind", node, node]
    words += ["--unshare-user", "--disable-userns", "--unshare-pid", "--unshare-net"]
    words += ["--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try", "--cap-drop", "ALL"]
    words += ["--die-with-parent", "--new-session", "--chdir", step.cwd, "--"]
    return (program, *words, *limit(step.argv, allowed, alone=True))


def limit(argv: tuple[str, ...], allowed: Limits, *, alone: bool) -> tuple[str, ...]:
    """A command with the limits that the kernel holds; one on processes counts those of the user,
    so that it fits only where the step has a namespace of its own (`alone`)."""
    number = allowed.processes
    text = _LIMIT.format(
        blocks=allowed.disk // 512,
        kilobytes=allowed.memory // 1024,
        # dash has -p for what bash calls -u
        processes=f"ulimit -p {number} || ulimit -u {number}" if alone else ":",
    )
    return ("/bin/sh", "-c", f'{{ {text}}} 2>/dev/null; exec "$@"', "sh", *argv)


def entries(folders: Iterable[str]) -> Iterator[os.DirEntry[str]]:
    """All that is below folders and is no folder itself; nothing of what goes in the meantime."""
    todo = list(folders)
    while todo:
        with contextlib.suppress(OSError), os.scandir(todo.pop()) as found:
            for entry in found:
                if entry.is_dir(follow_symlinks=False):
                    todo.append(entry.path)
                else:
                    yield entry


def links(folders: Iterable[str]) -> dict[str, str]:
    """The links below folders and where they lead; what is neither file, folder nor link leads to
    itself."""
    found: dict[str, str] = {}
    for entry in entries(folders):
        if entry.is_symlink():
            with contextlib.suppress(OSError):  # gone
                found[entry.path] = str(Path(entry.path).readlink())
        elif not entry.is_file(follow_symlinks=False):
            found[entry.path] = entry.path
    return found


def find_escaping_links(before: Mapping[str, str], folders: tuple[str, ...]) -> list[str]:
    """The links that a step left in its folders by which porter would read or write elsewhere,
    and the pipes at which it would wait."""
    roots = [os.path.realpath(folder) for folder in folders]
    return [
        path
        for path, target in links(folders).items()
        if before.get(path) != target
        and (path == target or not _is_below(os.path.realpath(path), (*roots, *SYSTEM)))
    ]
