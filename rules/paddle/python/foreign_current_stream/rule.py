"""Launchers that look up torch's stream on their own: CUTLASS's Python package, Triton's driver."""

from collections.abc import Iterator

from porter.languages.python import Module
from porter.model import Match, ProjectFacts

CUTLASS = (
    "cutlass.torch imports torch itself: without real torch it loads only with cutlass in the "
    "scope of the proxy"
)
STREAMS = (
    ". Take streams from torch, not from it: "
    "cuda.CUstream(torch.cuda.current_stream()._as_parameter_.value or 0)"
)
TRITON = (
    "Triton's driver asks torch for the current stream: under the proxy `triton` must be in "
    "the scope of paddle.enable_compat, or this must be given the raw stream of "
    "torch.cuda.current_stream(device)"
)


def check(module: Module, facts: ProjectFacts) -> Iterator[Match]:
    streams = any(
        used.qualified.startswith("cutlass.torch.") and used.qualified.endswith("_stream")
        for used in module.names
    )
    for name, alias, _ in module.imports:
        if name == "cutlass.torch" or name.startswith("cutlass.torch."):
            said = CUTLASS + (STREAMS if streams else "")
            yield Match(module.span(alias), message=said, name=name)
    for used in module.names:
        driver = used.qualified.startswith(("triton.runtime.", "triton.backends."))
        if driver and used.qualified.endswith(".get_current_stream"):
            yield Match(module.span(used.node), message=TRITON, name=used.qualified)
