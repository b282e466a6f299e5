import builtins
import collections
import dataclasses
import enum
import functools
import keyword
import math
import re
import sys
import types
import typing

import paddle

from .fx_names import _TYPES_OF_TORCH, _name_in_torch, _name_of_type, _qualified_name
from .fx_nodes import _FxNode
from .overrides import _function

_INFIX = {
    "eq": "==", "ne": "!=", "lt": "<", "gt": ">", "le": "<=", "ge": ">=", "add": "+", "sub": "-", "mul": "*",
    "floordiv": "//", "truediv": "/", "mod": "%", "pow": "**", "lshift": "<<", "rshift": ">>", "and_": "&", "or_": "|",
    "xor": "^", "matmul": "@",
}  # fmt: skip
_PREFIX = {"pos": "+", "neg": "-", "invert": "~"}
_CHANGING = {
    "iadd": "+=", "iand": "&=", "ifloordiv": "//=", "ilshift": "<<=", "imod": "%=", "imul": "*=", "imatmul": "@=",
    "ior": "|=", "ipow": "**=", "irshift": ">>=", "isub": "-=", "itruediv": "/=", "ixor": "^=",
}  # fmt: skip
_ALIASES = {kind: getattr(typing, kind.__name__.title()) for kind in (list, dict, set, tuple)}


@dataclasses.dataclass
class PythonCode:
    """The text of the function of a graph, and the global names that it uses."""

    src: str
    globals: dict
    _lineno_map: typing.Any = None
    _prologue_start: int = 0


class _Namespace:
    """Names, each of which is given once."""

    def __init__(self):
        self._obj_to_name, self._used_names, self._base_count = {}, set(), {}

    def create_name(self, candidate, obj):
        if obj is not None and id(obj) in self._obj_to_name:
            return self._obj_to_name[id(obj)]
        candidate = re.sub("[^0-9a-zA-Z_]+", "_", candidate) or "_unnamed"
        candidate = f"_{candidate}" if candidate[0].isdigit() else candidate
        base, _, number = candidate.rpartition("_")
        if base and number.isdigit():
            count = int(number)
        else:
            base, count = candidate, 0
        if candidate in self._used_names or self._is_illegal_name(candidate, obj):
            count = self._base_count.get(base, count)
        while candidate in self._used_names or self._is_illegal_name(candidate, obj):
            count += 1
            candidate = f"{base}_{count}"
        self._used_names.add(candidate)
        self._base_count[base] = count
        if obj is not None:
            self._obj_to_name[id(obj)] = candidate
        return candidate

    def associate_name_with_obj(self, name, obj):
        self._obj_to_name[id(obj)] = name

    def _rename_object(self, obj, name):
        self._obj_to_name[id(obj)] = name
        self._used_names.add(name)

    def _is_illegal_name(self, name, obj):
        if name in keyword.kwlist:
            return True
        if name in vars(builtins):
            return obj is not vars(builtins)[name]
        return name in _COMMON_NAMES and obj is not _common_globals()[name]


_COMMON_NAMES = ("inf", "nan", "NoneType", "torch", "device", "fx_pytree", "pytree")


@functools.lru_cache(None)
def _common_globals():
    pytree = _function("utils._pytree")
    values = math.inf, math.nan, type(None), sys.modules["torch"], _function("device"), pytree, pytree
    return dict(zip(_COMMON_NAMES, values, strict=True))


def _snake_case(text):
    """Words in capitals as words with underscores."""
    return re.sub("(?<=[a-z])([A-Z])", r"_\1", text).lower()


def _expression_of(base, target):
    """An expression for what the words of a target lead to from a variable."""
    for name in target.split("."):
        base = f"{base}.{name}" if name.isidentifier() else f'getattr({base}, "{name}")'
    return base


class CodeGen:
    """Makes the text of a function of the steps of a graph."""

    def process_inputs(self, *args):
        return args

    def process_outputs(self, outputs):
        return outputs

    def additional_globals(self):
        return []

    def gen_fn_def(self, free_vars, maybe_return_annotation):
        names = free_vars if free_vars and free_vars[0] == "self" else ["self", *free_vars]
        return f"def forward({', '.join(names)}){maybe_return_annotation}:"

    def generate_output(self, output_args, **options):
        return f"return {output_args!r}"

    def _gen_python_code(self, nodes, root_module, namespace, *, verbose=False, **options):
        return _Text(self, [*nodes], root_module, namespace, verbose).code()


class _Text:
    """The text of a function, as it is made."""

    def __init__(self, codegen, nodes, root, namespace, verbose):
        self.codegen, self.nodes, self.root, self.namespace = codegen, nodes, root, namespace
        self.known, self.arguments, self.lines, self.returned = {}, [], [], ""
        self.wrapped, self.verbose, self.last = {}, verbose, collections.defaultdict(list)
        self.known.update([*_common_globals().items(), *codegen.additional_globals()])
        namespace._used_names.update(self.known)
        seen = set()
        for node in reversed(nodes):
            self.last[node] += [each for each in node.all_input_nodes if each not in seen]
            seen.update(node.all_input_nodes)

    def named(self, hint, value):
        """A name for a value: that of torch's, which torch leads to, or a global one."""
        if not hint.startswith("_operator.") and value is not _common_globals()["device"]:
            name = _TYPES_OF_TORCH.get(value) if isinstance(value, type) else None
            name = name or (_name_in_torch(value) if callable(value) and hint.startswith("torch.") else None)
            if name:
                return name
        name = hint.replace(".", "_")
        if self.known.get(name, self) is value:
            return name
        name = self.namespace.create_name(name, value)
        self.known[name] = value
        return name

    def of_type(self, kind):
        origin = getattr(kind, "__origin__", None)
        if origin is None:
            return "()" if kind == () else self.named(_name_of_type(kind), kind)
        if not isinstance(kind, types.GenericAlias):
            origin = _ALIASES.get(origin, origin)
        return f"{self.named(_name_of_type(origin), origin)}[{','.join(map(self.of_type, kind.__args__))}]"

    def of(self, value):
        """An expression for an argument."""
        if isinstance(value, _FxNode):
            return repr(value)
        if isinstance(value, tuple) and hasattr(value, "_fields"):
            name = self.named(_name_of_type(type(value)), type(value))
            return f"{name}({', '.join(map(self.of, value))})"
        if isinstance(value, (list, tuple)):
            inner = ", ".join(map(self.of, value))
            single = isinstance(value, tuple) and len(value) == 1
            return f"[{inner}]" if isinstance(value, list) else f"({inner},)" if single else f"({inner})"
        if isinstance(value, dict):
            return "{" + ", ".join(f"{self.of(key)}: {self.of(each)}" for key, each in value.items()) + "}"
        if isinstance(value, slice):
            return f"slice({', '.join(map(self.of, (value.start, value.stop, value.step)))})"
        if isinstance(value, enum.Enum):
            return f"{self.named(_name_of_type(type(value)), type(value))}.{value.name}"
        if isinstance(value, paddle.dtype):
            return f"torch.{value.name.lower()}"
        if isinstance(value, _common_globals()["device"]):
            return f"device(type='{value.type}'{'' if value.index is None else f', index={value.index}'})"
        if value is None or value is ... or isinstance(value, (str, bytes, int, float, complex, range)):
            return repr(value)
        if isinstance(value, type) or callable(value):
            return self.named(_name_of_type(value) if isinstance(value, type) else _qualified_name(value), value)
        text = repr(value)
        if text.startswith("torch."):
            return text
        return self.named(f"_{_snake_case(type(value).__name__)}", value)

    def call(self, node, args):
        inner = [*map(self.of, args), *(f"{key} = {self.of(each)}" for key, each in node.kwargs.items())]
        return ", ".join(inner)

    def expression(self, node):
        target, args = node.target, node.args
        if node.op == "call_method":
            return f"{_expression_of(self.of(args[0]), target)}({self.call(node, args[1:])})"
        if node.op == "call_module":
            return f"{_expression_of(self.root, target)}({self.call(node, args)})"
        if node.op == "get_attr":
            return _expression_of(self.root, target)
        if getattr(target, "__module__", None) == "_operator" and not node.kwargs:
            name, given = target.__name__, [*map(self.of, args)]
            if name in _INFIX and len(args) == 2:
                return f"{given[0]} {_INFIX[name]} {given[1]}"
            if name in _PREFIX:
                return f"{_PREFIX[name]}{given[0]}"
            if name == "getitem":
                return f"{given[0]}[{given[1]}]"
        name = self.named(_qualified_name(target), target)
        if node.meta.get("is_wrapped"):
            self.wrapped[name] = True
        if target is getattr and len(args) == 2 and isinstance(args[1], str) and args[1].isidentifier():
            return _expression_of(self.of(args[0]), args[1])
        return f"{name}({self.call(node, args)})"

    def placeholder(self, node):
        name = node.target.replace("*", "")
        kind = "" if node.type is None else f" : {self.of_type(node.type)}"
        default = f" = {self.of(node.args[0])}" if node.args else ""
        self.arguments.append(f"{node.target}{kind}{default}")
        if name != repr(node):
            self.lines.append(f"{node!r} = {name}")

    def step(self, node):
        kind = "" if node.type is None else f" : {self.of_type(node.type)}"
        unused = [*self.last[node], *([] if node.users else [node])]
        freed = f";  {' = '.join(map(repr, unused))} = None" if unused else ""
        if getattr(node.target, "__module__", None) == "_operator" and node.target.__name__ in _CHANGING:
            changed, by = map(self.of, node.args)
            self.lines.append(f"{changed} {_CHANGING[node.target.__name__]} {by};  {node!r}{kind} = {changed}{freed}")
        else:
            self.lines.append(f"{node!r}{kind} = {self.expression(node)}{freed}")

    def code(self):
        told = not self.verbose
        for node in self.nodes:
            if node.op == "placeholder":
                self.placeholder(node)
            elif node.op == "output":
                self.returned = "" if node.type is None else f" -> {self.of_type(node.type)}"
                self.lines.append(f"return {self.of(node.args[0])}")
            else:
                if not told:
                    self.lines += [*([""] if self.lines else []), "# No stacktrace found for following nodes"]
                    told = True
                self.step(node)
        body = "".join(f"    {line}\n" if line else "\n" for line in self.lines or ["pass"])
        wraps = "\n".join(f'torch.fx._symbolic_trace.wrap("{name}")' for name in self.wrapped)
        head = self.codegen.gen_fn_def(self.arguments, self.returned)
        return PythonCode(f"\n{wraps}\n\n{head}\n{body}    ", self.known)
