// The classes that Python sees of modules in C++.
#pragma once

namespace torch::python::compat_detail {

// A layer that shows the tensors of a module, which may change at any time.
inline const char* const MODULE_WRAPPER = R"py(
import paddle


class OrderedDictWrapper:
    def __init__(self, cpp_module, attr, made=lambda value, known: value):
        self.cpp_module, self.attr, self.made, self.known = cpp_module, attr, made, {}

    @property
    def cpp_dict(self):
        return getattr(self.cpp_module, self.attr)

    def items(self):
        "The same objects as before, as long as the module has the same."
        found = [(k, self.made(v, self.known.get(k))) for k, v in self.cpp_dict.items()]
        self.known = dict(found)
        return found

    def keys(self):
        return [key for key, _ in self.items()]

    def values(self):
        return [value for _, value in self.items()]

    def __iter__(self):
        return iter(self.keys())

    def __len__(self):
        return len(self.cpp_dict)

    def __contains__(self, key):
        return key in self.cpp_dict

    def __getitem__(self, key):
        return dict(self.items())[key]

    def __setitem__(self, key, value):
        _write_over(self[key], value)

    def __delitem__(self, key):
        raise TypeError(f"{key!r} is registered in C++")

    def get(self, key, default=None):
        return dict(self.items()).get(key, default)

    def copy(self):
        return dict(self.items())


def _write_over(tensor, value):
    "The tensor in C++ shows the other from now on."
    if not isinstance(value, paddle.Tensor):
        raise TypeError(f"cannot assign {type(value).__name__} to a tensor registered in C++")
    if value is not tensor:
        tensor.get_tensor()._share_data_nocheck_with(value.get_tensor())


def _same_tensor(value, known):
    return known if known is not None and known.get_tensor() is value.get_tensor() else value


def _same_wrapper(value, known):
    return known if known is not None and known.cpp_module is value else ModuleWrapper(value)


class ModuleWrapper(paddle.nn.Layer):
    def __init__(self, cpp_module):
        self.__dict__["cpp_module"] = cpp_module
        super().__init__()
        for table in ("_parameters", "_buffers"):
            self.__dict__[table] = OrderedDictWrapper(cpp_module, table, _same_tensor)
        self.__dict__["_sub_layers"] = OrderedDictWrapper(cpp_module, "_modules", _same_wrapper)
        for attr in dir(cpp_module):
            if not attr.startswith("_") and attr != "training":
                self.__dict__[attr] = getattr(cpp_module, attr)

    def __setattr__(self, name, value):
        tables = "_parameters", "_buffers", "_sub_layers"
        tables = [self.__dict__.get(table, ()) for table in tables]
        if any(isinstance(table, OrderedDictWrapper) and name in table for table in tables):
            raise TypeError(f"{name!r} is registered in C++, and cannot be assigned")
        super().__setattr__(name, value)

    def _apply(self, func, *to):
        "A layer gives where to, torch's code a function of the tensor only."
        with paddle.no_grad():
            for tensor in [*self.cpp_module.parameters(), *self.cpp_module.buffers()]:
                for each in (tensor, tensor.grad):
                    if each is not None:
                        _write_over(each, func(each, *to[:3]))
        return self

    @property
    def training(self):
        return self.cpp_module.training

    @training.setter
    def training(self, mode):
        self.cpp_module.train(mode)

    def __repr__(self):
        return self.cpp_module.__repr__()


def wrapped(name, cpp_class, home):
    def __init__(self, *args, **kwargs):
        ModuleWrapper.__init__(self, cpp_class(*args, **kwargs))

    return type(name, (ModuleWrapper,), {"__init__": __init__, "__module__": home})
)py";

}  // namespace torch::python::compat_detail
