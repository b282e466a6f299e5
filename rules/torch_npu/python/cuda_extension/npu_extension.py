"""CUDAExtension and BuildExtension for Ascend NPUs; setup.py takes them where torch_npu is.

Of each `.cu` among the sources the `.asc` beside it is compiled, by bisheng, CANN's compiler.
"""

import os
import re
import subprocess
import sysconfig
from pathlib import Path

import torch
import torch_npu
from torch.utils import cpp_extension
from torch_npu.utils.cpp_extension import NpuExtension

ARCHITECTURE = os.environ.get("NPU_ARCH", "dav-2201")  # Ascend 910B
CUDA_HOME = os.environ.get("ASCEND_HOME_PATH", "/usr/local/Ascend/ascend-toolkit/latest")
_NPU = Path(torch_npu.__file__).parent / "include"
_THIRD = ("acl/inc", "hccl/inc", "op-plugin", "op-plugin/op_plugin/include")
_INCLUDES = [_NPU, *(_NPU / "third_party" / path for path in _THIRD)]
_VERSION = "-DCURRENT_VERSION=V{}R{}".format(*re.findall(r"\d+", torch.__version__)[:2])
_LIBRARIES = re.compile(r"cu(da|dart|blas|rand|sparse|solver|fft|dnn)|nv")


def __getattr__(name):
    """All else is torch's."""
    return getattr(cpp_extension, name)


def CUDAExtension(name, sources, *args, **kwargs):
    """The same extension, with Ascend C for CUDA."""
    flags = kwargs.pop("extra_compile_args", None) or []
    flags = list(flags.get("cxx", ()) if isinstance(flags, dict) else flags)
    kwargs["libraries"] = [n for n in kwargs.get("libraries", ()) if not _LIBRARIES.match(n)]
    others = [source for source in sources if not source.endswith(".cu")]
    flags += [_VERSION, *(f"-I{folder}" for folder in _INCLUDES)]
    extension = NpuExtension(name, others, *args, extra_compile_args=flags, **kwargs)
    extension.kernels = [s[: -len(".cu")] + ".asc" for s in sources if s.endswith(".cu")]
    return extension


class BuildExtension(cpp_extension.BuildExtension):
    """Kernels go to bisheng, and so does what is linked with them."""

    def build_extension(self, extension):
        kernels = getattr(extension, "kernels", [])
        if kernels:
            objects = [self._compiled(extension, source) for source in kernels]
            extension.extra_objects = [*(extension.extra_objects or []), *objects]
            linker = ["bisheng", f"--npu-arch={ARCHITECTURE}", "-shared"]
            # For C++, setuptools takes the first word from the compiler's.
            for name in ("linker_so", "linker_so_cxx"):
                if hasattr(self.compiler, name):
                    self.compiler.set_executable(name, linker)
            self.compiler.set_executable("compiler_cxx", linker[:1])
        if not extension.sources:  # ninja wants one
            Path(self.build_temp).mkdir(parents=True, exist_ok=True)
            Path(self.build_temp, "empty.cpp").touch()
            extension.sources = [str(Path(self.build_temp, "empty.cpp"))]
        super().build_extension(extension)

    def _compiled(self, extension, source):
        folder = Path(self.build_temp, extension.name)
        folder.mkdir(parents=True, exist_ok=True)
        output = str(folder / (re.sub(r"\W", "_", source) + ".o"))
        folders = [*extension.include_dirs, *cpp_extension.include_paths(), *_INCLUDES]
        macros = [*extension.define_macros, ("TORCH_API_INCLUDE_EXTENSION_H", None)]
        macros += [("TORCH_EXTENSION_NAME", extension.name.rpartition(".")[2])]
        macros += [("_GLIBCXX_USE_CXX11_ABI", int(torch.compiled_with_cxx11_abi()))]
        command = ["bisheng", "-x", "asc", f"--npu-arch={ARCHITECTURE}", "-c", "-fPIC", "-O2"]
        command += ["-std=c++17", _VERSION]
        command += [f"-I{folder}" for folder in [*folders, sysconfig.get_path("include")]]
        command += [f"-D{name}" if value is None else f"-D{name}={value}" for name, value in macros]
        subprocess.run([*command, source, "-o", output], check=True)
        return output
