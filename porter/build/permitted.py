"""What today's pip and setuptools refuse of an older project, and how they take it all the same."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from porter.model import Step, StepResult

# What pip says of a project whose metadata asks for another interpreter: often a newer patch
# release, which nothing in it needs.
_OTHER_PYTHON = re.compile(r"requires a different Python: (\S+) not in '([^']*)'")
# What setuptools took once, and the first version that refuses it
# (its changelog: https://setuptools.pypa.io/en/latest/history.html).
_REFUSED_BY_SETUPTOOLS = (
    (re.compile(r"InvalidVersion: (Invalid version: '[^']*')"), "66"),
    (re.compile(r"error in .* setup command: (use_2to3 is invalid)"), "58"),
)


def permit(
    step: Step, failed: StepResult, installs: Callable[[str], bool]
) -> tuple[Step, str] | None:
    """The step to run instead of one that failed, and what is to be said of it; None where it
    failed by something else.

    `installs` puts a requirement into the environment, and says whether it could.
    """
    if other := _OTHER_PYTHON.search(failed.tail):
        said = f"requires Python {other[2]}, and was built with {other[1]}"
        return replace(step, argv=(*step.argv, "--ignore-requires-python")), said
    for pattern, version in _REFUSED_BY_SETUPTOOLS:
        refused, older = pattern.search(failed.tail), f"setuptools<{version}"
        if refused and installs(older):
            return step, f"{refused[1]}: built with {older}"
    return None
