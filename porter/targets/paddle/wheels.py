"""What a wheel for torch needs of its libraries, and what porter-compat has of that."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from types import ModuleType

from porter.errors import UsageError
from porter.host.home import rules_home
from porter.model import WheelSymbols

_PACKAGE = "paddle/compat/porter_compat"
_NAME = "porter_compat_alone"


def symbols_of(path: Path) -> WheelSymbols:
    """Read a wheel, without running or unpacking it. Raises UsageError where it cannot be read."""
    try:
        found = _shim().check(path)
    except (OSError, ValueError) as error:
        raise UsageError(f"{path} cannot be read: {error}", hint="name a wheel") from error
    return WheelSymbols(libraries=found.libraries, there=found.there, missing=found.missing)


def _shim() -> ModuleType:
    """The subpackage of porter-compat, without what that does when it is imported."""
    if _NAME not in sys.modules:
        package = sys.modules[_NAME] = ModuleType(_NAME)
        package.__path__ = [str(rules_home() / _PACKAGE)]
    return importlib.import_module(f"{_NAME}.stable_abi")
