import abc
import numbers

import paddle

from .torchs_meaning import _torch


def _check_share(amount):
    """Refuse an amount that is neither a share, from 0 to 1, nor a count."""
    if not isinstance(amount, numbers.Real):
        raise TypeError(f"Invalid type for amount: {amount}. Must be int or float.")
    if (isinstance(amount, numbers.Integral) and amount < 0) or (
        not isinstance(amount, numbers.Integral) and not 0.0 <= float(amount) <= 1.0
    ):
        raise ValueError(f"amount={amount} should either be a float in the range [0.0, 1.0] or a non-negative integer")


def _count_of_share(amount, size):
    count = amount if isinstance(amount, numbers.Integral) else round(amount * size)
    if count > size:
        raise ValueError(f"amount={amount} should be smaller than the number of parameters to prune={size}")
    return count


def _check_dimension(tensor, dim):
    if not -tensor.ndim <= dim < tensor.ndim:
        raise IndexError(f"Invalid index {dim} for tensor of size {tuple(tensor.shape)}")


class BasePruningMethod(abc.ABC):
    _tensor_name: str

    def __call__(self, module, inputs):
        object.__setattr__(module, self._tensor_name, self.apply_mask(module))  # setattr makes it a buffer

    @abc.abstractmethod
    def compute_mask(self, t, default_mask):
        """The mask for a tensor, of ones and zeros."""

    def apply_mask(self, module):
        if self._tensor_name is None:
            raise AssertionError(f"Module {module} has to be pruned")
        mask, original = (getattr(module, f"{self._tensor_name}_{part}") for part in ("mask", "orig"))
        return mask.astype(original.dtype) * original

    @classmethod
    def apply(cls, module, name, *args, importance_scores=None, **kwargs):
        before = [
            (key, hook)
            for key, hook in module._forward_pre_hooks.items()
            if isinstance(hook, BasePruningMethod) and hook._tensor_name == name
        ]
        method = cls(*args, **kwargs)
        method._tensor_name = name
        for key, hook in before:
            both = PruningContainer(hook)
            both.add_pruning_method(method)
            method = both
            del module._forward_pre_hooks[key]
        original = getattr(module, name)
        scores = original if importance_scores is None else importance_scores
        if list(scores.shape) != list(original.shape):
            raise AssertionError(f"importance_scores should have the same shape as parameter {name} of {module}")
        if before:
            default = getattr(module, f"{name}_mask").detach().clone()
        else:
            module.register_parameter(f"{name}_orig", module._parameters.pop(name))
            default = paddle.ones_like(original)
        mask = method.compute_mask(scores, default_mask=default)
        module.register_buffer(f"{name}_mask", mask)
        object.__setattr__(module, name, method.apply_mask(module))
        module.register_forward_pre_hook(method)
        return method

    def prune(self, t, default_mask=None, importance_scores=None):
        scores = t if importance_scores is None else importance_scores
        if list(scores.shape) != list(t.shape):
            raise AssertionError("importance_scores should have the same shape as tensor t")
        default = paddle.ones_like(t) if default_mask is None else default_mask
        return t * self.compute_mask(scores, default_mask=default)

    def remove(self, module):
        name = self._tensor_name
        if name is None:
            raise AssertionError(f"Module {module} has to be pruned before pruning can be removed")
        with paddle.no_grad():
            pruned = self.apply_mask(module)
            original = module._parameters.pop(f"{name}_orig")
            paddle.assign(pruned, original)
        delattr(module, f"{name}_mask")
        module.__dict__.pop(name, None)
        module.register_parameter(name, original)


class PruningContainer(BasePruningMethod):
    """Methods that are applied one after the other, each to what the ones before left."""

    def __init__(self, *args):
        self._pruning_methods = ()
        if args:
            self._tensor_name = args[0]._tensor_name
        for method in args:
            self.add_pruning_method(method)

    def add_pruning_method(self, method):
        if not isinstance(method, BasePruningMethod) and method is not None:
            raise TypeError(f"{type(method)} is not a BasePruningMethod subclass")
        if method is not None and self._tensor_name != method._tensor_name:
            raise ValueError(
                "Can only add pruning methods acting on the parameter named"
                f" '{self._tensor_name}' to PruningContainer {self}. Found '{method._tensor_name}'"
            )
        self._pruning_methods += (method,)

    def __len__(self):
        return len(self._pruning_methods)

    def __iter__(self):
        return iter(self._pruning_methods)

    def __getitem__(self, at):
        return self._pruning_methods[at]

    def compute_mask(self, t, default_mask):
        method = self._pruning_methods[-1]
        kind, mask = method.PRUNING_TYPE, default_mask.astype(t.dtype)
        if kind == "unstructured":
            kept = mask == 1
            part = method.compute_mask(t[kept], default_mask=mask[kept])
            places = paddle.nonzero(kept)
            return paddle.scatter_nd_add(mask.clone(), places, part.astype(mask.dtype) - mask[kept])
        if kind == "structured":
            dim = method.dim % t.ndim
            others = [axis for axis in range(t.ndim) if axis != dim]
            channels = paddle.nonzero(mask.sum(axis=others) != 0).flatten() if others else paddle.nonzero(mask).flatten()
            part = method.compute_mask(t.index_select(channels, dim), default_mask=mask.index_select(channels, dim))
            found = _torch("index_copy")(mask, dim, channels, part.astype(mask.dtype))
            return found
        if kind == "global":
            return method.compute_mask(t, default_mask=mask)
        raise ValueError(f"Unrecognized PRUNING_TYPE {kind}")


class Identity(BasePruningMethod):
    PRUNING_TYPE = "unstructured"

    def compute_mask(self, t, default_mask):
        return default_mask


class RandomUnstructured(BasePruningMethod):
    PRUNING_TYPE = "unstructured"

    def __init__(self, amount):
        _check_share(amount)
        self.amount = amount

    def _pruned(self, t, count):
        return _torch("rand_like")(t.flatten()).topk(count)[1]

    def compute_mask(self, t, default_mask):
        count = _count_of_share(self.amount, t.size)
        mask = default_mask.clone()
        if count == 0:
            return mask
        zeros = paddle.zeros([count], mask.dtype)
        flat = paddle.scatter(mask.flatten(), self._pruned(t, count), zeros)
        return flat.reshape(mask.shape)


class L1Unstructured(RandomUnstructured):
    def _pruned(self, t, count):
        return t.abs().flatten().topk(count, largest=False)[1]


class RandomStructured(BasePruningMethod):
    PRUNING_TYPE = "structured"

    def __init__(self, amount, dim=-1):
        _check_share(amount)
        self.amount, self.dim = amount, dim

    def _channels(self, t, size, count):
        """The channels that stay, of so many of which some are pruned."""
        return _torch("rand")(size).topk(size - count)[1]

    def compute_mask(self, t, default_mask):
        if t.ndim <= 1:
            raise ValueError(f"Structured pruning can only be applied to multidimensional tensors. Found {t.ndim}D")
        _check_dimension(t, self.dim)
        size = t.shape[self.dim]
        count = _count_of_share(self.amount, size)
        if count == 0:
            return default_mask
        mask = paddle.zeros(t.shape, t.dtype)
        if size - count:
            kept = self._channels(t, size, count)
            shape = [size - count if axis == self.dim % t.ndim else n for axis, n in enumerate(t.shape)]
            mask = _torch("index_copy")(mask, self.dim % t.ndim, kept, paddle.ones(shape, t.dtype))
        return mask * default_mask.astype(mask.dtype)


class LnStructured(RandomStructured):
    def __init__(self, amount, n, dim=-1):
        super().__init__(amount, dim)
        self.n = n

    def _channels(self, t, size, count):
        others = [axis for axis in range(t.ndim) if axis != self.dim % t.ndim]
        return _torch("norm")(t, p=self.n, dim=others).topk(size - count)[1]


class CustomFromMask(BasePruningMethod):
    PRUNING_TYPE = "global"

    def __init__(self, mask):
        self.mask = mask

    def compute_mask(self, t, default_mask):
        return default_mask * self.mask.astype(default_mask.dtype)


def identity(module, name):
    Identity.apply(module, name)
    return module


def random_unstructured(module, name, amount):
    RandomUnstructured.apply(module, name, amount)
    return module


def l1_unstructured(module, name, amount, importance_scores=None):
    L1Unstructured.apply(module, name, amount=amount, importance_scores=importance_scores)
    return module


def random_structured(module, name, amount, dim):
    RandomStructured.apply(module, name, amount, dim)
    return module


def ln_structured(module, name, amount, n, dim, importance_scores=None):
    LnStructured.apply(module, name, amount, n, dim, importance_scores=importance_scores)
    return module


def custom_from_mask(module, name, mask):
    CustomFromMask.apply(module, name, mask)
    return module


def global_unstructured(parameters, pruning_method, importance_scores=None, **kwargs):
    if not isinstance(parameters, (list, tuple)) and not hasattr(parameters, "__iter__"):
        raise TypeError("global_unstructured(): parameters is not an Iterable")
    parameters = list(parameters)
    scores = {} if importance_scores is None else importance_scores
    if not isinstance(scores, dict):
        raise TypeError("global_unstructured(): importance_scores must be of type dict")
    vector = _torch("nn.utils.parameters_to_vector")
    joined = vector([scores.get((module, name), getattr(module, name)) for module, name in parameters])
    ones = [getattr(module, f"{name}_mask", paddle.ones_like(getattr(module, name))) for module, name in parameters]
    container = PruningContainer()
    container._tensor_name = "temp"
    method = pruning_method(**kwargs)
    method._tensor_name = "temp"
    container.add_pruning_method(method)
    if method.PRUNING_TYPE != "unstructured":
        raise TypeError(
            f'Only "unstructured" PRUNING_TYPE supported for the `pruning_method`. Found method {pruning_method}'
            f" of type {method.PRUNING_TYPE}"
        )
    mask, begin = container.compute_mask(joined, vector(ones)), 0
    for module, name in parameters:
        parameter = getattr(module, name)
        part = mask[begin : begin + parameter.size].reshape(parameter.shape)
        begin += parameter.size
        custom_from_mask(module, name, mask=part)


def remove(module, name):
    for key, hook in [*module._forward_pre_hooks.items()]:
        if isinstance(hook, BasePruningMethod) and hook._tensor_name == name:
            hook.remove(module)
            del module._forward_pre_hooks[key]
            return module
    raise ValueError(f"Parameter '{name}' of module {module} has to be pruned before pruning can be removed")


def is_pruned(module):
    hooks = (hook for part in module.sublayers(include_self=True) for hook in part._forward_pre_hooks.values())
    return any(isinstance(hook, BasePruningMethod) for hook in hooks)
