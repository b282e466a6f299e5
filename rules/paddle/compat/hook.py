"""Put the wheel of porter-compat into porter's own, so that nothing asks an index for it."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

HOME = Path(__file__).resolve().parent


class CompatWheel(BuildHookInterface[Any]):
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if self.target_name != "wheel" or version == "editable":
            return  # a checkout builds it when it is asked for
        sys.path.insert(0, str(HOME.parents[2]))
        from porter.unit.package import build_wheel

        made = build_wheel(HOME.parent, Path(tempfile.mkdtemp()))
        build_data["force_include"][str(made)] = f"porter/_rules/paddle/compat/{made.name}"
