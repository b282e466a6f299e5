"""Triton kernels on a CPU: which cells interpret them, and the file that makes it possible."""

from __future__ import annotations

from pathlib import Path

from porter.host.home import WORKERS
from porter.model import Device, ProjectFacts

PLUGIN = WORKERS / "triton_cpu.py"
NOTE = "triton.interpreted"  # what it writes down of a test that launched a kernel
SAID = "Triton kernels interpreted on the CPU"


def plugins(facts: ProjectFacts | None, device: Device) -> tuple[Path, ...]:
    """What a process is to run first: nothing where kernels run on their own device."""
    wanted = device is Device.CPU and facts is not None and "triton" in facts.kernels
    return (PLUGIN,) if wanted else ()
