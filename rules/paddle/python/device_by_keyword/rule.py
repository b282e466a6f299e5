"""`torch.device(device=x)`: the keyword only torch has."""

from collections.abc import Iterator

from porter.languages.python import Module
from porter.model import Match, Place, ProjectFacts
from porter.rules.evidence import is_in_device_function

NAMES = frozenset({"torch.device"})


def check(module: Module, facts: ProjectFacts) -> Iterator[Match]:
    for call in module.calls_to(NAMES):
        if call.args or len(call.keywords) != 1 or call.keywords[0].arg != "device":
            continue
        if not is_in_device_function(module, call):
            span = module.span(call)
            yield Match(span, name="torch.device", place=Place(span))
