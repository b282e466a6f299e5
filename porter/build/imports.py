"""Import what a build installed, one module after the other, in as few processes as that takes."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path

from porter.build import diagnostics, installed
from porter.host import process
from porter.host.endings import describe_ending
from porter.host.home import WORKERS
from porter.model import Diagnostic, Step, StepResult
from porter.targets.protocol import Environment, Framework

_IMPORTER = WORKERS / "import_modules.py"
_SECONDS = 600
# How torch ends a process that loads two libraries with the same operators.
_TWICE = "with the same name and overload name multiple times"


@dataclass(slots=True)
class Imports:
    """The modules that were imported, and what was said of those that were not."""

    steps: list[StepResult] = field(default_factory=list)
    imported: list[str] = field(default_factory=list)
    failed: dict[str, tuple[Diagnostic, ...]] = field(default_factory=dict)

    @property
    def problems(self) -> tuple[Diagnostic, ...]:
        return tuple(one for found in self.failed.values() for one in found)


@dataclass(frozen=True, slots=True, kw_only=True)
class Importer:
    """Where modules are imported: the environment of a cell, with logs named by `label`."""

    environment: Environment
    framework: Framework
    tree: Path
    folder: Path
    prelude: str
    label: str

    def run(self, modules: Iterable[installed.Module]) -> Imports:
        """Import modules in as many processes as it takes: one that dies costs itself only. What
        is not reached in time is neither imported nor failed.

        A package may have its operators twice, for the CPU and for CUDA, to load one of the two
        libraries: the other is loaded alone.
        """
        found = Imports()
        deadline = time.monotonic() + _SECONDS
        rest, others = list(modules), list[installed.Module]()
        while rest or others:
            rest = rest or [others.pop()]
            log = self.folder / "logs" / f"{self.label}-{len(found.steps)}.log"
            step = self._step(rest, deadline - time.monotonic())
            ended = process.run(step, log)
            found.steps.append(ended)
            text = log.read_text(errors="replace")
            done = self._read(text, found)
            if done < len(rest) and not ended.ok:
                died = rest[done]
                if _TWICE in text and died.path and not died.alone:
                    others.append(replace(died, alone=True))
                else:
                    found.failed[died.name] = self._death(died, ended)
                done += 1
            elif done == 0:
                break
            rest = rest[done:]
            if ended.timed_out:
                break
        return found

    def _read(self, text: str, found: Imports) -> int:
        """Add what a process said; give how many modules it said something of."""
        done = 0
        for said in map(installed.line, text.splitlines()):
            if "how" in said:
                found.imported.append(said["name"])
            elif "error" in said:
                found.failed[said["name"]] = self._problem(
                    said["name"], said["error"], said["trace"]
                )
            done += "name" in said
        return done

    def _death(self, module: installed.Module, ended: StepResult) -> tuple[Diagnostic, ...]:
        # Of a signal some frameworks print a stack: only the signal says what happened.
        trace = ended.tail if ended.returncode > 0 else ""
        said = f"ImportError: the process {describe_ending(ended)}"
        return self._problem(module.name, said, trace)

    def _step(self, modules: list[installed.Module], seconds: float) -> Step:
        logs = self.folder / "logs"
        return Step(
            name="import",
            argv=(
                *(str(self.environment.python), str(_IMPORTER), self.prelude),
                *(module.entry for module in modules),
            ),
            cwd=str(logs),  # not the tree: what is installed is to be imported
            environment={**self.environment.variables(), **self.framework.activation},
            timeout=max(seconds, 1),
            writable=(str(self.folder),),
        )

    def _problem(self, module: str, error: str, trace: str) -> tuple[Diagnostic, ...]:
        found = diagnostics.parse(trace, self.tree) or diagnostics.parse(error, self.tree)
        if not found:
            found = (diagnostics.plain("python", error),)
        told = replace(found[-1], message=f"import {module}: {found[-1].message}")
        return diagnostics.spell_out_symbols((told,), self.folder / "logs")
