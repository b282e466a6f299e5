"""What a shell completes: targets, rules, runs, refs and branches, without loading a framework.

The functions are typer's `autocompletion`: from the beginning of a word to words, each with what
it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, MutableMapping

Found = list[tuple[str, str]]
VARIABLE = "_PORTER_COMPLETE"
_BREAKS = re.compile(r"[=@:]+")  # of COMP_WORDBREAKS, those that values have
MOST_RUNS = 50


def join_words(variables: MutableMapping[str, str]) -> str:
    """Put together what bash holds to be several words: `TARGET==3.3` reaches porter as three.
    Give the part of the word at the cursor that bash takes for words before it."""
    if variables.get(VARIABLE) != "complete_bash" or "COMP_WORDS" not in variables:
        return ""
    words = variables["COMP_WORDS"].split("\n")
    at = min(int(variables.get("COMP_CWORD", "0")), len(words) - 1)
    joined: list[str] = []
    before, goes_on = "", False
    for index, word in enumerate(words[: at + 1]):
        breaks = bool(_BREAKS.fullmatch(word))
        if breaks and joined and joined[-1].startswith("--"):  # `--target=pa`
            joined += [""] if index == at else []
        elif joined and (breaks or goes_on):
            before = joined[-1] + (word if breaks else "") if index == at else ""
            joined[-1] += word
            goes_on = breaks
        else:
            joined.append(word)
    variables["COMP_WORDS"] = "\n".join(joined)
    variables["COMP_CWORD"] = str(len(joined) - 1)
    return before


def _offer(found: Iterable[tuple[str, str]], incomplete: str) -> Found:
    return [(text, about) for text, about in found if text.startswith(incomplete)]


def complete_target(incomplete: str) -> Found:
    """Offer targets; after `==` the versions that porter has a surface of."""
    from porter.targets import TARGETS

    name = incomplete.partition("=")[0]
    if name in TARGETS and "=" in incomplete:
        versions = TARGETS[name].surface_versions()
        return _offer(((f"{name}=={version}", "") for version in versions), incomplete)
    return _offer(((t.name, t.title) for t in TARGETS.values()), incomplete)


def complete_rule(incomplete: str) -> Found:
    """Offer rules by the last part of their names; by whole names where a slash is typed."""
    from porter.rules.loader import known_rules

    whole = "/" in incomplete
    names = (name for name in sorted(known_rules()) if ("/" in name) is whole)
    return _offer(((name, "") for name in names), incomplete)


def complete_run(incomplete: str) -> Found:
    """Offer runs, the newest first, with their sources."""
    from porter.run import store

    runs = [(name, identity.removeprefix("path:")) for name, identity in store.list_runs()]
    return _offer(reversed(runs[-MOST_RUNS:]), incomplete)


def complete_source(incomplete: str) -> Found:
    """Offer URLs of earlier runs; after `@` the refs of a local repository. Paths are the shell's
    own to complete."""
    from porter.run import store

    location, sign, _ = incomplete.rpartition("@")
    earlier = {name: "" for _, name in store.list_runs() if not name.startswith("path:")}
    refs = {f"{location}@{ref}": "" for ref in _refs(location)} if sign else {}
    return _offer({**refs, **earlier}.items(), incomplete)


def _refs(location: str) -> Iterator[str]:
    """Branches and tags of a repository on this machine: nothing is asked over a network."""
    from pathlib import Path
    from urllib.parse import unquote, urlsplit

    from porter.errors import PorterError
    from porter.sources.view import list_refs

    url = urlsplit(location.removeprefix("git+"))
    if url.scheme != "file" or url.netloc not in ("", "localhost"):
        return
    try:
        yield from list_refs(Path(unquote(url.path)))
    except PorterError:  # no repository
        return


def complete_branch(incomplete: str) -> Found:
    """Offer the branches that `porter patch --apply` made."""
    from porter.run import store
    from porter.stages import branches

    found = {made.name: str(made.repository) for made in branches.list_made(store.all_runs())}
    return _offer(found.items(), incomplete)


def complete_device(incomplete: str) -> Found:
    """Offer devices."""
    from porter.model import Device
    from porter.stages.options import EMULATED

    return _offer(((name, "") for name in (*Device, EMULATED)), incomplete)


def complete_style(incomplete: str) -> Found:
    """Offer styles."""
    from porter.model import Style

    return _offer(((style, "") for style in Style), incomplete)


def complete_sandbox(incomplete: str) -> Found:
    """Offer the modes of the sandbox."""
    from porter.host.sandbox import Mode

    return _offer(((mode, "") for mode in Mode), incomplete)
