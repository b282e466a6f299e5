import os
import runpy
import sys

import paddle

_BESIDE = os.path.dirname(os.path.abspath(__file__))


def include_paths(device_type="cpu", torch_include_dirs=True):
    """The folders of headers for the sources of an extension."""
    include = paddle.sysconfig.get_include()
    compat = f"{include}/paddle/phi/api/include/compat"
    found = [include, f"{include}/third_party", compat, f"{compat}/torch/csrc/api/include"]
    if os.path.isfile(os.path.join(_BESIDE, "headers.py")):
        place = os.path.join(_merged_headers(), "porter_compat")
        merged = runpy.run_path(os.path.join(_BESIDE, "headers.py"))["merged"]
        found.insert(0, merged(os.path.join(_BESIDE, "include"), compat, place))
    if device_type in ("cuda", True):
        found.append(os.path.join(paddle.utils.cpp_extension.CUDA_HOME, "include"))
    return found


def _merged_headers():
    root = os.environ.get("TORCH_EXTENSIONS_DIR") or os.path.expanduser("~/.cache/paddle_extensions")
    return os.path.join(root, paddle.__version__, _BESIDE.strip(os.sep).replace(os.sep, "_"))


_LIBRARIES = ("c10", "torch", "torch_cpu", "torch_python", "c10_cuda", "torch_cuda")


def _named_libraries():
    """A folder with torch's libraries by name, for build scripts that link with `-lc10` and its like: each is a
    script for the linker that names Paddle's library."""
    if os.path.basename(os.path.dirname(_BESIDE)) == "porter_compat":
        from porter_compat import cache

        return str(cache.make("libraries", _write_libraries))
    folder = os.path.join(_merged_headers(), "libraries")
    os.makedirs(folder, exist_ok=True)
    _write_libraries(folder)
    return folder


def _write_libraries(folder):
    paddles = os.path.join(os.path.dirname(paddle.__file__), "base", "libpaddle.so")
    for name in _LIBRARIES:
        path = os.path.join(folder, f"lib{name}.so")
        with open(f"{path}.{os.getpid()}", "w", encoding="utf-8") as file:
            file.write(f"INPUT({paddles})\n")
        os.replace(file.name, path)


def library_paths(device_type="cpu", torch_include_dirs=True, cross_target_platform=None):
    """The folders of the libraries to link an extension with."""
    root = os.path.dirname(paddle.__file__)
    found = [os.path.join(root, "libs"), os.path.join(root, "base")]
    if sys.platform == "linux":
        found.append(_named_libraries())
    if device_type in ("cuda", True):
        found.append(os.path.join(paddle.utils.cpp_extension.CUDA_HOME, "lib64"))
    return found
