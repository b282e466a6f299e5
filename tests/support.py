"""Make the support matrix of what reference pages, recorded runs and surfaces of this tree say.

`python -m tests.support` writes docs/reference/support.md, and `make pages` calls it.
`python -m tests.support DOCUMENT` first records a run: what `porter port --json` printed here.
"""

from __future__ import annotations

import json
import platform
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from porter import targets

ROOT = Path(__file__).resolve().parent.parent
REFERENCE = ROOT / "docs/reference"
PAGE = REFERENCE / "support.md"
RECORDED = ROOT / "tests/data/support.json"

HEAD = """\
<!-- Made by `make pages` of what the linked pages say; change tests/support.py instead. -->

# Support matrix

What was run with which versions, and what was only compiled. What is not here has no result.

- *run* (in reports: *native*): built and run on the device.
- *emulated*: the code for the device, run on a CPU: compiled as C++, or interpreted.
- *compiled*: compiled for the device, and not run.

## Results

Of one page each, which says how to repeat them. A version that the page does not name is left out.

| target | torch | device | evidence | what | results |
|---|---|---|---|---|---|
"""
RUNS = """
## Versions together

Single runs of `porter port`, with all versions recorded (`tests/data/support.json`):

| source | target | torch | Python | CUDA | device | evidence | verdict |
|---|---|---|---|---|---|---|---|
"""
KNOWN = """
## Versions that porter knows

porter ships their [surfaces](../how-to/capture-a-surface.md): it can analyze and migrate for them.

| package | version | build |
|---|---|---|
"""


def tables(text: str) -> list[list[dict[str, str]]]:
    """Return the tables of a page, each row by its columns; of two with one name, by the first."""
    found = []
    for table in re.findall(r"(?:^\|.*\|\n)+", text, re.MULTILINE):
        rows = [re.split(r" *(?<!\\)\| *", row)[1:-1] for row in table.splitlines()]
        found.append([dict(reversed([*zip(rows[0], row, strict=False)])) for row in rows[2:]])
    return found


def table(text: str, *names: str) -> list[dict[str, str]]:
    """Return the first table that has these columns."""
    return next(rows for rows in tables(text) if rows and {*names} <= {*rows[0]})


def unmodified(text: str) -> str:
    rows = table(text, "repository", "changed lines")
    alone = [row for row in rows if not row["repository"].startswith("both")]
    passed = [int(row["Paddle"].partition(",")[0]) for row in alone]
    return f"{len(alone)} repositories, {sum(passed):,} tests pass"


def ported(text: str) -> str:
    rows = [row for row in table(text, "unmodified") if "`--vendor`" not in row["repository"]]
    passed = [int(row["tests: torch / with patch / Paddle"].split(" / ")[2]) for row in rows]
    verdicts = [row["verdict"] for row in rows]
    said = ", ".join(f"{verdicts.count(one)} {one}" for one in sorted({*verdicts}))
    return f"{len(rows)} repositories, {sum(passed):,} tests pass: {said}"


def cuda_units(text: str) -> str:
    """Count each repository once, as its last row says."""
    units: dict[str, list[int]] = {}
    for row in (row for rows in tables(text) for row in rows if "/" in row.get("CUDA units", "")):
        name = row["repository"].split()[0].rpartition("/")[2]
        units[re.sub("^pytorch_", "torch-", name)] = [*map(int, row["CUDA units"].split("/"))]
    good, every = map(sum, zip(*units.values(), strict=True))
    return f"{good} of {every} units of {len(units)} repositories"


def operators(text: str) -> str:
    row = [r for rows in tables(text) for r in rows if r.get("dtype") == "together"][-1]
    return f"{int(row['calls']):,} calls, {row['same, %']} % the same"


def triton(text: str) -> str:
    rows = table(text, "library", "agree under Paddle")
    agree, cases = (sum(int(row[name]) for row in rows) for name in ("agree under Paddle", "cases"))
    return f"{agree} of {cases} parity cases of {len(rows)} libraries agree"


def emulated_cuda(text: str) -> str:
    rows = table(text, "tests under torch", "tests under Paddle")
    counts = {row[""]: re.match(r"[\d,]+", row["tests under Paddle"]) for row in rows}
    said = [f"{name.partition(',')[0]} {found[0]}" for name, found in counts.items() if found]
    return f"tests that pass: {', '.join(said)}"


def ascend(text: str) -> str:
    rows = table(text, "kernel", "cases", "off")
    cases = [sum(map(int, re.findall(r"\d+", row["cases"]))) for row in rows]
    return f"{sum(cases)} cases of {sum(map(bool, cases))} kernels without a report"


class Result(NamedTuple):
    page: str
    device: str
    evidence: str
    what: str
    find: Callable[[str], str]
    target: tuple[str, str] = ("PaddlePaddle", r"[Pp]addle(?:Paddle)?")  # and as the page has it


RESULTS = (
    Result("unmodified.md", "CPU", "run", "unmodified repositories", unmodified),
    Result("extensions.md", "CPU", "run", "ported repositories", ported),
    Result("operators.md", "CPU", "run", "torch's own samples of its operators", operators),
    Result("triton.md", "GPU", "emulated", "Triton kernels", triton),
    Result("emulated-cuda.md", "GPU", "emulated", "CUDA extensions", emulated_cuda),
    Result("extensions.md", "GPU", "compiled", "CUDA units", cuda_units),
    Result("emulated-ascend.md", "NPU", "emulated", "kernels", ascend, ("torch-npu", "torch-npu")),
)


def find_results() -> Iterator[str]:
    for one in RESULTS:
        text = (REFERENCE / one.page).read_text(encoding="utf-8")
        flat = " ".join(text.split())
        name, written = one.target
        found = (re.search(rf"{p} (\d+\.\d+\.\d+)", flat) for p in (written, "torch"))
        target, torch = (match[1] if match else "" for match in found)
        cells = (f"{name} {target}".strip(), torch, one.device, one.evidence)
        yield f"| {' | '.join(cells)} | [{one.what}]({one.page}) | {one.find(text)} |\n"


def find_runs() -> Iterator[str]:
    for run in json.loads(RECORDED.read_text(encoding="utf-8")):
        start = [run[name] for name in ("source", "target", "torch", "python")]
        for device, (evidence, verdict) in run["devices"].items():
            cells = [*start, run["cuda"] if device == "cuda" else "", device, evidence, verdict]
            yield f"| {' | '.join(cells)} |\n"


def find_surfaces() -> Iterator[str]:
    for path in sorted((ROOT / "rules").glob("*/surfaces/*.json")):
        found = json.loads(path.read_text(encoding="utf-8"))
        yield f"| {found['package']} | {found['version']} | {found['build']} |\n"


def page() -> str:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    named = re.findall(r"Python :: (3\.\d+)", " ".join(project["classifiers"]))
    tried = {run["python"] for run in json.loads(RECORDED.read_text(encoding="utf-8"))}
    untried = " and ".join(v for v in named if not any(one.startswith(v + ".") for one in tried))
    end = f"\nporter is meant for Python {project['requires-python'].strip('>=')} and newer"
    end += f"; there is no result for {untried}.\n" if untried else ".\n"
    parts = (HEAD, *find_results(), RUNS, *find_runs(), end, KNOWN, *find_surfaces())
    return "".join(parts)


def record(document: dict[str, Any]) -> None:
    """Keep what a run on this machine showed, in place of an older one of the source."""
    said = subprocess.run(["nvcc", "--version"], capture_output=True, text=True).stdout
    toolkit = re.search(r"release ([\d.]+)", said)
    source = Path(document["source"]["written"])
    name = source.relative_to(ROOT).as_posix() if source.is_absolute() else source.as_posix()
    evidence = {b["device"]: b["evidence"] for b in document["builds"] if b["tree"] == "patched"}
    run = {
        "source": name,
        "target": document["target"],
        "torch": targets.framework("torch").default_version,
        "python": platform.python_version(),
        "cuda": toolkit[1] if toolkit else "",
        "devices": {d: [evidence[d], v["verdict"]] for d, v in document["devices"].items()},
    }
    kept = json.loads(RECORDED.read_text(encoding="utf-8")) if RECORDED.exists() else []
    kept = [one for one in kept if one["source"] != name] + [run]
    RECORDED.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    for path in sys.argv[1:]:
        record(json.loads(Path(path).read_text(encoding="utf-8")))
    PAGE.write_text(page(), encoding="utf-8", newline="\n")
