import itertools

import paddle

from .methods_of_tensors import _members

_NAMES_OF_LISTS = {paddle.nn.LayerList: "ModuleList", paddle.nn.LayerDict: "ModuleDict"}


def _text_of_part(layer):
    """As the module itself, where its class has no text of its own: it is asked for by no code for torch."""
    own = type(layer).__repr__ is not paddle.nn.Layer.__repr__
    return repr(layer) if own else _text_of_module(layer)


def _text_of_list(layers):
    """The lines of a list: equal modules that follow each other are one line."""
    first = 0
    for text, same in itertools.groupby(map(_text_of_part, layers)):
        count = len([*same])
        yield f"({first}-{first + count - 1}): {count} x {text}" if count > 1 else f"({first}): {text}"
        first += count


def _text_of_module(self):
    own = self.extra_repr()
    lines = own.split("\n") if own else []
    if isinstance(self, paddle.nn.LayerList):
        lines, parts = [], [*_text_of_list(self)]
    else:
        parts = [f"({name}): {_text_of_part(layer)}" for name, layer in self._sub_layers.items()]
    name = _NAMES_OF_LISTS.get(type(self)) or type(self).__name__
    if len(lines) == 1 and not parts:
        return f"{name}({lines[0]})"
    indented = "".join("  " + each.replace("\n", "\n  ") + "\n" for each in (*lines, *parts))
    return f"{name}(\n{indented})" if indented else f"{name}()"


_members(paddle.nn.Layer, __repr__=_text_of_module)
