"""Output of compilers, linkers, CMake, pip and Python -> diagnostics placed in the user's tree.

Errors that follow from another one have its cause: in the arguments of a missing macro, say, or
after a missing header.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

from porter import targets
from porter.build import replaced
from porter.build.causes import AFTER_CONFLICT, CONFLICT, Cause, cause, explain, plain
from porter.build.log import errors, join_type_lines, place
from porter.build.pointed import Sources, add_columns, add_names, read_shown_lines
from porter.host.demangle import demangle
from porter.model import Diagnostic

__all__ = ["causes", "parse", "place", "plain", "spell_out_symbols"]

# Said after a failure that something else explains.
_CASCADE = re.compile(
    r"command .* failed|Failed building|Failed to build|failed with exit code|ld returned"
    r"|metadata-generation-failed|subprocess-exited-with-error|failed-wheel-build"
    r"|Could not build wheels|failed to build"
    r"|Error compiling objects|CalledProcessError|compile failed, |ninja: build stopped"
    r"|sources did not compile, see above"
)
_ENDED = "error: subprocess-exited-with-error"
_TRACEBACK = "Traceback (most recent call last)"
_PROGRESS = re.compile(r"(?:running|creating|reading|writing|copying|adding|removing)\b")
_WORDS = 3  # lines of output
_LONGEST = 300  # characters
_MACRO = re.compile(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\Z")
_MANGLED = re.compile(r"\b_Z\w+")


def parse(text: str, tree: Path) -> tuple[Diagnostic, ...]:
    """The errors in a log, in order, each once; paths from the root of `tree` where inside it."""
    text = replaced.name_macros(join_type_lines(text), tree)
    sources = Sources(tree)
    carets = read_shown_lines(text, lambda path: place(path, tree))
    placed = add_columns(_drop_duplicates(errors(text, tree)), carets, sources)
    found = add_names(placed, sources)
    telling = [d for d in found if not _CASCADE.search(d.message)]
    telling = telling or list(_last_words(text)) or list(found[:1])
    followed = follow_classes(tuple(_follow(telling)), sources)
    return follow_macros(followed, sources)


def _last_words(text: str) -> Iterator[Diagnostic]:
    """What a build script, or a program that it called, printed last before it ended."""
    head, ended, _ = text.partition(_ENDED)
    own = head.rpartition("Running command ")[2]
    before, raised, _ = own.rpartition(_TRACEBACK)
    if raised and _CASCADE.search(own.strip().rpartition("\n")[2]):  # by a program that it called
        own = before
    stripped = [line.strip() for line in own.splitlines()[1:]]
    lines = [line for line in stripped if not _PROGRESS.match(line)]
    said = [line for line in lines if line and not _CASCADE.search(line)]
    if ended and said:
        yield plain("setuptools", " ".join(said[-_WORDS:])[:_LONGEST])


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


def _drop_duplicates(items: Iterable[Diagnostic]) -> Iterator[Diagnostic]:
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


def spell_out_symbols(found: Sequence[Diagnostic], logs: Path) -> tuple[Diagnostic, ...]:
    """The diagnostics with the names of C++ symbols; unchanged where there is no c++filt."""
    table = demangle((name for item in found for name in _MANGLED.findall(item.message)), logs)
    return tuple(_spell_names(item, table) for item in found)


def _spell_names(item: Diagnostic, table: dict[str, str]) -> Diagnostic:
    message = _MANGLED.sub(lambda found: table[found[0]], item.message)
    if message == item.message:
        return item
    return explain(replace(item, message=message), cause(message))


@cache
def _framework() -> re.Pattern[str]:
    """The beginning of a framework's C++ name."""
    names = (name for f in targets.frameworks() for name in f.namespaces)
    return re.compile(rf"(?:{'|'.join(names)})\b")


def follow_macros(found: Sequence[Diagnostic], sources: Sources) -> tuple[Diagnostic, ...]:
    """The diagnostics, those in the arguments of a missing macro with its cause.

    What the macro would have declared for its arguments is unknown to the compiler as well. A
    missing member or header stays a cause of its own: no macro brings those.
    """
    regions = [region for item in found for region in _regions(item, sources)]
    return tuple(_move_into_region(item, regions) for item in found)


_Region = tuple[Diagnostic, int, int]  # a missing macro, the lines of its arguments


def _regions(item: Diagnostic, sources: Sources) -> Iterator[_Region]:
    if item.name is None or item.scope or not _MACRO.match(item.name) or not item.line:
        return
    unit = sources.unit(item.path)
    if unit is None:
        return
    for index in unit.places(item.name):
        token = unit.tokens[index]
        if unit.position(token.span.start)[0] != item.line:
            continue
        if index + 1 < len(unit.tokens) and unit.tokens[index + 1].text == "(":
            arguments = unit.arguments(index + 1)
            if arguments is not None:
                closing = unit.tokens[arguments[1]].span.start
                yield item, item.line, unit.position(closing)[0]


def _move_into_region(item: Diagnostic, regions: Sequence[_Region]) -> Diagnostic:
    own = cause(item.message).text
    if own.startswith("missing header") or " has no member " in own:
        return item
    for root, first, last in regions:
        inside = item.path == root.path and first <= item.line <= last
        if inside and not (item.name and _MACRO.match(item.name)):
            return follower(item, root)
    return item


def follow_classes(found: Sequence[Diagnostic], sources: Sources) -> tuple[Diagnostic, ...]:
    """The diagnostics, those about a class of the user's whose declaration has an error with its
    cause: what the class would have had from a missing base is unknown as well."""
    named = {(item.path, item.line): item for item in reversed(found) if item.name}
    return tuple(_explain_class(item, named, sources) for item in found)


def _explain_class(
    item: Diagnostic, named: Mapping[tuple[str, int], Diagnostic], sources: Sources
) -> Diagnostic:
    own = cause(item.message)
    name = own.name if own.text.startswith("missing definition of ") else own.scope
    unit = sources.unit(item.path) if name and item.path else None
    if unit is None or not name:
        return item
    for index in unit.places(name.rpartition("::")[2]):
        if index and unit.tokens[index - 1].text in ("class", "struct"):
            line, _ = unit.position(unit.tokens[index].start)
            root = named.get((item.path, line))
            if root is not None and root is not item and root.name != name:
                return follower(item, root)
    return item


def follower(item: Diagnostic, root: Diagnostic) -> Diagnostic:
    """The diagnostic as one that another brings about: what is missing is the other's name."""
    return explain(item, Cause(root.cause, root.name, root.scope))


def follow_headers(found: Sequence[Diagnostic]) -> tuple[Diagnostic, ...]:
    """The diagnostics of one unit that was checked on without the headers it lacks: what it does
    not know may be declared there. A missing member of a known class stays a cause of its own,
    where the header is the framework's; without one of another library only the framework's
    classes are known.
    """
    roots = [item for item in found if item.cause.startswith("missing header")]
    if not roots:
        return tuple(found)
    other = next((item for item in roots if not _framework().match(item.name or "")), None)
    return tuple(
        follower(item, roots[0])
        if _is_unknown_name(item)
        else follower(item, other)
        if other and item not in roots and not _framework().match(item.scope or item.name or "")
        else item
        for item in found
    )


def _is_unknown_name(item: Diagnostic) -> bool:
    known = cause(item.message)
    return known.follows or known.text.startswith(("missing name", "missing definition of"))
