"""What the results of a run amount to, for each device: the verdict of the weakest stage.

PORTED  the target's build was imported, or there is nothing to install; tests or parity cases
        pass there; no test that passed on the source is lost, by the target or by the patch under
        the source framework, where its sdist and its wheel serve as before, nor a module that was
        imported there; every parity case agrees; no use of a torch name remains that the target
        lacks.
RUNS    built, and some test or parity case passes, but one of the above is not so. The most
        that emulated evidence gives, such as tests of which each that passes had its Triton
        kernels interpreted on the CPU.
BUILDS  built and imported, and nothing passed, or nothing could be run. The most that objects
        compiled for a device that is not here give.
PATCHED there is a patch, or none is needed elsewhere, and the result does not build here.
STUCK   nothing was changed, and nothing builds.

A skip is never a pass. Uses that this build of the target cannot judge (`gpu-only or unknown`),
and for the CPU those in CUDA sources, are mentioned and lower nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from porter.emulators import triton_cpu
from porter.model import (
    BuildResult,
    Cell,
    Device,
    DeviceVerdict,
    Diagnostic,
    Evidence,
    Finding,
    InstalledCopy,
    Outcome,
    ParityResult,
    Residue,
    State,
    Status,
    SuiteComparison,
    SuiteResult,
    Tree,
    Verdict,
    place,
)

CUDA_SOURCES = (".cu", ".cuh")
LOWERING = (State.MISSING, State.DIFFERENT)
STRONGEST = (Evidence.NATIVE, Evidence.EMULATED, Evidence.COMPILED)
COMPILED = ("objects compiled, not run", "not linked: missing symbols may go unnoticed")
ROUTE = "ascend/route/"  # the rules of what a conversion of operators leaves
NAMED = 3  # how many tests, cases or names a reason lists


@dataclass(frozen=True, slots=True, kw_only=True)
class Results:
    """What is known of one device; the builds, suites and parity cases of others say nothing of it.

    `target` is the environment of the target's cells; `patched`: porter changed the tree;
    `comparison` is that of these suites. Findings still open are mentioned, but for those at a
    place that is residue too.
    """

    device: Device
    target: str
    patched: bool
    builds: Sequence[BuildResult] = ()
    suites: Sequence[SuiteResult] = ()
    comparison: SuiteComparison | None = None
    copies: Sequence[InstalledCopy] = ()
    parity: Sequence[ParityResult] = ()
    residue: Sequence[Residue] = ()
    open_findings: Sequence[Finding] = ()

    def build(self, tree: Tree, on_target: bool) -> BuildResult | None:
        """The one with the strongest evidence."""
        found = [build for build in self.builds if self._is_on(build.cell, tree, on_target)]
        found.sort(key=lambda build: STRONGEST.index(build.cell.evidence))
        return next(iter(found), None)

    def suite(self, tree: Tree, on_target: bool) -> SuiteResult | None:
        return next((s for s in self.suites if self._is_on(s.cell, tree, on_target)), None)

    def lost_imports(self) -> dict[str, Diagnostic]:
        """The inner modules that can be imported on the source, and not on the target."""
        after = self.build(Tree.PATCHED, on_target=True)
        befores = (self.build(tree, on_target=False) for tree in (Tree.UNPATCHED, Tree.PATCHED))
        before = next((b for b in befores if b is not None and b.inner_modules), None)
        if before is None or after is None:
            return {}
        return {n: d for n, d in after.failed_imports.items() if n in before.inner_modules}

    def _is_on(self, cell: Cell, tree: Tree, on_target: bool) -> bool:
        side = tree is Tree.UNPATCHED or (cell.environment == self.target) is on_target
        return cell.device is self.device and cell.tree is tree and side


def verdict_of(results: Results) -> DeviceVerdict:
    """What the results of a device amount to."""
    somewhere = any(
        b.cell.environment == results.target
        and b.cell.tree is Tree.PATCHED
        and b.status is Status.OK
        for b in results.builds
    )
    tested = any(s.cell.device is results.device for s in results.suites)
    own = replace(
        results,
        patched=results.patched or somewhere,
        comparison=results.comparison if tested else None,
        parity=[p for p in results.parity if p.device is results.device],
    )
    remaining = {place(one) for one in results.residue}
    apart = [f for f in results.open_findings if place(f) not in remaining]
    mention = f"{_count(len(apart), 'finding')} to resolve manually"
    found = _judge(own)
    return replace(found, reasons=(*found.reasons, mention)) if apart else found


def overall(found: Sequence[DeviceVerdict], devices: Iterable[Device]) -> DeviceVerdict | None:
    """The weakest verdict of those devices that this machine has, or that the user named."""
    named = frozenset(devices)
    mine = [verdict for verdict in found if verdict.device in named]
    return min(mine, key=lambda verdict: verdict.verdict) if mine else None


# ---------------------------------------------------------------- the stages


def _judge(results: Results) -> DeviceVerdict:
    def says(verdict: Verdict, *reasons: str) -> DeviceVerdict:
        return DeviceVerdict(results.device, verdict, tuple(filter(None, reasons)))

    build = results.build(Tree.PATCHED, on_target=True)
    problem = _why_unbuilt(build, results)
    if problem or build is None:
        return says(Verdict.PATCHED if results.patched else Verdict.STUCK, problem)
    if build.cell.evidence is Evidence.COMPILED:
        return says(Verdict.BUILDS, *COMPILED, *_mentions(results))
    passes = _passes(results)
    if not passes:
        return says(Verdict.BUILDS, *_nothing_ran(results), *_mentions(results))
    gaps = _gaps(results)
    if build.cell.evidence is Evidence.EMULATED:
        gaps = ["emulated, not run on the device itself", *gaps]
    verdict = Verdict.RUNS if gaps else Verdict.PORTED
    return says(verdict, *(gaps or [passes]), *_mentions(results))


def _why_unbuilt(build: BuildResult | None, results: Results) -> str:
    """Why the target's build of this device counts for nothing; empty where it counts."""
    where = f"{results.target} ({results.device})"
    if build is None:
        npu = ": there is no NPU here; try --device emulated"
        return f"not built for {where}{npu if results.device is Device.NPU else ''}"
    bad = [unit.path for unit in build.units if not unit.ok]
    if bad:
        return f"{len(bad)} of {len(build.units)} units do not compile for {where}: {_some(bad)}"
    if build.status is not Status.OK:
        word = "not built" if build.status is Status.SKIPPED else "does not build"
        before = results.build(Tree.UNPATCHED, on_target=False)
        also = ""
        if before is not None and before.status is build.status is Status.FAILED:
            also = f"; nor does the unpatched tree for {before.cell.environment}"
        return f"{word} for {where}: {build.reason}".rstrip(": ") + also
    if build.cell.evidence is Evidence.COMPILED and not build.units:
        return f"no unit was compiled for {where}"
    if build.cell.evidence is not Evidence.COMPILED and not (build.modules or build.is_in_place):
        return f"installed for {where}, but no module of it was imported"
    return ""


def _passes(results: Results) -> str:
    """What passed on the target; empty where nothing did."""
    suite = results.suite(Tree.PATCHED, on_target=True)
    tests = list(suite.outcomes.values()).count(Outcome.PASSED) if suite else 0
    cases = sum(case.status is Status.OK for case in results.parity)
    words = [_count(tests, "test")] if tests else []
    words += [_count(cases, "parity case")] if cases else []
    return f"{' and '.join(words)} passed" if words else ""


def _nothing_ran(results: Results) -> list[str]:
    """Why nothing passed, and what would raise the verdict."""
    suite = results.suite(Tree.PATCHED, on_target=True)
    why = suite.reason if suite and suite.reason else "no tests were run"
    why = f"no test passed: {why}" if suite and suite.outcomes else why
    before = results.suite(Tree.UNPATCHED, on_target=False)
    if before is not None and Outcome.PASSED not in before.outcomes.values():
        why += f"; no test of the unpatched tree passed either: {before.reason}".rstrip(": ")
    lacking = ["no parity cases: add tests (--tests) or a porter.parity.toml"]
    return [why, *(_parity_gaps(results.parity) if results.parity else lacking)]


def _gaps(results: Results) -> list[str]:
    return [
        *_suite_gaps(results),
        *_parity_gaps(results.parity),
        *_smoke_gaps(results),
        *_emulation_gaps(results),
        *_source_gaps(results),
        *_copy_gaps(results),
        *_import_gaps(results),
        *_residue_gaps(results),
    ]


def _suite_gaps(results: Results) -> list[str]:
    before = results.suite(Tree.UNPATCHED, on_target=False)
    after = results.suite(Tree.PATCHED, on_target=True)
    if after is None or not (after.outcomes or after.command):
        ran = before is not None and Outcome.PASSED in before.outcomes.values()
        return ["the tests were not run on the target"] if ran else []
    gaps = []
    if before is None or not before.outcomes:
        why = f" ({before.reason})" if before is not None and before.reason else ""
        before = results.suite(Tree.PATCHED, on_target=False)
        compared = results.comparison is not None and before is not None and before.outcomes
        how = "compared with the patched tree there" if compared else "nothing to compare with"
        gaps.append(f"the tests were not run before the patch{why}: {how}")
    found = results.comparison
    if found is None or before is None:
        return gaps
    total = [*before.outcomes.values()].count(Outcome.PASSED)
    if after.status is Status.PARTIAL:
        gaps.append(f"the tests did not finish: {after.reason.partition('; ')[0]}")
    for lost, due, where in (
        (found.lost, total + len(found.fixed), f"on {results.target}"),
        (found.lost_patched, total, "with the patch, under the source framework"),
    ):
        said = f"{len(lost)} of {_count(due, 'test')} lost {where}: {_some(lost)}"
        gaps += [said] if lost else []
    return gaps


def _parity_gaps(parity: Sequence[ParityResult]) -> list[str]:
    failed = [p for p in parity if p.status is Status.FAILED]
    skipped = [p for p in parity if p.status is Status.SKIPPED]
    gaps = []
    if failed:
        names = _some([f"{p.case} ({p.phase})" for p in failed])
        gaps.append(f"{len(failed)} of {_count(len(parity), 'parity case')} failed: {names}")
    if skipped:
        total = _count(len(parity), "parity case")
        gaps.append(f"{len(skipped)} of {total} skipped: {skipped[0].message}")
    return gaps


def _smoke_gaps(results: Results) -> list[str]:
    """Calls that porter made up show that operators work, not what they are meant for."""
    suite = results.suite(Tree.PATCHED, on_target=True)
    tested = suite is not None and Outcome.PASSED in suite.outcomes.values()
    made = bool(results.parity) and all(case.made for case in results.parity)
    if tested or not made:
        return []
    return ["no tests: its operators were only called with generated inputs"]


def _emulation_gaps(results: Results) -> list[str]:
    """Nothing passed but what had its kernels run on a stand-in for their device."""
    build = results.build(Tree.PATCHED, on_target=True)
    native, emulated = _native_and_emulated(results)
    if native or not emulated or (build and build.cell.evidence is Evidence.EMULATED):
        return []
    return [f"{triton_cpu.SAID}: emulated, not run on a device"]


def _native_and_emulated(results: Results) -> tuple[int, int]:
    """How many tests and parity cases passed on the target without a stand-in, and with one."""
    suite = results.suite(Tree.PATCHED, on_target=True)
    passed = {n for n, o in suite.outcomes.items() if o is Outcome.PASSED} if suite else set()
    cases = [p for p in results.parity if p.status is Status.OK]
    emulated = len(passed & {*suite.emulated}) if suite else 0
    emulated += sum(p.evidence is Evidence.EMULATED for p in cases)
    return len(passed) + len(cases) - emulated, emulated


def _source_gaps(results: Results) -> list[str]:
    """The patched tree still serves the source framework, where it was built for it."""
    before = results.build(Tree.UNPATCHED, on_target=False)
    after = results.build(Tree.PATCHED, on_target=False)
    broken = after is not None and after.status is Status.FAILED
    if broken and before is not None and before.status is Status.OK:
        return ["with the patch it no longer builds under the source framework"]
    return []


def _copy_gaps(results: Results) -> list[str]:
    """What people install of the patched tree under the source framework works as before."""
    return [
        f"the {copy.form} of the patched tree fails under the source framework: {copy.reason}"
        for copy in results.copies
        if copy.status is Status.FAILED and copy.device is results.device
    ]


def _import_gaps(results: Results) -> list[str]:
    lost = results.lost_imports()
    if not lost:
        return []
    modules = _count(len(lost), "module")
    return [f"{modules} imported on the source only, not on {results.target}: {_some(lost)}"]


def _residue_gaps(results: Results) -> list[str]:
    names = [residue.name for residue in results.residue if _lowers(residue, results.device)]
    uses = _count(len(names), "unresolved use")
    uses += f" of names that {results.target} lacks or that differ there"
    routed = (f for f in results.open_findings if f.rule.startswith(ROUTE) and not f.accepted)
    left = [finding.message.partition(":")[0] for finding in routed]
    found = ((uses, names), ("not converted, or not wholly", left))
    return [f"{what}: {_some(each)}" for what, each in found if each]


def _lowers(residue: Residue, device: Device) -> bool:
    elsewhere = device is Device.CPU and residue.path.endswith(CUDA_SOURCES)
    return residue.state in LOWERING and not elsewhere


# ------------------------------------------------------------------- wording


def _mentions(results: Results) -> list[str]:
    """What a reader should know and what lowers nothing."""
    said = []
    native, emulated = _native_and_emulated(results)
    build = results.build(Tree.PATCHED, on_target=True)
    if native and emulated and not (build and build.cell.evidence is Evidence.EMULATED):
        said.append(f"{triton_cpu.SAID} in {emulated} of the passing tests: emulated there")
    compared = results.comparison or SuiteComparison()
    if both := compared.failing_in_both:
        said.append(f"{_count(len(both), 'test')} failing before the patch too")
    if flaky := _count(len(compared.flaky), "flaky test") if compared.flaky else "":
        said.append(f"{flaky} not counted: the result varies on the source")
    unknown = [r.name for r in results.residue if not _lowers(r, results.device)]
    if unknown:
        uses = _count(len(unknown), "use")
        said.append(f"{uses} of torch names not judged on this device: {_some(unknown)}")
    return said


def _count(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


def _some(names: Iterable[str]) -> str:
    distinct = list(dict.fromkeys(names))
    more = len(distinct) - NAMED
    return ", ".join(distinct[:NAMED]) + (f" and {more} more" if more > 0 else "")
