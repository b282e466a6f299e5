"""What a wheel needs of torch: as text, and as JSON."""

from __future__ import annotations

import json
from pathlib import Path

from porter.model import WheelSymbols
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
