"""What the code of a repository may do while a command runs it: put in force, told, recorded."""

from __future__ import annotations

import contextlib
import dataclasses
import json
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import url2pathname

from porter.host import devices, process
from porter.host.sandbox import NOT_ISOLATED, Mode, Policy, prefixes
from porter.model import Device
from porter.run.record import RunRecord
from porter.run.store import Run
from porter.stages.options import Options, Progress


def enforce(options: Options, progress: Progress, kept: RunRecord | None = None) -> str:
    """Put the user's choice in force for the steps that follow; what is in force, in words.

    Says once a command what is not isolated. Raises EnvironmentFailed where a sandbox is required
    and does not work.
    """
    own = [python for python in (options.source_python, options.target_python) if python]
    own += map(Path, kept.pythons.values() if kept else ())
    changed = process.confine(
        Policy(
            mode=options.sandbox,
            passed=options.passed,
            devices=_devices(options),
            readable=tuple(folder for python in own for folder in _find_needed_folders(python)),
        )
    )
    if changed and options.sandbox is not Mode.OFF and (reason := process.why_no_sandbox()):
        progress.note(
            f"repository code runs without a sandbox ({reason}) and can reach: {NOT_ISOLATED}"
        )
    return process.isolation()


def record_isolation(run: Run, kept: RunRecord, options: Options, progress: Progress) -> RunRecord:
    """The same, and the record that says so."""
    return run.save(dataclasses.replace(kept, isolation=enforce(options, progress, kept)))


def _find_needed_folders(python: Path) -> Iterator[Path]:
    """What an interpreter of the user's needs: also the projects that are installed in place."""
    yield from prefixes(python)
    for path in python.parent.parent.glob("lib/python*/site-packages/*.pth"):
        lines = path.read_text(errors="replace").splitlines()
        yield from (Path(line) for line in lines if line.startswith("/"))
    for path in python.parent.parent.glob("lib/python*/site-packages/*.dist-info/direct_url.json"):
        with contextlib.suppress(ValueError, KeyError, TypeError, OSError):
            told = json.loads(path.read_text())
            if told["dir_info"]["editable"]:
                yield Path(url2pathname(urlsplit(told["url"]).path))


def _devices(options: Options) -> tuple[Device, ...]:
    """Those asked for; else, for a target of the user's own, what stages may choose by it."""
    if options.devices:
        return options.devices
    return devices.present() if options.target_python else ()
