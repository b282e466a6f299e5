import functools

from .modules_of_names import _as_imported
from .overrides import _register
from .put_off import _Later

_IMPORTED_BY = {  # a name: where torch has it, and those modules that import it which Paddle has
    "F": ("nn.functional", "functional nn.modules.conv"),
    "init": ("nn.init", "nn.modules.conv"),
    "Module": ("nn.Module", "nn.modules.conv nn.modules.container"),
    "Parameter": ("nn.Parameter", "nn.modules.conv nn.modules.container nn.modules.module"),
    "Tensor": ("Tensor", "functional nn.functional nn.init nn.modules.conv nn.modules.module"),
}
_register(
    {
        f"torch.{module}.{name}": _Later(functools.partial(_as_imported, home))
        for name, (home, modules) in _IMPORTED_BY.items()
        for module in modules.split()
    },
    {},
)
