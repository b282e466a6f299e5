"""What porter-compat costs: its import beside Paddle's, and the question whose code calls."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.test_compat_package import cache, installed, run, wheel

__all__ = ["cache", "installed", "wheel"]  # fixtures

pytestmark = [pytest.mark.real, pytest.mark.long]
IMPORT = """
    import time
    start = time.process_time()
    import paddle
    paddle.enable_compat()
    between = time.process_time()
    import porter_compat
    print(between - start, time.process_time() - between)
"""
CALL = """
    import sys, timeit, types
    import porter_compat
    from porter_compat.pieces.scope import _OWN, _for_code

    def best(statement, **names):
        return min(timeit.repeat(statement, globals=names, number=20_000, repeat=20)) / 20_000

    def nothing(homes, frame):
        return None

    homes, names = {_OWN: print}, {"nothing": nothing, "sys": sys}
    for name, imported in (("__main__", "torch"), ("of_paddle", "paddle"), ("neutral", "sys")):
        own = vars(sys.modules.setdefault(name, types.ModuleType(name)))
        file = __file__ if name == "__main__" else f"/elsewhere/{name}.py"
        exec(compile(f"import sys, {imported}; frame = sys._getframe()", file, "exec"), own)
        known = dict(homes=homes, frame=own["frame"])
        asked = best("ask(homes, frame)", ask=_for_code, **known)
        print(asked * 1e9, best("ask(homes, frame)", ask=nothing, **known) * 1e9)
"""


def test_its_import_takes_a_small_part_of_paddles(
    framework_pythons: Mapping[str, Path], installed: Path, cache: Path, tmp_path: Path
) -> None:
    python = framework_pythons["paddle"]
    variables = {"PORTER_COMPAT_CACHE": str(cache), "PYTHONDONTWRITEBYTECODE": ""}
    shares = []
    for _ in range(8):  # the first compiles its modules
        status, said = run(python, IMPORT, installed, tmp_path, **variables)
        assert status == 0, said
        paddle, ours = map(float, said.split())
        shares.append(ours / paddle)
        sys.stdout.write(f"Paddle {paddle * 1e3:.0f} ms, porter_compat {ours * 1e3:.0f} ms\n")
    assert min(shares) < 0.1  # 7.4 to 9.3 % were measured, 50 ms beside 650 and 100 beside 1,100


def test_the_question_whose_code_calls_takes_a_few_empty_calls(
    framework_pythons: Mapping[str, Path], installed: Path, cache: Path, tmp_path: Path
) -> None:
    python = framework_pythons["paddle"]
    status, said = run(python, CALL, installed, tmp_path, PORTER_COMPAT_CACHE=str(cache))
    assert status == 0, said
    of_torch, of_paddle, neutral = (map(float, line.split()) for line in said.splitlines()[-3:])
    # the callers of code that knows neither framework are looked at, each time
    for (asked, empty), most in ((of_torch, 8), (of_paddle, 20), (neutral, 100)):
        sys.stdout.write(f"{asked:.0f} ns, an empty call {empty:.0f} ns\n")
        assert asked < most * empty
