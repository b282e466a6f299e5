"""Which files of a repository belong to a framework for Ascend NPUs, and which it brings itself."""

from __future__ import annotations

from porter.model import ProjectFacts


def is_own_file(path: str, facts: ProjectFacts) -> bool:
    """Whether a file is compiled into the framework itself, where nothing is hidden from it."""
    return facts.ascend is not None and path.startswith(facts.ascend.inside)


def has_header(name: str, facts: ProjectFacts) -> bool:
    """Whether the repository brings a header of this name itself."""
    headers = facts.ascend.headers if facts.ascend else frozenset[str]()
    return any(header == name or header.endswith(f"/{name}") for header in headers)
