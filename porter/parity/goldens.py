"""Answers of one framework, recorded on one machine and compared with another's elsewhere."""

from __future__ import annotations

import hashlib
import json
import shutil
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path

from porter import __version__
from porter.errors import UsageError
from porter.languages.data import read_table
from porter.model import Device, ParityCase, ParityResult
from porter.parity import cases as parity_cases
from porter.parity import choice
from porter.parity.answers import Answer, load, save_raised
from porter.parity.run import judge_cases, skip_cases
from porter.parity.side import Jobs, Side, ask, repeat_job, write_inputs

NAME = "goldens.json"
CASES = parity_cases.FILE_NAME


@dataclass(frozen=True, slots=True)
class Recorded:
    """What goldens came from; `environment` in words."""

    device: Device
    environment: str
    only: str  # an expression that chose the cases
    jobs: Jobs


def read(folder: Path) -> Recorded:
    """Raises UsageError for a folder without goldens, or with one of its files changed."""
    try:
        kept = read_table((folder / NAME).read_text(encoding="utf-8"))
        files = dict(kept["files"])
        said, device = kept["environment"], Device(kept["device"])
        words = f"{said['framework']} {said['version']} on {device}"
        found = Recorded(device, words, kept["only"], kept["jobs"])
        now = _hashes(folder)
    except (OSError, ValueError, KeyError, TypeError) as error:
        hint = "create it with `porter parity record`"
        raise UsageError(f"{folder} has no readable goldens", hint=hint) from error
    for name, digest in files.items():
        if now.get(name) != digest:
            raise UsageError(
                f"{folder / name} differs from the recorded file",
                hint="copy the complete folder again",
            )
    return found


def record(
    cases: Path, folder: Path, side: Side, device: Device, only: str = ""
) -> tuple[int, int]:
    """Write inputs, answers and what they came from to `folder`: (cases, of these answered).

    Each case is also asked in higher precision and again, as a comparison may want. Raises
    UsageError where there are no cases, where the device is not there, and for a folder that
    has something in it.
    """
    whole = folder.resolve()
    if whole.exists() and (not whole.is_dir() or any(whole.iterdir())):
        raise UsageError(f"{whole} exists and is not empty", hint="give a new folder")
    folder = whole.with_name(f"{whole.name}.partial")  # what was cut short is not taken for whole
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    copy_cases(cases, folder)
    mine = _mine(folder, device, only)
    jobs = write_inputs(mine, folder / "inputs")
    found = ask(_side_at(side, folder, "answers"), jobs, device)
    said = folder / "answers" / "environment.json"
    if found.unavailable or not said.is_file():  # the framework was not even imported
        reason = found.unavailable or found.by_case[0].raised
        raise UsageError(f"nothing recorded: {reason}", hint="check --python and --device")
    for index, answer in found.by_case.items():
        save_raised(folder / "answers", index, answer)
    more = (repeat_job(job, case) for job, case in zip(jobs, mine, strict=True))
    ask(_side_at(side, folder, "again"), list(chain.from_iterable(more)), device)
    kept = {
        "porter_version": __version__,
        "device": str(device),
        "only": only,
        "environment": json.loads(said.read_text(encoding="utf-8")),
        "jobs": jobs,
        "files": _hashes(folder),
    }
    (folder / NAME).write_text(json.dumps(kept, indent=1), encoding="utf-8")
    folder.replace(whole)
    return len(mine), sum(not answer.raised for answer in found.by_case.values())


def replay(folder: Path, side: Side, there: Device | None = None) -> tuple[ParityResult, ...]:
    """Make the recorded calls in another environment and judge its answers by the recorded ones.

    They are made on the device `there`, those that are for it, or on the one that they were
    recorded on. `side.folder` gets the answers. Raises UsageError for a folder without goldens, or
    with one of its files changed.
    """
    folder = folder.resolve()
    kept = read(folder)
    device = there or kept.device
    every = zip(kept.jobs, _mine(folder, kept.device, kept.only), strict=True)
    chosen = [(job, case) for job, case in every if device in case.devices]
    jobs: Jobs = [job | {"call": case.call} for job, case in chosen]
    mine = [case for _, case in chosen]
    if device is not kept.device:  # then results are elsewhere, too
        waived = {"device": f"recorded on {kept.device}"}
        mine = [replace(case, waived={**case.waived, **waived}) for case in mine]
    found = ask(replace(side, given=folder / "inputs"), jobs, device)
    if found.unavailable:
        return skip_cases(mine, device, f"target: {found.unavailable}")

    def again(asked: Jobs) -> dict[int, Answer]:
        answers = ((job["index"], load(folder / "again", job["index"])) for job in asked)
        return {number: answer for number, answer in answers if answer is not None}

    none = Answer(raised="no result was recorded", phase="call")
    recorded = {n: load(folder / "answers", n) or none for n in (job["index"] for job in jobs)}
    return judge_cases(mine, jobs, recorded, found.by_case, again, device)


def _side_at(side: Side, folder: Path, name: str) -> Side:
    logs = folder / "logs"
    logs.mkdir(exist_ok=True)
    return replace(side, name=name, work=folder, cwd=logs)


def copy_cases(cases: Path, folder: Path) -> None:
    """The file of cases, and the Python files beside it that these name."""
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(cases, folder / CASES)
    calls = (call for case in parity_cases.load(cases) for call in (case.call, case.reference))
    for file in {Path(call.rpartition(":")[0]) for call in calls if ".py:" in call}:
        there = folder / file.relative_to(cases.parent.resolve())
        there.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, there)


def _mine(folder: Path, device: Device, only: str) -> tuple[ParityCase, ...]:
    every = choice.choose(parity_cases.load(folder / CASES), only)
    mine = tuple(case for case in every if device in case.devices)
    if not mine:
        raise UsageError(f"no parity case for {device}", hint="see `devices` in parity-cases.md")
    return mine


def _hashes(folder: Path) -> dict[str, str]:
    parts = [folder / CASES, *folder.glob("**/*.py")]
    parts += [path for name in ("inputs", "answers", "again") for path in folder.glob(f"{name}/*")]
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(parts)
    }
