"""What a wheel for torch needs of its libraries, and what porter-compat has of that."""

from __future__ import annotations

import importlib.util
import struct
import sys
import zipfile
from pathlib import Path
from types import ModuleType

from porter.errors import UsageError
from porter.host.home import rules_home
from porter.model import WheelSymbols

_SHIM = "paddle/compat/porter_compat/stable_abi"
_NAME = "porter_stable_abi"


def symbols_of(path: Path) -> WheelSymbols:
    """Read a wheel, without running or unpacking it. Raises UsageError where it cannot be read."""
    try:
        found = _shim().check(path)
    except (OSError, ValueError, struct.error, zipfile.BadZipFile, NotImplementedError) as error:
        raise UsageError(f"{path} cannot be read: {error}", hint="name a wheel") from error
    return WheelSymbols(libraries=found.libraries, there=found.there, missing=found.missing)


def _shim() -> ModuleType:
    """The subpackage of porter-compat alone: the package itself wants Paddle."""
    if _NAME not in sys.modules:
        path = rules_home() / _SHIM / "__init__.py"
        spec = importlib.util.spec_from_file_location(_NAME, path)
        assert spec is not None and spec.loader is not None
        module = sys.modules[_NAME] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    return sys.modules[_NAME]
