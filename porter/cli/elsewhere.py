"""verify on the machine that a bundle was taken to: no typer there, whose parser is not Python."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from porter.cli import print_error
from porter.console import Console
from porter.errors import ExitCode, PorterError, UsageError
from porter.model import Device
from porter.report import text
from porter.run import store
from porter.stages import everything, verify
from porter.stages.options import Options


def main(arguments: Sequence[str]) -> int:
    """Verify a run with the interpreters named, and show it; the exit code of `porter verify`."""
    chosen = _parser().parse_args(arguments)
    console = Console(quiet=False)
    options = Options(
        source_python=chosen.source_python,
        target_python=chosen.target_python,
        devices=tuple(Device(device) for device in chosen.device),
        tests=chosen.tests,
        parity=chosen.parity,
        timeout=chosen.timeout,
        jobs=chosen.jobs,
        offline=True,
    )
    try:
        for python in filter(None, (options.source_python, options.target_python)):
            if not python.is_file():
                raise UsageError(f"no interpreter at {python}", hint="name a python binary")
        kept = verify.verify(store.find(chosen.run), options, console)
    except PorterError as error:
        print_error(str(error), error.hint)
        return int(error.exit_code)
    console.show(*text.render(kept, "verify"))
    return int(ExitCode.REMAINS if everything.remains(kept) else ExitCode.CLEAN)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="run.py", allow_abbrev=False)
    parser.add_argument("--run", required=True)
    parser.add_argument("--target-python", type=Path, required=True)
    parser.add_argument("--source-python", type=Path)
    devices = [str(device) for device in Device]
    parser.add_argument("--device", action="append", choices=devices, required=True)
    parser.add_argument("--tests")
    parser.add_argument("--parity", type=Path)
    parser.add_argument("--timeout", type=float, default=3600.0)
    parser.add_argument("--jobs", type=int, default=0)
    return parser
