"""Ask the installed Paddle, once, which of its known differences from torch it still has."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

PROBES = Path(__file__).with_name("pieces") / "probes.json"
# Each probe in a child, as it may crash; Paddle is imported once for all of them.
RUN = """
import json, os, signal, sys
import paddle
paddle.enable_compat()
quiet = os.open(os.devnull, os.O_WRONLY)
probes, holding = json.load(sys.stdin), {}
for id, codes in probes.items():
    holding[id] = False
    for code in codes:
        child = os.fork()
        if not child:
            signal.alarm(20)
            os.dup2(quiet, 1)
            os.dup2(quiet, 2)
            known = {"__name__": "probe"}
            try:
                exec(code, known)
                good = known.get("holds") is True
            except BaseException:
                good = False
            os._exit(0 if good else 1)
        holding[id] |= os.waitpid(child, 0)[1] != 0
print(json.dumps(holding))
"""


def answers() -> dict[str, bool]:
    """By the id of a quirk, whether any of its probes finds that Paddle differs from torch.

    The answers are kept per installed Paddle. Where they cannot be had, there are none, and all
    differences are taken to be there: no piece is left out that may be needed.
    """
    from porter_compat import cache

    if os.environ.get("PORTER_COMPAT_PROBING"):  # the child below, if it imports this package
        return {}
    try:
        kept = cache.make("probes", lambda folder: _ask(folder / "answers.json"))
        known: dict[str, bool] = json.loads((kept / "answers.json").read_text(encoding="utf-8"))
    except (OSError, ValueError, subprocess.SubprocessError):
        return {}
    return known


def _ask(file: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", RUN],
        input=PROBES.read_text(encoding="utf-8"),
        capture_output=True,
        text=True,
        env={**os.environ, "PORTER_COMPAT_PROBING": "1"},
        timeout=300,
        check=True,  # else nothing is kept, and the next process asks again
    )
    said = json.loads(done.stdout.strip().rpartition("\n")[2])
    file.write_text(json.dumps(said), encoding="utf-8")
