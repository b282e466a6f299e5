"""What a maintainer asks first of a pull request: what changes for whom, how it was tested, how to
make it again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from porter.model import Evidence, Status, SuiteResult, Tree
from porter.report.facts import collect_remaining, counts, sites_of, suite_of, verdict_line
from porter.report.rows import cell
from porter.run.record import RunRecord
from porter.targets import SOURCE, TARGETS

NAMED = 5  # tests


def introduction(record: RunRecord) -> Iterator[str]:
    """Yield the sections that come before any table."""
    target = TARGETS[record.target].title if record.target else ""
    for title, sentences in (
        (f"For users of {SOURCE.title}", _for_source_users(record)),
        (f"For users of {target}", _for_target_users(record)),
        ("How it was tested", _testing(record)),
    ):
        yield f"### {title}\n\n{' '.join(sentences)}"
    source, commit = record.source, record.source.commit
    parts = [f"porter {record.porter_version} made the patch"]
    parts += [f"from `{source.written}`"] if source.kind != "path" else []
    parts += [f"at commit `{commit}`"] if commit else []
    made = " ".join(parts) + ":"
    yield f"### How to make it again\n\n{made}\n\n```\n{command(record)}\n```"


def command(record: RunRecord) -> str:
    """The command that makes the same patch again: of a local tree, the one for its root."""
    style = " --style fork" if record.form.is_fork else ""
    proxy = TARGETS[record.target].proxy if record.target else None
    if record.form.is_vendored and proxy is not None and proxy.completed is not None:
        style += " --vendor"
    route = f" --route {record.migration.route}" if record.migration.route else ""
    target = f"{record.target}=={record.target_version}"
    source = record.source.written
    if record.source.kind == "path":
        source = f".#{record.source.subdir}" if record.source.subdir else "."
    return f"porter migrate {source} --target {target}{style}{route}"


# ----------------------------------------------------------------- for whom what


def _for_source_users(record: RunRecord) -> Iterator[str]:
    patch = record.migration.patch
    if patch is not None and not patch.files:
        yield "Nothing changes: no file is changed."
        return
    if record.form.is_fork:
        yield f"The patched tree is for {TARGETS[record.target or ''].title} only."
        return
    yield from _tests_before_and_after(record)
    if patch is not None and patch.fixes:
        titles = "; ".join(fix.title or fix.reason for fix in patch.fixes)
        yield f"The first commit fixes what today's {SOURCE.title} refuses: {cell(titles)}."
    copies = record.verification.copies
    if copies and all(copy.status is Status.OK for copy in copies):
        forms = " and ".join(dict.fromkeys(copy.form for copy in copies))
        yield f"The {forms} of the patched tree, installed apart from it, still work."
    if patch is not None and patch.compat_wheel:
        yield (
            "The added imports are skipped where the compatibility package is not installed, which "
            f"{SOURCE.title} does not need."
        )


def _tests_before_and_after(record: RunRecord) -> Iterator[str]:
    """What the source framework's tests show of the patch."""
    before, after = (suite_of(record, tree, source=True) for tree in (Tree.UNPATCHED, Tree.PATCHED))
    comparison = record.verification.comparison
    passed = _passed(after)
    if passed is None:
        why = f": {cell(after.reason)}" if after is not None and after.reason else ""
        yield f"Not shown: no tests were run with the patch under {SOURCE.title}{why}."
    elif comparison is not None and comparison.lost_patched:
        lost = comparison.lost_patched
        yield f"Tests that no longer pass with the patch ({len(lost)}): {_some(lost)}."
    elif _passed(before) is None:
        yield f"Tests passed with the patch: {passed}. Without it they did not run."
    elif passed:
        yield (
            f"Nothing changes. Tests passed without the patch: {_passed(before)}, "
            f"with it: {passed}, lost: none."
        )
    else:
        yield f"Not shown: no test passed under {SOURCE.title}, with or without the patch."


def _for_target_users(record: RunRecord) -> Iterator[str]:
    overall = record.verification.overall
    yield f"**{verdict_line(record)}**: {overall.reason}." if overall else "Not verified yet."
    patch = record.migration.patch
    if patch is not None and patch.compat_wheel:
        wheel = patch.compat_wheel.rpartition("/")[2]
        yield f"They install `{wheel}` to build and to use the tree, which imports it."
    left = [one for one in collect_remaining(record) if one.shipped]
    if left:
        yield f"Sites that remain, listed below: {sites_of(left)}."


def _testing(record: RunRecord) -> Iterator[str]:
    builds = record.builds
    if not builds:
        yield "Nothing was built or run yet."
        return
    built = [
        b for b in builds if b.status is Status.OK and b.cell.evidence is not Evidence.COMPILED
    ]
    if built:
        versions = {record.target: f" {record.target_version}"}
        sides = dict.fromkeys(
            f"{b.cell.environment}{versions.get(b.cell.environment, '')} on {b.cell.device}"
            for b in built
        )
        yield f"Built for {', '.join(sides)}."
    compiled = {str(b.cell.device) for b in builds if b.cell.evidence is Evidence.COMPILED}
    if compiled:
        yield f"Units for {', '.join(sorted(compiled))} were compiled and not run."
    commands = dict.fromkeys(s.command for s in record.suites if s.outcomes and s.command)
    if commands:
        yield f"The repository's tests were run there by {_some(commands)}."
    parity = record.verification.parity
    if parity:
        statuses = Counter(str(result.status) for result in parity)
        said = ", ".join(f"{number} {status}" for status, number in statuses.items())
        yield f"Calls with the same inputs under both frameworks were compared: {said}."
    if record.isolation:
        yield f"Sandbox of what was run: {record.isolation}."


def _passed(suite: SuiteResult | None) -> int | None:
    """How many tests passed; None where none ran."""
    found = counts(suite)
    return None if found is None else found["passed"]


def _some(names: Iterable[str]) -> str:
    found = [f"`{name}`" for name in names]
    more = f" and {len(found) - NAMED} more" if len(found) > NAMED else ""
    return ", ".join(found[:NAMED]) + more
