import os

import paddle


def parallel_info():
    """What torch says, as far as scripts look for it."""
    return f"ATen/Parallel:\n\tat::get_num_threads() : {os.cpu_count()}\nATen parallel backend: OpenMP\n"


def show():
    """What this Paddle is built with, as torch lists it: a line for each library, then the settings."""
    built = {
        "CUDA": paddle.is_compiled_with_cuda(),
        "MKLDNN": paddle.base.core.is_compiled_with_onednn(),
        "NCCL": paddle.is_compiled_with_distribute() and paddle.is_compiled_with_cuda(),
        "OPENMP": True,
        "ROCM": paddle.is_compiled_with_rocm(),
        "XPU": paddle.is_compiled_with_xpu(),
    }
    settings = ", ".join(f"USE_{name}={'ON' if is_so else 'OFF'}" for name, is_so in built.items())
    libraries = [f"PaddlePaddle {paddle.__version__}", *(name for name, is_so in built.items() if is_so)]
    lines = [*libraries, f"Build settings: BUILD_TYPE=Release, {settings}, "]
    return "PyTorch built with:\n" + "".join(f"  - {line}\n" for line in lines)


def cpu_get_cpu_capability():
    """The vectors that torch would choose for this processor."""
    asked = os.environ.get("ATEN_CPU_CAPABILITY", "").upper()
    if asked in ("DEFAULT", "AVX2", "AVX512"):
        return asked
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            has = set(next((line for line in file if line.startswith("flags")), "").split())
    except OSError:
        return "DEFAULT"
    if {"avx512f", "avx512vl", "avx512bw", "avx512dq", "fma"} <= has:
        return "AVX512"
    return "AVX2" if {"avx2", "fma"} <= has else "DEFAULT"


_parallel_info, _show_config = parallel_info, show  # of torch._C
has_openmp = True
has_mkl = paddle.version.mkl() == "ON"
_has_mkldnn = paddle.base.core.is_compiled_with_onednn()
_has_cuda = _has_cudnn = paddle.is_compiled_with_cuda()
version_debug = False
version_rocm = None
version_git_version = paddle.version.commit
