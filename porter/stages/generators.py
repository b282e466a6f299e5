"""Scripts of a repository that make sources, which no build script runs."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from pathlib import Path

from porter import targets
from porter.model import Device, ProjectFacts


def note_generators(facts: ProjectFacts, root: Path) -> Iterator[str]:
    """The script that makes the sources of entries for OpPlugin, where no build script does."""
    entries = facts.ascend.entries if facts.ascend else ()
    by_folder = {posixpath.dirname(path): posixpath.basename(path) for path in entries}
    for folder, entry in by_folder.items():
        if any(_names_generator(path) for path in (root / folder).glob("*.py")):
            continue
        for script in filter(_names_generator, sorted((root / folder).glob("*.sh"))):
            words = ["bash", script.relative_to(root).as_posix()]
            words += [entry] if b"$1" in script.read_bytes() else []
            yield (
                f"{script.name} makes the sources of the entries for OpPlugin: "
                f'`--prepare "{" ".join(words)}"` runs it before each build'
            )


def _names_generator(path: Path) -> bool:
    generator = targets.source(Device.NPU).entry_generator.encode()
    return bool(generator) and path.is_file() and generator in path.read_bytes()
