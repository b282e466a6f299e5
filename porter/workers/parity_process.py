"""The process that makes the calls of parity cases: its limits, its settings, its device."""

from __future__ import annotations

import glob
import os
import platform
import sys
from typing import Any

import numpy as np

try:
    import resource
except ImportError:  # Windows
    resource = None  # type: ignore[assignment]


def unavailable(torch: Any, device: str) -> str | None:
    """Why the device cannot be used here, or None."""
    if device == "cpu":
        return None
    plugins = getattr(getattr(torch, "device", None), "get_all_custom_device_type", None)
    if plugins is not None and device in plugins():  # a framework that calls it so
        return None
    module = getattr(torch, device, None)
    if module is None or not hasattr(module, "is_available"):
        return f"this build has no {device}"
    return None if module.is_available() else f"no {device} device is available"


def limit_memory(memory: int) -> None:
    """Ends what takes more than so many bytes besides what is taken now: an error, or a crash."""
    if resource is None or not os.path.exists("/proc/self/status"):
        return
    with open("/proc/self/status", encoding="ascii") as file:
        now = next(int(line.split()[1]) << 10 for line in file if line.startswith("VmData"))
    hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
    limit = now + memory if hard == resource.RLIM_INFINITY else min(now + memory, hard)
    resource.setrlimit(resource.RLIMIT_DATA, (limit, hard))


SETTINGS = {  # of the whole process: how each is read, and how it is put back
    "default dtype": ("get_default_dtype", "set_default_dtype"),
    "threads": ("get_num_threads", "set_num_threads"),
    "gradients": ("is_grad_enabled", "set_grad_enabled"),
    "deterministic algorithms": (
        "are_deterministic_algorithms_enabled",
        "use_deterministic_algorithms",
    ),
}


class State:
    """What a call may change of its process, which the next case is to find as it was."""

    def __init__(self, torch: Any) -> None:
        self.torch = torch
        self.folder = os.getcwd()
        self.variables = dict(os.environ)
        self.children = children()
        self.settings = {}
        for name, functions in SETTINGS.items():
            read, write = (getattr(torch, each, None) for each in functions)
            if read and write:
                self.settings[name] = (read, write, read())

    def put_back(self) -> list[str]:
        """Names what was changed."""
        changed = []
        for name, (read, write, value) in self.settings.items():
            if read() != value:
                changed.append(f"{name}: {value} to {read()}")
                write(value)
        if os.getcwd() != self.folder:
            changed.append("working folder")
            os.chdir(self.folder)
        # new variables stay: compilers keep what they need in some
        names = [k for k, value in self.variables.items() if os.environ.get(k) != value]
        if names:
            changed.append("environment: " + ", ".join(sorted(names)))
            os.environ.update(self.variables)
        return changed

    def count_leftovers(self) -> int:
        """How many processes it started and did not wait for: pools may, and end with this one."""
        return len(children() - self.children)


def children() -> set[int]:
    """Process numbers of what this process has started; none are known outside of Linux."""
    found: set[int] = set()
    for path in glob.glob("/proc/self/task/*/children"):
        try:
            with open(path, encoding="ascii") as file:
                found.update(map(int, file.read().split()))
        except OSError:
            continue
    return found


def environment(torch: Any) -> dict[str, str]:
    """What answers here, in words."""
    name = os.environ.get("PORTER_FRAMEWORK", "torch")
    name = name if name in sys.modules else "torch"  # else nothing stands in for it
    return {
        "framework": name,
        "version": str(getattr(sys.modules.get(name, torch), "__version__", "")),
        "python": platform.python_version(),
        "system": platform.platform(),
    }


def computes(torch: Any, device: str) -> bool:
    """Whether the device still does: some errors leave a queue that is dead for the process."""
    if device == "cpu":
        return True
    try:
        numbers = torch.from_numpy(np.arange(8.0, dtype="float32")).to(device)
        return list((numbers + numbers).cpu().numpy().tolist()) == [2.0 * n for n in range(8)]
    except Exception:
        return False
