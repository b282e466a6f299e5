"""What a wheel needs of torch, and a wheel that needs none: as text, and as JSON."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

from porter.model import PortedWheel, WheelSymbols
from porter.targets.protocol import Target


def text(wheel: Path, target: Target, found: WheelSymbols) -> str:
    if not found.libraries:
        return f"{wheel.name}: none of its libraries is linked with torch"
    wanted = len(found.there) + len(found.missing)
    lines = [
        f"{wheel.name}, for {target.title}",
        *(f"  {name}" for name in found.libraries),
        f"need {wanted} symbols of torch: {len(found.there)} are there, "
        f"{len(found.missing)} are missing",
        *(f"  {name}" for name in found.missing),
    ]
    return "\n".join(lines)


def document(wheel: Path, target: Target, found: WheelSymbols) -> str:
    return json.dumps(
        {
            "wheel": wheel.name,
            "target": target.name,
            "libraries": found.libraries,
            "there": found.there,
            "missing": found.missing,
        },
        indent=2,
    )


def wheel_text(made: PortedWheel, target: Target) -> str:
    """What was changed in a wheel for users of a target, and how it was tried out."""
    lines = [
        f"{made.path}, for {target.title} {made.version}",
        *(f"  no longer requires {text}: {why}" for text, why in made.removed.items()),
        *(f"  requires           {text}" for text in made.added),
        *(f"  requires as before {text}" for text in made.requires if text not in made.added),
        f"installed over {target.title} alone, no index: {', '.join(made.installed) or 'nothing'}",
        f"imported there: {', '.join(made.imported) or 'nothing'}",
    ]
    lines += [f"  after `{made.after}`, as its users do"] if made.after else []
    return "\n".join([*lines, f"it does not do: {made.problem}"] if made.problem else lines)


def wheel_document(made: PortedWheel) -> str:
    return json.dumps(dataclasses.asdict(made), indent=2)
