"""The environments of a run: the user's own where they named them, else porter's."""

from __future__ import annotations

from porter import targets
from porter.build import environment
from porter.model import Device
from porter.record import Run, RunRecord
from porter.stages.options import Options, Progress
from porter.targets import Environment, Framework


def frameworks(kept: RunRecord) -> tuple[Framework, Framework]:
    """(source, target) of a run."""
    return targets.SOURCE, targets.framework(kept.target or "paddle")


def source(run: Run, options: Options, progress: Progress) -> Environment:
    """The base environment of torch. Raises NetworkError, EnvironmentFailed."""
    return _base(run, targets.SOURCE, targets.SOURCE.default_version, options, progress)


def target(run: Run, kept: RunRecord, options: Options, progress: Progress) -> Environment:
    """The base environment of the target. Raises NetworkError, EnvironmentFailed."""
    framework = targets.framework(kept.target or "paddle")
    return _base(run, framework, kept.target_version or "", options, progress)


def _base(
    run: Run, framework: Framework, version: str, options: Options, progress: Progress
) -> Environment:
    own = options.source_python if framework.name == targets.SOURCE.name else options.target_python
    if own is not None:
        return environment.use(own, framework, run.logs)
    spec = framework.environment(version, Device.CPU)
    with progress.stage(f"environment {framework.name} {version}"):
        return environment.prepare(spec, framework, progress.line)
