"""What this machine has of what porter needs, each thing with its remedy."""

from __future__ import annotations

import os
import shutil
import sys
import urllib.error
import urllib.request
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from porter.build import cuda_headers
from porter.build.environment import NEEDED_GB, load
from porter.host import devices, process
from porter.host.home import page, porter_home
from porter.host.sandbox import NOT_ISOLATED
from porter.model import Device, Status, Step

_OLDEST_PYTHON = (3, 11)
_CANN = ("ASCEND_HOME_PATH", "ASCEND_TOOLKIT_HOME")
_INDEX = "https://pypi.org/simple/pip/"


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One thing looked at: OK, FAILED (porter cannot do without it) or SKIPPED (it can)."""

    name: str
    status: Status
    detail: str
    remedy: str = ""


def examine(home: Path | None = None, network: bool = True) -> tuple[Check, ...]:
    """Look at the machine; changes nothing but for logs in porter's home."""
    home = home or porter_home()
    logs = home / "logs" / "doctor"
    checks = [_home(home)]
    if checks[0].status is Status.OK:
        checks += [*_programs(logs), _sandbox()]
        checks += [_cuda(logs), _cann(), _disk(home), *_environments(home)]
    if network:
        checks.append(_index())
    return (_python(), *checks)


def _check(name: str, detail: str, remedy: str = "", *, needed: bool = False) -> Check:
    """What is fine where nothing is to be done, else FAILED where porter needs it."""
    bad = Status.FAILED if needed else Status.SKIPPED
    return Check(name=name, status=bad if remedy else Status.OK, detail=detail, remedy=remedy)


def _python() -> Check:
    version = ".".join(map(str, sys.version_info[:3]))
    good = sys.version_info >= _OLDEST_PYTHON
    remedy = "" if good else "run porter with Python 3.11 or newer"
    return _check("python", f"{version} at {sys.executable}", remedy, needed=True)


def _programs(logs: Path) -> Iterator[Check]:
    for name, program, needed, remedy in (
        ("git", "git", True, "install git"),
        ("g++", os.environ.get("CXX", "g++"), True, "install a C++ compiler (g++ 11 or newer)"),
        ("make", "make", False, "install make, for repositories that use it"),
        ("cmake", "cmake", False, "install cmake, for repositories that use it"),
    ):
        found = shutil.which(program.split()[0])
        if found:
            yield _check(name, _first_line(found, logs / f"{name}.log"))
        else:
            yield _check(name, "not found", remedy, needed=needed)


def _first_line(program: str, log: Path) -> str:
    step = Step(name="version", argv=(program, "--version"), cwd="/", timeout=30, foreign=False)
    lines = process.run(step, log).tail.splitlines()
    return f"{lines[0]} ({program})" if lines else program


def _sandbox() -> Check:
    """Whether code of a repository would be isolated from this machine."""
    reason = process.why_no_sandbox()
    if not reason:
        detail = "bubblewrap: builds and tests have no network, no secrets and their own folders"
        return _check("sandbox", detail)
    remedy = "install bubblewrap, with user namespaces allowed. Until then builds and tests "
    return _check("sandbox", reason, f"{remedy}share with you: {NOT_ISOLATED}")


def _cuda(logs: Path) -> Check:
    found = cuda_headers.toolkit(logs)
    if found is None:
        remedy = "install a CUDA toolkit, or set CUDA_HOME: without it no CUDA unit is compiled"
        return _check("nvcc", "not found", remedy)
    detail = f"CUDA {'.'.join(map(str, found.version))} at {found.home}"
    lacking = [h for h in cuda_headers.LIBRARIES if not (found.home / "include" / h).is_file()]
    if lacking:
        detail += f"; without {', '.join(lacking)}, which porter fetches when it compiles"
    return _check("nvcc", detail)


def _cann(folders: Iterable[Path] | None = None, present: bool | None = None) -> Check:
    """The vendor's toolkit for Ascend NPUs: code for them can do without, on a stand-in."""
    named = [os.environ.get(name, "") for name in _CANN]
    usual = [Path("/usr/local/Ascend"), Path.home() / "Ascend"]
    if folders is None:
        folders = [Path(name) for name in named if name]
        folders += [f / name / "latest" for f in usual for name in ("cann", "ascend-toolkit")]
    home = next((f for f in folders if (f / "lib64" / "libascendcl.so").is_file()), None)
    npu = Device.NPU in devices.present() if present is None else present
    if home is not None and npu:
        return _check("cann", f"at {home}, with an NPU")
    detail = f"at {home}, and no NPU here" if home is not None else "not found"
    remedy = "--device emulated runs code for Ascend NPUs on a stand-in; what it proves: "
    remedy += page("reference/emulated-ascend.md")
    if home is None and npu:
        remedy = f"there is an NPU: `source set_env.sh` of CANN sets {_CANN[0]}. Without that, "
        remedy += "--device emulated runs on a stand-in"
    return _check("cann", detail, remedy)


def _home(home: Path) -> Check:
    try:
        home.mkdir(parents=True, exist_ok=True)
        if os.access(home, os.W_OK):
            return _check("home", str(home))
        why = "not writable"
    except OSError as error:
        why = error.strerror or str(error)
    remedy = "set PORTER_HOME to a writable folder"
    return _check("home", f"{home}: {why}", remedy, needed=True)


def _disk(home: Path) -> Check:
    free_gb = shutil.disk_usage(home).free / 1024**3
    needed_gb = 2 * NEEDED_GB[Device.CPU]  # one with torch, one with the target
    detail = f"{free_gb:.0f} GB free at {home}"
    remedy = f"two environments take {needed_gb:g} GB: free some, or set PORTER_HOME elsewhere"
    return _check("disk", detail, "" if free_gb >= needed_gb else remedy, needed=True)


def _environments(home: Path) -> Iterator[Check]:
    for folder in sorted((home / "envs").glob("*/")):
        if folder.name.endswith(".logs"):
            continue
        found = load(folder)
        detail = f"{folder.name}: unfinished; porter recreates it when needed"
        if found is not None:
            detail = f"{found.framework} {found.version} ({found.build}) at {folder}"
        status = Status.OK if found is not None else Status.SKIPPED
        yield Check(name="environment", status=status, detail=detail)


def _index(opened: Callable[..., object] = urllib.request.urlopen) -> Check:
    """The public index; pip's own settings may name another, so its absence is not a failure."""
    chosen = os.environ.get("PIP_INDEX_URL", "").rstrip("/")
    url = f"{chosen}/pip/" if chosen else _INDEX
    try:
        opened(urllib.request.Request(url, method="HEAD"), timeout=15)
    except (urllib.error.URLError, TimeoutError, ValueError) as error:
        remedy = "porter needs an index to make environments: see pip.conf and PIP_INDEX_URL"
        return _check("index", f"{url}: {error}", remedy)
    return _check("index", url)
