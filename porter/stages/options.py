"""What a user can choose, the same for every stage."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Protocol

from porter.host.sandbox import Mode
from porter.model import Delivery, Device, Safety, Style


class Progress(Protocol):
    """Where stages tell how far they are."""

    def stage(self, label: str) -> AbstractContextManager[None]: ...

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

    @property
    def asked(self) -> str:
        """What decides results beside target and form; empty where the user said nothing."""
        plain = Options()
        same = {"target", "style", "delivery", "jobs", "timeout", "offline", "sandbox"}
        names = [
            field.name for field in fields(self) if field.name not in same | {"objects_follow"}
        ]
        chosen = {name: getattr(self, name) for name in names}
        return ", ".join(f"{n}={v!s}" for n, v in chosen.items() if v != getattr(plain, n))
