"""The operators of a tree by one route -> the same by another, and what is left for a person."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterator, Mapping

from porter.model import Ascend, AscendPart, AscendRoute
from porter.targets.conversion import Conversion, Left
from porter.targets.torch_npu.routes import (
    build_script,
    from_opplugin,
    to_aclnn,
    to_direct,
    to_opplugin,
)
from porter.targets.torch_npu.routes.model import ROUTES, Result
from porter.targets.torch_npu.routes.syntax import Files, Refused

_One = Callable[[Files, str], Result]


def convert(
    tree: Mapping[str, bytes], look: Callable[[Mapping[str, bytes]], Ascend | None], route: str
) -> Conversion:
    """All operators that get to torch by another route, by this one. `look` recognises what a tree
    has."""
    done = Conversion()
    for source, steps in _STEPS[route].items():
        now = _overlay(tree, done.files)
        for path in find_paths(look(now), ROUTES[source].route, now):
            _apply(done, tree, path, steps)
    done.left = list(dict.fromkeys(done.left))
    done.files = {p: data for p, data in done.files.items() if data is not None or p in tree}
    return done


def find_paths(
    ascend: Ascend | None, route: AscendRoute, tree: Mapping[str, bytes]
) -> Iterator[str]:
    """The files that have the calls of a route's operators."""
    operators = ascend.operators if ascend else ()
    part = AscendPart.DEFINITION if route is AscendRoute.OPPLUGIN else AscendPart.CALL
    yield from sorted(
        {
            piece.path
            for operator in operators
            if route in operator.routes
            for piece in operator.pieces
            if piece.part is part and piece.path in tree
            if route is not AscendRoute.OPPLUGIN or piece.form.startswith("yaml")
        }
    )


def _apply(done: Conversion, tree: Mapping[str, bytes], path: str, steps: tuple[_One, ...]) -> None:
    """One file, by every step or by none."""
    files, left = dict(done.files), list[Left]()
    paths, operators = [path], tuple[str, ...]()
    for one in steps:
        following: list[str] = []
        operators = ()
        for each in paths:
            try:
                result = one(Files(_overlay(tree, files)), each)
            except Refused as error:
                # A file of an earlier step is none that the user has: the place is the first one's.
                line = error.line if each == path else 0
                done.left.append(Left(path, line or 1, posixpath.basename(path), error.reason))
                return
            before = _overlay(tree, files)
            files.update(result.files)
            left += result.left
            operators += result.operators
            following += [new for _, new in result.sources if result.files.get(new) is not None]
            _build_scripts(files, before, result, left)
        paths = sorted(set(following))
    done.files = files
    done.left += left
    done.operators += operators


def _build_scripts(
    files: dict[str, bytes | None], before: Mapping[str, bytes], result: Result, left: list[Left]
) -> None:
    renamed: dict[str, list[str]] = {}
    for old, new in result.sources:
        renamed.setdefault(old, []).append(new)
    scripts = sorted(p for p in before if posixpath.basename(p) == "setup.py")
    for old, new in result.sources:
        name = posixpath.basename(old)
        if not any(name.encode() in before[script] for script in scripts):
            reason = f"no setup.py names {old}: its build has to use this file instead"
            left.append(Left(new, 1, name, reason))
    for script in scripts if renamed else ():
        data = files.get(script) or before[script]
        text = build_script.rewrite(script, data, renamed, left)
        if text != data:
            files[script] = text


def _overlay(tree: Mapping[str, bytes], files: Mapping[str, bytes | None]) -> Mapping[str, bytes]:
    merged = {**{path: tree[path] for path in tree}, **files}
    return {path: data for path, data in merged.items() if data is not None}


_STEPS: dict[str, dict[str, tuple[_One, ...]]] = {
    "aclnn": {"direct": (to_aclnn.convert,), "opplugin": (from_opplugin.convert,)},
    "direct": {
        "opplugin": (from_opplugin.convert, to_direct.convert),
        "aclnn": (to_direct.convert,),
    },
    "opplugin": {
        "aclnn": (to_opplugin.convert,),
        "direct": (to_aclnn.convert, to_opplugin.convert),
    },
}
