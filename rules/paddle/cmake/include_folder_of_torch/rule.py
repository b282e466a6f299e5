"""Include folders that are built from torch's prefix."""

from __future__ import annotations

from collections.abc import Iterator

from porter.languages.cmake import Document
from porter.model import Match, ProjectFacts

COMMANDS = ("target_include_directories", "include_directories")


def check(document: Document, facts: ProjectFacts) -> Iterator[Match]:
    for command in document.commands:
        if command.name in COMMANDS:
            for argument in command.arguments:
                if "${TORCH_INSTALL_PREFIX}" in argument.value:
                    yield Match(argument.span)
