"""What porter asks of a framework. Whoever adds one derives from `Framework` or `Target`.

Members without a default must be stated; the others have a default that means "nothing to say".
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from porter.ascend.names import Names
from porter.errors import EnvironmentFailed
from porter.host.home import rules_home
from porter.model import Device
from porter.targets.conversion import Conversion, Route
from porter.targets.explanation import Explanation
from porter.targets.proxy import Proxy
from porter.targets.versions import shipped_versions

if TYPE_CHECKING:
    from porter.model import Ascend, Surface, WheelSymbols
    from porter.targets.examined import Entry, Examined

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


@dataclass(frozen=True, slots=True, kw_only=True)
class StandIn:
    """A framework's half of an emulated device, compiled against its CPU build.

    `root` is the folder of the framework's package, `toolkit` the folder of the device's toolkit.
    """

    libraries: tuple[str, ...]  # below lib64 of the toolkit: the first is made, others are links
    sources: tuple[Path, ...]
    beside: tuple[Path, ...] = ()  # other files that it is made of
    flags: Callable[[Path], tuple[str, ...]]  # root -> how its sources are compiled
    linked: Callable[[Path], tuple[str, ...]]  # root -> what it is linked with
    prepare: Callable[[Path, Path], None] | None = None  # toolkit, root: what is to be there first
    # Python that processes of a cell start with: the first has `actions(toolkit)`
    modules: tuple[Path, ...]

    def parts(self) -> tuple[Path, ...]:
        return (*self.sources, *self.beside)


@runtime_checkable
class Framework(Protocol):
    """A framework that operators are built for and run under, torch included."""

    @property
    def name(self) -> str:
        """As users write it after `--target`."""
        ...

    @property
    def default_version(self) -> str: ...

    @property
    def distributions(self) -> tuple[str, ...]:
        """Names of the packages that install it, normalised."""
        ...

    @property
    def activation(self) -> Mapping[str, str]:
        """Environment variables that make a ported tree choose this framework; in each process
        PORTER_FRAMEWORK is the module that stands in for torch, or `torch`."""
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

    @property
    def title(self) -> str:
        """Its name in a sentence."""
        return self.name

    @property
    def package(self) -> str:
        """The module that is imported."""
        return self.name

    @property
    def namespaces(self) -> tuple[str, ...]:
        """Namespaces of its C++ names."""
        return ()

    @property
    def tensor_namespaces(self) -> tuple[str, ...]:
        """Those that have its tensor's class and what makes tensors."""
        return self.namespaces[:1]

    @property
    def aliases(self) -> tuple[str, ...]:
        """Other names of distributions that bring it: no project gets them installed, either."""
        return ()

    @property
    def prelude(self) -> str:
        """Python that a worker runs before it imports torch."""
        return ""

    @property
    def ported(self) -> Mapping[str, str]:
        """Distributions that require torch, normalised -> ports of them to this framework: other
        distributions of the same modules and versions."""
        return {}

    @property
    def npu_names(self) -> Names:
        """What code for Ascend NPUs names it by."""
        return Names()

    @property
    def entry_generator(self) -> str:
        """The Python module whose run writes the sources of entries in yaml; or nothing."""
        return ""

    @property
    def failure_marks(self) -> tuple[str, ...]:
        """Regular expressions of output lines that mean failure, whatever the exit status."""
        return ()

    @property
    def explanations(self) -> tuple[Explanation, ...]:
        """What its messages mean, the most specific first."""
        return ()

    def stand_in(self, device: Device) -> StandIn | None:
        """Its half of an emulated device; None where the device is not emulated for it."""
        return None

    def examine_entries(self, python: Path, entries: Path, work: Path) -> tuple[Entry, ...]:
        """The operators of a yaml file of which its generator writes the adapters; raises
        EnvironmentFailed where they cannot be read."""
        return ()

    def examine_graphs(
        self,
        python: Path,
        modules: Sequence[str],
        cases: Sequence[Mapping[str, Any]],
        work: Path,
    ) -> tuple[Examined, ...]:
        """Compile operators in its graph mode, one result a case; raises EnvironmentFailed where
        it has none."""
        raise EnvironmentFailed(f"{self.title} has no graph mode that porter supports", hint="")


@runtime_checkable
class Target(Framework, Protocol):
    """A framework to port to."""

    @property
    def devices(self) -> tuple[Device, ...]:
        """Those it can be ported to."""
        ...

    def refuse(self, version: str) -> str | None:
        """Why a version cannot be ported to, or nothing."""
        ...

    @property
    def pack(self) -> str:
        """Folder below rules/."""
        return self.name

    @property
    def rules(self) -> Path:
        """The folder that has its pack; another one than porter's, if it brings its own."""
        return rules_home()

    def surface_versions(self) -> tuple[str, ...]:
        """Versions that there is a surface of, oldest first."""
        return shipped_versions(self.pack, self.rules)

    @property
    def shared_packs(self) -> tuple[str, ...]:
        """Folders below rules/ whose rules hold for this target too."""
        return ()

    @property
    def is_default(self) -> bool:
        """Whether it is meant where the user names no target."""
        return False

    @property
    def stages(self) -> tuple[str, ...]:
        """The stages of a run that this target has; commands of others are refused."""
        return ("analyze", "migrate", "build", "verify", "report")

    @property
    def beside(self) -> str:
        """The framework that it extends and whose names it has too; or nothing."""
        return ""

    @property
    def proxy(self) -> Proxy | None:
        """How `import torch` comes to mean it; None where torch itself is there."""
        return None

    @property
    def words(self) -> frozenset[str]:
        """Names and strings by which a condition in Python asks for it."""
        return frozenset({self.package})

    @property
    def macros(self) -> tuple[str, ...]:
        """Words in `#if` and in conditions of build files by which code asks for it."""
        return ()

    @property
    def architectures(self) -> str:
        """The environment variable that its builder reads GPU architectures from; or nothing."""
        return ""

    def symbols_of_wheel(self, wheel: Path) -> WheelSymbols | None:
        """What a wheel that was built for torch needs of it, and whether that is there; None where
        no such wheel can be used. Raises UsageError where it cannot be read."""
        return None

    def wheel_requires(self, version: str, build: str, *, native: bool) -> tuple[str, ...] | None:
        """What a ported wheel asks for in the place of torch: made with this version and build, and
        with compiled code or without. None where it needs torch as well."""
        return None

    @property
    def routes(self) -> Mapping[str, Route]:
        """The routes that operators of NPUs can be converted to, by the words of users."""
        return {}

    @property
    def default_route(self) -> str:
        """The route for operators of torch where the user names none; or nothing."""
        return ""

    @property
    def project(self) -> str:
        """The folder that a conversion writes a project for it to, which is built in the place of
        the tree's own; or nothing."""
        return ""

    @property
    def for_npus(self) -> bool:
        """Whether code for NPUs concerns it, and code for CUDA does not."""
        return Device.NPU in self.devices and Device.CUDA not in self.devices

    def convert(
        self,
        tree: Mapping[str, bytes],
        look: Callable[[Mapping[str, bytes]], Ascend | None],
        route: str,
    ) -> Conversion:
        """The operators of a tree that reach it by other routes, by this one of `routes`; `look`
        recognises what a tree has."""
        return Conversion()

    @property
    def redirects(self) -> tuple[str, ...]:
        """Modules whose import puts its device in the place of torch.cuda."""
        return ()

    def capture(self, ask: Callable[[Path], Any], logs: Path) -> Surface | None:
        """Its surface, where it is not asked for by a proxy of torch; `ask` has a script run by
        the interpreter that has the framework, and gives its answer."""
        return None
