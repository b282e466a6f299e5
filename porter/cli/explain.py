"""porter explain."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from porter.cli import options

if TYPE_CHECKING:
    from porter.stages.explain import Explained


def command(
    name: Annotated[
        str, typer.Argument(help="A name: torch.equal, at::Tensor::sum, TORCH_CHECK, <header>.")
    ],
    target: options.Target = None,
    json: options.Json = False,
) -> None:
    """Say what a target has for one torch name, how it differs, and what porter does about it.

    Without a version: for every one that porter has data of.

    \b
    Examples:
      porter explain torch.equal
      porter explain at::Tensor::scatter_ --target TARGET==VERSION
      porter explain "<ATen/cuda/CUDAContext.h>" --json
    """
    from porter import targets
    from porter.cli.common import progress
    from porter.stages.explain import explain

    written = target or targets.DEFAULT
    framework, version = targets.resolve(written)
    found = explain(name, framework, [version] if "==" in written else framework.shipped())
    console = progress(json)
    if json:
        import dataclasses
        import json as encoder

        console.write(encoder.dumps(dataclasses.asdict(found), indent=2))
        return
    for line in _lines(found):
        console.write(line)


def _lines(found: Explained) -> list[str]:
    """A paragraph for each of: torch, each version of the target, each answer."""
    symbol = found.torch
    kind = f"{symbol.kind} of torch {found.torch_version}" if symbol else "not listed by torch"
    lines = [f"{found.name}: {kind}"]
    lines += [f"    {text}" for text in symbol.signatures] if symbol else []
    for one in found.versions:
        lines += ["", f"{found.target} {one.version}: {one.state}"]
        lines += [f"    {text}" for text in one.signatures]
        lines += [f"    {fact}" for fact in one.facts]
        if one.polyfill:
            verb = "replaced" if one.state == "present" else "filled"
            lines += [f"    {verb} by {one.polyfill}"]
    for answer in found.answers:
        said = f" ({answer.safety})" if answer.safety else ""
        lines += ["", f"{answer.kind} {answer.id}{said}: {answer.title}", f"    {answer.why}"]
        lines += [f"    until {answer.until}"]
        for label, text in (("before", answer.before), ("after", answer.after)):
            if text:
                lines += ["", f"    {label}:", *(f"        {row}" for row in text.splitlines())]
    if not found.answers and any(one.state != "present" for one in found.versions):
        lines += ["", "no rule and no polyfill: what must change is listed for a person"]
    for code in found.probes:
        rows = (row for line in code.splitlines() for row in line.split("; "))
        lines += ["", "holds under torch:", *(f"    {row}" for row in rows)]
    return lines
