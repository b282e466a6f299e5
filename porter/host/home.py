"""Where porter keeps its data: the rules it ships with, and the user's runs and environments."""

from __future__ import annotations

import os
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent.parent
WORKERS = PACKAGE / "workers"  # scripts that interpreters of frameworks run


def rules_home() -> Path:
    """The rule packs, surfaces and polyfills: inside the wheel, or beside porter/ in a checkout."""
    installed = PACKAGE / "_rules"
    return installed if installed.is_dir() else PACKAGE.parent / "rules"


def porter_home() -> Path:
    """The user's folder for environments, runs and caches: $PORTER_HOME, else the user cache."""
    chosen = os.environ.get("PORTER_HOME")
    if chosen:
        return Path(chosen).expanduser().resolve()
    import platformdirs

    return Path(platformdirs.user_cache_dir("porter", appauthor=False))
