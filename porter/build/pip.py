"""Ask pip what it would install, look at the plan, and only then install."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from packaging.utils import canonicalize_name

from porter.errors import EnvironmentFailed, NetworkError
from porter.host import process
from porter.host.output import OnLine
from porter.model import Step, StepResult

# Packages of a CUDA build: gigabytes that a CPU environment has no use for.
CUDA_PACKAGE = re.compile(r"^(nvidia-|cuda-|triton$|pytorch-triton)")
WHEELS = ("--only-binary", ":all:")
_NETWORK = re.compile(
    r"NewConnectionError|NameResolutionError|Temporary failure in name resolution"
    r"|Network is unreachable|Max retries exceeded|ConnectTimeout|ReadTimeout"
    r"|Connection refused|ProxyError|No route to host|IncompleteRead|ConnectionResetError"
)
_NOT_FOUND = re.compile(r"^ERROR: Could not find a version .*the requirement (\S+)", re.M)
_DEPENDS = re.compile(r"^ +\S+ \S+ depends on (\S+)$", re.M)
_DISK = re.compile(r"No space left on device|Errno 28\b")


@dataclass(frozen=True, slots=True)
class Planned:
    """One distribution that pip would install."""

    name: str  # normalised
    version: str
    url: str
    digest: str = ""  # of the file at that address, where the index tells it
    requires: tuple[str, ...] = ()  # what it asks for in turn, as its metadata says


def step(
    python: Path,
    name: str,
    arguments: Sequence[str],
    *,
    cwd: Path,
    environment: Mapping[str, str] | None = None,
    timeout: float = 1800.0,
    failure_marks: tuple[str, ...] = (),
    writable: tuple[Path, ...] = (),
) -> Step:
    """A step that runs pip in an interpreter; never asks, never checks for a newer pip.

    With folders that it may write it is foreign, as one that builds is; else it must build nothing.
    """
    return Step(
        name=name,
        argv=(str(python), "-m", "pip", *arguments),
        cwd=str(cwd),
        environment={
            "PIP_DISABLE_PIP_VERSION_CHECK": "1",
            "PIP_NO_INPUT": "1",
            "PIP_ROOT_USER_ACTION": "ignore",
            "PIP_USE_PEP517": "1",  # else setuptools fetches setup_requires, torch among them
            "PIP_RETRIES": os.environ.get("PIP_RETRIES", "2"),  # pip's own 5 take minutes
            **(environment or {}),
        },
        timeout=timeout,
        failure_marks=failure_marks,
        foreign=bool(writable),
        writable=tuple(map(str, writable)),
    )


def plan(
    python: Path,
    arguments: Sequence[str],
    folder: Path,
    *,
    name: str = "resolve",
    timeout: float = 1800.0,
    on_line: OnLine = lambda line: None,
) -> tuple[tuple[Planned, ...], StepResult]:
    """What `pip install ARGUMENTS` would install, nothing when it fails; the log is in `folder`.

    Wheels only: an sdist would run its build already when pip looks at it.
    """
    folder.mkdir(parents=True, exist_ok=True)
    report = folder / f"{name}.json"
    report.unlink(missing_ok=True)
    asked = ("install", "--dry-run", "--report", str(report), *WHEELS, *arguments)
    planning = step(python, name, asked, cwd=folder, timeout=timeout)
    result = process.run(planning, folder / f"{name}.log", on_line)
    if not result.ok or not report.is_file():
        return (), result
    items = json.loads(report.read_text())["install"]
    return tuple(_read_planned(item) for item in items), result


def _read_planned(item: dict[str, dict[str, Any]]) -> Planned:
    data, source = item["metadata"], item["download_info"]
    digest = json.dumps(source.get("archive_info", {}), sort_keys=True)
    name, requires = canonicalize_name(data["name"]), tuple(data.get("requires_dist", ()))
    return Planned(name, data["version"], source["url"], digest, requires)


def cuda_packages(planned: Sequence[Planned]) -> tuple[str, ...]:
    return tuple(p.name for p in planned if CUDA_PACKAGE.search(p.name))


def find_without_wheel(result: StepResult) -> str:
    """The requirement that failed a plan, as pip's log tells: of which no wheel fits, or that all
    versions of what was asked for depend on; nothing where it tells none, or several."""
    log = Path(result.log)
    text = log.read_text(errors="replace") if log.is_file() else result.tail
    alone = _NOT_FOUND.findall(text)
    conflicting = alone or _DEPENDS.findall(text.partition("The conflict is caused by:")[2])
    names = {re.split(r"[^\w.-]", each)[0] for each in conflicting}
    return conflicting[0] if len(names) == 1 else ""


def failure(result: StepResult, doing: str) -> EnvironmentFailed | NetworkError:
    """The error that a failed pip step amounts to."""
    log = Path(result.log)  # gone with the cell of an earlier round, whose answer is kept
    text = log.read_text(errors="replace") if log.is_file() else result.tail
    if _NETWORK.search(text):
        return NetworkError(
            f"{doing}: the package index cannot be reached",
            hint="check the network, or point pip at an index it can reach (PIP_INDEX_URL, "
            f"PIP_FIND_LINKS, pip.conf); pip's output is in {result.log}",
        )
    if _DISK.search(text):
        return EnvironmentFailed(
            f"{doing}: the disk is full", hint="free some space, or set PORTER_HOME elsewhere"
        )
    last = [line for line in result.tail.splitlines() if "ERROR" in line] or [""]
    reason = "timed out" if result.timed_out else last[-1].removeprefix("ERROR: ").strip()
    return EnvironmentFailed(
        f"{doing}: {reason or f'pip exited with {result.returncode}'}",
        hint=f"pip's output is in {result.log}",
    )
