"""Builds extensions with Paddle as torch.utils.cpp_extension does: several, and inside packages.

Run by the build script after paddle.enable_compat(), before it imports torch.
"""

import inspect
import os
import runpy
import sys
from unittest.mock import patch

import paddle
import setuptools
from paddle.utils import cpp_extension
from setuptools.command.build_ext import build_ext

UNIT = os.path.dirname(os.path.abspath(__file__))
HEADERS = os.path.join(UNIT, "include")
# What Paddle does to the one extension that it builds, and not to several.
HOOKS = (
    "_record_op_info",
    "_generate_python_api_file",
    "_rename_inplace_shared_library",
    "_clean_intermediate_files",
)
POSITIONS = inspect.signature(setuptools.Extension.__base__)

gone = [name for name in HOOKS if not hasattr(cpp_extension.BuildExtension, name)]
if gone:
    raise RuntimeError(
        f"Paddle {paddle.__version__} has no BuildExtension.{', '.join(gone)} any more: "
        f"{__file__} was written for an older Paddle. If this one builds several extensions "
        "itself, remove what runs this file; else generate the port anew for this version."
    )


class BuildExtension(cpp_extension.BuildExtension):
    """Paddle's builder for any number of extensions, named as setuptools names them."""

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **{"no_python_abi_suffix": False, **kwargs})

    def get_ext_fullname(self, ext_name):
        """The name with the package of `setup(ext_package=...)`, which Paddle's builder asks for a second time."""
        named = self.package and ext_name.startswith(f"{self.package}.")
        return ext_name if named else super().get_ext_fullname(ext_name)

    def build_extensions(self):
        # Paddle would write version.txt beside the library, over a file of that name.
        unwritten = patch.object(
            cpp_extension.cpp_extension, "clean_object_if_change_cflags", create=True
        )
        for extension in self.extensions:
            with patch.object(self, "extensions", [extension]), unwritten:
                super().build_extensions()

    def build_extension(self, ext):
        if os.path.isdir(HEADERS):
            compat = f"{paddle.sysconfig.get_include()}/paddle/phi/api/include/compat"
            place = os.path.abspath(os.path.join(self.build_temp, "porter_compat"))
            merge = runpy.run_path(os.path.join(UNIT, "headers.py"))["merged"]
            merged = merge(HEADERS, compat, place)
            ext.include_dirs = [merged, *(f for f in ext.include_dirs if f != merged)]
        if paddle.is_compiled_with_cuda() and os.name == "posix":
            # Some functions in Paddle's CUDA headers are not inline: every object has them.
            ext.extra_link_args = [*(ext.extra_link_args or ()), "-Wl,-z,muldefs"]
        compiler, compile_all = self.compiler, self.compiler.compile

        def object_filenames(sources, strip_dir=0, output_dir=""):
            names = type(compiler).object_filenames(compiler, sources, strip_dir, output_dir)
            # a.cpp and a.cu of one extension are two objects
            ends = [".cu" if source.endswith(".cu") else "" for source in sources]
            parts = map(os.path.splitext, names)
            return [os.path.abspath(a + end + o) for (a, o), end in zip(parts, ends, strict=True)]

        def compile_or_fail(sources, *args, **kwargs):
            for name in object_filenames(sources, output_dir=kwargs.get("output_dir") or ""):
                if os.path.exists(name):
                    os.remove(name)
            objects = compile_all(sources, *args, **kwargs)
            missing = [name for name in objects if not os.path.exists(name)]
            if missing:
                raise RuntimeError(
                    f"{ext.name}: {len(missing)} of {len(objects)} sources did not compile, "
                    f"see above: {', '.join(missing)}"
                )
            return objects

        ours = {"object_filenames": object_filenames, "compile": compile_or_fail}
        folder = os.path.join(self.build_temp, ext.name)
        with patch.multiple(compiler, **ours), patch.object(self, "build_temp", folder):
            build_ext.build_extension(self, ext)
        # Paddle wraps it for its one extension; the next one starts afresh
        vars(compiler).pop("object_filenames", None)

    def _record_op_info(self):
        sources = [source for ext in self.extensions for source in ext.sources]
        self.contain_cuda_file = any(source.endswith(".cu") for source in sources)


for name in HOOKS[1:]:
    setattr(BuildExtension, name, lambda self: None)


def _unlimited(given):
    """Without the limited API of Python: Paddle's headers, pybind11 among them, need all of it."""
    asked = given.get("extra_compile_args") or []
    flags = asked if isinstance(asked, dict) else {None: asked}
    kept = {k: [f for f in v if not f.startswith("-DPy_LIMITED_API")] for k, v in flags.items()}
    given["extra_compile_args"] = kept if isinstance(asked, dict) else kept[None]
    macros = [m for m in given.get("define_macros") or [] if m[0] != "Py_LIMITED_API"]
    return {**given, "define_macros": macros, "py_limited_api": False}


def _by_name(build, cuda=False):
    """torch's extension(name, sources, ...), by position or keyword, built with Paddle."""

    def extension(*args, **kwargs):
        if cuda and HOME is None:  # scripts catch this to build for the CPU alone
            raise OSError("CUDA_HOME is not set: this Paddle is built for the CPU only.")
        given = POSITIONS.bind(*args, **kwargs).arguments
        given |= given.pop("kw", {})
        if cuda and not any(str(source).endswith(".cu") for source in given.get("sources", ())):
            # Paddle defines it where there is a .cu alone, and has no names of CUDA's without.
            given["define_macros"] = [*(given.get("define_macros") or ()), ("PADDLE_WITH_CUDA", None)]
        return build(**_unlimited(given))

    return extension


HOME = cpp_extension.CUDA_HOME if paddle.is_compiled_with_cuda() else None
OWN = {
    "CUDA_HOME": HOME,
    "BuildExtension": BuildExtension,
    "CppExtension": _by_name(cpp_extension.CppExtension),
    "CUDAExtension": _by_name(cpp_extension.CUDAExtension, cuda=True),
}
MODULE = "torch.utils.cpp_extension"
try:
    from paddle.compat.proxy import RawOverriddenAttribute, _extend_torch_proxy_overrides
except ImportError:
    import torch.utils.cpp_extension  # noqa: F401  # the proxy, which then is in sys.modules
else:
    raw = {f"{MODULE}.{name}": RawOverriddenAttribute(value) for name, value in OWN.items()}
    _extend_torch_proxy_overrides(raw)
if MODULE in sys.modules:
    vars(sys.modules[MODULE]).update(OWN)
