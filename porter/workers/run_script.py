"""Run a script of the tests as `python script` would, with the framework's proxy enabled first.

Arguments: the framework's prelude, the script, the script's own arguments. A conftest.py beside the
script is run before it: pytest would do so, and what the tests need for the framework stands there.
"""

from __future__ import annotations

import os
import runpy
import sys


def main() -> None:
    prelude, script = sys.argv[1:3]
    sys.argv = sys.argv[2:]
    folder = os.path.dirname(os.path.abspath(script))
    sys.path[0] = folder
    exec(prelude, {})
    conftest = os.path.join(folder, "conftest.py")
    if os.path.isfile(conftest):
        runpy.run_path(conftest)
    runpy.run_path(script, run_name="__main__")


if __name__ == "__main__":
    main()
