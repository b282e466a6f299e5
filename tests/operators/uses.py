"""How often repositories use each name of torch, as `porter analyze` reads them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from porter.model import Language
from porter.survey.discover import discover
from porter.uses.lookup import uses


def count(roots: Iterable[Path]) -> Counter[str]:
    """The uses in Python, tests included, of each name below the folders."""
    counts: Counter[str] = Counter()
    for root in roots:
        read = ((file, (root / file.path).read_bytes()) for file in discover(root).files)
        found = uses(pair for pair in read if pair[0].language is Language.PYTHON)
        counts.update(use.name for use in found if "(" not in use.name)
    return counts
