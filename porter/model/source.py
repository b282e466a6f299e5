"""Source files as bytes: spans, edits, languages, roles."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """Half-open range of bytes in a file as read."""

    start: int
    end: int

    def overlaps(self, other: Span) -> bool:
        """Share a byte, or insert at the same place."""
        if self.start == self.end == other.start == other.end:
            return True
        return self.start < other.end and other.start < self.end

    def shift(self, by: int) -> Span:
        return Span(self.start + by, self.end + by)


@dataclass(frozen=True, slots=True, order=True)
class Edit:
    """Replace the bytes of a span by other bytes; an empty span inserts."""

    span: Span
    text: bytes


class Language(StrEnum):
    """What reads a file."""

    PYTHON = "python"
    CPP = "cpp"  # C, C++ and CUDA, headers too
    CMAKE = "cmake"
    TOML = "toml"
    NOTEBOOK = "notebook"  # Jupyter's: its code cells are Python
    CYTHON = "cython"


COMPAT = "porter_compat"  # the package of pieces that a ported tree imports
UNIT = f"_{COMPAT}"  # the folder, or module, that porter vendors instead


class Role(StrEnum):
    """What a file is for in its repository."""

    LIBRARY = "library"
    BUILD = "build"  # run by the build backend: setup.py and what it imports
    TEST = "test"
    ENTRY = "entry"  # examples, benchmarks, scripts with __main__
    VENDORED = "vendored"  # third-party code: read, never edited


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file porter reads: posix path from the repository root, size in bytes."""

    path: str
    language: Language
    role: Role
    size: int


@dataclass(frozen=True, slots=True)
class Skipped:
    """A file porter did not read, and why; `meant`: rightly so, nothing is lost by it."""

    path: str
    reason: str
    meant: bool = False
