"""What went wrong while a cell was built, as diagnostics and in a sentence."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from porter.build import diagnostics, installed, packages
from porter.languages.data import read_json
from porter.model import Diagnostic


def together(
    seen: tuple[Diagnostic, ...],
    problems: tuple[Diagnostic, ...],
    modules: tuple[installed.Module, ...],
    imported: tuple[str, ...],
) -> tuple[tuple[Diagnostic, ...], tuple[Diagnostic, ...]]:
    """What was seen in libraries, and the imports that failed: of one cause where it is one.

    What a library that was imported seemed to lack is told and fails nothing.
    """
    whole = tuple(module.path for module in modules if module.path and module.name in imported)
    seen = tuple(
        replace(item, severity="warning", cause=f"{item.cause} (it was imported all the same)")
        if item.path and any(path.endswith(item.path) for path in whole)
        else item
        for item in seen
    )
    known = {item.name: item.cause for item in seen if item.severity == "error"}
    same = (replace(p, cause=known.get(p.name, p.cause)) for p in problems)
    errors = tuple(item for item in seen if item.severity == "error")
    return tuple(item for item in seen if item.severity != "error"), (*errors, *same)


def refusals(done: packages.Installed) -> tuple[Diagnostic, ...]:
    """Requirements that were not installed: worth knowing, not fatal."""
    return tuple(
        diagnostics.plain("pip", f"{name} was not installed: {why}", "warning")
        for name, why in done.refused
    )


def ports(done: packages.Installed, ports: Mapping[str, str]) -> tuple[Diagnostic, ...]:
    """Requirements that another distribution was installed for."""
    return tuple(
        diagnostics.plain("pip", f"{asked}: the port of {name} was installed", "warning")
        for asked in done.asked
        for name, port in ports.items()
        if asked.startswith(port)
    )


def lacked(unasked: Iterable[str]) -> tuple[Diagnostic, ...]:
    """Requirements that are there where torch is, and that nobody states."""
    return tuple(
        diagnostics.plain(
            "pip", f"{name} comes with torch: without it, a requirement to state", "warning"
        )
        for name in unasked
    )


def said(found: Iterable[Diagnostic], what: str, otherwise: str = "") -> str:
    rows = diagnostics.causes(found)
    if not rows:
        return f"{what}: {otherwise}" if otherwise else what
    others = len(rows) - 1
    more = f" (and {others} more cause{'s' if others > 1 else ''})" if others else ""
    return f"{what}: {rows[0][0]}{more}"


def unimported(problems: Sequence[Diagnostic]) -> str:
    lacks = any(problem.cause.startswith("missing module") for problem in problems)
    remedy = "; --with FOLDER installs a ported project that it needs" if lacks else ""
    return said(problems, "installed, but it cannot be imported") + remedy


def line(text: str) -> dict[str, str]:
    """What a line of a worker's output says; nothing for a line of a module's own."""
    if not text.startswith('{"'):
        return {}
    try:
        data = read_json(text)
    except ValueError:  # a module's own output
        return {}
    return data if isinstance(data, dict) else {}
