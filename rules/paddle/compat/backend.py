"""Build porter-compat for pip: what PEP 517 asks for, by porter's own code in this repository."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

HOME = Path(__file__).resolve().parent
sys.path.insert(0, str(HOME.parents[2]))


def build_wheel(
    wheel_directory: str, config_settings: Any = None, metadata_directory: str | None = None
) -> str:
    """Write the wheel into a folder; its file name is returned."""
    from porter.unit.package import build_wheel

    return build_wheel(HOME.parent, Path(wheel_directory)).name
