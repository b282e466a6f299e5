"""What porter asks of a framework: how to install it, enter it and compile against it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, runtime_checkable

from porter.model import Device

# What the build scripts of operator repositories expect to find, beside the framework.
# Each at one version, so that an environment of today is that of tomorrow. setuptools 81 and newer
# have no pkg_resources, which older build scripts import; pip comes with the interpreter.
TOOLS = (
    "setuptools==80.10.2",
    "wheel==0.48.0",
    "pip>=23.1",
    "pytest==9.2.0",
    "ninja==1.13.2",
    "numpy==2.4.6",
    "packaging==26.4",
)
# What torch_npu imports and does not require, itself or in torch_npu.testing and torchair.
BESIDE_TORCH_NPU = (
    "attrs==26.1.0",
    "decorator==5.3.1",
    "expecttest==0.3.0",
    "hypothesis==6.170.17",
    "protobuf==7.36.2",
    "psutil==7.2.2",
    "pyyaml==6.0.4",
    "scipy==1.17.1",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class EnvironmentSpec:
    """A base environment to make: requirements, and where a CPU build of them can be had."""

    framework: str
    version: str
    device: Device
    requirements: tuple[str, ...]
    index: str  # the vendor's index for this device; asked only where the user's own does not do
    override: str  # environment variable that names another index


@dataclass(frozen=True, slots=True, kw_only=True)
class Environment:
    """An interpreter that has a framework, as a probe found it."""

    python: Path
    framework: str
    version: str
    build: str  # cpu, cuda, rocm, npu
    root: str = ""  # folder of the framework's package
    include: str = ""  # folder of Python.h
    paths: tuple[str, ...] = ()  # its site-packages, in order
    proxy: bool = False  # can stand in for torch
    downloader: Path | None = None  # an interpreter with pip that no code of a repository changes

    def variables(self) -> dict[str, str]:
        """Environment variables under which this interpreter's own scripts are found first."""
        folders = [str(self.python.parent)]
        folders += [str(p) for p in scripts_of(self.paths) if str(p) not in folders]
        path = os.pathsep.join([*folders, os.environ.get("PATH", "")])
        return {"PATH": path, "PYTHONNOUSERSITE": "1", "PYTHONUNBUFFERED": "1"}


def scripts_of(paths: tuple[str, ...]) -> tuple[Path, ...]:
    """The bin folders that belong to site-packages folders `<prefix>/lib/pythonX.Y/...`."""
    bins = (Path(path).parent.parent.parent / "bin" for path in paths)
    return tuple(folder for folder in bins if folder.is_dir())


@dataclass(frozen=True, slots=True, kw_only=True)
class CompileArguments:
    """How one translation unit is compiled against a framework, without its build system."""

    includes: tuple[str, ...]
    defines: tuple[str, ...]
    flags: tuple[str, ...]
    stand_ins: Mapping[str, str]  # header path -> text, for generated headers the build lacks
    compat: str = ""  # folder of the headers that stand in for torch's, if they are not torch's own

    def argv(self) -> tuple[str, ...]:
        return (*self.flags, *self.defines, *(f"-I{folder}" for folder in self.includes))


@runtime_checkable
class Framework(Protocol):
    """A framework that operators are built for and run under, torch included."""

    @property
    def name(self) -> str: ...
    @property
    def default_version(self) -> str: ...
    @property
    def distributions(self) -> tuple[str, ...]:
        """Names of the packages that install it, normalised."""
        ...

    @property
    def activation(self) -> Mapping[str, str]:
        """Environment variables that make a ported tree choose this framework."""
        ...

    @property
    def prelude(self) -> str:
        """Python that a worker runs before it imports torch."""
        ...

    @property
    def ported(self) -> Mapping[str, str]:
        """Distributions that require torch, normalised -> ports of them to this framework: other
        distributions of the same modules and versions."""
        ...

    @property
    def failure_marks(self) -> tuple[str, ...]:
        """Regular expressions of output lines that mean failure, whatever the exit status."""
        ...

    @property
    def probe(self) -> str:
        """Python that sets `version`, `build`, `root` and `proxy` of the running interpreter."""
        ...

    def environment(self, version: str, device: Device) -> EnvironmentSpec: ...

    def compile_arguments(
        self, environment: Environment, *, cuda_source: bool, device: Device
    ) -> CompileArguments:
        """How to compile one unit directly; `cuda_source` says that nvcc is the compiler."""
        ...


@runtime_checkable
class Target(Framework, Protocol):
    """A framework to port to."""

    @property
    def pack(self) -> str:
        """Folder below rules/."""
        ...

    @property
    def dual(self) -> str:
        """What one tree for two frameworks means for this target, in one sentence; or nothing."""
        ...

    @property
    def stages(self) -> tuple[str, ...]:
        """The stages of a run that this target has."""
        ...

    @property
    def devices(self) -> tuple[Device, ...]:
        """Those it can be ported to."""
        ...

    @property
    def beside(self) -> str:
        """The framework that it extends and whose names it has too; or nothing."""
        ...

    def shipped(self) -> tuple[str, ...]:
        """Versions whose surface porter ships, oldest first."""
        ...

    def refuse(self, version: str) -> str | None:
        """Why a version cannot be ported to, or nothing."""
        ...
