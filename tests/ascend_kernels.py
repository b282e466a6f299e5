"""Which kernel files of a repository compile for the emulated NPU, unchanged: with the structures
of tiling data that the host's sources beside them (`op_host`) define, and for half.

`python -m tests.ascend_kernels TREE`: for each file `ok`, what is refused, or its first error; then
what those that fail lack, by name.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from porter.emulators.npu.kernels import emulate
from porter.emulators.npu.tiling import structures

KERNEL = re.compile(rb"__global__\s+__aicore__|__global__\s+__vector__|__aicore__\s+__global__")
TYPE = re.compile(r"\bDTYPE_\w+")
MISSING = re.compile(
    r"‘([^’]+)’ (?:was not declared|is not a member|does not name|has not been declared)"
    r"|no matching function for call to ‘([^’(]+)|fatal error: (\S+): No such"
    r"|has no member named ‘([^’]+)’"
)


def compiled(path: Path, root: Path, out: Path) -> tuple[str, list[str]]:
    """`ok`, `refused` with reasons or `fails` with errors; what is refused in a branch for another
    chip may well compile."""
    made = emulate([path], [path.parent, path.parent.parent], out / str(path.relative_to(root)))
    tiling = out / f"{path.relative_to(root)}.tiling.h"
    tiling.parent.mkdir(parents=True, exist_ok=True)
    host, own = (
        [p for p in sorted(folder.rglob("*")) if p.suffix in (".h", ".hpp", ".cpp")]
        for folder in (path.parent.parent / "op_host", path.parent)
    )
    tiling.write_text(structures(path.stem, host, own))
    command = ["g++", "-fsyntax-only", "-w", "-fmax-errors=20", *made.flags]
    types = {name for source in own for name in TYPE.findall(source.read_text(errors="replace"))}
    command += [f"-D{name}=half" for name in sorted(types)]
    command += ["-include", str(tiling), *map(str, made.sources)]
    result = subprocess.run(command, capture_output=True, text=True, timeout=300)
    if result.returncode == 0:
        return "ok", []
    if made.refused:
        return "refused", sorted({refusal.reason for refusal in made.refused})
    return "fails", [line for line in result.stderr.splitlines() if "error: " in line]


def main(root: Path) -> None:
    paths = [p for s in ("cpp", "asc", "cce") for p in sorted(root.rglob(f"*.{s}"))]
    paths = [path for path in paths if KERNEL.search(path.read_bytes())]
    with tempfile.TemporaryDirectory() as out, ThreadPoolExecutor(2) as pool:
        results = list(pool.map(lambda path: compiled(path, root, Path(out)), paths))
    names: Counter[str] = Counter()
    for path, (verdict, said) in zip(paths, results, strict=True):
        first = said[0].partition("error: ")[2] or ", ".join(said) if said else ""
        print(f"{verdict:8} {path.relative_to(root)}  {first}")
        if verdict == "fails":
            found = {name for line in said for match in MISSING.findall(line) for name in match}
            names.update(found - {""})
    print(dict(Counter(verdict for verdict, _ in results)))
    print("missing:", ", ".join(f"{name} {count}" for name, count in names.most_common(40)))


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
