"""The plan of a fleet, `repos.toml`: from its entries to tasks, each named by all it depends on."""

from __future__ import annotations

import hashlib
import inspect
import itertools
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import porter
from porter import targets
from porter.errors import PorterError, UsageError
from porter.host import threads
from porter.host.home import PACKAGE, rules_home
from porter.languages.data import read_toml
from porter.model import Device
from porter.sources.pinned import Pinned, pin
from porter.sources.repository import mask_credentials

PAGE = "how-to/fleet.md"
COMMANDS = {"analyze": False, "migrate": False, "build": True, "port": True}  # takes a device?
DEVICES = (*Device, "emulated")
UNITS = {Device.CUDA: "GPU", Device.NPU: "NPU"}  # what a device is called as a resource
GIGABYTE = 10**9
ASKED = 8  # repositories whose commits are asked for at once
_KINDS: Mapping[str, type] = {
    **{"source": str, "name": str, "command": str, "timeout": float},
    **{"targets": list, "devices": list, "arguments": list, "needs": dict, "environment": dict},
}
_DEFAULTS: Mapping[str, Any] = {
    **{"command": "port", "timeout": 86400.0, "targets": [""], "devices": ["cpu"]},
    **{"arguments": [], "needs": {}, "environment": {}},
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """One row of the table: a repository for one version of a target on one device."""

    key: str  # a digest of all that the result depends on
    repository: str  # as people call it
    source: str
    kind: str
    content: str  # of the source: commit, version, or git's id of a folder's tree
    target: str  # NAME==VERSION
    device: str
    command: str = "port"
    arguments: tuple[str, ...] = ()
    environment: Mapping[str, Any] = field(default_factory=dict)  # as a runtime_env of Ray
    needs: Mapping[str, float] = field(default_factory=dict)  # by Ray's names; memory in GB
    timeout: float = 86400.0
    porter: str  # the digest of the porter that made the plan
    problem: str = ""  # why it cannot be run

    @property
    def row(self) -> tuple[str, str, str]:
        """What it is, whatever it depends on."""
        return self.repository, self.target, self.device

    @property
    def cpus(self) -> float:
        return self.needs.get("CPU", 1.0)


@cache
def digest_of_porter() -> str:
    """A digest of porter's code and rules and of installed targets, the same on every machine."""
    found = hashlib.sha256(porter.__version__.encode())
    own = (Path(inspect.getfile(type(each))).parent for each in targets.frameworks())
    roots = [PACKAGE, rules_home(), *(path for path in own if not path.is_relative_to(PACKAGE))]
    for root in roots:
        for path in sorted(root.rglob("*")):
            name = path.relative_to(root)
            if {"__pycache__", "_docs"} & {*name.parts} or not path.is_file():
                continue
            if name.parts[0] != "_rules":
                found.update(f"{name}\0{path.stat().st_size}\0".encode() + path.read_bytes())
    return found.hexdigest()


def read(path: Path) -> tuple[Task, ...]:
    """Read a plan and ask for the commits of its sources; a source that cannot be had is a task
    with a problem. Raises UsageError."""
    try:
        written = read_toml(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}", hint=f"see {PAGE}") from error
    except ValueError as error:
        raise UsageError(f"{path}: not TOML: {error}", hint=f"see {PAGE}") from error
    listed = written.pop("repository", [])
    if not isinstance(listed, list) or not listed or not all(isinstance(e, dict) for e in listed):
        raise UsageError(f"{path} has no [[repository]]", hint=f"see {PAGE}")
    _check(f"{path}", written)
    entries = []
    for number, own in enumerate(listed, 1):
        _check(f"{path}, repository {number}", own)
        entries.append({**_DEFAULTS, **written, **own})
        if "source" not in own:
            raise UsageError(f"{path}, repository {number} has no source", hint=f"see {PAGE}")
    folder = path.absolute().parent
    sources = list(dict.fromkeys(_place(entry["source"], folder) for entry in entries))
    with threads.pool(ASKED) as pool:
        pins = dict(zip(sources, pool.map(_pin, sources), strict=True))
    tasks = tuple(
        _task(entry, pins[_place(entry["source"], folder)], target, device, folder)
        for entry in entries
        for target, device in itertools.product(entry["targets"], entry["devices"])
    )
    _require_names(tasks, path)
    return tasks


def _check(where: str, written: Mapping[str, Any]) -> None:
    """Raise UsageError for a key that there is not, and for a value of another kind."""
    for key, value in written.items():
        if key not in _KINDS:
            raise UsageError(f"{where}: unknown key {key!r}", hint="one of: " + ", ".join(_KINDS))
        kind = _KINDS[key]
        if not (_is_number(value) if kind is float else isinstance(value, kind)):
            raise UsageError(f"{where}: {key} is of another type", hint=f"see {PAGE}")
        if kind is list and not all(isinstance(each, str) for each in value):
            raise UsageError(f"{where}: {key} is a list of strings", hint=f"see {PAGE}")
        if key in ("targets", "devices") and not value:
            raise UsageError(f"{where}: {key} is empty", hint="leave it out for the default")
        if key == "needs" and not all(map(_is_number, value.values())):
            raise UsageError(f"{where}: needs has positive numbers", hint=f"see {PAGE}")
        if key == "environment" and not _has_texts(value.get("env_vars", {})):
            raise UsageError(f"{where}: env_vars has strings", hint=f"see {PAGE}")
        words = {"devices": DEVICES, "command": tuple(COMMANDS)}.get(key)
        for each in value if isinstance(value, list) else [value]:
            if words and each not in words:
                raise UsageError(f"{where}: no {key} {each!r}", hint="one of: " + ", ".join(words))


def _has_texts(value: object) -> bool:
    return isinstance(value, dict) and all(isinstance(each, str) for each in value.values())


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 < value < 1e12


def _place(text: str, folder: Path) -> str:
    """A path that begins with a dot is one from the plan's folder."""
    return os.path.normpath(f"{folder}/{text}") if text.startswith(("./", "../")) else text


def _pin(source: str) -> Pinned | PorterError:
    try:
        return pin(source)
    except PorterError as error:
        return error


def _task(
    entry: Mapping[str, Any], found: Pinned | PorterError, target: str, device: str, folder: Path
) -> Task:
    chosen, version = targets.resolve(target or None)
    name = entry.get("name", mask_credentials(entry["source"]))
    command, spec = entry["command"], f"{chosen.name}=={version}"
    if device != "cpu" and not COMMANDS[command]:
        raise UsageError(f"{name}: porter {command} takes no device", hint='devices = ["cpu"]')
    arguments = [_place(text, folder) for text in entry["arguments"]]
    what = found.identity if isinstance(found, Pinned) else entry["source"]
    content = found.content if isinstance(found, Pinned) else ""
    about = (name, what, content, digest_of_porter(), spec, device, command, arguments)
    named = [_digest(Path(text)) for text in arguments if Path(text).is_absolute()]
    data = json.dumps([*about, named, entry["environment"]], sort_keys=True, default=str)
    return Task(
        key=hashlib.sha256(data.encode()).hexdigest()[:32],
        repository=name,
        source=found.source if isinstance(found, Pinned) else "",
        kind=found.kind.value if isinstance(found, Pinned) else "",
        content=content,
        target=spec,
        device=device,
        command=command,
        arguments=tuple(arguments),
        environment=entry["environment"],
        needs={"CPU": 1.0, **({UNITS[Device(device)]: 1.0} if device in UNITS else {})}
        | {name: float(number) for name, number in entry["needs"].items()},
        timeout=entry["timeout"],
        porter=digest_of_porter(),
        problem="" if isinstance(found, Pinned) else str(found),
    )


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""


def _require_names(tasks: Sequence[Task], path: Path) -> None:
    rows: dict[tuple[str, str, str], Task] = {}
    for task in tasks:
        if rows.setdefault(task.row, task) is not task:
            raise UsageError(
                f"{path}: {task.repository} is there twice for {task.target}, {task.device}",
                hint="give each entry a name of its own",
            )
