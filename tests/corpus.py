"""`make corpus`: analyze and migrate real repositories, check the invariants, write the table.

Sources: ../shared/corpus.toml (or $PORTER_CORPUS). Git repositories are cloned, or taken from
$PORTER_CORPUS_GIT/<owner>+<name>/repo when that folder is there (no network then).
Usage: python -m tests.corpus [NAME ...] [--port] [--table docs/reference/corpus.md]
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import time
import tomllib
from dataclasses import dataclass
from pathlib import Path

from tests.invariants import compare_trees

ROOT = Path(__file__).resolve().parent.parent
# Popular packages that have nothing to do with torch: nothing may change in them.
UNRELATED = (
    "requests==2.32.3",
    "flask==3.1.0",
    "attrs==24.3.0",
    "click==8.1.8",
    "jinja2==3.1.5",
    "pyyaml==6.0.2",
    "markupsafe==3.0.2",
    "simplejson==3.19.3",
    "tomlkit==0.13.2",
    "msgpack==1.1.0",
)


@dataclass(frozen=True)
class Row:
    name: str
    source: str
    cpu: float = 0.0
    memory: float = 0.0  # MB
    findings: int = 0
    missing: int = 0
    files: int = 0
    residue: int = 0
    crashes: int = 0
    second: int = 0  # files that a second migration changes
    verdict: str = ""
    problems: tuple[str, ...] = ()


def sources(names: list[str]) -> list[tuple[str, str]]:
    """(name, SOURCE) of the corpus and of the unrelated packages."""
    path = Path(os.environ.get("PORTER_CORPUS", ROOT.parent / "shared" / "corpus.toml"))
    corpus = tomllib.loads(path.read_text())
    mirrors = Path(os.environ.get("PORTER_CORPUS_GIT", "/nonexistent"))
    found = [(s["name"], f"pypi:{s['name']}=={s['version']}") for s in corpus["sdist"]]
    for entry in corpus["git"]:
        mirror = mirrors / entry["repo"].replace("/", "+") / "repo"
        url = str(mirror) if mirror.is_dir() else f"https://github.com/{entry['repo']}"
        found.append((entry["repo"], f"{url}@{entry['commit']}"))
    found += [(package, f"pypi:{package}") for package in UNRELATED]
    return [item for item in found if not names or any(name in item[0] for name in names)]


def porter(*arguments: str) -> tuple[dict[str, object], float, float, int]:
    """The JSON document of a command, its CPU seconds, peak memory in MB, and exit code."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        [sys.executable, "-m", "porter", *arguments, "--json"], capture_output=True, text=True
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    try:
        document = json.loads(done.stdout)
    except ValueError:
        document = {"error": {"message": done.stderr[-2000:]}}
    return document, cpu, after.ru_maxrss / 1024, done.returncode


def folder(run: str) -> Path:
    from porter.home import porter_home

    return porter_home() / "runs" / run


def measure(name: str, source: str, port: bool) -> Row:
    """One repository, analyzed, migrated, migrated again, and ported if asked."""
    first, cpu, memory, code = porter("analyze", source)
    if "error" in first or code not in (0, 1):
        return Row(name, source, problems=(str(first.get("error", f"exit {code}")),))
    run = str(first["run"])
    document, _, _, code = porter("migrate", "--run", run)
    if "error" in document or code not in (0, 1):
        return Row(name, source, problems=(str(document.get("error", f"exit {code}")),))
    problems, changed = compare_trees(folder(run) / "base", folder(run) / "tree")
    again, _, _, _ = porter("analyze", str(folder(run) / "tree"))
    second, _, _, _ = porter("migrate", "--run", str(again.get("run")))
    verdict = ""
    if port:
        verified, _, _, _ = porter("verify", "--run", run)
        verdict = str(verified.get("verdict") or verified.get("error"))
    patch = document.get("patch") or {}
    stated = patch.get("files", 0) if isinstance(patch, dict) else 0
    if stated != changed:
        problems.append(f"the patch states {stated} files, {changed} differ")
    repeated = second.get("patch") or {}
    return Row(
        name=name,
        source=source,
        cpu=cpu,
        memory=memory,
        findings=len(document["findings"]),  # type: ignore[arg-type]
        missing=len(document["missing"]),  # type: ignore[arg-type]
        files=changed,
        residue=len(document["residue"]),  # type: ignore[arg-type]
        crashes=len(document["crashes"]),  # type: ignore[arg-type]
        second=repeated.get("files", 0) if isinstance(repeated, dict) else 0,
        verdict=verdict,
        problems=tuple(problems),
    )


HEAD = (
    "| repository | CPU s | MB | findings | names lacking | files changed | residue | crashes | "
    "changed by a second run | verdict | problems |\n" + "|---|" + "---:|" * 8 + "---|---|"
)


def line(row: Row) -> str:
    return (
        f"| {row.name} | {row.cpu:.1f} | {row.memory:.0f} | {row.findings} | {row.missing} | "
        f"{row.files} | {row.residue} | {row.crashes} | {row.second} | {row.verdict} | "
        f"{'; '.join(row.problems)[:200]} |"
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="parts of names; default: all")
    parser.add_argument("--port", action="store_true", help="build and verify as well (hours)")
    parser.add_argument("--table", type=Path, help="write the table here")
    options = parser.parse_args()
    rows = []
    for name, source in sources(options.names):
        began = time.monotonic()
        rows.append(measure(name, source, options.port))
        print(line(rows[-1]), f"({time.monotonic() - began:.0f} s)", flush=True)
    if options.table:
        head = "# Real repositories\n\nMade by `make corpus`; CPU seconds and peak memory are of "
        head += "`porter analyze`.\n\n"
        options.table.write_text(head + HEAD + "\n" + "\n".join(map(line, rows)) + "\n")
    return 1 if any(row.problems or row.crashes or row.second for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
