"""Take a run to a machine that has the device, and bring back what ran there."""

from __future__ import annotations

import dataclasses
import hashlib
import importlib.metadata
import json
import shutil
import tarfile
import tempfile
from pathlib import Path

from porter import DISTRIBUTION, __version__, targets
from porter.emulators import triton_cpu
from porter.errors import UsageError
from porter.host.home import PACKAGE, rules_home
from porter.languages.data import read_table
from porter.model import BuildResult, Device, Status
from porter.parity import goldens
from porter.parity.cases import FILE_NAME
from porter.parity.side import Side
from porter.run.record import RunRecord, Verification
from porter.run.store import Run
from porter.stages import parity, verdicts, verify
from porter.stages.options import Options, Progress

SCRIPT = PACKAGE / "workers" / "run_bundle.py"
MANIFEST = "bundle.json"
RECORD = "record.json"
LEFT_OUT = ("__pycache__", "*.pyc", "_rules")
README = """\
# A ported tree, to be built and tested where the device is

```
python3 run.py --device cuda --target-python TARGET/bin/python --source-python TORCH/bin/python
```

Needs Python 3.11 or newer with numpy, and an interpreter with a build of the target for the device,
with what the project asks for installed; the source's, where there is one, is compared with,
else what was recorded on the CPU (`goldens`). Nothing is downloaded. `result.tar.gz` is for

```
porter report --import result.tar.gz
```

where this was made. `home/runs/*/tree` is the tree with its patch, `base` the tree as it came.
"""


def pack(run: Run, output: Path, options: Options, progress: Progress) -> None:
    """Write a run's trees, parity cases, what these gave here, porter and a script to `output`.

    Raises UsageError before migrate, for parity cases that cannot be read, and where `output` is.
    """
    kept = parity.load_migrated(run)
    if output.exists():
        raise UsageError(f"{output} already exists", hint="name a new file with --output")
    with tempfile.TemporaryDirectory(dir=run.folder) as work:
        root = Path(work) / f"porter-bundle-{kept.id}"
        folder = root / "home" / "runs" / kept.id
        with progress.stage("the trees"):
            for name in ("base", "tree", "patch"):
                if (run.folder / name).is_dir():
                    shutil.copytree(run.folder / name, folder / name, symlinks=True)
            shutil.copyfile(run.folder / "index.json", folder / "index.json")
            Run(folder).save(dataclasses.replace(kept, pythons={}, builds=(), suites=()))
        if parity.load(run, kept, options):
            with progress.stage("what the parity cases give under the source framework"):
                _record(run, kept, options, folder, progress)
        if options.parity is not None:
            goldens.copy_cases(options.parity, root / "cases")
        with progress.stage("porter"):
            _copy_porter(root / "lib")
        shutil.copyfile(SCRIPT, root / "run.py")
        (root / "README.md").write_text(README, encoding="utf-8")
        said = {"run": kept.id, "porter": __version__, "patch": _digest(run)}
        (root / MANIFEST).write_text(json.dumps(said), encoding="utf-8")
        # Numbers hardly get smaller, and at the usual level take minutes to.
        writing = progress.stage(f"write {output}")
        with writing, tarfile.open(output, "x:gz", compresslevel=1) as archive:
            archive.add(root, root.name)


def bring(run: Run, result: Path, options: Options) -> RunRecord:
    """Take over what a bundle's script found: its builds, tests and parity cases, judged anew.

    Raises UsageError for a file that is no such result, or one of another run or patch.
    """
    with tempfile.TemporaryDirectory() as work:
        try:
            with tarfile.open(result) as archive:
                for name in (MANIFEST, RECORD):
                    archive.extract(name, work, filter="data")
            said = read_table((Path(work) / MANIFEST).read_text(encoding="utf-8"))
        except (OSError, tarfile.TarError, KeyError, ValueError) as error:
            raise UsageError(
                f"{result} is no result of a bundle: {error}", hint="run.py writes result.tar.gz"
            ) from error
        there = Run(Path(work)).load()
    if not _find_builds_there(there):
        raise UsageError(f"nothing was built for {result}", hint="see what run.py said there")
    kept = run.load()
    if said.get("run") != kept.id or said.get("patch") != _digest(run):
        raise UsageError(
            f"{result} is of run {said.get('run')}, or of another patch than it has now",
            hint=f"name the run with --run; this one is {kept.id}",
        )
    merged = verdicts.judge(verify.add_objects(_merge_records(kept, there)), options)
    for stage in there.stages:
        merged = merged.replace_stage(stage)
    return run.save(merged)


def _merge_records(kept: RunRecord, there: RunRecord) -> RunRecord:
    """What ran there in place of what was known of the same cells and devices, and what of the
    target's names was learned there."""
    ran = _find_builds_there(there)
    cells = {build.cell for build in ran}
    devices = {cell.device for cell in cells}
    compared = {p.device for p in there.verification.parity if p.status is not Status.SKIPPED}
    note = f"ran on another machine: {', '.join(sorted(map(str, devices)))}"
    return dataclasses.replace(
        kept,
        builds=(
            *(b for b in kept.builds if b.cell not in cells),
            *(dataclasses.replace(b, of=(), python=None) for b in ran),  # none of this machine
        ),
        suites=(
            *(s for s in kept.suites if s.cell not in cells),
            *(dataclasses.replace(s, of=()) for s in there.suites if s.cell in cells),
        ),
        verification=Verification(
            missing=there.missing,
            residue=there.residue,
            parity=(
                *(p for p in kept.verification.parity if p.device not in compared),
                *(p for p in there.verification.parity if p.device in compared),
            ),
            unmodified_parity=(
                *(p for p in kept.verification.unmodified_parity if p.device not in compared),
                *(p for p in there.verification.unmodified_parity if p.device in compared),
            ),
            notes=tuple(dict.fromkeys((*kept.verification.notes, note))),
        ),
    )


def _find_builds_there(there: RunRecord) -> list[BuildResult]:
    return [build for build in there.builds if build.python or build.steps]


def _record(run: Run, kept: RunRecord, options: Options, folder: Path, progress: Progress) -> None:
    """Goldens of the cases that run on a CPU, where the source was built for it."""
    source, _ = parity.interpreters(kept, Device.CPU)
    cases = options.parity or run.tree / (kept.source.subdir or "") / FILE_NAME
    if source is None:
        progress.note("  nothing recorded: not built for the CPU under the source framework")
        return
    plugins = triton_cpu.plugins(kept.facts, Device.CPU)
    side = Side.create(targets.SOURCE.name, "answers", source, folder, progress.line, plugins)
    try:
        goldens.record(cases, folder / parity.GOLDENS, side, Device.CPU)
    except UsageError as error:
        progress.note(f"  {error}")


def _digest(run: Run) -> str:
    """Of the patch; the same tree has the same."""
    found = hashlib.sha256()
    for path in sorted(path for path in run.patch.rglob("*") if path.is_file()):
        found.update(path.read_bytes())
    return found.hexdigest()


# --------------------------------------------------------------------- porter


def _copy_porter(folder: Path) -> None:
    """porter and what it needs to verify, as far as it is Python alone: numpy is not."""
    ignore = shutil.ignore_patterns(*LEFT_OUT)
    shutil.copytree(PACKAGE, folder / "porter", ignore=ignore)
    shutil.copytree(rules_home(), folder / "porter" / "_rules", ignore=ignore)
    for name in sorted(_find_distributions(DISTRIBUTION)):
        distribution = importlib.metadata.distribution(name)
        files = [file for file in distribution.files or () if ".." not in file.parts]
        if any(file.suffix in (".so", ".pyd", ".dylib") for file in files):
            continue
        for file in files:
            there = folder / file
            there.parent.mkdir(parents=True, exist_ok=True)
            if Path(str(file.locate())).is_file() and file.suffix != ".pyc":
                shutil.copyfile(str(file.locate()), there)


def _find_distributions(name: str) -> set[str]:
    """The distributions that one requires here, and those that these do."""
    from packaging.requirements import Requirement
    from packaging.utils import canonicalize_name

    found: set[str] = set()
    waiting = [name]
    while waiting:
        for line in importlib.metadata.requires(waiting.pop()) or ():
            required = Requirement(line)
            other = canonicalize_name(required.name)
            wanted = required.marker is None or required.marker.evaluate({"extra": ""})
            if wanted and other not in found:
                found.add(other)
                waiting.append(other)
    return found
