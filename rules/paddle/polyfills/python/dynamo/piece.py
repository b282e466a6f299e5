import contextlib
import sys
import types

from .compile import compile


def _marked(fn=None, *args, **kwargs):
    """The function itself, or what takes one."""
    return fn if fn is not None else _marked


class _Settings(types.ModuleType):
    """torch._dynamo.config: what is set is kept, and a setting not known here is no setting."""

    accumulated_cache_size_limit = accumulated_recompile_limit = 256
    cache_size_limit = recompile_limit = 8
    allow_rnn = capture_dynamic_output_shape_ops = capture_scalar_outputs = disable = False
    error_on_recompile = specialize_int = suppress_errors = verbose = False
    assume_static_by_default = automatic_dynamic_shapes = dynamic_shapes = optimize_ddp = True
    force_parameter_static_shapes = guard_nn_modules = inline_inbuilt_nn_modules = True

    @contextlib.contextmanager
    def patch(self, name=None, value=None, /, **settings):
        """A block, or a function, where other settings would hold: they mean nothing."""
        for key in (*settings, *([name] if isinstance(name, str) else name or ())):
            getattr(self, key)
        yield


def optimize(backend="inductor", *, nopython=False, disable=False, **options):
    """What torch.compile was once called: what takes the function."""
    return lambda fn: compile(fn, disable=disable)


_dynamo = types.ModuleType("paddle._dynamo")
_dynamo.__path__ = []  # so that it can have modules
vars(_dynamo).update(
    OptimizedModule=type("OptimizedModule", (), {}),
    allow_in_graph=_marked,
    assume_constant_result=_marked,
    config=_Settings("paddle._dynamo.config"),
    disable=_marked,
    disallow_in_graph=_marked,
    forbid_in_graph=_marked,
    graph_break=lambda msg="": None,
    is_compiling=lambda: False,
    is_dynamo_supported=lambda: False,
    is_inductor_supported=lambda: False,
    list_backends=lambda exclude_tags=(): [],
    mark_dynamic=lambda *args, **kwargs: None,
    mark_static=lambda *args, **kwargs: None,
    mark_static_address=lambda *args, **kwargs: None,
    maybe_mark_dynamic=lambda *args, **kwargs: None,
    optimize=optimize,
    reset=lambda: None,
    run=_marked,
)
sys.modules.setdefault("paddle._dynamo.config", _dynamo.config)
for _home, _names in {
    "eval_frame": {"OptimizedModule": _dynamo.OptimizedModule, "disable": _marked},
    "decorators": {"disable": _marked, "mark_static_address": _dynamo.mark_static_address},
    "external_utils": {"is_compiling": _dynamo.is_compiling},
    "utils": {"is_compile_supported": lambda device_type: False},
}.items():
    _module_of = types.ModuleType(f"paddle._dynamo.{_home}")
    vars(_module_of).update(_names)
    setattr(_dynamo, _home, sys.modules.setdefault(_module_of.__name__, _module_of))
