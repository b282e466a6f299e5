"""Where something is built and run, and by which commands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

UNSET = "\0"  # the value of a variable that a step is to be without


class Tree(StrEnum):
    UNPATCHED = "unpatched"  # under the source framework
    UNMODIFIED = "unmodified"  # the same under the target, which gets what it lacks from outside
    PATCHED = "patched"


class Device(StrEnum):
    CPU = "cpu"
    CUDA = "cuda"
    NPU = "npu"


class Evidence(StrEnum):
    """How a result was obtained."""

    NATIVE = "native"  # run on the device itself
    EMULATED = "emulated"  # run on a stand-in
    COMPILED = "compiled"  # compiled, not run


@dataclass(frozen=True, slots=True, order=True)
class Cell:
    """One place of the run matrix."""

    tree: Tree
    environment: str  # the name of a framework
    device: Device
    evidence: Evidence


class Status(StrEnum):
    OK = "ok"
    FAILED = "failed"
    SKIPPED = "skipped"  # with a reason; never counts as a pass
    PARTIAL = "partial"


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """A command to run; `environment` is added to the inherited one, what is UNSET taken out.

    A foreign one runs code of a repository, or a program on its files: it is sandboxed.
    """

    name: str
    argv: tuple[str, ...]
    cwd: str
    environment: Mapping[str, str] = field(default_factory=dict)
    timeout: float = 1800.0  # seconds
    foreign: bool = True
    writable: tuple[str, ...] = ()  # folders that a foreign one may change
    readable: tuple[str, ...] = ()  # beside its `cwd`, where they may lie in a home folder or /tmp
    failure_marks: tuple[str, ...] = ()  # regular expressions: a line of output that means failure


@dataclass(frozen=True, slots=True, kw_only=True)
class StepResult:
    """How a step went; `log` is the whole output on disk, `tail` its end."""

    name: str
    argv: tuple[str, ...]
    returncode: int
    seconds: float
    timed_out: bool
    marked: str | None  # the line of output that says it failed, whatever the exit status
    log: str
    tail: str

    @property
    def ok(self) -> bool:
        return self.returncode == 0 and not self.timed_out and self.marked is None
