import importlib
import os
import re
import sys

import paddle
from paddle.compat import proxy

from .errors_in_backward import _before_recording, _switched_on
from .put_off import _used_instead
from .scope import _watchers

# Code that computes gradients of gradients has one of these.
_WORDS = re.compile(
    rb"create_graph|gradgradcheck|autograd\.functional|torch\.func\b|import func\b|functorch|hessian|forward_ad"
)
_OTHERS = {"paddle", "torch", "numpy", "scipy", "porter_compat", *sys.stdlib_module_names}
_looked_at: set[str] = set()  # modules


def _look():
    """Switch second gradients on where a module that was imported has a word for them."""
    for name in [] if _switched_on else {*sys.modules} - _looked_at:
        _looked_at.add(name)
        file = getattr(sys.modules.get(name), "__file__", None)
        ours = name.partition(".")[0] in _OTHERS or "_porter_compat" in name
        if not ours and isinstance(file, str) and os.path.isfile(file) and file.endswith(".py"):
            with open(file, "rb") as opened:
                text = opened.read()
            if b"torch" in text and _WORDS.search(text):
                _switch_on()
                return


def _switch_on():
    """Compute what Paddle has no second gradient of, or a wrong one, by steps that have one. Gives
    whether that was not done before."""
    if _switched_on:
        return False
    _switched_on.append(True)
    package = __name__.rpartition(".")[0]
    replace = globals().get("_replace_operators")  # of a vendored unit: all is in this module
    if replace is None:
        replace = importlib.import_module(f"{package}.twice_differentiable")._replace_operators
    replace()
    plain = [each for each in proxy.GLOBAL_OVERRIDES.values() if hasattr(each, "_value")]
    for each in plain:
        each._value = _ours(each._value)
    for module in (*sys.modules.values(), *(each._value for each in plain), paddle.Tensor):
        name = str(getattr(module, "__name__", ""))
        if name.partition(".")[0] in ("paddle", "torch", "Tensor") or name.startswith(
            f"{package}."
        ):
            _replace_in(module)
    return True


def _ours(value):
    return _used_instead.get(id(value), value)


def _replace_in(owner):
    """Replace what a module or class has imported by name, or gives the code of some packages."""
    for name, value in [*getattr(owner, "__dict__", {}).items()]:
        if id(value) in _used_instead:
            setattr(owner, name, _used_instead[id(value)])
        elif isinstance(getattr(value, "homes", None), dict) and hasattr(value, "theirs"):
            value.theirs = _ours(value.theirs)
            value.homes.update({home: _ours(ours) for home, ours in value.homes.items()})


_watchers.append(_look)
_before_recording.append(_switch_on)
