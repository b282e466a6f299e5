"""`GetBlockNum()` without `GetBlockIdx()` in a kernel that is one file."""

from collections.abc import Iterator

from porter.ascend.kernels import is_kernel
from porter.languages.cpp import Unit
from porter.model import Match, ProjectFacts

INDEX = ("GetBlockIdx", "get_block_idx", "block_idx", "GetSubBlockIdx", "blockIdx")
TOOLKIT = ("kernel_", "torch", "acl", "tiling/", "std", "lib/")


def check(unit: Unit, facts: ProjectFacts) -> Iterator[Match]:
    if not is_kernel(unit) or any(unit.places(word) for word in INDEX):
        return
    # Another header may ask; a kernel that is whole has none of its own.
    if any(not header.startswith(TOOLKIT) for header, _ in unit.includes):
        return
    if not any(token.text == "__global__" for token in unit.code.tokens):
        return
    for at in unit.code.places("GetBlockNum"):
        yield Match(unit.code.tokens[at].span)
        return
