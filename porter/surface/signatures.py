"""What a target's signature rejects of what torch's signatures allow."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from porter.model import Condition, Fact, When
from porter.surface.facts import REFUSED

IGNORED = frozenset({"self", "cls", "name", "args", "kwargs"})


@dataclass(frozen=True, slots=True)
class Parameters:
    """The parameters of one signature, in order."""

    positional: tuple[str, ...]
    keywords: frozenset[str]
    any_positional: bool
    any_keyword: bool


def parse(signature: str, member: bool) -> Parameters | None:
    """Parameters of a signature as captured, without the receiver; None if it is no Python."""
    text = signature.removesuffix(" -> Tensor")
    try:
        tree = ast.parse(f"def f{text}: ...")
    except SyntaxError:
        return None
    function = tree.body[0]
    assert isinstance(function, ast.FunctionDef)
    args = function.args
    drop = 1 if member else 0
    by_position = [a.arg for a in (*args.posonlyargs, *args.args)][drop:]
    named = [a.arg for a in args.args][max(0, drop - len(args.posonlyargs)) :]
    return Parameters(
        tuple(by_position),
        frozenset([*named, *(a.arg for a in args.kwonlyargs)]),
        args.vararg is not None,
        args.kwarg is not None,
    )


def rejections(torch: Sequence[str], target: str, member: bool) -> Iterator[Fact]:
    """Facts about calls that torch allows and the target rejects or reads otherwise."""
    theirs = parse(target, member)
    ours = [p for p in (parse(text, member) for text in torch) if p is not None]
    if theirs is None or not ours:
        return
    if not theirs.any_keyword:
        asked = frozenset[str]().union(*(p.keywords for p in ours))
        for keyword in sorted(asked - theirs.keywords - IGNORED):
            yield Fact(Condition(When.KEYWORD, (keyword,)), REFUSED)
    if len(ours) == 1:
        yield from _compare_positions(ours[0], theirs)


def _compare_positions(ours: Parameters, theirs: Parameters) -> Iterator[Fact]:
    for index, name in enumerate(ours.positional):
        place = Condition(When.POSITION, count=index + 1)
        if index >= len(theirs.positional):
            if not theirs.any_positional:
                yield Fact(place, f"{name} is not accepted by position")
            return
        other = theirs.positional[index]
        if other != name and (other in ours.positional or name in theirs.positional):
            yield Fact(place, f"means {other}, not {name}")
            return
