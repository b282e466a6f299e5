"""`c10::cuda::CUDACachingAllocator::...`, `c10::Storage`, `t.storage()`."""

from collections.abc import Iterator

from porter.languages.cpp import Unit
from porter.model import Match, ProjectFacts, Span

SCOPES = ("c10::cuda::CUDACachingAllocator", "c10::Storage", "at::Storage")
CALLED_FOR_ITSELF = "::emptyCache"  # gives and holds nothing: the polyfill piece answers it
MEMBERS = frozenset({"storage_offset", "storage", "unsafeGetStorageImpl"})
OF_A_TENSOR = (
    "Paddle's Tensor has no storage to ask for: pass data_ptr() and numel() * itemsize() of a "
    "tensor that owns its memory, and for a view keep the offset in it beside"
)


def check(unit: Unit, facts: ProjectFacts) -> Iterator[Match]:
    tokens = unit.tokens
    for name, first, last in unit.qualified():
        if name.startswith(SCOPES) and not name.endswith(CALLED_FOR_ITSELF):
            span = Span(tokens[first].span.start, tokens[last].span.end)
            yield Match(span, name=name)
    for index in range(1, len(tokens) - 2):
        if tokens[index].text in MEMBERS and _is_member_call(unit, index):
            name = f"at::Tensor::{tokens[index].text}"
            yield Match(tokens[index].span, name=name, message=OF_A_TENSOR)


def _is_member_call(unit: Unit, index: int) -> bool:
    """`x.storage_offset()`; of `x.storage()` only what goes on as torch's storage does."""
    called = [token.text for token in unit.tokens[index + 1 : index + 3]] == ["(", ")"]
    member = unit.tokens[index - 1].text in (".", "->")
    return called and member and (unit.tokens[index].text != "storage" or _goes_on(unit, index))


def _goes_on(unit: Unit, index: int) -> bool:
    """`.storage().data()`: what torch's storage is asked for."""
    following = [token.text for token in unit.tokens[index + 3 : index + 5]]
    return following in (
        [".", name] for name in ("data", "data_ptr", "nbytes", "unsafeGetStorageImpl")
    )
