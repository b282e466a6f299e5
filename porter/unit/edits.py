"""The files of a tree as the unit changes them."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Callable, Iterable, Mapping

from porter.languages import python
from porter.model import Change, FilePatch
from porter.targets.proxy import Proxy


class Edits:
    """Files as they become; every change of one path ends in one patch."""

    def __init__(self, files: Mapping[str, bytes], proxy: Proxy) -> None:
        self.proxy = proxy
        self.files: ChainMap[str, bytes] = ChainMap({}, files)  # type: ignore[arg-type]
        self.before = files
        self._changes: dict[str, tuple[Change, ...]] = {}
        self.notes: tuple[str, ...] = ()

    def write(self, patches: Iterable[FilePatch]) -> None:
        for patch in patches:
            assert patch.after is not None
            self.files[patch.path] = patch.after
            self._changes[patch.path] = patch.changes
            if self.before.get(patch.path) == patch.after:
                del self._changes[patch.path]

    def edit(
        self, path: str, why: tuple[Change, ...], change: Callable[[bytes, str], bytes]
    ) -> None:
        if path not in self.files:
            return
        try:
            after = change(self.files[path], path)
        except python.Unreadable as error:
            self.note(f"{path}: {error}")
            return
        if after != self.files[path]:
            self.files[path] = after
            earlier = self._changes.get(path, ())
            self._changes[path] = earlier + tuple(c for c in why if c not in earlier)

    def note(self, text: str) -> None:
        self.notes = (*self.notes, text)

    def patches(self) -> tuple[FilePatch, ...]:
        return tuple(
            FilePatch(path=path, before=self.before.get(path), after=self.files[path], changes=why)
            for path, why in sorted(self._changes.items())
        )
