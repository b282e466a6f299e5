"""What sources name the frameworks for Ascend NPUs by; each target states its own."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Names:
    """The names of a framework, or of several."""

    modules: tuple[str, ...] = ()  # of Python
    namespaces: tuple[str, ...] = ()  # of C++
    plugin_headers: tuple[str, ...] = ()  # how the includes of plugins of it begin
    own_headers: tuple[str, ...] = ()  # who brings one of these is compiled into it

    def are_of(self, name: str) -> bool:
        """Whether a qualified C++ name is in one of the namespaces."""
        return name.partition("::")[0] in self.namespaces


def merged(several: Iterable[Names]) -> Names:
    """All of them as one."""
    every = tuple(several)
    return Names(
        modules=tuple(one for names in every for one in names.modules),
        namespaces=tuple(one for names in every for one in names.namespaces),
        plugin_headers=tuple(one for names in every for one in names.plugin_headers),
        own_headers=tuple(one for names in every for one in names.own_headers),
    )
