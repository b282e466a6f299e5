"""Run the LibCST codemods of rules, and give what they change as byte edits."""

from __future__ import annotations

import contextlib
import sys
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from functools import cache
from inspect import isabstract
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

from porter.errors import RuleError
from porter.languages.python import Module
from porter.model import Edit, Form, Match, ProjectFacts, Span
from porter.rules.portion import Portion, whole
from porter.rules.suppressed import is_suppressed
from porter.rules.written import RULE_HINT, import_file

if TYPE_CHECKING:
    import libcst as cst

# What a codemod finds in the scratch of its context.
PLACES, FACTS, FORM, CODE = "porter.places", "porter.facts", "porter.form", "porter.code"


@dataclass(frozen=True, slots=True)
class Context:
    """What a codemod of porter's own is given: what LibCST gives one, without loading that."""

    filename: str
    full_module_name: str
    full_package_name: str | None
    scratch: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Request:
    """The codemod of a rule, and what it is to know of the project."""

    rule: str
    path: Path  # codemod.py
    facts: ProjectFacts
    form: Form


def add_codemod_edits(
    request: Request, module: Module, matches: Sequence[Match]
) -> Iterator[Match]:
    """Give what a finder found the edits that the rule's codemod makes of it.

    Only matches with a place are given to the codemod, and none that a comment suppresses. An
    edit at a place is its match's; one that is at no place (an import) is every match's. Where
    the codemod skips the file, matches with a place are none.

    Raises what the codemod raises.
    """
    asked: list[Match] = []
    off: list[Span] = []  # what a comment suppresses
    for match in matches:
        suppressed = is_suppressed(request.rule, match.span, module)
        if match.place is None and not suppressed:
            yield match
        elif match.place is not None and suppressed:
            off.append(match.span)
        elif match.place is not None:
            asked.append(match)
    asked.sort(key=_strength)
    for _, group in groupby(asked, _strength):  # what needs review is not mixed with what is safe
        some = list(group)
        edits = _edits(request, module, some)
        if edits is None:
            continue
        if any(edit.span.overlaps(span) for edit in edits for span in off):
            edits = []
        yield from _assign_edits(some, edits)


def find_by_codemod(request: Request, module: Module) -> Iterator[Match]:
    """What a codemod without a finder changes in a file: a match for each place, with all edits,
    which belong together; none where a comment suppresses one of them.

    Raises what the codemod raises.
    """
    edits = _edits(request, module, ()) or []
    suppressed = [edit for edit in edits if is_suppressed(request.rule, edit.span, module)]
    if suppressed:
        return
    for edit in edits:
        yield Match(edit.span, tuple(edits))


def _strength(match: Match) -> int:
    return 9 if match.safety is None else match.safety


def _assign_edits(matches: Sequence[Match], edits: Sequence[Edit]) -> Iterator[Match]:
    places = [m.place.span for m in matches if m.place is not None]
    owned: list[list[Edit]] = [[] for _ in places]
    shared: list[Edit] = []
    groups = _groups(places)
    starts = [places[group[0]].start for group in groups]
    for edit in edits:
        first = max(0, bisect_right(starts, edit.span.start) - 1)
        near = groups[first : bisect_right(starts, edit.span.end)]
        owners = [each for group in near for each in group if _touches(edit, places[each])]
        for each in owners:
            owned[each].append(edit)
        if not owners:
            shared.append(edit)
    for match, own in zip(matches, owned, strict=True):
        own = list(edits) if len(matches) == 1 else own
        yield replace(match, edits=tuple(sorted({*own, *shared})) if own else (), place=None)


def _groups(places: Sequence[Span]) -> list[list[int]]:
    """The places that touch each other, by index and in the order of the file."""
    groups: list[list[int]] = []
    end = -1
    for each in sorted(range(len(places)), key=lambda each: places[each].start):
        if places[each].start > end:
            groups.append([])
        groups[-1].append(each)
        end = max(end, places[each].end)
    return groups


def _touches(edit: Edit, place: Span) -> bool:
    """Whether an edit is in a place, or right at its beginning or end."""
    inside = place.start <= edit.span.start and edit.span.end <= place.end
    return inside or edit.span.overlaps(place)


def _edits(request: Request, module: Module, matches: Sequence[Match]) -> list[Edit] | None:
    """What the codemod changes in the file; None where it skips it."""
    needs = getattr(load_codemod(request.path), "needs", None)
    part: Portion | None = needs(module, matches) if needs and matches else None
    if part is not None:
        with contextlib.suppress(Exception):  # whatever it is, the whole file tells
            return _edits_in(part, request, matches)
    return _edits_in(whole(module), request, matches)


def _edits_in(part: Portion, request: Request, matches: Sequence[Match]) -> list[Edit] | None:
    import libcst as cst

    from porter.rules.trees import SourceText, changes, parts_of

    module = part.module
    source = SourceText(module)
    tree = cst.parse_module(source.text)
    if part.indent:
        tree = tree.with_changes(default_indent=part.indent)
    code = parts_of(tree)  # written once, as it takes as long as parsing
    if "".join(code) != source.text:
        raise ValueError("LibCST does not reproduce the file exactly")
    dotted = module.path.removesuffix(".py").rpartition("/")[2]
    places = ((part.enter(m.place.span), m.place.known) for m in matches if m.place)
    context = Context(
        filename=module.path,
        full_module_name=".".join(filter(None, (module.package, dotted.replace("__init__", "")))),
        full_package_name=module.package or None,
        scratch={
            PLACES: {source.utf8_span(span): known for span, known in places},
            FACTS: request.facts,
            FORM: request.form,
            CODE: code,
        },
    )
    known = {*context.scratch}
    new = _transform(load_codemod(request.path), context, tree)
    if new is None:
        if part.indent:
            raise ValueError("skips these lines, and perhaps not the whole file")
        return None
    edits = [source.edit(change) for change in changes(tree, new, code)]
    if part.indent and context.scratch.keys() != known:
        raise ValueError("imports are added or removed, for which all of the file counts")
    return [Edit(part.leave(edit.span), edit.text) for edit in edits]


def _transform(codemod: type[Any], context: Context, tree: cst.Module) -> cst.Module | None:
    """The tree that a codemod makes of another one; None where it skips the file."""
    library = sys.modules.get("libcst.codemod")  # where the codemod is one of LibCST's
    if library is None:
        new: cst.Module = codemod(context).transform_module(tree)
        return new
    if issubclass(codemod, library.Codemod):
        given = {each.name: getattr(context, each.name) for each in fields(context)}
        context = library.CodemodContext(**given)
    try:
        new = codemod(context).transform_module(tree)
    except library.SkipFile:
        return None
    return new


@cache
def load_codemod(path: Path) -> type[Any]:
    """Return the one codemod class that a codemod.py defines.

    Raises RuleError where the file cannot be imported, or defines none or several.
    """
    module = import_file(path)
    classes = [
        value
        for value in vars(module).values()
        if isinstance(value, type)
        and hasattr(value, "transform_module")
        and value.__module__ == module.__name__
        and not isabstract(value)
    ]
    if len(classes) != 1:
        said = ", ".join(found.__name__ for found in classes) or "none"
        raise RuleError(f"{path}: needs one codemod class, and defines {said}", hint=RULE_HINT)
    return classes[0]
