"""-Werror in a file that also finds torch."""

from __future__ import annotations

from collections.abc import Iterator

from porter.languages.cmake import Document
from porter.model import Match, ProjectFacts


def check(document: Document, facts: ProjectFacts) -> Iterator[Match]:
    packages = {c.arguments[0].value for c in document.calls_to("find_package") if c.arguments}
    if "Torch" not in packages:
        return
    for command in document.commands:
        for argument in command.arguments:
            if "-Werror" in argument.value.split():
                yield Match(argument.span)
