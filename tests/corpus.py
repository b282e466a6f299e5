"""`make corpus`: analyze and migrate real repositories, check the invariants, write the table.

Sources: ../shared/corpus.toml (or $PORTER_CORPUS). Git repositories are cloned, or taken from
$PORTER_CORPUS_GIT/<owner>+<name>/repo when that folder is there (no network then).
Usage: python -m tests.corpus [NAME ...] [--style fork] [--port] [--table FILE]
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
import tomllib
from dataclasses import dataclass, replace
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
    vendored: int = 0  # folders
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
    """The JSON document of a command, its CPU seconds, peak memory in MB, and exit code.

    CPU and memory are of all its processes; memory is the greatest sum of what each holds
    (RSS), looked at ten times a second, so that pages they share count for each.
    """
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, "-m", "porter", *arguments, "--json"]
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(command, stdout=out, stderr=errors, start_new_session=True)
        peak = 0
        while process.poll() is None:
            peak = max(peak, _resident(process.pid))
            time.sleep(0.1)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        out.seek(0)
        errors.seek(0)
        text, said = out.read(), errors.read()[-2000:].decode("utf-8", "replace")
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    try:
        document = json.loads(text)
    except ValueError:
        document = {"error": {"message": said}}
    return document, cpu, peak / 2**20, process.returncode


def _resident(session: int) -> int:
    """Bytes held by the processes of a session; 0 where /proc does not tell."""
    total = 0
    for entry in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError, IndexError, ValueError):
            stat = (entry / "stat").read_text().rpartition(")")[2].split()
            if int(stat[3]) == session:
                total += int(stat[21]) * resource.getpagesize()
    return total


def folder(run: str) -> Path:
    from porter.host.home import porter_home

    return porter_home() / "runs" / run


def measure(name: str, source: str, style: str = "dual", port: bool = False) -> Row:
    """One repository, analyzed, migrated, migrated again, and ported if asked."""
    first, cpu, memory, code = porter("analyze", source, "--style", style)
    if "error" in first or code not in (0, 1):
        return Row(name, source, problems=(_said(first, code),))
    run = str(first["run"])
    document, _, _, code = porter("migrate", "--run", run, "--style", style)
    if "error" in document or code not in (0, 1):
        return Row(name, source, problems=(_said(document, code),))
    facts: dict[str, list[str]] = document["repository"]  # type: ignore[assignment]
    vendored = facts.get("vendored", [])
    base, tree = folder(run) / "base", folder(run) / "tree"
    problems: list[str] = []
    changed = 0
    second: dict[str, object] = {}
    if tree.is_dir():  # not made of a source that does not name torch
        problems, changed = compare_trees(base, tree, vendored)
        again, _, _, _ = porter("analyze", str(tree), "--style", style)
        second, _, _, code = porter("migrate", "--run", str(again.get("run")), "--style", style)
        if "error" in second or code not in (0, 1):
            problems.append(f"second run: {_said(second, code)}")
    verdict = ""
    if port:
        verified, _, _, _ = porter("verify", "--run", run)
        verdict = str(verified.get("verdict") or verified.get("error"))
    patch = document.get("patch") or {}
    stated = patch.get("files", 0) if isinstance(patch, dict) else 0
    if stated != changed:
        problems.append(f"the patch states {stated} files, {changed} differ")
    repeated = second.get("patch") or {}
    row = Row(
        name=name,
        source=source,
        cpu=cpu,
        memory=memory,
        findings=len(document["findings"]),  # type: ignore[arg-type]
        missing=len(document["missing"]),  # type: ignore[arg-type]
        files=changed,
        residue=len([*document["residue"], *document["scripts"]["residue"]]),  # type: ignore
        crashes=len(document["crashes"]),  # type: ignore[arg-type]
        second=repeated.get("files", 0) if isinstance(repeated, dict) else 0,
        verdict=verdict,
        vendored=len(vendored),
        problems=tuple(problems),
    )
    if name in UNRELATED and (row.findings or row.missing or row.files or row.residue):
        row = replace(row, problems=(*row.problems, "has nothing to do with torch"))
    return row


def _said(document: dict[str, object], code: int) -> str:
    error = document.get("error")
    return str(error.get("message") if isinstance(error, dict) else f"exit {code}")


HEAD = (
    "| repository | CPU s | MB | findings | missing or different names | vendored folders | "
    "files changed | residue | crashes | changed by a second run | verdict | problems |\n"
    "|---|" + "---:|" * 9 + "---|---|"
)
TITLE = """# Real repositories

Results of `porter analyze` and `porter migrate` for real operator repositories, and for ten
packages unrelated to torch. To repeat it:

```
{command}
```

with the sources of `shared/corpus.toml` at the commits and versions given there. CPU seconds and
memory are those of `porter analyze`, including the checkout, for all its processes together.
*Problems* are reported by `tests/invariants.py`, which shares no code with porter: a rewritten file
that does not parse, an unedited statement with another meaning, a lost comment, a change in
vendored code, a patch that does not match the difference. An empty cell means none.

"""


def line(row: Row) -> str:
    problems = "; ".join(row.problems)[:200].replace("\n", " ").replace("|", "/")
    return (
        f"| {row.name} | {row.cpu:.1f} | {row.memory:.0f} | {row.findings} | {row.missing} | "
        f"{row.vendored} | {row.files} | {row.residue} | {row.crashes} | {row.second} | "
        f"{row.verdict} | {problems} |"
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="parts of names; default: all")
    parser.add_argument("--style", default="dual", choices=("dual", "fork"))
    parser.add_argument("--port", action="store_true", help="build and verify as well (hours)")
    parser.add_argument("--table", type=Path, help="write the table here")
    options = parser.parse_args()
    rows = []
    for name, source in sources(options.names):
        began = time.monotonic()
        rows.append(measure(name, source, options.style, options.port))
        print(line(rows[-1]), f"({time.monotonic() - began:.0f} s)", flush=True)
        if options.table:  # after each, so that an interrupted run leaves what it has
            command = " ".join(["python -m tests.corpus", *sys.argv[1:]])
            table = "\n".join([HEAD, *map(line, rows)])
            options.table.write_text(TITLE.format(command=command) + table + "\n")
    return 1 if any(row.problems or row.crashes or row.second for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
