"""Fleets: plans, keys, order, what is kept when a driver dies, and tables; nothing needs Ray."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Generator, Sequence
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from porter.errors import SourceError, UsageError
from porter.fleet import cluster, local, plan, table, task
from porter.fleet.drive import Folder, drive
from porter.fleet.plan import Task, read
from porter.fleet.task import Result, check, failure
from porter.host import locks, process
from porter.host.home import porter_home
from porter.model import Status, StepResult
from porter.run.record import converter
from porter.sources import pinned, repository
from tests.conftest import ROOT
from tests.test_cli import git, porter, write

TWO = """
devices = ["cpu", "cuda"]
needs = { CPU = 2, memory = 4 }

[[repository]]
source = "./one"
targets = ["paddle==3.3.0", "paddle==3.3.1"]

[[repository]]
name = "two, forward"
source = "./two"
devices = ["cpu"]
arguments = ["--tests", "pytest -k forward"]
"""
ANALYZE = 'command = "analyze"\n' + "".join(
    f'[[repository]]\nsource = "./{name}"\n' for name in ("one", "two", "three")
)


def trees(root: Path, *names: str) -> Path:
    for name in names:
        write(root / name, {f"{name}/__init__.py": f"import torch\n\nx = torch.{name}\n"})
    return root


def plan_of(root: Path, text: str) -> tuple[Task, ...]:
    (root / "repos.toml").write_text(text)
    return read(root / "repos.toml")


def result(of: Task, **more: Any) -> Result:
    repository, target, device = of.row
    return Result(key=of.key, repository=repository, target=target, device=device, **more)


class Fake:
    """Gives a result for each task, and dies after some."""

    def __init__(self, most: int = 99, **more: Any) -> None:
        self.most, self.more = most, more
        self.ran: list[Task] = []

    def __call__(self, tasks: Sequence[Task]) -> Generator[Result]:
        for each in tasks:
            if len(self.ran) == self.most:
                raise KeyboardInterrupt
            self.ran.append(each)
            yield result(each, **self.more)


def go(tasks: Sequence[Task], folder: Path, fake: Fake) -> table.Table:
    return drive(tasks, Folder(folder), fake, lambda text: None)


# ------------------------------------------------------------------ plans


def test_a_plan_is_repositories_by_targets_by_devices(tmp_path: Path) -> None:
    tasks = plan_of(trees(tmp_path, "one", "two"), TWO)
    assert [each.row for each in tasks[:4]] == [
        ("./one", f"paddle==3.3.{minor}", device) for minor in (0, 1) for device in ("cpu", "cuda")
    ]
    assert tasks[4].repository == "two, forward"
    assert tasks[4].source == str(tmp_path / "two"), "from the plan's folder"
    assert tasks[0].needs == {"CPU": 2.0, "memory": 4.0}
    assert tasks[1].needs == {"CPU": 2.0, "memory": 4.0, "GPU": 1.0}
    assert len({each.key for each in tasks}) == len(tasks) == 5


def test_a_key_is_of_all_that_decides_the_result(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trees(tmp_path, "one", "two")
    first = plan_of(tmp_path, TWO)
    assert [t.key for t in plan_of(tmp_path, TWO.replace("CPU = 2", "CPU = 1"))] == [
        t.key for t in first
    ]
    for before, after in (('forward"]', 'back"]'), ("3.3.0", "3.3.1rc0"), ("cuda", "npu")):
        assert {t.key for t in plan_of(tmp_path, TWO.replace(before, after))} != {
            t.key for t in first
        }
    (tmp_path / "two/two/__init__.py").write_text("import torch\n")
    changed = plan_of(tmp_path, TWO)
    assert [a.key == b.key for a, b in zip(first, changed, strict=True)] == [True] * 4 + [False]
    monkeypatch.setattr(plan, "digest_of_porter", lambda: "another")
    assert not {t.key for t in plan_of(tmp_path, TWO)} & {t.key for t in changed}


def test_a_file_that_an_argument_names_is_part_of_the_key(tmp_path: Path) -> None:
    text = '[[repository]]\nsource = "./one"\narguments = ["--parity", "./cases.toml"]\n'
    write(trees(tmp_path, "one"), {"cases.toml": "a = 1\n"})
    [first] = plan_of(tmp_path, text)
    assert first.arguments == ("--parity", str(tmp_path / "cases.toml"))
    write(tmp_path, {"cases.toml": "a = 2\n"})
    assert plan_of(tmp_path, text)[0].key != first.key


@pytest.mark.parametrize(
    "text",
    [
        "",
        "repository = 3",
        "[[repository]]\nname = 'a'",
        "[[repository]]\nsource = 3",
        "[[repository]]\nsource = './one'\nbranch = 'x'",
        "[[repository]]\nsource = './one'\ntargets = ['nowhere']",
        "[[repository]]\nsource = './one'\ndevices = ['tpu']",
        "[[repository]]\nsource = './one'\nneeds = { CPU = -1 }",
        "[[repository]]\nsource = './one'\nneeds = { CPU = true }",
        "[[repository]]\nsource = './one'\ncommand = 'clean'",
        "targets = []\n[[repository]]\nsource = './one'",
        "[[repository]]\nsource = './one'\nenvironment = { env_vars = { A = 1 } }",
        "[[repository]]\nsource = './one'\ncommand = 'analyze'\ndevices = ['cuda']",
        "[[repository]]\nsource = './one'\n[[repository]]\nsource = './one'",
        "not TOML",
    ],
)
def test_a_plan_that_is_wrong_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(UsageError) as error:
        plan_of(trees(tmp_path, "one"), text)
    assert error.value.hint


def test_a_source_that_cannot_be_had_costs_its_own_rows_only(tmp_path: Path) -> None:
    tasks = plan_of(trees(tmp_path, "one", "two"), ANALYZE)
    fake = Fake()
    made = go(tasks, tmp_path / "out", fake)
    assert [row.state for row in made.rows] == ["clean", "clean", "error"]
    assert [each.repository for each in fake.ran] == ["./one", "./two"]


# ------------------------------------------------------------------ sources


def test_a_branch_is_pinned_to_its_commit(tmp_path: Path) -> None:
    tree = trees(tmp_path, "one") / "one"
    git(tree, "init", "-q", "-b", "main")
    git(tree, "add", ".")
    git(tree, "commit", "-qm", "a")
    commit = git(tree, "rev-parse", "HEAD").strip()
    found = pinned.pin(f"{tree}@main#one")
    assert (found.source, found.content) == (f"{tree}@{commit}#one", commit)
    assert pinned.pin(found.source) == found
    assert pinned.pin(str(tree)).content == git(tree, "rev-parse", "HEAD^{tree}").strip()
    git(tree, "commit", "-qm", "b", "--allow-empty")
    assert pinned.pin(f"{tree}@main").content != commit


def test_a_tag_elsewhere_is_the_commit_that_it_is_of(monkeypatch: pytest.MonkeyPatch) -> None:
    tag, commit = "a" * 40, "b" * 40
    said = f"{tag}\trefs/tags/v1\n{commit}\trefs/tags/v1^{{}}\n".encode()
    monkeypatch.setattr(repository, "git", lambda *_, **__: said)
    monkeypatch.setattr(repository, "initialise", lambda folder: None)
    url = "https://example.org/owner/ops"
    assert pinned.pin(f"{url}.git@v1").source == f"{url}.git@{commit}"
    assert pinned.pin(f"{url}@{tag}").content == tag, "nothing is asked"
    with pytest.raises(SourceError):
        pinned.pin(f"{url}@v2")
    with pytest.raises(SourceError):
        pinned.pin("pypi:ops")
    assert pinned.pin("pypi:ops==1.0").content == "1.0"


# ------------------------------------------------------------------ driving


def test_finished_results_are_taken_and_the_rest_is_run(tmp_path: Path) -> None:
    tasks = plan_of(trees(tmp_path, "one", "two", "three"), ANALYZE)
    out = tmp_path / "out"
    with pytest.raises(KeyboardInterrupt):
        go(tasks, out, Fake(most=1))
    kept = Folder(out).load()
    assert [each.key for each in kept] == [tasks[0].key]
    half = json.loads((out / "fleet.json").read_text())
    assert half["running"] and half["totals"] == {"waiting": 3}, "of the beginning"
    rest = Fake()
    made = go(tasks, out, rest)
    assert [each.key for each in rest.ran] == [each.key for each in tasks[1:]]
    assert made.is_clean and Folder(out).load()[0] == kept[0]
    assert Folder(out).load()[0].finished == kept[0].finished, "not written again"
    none = Fake()
    go(tasks, out, none)
    assert none.ran == []


def test_what_changed_is_run_first_and_what_failed_last(tmp_path: Path) -> None:
    tasks = plan_of(trees(tmp_path, "one", "two", "three"), ANALYZE)
    out = tmp_path / "out"
    go(tasks[:1], out, Fake(error="no network"))
    go(tasks[2:], out, Fake(code=1))
    write(tmp_path, {"three/three/__init__.py": "import torch\n"})
    changed = plan_of(tmp_path, ANALYZE)
    fake = Fake()
    made = go(changed, out, fake)
    assert [each.repository for each in fake.ran] == ["./three", "./two", "./one"]
    assert [row.before for row in made.rows] == ["", "", "remains"]


def test_two_fleets_do_not_write_the_same_folder(tmp_path: Path) -> None:
    tasks = plan_of(trees(tmp_path, "one"), ANALYZE)
    (tmp_path / "out").mkdir()
    with locks.alone(tmp_path / "out"), pytest.raises(UsageError):
        go(tasks, tmp_path / "out", Fake())


# ------------------------------------------------------------------ results


def test_what_a_worker_sends_is_checked(tmp_path: Path) -> None:
    [one, two, _] = plan_of(trees(tmp_path, "one", "two"), ANALYZE)
    good = result(one, verdict="PORTED", stages={"analyze": Status.OK}, counts={"residue": 1})
    assert check(one, converter().dumps(good)) == good
    sent = json.loads(converter().dumps(good))
    wrong = (
        *(None, "", "[]", "{}", "x" * (task.LONGEST + 1), converter().dumps(result(two))),
        json.dumps({**sent, "verdict": "<b>"}),
        json.dumps({**sent, "stages": {"analyze": "fine"}}),
        json.dumps({**sent, "stages": {"<b>": "ok"}}),
        json.dumps({**sent, "seconds": float("nan")}),
        json.dumps({**sent, "more": 1}),
    )
    for text in wrong:
        found = check(one, text)
        assert found.error and found.row == one.row, text


def test_names_are_escaped_and_the_page_asks_for_nothing(tmp_path: Path) -> None:
    hostile = "<script>alert(1)</script>\ud800"
    [one, *_] = plan_of(trees(tmp_path, "one"), ANALYZE)
    one = replace(one, repository=hostile)
    bad = replace(failure(one, hostile), node=hostile, run=hostile)
    text = table.page(table.make([one], [bad], running=True))
    assert "<script" not in text and "&lt;script&gt;" in text
    assert 'http-equiv="refresh"' in text and "src=" not in text


def test_the_burndown_is_of_the_rows_of_the_plan(tmp_path: Path) -> None:
    tasks = plan_of(trees(tmp_path, "one", "two", "three"), ANALYZE)
    old = replace(result(tasks[0], code=1, finished=1.0), key="of another commit")
    other = replace(result(tasks[0], finished=2.0), repository="not in the plan", key="x")
    done = [result(t, finished=3.0 + n, code=n) for n, t in enumerate(tasks[:2])]
    made = table.make(tasks, [old, other, *done], running=False)
    assert [(p.time, p.waiting, p.left) for p in made.burndown] == [
        (1.0, 2, 3), (3.0, 2, 2), (4.0, 1, 2)
    ]  # fmt: skip
    assert [row.state for row in made.rows] == ["clean", "remains", "waiting"]
    assert not made.is_clean
    document = json.loads(table.encode(made))
    assert [row["before"] for row in document["rows"]] == ["remains", "", ""]


# ------------------------------------------------------------------ running


def test_a_command_that_a_signal_ended_is_run_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    [one, *_] = plan_of(trees(tmp_path, "one"), ANALYZE)
    codes: list[int] = []

    def run(step: Any, log: Path, *_: Any) -> StepResult:
        codes.append(137)
        return StepResult(
            name="", argv=(), returncode=137, seconds=0, timed_out=False, marked=None, log="",
            tail="",
        )  # fmt: skip

    monkeypatch.setattr(process, "run", run)
    assert "signal 9" in task.run(one, retries=2).error
    assert len(codes) == 3


def test_another_porter_on_a_node_gives_no_result(tmp_path: Path) -> None:
    [one, *_] = plan_of(trees(tmp_path, "one"), ANALYZE)
    assert task.run(replace(one, porter="another"), retries=0).error


def test_results_are_of_what_was_asked_for(tmp_path: Path) -> None:
    arguments = '\narguments = ["--target", "paddle==3.3.0"]'
    [one, *_] = plan_of(trees(tmp_path, "one"), ANALYZE)
    [other, *_] = plan_of(tmp_path, ANALYZE.split("[[", 2)[0] + arguments + ANALYZE[19:])
    assert task.run(replace(one, content="of before", key="a"), retries=0).error
    assert "another target" in task.run(other, retries=0).error
    first = task.run(one, retries=0)
    assert not first.error and first.stages == {"analyze": Status.OK}
    assert Path(first.run).is_relative_to(porter_home() / "fleet" / one.key)
    again = task.run(one, retries=0)
    assert (again, again.finished) == (first, first.finished), "this machine has it"
    done = porter("runs", cwd=tmp_path)
    assert Path(first.run).name in done.stdout


def test_this_machine_says_what_it_lacks(tmp_path: Path) -> None:
    [one, two, *_] = plan_of(trees(tmp_path, "one", "two"), ANALYZE)
    tasks = [replace(one, needs={"CPU": 1e6}), replace(two, environment={"pip": ["numpy"]})]
    found = list(local.execute(tasks, retries=0))
    assert [bool(each.error) for each in found] == [True, True]
    assert "CPU" in found[0].error and "env_vars" in found[1].error


def wait_for(condition: Callable[[], object], seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.05)


def at_work(home: Path) -> list[int]:
    """Processes that work on tasks below a home."""
    found = []
    for entry in Path("/proc").glob("[0-9]*/environ"):
        try:
            if f"PORTER_RUNS={home}".encode() in entry.read_bytes():
                found.append(int(entry.parent.name))
        except OSError:
            continue
    return found


def test_a_driver_that_is_killed_loses_nothing(tmp_path: Path) -> None:
    trees(tmp_path, "one", "two", "three")
    (tmp_path / "repos.toml").write_text("needs = { CPU = 1 }\n" + ANALYZE)
    argv = [sys.executable, "-m", "porter", "fleet", "repos.toml"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    results = tmp_path / "porter-fleet/results"
    with subprocess.Popen(argv, cwd=tmp_path, env=environment, stderr=subprocess.PIPE) as first:
        wait_for(lambda: list(results.glob("*.json")))
        first.kill()
    wait_for(lambda: not at_work(porter_home()))
    before = {path.name: path.read_bytes() for path in results.glob("*.json")}
    done = subprocess.run(argv, cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    after = {path.name: path.read_bytes() for path in results.glob("*.json")}
    assert len(before) < len(after) == 3 and before.items() <= after.items()


# ------------------------------------------------------------------ Ray


class Cluster:
    """As much of Ray as porter uses: one node, whose tasks give what they are told to."""

    class exceptions:
        class RayError(Exception):
            pass

    def __init__(self, answers: dict[str, object]) -> None:
        self.answers, self.cancelled = answers, list[str]()

    def nodes(self) -> list[dict[str, Any]]:
        node = {"CPU": 2.0, "memory": 8e9}
        return [{"Alive": True, "Resources": node}, {"Alive": False, "Resources": {"GPU": 1.0}}]

    def remote(self, function: object) -> Any:
        assert function is task.work
        started = SimpleNamespace(remote=lambda text, retries: json.loads(text)["key"])
        return SimpleNamespace(options=lambda **chosen: started)

    def wait(self, references: list[str], timeout: float) -> tuple[list[str], list[str]]:
        return [r for r in references if r in self.answers][:1], []

    def get(self, reference: str) -> object:
        if isinstance(answer := self.answers[reference], Exception):
            raise answer
        return answer

    def cancel(self, reference: str, force: bool) -> None:
        self.cancelled.append(reference)


def test_tasks_of_a_cluster_end_with_a_result_or_a_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two, three = plan_of(trees(tmp_path, "one", "two", "three"), ANALYZE)
    three = replace(three, needs={"GPU": 1.0})
    good = result(one, counts={"residue": 2})
    answers = {one.key: converter().dumps(good), two.key: Cluster.exceptions.RayError("lost")}
    ray = Cluster(answers)
    monkeypatch.setattr(cluster, "GRACE", 0.0)
    found = {each.key: each for each in cluster.execute(ray, [one, two, three], retries=1)}
    assert found[one.key] == good
    assert "lost" in found[two.key].error and "GPU" in found[three.key].error
    assert ray.cancelled == [three.key]


def test_without_ray_the_command_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    plan_of(trees(tmp_path, "one"), ANALYZE)
    done = porter("fleet", "repos.toml", "--address", "auto", cwd=tmp_path)
    assert done.returncode == 3 and "porter-ops[ray]" in done.stderr


def test_the_command_gives_the_table(tmp_path: Path) -> None:
    plan_of(trees(tmp_path, "one", "two"), ANALYZE)
    done = porter("fleet", "repos.toml", "--json", cwd=tmp_path)
    assert done.returncode == 1
    document = json.loads(done.stdout)
    assert document["totals"] == {"clean": 2, "error": 1}
    assert json.loads((tmp_path / "porter-fleet/fleet.json").read_text()) == document
    assert "./one" in (tmp_path / "porter-fleet/fleet.html").read_text()
