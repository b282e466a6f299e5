"""`with torch.cuda.device_of(x):`, which Paddle lacks."""

import ast
from collections.abc import Iterator

from porter.languages.python import Module
from porter.model import Match, Place, ProjectFacts
from porter.rules.evidence import torch_alias


def check(module: Module, facts: ProjectFacts) -> Iterator[Match]:
    for call in module.calls_to(frozenset({"torch.cuda.device_of"})):
        torch = torch_alias(module, call)
        simple = len(call.args) == 1 and isinstance(call.args[0], ast.Name | ast.Attribute)
        span = module.span(call)
        plain = simple and not call.keywords
        place = Place(span, {"torch": torch}) if torch and plain else None
        yield Match(span, name="torch.cuda.device_of", place=place)
