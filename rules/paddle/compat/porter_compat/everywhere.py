"""Torch's meanings for all code of a process that imports torch, and of those that it starts."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from pathlib import Path

FOLDERS = "PORTER_COMPAT_FOLDERS"  # covered as well, of this process and those that it starts
# `import torch` of a process that was started: on its PYTHONPATH
HOOK = """\
\"\"\"Paddle in the place of torch, for processes that `python -m porter_compat` starts.\"\"\"

import sys

sys.modules.pop("torch", None)
from porter_compat import everywhere  # noqa: E402

everywhere.resume()
import torch  # noqa: E402, F401
"""
METADATA = "Metadata-Version: 2.1\nName: torch\nVersion: {}\n"


def begin(folders: Iterable[Path]) -> None:
    """Cover all code that imports torch, and that below `folders`, in child processes too.

    Raises ImportError where torch itself is meant: real torch needs nothing of this.
    """
    from porter_compat import STATE, cache
    from porter_compat.activation import known

    if not STATE.active:
        os.environ.setdefault("PORTER_FRAMEWORK", "paddle")
        _activate()
    if not STATE.active:
        raise ImportError(f"porter_compat does nothing here: {STATE.why}")
    version = known()["torch"]

    def write(folder: Path) -> None:
        (folder / "torch.py").write_text(HOOK)
        info = folder / f"torch-{version}.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(METADATA.format(version))  # so that pip installs no torch

    hook = str(cache.make("hook", write))
    others = [p for p in os.environ.get("PYTHONPATH", "").split(os.pathsep) if p not in ("", hook)]
    os.environ["PYTHONPATH"] = os.pathsep.join([hook, *others])
    os.environ["PORTER_FRAMEWORK"] = "paddle"
    os.environ[FOLDERS] = os.pathsep.join(str(folder.resolve()) for folder in folders)
    if hook not in sys.path:
        sys.path.append(hook)  # the metadata alone: the proxy's finder comes first
    _cover()


def resume() -> None:
    """The same in a process that was started."""
    _activate()
    _cover()


def _activate() -> None:
    from porter_compat.activation import activate

    activate()


def _cover() -> None:
    from porter_compat.pieces import scope

    scope.cover_users_of_torch()
    for folder in filter(None, os.environ.get(FOLDERS, "").split(os.pathsep)):
        scope.share(folder)
