"""Which devices this machine has, by the files their drivers make."""

from __future__ import annotations

from pathlib import Path

from porter.model import Device

_MARKS = {
    Device.CUDA: ("nvidia[0-9]*", "dxg"),  # dxg: a GPU shared with Windows
    Device.NPU: ("davinci[0-9]*",),
}


def present(folder: Path = Path("/dev")) -> tuple[Device, ...]:
    """The CPU, and the accelerators whose device files are there."""
    found = [
        device
        for device, patterns in _MARKS.items()
        if any(True for pattern in patterns for _ in folder.glob(pattern))
    ]
    return (Device.CPU, *found)


def devices_with_kernels(kernels: tuple[str, ...]) -> tuple[Device, ...]:
    """The devices that a repository has code for; every one can be asked to run on the CPU."""
    found = [Device.CPU]
    if {"cuda", "triton", "tilelang"} & set(kernels):
        found.append(Device.CUDA)
    if "ascendc" in kernels:
        found.append(Device.NPU)
    return tuple(found)
