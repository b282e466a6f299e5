"""`with torch.cuda.device_of(x):`, which Paddle lacks."""

import ast
from collections.abc import Iterator

from porter.languages.python import Module
from porter.model import Match, ProjectFacts
from porter.rules.evidence import torch_alias


def check(module: Module, facts: ProjectFacts) -> Iterator[Match]:
    for call in module.calls_to(frozenset({"torch.cuda.device_of"})):
        torch = torch_alias(module, call)
        simple = len(call.args) == 1 and isinstance(call.args[0], ast.Name | ast.Attribute)
        edits = ()
        if torch and simple and not call.keywords:
            new = f"{torch}.cuda.device({module.text(call.args[0])}.device.index)"
            edits = (module.replace(call, new),)
        yield Match(module.span(call), edits, name="torch.cuda.device_of")
