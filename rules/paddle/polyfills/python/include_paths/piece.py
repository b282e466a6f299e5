import os
import runpy

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


def library_paths(device_type="cpu", torch_include_dirs=True, cross_target_platform=None):
    """The folders of the libraries to link an extension with."""
    root = os.path.dirname(paddle.__file__)
    found = [os.path.join(root, "libs"), os.path.join(root, "base")]
    if device_type in ("cuda", True):
        found.append(os.path.join(paddle.utils.cpp_extension.CUDA_HOME, "lib64"))
    return found
