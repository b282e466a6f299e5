import os
import shutil
import subprocess
import sys

import paddle
from paddle.utils.cpp_extension import extension_utils

from .torch_version import TorchVersion

IS_MACOS = sys.platform == "darwin"
IS_LINUX = sys.platform.startswith("linux")
LIB_EXT, CLIB_EXT = (".pyd", ".dll") if sys.platform == "win32" else (".so", ".so")
EXEC_EXT, CLIB_PREFIX = (".exe", "") if sys.platform == "win32" else ("", "lib")
SHARED_FLAG = "/DLL" if sys.platform == "win32" else "-shared"
SUBPROCESS_DECODE_ARGS = ("oem",) if sys.platform == "win32" else ()
MINIMUM_GCC_VERSION = (5, 0, 0)
TORCH_LIB_PATH = os.path.join(os.path.dirname(paddle.__file__), "base")  # of libpaddle.so
CUDNN_HOME = os.environ.get("CUDNN_HOME") or os.environ.get("CUDNN_PATH")
ROCM_HOME = HIP_HOME = ROCM_VERSION = SYCL_HOME = None
IS_HIP_EXTENSION = False
COMMON_NVCC_FLAGS = getattr(extension_utils, "COMMON_NVCC_FLAGS", [])  # what Paddle's builder uses
COMMON_HIP_FLAGS: list[str] = []
COMMON_HIPCC_FLAGS: list[str] = []
CUDA_GCC_VERSIONS: dict[str, object] = {}  # of no version of CUDA anything is known
CUDA_CLANG_VERSIONS: dict[str, object] = {}


def _find_cuda_home():
    return paddle.utils.cpp_extension.CUDA_HOME


def _join_cuda_home(*paths):
    home = _find_cuda_home() if paddle.is_compiled_with_cuda() else None
    if home is None:
        raise OSError("CUDA_HOME environment variable is not set. Please set it to your CUDA install root.")
    return os.path.join(home, *paths)


def is_ninja_available():
    try:
        subprocess.check_output(["ninja", "--version"])
    except (OSError, subprocess.CalledProcessError):
        return False
    return True


def verify_ninja_availability():
    if not is_ninja_available():
        raise RuntimeError("Ninja is required to load C++ extensions (pip install ninja to get it)")


def get_cxx_compiler():
    return os.environ.get("CXX", "cl" if sys.platform == "win32" else "c++")


def _compiler_says(compiler, *options):
    done = subprocess.run(
        [compiler, *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env={**os.environ, "LC_ALL": "C"},  # what they say is read
    )
    return done.stdout.decode(errors="replace")


def check_compiler_is_gcc(compiler):
    """Whether a compiler is gcc, under whatever name."""
    return shutil.which(compiler) is not None and "gcc version" in _compiler_says(compiler, "-v")


def check_compiler_ok_for_platform(compiler):
    """Whether a compiler is g++ or clang."""
    if sys.platform == "win32":
        return True
    if shutil.which(compiler) is None:
        return False
    said = _compiler_says(compiler, "-v")
    return "clang version" in said or (IS_LINUX and "gcc version" in said)


def get_compiler_abi_compatibility_and_version(compiler):
    """Whether a compiler's objects go with Paddle's, and its version."""
    unchecked = os.environ.get("TORCH_DONT_CHECK_COMPILER_ABI") in ["ON", "1", "YES", "TRUE", "Y"]
    if unchecked or IS_MACOS:
        return (True, TorchVersion("0.0.0"))
    if not check_compiler_ok_for_platform(compiler):
        return (False, TorchVersion("0.0.0"))
    version = _compiler_says(compiler, "-dumpfullversion", "-dumpversion").strip()
    numbers = tuple(int(part) for part in version.split(".") if part.isdigit())
    return (numbers >= MINIMUM_GCC_VERSION, TorchVersion(version))


def _is_cuda_file(path):
    return os.path.splitext(path)[1] in (".cu", ".cuh")


def _get_rocm_arch_flags(cflags=None):
    return []
