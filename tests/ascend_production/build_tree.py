"""The tree of draft tokens: who is checked with whom, where each stands, children and siblings."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from tests.ascend_production.case import CORES, Array, Case

FILES = ("csrc/build_tree/op_kernel/build_tree_kernel.cpp",)
KERNELS = ("build_tree_efficient",)
UNORDERED = "what the scalar unit writes is copied out from queues for copies in"
FULL, OWN = 0, 1  # the mask has the sequence before the draft, or the draft only


def _tree(topk: int, depth: int, tokens: int, random: np.random.Generator) -> tuple[Array, Array]:
    """Which candidate each list of `topk` follows, and those that were taken, all with the one
    that they follow."""
    parents = np.full(topk * (depth - 1) + 1, -1, np.int64)
    last = np.arange(topk)
    lists: dict[int, range] = {-1: range(topk)}  # candidates by the one they follow
    for step in range(1, depth):
        first = topk + (step - 1) * topk * topk
        chosen = random.permutation(last)[:topk]
        for j, candidate in enumerate(chosen):
            parents[1 + (step - 1) * topk + j] = candidate
            lists[int(candidate)] = range(first + j * topk, first + (j + 1) * topk)
        last = np.arange(first, first + topk * topk)
    taken: list[int] = []
    while len(taken) < tokens - 1:
        open_ = [c for of in (-1, *taken) for c in lists.get(of, ()) if c not in taken]
        taken.append(int(random.choice(open_)))
    return parents, np.array(sorted(taken), np.int64)


def _case(
    batch: int, topk: int, depth: int, tokens: int, mode: int, random: np.random.Generator
) -> Case:
    trees = [_tree(topk, depth, tokens, random) for _ in range(batch)]
    lengths = random.integers(1, 40, batch).astype(np.int64)
    widths = lengths + tokens if mode == FULL else np.full(batch, tokens)
    mask = np.ones(int(widths.sum()) * tokens, np.bool_)
    wanted = mask.copy()
    positions, index = (np.full((batch, tokens), -1, np.int64) for _ in "pi")
    child, sibling = (np.full((batch, tokens), -1, np.int64) for _ in "cs")
    at = 0
    for b, (parents, taken) in enumerate(trees):
        place = {int(c): n + 1 for n, c in enumerate(taken)}
        over = [0] + [place[int(parents[c // topk])] if c >= topk else 0 for c in taken]
        for token in range(tokens):
            seen, node = {0}, token
            while node:
                seen.add(node)
                node = over[node]
            row = slice(at + int(widths[b]) - tokens, at + int(widths[b]))
            wanted[row] = [t in seen for t in range(tokens)]
            positions[b, token] = lengths[b] + len(seen) - 1
            at += int(widths[b])
        index[b] = np.arange(tokens) + b * tokens
        for parent in range(tokens):
            children = [t for t in range(1, tokens) if over[t] == parent]
            child[b, parent] = min(children, default=-1)
            for one, next_ in pairwise(children):
                sibling[b, one] = next_
    blocks = min(CORES, batch)
    tiling = np.zeros(
        1, [(n, "i8") for n in ("topk", "depth", "tokens", "mode")] + [("numbers", "i4", 6)]
    )
    tiling[0] = (
        *(topk, depth, tokens, mode),
        (batch, len(mask), batch % blocks or blocks, -(-batch // blocks), batch // blocks, 0),
    )
    given = (np.full((batch, tokens), -1, np.int64) for _ in range(4))
    return Case(
        name=f"{batch} of {tokens} tokens, topk {topk}, depth {depth}, mask {mode}",
        kernel="build_tree_efficient",
        blocks=blocks,
        arguments=(
            np.stack([parents for parents, _ in trees]),
            np.stack([taken for _, taken in trees]),
            lengths,
            mask,
            *given,
            np.zeros(32, np.uint8),
            tiling,
        ),
        expected={3: wanted, 4: positions, 5: index, 6: child, 7: sibling},
        scratch=(8,),
        defect="" if mode == FULL else "each token's row of the mask goes to the place of one row",
        unordered=UNORDERED,
    )


def cases(random: np.random.Generator) -> Iterator[Case]:
    for batch, topk, depth, tokens in ((1, 1, 1, 2), (1, 4, 4, 8), (3, 2, 3, 6), (50, 4, 3, 7)):
        yield _case(batch, topk, depth, tokens, FULL, random)
    yield _case(2, 4, 4, 32, FULL, random)
    yield _case(2, 4, 3, 8, OWN, random)
