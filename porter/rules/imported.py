"""Import the Python files of rule folders."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

from porter.errors import RuleError
from porter.rules.written import RULE_HINT


def import_file(path: Path) -> ModuleType:
    """Import one file of a rule folder under a name of its own.

    Raises RuleError with what the file raised.
    """
    name = "_".join(("porter_rule", *path.parts[-4:-1], path.stem))
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # dataclasses look their module up
    try:
        spec.loader.exec_module(module)
    except Exception as error:  # whatever the code of a rule raises, it is that rule's fault
        raise RuleError(f"{path}: {type(error).__name__}: {error}", hint=RULE_HINT) from error
    return module
