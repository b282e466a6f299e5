"""What earlier scans found in files, by all that it depends on: never what another file, rule,
surface, target or porter gave."""

from __future__ import annotations

import contextlib
import dataclasses
import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from porter.host import kept
from porter.model import ProjectFacts, SourceFile
from porter.targets.surroundings import surroundings
from porter.uses.reexports import Reexports

KIND = "found"
Answers = dict[tuple[str, ...], object]  # a file's questions about its tree, with the answers
T = TypeVar("T")


@dataclass
class Asked(Reexports):
    """The other files of a tree, as one file asks for them: its findings depend on
    its own bytes and on these answers alone."""

    answers: Answers = field(default_factory=dict, init=False, repr=False)

    @staticmethod
    def share(modules: Reexports) -> Asked:
        """One that shares what is known of the modules."""
        asked = Asked(modules.root, modules.packages)
        asked.__dict__.update({**modules.__dict__, "answers": {}})
        return asked

    def origin(self, name: str, folder: str) -> str:
        found = super().origin(name, folder)
        self.answers["origin", name, folder] = found
        return found

    def public(self, module: str, folder: str) -> Mapping[str, str]:
        found = super().public(module, folder)
        self.answers["public", module, folder] = found
        return found

    def imports_torch(self, name: str, folder: str) -> bool:
        found = super().imports_torch(name, folder)
        self.answers["imports_torch", name, folder] = found
        return found

    def near(self, path: str) -> bytes | None:
        """A file that another includes."""
        found = _bytes(self.root / path)
        self.answers["near", path] = _digest(found)
        return found

    def holds(self, answers: Answers) -> bool:
        """Whether the tree still gives these answers."""
        for (question, *about), answer in answers.items():
            if question == "near":
                now: object = _digest(_bytes(self.root / about[0]))
            else:
                now = getattr(super(), question)(*about)
            if now != answer:
                return False
        return True


def _bytes(path: Path) -> bytes | None:
    with contextlib.suppress(OSError):
        return path.read_bytes() if path.is_file() else None
    return None


def _digest(data: bytes | None) -> str | None:
    return None if data is None else hashlib.sha256(data).hexdigest()


def circumstances(facts: ProjectFacts, folder: Path, *more: object) -> str:
    """A digest of what findings in any file of a tree depend on: the project, `more`, and the
    `surroundings` of a pack's folder."""
    project = json.dumps(dataclasses.asdict(facts), default=sorted, sort_keys=True)
    return surroundings(folder, project, *more)


def key_of(circumstances: str, file: SourceFile, data: bytes) -> str:
    about = f"{circumstances}\0{file.path}\0{file.language}\0{file.role}\0".encode()
    return hashlib.sha256(about + data).hexdigest()


def load(
    around: str, files: Sequence[SourceFile], modules: Reexports, kind: type[T]
) -> dict[str, T]:
    """The results, of a kind, for the files of which nothing that they depend on has changed, by
    path."""
    keys = {}
    for file in files:
        data = _bytes(modules.root / file.path)
        if data is not None:
            keys[key_of(around, file, data)] = file.path
    asked = Asked.share(modules)
    found = kept.load(KIND, keys)
    return {
        keys[key]: result
        for key, (result, answers) in found.items()
        if isinstance(result, kind) and asked.holds(answers)
    }


def save(seen: Iterable[tuple[str, object, Answers]]) -> None:
    """Keep results with their keys, and the answers about their trees."""
    kept.save(KIND, {key: (result, answers) for key, result, answers in seen})
