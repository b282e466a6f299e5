"""What sources name the frameworks for Ascend NPUs by; each target states its own."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields


@dataclass(frozen=True, slots=True, kw_only=True)
class Names:
    """The names of a framework, or of several."""

    modules: tuple[str, ...] = ()  # of Python
    namespaces: tuple[str, ...] = ()  # of C++
    plugin_headers: tuple[str, ...] = ()  # how the includes of plugins of it begin
    own_headers: tuple[str, ...] = ()  # who brings one of these is compiled into it
    registrations: tuple[str, ...] = ()  # how macros end after which `{ m.def(...); }` stands
    runners: tuple[str, ...] = ()  # classes that run an operator, and how their own classes end
    commands: tuple[str, ...] = ()  # functions that run an operator of a library by its name
    callers: tuple[str, ...] = ()  # macros that take the aclnn function to call
    graph_macros: tuple[str, ...] = ()  # those that register an operator for its graphs

    def are_of(self, name: str) -> bool:
        """Whether a qualified C++ name is in one of the namespaces."""
        return name.partition("::")[0] in self.namespaces


def merge_names(several: Iterable[Names]) -> Names:
    """All of them as one."""
    every = tuple(several)
    joined = (
        (kind.name, tuple(one for names in every for one in getattr(names, kind.name)))
        for kind in fields(Names)
    )
    return Names(**dict(joined))
