"""pytest under Paddle, for trees that import porter_compat: their tests have torch's meanings too.

Beside the package, not in it: pytest imports this in every run, and it must change nothing in
those of other trees. (PYTEST_DONT_REWRITE: pytest warns of what it finds imported.)
"""

from __future__ import annotations

import contextlib
import importlib.util
import os
import re
import shlex
import sys
import warnings
from collections.abc import Iterator
from itertools import islice, pairwise
from pathlib import Path
from typing import Any

IMPORTED = re.compile(rb"^[ \t]*import porter_compat\b", re.MULTILINE)
PROJECT = (".git", "setup.py", "pyproject.toml", "setup.cfg")  # what the root of a project has
SAYING = ("setup.py", "conftest.py", "__init__.py")
DEEPEST = 4  # levels of folders: a package in a project in a repository of several
MOST = 2000  # folders


def pytest_addoption() -> None:
    """`pytest -p porter_compat` in a ported tree: activate porter_compat before pytest loads its
    other plugins, which may import torch."""
    words = [*sys.argv, *shlex.split(os.environ.get("PYTEST_ADDOPTS", ""))]
    if "-pporter_compat" in words or ("-p", "porter_compat") in pairwise(words):
        _activate_for(Path.cwd())


def pytest_load_initial_conftests(early_config: Any) -> None:
    """Activate porter_compat where the tree of the tests imports it and torch is not installed."""
    _activate_for(Path(early_config.rootpath))


def _activate_for(folder: Path) -> None:
    chosen = os.environ.get("PORTER_FRAMEWORK") == "paddle"  # as for what a covered process starts
    if not chosen and "torch" not in sys.modules and importlib.util.find_spec("torch") is not None:
        return
    if importlib.util.find_spec("paddle") is None:
        return
    root = _project(folder)
    if any(IMPORTED.search(file.read_bytes()) for file in _files(root)):
        import porter_compat

        if porter_compat.STATE.active:
            from porter_compat import everywhere
            from porter_compat.pieces import scope

            scope.share(str(root))
            try:
                everywhere.cover_children([root])  # which may import torch before the tree
            except OSError as error:  # the tests of this process need no cache
                with contextlib.suppress(UserWarning):  # an error where the tree accepts none
                    warnings.warn(f"no torch in processes that tests start: {error}", stacklevel=1)


def _project(folder: Path) -> Path:
    """The project that a folder is in: settings of pytest may make one of its folders the root."""
    for above in (folder, *folder.parents):
        if any((above / name).exists() for name in PROJECT):
            return above
    return folder


def _files(root: Path) -> Iterator[Path]:
    """Where a ported tree says so: build scripts, packages, and the modules beside them."""
    for folder, folders, names in islice(os.walk(root), MOST):
        depth = len(Path(folder).relative_to(root).parts)
        hidden = [name for name in folders if name.startswith((".", "_")) or name == "node_modules"]
        folders[:] = [] if depth >= DEEPEST else [n for n in folders if n not in hidden]
        for name in names:
            path = Path(folder, name)
            says = name in SAYING or (depth < 2 and name.endswith(".py"))
            if says and path.is_file() and os.access(path, os.R_OK):
                yield path
