"""A build script that asks torch for all that build scripts ask, with the package where it is.

Each line is what it asks and the answer; of what depends on the framework's own build, its kind.
"""

import os
import subprocess
import tempfile

try:
    import porter_compat  # noqa: F401
except ImportError:
    pass

import torch
from torch.utils import cpp_extension
from torch.utils.cpp_extension import (
    CLIB_EXT,
    CLIB_PREFIX,
    COMMON_NVCC_FLAGS,
    CUDA_HOME,
    CUDNN_HOME,
    EXEC_EXT,
    IS_HIP_EXTENSION,
    IS_LINUX,
    IS_MACOS,
    IS_WINDOWS,
    LIB_EXT,
    MINIMUM_GCC_VERSION,
    ROCM_HOME,
    ROCM_VERSION,
    SHARED_FLAG,
    SUBPROCESS_DECODE_ARGS,
    TORCH_LIB_PATH,
    check_compiler_is_gcc,
    check_compiler_ok_for_platform,
    get_compiler_abi_compatibility_and_version,
    get_cxx_compiler,
    include_paths,
    is_ninja_available,
    library_paths,
    verify_ninja_availability,
)


def said(function, *arguments):
    try:
        return function(*arguments)
    except Exception as error:
        return type(error).__name__


def define(name):
    """As scripts do: a setting that may be missing becomes a flag of the compiler."""
    try:
        info = getattr(torch._C, name)()
    except AttributeError:
        return None
    return "AT_PARALLEL_OPENMP" if "backend: OpenMP" in info else "AT_PARALLEL_NATIVE"


def links(folder):
    """Whether an extension that names torch's libraries, as plain setuptools.Extension does, is linked."""
    names = ("c10", "torch", "torch_cpu", "torch_python")
    given = [*(f"-L{path}" for path in library_paths()), *(f"-l{name}" for name in names)]
    command = ["g++", "-shared", "-x", "c++", os.devnull, "-x", "none", "-o", f"{folder}/a.so", *given]
    return subprocess.run(command, check=False).returncode == 0


FOLDER = tempfile.TemporaryDirectory()
values = {
    "suffixes": (LIB_EXT, CLIB_EXT, EXEC_EXT, CLIB_PREFIX, SHARED_FLAG),
    "platform": (IS_LINUX, IS_MACOS, IS_WINDOWS, SUBPROCESS_DECODE_ARGS),
    "homes": (CUDA_HOME, CUDNN_HOME, ROCM_HOME, ROCM_VERSION, IS_HIP_EXTENSION),
    "cuda home": said(cpp_extension._join_cuda_home, "bin") if CUDA_HOME else "none",
    "flags": isinstance(COMMON_NVCC_FLAGS, list),
    "compiler": (get_cxx_compiler(), check_compiler_is_gcc("g++"), check_compiler_ok_for_platform("g++")),
    "no compiler": (check_compiler_ok_for_platform("no-such"), check_compiler_is_gcc("no-such")),
    "gcc": get_compiler_abi_compatibility_and_version("g++"),
    "a version": get_compiler_abi_compatibility_and_version("g++")[1] > MINIMUM_GCC_VERSION,
    "unknown": get_compiler_abi_compatibility_and_version("no-such"),
    "ninja": (is_ninja_available(), said(verify_ninja_availability)),
    "cuda file": (cpp_extension._is_cuda_file("a.cu"), cpp_extension._is_cuda_file("a.cpp")),
    "folders": all(os.path.isdir(path) for path in [*include_paths(), *library_paths(), TORCH_LIB_PATH]),
    "links": links(FOLDER.name),
    "torch.h": any(os.path.isfile(f"{path}/torch/extension.h") for path in include_paths()),
    "cmake": os.path.isdir(torch.utils.cmake_prefix_path),
    "abi": (torch._C._GLIBCXX_USE_CXX11_ABI, torch.compiled_with_cxx11_abi()),
    "parallel": define("_parallel_info"),
    "parallel again": "backend: OpenMP" in torch.__config__.parallel_info(),
    "shown": [torch.__config__.show().splitlines()[0], "USE_OPENMP=ON" in torch._C._show_config()],
    "built with": (torch.backends.openmp.is_available(), torch._C.has_openmp, torch._C._has_cuda),
    "backends": (torch.backends.cuda.is_built(), torch.backends.mps.is_built(), torch.backends.mps.is_available()),
    "capability": torch.backends.cpu.get_cpu_capability(),
    "version": (torch.version.cuda, torch.version.hip, torch.version.debug),
    "kinds": (type(torch.__version__.split(".")).__name__, type(torch.version.git_version).__name__),
}
for name, value in values.items():
    print(name, value)
