"""`std::queue` and others in a file that has them only through torch's headers."""

from collections.abc import Iterator

from porter.languages.cpp import Unit
from porter.model import Match, ProjectFacts, Span
from porter.rules.includes import add_include, framework_headers

# Names that torch/extension.h of Paddle does not declare (compiled one by one on 3.3.1).
HEADERS = {
    "std::queue": "queue",
    "std::priority_queue": "queue",
    "std::stack": "stack",
    "std::bitset": "bitset",
    "std::any": "any",
    "std::any_cast": "any",
    "std::shared_mutex": "shared_mutex",
    "std::regex": "regex",
    "std::filesystem::path": "filesystem",
}


def check(unit: Unit, facts: ProjectFacts) -> Iterator[Match]:
    if not framework_headers(unit) or any(_is_own(unit, token) for _, token in unit.includes):
        return  # a header of the project may include it
    included = {header for header, _ in unit.includes}
    seen: set[str] = set()
    for name, first, last in unit.full_names():
        header = HEADERS.get(name)
        if header is None or header in included | seen:
            continue
        seen.add(header)
        span = Span(unit.tokens[first].span.start, unit.tokens[last].span.end)
        yield Match(span, add_include(unit, header), name=name)


def _is_own(unit: Unit, token: object) -> bool:
    text = getattr(token, "text", "")
    return text.startswith('"') and not text.startswith(('"torch/', '"ATen/', '"c10/'))
