"""The frameworks that porter knows: a folder here each, or an installed package that brings one.

A folder `porter/targets/<name>/` states `TARGET`. A distribution states an entry point of the group
`porter.targets`, whose value is the same. The folders need no entry points: a checkout works
without an installation, and an installation can't be of another version than they are.
"""

from __future__ import annotations

import difflib
import pkgutil
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path

from porter.ascend.names import Names, merge_names
from porter.errors import EnvironmentFailed, UsageError
from porter.host.home import rules_home
from porter.model import Device, ProjectFacts
from porter.targets.protocol import (
    CompileArguments,
    Environment,
    Framework,
    Target,
)
from porter.targets.proxy import Proxy
from porter.targets.torch import SOURCE

__all__ = [
    "BUILT_IN",
    "DEFAULT",
    "GROUP",
    "SOURCE",
    "TARGETS",
    "CompileArguments",
    "Environment",
    "Framework",
    "Target",
    "framework",
    "frameworks",
    "home_of",
    "npu_names",
    "proxies",
    "redirects",
    "resolve",
    "source",
    "torch_modules",
]

GROUP = "porter.targets"


def _find_built_in() -> Iterator[tuple[str, Target]]:
    for folder in sorted(pkgutil.iter_modules(__path__), key=lambda module: module.name):
        if folder.ispkg:
            target = getattr(import_module(f"{__name__}.{folder.name}"), "TARGET", None)
            if target is not None:
                yield target.name, target


@cache
def _find_installed() -> Mapping[str, Target]:
    found: dict[str, Target] = {}
    for entry in sorted(entry_points(group=GROUP), key=lambda entry: entry.name):
        target = _load_entry(entry)
        if target.name in BUILT_IN or target.name in found:
            raise EnvironmentFailed(
                f"{_owner(entry)} provides the target {target.name!r}, which already exists",
                hint=f"uninstall one of them: pip uninstall {_owner(entry)}",
            )
        found[target.name] = target
    return found


def _load_entry(entry: EntryPoint) -> Target:
    """The target of an entry point; raises EnvironmentFailed where it has none."""
    hint = f"update or uninstall it: pip uninstall {_owner(entry)}"
    try:
        target = entry.load()
    except Exception as error:  # whatever the code of a distribution raises, it is that one's fault
        said = f"{type(error).__name__}: {error}"
        message = f"the target {entry.name!r} of {_owner(entry)} cannot be loaded: {said}"
        raise EnvironmentFailed(message, hint=hint) from error
    if not isinstance(target, Target):
        lacking = f"{entry.value} is not a porter.targets.Target"
        raise EnvironmentFailed(f"the target {entry.name!r} of {_owner(entry)}: {lacking}", hint)
    return target


def _owner(entry: EntryPoint) -> str:
    return entry.dist.name if entry.dist is not None else "an unknown distribution"


class _Targets(Mapping[str, Target]):
    """All targets by name; what is installed is loaded when it is first asked for."""

    def __getitem__(self, name: str) -> Target:
        return BUILT_IN[name] if name in BUILT_IN else _find_installed()[name]

    def __iter__(self) -> Iterator[str]:
        return iter((*BUILT_IN, *_find_installed()))

    def __len__(self) -> int:
        return len(BUILT_IN) + len(_find_installed())


BUILT_IN: Mapping[str, Target] = dict(_find_built_in())
TARGETS: Mapping[str, Target] = _Targets()
DEFAULT = next(name for name, target in BUILT_IN.items() if target.is_default)


def resolve(written: str | None) -> tuple[Target, str]:
    """The target and version of `NAME==VERSION`, or of `NAME` at its default version; the default
    target for None.

    Raises UsageError: unknown target, malformed or refused version.
    """
    name, separator, version = (part.strip() for part in (written or DEFAULT).partition("=="))
    target = TARGETS.get(name.lower())
    if target is None:
        raise UsageError(f"unknown target {name!r}", hint=_suggest(name))
    if separator and not version:
        raise UsageError(f"{written!r} has no version", hint=f"write `{target.name}==X.Y.Z`")
    version = version or target.default_version
    reason = target.refuse(version)
    if reason is not None:
        shipped = ", ".join(target.surface_versions()) or target.default_version
        raise UsageError(reason, hint=f"versions porter ships data for: {shipped}")
    return target, version


def framework(name: str) -> Framework:
    """The framework of a cell's environment; raises UsageError for an unknown one."""
    found = SOURCE if name == SOURCE.name else TARGETS.get(name)
    if found is None:
        raise UsageError(f"unknown framework {name!r}", hint=_suggest(name))
    return found


def home_of(pack: str) -> Path:
    """The folder that has a pack of rules, its surfaces and polyfills."""
    return next((t.rules for t in TARGETS.values() if t.pack == pack), rules_home())


def frameworks() -> tuple[Framework, ...]:
    """The source framework and all targets."""
    return (SOURCE, *TARGETS.values())


def proxies() -> tuple[Proxy, ...]:
    """How `import torch` can come to mean another framework."""
    return tuple(t.proxy for t in TARGETS.values() if t.proxy is not None)


def torch_modules() -> tuple[str, ...]:
    """What `torch` is in Python: itself, and the modules that stand in for it."""
    return (SOURCE.package, *(proxy.package for proxy in proxies()))


def redirects() -> tuple[str, ...]:
    """Modules whose import puts a target's device in the place of torch.cuda."""
    return tuple(name for target in TARGETS.values() for name in target.redirects)


def npu_names() -> Names:
    """What code for Ascend NPUs names frameworks by."""
    return merge_names(framework.npu_names for framework in frameworks())


def source(device: Device) -> Framework:
    """What operators run under on a device before they are ported: torch, or its extension for
    the device."""
    extensions = (t for t in TARGETS.values() if t.beside == SOURCE.name and device in t.devices)
    return next(extensions, SOURCE)


def is_relevant(target: str | None, facts: ProjectFacts) -> bool:
    """Whether a repository has something for a target: code of torch, or, where the target is for
    NPUs, kernels for them, which need no torch."""
    found = TARGETS.get(target or "")
    for_npus = found is not None and found.for_npus
    return facts.uses_torch or (for_npus and facts.ascend is not None)


def _suggest(name: str) -> str:
    spelled = {d: t.name for t in TARGETS.values() for d in (t.name, *t.distributions)}
    close = difflib.get_close_matches(name.lower(), spelled, n=1)
    if close:
        return f"did you mean `{spelled[close[0]]}`?"
    return "known targets: " + ", ".join(sorted(TARGETS))
