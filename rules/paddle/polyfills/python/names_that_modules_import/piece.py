import functools
import importlib

from .modules_of_names import _ModuleOfNames  # noqa: F401 - these modules are there by now
from .overrides import _register
from .put_off import _Later
from .torchs_meaning import _torch

_LAYERS = "activation batchnorm conv dropout linear loss normalization padding pooling rnn sparse transformer"
_WITH_TENSORS = """
    functional nn.functional nn.init nn.common_types nn.utils.rnn nn.utils.parametrize optim.lr_scheduler
    optim.swa_utils distributions.utils distributions.transforms nn.modules.module
"""
_OF_LAYERS = [f"nn.modules.{each}" for each in _LAYERS.split()]
_IMPORTED_BY = {  # a name: where torch has it, and its modules that import it
    "F": ("nn.functional", [*_OF_LAYERS, "functional", "distributions.utils", "distributions.transforms"]),
    "init": ("nn.init", [f"nn.modules.{each}" for each in "batchnorm conv linear normalization rnn sparse".split()]),
    "Module": ("nn.Module", [*_OF_LAYERS, "nn.modules.container", "nn.utils.parametrize", "optim.swa_utils"]),
    "Parameter": ("nn.Parameter", [*_OF_LAYERS, "nn.modules.container", "nn.modules.module", "nn.utils.parametrize"]),
    "Tensor": ("Tensor", [*_OF_LAYERS, *_WITH_TENSORS.split()]),
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
