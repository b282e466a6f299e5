"""The choices of a run: flags, then the configuration file, then defaults.

A repository's own file was written by somebody whom nobody knows: it may choose among what porter
does, and name nothing outside of the repository, no command, and nothing about the sandbox.
"""

from __future__ import annotations

import contextlib
import difflib
import re
import shlex
from collections.abc import Iterable, Iterator
from dataclasses import fields, replace
from pathlib import Path, PurePosixPath

from porter import config, targets
from porter.config import ANYWAY, Source
from porter.errors import UsageError
from porter.host import scratch
from porter.migrate import baseline
from porter.model import Level, Scope, Style
from porter.run.record import RunRecord
from porter.run.store import Run
from porter.stages import session
from porter.stages.options import Options, Progress, read_devices

SELECTIONS = ("-k", "-m")  # of pytest, each with an expression
EXPRESSION = re.compile(r"[\w(][\w\s.()\[\]-]*")
TEST = re.compile(r"[\w.][\w./:,\[\]-]*")


def configure(run: Run, options: Options, progress: Progress, named: bool = False) -> Options:
    """Return the options of a command with what the run's configuration file says. `named`: the
    user names the source, so that an earlier run's style does not hold.

    Raises UsageError with file and line; a new run is discarded then.
    """
    kept = run.load()
    fresh = kept.target is None
    try:
        return _configure(run, kept, options, progress, fresh, named)
    except UsageError:
        if fresh:
            scratch.discard(run.folder)
        raise


def configure_anew(run: Run, kept: RunRecord, options: Options, progress: Progress) -> Options:
    """Return what `configure` gives for a run that has only begun. Raises UsageError."""
    return _configure(run, kept, options, progress, fresh=True, named=False)


def _configure(
    run: Run, kept: RunRecord, options: Options, progress: Progress, fresh: bool, named: bool
) -> Options:
    source = _find(run, kept, options)
    if source is None:
        return replace(options, scope=_add_baseline(None, kept, options.baseline))
    said = source.config
    stated = [each.name for each in fields(said) if getattr(said, each.name) is not None]
    if fresh and stated:
        progress.note(f"configuration: {', '.join(stated)} from {source.title}")
    chosen = replace(
        options,
        target=options.target or (_read_target(source) if fresh else None),
        style=options.style or (Style(said.style) if said.style and (fresh or named) else None),
        tests=options.tests if options.tests is not None else _read_tests(source),
        parity=options.parity or _read_path(source, "parity", said.parity),
    )
    if not (chosen.devices or chosen.emulated) and said.device:
        with _stands_at(source, "device"):
            devices, emulated = read_devices(said.device)
        chosen = replace(chosen, devices=devices, emulated=emulated)
    if not fresh and options.config is None:  # the run has what the file says of the repository
        return replace(chosen, scope=_add_baseline(None, kept, options.baseline))
    accepted = options.baseline or _read_path(source, "baseline", said.baseline)
    return replace(chosen, scope=_add_baseline(_read_scope(source), kept, accepted))


def _find(run: Run, kept: RunRecord, options: Options) -> Source | None:
    if options.config is not None:
        return config.read(options.config)
    root = session.root(run, kept, patched=False)
    inside = root.is_dir() and root.resolve().is_relative_to(run.base.resolve())
    return config.find(root) if inside else None


def _add_baseline(scope: Scope | None, kept: RunRecord, path: Path | None) -> Scope | None:
    """The scope with the baseline's findings; None where nothing new is said of it."""
    if path is None:
        return scope
    return replace(scope or kept.analysis.scope, accepted=baseline.load(path))


@contextlib.contextmanager
def _stands_at(source: Source, key: str) -> Iterator[None]:
    """Say where in the file a value stands that another part of porter refuses."""
    try:
        yield
    except UsageError as error:
        raise UsageError(f"{source.place(key)}: {error}", hint=error.hint) from error


def _read_target(source: Source) -> str | None:
    if source.config.target is not None:
        with _stands_at(source, "target"):
            targets.resolve(source.config.target)
    return source.config.target


def _read_scope(source: Source) -> Scope:
    levels = {rule: Level(word) for rule, word in (source.config.levels or {}).items()}
    known = frozenset[str]()
    if levels:
        from porter.rules.loader import known_rules  # takes as long as all else of a known tree

        known = known_rules()
    for rule in levels:
        if rule not in known:
            close = difflib.get_close_matches(rule, sorted(known), n=1)
            hint = f"did you mean {close[0]}?" if close else "`porter rules` lists them"
            place = source.place("levels", rule) if ("levels", rule) in source.lines else ""
            raise UsageError(f"{place or source.place('levels')}: no rule {rule!r}", hint=hint)
    patterns = (pattern.removeprefix("./").rstrip("/") for pattern in source.config.exclude or ())
    return Scope(exclude=tuple(filter(None, patterns)), levels=levels, origin=source.title)


# ------------------------------------------------- what a repository may not say


def _read_path(source: Source, key: str, written: str | None) -> Path | None:
    """A file, from the folder of the configuration; of a repository's own it is in the
    repository."""
    if written is None:
        return None
    path = source.folder / written
    if source.own and not _is_inside(source.folder, written):
        raise UsageError(f"{source.place(key)}: {written} is not in the repository", hint=ANYWAY)
    if not path.is_file():
        raise UsageError(f"{source.place(key)}: no file {written}", hint=f"check {key}")
    return path


def _is_inside(root: Path, written: str) -> bool:
    """Whether a path leads to a file below a folder, also by links."""
    path = PurePosixPath(written)
    if path.is_absolute() or ".." in path.parts:
        return False
    try:
        return (root / path).resolve().is_relative_to(root.resolve())
    except (OSError, RuntimeError, ValueError):  # links in a circle, NUL characters
        return False


def _read_tests(source: Source) -> str | None:
    """The command of the tests; of a repository's own file, pytest with files and selections."""
    command = source.config.tests
    if command is None or not source.own:
        return command
    try:
        words = shlex.split(command)
    except ValueError:
        words = []
    if words[:1] != ["pytest"] or not _selects_tests(words[1:], source.folder):
        raise UsageError(
            f"{source.place('tests')}: a repository's own file may only name `pytest`, paths in "
            "the repository, -k and -m",
            hint=ANYWAY,
        )
    return command


def _selects_tests(words: Iterable[str], root: Path) -> bool:
    """Whether words for pytest are tests of the tree and expressions over their names: nothing
    that is an option, a file of options, or a command of its own."""
    rest = iter(words)
    for word in rest:
        if word in SELECTIONS:
            if not EXPRESSION.fullmatch(next(rest, "")):
                return False
        else:
            path = word.partition("::")[0]
            inside = TEST.fullmatch(word) and _is_inside(root, path)
            if not inside or not (root / path).exists():
                return False
    return True
