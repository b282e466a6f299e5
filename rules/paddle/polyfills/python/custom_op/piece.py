import contextlib

from .infer_schema import infer_schema
from .operators import _autocasting, _define, _key, _parsed, _tensors_in, _without_formula
from .overrides import _function


def custom_op(name, fn=None, /, *, mutates_args, device_types=None, schema=None, tags=None):
    """Make a function an operator; also as a decorator."""

    def make(fn):
        text = schema or infer_schema(fn, mutates_args=mutates_args, tags=tags)
        namespace, last = name.split("::")
        made = CustomOpDef(namespace, last, text, fn, tags)
        written_to = {each.name for each in made._parameters if each.written_to}
        if schema is not None and written_to != set(mutates_args):
            raise ValueError(f"{mutates_args=} does not tell what {schema=} does: {written_to}")
        made.register_kernel(device_types)(fn)
        return made

    return make if fn is None else make(fn)


class CustomOpDef:
    """An operator that custom_op made."""

    def __init__(self, namespace, name, schema, fn, tags=None):
        self._namespace, self._name, self._schema, self._init_fn = namespace, name, schema, fn
        self._qualname = f"{namespace}::{name}"
        self._parameters = _parsed(schema).parameters
        if any(each.named and each.kind.startswith("Tensor") for each in self._parameters):
            raise NotImplementedError(f"custom_op with kwarg-only Tensor args: {name}{schema}")
        self._opoverload = _define(self._qualname, schema)
        self._opoverload._kernels["Autograd"] = _without_formula(self._opoverload)
        self._opoverload._opdef = self
        self._backend_fns, self._disabled_kernel = {}, set()

    def __repr__(self):
        return f"<CustomOpDef({self._qualname})>"

    def __call__(self, *args, **kwargs):
        return self._opoverload(*args, **kwargs)

    def register_autograd(self, backward, /, *, setup_context=None):
        """Give it a backward pass."""
        register = _function("library.register_autograd")
        if register is None:
            raise AttributeError("'CustomOpDef' object has no attribute 'register_autograd'")
        register(self, backward, setup_context=setup_context)

    def register_kernel(self, device_types, fn=None, /):
        """Give it an implementation for these devices, None for all; also as a decorator."""
        if fn is None:
            return lambda fn: self.register_kernel(device_types, fn)
        kinds = {each.kind[:6] for each in self._parameters}
        if device_types is not None and not kinds & {"Tensor", "Device"}:
            raise ValueError("an operator without tensors needs a `device: torch.device` argument")
        one = device_types is None or isinstance(device_types, str)
        for device in (device_types,) if one else device_types:
            self._backend_fns[device] = fn
            key = "CompositeExplicitAutograd" if device is None else _key(device)
            self._opoverload._kernels[key] = self._kernel(device)
        return fn

    def _kernel(self, device):
        def call(*args, **kwargs):
            disabled = device in self._disabled_kernel
            made = (self._init_fn if disabled else self._backend_fns[device])(*args, **kwargs)
            self._check_aliases([*_tensors_in([*args, *kwargs.values()])], [*_tensors_in([made])])
            return made

        kernel = self._opoverload._taking(call)
        if not any(each.written_to for each in self._parameters):
            return kernel

        def writing(values):
            made = kernel(values)
            pairs = zip(self._parameters, values)
            for tensor in _tensors_in([value for each, value in pairs if each.written_to]):
                tensor._bump_inplace_version()  # so that who saved it notices
            return made

        return writing

    def _check_aliases(self, inputs, outputs):
        for number, made in enumerate(outputs):
            if any(made._is_shared_buffer_with(each) for each in (*inputs, *outputs[:number])):
                raise RuntimeError(
                    f"{self._name}: an output of a custom operator must not be, nor share memory "
                    "with, one of its inputs or another output: return a clone"
                )

    @contextlib.contextmanager
    def set_kernel_enabled(self, device_type, enabled=True):
        """Switch the kernel for a device off, or on; the function decorated stands in."""
        before = set(self._disabled_kernel)
        (self._disabled_kernel.discard if enabled else self._disabled_kernel.add)(device_type)
        try:
            yield
        finally:
            self._disabled_kernel = before

    def register_fake(self, fn, /):
        """Keep what computes the shapes of its outputs."""
        self._opoverload._fake = fn
        return fn

    def register_vmap(self, func=None):
        """Nothing: operators are called for one entry of a batch after the other."""
        return None if func is not None else lambda func: None

    def register_autocast(self, device_type, cast_inputs):
        """Run it with its floating-point tensors in a dtype where autocast is on."""
        _autocasting(self._opoverload, device_type, cast_inputs)

    def register_torch_dispatch(self, torch_dispatch_class, fn=None, /):
        raise NotImplementedError("there is no __torch_dispatch__ under Paddle")
