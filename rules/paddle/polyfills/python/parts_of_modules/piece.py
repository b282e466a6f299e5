import collections
import functools

import paddle

from .assertions import typename

_AnyLayer = paddle.nn.Layer
# Paddle's names of the tables that torch's modules have by other names.
_TABLES = {
    "_sub_layers": "_modules",
    "_non_persistable_buffer_names_set": "_non_persistent_buffers_set",
    "_forward_pre_hooks_with_kwargs_flag": "_forward_pre_hooks_with_kwargs",
    "_forward_post_hooks": "_forward_hooks",
    "_forward_post_hooks_with_kwargs_flag": "_forward_hooks_with_kwargs",
    "_forward_post_hooks_always_called": "_forward_hooks_always_called",
}
_OTHER_HOOKS = """\
_backward_hooks _backward_pre_hooks _state_dict_pre_hooks _load_state_dict_pre_hooks _load_state_dict_post_hooks\
""".split()
_make_layer, _get_attribute, _set_attribute = _AnyLayer.__init__, _AnyLayer.__getattr__, _AnyLayer.__setattr__


def _init_with_tables(self, *args, **kwargs):
    vars(self).update({name: collections.OrderedDict() for name in _OTHER_HOOKS}, _is_full_backward_hook=None)
    _make_layer(self, *args, **kwargs)


def _kept_as(theirs, name):
    """The property by Paddle's name, of what is in the module's __dict__ by torch's name."""

    def table(self):
        if theirs in vars(self):  # of a layer made before, or of a file
            vars(self)[name] = vars(self).pop(theirs)
        try:
            return vars(self)[name]
        except KeyError:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}") from None

    return property(
        table, lambda self, value: vars(self).update({name: value}), lambda self: vars(self).pop(name)
    )


def _get_part(self, name):
    modules = vars(self).get("_modules")
    if modules is not None and name in modules:
        return modules[name]
    for theirs, ours in _TABLES.items():
        if name == ours and theirs in vars(self):
            return getattr(self, theirs)
    return _get_attribute(self, name)


def _set_part(self, name, value):
    state, is_module = vars(self), isinstance(value, _AnyLayer)
    modules = state.get("_modules")
    if is_module and modules is None and "_sub_layers" not in state:
        raise AttributeError("cannot assign module before Module.__init__() call")
    of_modules = modules is not None and (is_module or name in modules)
    if not of_modules or name in state["_parameters"] or isinstance(value, paddle.base.framework.Parameter):
        return _set_attribute(self, name, value)
    if is_module:
        for table in (state, state["_buffers"]):
            table.pop(name, None)
        self._non_persistable_buffer_names_set.discard(name)
    elif value is not None:
        said = f"cannot assign {typename(value)!r} as child module {name!r} (torch.nn.Module or None expected)"
        raise TypeError(said)
    modules[name] = value
    return None


# For all code: Paddle's layers find their tables by these names. Another unit may have done so already.
if "_sub_layers" not in vars(_AnyLayer):
    for _table_of_paddle, _table_of_torch in _TABLES.items():
        if _table_of_torch in vars(_AnyLayer):
            delattr(_AnyLayer, _table_of_torch)
        setattr(_AnyLayer, _table_of_paddle, _kept_as(_table_of_paddle, _table_of_torch))
    _AnyLayer.__init__ = functools.update_wrapper(_init_with_tables, _make_layer)
    _AnyLayer.__getattr__ = functools.update_wrapper(_get_part, _get_attribute)
    _AnyLayer.__setattr__ = functools.update_wrapper(_set_part, _set_attribute)
    _AnyLayer._version, _AnyLayer.call_super_init, _AnyLayer.dump_patches = 1, False, False
