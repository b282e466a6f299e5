"""`np.float`, `np.Inf`, `np.product` and others that numpy has under one name only."""

import ast
from collections.abc import Iterator

from porter.languages.python import Module
from porter.model import Match, ProjectFacts
from porter.rules.evidence import is_asked_for, is_in_device_function
from porter.rules.patterns import spelling

# Release notes of numpy 1.24 (aliases of Python's own types) and 2.0 (expired aliases).
BUILTINS = ("complex", "float", "int", "object", "str")
RENAMED = {
    "Inf": "inf",
    "Infinity": "inf",
    "NaN": "nan",
    "PINF": "inf",
    "alltrue": "all",
    "bool8": "bool_",
    "bytes0": "bytes_",
    "cfloat": "complex128",
    "clongfloat": "clongdouble",
    "complex_": "complex128",
    "cumproduct": "cumprod",
    "float_": "float64",
    "infty": "inf",
    "int0": "intp",
    "longcomplex": "clongdouble",
    "longfloat": "longdouble",
    "mat": "asmatrix",
    "object0": "object_",
    "product": "prod",
    "round_": "round",
    "singlecomplex": "complex64",
    "sometrue": "any",
    "str0": "str_",
    "string_": "bytes_",
    "uint0": "uintp",
    "unicode_": "str_",
}


def check(module: Module, facts: ProjectFacts) -> Iterator[Match]:
    bound = {name.id for name in module.changed}
    for used in module.names:
        top, _, name = used.qualified.partition(".")
        node = used.node
        if top != "numpy" or not isinstance(node, ast.Attribute):
            continue
        new = None
        if name in BUILTINS and name not in bound:
            new = name
        elif name in RENAMED:
            new = spelling(module, node, used.qualified, f"numpy.{RENAMED[name]}")
        elif name == "NINF":
            infinity = spelling(module, node, used.qualified, "numpy.inf")
            new = f"(-{infinity})" if infinity else None
        in_device_function = is_in_device_function(module, node)
        if new and not is_asked_for(module, node, node.attr) and not in_device_function:
            yield Match(module.span(node), (module.replace(node, new),), name=used.qualified)
