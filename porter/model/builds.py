"""How a cell was built."""

from __future__ import annotations

from dataclasses import dataclass, field

from porter.model.cells import Cell, Status, StepResult


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnostic:
    """One message of a compiler, linker or installer, in the user's tree where it can be placed."""

    tool: str
    severity: str  # error, warning
    path: str  # from the repository root; absolute when outside of it
    line: int
    column: int | None
    message: str
    cause: str  # messages with the same root share it
    name: str | None = None  # the name that is missing
    scope: str | None = None  # the type or namespace it is missing in


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitResult:
    """One translation unit compiled to an object, or not."""

    path: str
    extension: str
    ok: bool
    seconds: float
    diagnostics: tuple[Diagnostic, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildResult:
    """One cell built."""

    of: tuple[str, ...] = field(default=(), compare=False)  # porter.run.record
    cell: Cell
    status: Status
    reason: str = ""
    steps: tuple[StepResult, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    units: tuple[UnitResult, ...] = ()
    python: str | None = None  # interpreter that has the result installed
    modules: tuple[str, ...] = ()  # import names that were imported after the build
