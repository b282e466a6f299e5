"""What messages of a framework mean."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """What a message of a framework means: `text` has {groups} of the pattern, as has `name`."""

    pattern: str
    text: str
    name: str | None = None
    scope: str | None = None

    def texts(self) -> tuple[str | None, ...]:
        return self.text, self.name, self.scope
