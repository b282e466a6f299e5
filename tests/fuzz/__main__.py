"""Fuzz the targets, one process each, for a budget that they share.

Usage: python -m tests.fuzz [--seconds 60] [NAME ...]
Needs atheris (`pip install -e '.[fuzz]'`). What it finds is kept in build/fuzz/found/, the corpus
in build/fuzz/corpus/. Exits with 1 where a target raised what it must not, or was too slow.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
OUT = ROOT / "build" / "fuzz"
LONGEST = 8192  # bytes of an input
SEED = 3000  # bytes of a file to begin with: small ones are tried more often
SLOWEST = 10  # seconds for one input, of which a few milliseconds are usual
MEMORY = 2048  # MB


def main() -> int:
    """Fuzz each target in turn, and print a table of executions and findings."""
    from tests.fuzz.targets import TARGETS

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help=f"of: {', '.join(TARGETS)}")
    parser.add_argument("--seconds", type=float, default=60.0, help="for all targets together")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        return _fuzz(options.one, options.seconds)
    names = options.names or list(TARGETS)
    total = found = 0
    print("| target | executions | findings |\n|---|---:|---|")
    for name in names:
        runs, finding = _run(name, options.seconds / len(names))
        total, found = total + runs, found + bool(finding)
        print(f"| {name} | {runs:,} | {finding} |", flush=True)
    print(f"| all, in {options.seconds:g} s | {total:,} | {found} |")
    return 1 if found else 0


def _run(name: str, seconds: float) -> tuple[int, str]:
    """Fuzz one target in a process of its own: executions, and what was found."""
    argv = [sys.executable, "-m", "tests.fuzz", "--one", name, "--seconds", str(seconds)]
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as scratch:
        done = subprocess.run(
            argv,
            cwd=ROOT,
            env={**os.environ, "TMPDIR": scratch},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
    said = done.stdout.decode("utf-8", "replace")
    runs = re.findall(r"^#(\d+)\s|stat::number_of_executed_units: (\d+)", said, re.MULTILINE)
    executions = max((int(a or b) for a, b in runs), default=0)
    if done.returncode == 0:
        return executions, ""
    log = OUT / "found" / f"{_folder(name)}.log"
    log.write_text(said)
    kept = re.search(r"Test unit written to (\S+)", said)
    why = re.search(
        r"^ ?=== Uncaught Python exception: ===\n(.*)|^SUMMARY: (.*)", said, re.MULTILINE
    )
    reason = (why[1] or why[2]) if why else said.strip().rpartition("\n")[2]
    return executions, f"{reason[:150]} ({kept[1] if kept else log})"


def _fuzz(name: str, seconds: float) -> int:
    """Run libFuzzer in this process; it ends the process."""
    import atheris

    with atheris.instrument_imports(include=["porter"]):
        from tests.fuzz import targets
    from tests.fuzz.samples import PIECES

    target = targets.TARGETS[name]
    corpus = OUT / "corpus" / _folder(name)
    for folder in (corpus, OUT / "found"):
        folder.mkdir(parents=True, exist_ok=True)
    found = targets.seeds(target)
    small = [data for data in found if len(data) <= SEED]
    for number, data in enumerate(small or found):
        (corpus / f"seed-{number}").write_bytes(data)
    words = OUT / "words"
    hexadecimal = ("".join(f"\\x{byte:02x}" for byte in piece) for piece in PIECES)
    words.write_text("".join(f'"{word}"\n' for word in hexadecimal))

    def once(data: bytes) -> None:
        with contextlib.suppress(*targets.EXPECTED):
            target.run(data)

    options = (
        f"-max_total_time={max(1, round(seconds))}",
        f"-max_len={LONGEST}",
        f"-timeout={SLOWEST}",
        f"-rss_limit_mb={MEMORY}",
        f"-dict={words}",
        f"-artifact_prefix={OUT / 'found' / _folder(name)}-",
        "-print_final_stats=1",
    )
    atheris.Setup([sys.argv[0], *options, str(corpus)], once)
    atheris.Fuzz()
    return 0


def _folder(name: str) -> str:
    return re.sub(r"\W+", "-", name).strip("-")


if __name__ == "__main__":
    sys.exit(main())
