import paddle

from .initial_values import normal_
from .torchs_meaning import _torch


def _hook_of_weight(module, kind, name):
    """The key of a hook of a kind, that computes a parameter of a module, and the hook."""
    hooks = module._forward_pre_hooks.items()
    return next(((key, hook) for key, hook in hooks if isinstance(hook, kind) and hook.name == name), (None, None))


class _NormOfWeight:
    """A hook that computes a weight of a module before each call, and stands in its place."""

    said = ""

    def __call__(self, module, inputs):
        object.__setattr__(module, self.name, self.compute_weight(module, module.training))  # no buffer

    @classmethod
    def _put_on(cls, module, name, *settings):
        if _hook_of_weight(module, cls, name)[1] is not None:
            raise RuntimeError(f"Cannot register two {cls.said} hooks on the same parameter {name}")
        hook = cls(name, *settings)
        hook._take_apart(module, module._parameters.pop(name))
        module.register_forward_pre_hook(hook)
        return module

    @classmethod
    def _take_off(cls, module, name):
        key, hook = _hook_of_weight(module, cls, name)
        if hook is None:
            raise ValueError(f"{cls.said} of '{name}' not found in {module}")
        with paddle.no_grad():
            weight = hook.compute_weight(module, False).detach()
        vars(module).pop(name, None)
        for part in hook.parts:
            delattr(module, f"{name}_{part}")
        module.register_parameter(name, _torch("nn.Parameter")(weight))
        del module._forward_pre_hooks[key]
        return module


class WeightNorm(_NormOfWeight):
    """A weight by its direction and its length."""

    said, parts = "weight_norm", "gv"

    def __init__(self, name, dim):
        self.name, self.dim = name, -1 if dim is None else dim

    def compute_weight(self, module, training=False):
        length, direction = (getattr(module, f"{self.name}_{part}") for part in self.parts)
        return direction * (length / _torch("norm_except_dim")(direction, 2, self.dim))

    def _take_apart(self, module, weight):
        length = _torch("norm_except_dim")(weight, 2, self.dim)
        for part, each in zip(self.parts, (length, weight)):
            module.register_parameter(f"{self.name}_{part}", _torch("nn.Parameter")(each.detach()))
        self(module, ())


class SpectralNorm(_NormOfWeight):
    """A weight divided by its largest singular value, which the power method finds."""

    said, parts = "spectral_norm", ("u", "v", "orig")

    def __init__(self, name="weight", n_power_iterations=1, dim=0, eps=1e-12):
        if n_power_iterations <= 0:
            raise ValueError(f"Expected n_power_iterations to be positive, but got {n_power_iterations}")
        self.name, self.dim, self.n_power_iterations, self.eps = name, dim, n_power_iterations, eps

    def reshape_weight_to_matrix(self, weight):
        if self.dim:
            weight = weight.transpose([self.dim, *(d for d in range(weight.ndim) if d != self.dim)])
        return weight.reshape([weight.shape[0], -1])

    def _of_length_one(self, vector):
        return vector / paddle.clip(paddle.linalg.norm(vector), min=self.eps)

    def compute_weight(self, module, do_power_iteration):
        u, v, weight = (getattr(module, f"{self.name}_{part}") for part in self.parts)
        matrix = self.reshape_weight_to_matrix(weight)
        if do_power_iteration:
            with paddle.no_grad():
                for _ in range(self.n_power_iterations):
                    paddle.assign(self._of_length_one(paddle.mv(matrix.t(), u)), v)
                    paddle.assign(self._of_length_one(paddle.mv(matrix, v)), u)
                u, v = u.clone(), v.clone()
        return weight / paddle.dot(u, paddle.mv(matrix, v))

    def _take_apart(self, module, weight):
        with paddle.no_grad():
            sizes = self.reshape_weight_to_matrix(weight).shape
            u, v = (self._of_length_one(normal_(paddle.empty([size], weight.dtype))) for size in sizes)
        module.register_parameter(f"{self.name}_orig", weight)
        object.__setattr__(module, self.name, weight.detach())
        for part, vector in (("u", u), ("v", v)):
            module.register_buffer(f"{self.name}_{part}", vector)


def utils_weight_norm(module, name="weight", dim=0):
    """Compute a weight from its direction and its length before each call."""
    return WeightNorm._put_on(module, name, dim)


def remove_weight_norm(module, name="weight"):
    """Make what weight_norm computes a parameter again."""
    return WeightNorm._take_off(module, name)


def utils_spectral_norm(module, name="weight", n_power_iterations=1, eps=1e-12, dim=None):
    """Divide a weight by its largest singular value before each call."""
    if dim is None:
        dim = int(isinstance(module, tuple(_torch(f"nn.ConvTranspose{n}d") for n in (1, 2, 3))))
    return SpectralNorm._put_on(module, name, n_power_iterations, dim, eps)


def remove_spectral_norm(module, name="weight"):
    """Make what spectral_norm computes a parameter again."""
    return SpectralNorm._take_off(module, name)
