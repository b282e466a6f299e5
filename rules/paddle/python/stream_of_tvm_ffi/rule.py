"""`with tvm_ffi.use_torch_stream(context):`, which enters the context and tells TVM FFI of the
stream that is current then."""

import ast
from collections.abc import Iterator

from porter.languages.python import Module
from porter.model import Edit, Match, ProjectFacts
from porter.rules.evidence import torch_alias

NAME = "tvm_ffi.use_torch_stream"


def check(module: Module, facts: ProjectFacts) -> Iterator[Match]:
    for call in module.calls_to({NAME}):
        edit = _edit(module, call)
        yield Match(module.span(call), (edit,) if edit else (), name=NAME)


def _edit(module: Module, call: ast.Call) -> Edit | None:
    item, torch = module.parents[call], torch_alias(module, call)
    plain = isinstance(item, ast.withitem) and item.optional_vars is None and not call.keywords
    known = all(isinstance(given, ast.Call) for given in call.args)  # a name may stand for None
    if not (plain and known and torch and isinstance(call.func, ast.Attribute)):
        return None
    ffi, statement = module.text(call.func.value), module.parents[item]
    indent = module.data[module.line_start(statement).start : module.span(statement).start]
    begin = "\n" + indent.decode() if indent.isspace() else "\n"
    raw = (
        f'{ffi}.use_raw_stream({begin}    {ffi}.device("cuda", {torch}.cuda.current_device()),'
        f"{begin}    {torch}.cuda.current_stream()._as_parameter_.value or 0,{begin})"
    )
    return module.replace(call, ", ".join((*map(module.text, call.args), raw)))
