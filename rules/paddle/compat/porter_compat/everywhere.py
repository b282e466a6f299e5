"""Torch's meanings for all code of a process that imports torch, and of those that it starts."""

from __future__ import annotations

import importlib
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
    cover_children(folders)
    _cover()


def cover_children(folders: Iterable[Path]) -> None:
    """Do so in the processes that this one starts from now on, and in no code of its own.

    Raises ImportError as `begin` does.
    """
    os.environ |= variables(folders)
    hook = os.environ["PYTHONPATH"].partition(os.pathsep)[0]
    if hook not in sys.path:  # which processes of multiprocessing have instead of PYTHONPATH
        sys.path.append(hook)  # here its metadata alone: the proxy's finder comes first


def variables(folders: Iterable[Path]) -> dict[str, str]:
    """The environment variables of processes in which all of that is covered.

    Raises ImportError as `begin` does.
    """
    from porter_compat import STATE, build, cache

    if not STATE.active:
        os.environ.setdefault("PORTER_FRAMEWORK", "paddle")
        _activate()
    if not STATE.active:
        raise ImportError(f"porter_compat does nothing here: {STATE.why}")
    version = _version()

    def write(folder: Path) -> None:
        (folder / "torch.py").write_text(HOOK)
        info = folder / f"torch-{version}.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(METADATA.format(version))  # so that pip installs no torch

    hook = str(cache.make("hook", write))
    others = [p for p in os.environ.get("PYTHONPATH", "").split(os.pathsep) if p not in ("", hook)]
    return {
        "PYTHONPATH": os.pathsep.join([hook, *others]),
        "PORTER_FRAMEWORK": "paddle",
        "Torch_DIR": str(build.CMAKE / "Torch"),  # as CMake has it
        "PORTER_COMPAT_PYTHON": sys.executable,  # for a CMake that is given none
        "PORTER_TORCH_VERSION": version,
        FOLDERS: os.pathsep.join(str(folder.resolve()) for folder in folders),
    }


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
    _state_version()


def _version() -> str:
    from porter_compat.activation import known

    return str(known()["torch"])


def _state_version() -> None:
    """The torch that is followed is also that of torch.__version__, which code compares with
    versions of torch, and pip with what its metadata says."""
    from paddle.compat import proxy

    from porter_compat.pieces.torch_version import TorchVersion

    version = TorchVersion(_version())
    proxy.GLOBAL_OVERRIDES["torch.__version__"] = proxy.RawOverriddenAttribute(version)
    for name in ("torch", "torch.torch_version"):
        importlib.import_module(name).__version__ = version  # type: ignore[attr-defined]
