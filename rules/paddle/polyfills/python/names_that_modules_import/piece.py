import functools
import importlib

from .modules_of_names import _ModuleOfNames  # noqa: F401 - these modules are there by now
from .overrides import _register
from .put_off import _Later
from .torchs_meaning import _torch

_LAYER_FILES = "activation batchnorm conv dropout linear loss normalization padding pooling rnn sparse transformer"
_LAYER_MODULES = [f"nn.modules.{each}" for each in _LAYER_FILES.split()]
_IMPORTED_BY = {  # a name: where torch has it, and its modules that import it
    "F": ("nn.functional", [*_LAYER_MODULES, "functional"]),
    "init": ("nn.init", [f"nn.modules.{each}" for each in "batchnorm conv linear normalization rnn sparse".split()]),
    "Module": ("nn.Module", [*_LAYER_MODULES, "nn.modules.container"]),
    "Parameter": ("nn.Parameter", [*_LAYER_MODULES, "nn.modules.container", "nn.modules.module"]),
    "Tensor": ("Tensor", [*_LAYER_MODULES, "functional", "nn.functional", "nn.init", "nn.modules.module"]),
}


def _as_imported(home):
    """What torch has by a name: of a module torch's, in which its functions have torch's meaning."""
    return _torch(home) if home in ("nn.Module", "nn.Parameter", "Tensor") else importlib.import_module(f"torch.{home}")


_register(
    {
        f"torch.{module}.{name}": _Later(functools.partial(_as_imported, home))
        for name, (home, modules) in _IMPORTED_BY.items()
        for module in modules
    },
    {},
)
