"""Files x rules -> findings, and the torch names in use, from one parse a file; in processes."""

from __future__ import annotations

import contextlib
import gc
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field, replace
from functools import cache
from operator import attrgetter
from pathlib import Path
from typing import Any

from porter.host import alive
from porter.languages import notebook
from porter.languages.cpp import Unit
from porter.languages.python import Module, Unreadable
from porter.languages.read import Document, read
from porter.languages.text import Words, may_ignore
from porter.migrate import earlier
from porter.migrate.earlier import Asked
from porter.migrate.spared import Spared
from porter.model import (
    Crash,
    Finding,
    Form,
    Language,
    Level,
    ProjectFacts,
    Role,
    Skipped,
    SourceFile,
    Suppression,
    Use,
)
from porter.rules.levels import drop_off, set_levels
from porter.rules.loader import load_pack
from porter.rules.rule import RulePack
from porter.rules.suppressed import drop_suppressed, list_suppressions
from porter.uses.naming import names_torch_in
from porter.uses.reexports import Reexports, package_of

LookUp = Callable[[Document, SourceFile], Iterable[Use]]
Progress = Callable[[int, int], None]  # files done, files in all

CHUNK_BYTES = 1_500_000
ALONE_BYTES = 1_000_000  # less than this is read faster than a process starts


@dataclass(frozen=True, slots=True, kw_only=True)
class ScanResult:
    """What was found, sorted by place; files not read; rules and readers that raised; the places
    (path, line) that ask torch for names that the source does not tell."""

    findings: tuple[Finding, ...] = ()
    uses: tuple[Use, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    crashes: tuple[Crash, ...] = ()
    untold: tuple[tuple[str, int], ...] = ()
    suppressions: tuple[Suppression, ...] = ()

    @staticmethod
    def join(parts: Iterable[ScanResult]) -> ScanResult:
        """One result of many, in an order that does not depend on theirs."""
        every = tuple(parts)

        def merge(name: str, key: Callable[[Any], Any]) -> Any:
            return tuple(sorted((one for p in every for one in getattr(p, name)), key=key))

        return ScanResult(
            findings=merge("findings", lambda f: (f.path, f.span, f.rule)),
            uses=merge("uses", attrgetter("path", "cell", "line", "column", "name")),
            skipped=merge("skipped", lambda s: s.path),
            crashes=merge("crashes", lambda c: (c.path, c.where)),
            untold=merge("untold", lambda u: u),
            suppressions=merge("suppressions", lambda s: (s.path, s.cell, s.line)),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """All that scanning needs besides the files; `pack` holds the rules in force."""

    root: Path
    facts: ProjectFacts
    pack: RulePack
    form: Form
    look_up: LookUp | None = None
    spared: Spared | None = None
    levels: Mapping[str, Level] = field(default_factory=dict)  # that the user gives rules
    kept: bool = False  # whether results are kept for later scans, and taken from earlier ones
    elsewhere: Reexports = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "pack", drop_off(self.pack, self.levels))
        object.__setattr__(self, "elsewhere", Reexports(self.root, self.facts.packages))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Order:
    """A job as it travels to another process, where the rules are loaded again."""

    job: Job
    rules: frozenset[str]
    around: str
    files: tuple[SourceFile, ...] = field(repr=False)


@dataclass(frozen=True, slots=True)
class _Seen:
    """What was found in a file, by what it depends on: a key, and answers about its tree."""

    result: ScanResult
    key: str = ""
    answers: earlier.Answers = field(default_factory=dict)


def scan(
    job: Job,
    files: Sequence[SourceFile],
    jobs: int | None = None,
    progress: Progress = lambda done, total: None,
) -> ScanResult:
    """Look at every file but vendored ones, in `jobs` processes (default: one a core)."""
    files = [file for file in files if file.role is not Role.VENDORED]
    around = _tree_circumstances(job) if job.kept else ""
    known = earlier.load(around, files, job.elsewhere, ScanResult) if around else {}
    left = [file for file in files if file.path not in known]
    seen = [*_scan_files(job, around, left, jobs or os.cpu_count() or 1, progress)]
    if around:
        sure = (s for s in seen if s.key and not s.result.crashes)
        earlier.save((s.key, s.result, s.answers) for s in sure)
    return ScanResult.join([*known.values(), *(s.result for s in seen)])


def _tree_circumstances(job: Job) -> str:
    """What findings in any file of the tree depend on."""
    rules = [rule.id for rule in job.pack.rules]
    spared = job.spared and (sorted(job.spared.rules), job.spared.places)
    look_up = job.look_up and (
        getattr(job.look_up, "__qualname__", type(job.look_up).__qualname__),
        sorted(getattr(job.look_up, "asked", ())),
    )
    levels = sorted(job.levels.items())
    return earlier.circumstances(
        job.facts, job.pack.folder, rules, job.form, spared, look_up, levels
    )


def _scan_files(
    job: Job, around: str, files: Sequence[SourceFile], jobs: int, progress: Progress
) -> Iterator[_Seen]:
    if jobs == 1 or sum(file.size for file in files) < ALONE_BYTES:
        with _pause_collector():
            yield from _alone(job, around, files, progress)
    else:
        yield from _scan_in_pool(job, around, files, jobs, progress)


@contextlib.contextmanager
def _pause_collector() -> Iterator[None]:
    """Without the cycle collector, which looks at each syntax tree many times and never finds
    anything: what reading a file leaves is freed by reference counts."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def scan_bytes(job: Job, file: SourceFile, data: bytes, tree: Asked | None = None) -> ScanResult:
    """Look at one file of these bytes in its tree. The crash boundary: what a rule raises costs
    this file and this rule, and is reported."""
    tree = tree or Asked.share(job.elsewhere)
    if file.language is Language.NOTEBOOK:
        return _scan_notebook(job, file, data, tree)
    names_torch = names_torch_in(data, file.language) or (
        file.language is Language.PYTHON and tree.reach_torch(data, file.path)
    )
    words = Words(data)
    rules = [
        rule
        for rule in job.pack.rules
        if rule.language is file.language
        and (rule.is_about is None or rule.is_about(file.path, job.facts))
        and not (job.spared and job.spared.covers(rule.id, file.path, file.role))
        and rule.concerns(words, file.role, names_source=names_torch)
    ]
    stub = file.path.endswith(".pyi")  # type checkers read it, and nothing runs it
    look_up = job.look_up if names_torch and not stub else None
    if not rules and look_up is None and not may_ignore(data):
        return ScanResult()
    try:
        package = package_of(file.path, job.facts.packages)
        document = read(data, file.path, file.language, package, tree)
    except Unreadable as error:
        return ScanResult(skipped=(Skipped(file.path, str(error)),))
    except Exception as error:  # crash boundary: a reader
        return ScanResult(crashes=(_crash(file, f"{file.language.value} reader", error),))
    if isinstance(document, Unit):
        document.near = tree.near
    crashes: list[Crash] = []
    findings: list[Finding] = []
    for rule in rules:
        try:
            findings += rule.find(document, job.facts, job.form)
        except Exception as error:  # crash boundary: a rule
            crashes.append(_crash(file, rule.id, error))
    uses: tuple[Use, ...] = ()
    try:
        uses = tuple(look_up(document, file)) if look_up else ()
        findings = set_levels(drop_suppressed(findings, document), job.levels)
    except Exception as error:  # crash boundary: the look-up
        crashes.append(_crash(file, "surface", error))
    untold: tuple[tuple[str, int], ...] = ()
    if names_torch and isinstance(document, Module):
        untold = tuple((file.path, node.lineno) for node in document.untold("torch"))
    return ScanResult(
        findings=tuple(findings),
        uses=uses,
        crashes=tuple(crashes),
        untold=untold,
        suppressions=list_suppressions(document),
    )


def _scan_notebook(job: Job, file: SourceFile, data: bytes, tree: Asked) -> ScanResult:
    """What is in the Python of a notebook's cells, with places and edits as they are in the file;
    a finding whose edits cannot be made there has none."""
    if b"torch" not in data:
        return ScanResult()
    try:
        book = notebook.parse(data)
    except Unreadable as error:
        return ScanResult(skipped=(Skipped(file.path, str(error)),))
    except Exception as error:  # crash boundary: a reader
        return ScanResult(crashes=(_crash(file, "notebook reader", error),))
    left = [Skipped(_cell(file, n), reason, meant=True) for n, reason in book.others]
    left += [Skipped(_cell(file, n), reason) for n, reason in book.broken]
    if not book.cells:
        return ScanResult(skipped=tuple(left))
    found = scan_bytes(job, replace(file, language=Language.PYTHON), book.text, tree)
    uses = []
    for use in found.uses:
        cell, line = book.place(use.line)
        uses.append(use._replace(cell=cell, line=line))
    comments = []
    for one in found.suppressions:
        cell, line = book.place(one.line)
        comments.append(replace(one, cell=cell, line=line))
    return ScanResult(
        findings=tuple(map(book.map_finding, found.findings)),
        uses=tuple(uses),
        skipped=(*found.skipped, *left),
        crashes=found.crashes,
        untold=tuple((_cell(file, book.place(n)[0]), book.place(n)[1]) for _, n in found.untold),
        suppressions=tuple(comments),
    )


def _cell(file: SourceFile, number: int) -> str:
    return f"{file.path}:cell {number}" if number else file.path


def _crash(file: SourceFile, where: str, error: Exception) -> Crash:
    return Crash(file.path, where, f"{type(error).__name__}: {error}")


def _read_and_scan(job: Job, around: str, file: SourceFile) -> _Seen:
    try:
        data = (job.root / file.path).read_bytes()
    except OSError as error:
        return _Seen(ScanResult(skipped=(Skipped(file.path, error.strerror or str(error)),)))
    if not around:
        return _Seen(scan_bytes(job, file, data))
    tree = Asked.share(job.elsewhere)
    result = scan_bytes(job, file, data, tree)
    return _Seen(result, earlier.key_of(around, file, data), tree.answers)


def _alone(
    job: Job, around: str, files: Sequence[SourceFile], progress: Progress
) -> Iterator[_Seen]:
    for done, file in enumerate(files, 1):
        yield _read_and_scan(job, around, file)
        progress(done, len(files))


def _scan_in_pool(
    job: Job, around: str, files: Sequence[SourceFile], jobs: int, progress: Progress
) -> Iterator[_Seen]:
    ids = frozenset(rule.id for rule in job.pack.rules)
    _rules_again(job.pack.target, job.pack.folder, ids)  # where processes are forked they have it
    empty = RulePack(target=job.pack.target, rules=(), folder=job.pack.folder)
    travelling = replace(job, pack=empty)
    done = 0
    with ProcessPoolExecutor(jobs, initializer=alive.end_with, initargs=(os.getpid(),)) as pool:
        pending: dict[Future[list[_Seen]], tuple[SourceFile, ...]] = {}
        for chunk in _chunks(files):
            order = _Order(job=travelling, rules=ids, around=around, files=chunk)
            pending[pool.submit(_carry_out, order)] = chunk
        for future in as_completed(pending):
            chunk = pending[future]
            try:
                yield from future.result()
            except BrokenProcessPool as error:  # killed: out of memory, or a crash of Python
                crashes = tuple(_crash(file, "process", error) for file in chunk)
                yield _Seen(ScanResult(crashes=crashes))
            done += len(chunk)
            progress(done, len(files))


def _chunks(files: Sequence[SourceFile]) -> Iterator[tuple[SourceFile, ...]]:
    """Files in parcels of about one size, the largest files first."""
    chunk: list[SourceFile] = []
    size = 0
    for file in sorted(files, key=lambda f: (-f.size, f.path)):
        chunk.append(file)
        size += file.size
        if size >= CHUNK_BYTES:
            yield tuple(chunk)
            chunk, size = [], 0
    if chunk:
        yield tuple(chunk)


def _carry_out(order: _Order) -> list[_Seen]:
    pack = _rules_again(order.job.pack.target, order.job.pack.folder, order.rules)
    job = replace(order.job, pack=pack)
    object.__setattr__(job, "elsewhere", _modules_again(job.root, job.facts.packages))
    with _pause_collector():
        return [_read_and_scan(job, order.around, file) for file in order.files]


_modules_again = cache(Reexports)  # in a process, which reads one tree


@cache
def _rules_again(target: str, folder: Path, ids: frozenset[str]) -> RulePack:
    """The rules in force, loaded once in each process, since functions do not travel."""
    pack = load_pack(target, folder.parent)
    rules = tuple(rule for rule in pack.rules if rule.id in ids)
    return RulePack(target=target, rules=rules, folder=folder)
