"""pytest under Paddle, for trees that import porter_compat: their tests have torch's meanings too.

Beside the package, not in it: pytest imports this in every run, and it must change nothing in
those of other trees.
"""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

NAME = b"porter_compat"


def pytest_load_initial_conftests(early_config: Any) -> None:
    """Activate porter_compat where the tree of the tests imports it and torch is not installed."""
    root = Path(early_config.rootpath)
    if "torch" not in sys.modules and importlib.util.find_spec("torch") is not None:
        return
    if importlib.util.find_spec("paddle") is None:
        return
    if any(NAME in file.read_bytes() for file in _files(root)):
        import porter_compat

        if porter_compat.STATE.active:
            from porter_compat.pieces import scope

            scope.share(str(root))


def _files(root: Path) -> Iterator[Path]:
    """Where a ported tree says so: build scripts, and the packages at its top."""
    for pattern in ("*.py", "pyproject.toml", "*/__init__.py", "src/*/__init__.py"):
        yield from (file for file in root.glob(pattern) if file.is_file())
