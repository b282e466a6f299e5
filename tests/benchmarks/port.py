"""What `porter port` takes for the CPU units of a tree, beside one build of it under torch:
`python -m tests.benchmarks.port TREE`. Wall seconds, in turn, so the machine has to be idle. The
environments of both frameworks have to be there (`python -m tests.environments`); nothing that was
compiled before is used. Tests of the tree and CUDA units are not counted."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from porter.host.home import porter_home

STEP = re.compile(r"^\N{CHECK MARK} (?P<step>.+) \((?P<seconds>[\d.]+) s\)$", re.MULTILINE)
OTHER = re.compile(r"\bcuda\b|\btests of\b|\bcheck the names\b")  # the last is a part of migrate


def build(tree: Path, python: Path, folder: Path) -> float:
    """Seconds of a build of a copy, as its build script does it."""
    copy = folder / "copy"
    subprocess.run(["git", "clone", "-q", tree, copy], check=True)
    words = ["-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation", "-w", folder, copy]
    environment = {**os.environ, "FORCE_ONLY_CPU": "1", "MAX_JOBS": str(os.cpu_count())}
    begin = time.perf_counter()
    subprocess.run([python, *words], check=True, env=environment)
    return time.perf_counter() - begin


def port(tree: Path, folder: Path) -> dict[str, float]:
    """Seconds of each step of a port in an empty folder of porter's."""
    (folder / "home").mkdir()
    (folder / "home" / "envs").symlink_to(porter_home() / "envs")
    words = ["port", str(tree), "--target", "paddle", "--fresh", "--tests", "python -c 1"]
    environment = {**os.environ, "PORTER_HOME": str(folder / "home")}
    done = subprocess.run(
        [sys.executable, "-m", "porter", *words], env=environment, capture_output=True, text=True
    )
    return {found["step"]: float(found["seconds"]) for found in STEP.finditer(done.stderr)}


def main(tree: Path) -> None:
    (python,) = (porter_home() / "envs").glob("torch-*-cpu-*/bin/python")
    with tempfile.TemporaryDirectory() as name:
        floor = build(tree, python, Path(name))
        steps = port(tree, Path(name))
    counted = {step: seconds for step, seconds in steps.items() if not OTHER.search(step)}
    sys.stdout.write(f"one build under torch {floor:8.1f} s\n")
    for step, seconds in counted.items():
        sys.stdout.write(f"{seconds:8.1f} s  {step}\n")
    sys.stdout.write(
        f"porter {sum(counted.values()):8.1f} s, {sum(counted.values()) / floor:.2f} times\n"
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
