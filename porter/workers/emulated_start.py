"""Give a framework's CPU build the emulated device, when it is imported.

Run at the start of an interpreter by a .pth file: `import emulated_start; emulated_start.start(
TOOLKIT, MODULE)`, of the module that knows the framework's side. Stands alone, imports nothing of
porter.
"""

import ctypes
import importlib
import os
import sys


class _Hook:
    """A finder that has work done before and after the import of a module."""

    def __init__(self, actions):
        self.actions = actions

    def find_spec(self, name, path=None, target=None):
        """A spec of which the loader does the work: specs are also asked for without an import."""
        if name not in self.actions:
            return None
        spec = _found(self, name, path)
        if spec is not None and spec.loader is not None:
            spec.loader = _Loader(spec.loader, *self.actions[name])
        return spec


def _found(hook, name, path):
    for finder in sys.meta_path:
        if finder is not hook:
            spec = finder.find_spec(name, path)
            if spec is not None:
                return spec
    return None


class _Loader:
    def __init__(self, loader, before, after):
        self.loader = loader
        self.before = before
        self.after = after

    def create_module(self, spec):
        self.before()
        return self.loader.create_module(spec)

    def exec_module(self, module):
        self.loader.exec_module(module)
        module.__spec__.loader = self.loader
        self.after(module)

    def __getattr__(self, name):
        return getattr(self.loader, name)


def start(toolkit, module, packages=()):
    """Set the variables of a toolkit and of operator packages, and wait for the framework."""
    if any(isinstance(finder, _Hook) for finder in sys.meta_path):
        return  # .pth files may be read twice
    if os.path.exists(os.path.join(toolkit, "lib64", "libcudart.so")):
        os.environ["CUDA_HOME"] = os.environ["CUDA_PATH"] = toolkit
    if packages:
        own = os.environ.get("ASCEND_CUSTOM_OPP_PATH")
        given = [folder for folder in packages if folder not in (own or "").split(":")]
        os.environ["ASCEND_CUSTOM_OPP_PATH"] = ":".join([*([own] if own else []), *given])
    os.environ["PORTER_EMULATED"] = toolkit
    side = importlib.import_module(module)
    sys.meta_path.insert(0, _Hook(side.actions(toolkit)))


def forget_errors():
    """Faults of kernels stay, as they do on a device; after this they are forgotten."""
    folder = os.path.join(os.environ["PORTER_EMULATED"], "lib64")
    npu = os.path.join(folder, "libascendcl.so")
    if os.path.exists(npu):
        ctypes.CDLL(npu).aclrtResetDevice(0)
    else:
        ctypes.CDLL(os.path.join(folder, "libcudart.so")).emulated_forget_errors()
