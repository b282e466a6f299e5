"""The operators for Ascend NPUs by the route that the user wants, after what the rules edit."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path

from porter import targets
from porter.ascend.recognise import recognise_bytes
from porter.errors import UsageError
from porter.model import (
    Ascend,
    AscendRoute,
    Change,
    FilePatch,
    Finding,
    Language,
    Plan,
    Role,
    Safety,
    SourceFile,
    Span,
)
from porter.survey.discover import CACHES, Discovery, language
from porter.survey.survey import CONFIGURATIONS
from porter.targets import Target
from porter.targets.conversion import Conversion, Left

_DATA = (".json", ".yaml", ".yml")
_LARGEST = 2**20  # bytes of a file beside tests that goes into a patch


def change_route(
    plan: Plan,
    root: Path,
    discovery: Discovery,
    target: Target,
    route: str,
    *,
    required: bool = True,
) -> tuple[Plan, tuple[str, ...]]:
    """A plan whose tree has its operators by a route of the target; what stays for a person is
    among what is open; and notes on it.

    Raises UsageError where it is required and the tree has no operator that could be converted.
    """
    patched = {p.path: p for p in plan.patches}
    tree = _bytes(root, discovery, patched)
    roles = {file.path: file for file in discovery.files}
    look = partial(recognise, roles=roles)
    before = look(tree)
    beside = _beside_tests(root, discovery) if target.project else {}
    done = target.convert({**beside, **tree}, look, route)
    chosen = target.routes[route]
    left = (*plan.open, *_findings(done.left, route))
    if not done.operators:
        if required:
            _require(before, chosen.route, route, done)
        return replace(plan, open=left), (f"no operator was converted to the route {route}",)
    change = Change(
        rule=f"ascend/route/{route}", reason=chosen.reason, until="", title=chosen.title
    )
    for path, after in done.files.items():
        old = patched.get(path)
        first = old.before if old else tree.get(path)
        if after is None and first is None:
            patched.pop(path, None)
            continue
        changes = (*(old.changes if old else ()), change)
        patched[path] = FilePatch(path=path, before=first, after=after, changes=changes)
    patches = tuple(patched[path] for path in sorted(patched))
    said = f"converted to the route {route}: {', '.join(done.operators)}"
    return replace(plan, patches=patches, open=left), (said, *done.notes)


def recognise(files: Mapping[str, bytes], roles: Mapping[str, SourceFile]) -> Ascend | None:
    """What a tree has for Ascend."""
    sources = []
    for path, data in files.items():
        if path.endswith(_DATA) or language(path) is None:
            continue
        kind = Language.PYTHON if path.endswith(".py") else Language.CPP
        known = roles.get(path)
        sources.append(known or SourceFile(path, kind, Role.LIBRARY, len(data)))
    own = [file for file in sources if file.role is not Role.VENDORED]
    return recognise_bytes(
        ((file, files[file.path]) for file in own if file.language in _READ),
        ((path, data) for path, data in files.items() if path.endswith(_DATA)),
        own,
        targets.npu_names(),
    )


_READ = (Language.PYTHON, Language.CPP)


def _bytes(root: Path, discovery: Discovery, patched: Mapping[str, FilePatch]) -> dict[str, bytes]:
    paths = [*(f.path for f in discovery.files), *discovery.data]
    tree = {path: (root / path).read_bytes() for path in paths if (root / path).is_file()}
    for path, patch in patched.items():
        if patch.after is None:
            tree.pop(path, None)
        else:
            tree[path] = patch.after
    return tree


def _beside_tests(root: Path, discovery: Discovery) -> dict[str, bytes]:
    """pytest's configuration, and the files beside tests, some of which another project needs."""
    folders = {(root / f.path).parent for f in discovery.files if f.role is Role.TEST} - {root}
    found = [root / name for name in CONFIGURATIONS if (root / name).is_file()]
    for folder in sorted(folders):
        for above, inner, names in os.walk(folder):
            inner[:] = [name for name in inner if name not in CACHES]
            found += [Path(above, name) for name in names]
    small = (p for p in found if not p.is_symlink() and p.stat().st_size <= _LARGEST)
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in small}


def _require(before: Ascend | None, wanted: AscendRoute, route: str, done: Conversion) -> None:
    operators = before.operators if before else ()
    others = [o for o in operators if wanted not in o.routes and o.routes != (AscendRoute.NONE,)]
    if operators and not others:
        return  # all of them are there already
    why = "; ".join(f"{left.path}:{left.line}: {left.reason}" for left in done.left[:4])
    if not others:
        raise UsageError(
            f"no operator here can be converted to the route {route}",
            hint=why or "`porter analyze` says what a repository has for Ascend NPUs",
        )
    there = "; ".join(f"{o.name} ({', '.join(o.routes)})" for o in others[:8])
    raise UsageError(
        f"no operator here can be converted to the route {route}; there are: {there}",
        hint=why or "porter cannot convert these routes to it",
    )


def _findings(left: list[Left], route: str) -> tuple[Finding, ...]:
    return tuple(
        Finding(
            rule=f"ascend/route/{route}",
            path=each.path,
            span=Span(0, 0),
            line=each.line,
            column=1,
            message=f"{each.name}: {each.reason}",
            safety=Safety.MANUAL,
        )
        for each in left
    )
