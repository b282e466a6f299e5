import inspect
import sys

import paddle

from .scope import _NOTHING, _OWN, _for_code

_GIVEN = "_given_by_users"  # by code for torch
_KEPT = ("_modules", "_parameters", "_buffers", _GIVEN)
_BEHIND = ("__getattr__", "__setattr__", "__delattr__", "_get_part", "_set_part")
_ASKING = ("register_buffer", "add_module", "add_parameter", "add_sublayer")  # whether a name is free


def _asking(frame):
    """The frame that reads or sets an attribute, behind the methods that do so."""
    while frame.f_code.co_name in _BEHIND:
        frame = frame.f_back
    return frame


class _NameOfUsers:
    """A name of Paddle's Layer: code for torch gets what such code gave it, other code Paddle's."""

    def __init__(self, name):
        self.name, self.homes = name, {}
        self.theirs = inspect.getattr_static(paddle.nn.Layer, name, None)

    def __get__(self, layer, owner=None):
        if layer is None:
            return self if self.theirs is None else self.theirs.__get__(None, owner)
        state, frame = layer.__dict__, _asking(sys._getframe(1))
        if _for_code(self.homes, frame) is not _NOTHING:
            for kept in _KEPT:
                if self.name in (state.get(kept) or ()):
                    return state[kept][self.name]
        if self.name in state:
            return state[self.name]
        if self.theirs is None or frame.f_code.co_name in _ASKING:
            raise AttributeError(self.name)
        return self.theirs.__get__(layer, owner)

    def _values(self, layer):
        users = _for_code(self.homes, _asking(sys._getframe(2))) is not _NOTHING
        return layer.__dict__.setdefault(_GIVEN, {}) if users else layer.__dict__

    def __set__(self, layer, value):
        self._values(layer)[self.name] = value

    def __delete__(self, layer):
        try:
            del self._values(layer)[self.name]
        except KeyError:
            raise AttributeError(self.name) from None


def _share_name(name):
    """Several units may do so in a process."""
    shared = inspect.getattr_static(paddle.nn.Layer, name, None)
    if type(shared).__name__ != "_NameOfUsers":
        shared = _NameOfUsers(name)
        setattr(paddle.nn.Layer, name, shared)
    shared.homes[_OWN] = True


# What torch 2.13's Module has not.
_PADDLES_NAMES = """\
_build_once _dygraph_call_func _obtain_parameters_buffers _set_op_attrs _startup_program _state_dict_impl _to_impl
_transform add_parameter add_sublayer astype backward clear_gradients create_parameter create_tensor
create_variable float16 full full_name get_sublayer load_dict named_sublayers set_dict set_state_dict
set_sublayer sublayers to_static_state_dict _built _dtype _full_name _helper\
""".split()
for _name in _PADDLES_NAMES:
    _share_name(_name)
