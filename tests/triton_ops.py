"""Call operators of a Triton library on the CPU under torch and under Paddle, from a ported tree.

    python -m tests.triton_ops --tree PORTED --source-python TORCH --target-python PADDLE CASES...

CASES are files of parity cases (docs/reference/parity-cases.md); the interpreters have triton.
Run by hand: the tree is what `porter port` made of the library, of which nothing is kept here.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from porter import targets
from porter.emulators.triton_cpu import PLUGIN
from porter.model import Device, ParityResult, Status
from porter.parity import cases as parity_cases
from porter.parity.run import run_parity
from porter.parity.side import Side


def compared(path: Path, options: argparse.Namespace) -> tuple[ParityResult, ...]:
    """A result for each case of a file."""
    target = targets.framework("paddle")
    chosen = [c for c in parity_cases.load(path) if options.only in c.name]
    tree = {"PYTHONPATH": str(options.tree)}
    with tempfile.TemporaryDirectory() as folder:
        return run_parity(
            chosen,
            (
                Side(
                    name="source",
                    python=options.source_python,
                    work=options.work or Path(folder) / "work",
                    environment=tree,
                    plugins=(PLUGIN,),
                ),
                Side(
                    name="target",
                    python=options.target_python,
                    work=options.work or Path(folder) / "work",
                    prelude=target.prelude,
                    environment={**target.activation, **tree},
                    plugins=(PLUGIN,),
                ),
            ),
            Device.CPU,
        )


def told(result: ParityResult) -> str:
    """One line, and why where it failed."""
    greatest = f" {result.max_abs:.1e}" if result.max_abs is not None else ""
    line = f"{result.status:8}{result.evidence:10}{result.case}{greatest}"
    return line + (f"\n    {result.phase}: {result.message}" if result.message else "")


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("cases", type=Path, nargs="+")
    parser.add_argument("--tree", type=Path, required=True)
    parser.add_argument("--source-python", type=Path, required=True)
    parser.add_argument("--target-python", type=Path, required=True)
    parser.add_argument("--only", default="", help="cases whose name holds this")
    parser.add_argument("--work", type=Path, help="keep inputs, answers and logs here")
    options = parser.parse_args()
    options.tree = options.tree.resolve()
    results = [result for path in options.cases for result in compared(path, options)]
    print(*map(told, results), sep="\n")
    agree = sum(result.status is Status.OK for result in results)
    print(f"{agree} of {len(results)} agree")
    return 0 if agree == len(results) else 1


if __name__ == "__main__":
    raise SystemExit(main())
