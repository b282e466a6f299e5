"""`python -m porter_compat ...`: run code that was written for torch, as it is, under Paddle.

    python -m porter_compat script.py ...      a script
    python -m porter_compat -m pytest ...      a module
    python -m porter_compat pip install --no-build-isolation ./repo
    python -m porter_compat check WHEEL        which symbols of torch its libraries need, and lack
    python -m porter_compat report             which pieces are on, and why others are not
    python -m porter_compat variables FOLDER   the environment variables of processes that run
                                               so, as JSON, for code that starts these
    python -m porter_compat prepare            make now what is kept for each Paddle: for a cache
                                               that is only read later; `prepare libraries` also
                                               what wheels on torch's stable ABI are linked with

All code that imports torch, and that below the current folder, has torch's meanings, in the
processes that it starts as well.
"""

from __future__ import annotations

import json
import runpy
import sys
from pathlib import Path
from typing import Any

from porter_compat import everywhere


def main(arguments: list[str]) -> int:
    if not arguments or arguments[0] in ("-h", "--help"):
        print(__doc__)
        return 0 if arguments else 2
    if arguments[0] == "report":
        return _report()
    if arguments[0] == "variables":
        print(json.dumps(everywhere.variables(map(Path, arguments[1:]))))
        return 0
    if arguments[0] == "prepare":
        return _prepare(arguments[1:])
    if arguments[0] == "check":
        return _check(arguments[1:])
    everywhere.begin([Path.cwd()])
    if arguments[0] in ("-m", "pip"):
        module, *rest = arguments[arguments[0] == "-m" :] or [""]
        if not module:
            print("python -m porter_compat -m: name a module", file=sys.stderr)
            return 2
        sys.path.insert(0, str(Path.cwd()))
        sys.argv = [module, *rest]
        runpy.run_module(module, run_name="__main__", alter_sys=True)
        return 0
    script = Path(arguments[0])
    if not script.exists():
        print(f"python -m porter_compat: there is no {script}", file=sys.stderr)
        return 2
    sys.path.insert(0, str(script.resolve().parent))
    sys.argv = arguments
    runpy.run_path(str(script), run_name="__main__")
    return 0


def _check(wheels: list[str]) -> int:
    from porter_compat import check

    try:
        reports = [check(wheel) for wheel in wheels]
    except (OSError, ValueError) as error:
        print(f"python -m porter_compat check: {error}", file=sys.stderr)
        return 2
    print(*reports, sep="\n")
    return int(any(report.missing for report in reports) or not reports)


def _prepare(arguments: list[str]) -> int:
    from porter_compat import STATE, cache, stable_abi

    if not STATE.active:
        print(f"porter-compat does nothing here: {STATE.why}", file=sys.stderr)
        return 2
    import paddle

    from porter_compat.pieces import headers

    merged: Any = headers.merged  # a piece, whose code has no types
    compat = Path(paddle.sysconfig.get_include(), "paddle/phi/api/include/compat")
    if compat.is_dir():
        own = Path(headers.__file__).with_name("include")
        merged(str(own), str(compat), "")
    everywhere.variables([])
    if arguments == ["libraries"]:
        try:
            stable_abi.enable()
        except stable_abi.CannotBuild as error:
            print(error, file=sys.stderr)
            return 2
    print(cache.folder())
    return 0


def _report() -> int:
    from porter_compat import STATE, __version__
    from porter_compat.activation import newer_than_tested

    if not STATE.active:
        print(f"porter-compat {__version__} does nothing here: {STATE.why}")
        return 0
    import paddle

    print(f"porter-compat {__version__} for Paddle {paddle.__version__}: {len(STATE.on)} pieces on")
    if untested := newer_than_tested():
        print(f"{untested}; pieces are chosen by what this Paddle has and does")
    for piece, why in sorted(STATE.off.items()):
        print(f"off: {piece}: {why}")
    return 0


sys.exit(main(sys.argv[1:]))
