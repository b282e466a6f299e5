"""Entries of a yaml for OpPlugin, as the generator of torch_npu's wheel takes them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from porter.errors import EnvironmentFailed
from porter.host import process
from porter.model import Step
from porter.targets.examined import Entry

_WORKER = Path(__file__).parent / "workers" / "opplugin_entries.py"


def examine(
    python: Path, entries: Path, work: Path, environment: Mapping[str, str] | None = None
) -> tuple[Entry, ...]:
    """Have torchnpugen write the adapter of each entry, in an interpreter that has torch_npu.

    With ASCEND_CUSTOM_OPP_PATH in `environment`, what an entry gives its operator is compared with
    what the packages there declare. Raises EnvironmentFailed where there is no generator, or the
    file is no yaml of entries.
    """
    work.mkdir(parents=True, exist_ok=True)
    result = work / "entries.json"
    result.unlink(missing_ok=True)
    argv = (str(python), str(_WORKER), str(entries), str(work / "generated"), str(result))
    step = Step(
        name="entries",
        argv=argv,
        cwd=str(work),
        environment=dict(environment or {}),
        timeout=600.0,
        writable=(str(work),),
    )
    done = process.run(step, work / "entries.log")
    if not result.is_file():
        raise EnvironmentFailed(
            f"the entries of {entries.name} cannot be examined: {done.tail.strip()[-300:]}",
            hint=f"see {done.log}",
        )
    return tuple(
        Entry(**{**each, "problems": tuple(each["problems"]), "notes": tuple(each["notes"])})
        for each in json.loads(result.read_text(encoding="utf-8"))
    )
