"""Where rules edit nothing, as polyfill pieces answer there."""

from __future__ import annotations

from dataclasses import dataclass

from porter.model import Role


@dataclass(frozen=True, slots=True)
class Spared:
    """Rules that edit nothing in a package and in tests, as pieces answer there."""

    rules: frozenset[str]
    places: tuple[str, ...]  # folders of packages, each with a slash at its end, and modules

    def covers(self, rule: str, path: str, role: Role) -> bool:
        inside = path.startswith(self.places)
        return rule in self.rules and (role is Role.TEST or (role is Role.LIBRARY and inside))
