"""Output of compilers, linkers, CMake, pip and Python -> diagnostics placed in the user's tree."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from porter.build.cascades import follow_classes, follow_macros, follower
from porter.build.causes import AFTER_CONFLICT, CONFLICT, cause, explained, plain
from porter.build.log import errors, joined, place
from porter.build.pointed import Sources, columned, named, shown
from porter.host.demangle import demangled
from porter.model import Diagnostic

__all__ = ["causes", "parse", "place", "plain", "spelled_out"]

# Said after a failure that something else explains.
_CASCADE = re.compile(
    r"command .* failed|Failed building|Failed to build|failed with exit code|ld returned"
    r"|metadata-generation-failed|subprocess-exited-with-error|failed-wheel-build"
    r"|Could not build wheels|failed to build"
    r"|Error compiling objects|CalledProcessError|compile failed, |ninja: build stopped"
    r"|sources did not compile, see above"
)
_MANGLED = re.compile(r"\b_Z\w+")


def parse(text: str, tree: Path) -> tuple[Diagnostic, ...]:
    """The errors in a log, in order, each once; paths from the root of `tree` where inside it."""
    text = joined(text)
    sources = Sources(tree)
    carets = shown(text, lambda path: place(path, tree))
    placed = columned(_deduplicated(errors(text, tree)), carets, sources)
    found = named(placed, sources)
    telling = [d for d in found if not _CASCADE.search(d.message)]
    followed = follow_classes(tuple(_follow(telling or list(found[:1]))), sources)
    return follow_macros(followed, sources)


def causes(diagnostics: Iterable[Diagnostic]) -> list[tuple[str, int, Diagnostic]]:
    """Causes with their number of messages and the first example, the most frequent first and
    what is about nothing in particular last."""
    counted: dict[str, tuple[int, Diagnostic]] = {}
    for item in diagnostics:
        count, example = counted.get(item.cause, (0, item))
        if not _is_root(example) and _is_root(item):
            example = item
        counted[item.cause] = (count + 1, example)
    rows = [(text, count, example) for text, (count, example) in counted.items()]
    return sorted(rows, key=lambda row: (_vague(row[2]), -row[1]))


def _is_root(item: Diagnostic) -> bool:
    """Says its cause itself, and does not follow from it."""
    return cause(item.message).text == item.cause


def _vague(item: Diagnostic) -> bool:
    """Any program's `error: ...` about nothing known: it may not be what ended the build."""
    return item.tool == "setuptools" and item.name is None and not item.path


def _deduplicated(items: Iterable[Diagnostic]) -> Iterator[Diagnostic]:
    """A header's error is said once per unit that includes it, and by pip again at the end."""
    seen: set[Diagnostic] = set()
    for item in items:
        if item not in seen:
            seen.add(item)
            yield item


def _follow(items: list[Diagnostic]) -> Iterator[Diagnostic]:
    """A parser's stumbling after an unknown name in the same file has that name's cause."""
    root: dict[str, Diagnostic] = {}
    named = next((item for item in items if item.name is not None), None)
    clash: dict[str, Diagnostic] = {}  # of a file: the first name declared otherwise
    for item in items:
        if item.cause.endswith(CONFLICT):
            clash.setdefault(item.path, item)
        elif item.path in clash and AFTER_CONFLICT.search(item.message):
            yield follower(item, clash[item.path])
            continue
        earlier = root.get(item.path, named)
        if item.name is None and cause(item.message).follows and earlier is not None:
            yield follower(item, earlier)
            continue
        if item.name is not None or (cause(item.message).follows and item.path not in root):
            root[item.path] = item  # what a parser stumbles over first is a cause, too
        yield item


def spelled_out(found: Sequence[Diagnostic], logs: Path) -> tuple[Diagnostic, ...]:
    """The diagnostics with the names of C++ symbols; unchanged where there is no c++filt."""
    table = demangled((name for item in found for name in _MANGLED.findall(item.message)), logs)
    return tuple(_spelled(item, table) for item in found)


def _spelled(item: Diagnostic, table: dict[str, str]) -> Diagnostic:
    message = _MANGLED.sub(lambda found: table[found[0]], item.message)
    if message == item.message:
        return item
    return explained(replace(item, message=message), cause(message))
