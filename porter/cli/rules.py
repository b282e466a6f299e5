"""porter rules."""

from __future__ import annotations

from typing import Annotated

import typer

from porter.cli import options


def command(
    rule: Annotated[
        str | None, typer.Argument(metavar="[ID]", help="Show one rule with its examples.")
    ] = None,
    target: options.Target = None,
    json: options.Json = False,
) -> None:
    """List the rules of a target, or explain one of them.

    \b
    Examples:
      porter rules
      porter rules torch_import_in_build_script
      porter rules --target TARGET==VERSION --json
    """
    import difflib

    from porter import targets
    from porter.cli.common import progress
    from porter.errors import UsageError
    from porter.model import Style
    from porter.rules.loader import load_pack
    from porter.surface import load

    console = progress(json)
    framework, version = targets.resolve(target)
    rules = (*load_pack(framework.pack).rules, *load_pack("ascend").rules)
    surface = load.load(framework.name, version)
    if rule is not None:
        found = next((r for r in rules if rule in (r.id, r.id.rpartition("/")[2])), None)
        if found is None:
            close = difflib.get_close_matches(rule, [r.id for r in rules], n=1, cutoff=0.3)
            raise UsageError(
                f"no rule {rule!r}", hint=f"did you mean {close[0]}?" if close else "porter rules"
            )
        page = (found.folder / "README.md").read_text(encoding="utf-8")
        console.write(f"{found.id} ({found.safety.label}): {found.title}\n\n{page}")
        return
    rows = [
        {
            "id": r.id,
            "title": r.title,
            "safety": r.safety.label,
            "until": r.until,
            "catalogue": list(r.catalogue),
            "active": any(r.wanted(surface, style) for style in Style),
        }
        for r in rules
    ]
    if json:
        import json as encoder

        console.write(encoder.dumps(rows, indent=2))
        return
    for row in rows:
        mark = "" if row["active"] else f"  (not needed for {framework.name} {version})"
        console.write(f"{row['safety']:7} {row['id']}  {row['title']}{mark}")
