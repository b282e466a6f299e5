"""From flags to options, and from a record to the screen and the exit code."""

from __future__ import annotations

import contextlib
import functools
import inspect
import shlex
import stat
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, get_type_hints

import typer

from porter.cli.options import Flags
from porter.errors import ExitCode, UsageError

if TYPE_CHECKING:
    from porter.console import Console
    from porter.model import ParityResult
    from porter.run.record import RunRecord
    from porter.run.store import Run
    from porter.stages.options import Options


def progress() -> Console:
    """Where a command tells how far it is: on stderr, so that a document on stdout stays alone."""
    from porter.console import Console

    return Console()


def takes(*names: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a command these options in the place of its parameter `chosen`, which gets them
    checked, as Options."""
    hints = _flag_types()
    defaults = {field.name: field.default for field in fields(Flags)}
    keyword = inspect.Parameter.KEYWORD_ONLY
    own = [inspect.Parameter(n, keyword, default=defaults[n], annotation=hints[n]) for n in names]

    def give(function: Callable[..., None]) -> Callable[..., None]:
        @functools.wraps(function)
        def command(**given: Any) -> None:
            flags = Flags(**{name: given.pop(name) for name in names})
            with _timed(flags.timing):
                function(chosen=check(flags), **given)

        del function.__annotations__["chosen"]  # names what is imported for type checkers only
        signature = inspect.signature(function, eval_str=True)
        parameters: list[inspect.Parameter] = []
        for parameter in signature.parameters.values():
            taken = own if parameter.name == "chosen" else [parameter.replace(kind=keyword)]
            parameters += taken
        command.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
        command.__annotations__ = {p.name: p.annotation for p in parameters}
        return command

    return give


@contextlib.contextmanager
def _timed(wanted: bool) -> Iterator[None]:
    """Show where the time of a command went, however it ends."""
    if not wanted:
        yield
        return
    from porter import console
    from porter.host import spending
    from porter.progress import Pace

    console.pace = Pace(totals=spending.total)
    try:
        yield
    finally:
        console.Console().show_timing()
        console.pace = None


@functools.cache
def _flag_types() -> dict[str, Any]:
    return get_type_hints(Flags, include_extras=True)


def check(flags: Flags) -> Options:
    """What the user chose. Raises UsageError for a word that porter does not know, and for a file
    that is not there."""
    from porter.host.sandbox import Mode
    from porter.model import Delivery, Safety, Style
    from porter.stages.options import Options, read_devices

    _check_words(flags)
    _check_files(flags)
    devices, emulated = read_devices(flags.device or ())
    deliveries = (Delivery.PACKAGE, Delivery.VENDORED)
    return Options(
        target=flags.target,
        style=Style(flags.style) if flags.style else None,
        delivery=None if flags.vendor is None else deliveries[flags.vendor],
        route=flags.route,
        gate=Safety.REVIEW if flags.review else Safety.SAFE,
        notebooks=flags.notebooks,
        compiler=not flags.no_compiler,
        jobs=flags.jobs,
        source_python=flags.source_python and flags.source_python.absolute(),
        target_python=flags.target_python and flags.target_python.absolute(),
        isolation=not flags.no_build_isolation,
        offline=flags.offline,
        needed=tuple(folder.resolve() for folder in flags.needed or ()),
        requires=tuple(flags.requires or ()),
        prepare=None if flags.prepare is None else _words(flags.prepare),
        timeout=flags.timeout,
        tests=flags.tests,
        parity=flags.parity,
        devices=devices,
        sandbox=Mode(flags.sandbox),
        passed=tuple(flags.env or ()),
        emulated=emulated,
        config=flags.config,
        baseline=flags.baseline,
    )


def _check_words(flags: Flags) -> None:
    from porter import targets
    from porter.host.sandbox import Mode
    from porter.model import Style

    if flags.framework != targets.SOURCE.name:
        hint = f"only {targets.SOURCE.name} is; name the target with --target"
        raise UsageError(f"{flags.framework} is not a source framework of porter", hint=hint)
    if flags.target is not None:
        targets.resolve(flags.target)
    if flags.style is not None:
        _check_word("style", flags.style, Style)
    _check_word("sandbox", flags.sandbox, Mode)
    if flags.route is not None:
        _check_route(flags.route, flags.target)
    for text in flags.requires or ():
        _check_requirement(text)


def _check_requirement(text: str) -> None:
    from packaging.requirements import InvalidRequirement, Requirement

    from porter.build.requirements import is_framework

    try:
        name = Requirement(text).name
    except InvalidRequirement as error:
        raise UsageError(
            f"--requires {text}: {error}", hint="a name on PyPI, as numba or numba>=0.60"
        ) from error
    if is_framework(name):
        raise UsageError(
            f"--requires {text}: porter chooses the frameworks",
            hint="--source-python and --target-python name other ones",
        )


def _check_word(what: str, word: str, known: Iterable[str]) -> None:
    if word not in (words := tuple(known)):
        raise UsageError(f"unknown {what} {word!r}", hint="one of: " + ", ".join(words))


def _check_files(flags: Flags) -> None:
    for python in (flags.source_python, flags.target_python):
        if python is not None and not python.is_file():
            raise UsageError(f"no interpreter at {python}", hint="give the path of a python binary")
    for folder in flags.needed or ():
        from porter.build.cell import nothing_to_build

        if reason := nothing_to_build(folder):
            raise UsageError(f"--with {folder}: {reason}", hint="name the root of its ported tree")
    if flags.parity is not None and not flags.parity.is_file():
        from porter.host.home import page

        raise UsageError(
            f"no parity cases at {flags.parity}", hint=f"see {page('reference/parity-cases.md')}"
        )


def _words(command: str) -> tuple[str, ...]:
    try:
        return tuple(shlex.split(command))
    except ValueError as error:
        raise UsageError(f"--prepare {command!r}: {error}", hint="close the quotes") from error


def _check_route(route: str, target: str | None) -> None:
    from porter import targets

    having = [t for t in targets.TARGETS.values() if t.routes]
    _check_word("route", route, dict.fromkeys(name for t in having for name in t.routes))
    chosen, _ = targets.resolve(target)
    if route not in chosen.routes:
        named = " or ".join(f"`--target {t.name}`" for t in having if route in t.routes)
        raise UsageError(f"--route {route} is for operators of Ascend NPUs", hint=f"with {named}")


def drop_run_form(chosen: Options) -> Options:
    """What the user chose for a source that is named, without the form of an earlier run of it."""
    from porter.model import Delivery, Style

    style, delivery = chosen.style or Style.DUAL, chosen.delivery or Delivery.PACKAGE
    return replace(chosen, style=style, delivery=delivery)


def continue_run(
    source: str | None, run_id: str | None, chosen: Options, console: Console, anew: bool = False
) -> tuple[Run, Options]:
    """The run to continue, and the choices with what its configuration file says; without a run,
    the source is analyzed first; with `anew`, also where a local source is no longer what the run
    has a copy of."""
    from porter.stages import analyze, session
    from porter.stages.configured import configure

    run = session.open_run(source, run_id, console)
    if run is None:
        new = session.begin(source or session.default_source(), console)
    else:
        session.claim(run)
        renewed = session.renew(run, console) if anew and run_id is None else None
        if renewed is None:
            return run, configure(run, chosen, console, named=source is not None)
        new = renewed
    chosen = configure(new, chosen, console)
    analyze.analyze(new, chosen, console)
    return new, chosen


def ensure_migrated(
    source: str | None, run_id: str | None, chosen: Options, console: Console
) -> tuple[Run, Options]:
    """The run to build and verify, and the choices for it: what is not migrated yet, or for another
    target or scope, is migrated first. The failed builds of an earlier command are forgotten."""
    from porter.stages import build, migrate, session

    run, options = continue_run(source, run_id, chosen, console)
    kept = run.load()
    done = kept.stage("migrate") is not None and session.aims_at(kept, options.target)
    done = done and options.scope in (None, kept.analysis.scope)
    if not done and not session.is_untouched(kept):
        run, options = continue_run(source, run_id, chosen, console, anew=True)
        migrate.migrate(run, options, console)
    build.forget_failures(run)
    return run, options


def write_json(value: object, console: Console) -> None:
    import json

    console.write(json.dumps(value, indent=2))


def write_file(path: Path, text: str, console: Console) -> None:
    """Write a result where the user wants it, `-` being stdout.

    Raises UsageError where that cannot be.
    """
    from porter.host import files

    if str(path) == "-":
        console.write(text)
        return
    real = path.resolve()
    try:
        if real.exists() and not real.is_file():  # a pipe, a device
            real.write_text(text, encoding="utf-8")
        else:
            files.replace(real, text, stat.S_IMODE(real.stat().st_mode) if real.exists() else None)
    except OSError as error:
        raise UsageError(
            f"cannot write {path}: {error.strerror}", hint="name a file in a folder that exists"
        ) from error
    console.note(f"written: {path}")


def finish(
    kept: RunRecord,
    json: bool,
    console: Console,
    remains: bool,
    only: str | None = None,
    page: Path | None = None,
) -> None:
    """Show a record and leave with its exit code; `only` shows the part of one stage, and `page`
    is where the same is as HTML."""
    from porter.report import text
    from porter.report.json import encode

    if json:
        console.write(encode(kept))
    else:
        console.show(*text.render(kept, only))
    if page is not None:
        console.note(f"report: {page}")
    raise typer.Exit(ExitCode.REMAINS if remains else ExitCode.CLEAN)


def finish_parity(
    results: Sequence[ParityResult], json: bool, junit: Path | None, console: Console
) -> NoReturn:
    """Show how parity cases fared and leave with the exit code, 0 where every case agrees."""
    from porter.model import Status
    from porter.report import parity as report
    from porter.report.junit import junit_of_parity

    if junit is not None:
        write_file(junit, junit_of_parity(results), console)
    if json:
        console.write(report.encode(results))
    else:
        console.show(*report.render(results))
    agree = all(result.status is Status.OK for result in results)
    raise typer.Exit(ExitCode.CLEAN if agree else ExitCode.REMAINS)


def wheel(path: Path, options: Options, json: bool, console: Console) -> None:
    """Show what a wheel needs of torch. Raises Exit with 1 where the target lacks some of it."""
    from porter import targets
    from porter.report.wheel import document, text

    if not path.is_file():
        raise UsageError(f"there is no {path}", hint="name a wheel, or a repository")
    target, _ = targets.resolve(options.target)
    found = target.symbols_of_wheel(path)
    if found is None:
        raise UsageError(
            f"{target.title} cannot use wheels built for torch",
            hint="analyze the sources: porter analyze pypi:NAME==VERSION",
        )
    console.write(document(path, target, found) if json else text(path, target, found))
    if found.missing:
        raise typer.Exit(ExitCode.REMAINS)
