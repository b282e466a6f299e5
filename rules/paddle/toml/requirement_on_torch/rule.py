"""Requirements on torch and on what comes with it."""

from __future__ import annotations

from collections.abc import Iterator

from porter.languages.toml import Document
from porter.model import Match, ProjectFacts

NAMES = ("torch", "torchvision", "torchaudio", "torch-c-dlpack-ext")


def check(document: Document, facts: ProjectFacts) -> Iterator[Match]:
    for requirement in document.requirements_on(*NAMES):
        yield Match(requirement.span, (document.remove(requirement),), name=requirement.name)
