"""`tensor.record_stream(stream)`: the allocator is told that another stream uses the memory."""

import ast
from collections.abc import Iterator

from porter.languages.python import Module
from porter.model import Edit, Form, Match, ProjectFacts, Safety, Span
from porter.rules.evidence import defines_attribute, imports_torch, method_calls


def check(module: Module, facts: ProjectFacts, form: Form) -> Iterator[Match]:
    if not imports_torch(module) or defines_attribute(module, "record_stream"):
        return
    for call in method_calls(module, "record_stream"):
        assert isinstance(call.func, ast.Attribute)
        if len(call.args) + len(call.keywords) != 1:
            continue
        end = module.span(call.func).end
        name = Span(end - len(b"record_stream"), end)
        fork = form.is_fork
        yield Match(
            module.span(call),
            edits=(Edit(name, b"_record_stream"),) if fork else (),
            safety=Safety.REVIEW if fork else Safety.MANUAL,
            name="torch.Tensor.record_stream",
        )
