"""Whether this machine can compile what a repository has, asked before anything is built."""

from __future__ import annotations

import os
import shlex
import shutil

from porter.errors import EnvironmentFailed
from porter.model import ProjectFacts

NAMES = ("g++", "c++", "clang++")


def host() -> tuple[str, ...]:
    """The command of the C++ compiler: that of CXX, else the first that is there."""
    chosen = shlex.split(os.environ.get("CXX", ""))
    if chosen and shutil.which(chosen[0]):
        return tuple(chosen)
    return (next((name for name in NAMES if shutil.which(name)), NAMES[0]),)


def program() -> str:
    """The C++ compiler itself, for nvcc, which takes no command: g++ of `ccache g++ -O1`."""
    return [word for word in host() if not word.startswith("-")][-1]


def require(facts: ProjectFacts) -> None:
    """Raises EnvironmentFailed where there are extensions and no C++ compiler on PATH."""
    if not facts.extensions and "cmake" not in facts.builds:
        return
    chosen = shlex.split(os.environ.get("CXX", ""))
    if not any(shutil.which(name) for name in (*chosen[:1], *NAMES)):
        raise EnvironmentFailed(
            "the repository has C++ extensions, and no C++ compiler is on PATH: "
            + ", ".join((*chosen[:1], *NAMES)),
            hint="install g++ 11 or newer (Debian, Ubuntu: apt-get install g++), or name one in "
            "CXX; then run the same command to continue",
        )
