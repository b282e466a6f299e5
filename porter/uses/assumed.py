"""What holds of a variable if it holds of each of its values, one of which it may be itself."""

from __future__ import annotations

from collections.abc import Callable, Hashable

from porter.languages.python import Module


def holds_throughout(module: Module, key: Hashable, answer: Callable[[], bool]) -> bool:
    """Answer once for a key. Until that is known, what asks for it again gets the answer that it
    holds; answers that were given so are forgotten if it does not."""
    known: dict[Hashable, bool] = module.remembered.setdefault((holds_throughout,), {})
    if key not in known:
        known[key] = True
        if not answer():
            while known.popitem()[0] != key:
                pass
            known[key] = False
    return known[key]
