"""What a repository is, found without running any of it."""

from __future__ import annotations

from dataclasses import dataclass

from porter.model.ascend import Ascend


@dataclass(frozen=True, slots=True)
class Package:
    """An import package of the repository."""

    name: str
    path: str  # folder, posix, from the repository root


@dataclass(frozen=True, slots=True)
class Extension:
    """A native extension as a build script states it; unknown parts are empty."""

    name: str
    kind: str  # the class called: CppExtension, CUDAExtension, ...
    sources: tuple[str, ...]
    path: str
    line: int
    repeated: bool = False  # stands in a loop or comprehension: may be several
    positional: bool = False  # is given its name or sources by position


@dataclass(frozen=True, slots=True)
class Program:
    """What an installed project starts by itself; without a name it is a plugin of pytest."""

    name: str
    module: str
    function: str  # empty: the module itself


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectFacts:
    """What a repository is, found without executing any of it."""

    builds: tuple[str, ...] = ()  # setuptools, cmake, or the pyproject build backend
    build_scripts: tuple[str, ...] = ()
    extensions: tuple[Extension, ...] = ()
    registration: tuple[str, ...] = ()  # pybind11, TORCH_LIBRARY, custom_op, tvm_ffi, ...
    kernels: tuple[str, ...] = ()  # cuda, triton, tilelang, ascendc, jit-load, ...
    packages: tuple[Package, ...] = ()
    tests: tuple[str, ...] = ()
    conftests: tuple[str, ...] = ()
    pytest_roots: tuple[str, ...] = ()  # folders with settings of pytest, below the root
    programs: tuple[Program, ...] = ()
    scripts: tuple[str, ...] = ()  # benchmarks, examples, notebooks: what nobody installs
    first_modules: tuple[str, ...] = ()  # files that are run first when what uses torch is imported
    vendored: tuple[str, ...] = ()  # folders
    submodules: tuple[str, ...] = ()
    distribution: str | None = None
    torch_files: int = 0  # files, vendored ones not counted, that name torch or its C++ API
    ascend: Ascend | None = None  # None: nothing in it is for Ascend NPUs
    undeclared: tuple[tuple[str, str], ...] = ()  # (file, std::name) that a compiler did not find
    transferred: tuple[str, ...] = ()  # files that import transfer_to_npu, patches that add it

    @property
    def uses_torch(self) -> bool:
        return self.torch_files > 0
