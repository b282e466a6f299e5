"""`CustomOpBuilder(..., cflags="... -D_GLIBCXX_USE_CXX11_ABI=1")`, with the flag written out."""

from collections.abc import Iterator

from porter.languages.python import Module
from porter.model import Edit, Match, ProjectFacts, Span
from porter.targets.mindspore.names import BUILDERS

FLAG = b"-D_GLIBCXX_USE_CXX11_ABI=1"


def check(module: Module, facts: ProjectFacts) -> Iterator[Match]:
    for call in module.calls_to(BUILDERS):
        for keyword in call.keywords:
            if keyword.arg != "cflags":
                continue
            span = module.span(keyword.value)
            at = module.data.find(FLAG, span.start, span.end)
            if at >= 0:
                spaced = module.data[at - 1 : at] == b" "
                yield Match(span, (Edit(Span(at - spaced, at + len(FLAG)), b""),))
