"""Build, test and compare what `porter bundle` packed, on a machine without network.

    python3 run.py --device cuda --target-python TARGET/bin/python
    python3 run.py --device cuda --target-python TARGET/bin/python --source-python TORCH/bin/python

Needs Python 3.11 or newer with numpy; what the interpreters have is used, nothing is downloaded.
Further options: --tests COMMAND, --timeout SECONDS for one step, --jobs N. Writes result.tar.gz
beside this file, for `porter report --import` on the machine that the bundle came from. Exit code
0 when the verdict is PORTED and nothing remains, as of `porter verify`.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tarfile
from pathlib import Path

# not by PYTHONPATH, which the interpreters that are tested would get as well
START = (
    "import sys; sys.path.insert(0, sys.argv.pop(1)); "
    "from porter.cli.elsewhere import main; sys.exit(main(sys.argv[1:]))"
)
HERE = Path(__file__).resolve().parent


def main(arguments: list[str]) -> int:
    if sys.version_info < (3, 11):  # noqa: UP036 - nothing of porter was installed
        sys.exit(f"{sys.executable} is Python {sys.version.split()[0]}: 3.11 or newer is needed")
    if not arguments or {"-h", "--help"} & set(arguments):
        sys.exit(__doc__)
    run = json.loads((HERE / "bundle.json").read_text(encoding="utf-8"))["run"]
    chosen = ["--run", run, *arguments]
    if (HERE / "cases").is_dir():
        chosen += ["--parity", str(next((HERE / "cases").glob("*.toml")))]
    environment = {**os.environ, "PORTER_HOME": str(HERE / "home"), "PIP_NO_INDEX": "1"}
    start = [sys.executable, "-c", START, str(HERE / "lib")]
    done = subprocess.run([*start, *chosen], env=environment)
    folder = HERE / "home" / "runs" / run
    result = HERE / "result.tar.gz"
    with tarfile.open(result, "w:gz") as archive:
        archive.add(HERE / "bundle.json", "bundle.json")
        archive.add(folder / "record.json", "record.json")
        for log in sorted(folder.glob("cells/*/logs/*.log")):
            archive.add(log, str(log.relative_to(folder)))
    print(f"written: {result}")
    return done.returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
