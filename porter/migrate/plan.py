"""Scan, edit, scan again until stable: what migrate does to a tree, as data."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from porter.languages.edits import apply
from porter.migrate.intact import find_harm
from porter.migrate.scan import Job, ScanResult, scan, scan_bytes
from porter.model import (
    Change,
    Crash,
    FilePatch,
    Finding,
    Plan,
    Safety,
    SourceFile,
    Use,
)
from porter.rules.rule import Rule, RulePack

PASSES = 10
BUILT = ("setup.py", "pyproject.toml")
SETTINGS = ("MANIFEST.in", "setup.cfg")  # beside these: no source, and units may need an edit there
FIXES = Safety.REVIEW  # the least that a fix of what nothing takes today has to be


class Unit(Protocol):
    """What the polyfills that this repository needs add to the tree."""

    @property
    def patches(self) -> Sequence[FilePatch]: ...


Assemble = Callable[["Tree", tuple[Use, ...]], Unit]


@dataclass(frozen=True, slots=True, kw_only=True)
class Migration:
    """A plan, and the torch names that remain in use after its edits."""

    plan: Plan
    uses: tuple[Use, ...]
    unit: Unit | None = None


class Tree(Mapping[str, bytes]):
    """The files of a repository as bytes by path, read when asked for, some of them replaced."""

    def __init__(self, root: Path, paths: Iterable[str], changed: Mapping[str, bytes]) -> None:
        self._root = root
        self._changed = dict(changed)
        self._paths = frozenset(paths) | frozenset(self._changed)

    def __getitem__(self, path: str) -> bytes:
        if path in self._changed:
            return self._changed[path]
        if path not in self._paths:
            raise KeyError(path)
        return (self._root / path).read_bytes()

    def __contains__(self, path: object) -> bool:
        return path in self._paths

    def __iter__(self) -> Iterator[str]:
        return iter(sorted(self._paths))

    def __len__(self) -> int:
        return len(self._paths)


@dataclass(frozen=True, slots=True, kw_only=True)
class _File:
    """One file followed to its end: bytes, what was applied, and what the last look found."""

    before: bytes
    after: bytes
    last: ScanResult
    applied: tuple[Finding, ...] = ()
    deferred: tuple[Finding, ...] = ()
    crashes: tuple[Crash, ...] = ()
    passes: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Edited:
    """A tree with the edits of its rules and the files that they create, before any unit."""

    job: Job
    paths: frozenset[str]
    patches: tuple[FilePatch, ...]
    plan: Plan  # without patches
    uses: tuple[Use, ...]


def migrate(
    job: Job,
    files: Sequence[SourceFile],
    gate: Safety = Safety.SAFE,
    assemble: Assemble | None = None,
    scanned: ScanResult | None = None,
    notebooks: bool = False,
) -> Migration:
    """Edit until nothing changes, add the files that rules create and the vendored unit.

    Findings of at least `gate` are applied, in notebooks only with `notebooks`. `scanned` is an
    earlier scan of the same bytes; `assemble` makes the unit from the edited tree and the names
    still in use. Findings that stay open have the places they have after the edits.
    """
    return complete(edit(job, files, gate, scanned or scan(job, files), notebooks), assemble)


def edit(
    job: Job, files: Sequence[SourceFile], gate: Safety, first: ScanResult, notebooks: bool
) -> Edited:
    """The edits of a tree that was scanned, and the files that rules create."""
    by_path = {file.path: file for file in files}
    fixing = replace(job, pack=job.pack.fixes())
    wanted = (f for f in first.findings if f.edits and f.safety >= _gate(job.pack[f.rule], gate))
    to_edit = sorted({f.path for f in wanted if notebooks or not f.cell})
    before = {path: (job.root / path).read_bytes() for path in to_edit}
    to_fix = {f.path for f in first.findings if f.edits and job.pack[f.rule].is_fix}
    fixed = {
        path: _follow(fixing, by_path[path], before[path], FIXES)
        for path in to_edit
        if path in to_fix
    }
    done = {
        path: _apply_fixes(fixed[path], job, by_path[path], gate)
        if path in fixed
        else _follow(job, by_path[path], before[path], gate)
        for path in to_edit
    }
    patches = [_patch(path, file, job.pack) for path, file in done.items()]
    fixes = [_patch(path, file, job.pack) for path, file in fixed.items()]
    merged = _Patches(patch for patch in patches if patch.after != patch.before)
    paths = frozenset({*by_path, *_settings(job.root, by_path)})
    tree = Tree(job.root, paths, merged.bytes())
    crashes = [*first.crashes]
    merged.add(_create_files(job, tree, gate, crashes))
    rest = [f for f in first.findings if f.path not in done]
    rest += [f for file in done.values() for f in file.last.findings]
    plan = Plan(
        fixes=tuple(patch for patch in fixes if patch.after != patch.before),
        applied=tuple(f for file in done.values() for f in file.applied),
        open=tuple(sorted(rest, key=lambda f: (f.path, f.span, f.rule))),
        deferred=tuple(f for file in done.values() for f in file.deferred),
        crashes=(*crashes, *(c for file in done.values() for c in file.crashes)),
        passes=max((file.passes for file in done.values()), default=0),
    )
    return Edited(
        job=job,
        paths=paths,
        patches=merged.sort(),
        plan=plan,
        uses=_uses(first, done),
    )


def _settings(root: Path, paths: Iterable[str]) -> Iterator[str]:
    for path in paths:
        folder, _, name = path.rpartition("/")
        beside = (f"{folder}/{other}".lstrip("/") for other in SETTINGS if name in BUILT)
        yield from (p for p in beside if (root / p).is_file() and not (root / p).is_symlink())


def complete(edited: Edited, assemble: Assemble | None) -> Migration:
    """The migration of an edited tree, with the unit that it is given."""
    merged, root = _Patches(edited.patches), edited.job.root
    unit = None
    if assemble is not None:
        unit = assemble(Tree(root, edited.paths, merged.bytes()), edited.uses)
        merged.add(_compare_with_disk(root, unit.patches))
    plan = replace(edited.plan, patches=merged.sort())
    return Migration(plan=plan, uses=edited.uses, unit=unit)


def _gate(rule: Rule, gate: Safety) -> Safety:
    """How sure a rule has to be: of a fix less, as what it edits works nowhere today."""
    return min(gate, FIXES) if rule.is_fix else gate


def _apply_fixes(fixed: _File, job: Job, file: SourceFile, gate: Safety) -> _File:
    """A file with its fixes, followed to its end with all rules."""
    rest = _follow(job, file, fixed.after, gate)
    return replace(
        rest,
        before=fixed.before,
        applied=fixed.applied + rest.applied,
        crashes=tuple(dict.fromkeys(fixed.crashes + rest.crashes)),
        passes=fixed.passes + rest.passes,
    )


def _follow(
    job: Job, file: SourceFile, before: bytes, gate: Safety, barred: frozenset[str] = frozenset()
) -> _File:
    """Apply, look again, and so on until nothing changes; without the rules that never settle."""
    state = _File(before=before, after=before, last=ScanResult())
    for number in range(PASSES + 1):
        look = scan_bytes(job, file, state.after)
        wanted = [f for f in look.findings if f.edits and f.safety >= gate and f.rule not in barred]
        state = replace(state, last=look, passes=number)
        if not wanted:
            return replace(state, deferred=())
        sound, crashes = _sound(state.after, wanted, file)
        barred |= {crash.where for crash in crashes}
        result = apply(state.after, sound)
        state = replace(
            state,
            after=result.data,
            applied=state.applied + result.applied,
            deferred=result.deferred,
            crashes=state.crashes + crashes,
        )
    unstable = frozenset(finding.rule for finding in wanted)
    said = f"still changing the file after {PASSES} passes; none of its edits are made there"
    crashes = (*state.crashes, *(Crash(file.path, rule, said) for rule in sorted(unstable)))
    state = _follow(job, file, before, gate, barred | unstable)
    return replace(state, crashes=(*crashes, *state.crashes))


def _sound(
    data: bytes, findings: list[Finding], file: SourceFile
) -> tuple[list[Finding], tuple[Crash, ...]]:
    """The findings whose edits leave the rest of the file alone; a crash for each other rule."""
    taken = apply(data, findings).applied
    if _harm(data, taken, file) is None:
        return findings, ()
    harms = {finding.rule: _harm(data, (finding,), file) for finding in taken}
    crashes = tuple(Crash(file.path, rule, why) for rule, why in harms.items() if why)
    if not crashes:  # each alone is fine, together they are not
        rules = sorted({finding.rule for finding in taken})
        return [], tuple(Crash(file.path, rule, "harms the file with others") for rule in rules)
    return [finding for finding in findings if not harms.get(finding.rule)], crashes


def _harm(data: bytes, findings: Sequence[Finding], file: SourceFile) -> str | None:
    edits = [edit for finding in findings for edit in finding.edits]
    return find_harm(data, edits, file.path, file.language)


def _patch(path: str, file: _File, pack: RulePack) -> FilePatch:
    counts = Counter(finding.rule for finding in file.applied)
    changes = tuple(_change(pack[rule], count) for rule, count in sorted(counts.items()))
    return FilePatch(path=path, before=file.before, after=file.after, changes=changes)


def _change(rule: Rule, count: int = 1) -> Change:
    return Change(
        rule=rule.id, reason=rule.message, until=rule.until, count=count, title=rule.title
    )


def _create_files(job: Job, tree: Tree, gate: Safety, crashes: list[Crash]) -> Iterator[FilePatch]:
    """The files that rules add where there is none yet."""
    for rule in job.pack.rules:
        if rule.create is None or rule.safety < gate:
            continue
        try:
            new = list(rule.create(job.facts, tree, job.form))
        except Exception as error:  # crash boundary: a rule
            crashes.append(Crash("", rule.id, f"{type(error).__name__}: {error}"))
            continue
        for file in new:
            if file.path not in tree and not (job.root / file.path).exists():
                changes = (_change(rule),)
                yield FilePatch(path=file.path, before=None, after=file.data, changes=changes)


def _compare_with_disk(root: Path, patches: Iterable[FilePatch]) -> Iterator[FilePatch]:
    """New files that are there already, since discovery lists only what porter reads."""
    for patch in patches:
        there = root / patch.path
        if patch.before is None and there.is_file():
            patch = replace(patch, before=there.read_bytes())
        yield patch


def _uses(first: ScanResult, done: Mapping[str, _File]) -> tuple[Use, ...]:
    kept = [use for use in first.uses if use.path not in done]
    kept += [use for file in done.values() for use in file.last.uses]
    return tuple(sorted(kept, key=lambda u: (u.path, u.cell, u.line, u.column, u.name)))


class _Patches:
    """One patch a path: a second patch of a file goes on from the first."""

    def __init__(self, patches: Iterable[FilePatch]) -> None:
        self._by_path: dict[str, FilePatch] = {}
        self.add(patches)

    def add(self, patches: Iterable[FilePatch]) -> None:
        for patch in patches:
            earlier = self._by_path.get(patch.path)
            if earlier is not None:
                changes = (*earlier.changes, *patch.changes)
                patch = replace(patch, before=earlier.before, changes=changes)
            if patch.before != patch.after:
                self._by_path[patch.path] = patch

    def bytes(self) -> dict[str, bytes]:
        return {p.path: p.after for p in self._by_path.values() if p.after is not None}

    def sort(self) -> tuple[FilePatch, ...]:
        return tuple(self._by_path[path] for path in sorted(self._by_path))
