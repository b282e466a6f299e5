"""The frameworks porter knows, in one explicit table."""

from __future__ import annotations

import difflib
from collections.abc import Mapping

from porter.errors import UsageError
from porter.model import Device, ProjectFacts
from porter.targets.paddle import Paddle
from porter.targets.protocol import (
    CompileArguments,
    Environment,
    EnvironmentSpec,
    Framework,
    Target,
)
from porter.targets.torch import Torch
from porter.targets.torch_npu import TorchNpu

__all__ = [
    "SOURCE",
    "TARGETS",
    "CompileArguments",
    "Environment",
    "EnvironmentSpec",
    "Framework",
    "Target",
    "framework",
    "resolve",
    "source",
]

SOURCE: Framework = Torch()
TARGETS: Mapping[str, Target] = {"paddle": Paddle(), "torch_npu": TorchNpu()}


def resolve(written: str) -> tuple[Target, str]:
    """The target and version of `paddle==3.3.1`, or of `paddle` at its default version.

    Raises UsageError: unknown target, malformed or refused version.
    """
    name, separator, version = (part.strip() for part in written.partition("=="))
    target = TARGETS.get(name.lower())
    if target is None:
        raise UsageError(f"unknown target {name!r}", hint=_suggest(name))
    if separator and not version:
        raise UsageError(f"{written!r} names no version", hint=f"write `{target.name}==X.Y.Z`")
    version = version or target.default_version
    reason = target.refuse(version)
    if reason is not None:
        shipped = ", ".join(target.shipped()) or target.default_version
        raise UsageError(reason, hint=f"versions porter ships data for: {shipped}")
    return target, version


def framework(name: str) -> Framework:
    """The framework of a cell's environment; raises UsageError for an unknown one."""
    found = SOURCE if name == SOURCE.name else TARGETS.get(name)
    if found is None:
        raise UsageError(f"unknown framework {name!r}", hint=_suggest(name))
    return found


def source(device: Device) -> Framework:
    """What operators run under on a device before they are ported: torch, on an NPU with its
    extension."""
    return TARGETS["torch_npu"] if device is Device.NPU else SOURCE


def concerned(target: str | None, facts: ProjectFacts) -> bool:
    """Whether a repository has something for a target: code of torch, or, where the target is for
    NPUs, kernels for them, which need no torch."""
    found = TARGETS.get(target or "")
    for_npus = found is not None and found.devices == (Device.NPU,)
    return facts.uses_torch or (for_npus and facts.ascend is not None)


def _suggest(name: str) -> str:
    spelled = {d: t.name for t in TARGETS.values() for d in (t.name, *t.distributions)}
    close = difflib.get_close_matches(name.lower(), spelled, n=1)
    if close:
        return f"did you mean `{spelled[close[0]]}`?"
    return "known targets: " + ", ".join(sorted(TARGETS))
