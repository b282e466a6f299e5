"""The result of checking one unit, and its keeping on disk."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from porter.build.extensions import CompileUnit
from porter.model import Diagnostic


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """One translation unit that was checked; with a `reason`, why that could not be done or ended.

    `used` are ids of the polyfill parts that the unit uses directly, `edges` the uses of parts by
    parts that this check has shown.
    """

    path: str
    extension: str
    ok: bool
    seconds: float
    diagnostics: tuple[Diagnostic, ...] = ()
    used: frozenset[str] = frozenset()
    edges: frozenset[tuple[str, str]] = frozenset()
    reason: str = ""


def save(path: Path, checked: Checked) -> None:
    data = asdict(checked)
    data["used"] = sorted(checked.used)
    data["edges"] = sorted(checked.edges)
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f"{path.name}.new")
    temporary.write_text(json.dumps(data))
    temporary.replace(path)


def load(path: Path, unit: CompileUnit) -> Checked | None:
    """What is kept of an earlier check of the same content, as the unit's own result."""
    try:
        data = json.loads(path.read_text())
        found = Checked(
            path=data["path"],
            extension=data["extension"],
            ok=data["ok"],
            seconds=data["seconds"],
            diagnostics=tuple(Diagnostic(**item) for item in data["diagnostics"]),
            used=frozenset(data["used"]),
            edges=frozenset((a, b) for a, b in data["edges"]),
            reason=data["reason"],
        )
    except (OSError, ValueError, KeyError, TypeError):
        return None  # none, or of another version of porter
    return of_unit(found, unit)


def of_unit(checked: Checked, unit: CompileUnit) -> Checked:
    """The same result as that of a unit with the same content."""
    return replace(checked, path=unit.path, extension=unit.extension)
