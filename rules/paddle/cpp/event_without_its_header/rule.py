"""`torch::Event` in a file that never includes its header itself."""

from collections.abc import Iterator

from porter.languages.cpp import Unit
from porter.model import Match, ProjectFacts
from porter.rules.includes import framework_headers, include_at_first_use

HEADER = "c10/core/Event.h"
NAMES = frozenset({"torch::Event", "c10::Event", "at::Event"})


def check(unit: Unit, facts: ProjectFacts) -> Iterator[Match]:
    headers = framework_headers(unit)
    if HEADER in headers or not headers:
        return
    yield from include_at_first_use(unit, NAMES, HEADER)
