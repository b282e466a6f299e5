"""From flags to options, and from a record to the screen and the exit code."""

from __future__ import annotations

import shlex
import stat
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from porter.errors import ExitCode, UsageError

if TYPE_CHECKING:
    from porter.console import Console
    from porter.run.record import Run, RunRecord
    from porter.stages.options import Options


EMULATED = "emulated"  # as a device: the accelerators that there are kernels for, on the CPU


def progress(json: bool) -> Console:
    from porter.console import Console

    return Console(quiet=json)


def choices(
    *,
    framework: str = "torch",
    target: str | None = None,
    style: str | None = None,
    route: str | None = None,
    review: bool = False,
    notebooks: bool = False,
    no_compiler: bool = False,
    jobs: int = 0,
    source_python: Path | None = None,
    target_python: Path | None = None,
    no_build_isolation: bool = False,
    offline: bool = False,
    needed: list[Path] | None = None,
    prepare: str | None = None,
    timeout: float = 3600.0,
    tests: str | None = None,
    parity: Path | None = None,
    devices: list[str] | None = None,
    sandbox: str = "auto",
    env: list[str] | None = None,
) -> Options:
    """Checked options. Raises UsageError for a word porter does not know."""
    from porter import targets
    from porter.build.cell import nothing_to_build
    from porter.host.sandbox import Mode
    from porter.model import Device, Safety, Style
    from porter.stages.options import Options

    if framework != targets.SOURCE.name:
        hint = f"only {targets.SOURCE.name} is; name the target with --target"
        raise UsageError(f"{framework} is no source framework of porter's", hint=hint)
    if target is not None:
        targets.resolve(target)
    if style is not None and style not in tuple(Style):
        raise UsageError(f"unknown style {style!r}", hint="one of: " + ", ".join(Style))
    if sandbox not in tuple(Mode):
        raise UsageError(f"unknown sandbox {sandbox!r}", hint="one of: " + ", ".join(Mode))
    if route is not None:
        _check_route(route, target)
    known = (*Device, EMULATED)
    for device in devices or ():
        if device not in known:
            raise UsageError(f"unknown device {device!r}", hint="one of: " + ", ".join(known))
    named = tuple(Device(device) for device in devices or () if device != EMULATED)
    emulated = EMULATED in (devices or ())
    if emulated and {*named} - {Device.CPU}:
        raise UsageError(
            f"--device emulated stands in for {max(named)}: both at once cannot be told apart",
            hint="name one of them, and run again with the other",
        )
    for python in (source_python, target_python):
        if python is not None and not python.is_file():
            raise UsageError(f"no interpreter at {python}", hint="give the path of a python binary")
    for folder in needed or ():
        if reason := nothing_to_build(folder):
            raise UsageError(f"--with {folder}: {reason}", hint="name the root of its ported tree")
    if parity is not None and not parity.is_file():
        raise UsageError(f"no parity cases at {parity}", hint="see docs/reference/parity-cases.md")
    return Options(
        target=target,
        style=Style(style) if style else None,
        route=route,
        gate=Safety.REVIEW if review else Safety.SAFE,
        notebooks=notebooks,
        compiler=not no_compiler,
        jobs=jobs,
        source_python=source_python and source_python.absolute(),
        target_python=target_python and target_python.absolute(),
        isolation=not no_build_isolation,
        offline=offline,
        needed=tuple(folder.resolve() for folder in needed or ()),
        prepare=None if prepare is None else _words(prepare),
        timeout=timeout,
        tests=tests,
        parity=parity,
        devices=named,
        sandbox=Mode(sandbox),
        passed=tuple(env or ()),
        emulated=emulated,
    )


def _words(command: str) -> tuple[str, ...]:
    try:
        return tuple(shlex.split(command))
    except ValueError as error:
        raise UsageError(f"--prepare {command!r}: {error}", hint="close the quotes") from error


def _check_route(route: str, target: str | None) -> None:
    from porter import targets
    from porter.ascend.routes.convert import ROUTES

    if route not in ROUTES:
        raise UsageError(f"unknown route {route!r}", hint="one of: " + ", ".join(ROUTES))
    chosen, _ = targets.resolve(target)
    if not chosen.has_routes:
        named = " or ".join(
            f"`--target {t.name}`" for t in targets.TARGETS.values() if t.has_routes
        )
        raise UsageError(f"--route {route} is for operators of Ascend NPUs", hint=f"with {named}")


def continued(
    source: str | None, run_id: str | None, chosen: Options, console: Console, anew: bool = False
) -> Run:
    """The run to continue; without one, the source is analyzed first; with `anew`, also where
    a local source is no longer what the run has a copy of."""
    from porter.stages import analyze, session

    run = session.open_run(source, run_id, chosen, console)
    if run is None:
        new = session.begin(source or session.default_source(), console)
    else:
        session.claim(run)
        renewed = session.renewed(run, console) if anew and run_id is None else None
        if renewed is None:
            return run
        new = renewed
    analyze.analyze(new, chosen, console)
    return new


def migrated(source: str | None, run_id: str | None, chosen: Options, console: Console) -> Run:
    """The run to build and verify: what is not migrated yet, or for another target, is migrated
    first. The failed builds of an earlier command are forgotten."""
    from porter.stages import build, migrate, session, untouched

    run = continued(source, run_id, chosen, console)
    kept = run.load()
    done = kept.stage("migrate") is not None and session.aims_at(kept, chosen.target)
    if not done and not untouched.is_so(kept):
        run = continued(source, run_id, chosen, console, anew=True)
        migrate.migrate(run, chosen, console)
    build.forget_failures(run)
    return run


def write_file(path: Path, text: str, console: Console) -> None:
    """Write a result where the user wants it. Raises UsageError where that cannot be."""
    from porter.host import files

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
    kept: RunRecord, json: bool, console: Console, remains: bool, only: str | None = None
) -> None:
    """Show a record and leave with its exit code; `only` shows the part of one stage."""
    from porter.report import text
    from porter.report.json import encode

    if json:
        console.write(encode(kept))
    else:
        console.show(*text.render(kept, only))
    raise typer.Exit(ExitCode.REMAINS if remains else ExitCode.CLEAN)
