"""`with tvm_ffi.use_torch_stream(context):`, which enters the context and tells TVM FFI of the
stream that is current then."""

import ast
from collections.abc import Iterator

from porter.languages.python import Module
from porter.model import Match, Place, ProjectFacts
from porter.rules.evidence import torch_alias

NAME = "tvm_ffi.use_torch_stream"


def check(module: Module, facts: ProjectFacts) -> Iterator[Match]:
    for call in module.calls_to({NAME}):
        torch = torch_alias(module, call)
        span, plain = module.span(call), _is_plain(module, call)
        place = Place(span, {"torch": torch}) if torch and plain else None
        yield Match(span, name=NAME, place=place)


def _is_plain(module: Module, call: ast.Call) -> bool:
    """Whether it is a context that nothing keeps; a context of its own is made in the call, since
    a name may stand for None."""
    item = module.parents[call]
    plain = isinstance(item, ast.withitem) and item.optional_vars is None and not call.keywords
    made = all(isinstance(given, ast.Call) for given in call.args)
    return plain and made and isinstance(call.func, ast.Attribute)
