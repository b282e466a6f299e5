"""`python -m porter.unit COMPAT FILE`: write what a target's headers declare of its parts.

COMPAT is the folder of its headers for torch's names, FILE
rules/TARGET/polyfills/installed/VERSION.json.
"""

import json
import sys
from dataclasses import asdict, replace
from pathlib import Path

from porter.unit.installed import read_headers
from porter.unit.parts import absent
from porter.unit.pieces import pieces

compat, file = sys.argv[1], Path(sys.argv[2])
every = [part for piece in pieces(file.parent.parent) for part in piece.parts]
lacking = {part.id for part in absent(every, compat)}
has = sorted({part.id for part in every} - lacking)
known = asdict(replace(read_headers(every, compat), has=has))
file.parent.mkdir(exist_ok=True)
file.write_text(json.dumps(known, indent=1) + "\n", encoding="utf-8")
