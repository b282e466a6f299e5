import collections
import functools
import itertools
from collections.abc import Mapping

import paddle

from .methods_of_tensors import _members, _static
from .torchs_meaning import _tensor_method, _torch

_EXTRA, _COUNTED = "_extra_state", "num_batches_tracked"


class _IncompatibleKeys(collections.namedtuple("IncompatibleKeys", ["missing_keys", "unexpected_keys"])):
    def __repr__(self):
        return super().__repr__() if self.missing_keys or self.unexpected_keys else "<All keys matched successfully>"

    __str__ = __repr__


def _of_class(module, ours):
    """The method of this unit, bound to a module, or that of its class which overrides it."""
    overridden = not hasattr(_static(type(module), ours.__name__), "homes")
    return getattr(module, ours.__name__) if overridden else functools.partial(ours, module)


_AFTER_SAVING = "_hooks_after_saving"  # Paddle calls those in _state_dict_hooks with other arguments


def _state_hooks(module, table):
    return [*vars(module).get(table, {}).values()]


def _add_state_hook(module, table, hook):
    hooks = vars(module).setdefault(table, collections.OrderedDict())
    handle = _torch("utils.hooks.RemovableHandle")(hooks)
    hooks[handle.id] = hook
    return handle


def _register_state_dict_hook(self, hook):
    return _add_state_hook(self, _AFTER_SAVING, hook)


def register_state_dict_post_hook(self, hook):
    return _add_state_hook(self, _AFTER_SAVING, lambda *args: hook(*args) and None)


def register_state_dict_pre_hook(self, hook):
    return _add_state_hook(self, "_state_dict_pre_hooks", hook)


def _register_load_state_dict_pre_hook(self, hook, with_module=False):
    bound = (lambda *args: hook(self, *args)) if with_module else hook
    return _add_state_hook(self, "_load_state_dict_pre_hooks", bound)


def register_load_state_dict_pre_hook(self, hook):
    return _register_load_state_dict_pre_hook(self, hook, with_module=True)


def register_load_state_dict_post_hook(self, hook):
    return _add_state_hook(self, "_load_state_dict_post_hooks", hook)


def _own_state(module):
    """The parameters and the buffers that belong to the state of a module itself."""
    passing = module._non_persistable_buffer_names_set
    buffers = ((name, each) for name, each in module._buffers.items() if name not in passing)
    return {name: each for name, each in itertools.chain(module._parameters.items(), buffers) if each is not None}


def _has_extra(module, method):
    return _static(type(module), method) is not _static(paddle.nn.Layer, method)


def _save_to_state_dict(self, destination, prefix, keep_vars):
    for name, value in _own_state(self).items():
        destination[prefix + name] = value if keep_vars else value.detach()
    if _has_extra(self, "get_extra_state"):
        destination[prefix + _EXTRA] = self.get_extra_state()


def state_dict(self, *args, destination=None, prefix="", keep_vars=False):
    """The tensors of a module and of those in it, by name: without gradients unless keep_vars is set."""
    given = [*args, *(destination, prefix, keep_vars)[len(args) :]]
    destination, prefix, keep_vars = given
    if destination is None:
        destination = collections.OrderedDict()
        destination._metadata = collections.OrderedDict()
    known = {"version": type(self)._version}
    if hasattr(destination, "_metadata"):
        destination._metadata[prefix[:-1]] = known
    for hook in _state_hooks(self, "_state_dict_pre_hooks"):
        hook(self, prefix, keep_vars)
    _of_class(self, _save_to_state_dict)(destination, prefix, keep_vars)
    for name, inner in self._sub_layers.items():
        if inner is not None:
            _of_class(inner, state_dict)(destination=destination, prefix=f"{prefix}{name}.", keep_vars=keep_vars)
    for hook in _state_hooks(self, _AFTER_SAVING):
        changed = hook(self, destination, prefix, known)
        destination = destination if changed is None else changed
    return destination


def _assigned(module, name, old, given):
    if isinstance(old, paddle.base.framework.EagerParamBase):
        if not isinstance(given, paddle.base.framework.EagerParamBase):
            given = _torch("nn.Parameter")(given, requires_grad=not old.stop_gradient)
        given.stop_gradient = old.stop_gradient
    setattr(module, name, given)


def _take_state(module, name, key, old, given, assign):
    """Why a tensor of a file cannot be taken for that of a module, or nothing."""
    if not isinstance(given, paddle.Tensor):
        return (
            f'While copying the parameter named "{key}", expected torch.Tensor or Tensor-like object from '
            f"checkpoint but received {type(given)}"
        )
    if not old.ndim and given.ndim == 1 and not assign:
        given = given[0]
    if tuple(given.shape) != tuple(old.shape):
        sizes = [f"torch.Size({[*each.shape]})" for each in (given, old)]
        return (
            f"size mismatch for {key}: copying a param with shape {sizes[0]} from checkpoint, "
            f"the shape in current model is {sizes[1]}."
        )
    with paddle.no_grad():
        if assign:
            _assigned(module, name, old, given)
        else:
            _tensor_method("copy_")(old, given)
    return None


def _load_from_state_dict(
    self, state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs
):
    for hook in _state_hooks(self, "_load_state_dict_pre_hooks"):
        hook(state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs)
    own = _own_state(self)
    if _COUNTED in own and (local_metadata.get("version") or 1) < 2:
        state_dict.setdefault(prefix + _COUNTED, own[_COUNTED])
    for name, old in own.items():
        if prefix + name in state_dict:
            assign = local_metadata.get("assign_to_params_buffers", False)
            wrong = _take_state(self, name, prefix + name, old, state_dict[prefix + name], assign)
            error_msgs += [wrong] if wrong else []
        elif strict:
            missing_keys.append(prefix + name)
    takes_extra = _has_extra(self, "set_extra_state")
    if takes_extra and prefix + _EXTRA in state_dict:
        self.set_extra_state(state_dict[prefix + _EXTRA])
    elif takes_extra and strict:
        missing_keys.append(prefix + _EXTRA)
    if strict:
        known = {*own, *([_EXTRA] if takes_extra else ())}
        for key in state_dict:
            first, inner, _ = key[len(prefix) :].partition(".")
            if key.startswith(prefix) and first not in (self._sub_layers if inner else known):
                unexpected_keys.append(key)


def load_state_dict(self, state_dict, strict=True, assign=False):
    """Take the tensors of a state for those of the same names; what is missing, and what is too much."""
    if not isinstance(state_dict, Mapping):
        raise TypeError(f"Expected state_dict to be dict-like, got {type(state_dict)}.")
    missing, unexpected, errors = [], [], []
    metadata = getattr(state_dict, "_metadata", None) or {}

    def load(module, state, prefix):
        known = {**metadata.get(prefix[:-1], {}), **({"assign_to_params_buffers": True} if assign else {})}
        _of_class(module, _load_from_state_dict)(state, prefix, known, True, missing, unexpected, errors)
        for name, inner in module._sub_layers.items():
            if inner is not None:
                begin = f"{prefix}{name}."
                load(inner, {key: each for key, each in state.items() if key.startswith(begin)}, begin)
        for hook in _state_hooks(module, "_load_state_dict_post_hooks"):
            hook(module, _IncompatibleKeys(missing, unexpected))

    load(self, collections.OrderedDict(state_dict), "")
    said = [("Unexpected", unexpected), ("Missing", missing)] if strict else []
    for kind, keys in said:
        if keys:
            quoted = ", ".join(f'"{key}"' for key in keys)
            errors.insert(0, f"{kind} key(s) in state_dict: {quoted}. ")
    if errors:
        listed = "\n\t".join(errors)
        raise RuntimeError(f"Error(s) in loading state_dict for {type(self).__name__}:\n\t{listed}")
    return _IncompatibleKeys(missing, unexpected)


def _parameter_again(make, args, requires_grad):
    return _torch("nn.Parameter")(make(*args), requires_grad=requires_grad)


def _reduce_parameter(self, protocol):
    """As Paddle pickles a tensor, and it remains a parameter."""
    if type(self) is not paddle.base.framework.EagerParamBase:
        return _reduce_as_paddle(self, protocol)
    return _parameter_again, (*_reduce_as_paddle(self, protocol), not self.stop_gradient)


_reduce_as_paddle = paddle.Tensor.__reduce_ex__
_members(paddle.base.framework.EagerParamBase, __reduce_ex__=_reduce_parameter)
_members(
    paddle.nn.Layer,
    **{
        each.__name__: each
        for each in (
            *(_register_state_dict_hook, register_state_dict_post_hook, register_state_dict_pre_hook),
            *(_register_load_state_dict_pre_hook, register_load_state_dict_pre_hook),
            *(register_load_state_dict_post_hook, _save_to_state_dict, _load_from_state_dict),
            *(state_dict, load_state_dict),
        )
    },
)
