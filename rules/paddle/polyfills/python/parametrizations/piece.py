import contextlib
import copy

import paddle

from .initial_values import normal_
from .lists_of_modules import ModuleList
from .states_of_modules import _register_load_state_dict_pre_hook
from .torchs_meaning import _torch

_kept_values: dict = {}  # by module and name, while values are cached
_caching: list = []


@contextlib.contextmanager
def cached():
    """Compute each parametrized tensor once within."""
    _caching.append(True)
    try:
        yield
    finally:
        _caching.pop()
        if not _caching:
            _kept_values.clear()


def _put_tensor(module, name, tensor):
    """Make a tensor a parameter of a module, or a buffer."""
    if isinstance(tensor, paddle.base.framework.EagerParamBase):
        module.add_parameter(name, tensor)
    else:
        module.register_buffer(name, tensor)


def _inverted(parametrizations, value, required=False):
    for each in reversed([*parametrizations]):
        if hasattr(each, "right_inverse"):
            try:
                value = each.right_inverse(value)
            except NotImplementedError:
                if required:
                    raise
        elif required:
            raise RuntimeError(f"parametrization {type(each).__name__} does not implement right_inverse.")
    return value


def _check_alike(old, new):
    if not isinstance(new, paddle.Tensor):
        raise ValueError(f"A parametrization must return a tensor. Got {type(new).__name__}.")
    if new.dtype != old.dtype or list(new.shape) != list(old.shape):
        raise ValueError(
            "Registering a parametrization may not change the dtype or the shape of the tensor, unless the "
            f"`unsafe` flag is enabled: {old.dtype} {list(old.shape)}, {new.dtype} {list(new.shape)}"
        )


class ParametrizationList(ModuleList):
    """What computes a tensor of a module, and the tensors that it is computed from."""

    def __init__(self, modules, original, unsafe=False):
        if not modules:
            raise ValueError("ParametrizationList requires one or more modules.")
        super().__init__(modules)
        self.unsafe = unsafe
        with paddle.no_grad():
            new = _inverted(modules, original)
        if not isinstance(new, (paddle.Tensor, list, tuple)):
            raise ValueError(f"'right_inverse' must return a Tensor or a Sequence of tensors. Got {type(new).__name__}")
        self.is_tensor = isinstance(new, paddle.Tensor)
        self.ntensors = 1 if self.is_tensor else len(new)
        if self.is_tensor:
            if new.dtype != original.dtype:
                raise ValueError("When `right_inverse` outputs one tensor, it may not change the dtype.")
            if list(new.shape) == list(original.shape):
                self._write([original], [new])
                new = original
            elif isinstance(original, paddle.base.framework.EagerParamBase):
                new = _torch("nn.Parameter")(new, requires_grad=not original.stop_gradient)
            _put_tensor(self, "original", new)
        for number, each in enumerate(() if self.is_tensor else new):
            if isinstance(original, paddle.base.framework.EagerParamBase):
                each = _torch("nn.Parameter")(each.detach(), requires_grad=not original.stop_gradient)
            _put_tensor(self, f"original{number}", each)
        if not unsafe:
            _check_alike(original, self())

    def _originals(self):
        names = ["original"] if self.is_tensor else [f"original{n}" for n in range(self.ntensors)]
        return [getattr(self, name) for name in names]

    @staticmethod
    def _write(originals, values):
        with paddle.no_grad():
            for old, new in zip(originals, values, strict=True):
                if old is not new:
                    paddle.assign(new, old)

    def right_inverse(self, value):
        """Set the tensors so that they give a value."""
        with paddle.no_grad():
            value = _inverted(self, value, required=True)
        values = [value] if self.is_tensor else value
        if not isinstance(values, (list, tuple)) or len(values) != self.ntensors:
            raise ValueError(f"'right_inverse' must return {self.ntensors} tensors")
        for old, new in zip(self._originals(), values, strict=True):
            if not isinstance(new, paddle.Tensor) or new.dtype != old.dtype:
                raise ValueError(f"`right_inverse` should return tensors of dtype {old.dtype}")
        self._write(self._originals(), values)

    def forward(self):
        first, *rest = self
        value = first(*self._originals())
        for each in rest:
            value = each(value)
        return value


def _value_of_name(name):
    """The property that a parametrized tensor of a module is."""

    def value(self):
        made = self.parametrizations[name]
        if not _caching:
            return made()
        key = id(self), name
        if key not in _kept_values:
            _kept_values[key] = made()
        return _kept_values[key]

    return property(value, lambda self, given: self.parametrizations[name].right_inverse(given))


def _no_state(self):
    raise RuntimeError("Serialization of parametrized modules is only supported through state_dict().")


def register_parametrization(module, tensor_name, parametrization, *, unsafe=False):
    """Compute a parameter or buffer of a module, from here on, from what it is now."""
    parametrization.train() if module.training else parametrization.eval()
    if is_parametrized(module, tensor_name):
        if not unsafe:
            before = getattr(module, tensor_name)
            after = parametrization(before)
            _check_alike(before, after)
            with contextlib.suppress(NotImplementedError):
                if hasattr(parametrization, "right_inverse"):
                    _check_alike(before, parametrization.right_inverse(after))
        known = module.parametrizations[tensor_name]
        known.append(parametrization)
        known.unsafe |= unsafe
        return module
    if tensor_name not in module._buffers and tensor_name not in module._parameters:
        said = "does not have a parameter, a buffer, or a parametrized element with name"
        raise ValueError(f"Module '{module}' {said} '{tensor_name}'")
    made = ParametrizationList([parametrization], getattr(module, tensor_name), unsafe=unsafe)
    delattr(module, tensor_name)
    if not is_parametrized(module):
        kind = type(module)
        module.__class__ = type(f"Parametrized{kind.__name__}", (kind,), {"__getstate__": _no_state})
        module.__class__.__deepcopy__ = getattr(kind, "__deepcopy__", _copied)
        module.parametrizations = _torch("nn.ModuleDict")()
    setattr(type(module), tensor_name, _value_of_name(tensor_name))
    module.parametrizations[tensor_name] = made
    return module


def _copied(self, memo):
    made = memo[id(self)] = self.__new__(type(self))
    vars(made).update(copy.deepcopy(vars(self), memo))
    return made


def is_parametrized(module, tensor_name=None):
    """Whether a tensor of a module is computed, or any."""
    known = getattr(module, "parametrizations", None)
    if not isinstance(known, _torch("nn.ModuleDict")):
        return False
    return len(known) > 0 if tensor_name is None else tensor_name in known


def remove_parametrizations(module, tensor_name, leave_parametrized=True):
    """Make a computed tensor one of the module's own again, with its value or the one before."""
    if not is_parametrized(module, tensor_name):
        raise ValueError(f"Module {module} does not have a parametrization on {tensor_name}")
    known = module.parametrizations[tensor_name]
    if not (known.is_tensor or leave_parametrized):
        said = "a tensor that is parametrized in terms of a sequence of tensors"
        raise ValueError(f"Cannot leave unparametrized (`leave_parametrized=False`) {said}.")
    value, original = getattr(module, tensor_name), known._originals()[0]
    if not known.is_tensor or list(original.shape) != list(value.shape):
        original = value if value.stop_gradient else _torch("nn.Parameter")(value.detach())
    elif leave_parametrized:
        known._write([original], [value])
    delattr(type(module), tensor_name)
    del module.parametrizations[tensor_name]
    _put_tensor(module, tensor_name, original)
    if not is_parametrized(module):
        del module.parametrizations
        module.__class__ = type(module).__bases__[0]
    return module


def type_before_parametrizations(module):
    return type(module).__bases__[0] if is_parametrized(module) else type(module)


def transfer_parametrizations_and_params(from_module, to_module, tensor_name=None):
    """Compute tensors of a module as another one does, from the same tensors."""
    if is_parametrized(from_module):
        for name in [*from_module.parametrizations] if tensor_name is None else [tensor_name]:
            if not hasattr(to_module, name):
                setattr(to_module, name, _torch("nn.Parameter")(getattr(from_module, name).detach()))
            theirs = from_module.parametrizations[name]
            for each in theirs:
                register_parametrization(to_module, name, each)
            ours = to_module.parametrizations[name]
            for own in ["original"] if theirs.is_tensor else [f"original{n}" for n in range(theirs.ntensors)]:
                setattr(ours, own, getattr(theirs, own))
    return to_module


class _ScaledDirections(paddle.nn.Layer):
    def __init__(self, dim):
        super().__init__()
        self.dim = -1 if dim is None else dim

    def forward(self, weight_g, weight_v):
        return weight_v * (weight_g / _torch("norm_except_dim")(weight_v, 2, self.dim))

    def right_inverse(self, weight):
        return _torch("norm_except_dim")(weight, 2, self.dim), weight


def weight_norm(module, name="weight", dim=0):
    """Compute a weight from its direction and its length."""
    register_parametrization(module, name, _ScaledDirections(dim), unsafe=True)

    def renamed(state_dict, prefix, *rest):
        old = [f"{prefix}{name}_{part}" for part in "gv"]
        if all(key in state_dict for key in old):
            for number, key in enumerate(old):
                state_dict[f"{prefix}parametrizations.{name}.original{number}"] = state_dict.pop(key)

    _register_load_state_dict_pre_hook(module, renamed)
    return module


class _DividedByNorm(paddle.nn.Layer):
    """A weight divided by its largest singular value, which the power method finds."""

    def __init__(self, weight, n_power_iterations, dim, eps):
        super().__init__()
        if not -weight.ndim <= dim < weight.ndim:
            raise IndexError(f"Dimension out of range (got {dim} for a weight with {weight.ndim} dimensions)")
        if n_power_iterations <= 0:
            raise ValueError(f"Expected n_power_iterations to be positive, but got {n_power_iterations}")
        self.dim, self.eps = dim % weight.ndim, eps
        if weight.ndim > 1:
            self.n_power_iterations = n_power_iterations
            matrix = self._matrix(weight)
            for key, length in zip(("_u", "_v"), matrix.shape, strict=True):
                drawn = normal_(paddle.empty([length], matrix.dtype))
                self.register_buffer(key, self._normalized(drawn))
            self._power_method(matrix, 15)

    def _normalized(self, vector):
        return vector / paddle.clip(paddle.linalg.norm(vector), min=self.eps)

    def _matrix(self, weight):
        if self.dim:
            weight = weight.transpose([self.dim, *(d for d in range(weight.ndim) if d != self.dim)])
        return weight.flatten(1)

    @paddle.no_grad()
    def _power_method(self, matrix, count):
        for _ in range(count):
            paddle.assign(self._normalized(paddle.mv(matrix, self._v)), self._u)
            paddle.assign(self._normalized(paddle.mv(matrix.t(), self._u)), self._v)

    def forward(self, weight):
        if weight.ndim == 1:
            return weight / paddle.clip(paddle.linalg.norm(weight), min=self.eps)
        matrix = self._matrix(weight)
        if self.training:
            self._power_method(matrix, self.n_power_iterations)
        return weight / paddle.dot(self._u.clone(), paddle.mv(matrix, self._v.clone()))

    def right_inverse(self, value):
        return value


def spectral_norm(module, name="weight", n_power_iterations=1, eps=1e-12, dim=None):
    """Divide a weight by its largest singular value."""
    weight = getattr(module, name, None)
    if not isinstance(weight, paddle.Tensor):
        raise ValueError(f"Module '{module}' has no parameter or buffer with name '{name}'")
    if dim is None:
        dim = int(isinstance(module, tuple(_torch(f"nn.ConvTranspose{n}d") for n in (1, 2, 3))))
    return register_parametrization(module, name, _DividedByNorm(weight, n_power_iterations, dim, eps))
