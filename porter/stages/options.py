"""What a user can choose, the same for every stage."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Protocol

from porter.errors import UsageError
from porter.host.sandbox import Mode
from porter.model import Delivery, Device, Safety, Scope, Style

EMULATED = "emulated"  # as a device: the accelerators that there are kernels for, on the CPU


class Progress(Protocol):
    """Where stages tell how far they are."""

    def stage(self, label: str) -> AbstractContextManager[None]: ...

    def enter(self, stage: str) -> None: ...

    def expect(self, expected: Callable[[], Mapping[str, float]]) -> None: ...

    @property
    def line(self) -> Callable[[str], None]: ...

    @property
    def note(self) -> Callable[[str], None]: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """Choices of a command; None where the user said nothing."""

    target: str | None = None
    style: Style | None = None
    delivery: Delivery | None = None
    route: str | None = None  # that operators of Ascend NPUs get to torch by
    gate: Safety = Safety.SAFE  # edits of this safety and above are applied
    notebooks: bool = False  # their cells are edited too
    compiler: bool = True  # C++ pieces are chosen by what a compiler says
    jobs: int = 0
    source_python: Path | None = None
    target_python: Path | None = None
    isolation: bool = True
    offline: bool = False  # no environment is made, nothing that a project asks for is installed
    needed: tuple[Path, ...] = ()  # projects that are installed first
    requires: tuple[str, ...] = ()  # distributions that the project does not name
    prepare: tuple[str, ...] | None = None  # a command that is run in the tree before each build
    timeout: float = 3600.0  # seconds, for one step
    tests: str | None = None
    parity: Path | None = None
    devices: tuple[Device, ...] = ()
    sandbox: Mode = Mode.AUTO  # of steps that run code of the repository
    passed: tuple[str, ...] = ()  # variables that these get, beside the known ones
    objects_follow: bool = False  # units for devices that are not here are left to the build
    emulated: bool = False  # also the accelerators that its kernels are for, on the CPU
    config: Path | None = None  # in the place of the repository's own
    baseline: Path | None = None
    scope: Scope | None = None  # what they say of the repository; None: what the run has

    @property
    def asked(self) -> str:
        """What decides results beside target and form; empty where the user said nothing."""
        plain = Options()
        same = {"target", "style", "delivery", "jobs", "timeout", "offline", "sandbox"}
        same |= {"config", "baseline", "scope"}  # of which the run keeps what they say
        names = [
            field.name for field in fields(self) if field.name not in same | {"objects_follow"}
        ]
        chosen = {name: getattr(self, name) for name in names}
        return ", ".join(f"{n}={v!s}" for n, v in chosen.items() if v != getattr(plain, n))


def read_devices(names: Sequence[str]) -> tuple[tuple[Device, ...], bool]:
    """The devices that are named, and whether a CPU is to emulate others. Raises UsageError."""
    for name in names:
        if name not in (words := (*Device, EMULATED)):
            raise UsageError(f"unknown device {name!r}", hint="one of: " + ", ".join(words))
    named = tuple(Device(name) for name in names if name != EMULATED)
    emulated = EMULATED in names
    if emulated and {*named} - {Device.CPU}:
        raise UsageError(
            f"--device emulated replaces {max(named)}: they cannot be combined",
            hint="name one of them, and run again with the other",
        )
    return named, emulated
