"""Where porter keeps its data: the rules it ships with, and the user's runs and environments."""

from __future__ import annotations

import os
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent.parent
WORKERS = PACKAGE / "workers"  # scripts that interpreters of frameworks run
FLEET = "fleet"  # in porter's home: a folder for each task of a fleet, with runs of its own
RUNS = "PORTER_RUNS"  # a variable: the only folder whose runs a command knows


def rules_home() -> Path:
    """The rule packs, surfaces and polyfills: inside the wheel, or beside porter/ in a checkout."""
    installed = PACKAGE / "_rules"
    return installed if installed.is_dir() else PACKAGE.parent / "rules"


def page(name: str) -> str:
    """Where a page of the documentation is: inside the wheel, or beside porter/ in a checkout."""
    folders = (PACKAGE / "_docs", PACKAGE.parent / "docs")
    found = next((f / name for f in folders if (f / name).is_file()), None)
    return str(found) if found else f"{name} of porter's documentation"  # a bundle has none


def porter_home() -> Path:
    """The user's folder for environments, runs and caches: $PORTER_HOME, else the user cache."""
    chosen = os.environ.get("PORTER_HOME")
    if chosen:
        return Path(chosen).expanduser().resolve()
    import platformdirs

    return Path(platformdirs.user_cache_dir("porter", appauthor=False))
