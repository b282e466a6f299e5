"""Builds extensions with Paddle as torch.utils.cpp_extension does: several, and inside packages.

Run by the build script after paddle.enable_compat(), before it imports torch.
"""

import os
import runpy
import sys

import paddle
from paddle.utils import cpp_extension
from setuptools.command.build_ext import build_ext

UNIT = os.path.dirname(os.path.abspath(__file__))
HEADERS = os.path.join(UNIT, "include")
HOOKS = (
    "_record_op_info",
    "_generate_python_api_file",
    "_rename_inplace_shared_library",
    "_clean_intermediate_files",
)
# what setuptools.Extension takes by position after name and sources
POSITIONS = (
    "include_dirs",
    "define_macros",
    "undef_macros",
    "library_dirs",
    "libraries",
    "runtime_library_dirs",
    "extra_objects",
    "extra_compile_args",
    "extra_link_args",
    "export_symbols",
    "swig_opts",
    "depends",
    "language",
)


def _need(owner, names):
    gone = [name for name in names if not callable(getattr(owner, name, None))]
    if gone:
        raise RuntimeError(
            f"Paddle {paddle.__version__} has no {owner.__name__}.{', '.join(gone)} any more: "
            f"{__file__} was written for an older Paddle. If this Paddle builds several "
            "extensions itself, remove the line of the build script that runs this file; "
            "else generate the port anew for this version."
        )


_need(cpp_extension.BuildExtension, HOOKS)


class BuildExtension(cpp_extension.BuildExtension):
    """Paddle's builder for any number of extensions, named as setuptools names them."""

    def __init__(self, *args, **kwargs):
        kwargs.setdefault("no_python_abi_suffix", False)
        super().__init__(*args, **kwargs)

    def build_extensions(self):
        extensions = self.extensions
        # Paddle would write version.txt beside the library, over a file of that name.
        keep = getattr(cpp_extension.cpp_extension, "clean_object_if_change_cflags", None)
        cpp_extension.cpp_extension.clean_object_if_change_cflags = lambda *arguments: None
        try:
            for extension in extensions:
                self.extensions = [extension]
                super().build_extensions()
        finally:
            self.extensions = extensions
            if keep is not None:
                cpp_extension.cpp_extension.clean_object_if_change_cflags = keep

    def build_extension(self, ext):
        if os.path.isdir(HEADERS):
            compat = f"{paddle.sysconfig.get_include()}/paddle/phi/api/include/compat"
            merged = os.path.abspath(os.path.join(self.build_temp, "porter_compat"))
            runpy.run_path(os.path.join(UNIT, "headers.py"))["write"](merged, HEADERS, compat)
            ext.include_dirs = [merged, *(f for f in ext.include_dirs if f != merged)]
        if paddle.is_compiled_with_cuda() and os.name == "posix":
            # Some functions in Paddle's CUDA headers are not inline: every object has them.
            ext.extra_link_args = [*(ext.extra_link_args or ()), "-Wl,-z,muldefs"]
        compiler, wanted = self.compiler, self.build_temp
        compile_all = compiler.compile

        def object_filenames(sources, strip_dir=0, output_dir=""):
            names = type(compiler).object_filenames(compiler, sources, strip_dir, output_dir)
            # a.cpp and a.cu of one extension are two objects
            return [
                os.path.abspath(_cuda_object(name) if source.endswith(".cu") else name)
                for source, name in zip(sources, names, strict=True)
            ]

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

        own = dict(vars(compiler))
        compiler.object_filenames = object_filenames
        compiler.compile = compile_or_fail
        self.build_temp = os.path.join(wanted, ext.name)
        try:
            build_ext.build_extension(self, ext)
        finally:
            self.build_temp = wanted
            for name in ("object_filenames", "compile"):
                if name in own:
                    setattr(compiler, name, own[name])
                else:
                    delattr(compiler, name)
            # Paddle wraps it for its one extension; the next one starts afresh
            vars(compiler).pop("object_filenames", None)

    def _record_op_info(self):
        self.contain_cuda_file = any(
            source.endswith(".cu") for ext in self.extensions for source in ext.sources
        )

    def _generate_python_api_file(self):
        pass

    def _rename_inplace_shared_library(self):
        pass

    def _clean_intermediate_files(self):
        pass


def _cuda_object(name):
    stem, suffix = os.path.splitext(name)
    return f"{stem}.cu{suffix}"


def _keywords(name, sources, args, kwargs):
    if len(args) > len(POSITIONS):
        raise TypeError(f"{name}: an extension takes {len(POSITIONS) + 2} arguments at most")
    placed = dict(zip(POSITIONS, args))  # noqa: B905: fewer arguments than positions
    twice = placed.keys() & kwargs.keys()
    if twice:
        raise TypeError(f"{name}: multiple values for {', '.join(sorted(twice))}")
    return {"name": name, "sources": sources, **placed, **kwargs}


def CppExtension(name, sources, *args, **kwargs):
    """torch's CppExtension(name, sources, ...), by position or keyword, built with Paddle."""
    return cpp_extension.CppExtension(**_keywords(name, sources, args, kwargs))


def CUDAExtension(name, sources, *args, **kwargs):
    """torch's CUDAExtension(name, sources, ...), by position or keyword, built with Paddle."""
    return cpp_extension.CUDAExtension(**_keywords(name, sources, args, kwargs))


def _register():
    module = "torch.utils.cpp_extension"
    own = {
        "BuildExtension": BuildExtension,
        "CppExtension": CppExtension,
        "CUDAExtension": CUDAExtension,
    }
    try:
        from paddle.compat.proxy import RawOverriddenAttribute, _extend_torch_proxy_overrides
    except ImportError:
        import torch.utils.cpp_extension  # the proxy; imported so that it is in sys.modules
    else:
        _extend_torch_proxy_overrides(
            {f"{module}.{name}": RawOverriddenAttribute(value) for name, value in own.items()}
        )
    if module in sys.modules:
        for name, value in own.items():
            setattr(sys.modules[module], name, value)


_register()
