import contextlib
import re


from .operators import _Packet, _define, _key, _namespace, _registered, _split
from .register_fake import register_fake

_KEY = re.compile(
    r"(Autograd|Autocast)?(CPU|CUDA|HIP|XPU|MPS|XLA|HPU|IPU|VE|MTIA|Meta|Lazy|PrivateUse[123])"
    r"|Autograd(Other|Functionality|NestedTensor)?|Autocast|Composite\w+|ADInplaceOrView"
    r"|(Quantized|Sparse|SparseCsr|NestedTensor|Mkldnn)(CPU|CUDA)|Functionalize|Python\w*"
    r"|BackendSelect|FuncTorch\w+|Fake|Tracer|Named|Conjugate|Negative|ZeroTensor|PreDispatch|CatchAll"
)
_DEVICES = "cpu cuda ipu xpu mkldnn hip ve maia xla lazy vulkan mps meta hpu mtia privateuseone npu"
_early: dict[str, dict] = {}  # of operators that are defined later: name -> its kernels
_owned: set[str] = set()  # namespaces that a Library of the kind DEF is of


class Library:
    """A namespace of operators, or a part of one."""

    def __init__(self, ns, kind, dispatch_key=""):
        if kind not in ("IMPL", "DEF", "FRAGMENT"):
            raise ValueError(f"Unsupported kind: {kind}")
        if ns == "prim" and kind != "IMPL":
            raise ValueError(f"{ns} is a reserved namespace.")
        if kind == "DEF" and ns in _owned:
            raise RuntimeError(f"Only a single TORCH_LIBRARY can be used for the namespace {ns}")
        self.ns, self.kind, self.dispatch_key = ns, kind, dispatch_key
        self._made = []  # of this library: (the dictionary that it is in, its key)
        self._destroyed = False
        if kind == "DEF":
            _owned.add(ns)

    def __repr__(self):
        return f"Library(kind={self.kind}, ns={self.ns}, dispatch_key={self.dispatch_key})>"

    def _alive(self):
        if self._destroyed:
            raise AssertionError("Library object has been destroyed")

    def _name(self, op):
        name = op if isinstance(op, str) else getattr(op, "_name", None)
        if name is None or not hasattr(name, "partition"):
            raise RuntimeError(f"impl should be passed a name or an OpOverload, got {type(op)}")
        space, colons, _ = name.partition("::")
        if colons and space != self.ns:
            raise RuntimeError(f"impl({name!r}): the namespace of this library is {self.ns}")
        return name if colons else f"{self.ns}::{name}"

    def define(self, schema, alias_analysis="", *, tags=()):
        """Make an operator: "name(Tensor x) -> Tensor"; the name."""
        self._alive()
        if alias_analysis not in ("", "FROM_SCHEMA", "CONSERVATIVE"):
            raise RuntimeError(f"Invalid alias_analysis type {alias_analysis}")
        if self.kind == "IMPL":
            raise RuntimeError(f"def({schema!r}): Cannot define an operator in an IMPL library")
        name = schema.partition("(")[0].strip()
        full = self._name(name)
        space, packet, overload = _split(full)
        known = vars(vars(_namespace(space)).get(packet, self)).get(overload)
        if known is not None:
            raise RuntimeError(f"Tried to register an operator ({full}) multiple times.")
        made = _define(full, schema[len(schema.partition("(")[0]) :])
        made._kernels.update(_early.pop(full, {}))
        self._made.append((vars(vars(_namespace(space))[packet]), overload))
        return name

    def impl(self, op_name, fn, dispatch_key="", *, with_keyset=False, allow_override=False):
        """Give an operator a kernel for a dispatch key."""
        self._alive()
        if not callable(fn):
            raise TypeError(f"Input function is required to be a callable but found {type(fn)}")
        key = dispatch_key or self.dispatch_key or "CompositeImplicitAutograd"
        if not _KEY.fullmatch(key):
            raise RuntimeError(f"could not parse dispatch key: {key}")
        name = self._name(op_name)
        if self.ns in ("aten", "prim", "prims", "_"):
            raise NotImplementedError(
                f"under Paddle {name} is no operator that takes other kernels"
            )
        if with_keyset:
            raise NotImplementedError(f"{name}: there are no sets of dispatch keys under Paddle")
        try:
            kernels = _registered(name)._kernels
        except AttributeError:
            kernels = _early.setdefault(name, {})
        if fn is not fallthrough_kernel:
            kernels[key] = lambda values: _registered(name)._taking(fn)(values)
            self._made.append((kernels, key))

    def _register_fake(self, op_name, fn, _stacklevel=1, *, allow_override=True):
        register_fake(self._name(op_name), fn, allow_override=allow_override)

    def fallback(self, fn, dispatch_key="", *, with_keyset=False):
        if self.ns != "_":
            raise RuntimeError(
                f'Fallback can only be registered in the namespace "_", not {self.ns}'
            )
        raise NotImplementedError("Paddle has no dispatcher that would use a fallback")

    def _destroy(self):
        self._destroyed = True
        for names, key in self._made:
            names.pop(key, None)
        space = vars(_namespace(self.ns))
        for name in [n for n, each in space.items() if isinstance(each, _Packet)]:
            if not space[name]._overloads():
                del space[name]
        if self.kind == "DEF":
            _owned.discard(self.ns)


def fallthrough_kernel():
    """The mark of a kernel that leaves the call to other keys."""
    raise NotImplementedError("fallthrough_kernel() should never be called.")


@contextlib.contextmanager
def _scoped_library(*args, **kwargs):
    library = Library(*args, **kwargs)
    try:
        yield library
    finally:
        library._destroy()


def define(qualname, schema, *args, lib=None, tags=(), alias_analysis=""):
    """Make an operator: define("ns::name", "(Tensor x) -> Tensor")."""
    if isinstance(qualname, Library):  # an older form: a decorator

        def wrap(function):
            qualname.impl(qualname.define(schema, *args), function)
            return function

        return wrap
    if not isinstance(qualname, str):
        raise ValueError(f"define(qualname, schema): got {type(qualname)} as qualname")
    space, _, _ = _split(qualname)
    if not re.fullmatch(r"\(.*\) -> .*", schema, re.S):
        raise ValueError(f'expected schema to look like "(Tensor x) -> Tensor", got {schema!r}')
    (lib or Library(space, "FRAGMENT")).define(qualname.partition("::")[2] + schema, tags=tags)


def impl(qualname, types="", func=None, *, lib=None):
    """Give an operator a kernel for devices or dispatch keys; also as a decorator."""
    if isinstance(qualname, Library):  # an older form: impl(library, name, key)

        def wrap(function):
            qualname.impl(types, function, func or "")
            return function

        return wrap
    keys = [_key_of(each) for each in ((types,) if isinstance(types, str) else types)]

    def register(function):
        library = lib or Library(_split(qualname)[0], "FRAGMENT")
        for key in keys:
            library.impl(qualname, function, key)

    return register if func is None else register(func)


def _key_of(name):
    if name == "default":
        return "CompositeExplicitAutograd"
    if not _KEY.fullmatch(name) and name.partition(":")[0] not in _DEVICES.split():
        raise RuntimeError(f"Expected a device type or a dispatch key, not {name!r}")
    return name if _KEY.fullmatch(name) else _key(name)


def register_kernel(op, device_types, func=None, /, *, lib=None):
    """Give an operator a kernel for devices, None for all; also as a decorator."""
    found = _registered(op)
    definition = getattr(found, "_opdef", None)  # of what custom_op made
    if definition is None:
        return impl(found._name, device_types or "default", func, lib=lib)
    return definition.register_kernel(device_types, *([] if func is None else [func]))
