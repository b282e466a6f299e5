"""`python -m tests.cpp_pieces PIECE[,PIECE...] [pytest options]`: the examples of some pieces.

Paddle gets these pieces, what they need and what their headers include; with PIECE+ all pieces,
as in the whole test.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from porter.host.home import rules_home
from tests.cpp_pieces import overlay

ROOT = Path(__file__).resolve().parent.parent.parent
TESTS = [str(ROOT / "tests" / f"test_cpp_pieces{half}.py") for half in ("", "_others")]
PIECES = rules_home() / "paddle" / "polyfills" / "cpp"


def main(chosen: str, *options: str) -> int:
    names = chosen.rstrip("+").split(",")
    if not chosen.endswith("+"):
        needed = overlay.closure(PIECES, [*names, "tensor_caster"])
        os.environ["PORTER_TEST_PIECES"] = ",".join(needed)
    given = list(options)
    tested = " or ".join(f"{name}-" for name in names)
    if "-k" in given:
        at = given.index("-k") + 1
        given[at] = f"({tested}) and ({given[at]})"
    else:
        given += ["-k", tested]
    return int(pytest.main([f"--rootdir={ROOT}", "-m", "long", *TESTS, *given]))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
