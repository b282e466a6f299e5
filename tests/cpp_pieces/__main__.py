"""`python -m tests.cpp_pieces PIECE [pytest options]`: the examples of one piece."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
TEST = Path(__file__).resolve().parent.parent / "test_cpp_pieces.py"

if __name__ == "__main__":
    piece, options = sys.argv[1], list(sys.argv[2:])
    if "-k" in options:
        at = options.index("-k") + 1
        options[at] = f"({piece}) and ({options[at]})"
    else:
        options += ["-k", piece]
    sys.exit(pytest.main([f"--rootdir={ROOT}", str(TEST), *options]))
