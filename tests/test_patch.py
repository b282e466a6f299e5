"""A plan becomes commits and a series that plain git takes."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from porter.errors import PorterError, UsageError
from porter.host import scratch
from porter.migrate import branch, patch
from porter.migrate.branch import Branch
from porter.model import Change, FilePatch, Plan
from porter.sources import checkout, repository

COMMAND = "porter migrate --target paddle==3.3.1"


def git(folder: Path, *arguments: str) -> str:
    identity = ["-c", "user.name=t", "-c", "user.email=t@example.org"]
    done = subprocess.run(
        ["git", *identity, *arguments], cwd=folder, capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode("utf-8", "surrogateescape")


FILES = {
    "setup.py": b"import torch\n",
    "ops/__init__.py": b"import torch\r\n\r\nx = 1\r\ny = 2\r\nz = 3\r\n",
    "ops/latin.py": b"# -*- coding: latin-1 -*-\nname = '\xe9'\nimport torch\n",
    "ops/old.py": b"".join(b"value_%d = %d\n" % (n, n) for n in range(20)),
    "ops/gone.py": b"pass\n",
    "run.sh": b"#!/bin/sh\ntrue\n",
    "no_newline.py": b"import torch",
}


def fetch(origin: Path, folder: Path) -> checkout.Checkout:
    got = checkout.fetch(checkout.parse(str(origin)), folder)
    checkout.add_tree(folder)
    return got


@pytest.fixture
def origin(tmp_path: Path) -> Path:
    repo = tmp_path / "origin"
    repo.mkdir()
    git(repo, "init", "-q", "-b", "main")
    for name, data in FILES.items():
        path = repo / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(data)
    (repo / "run.sh").chmod(0o755)
    git(repo, "add", ".")
    git(repo, "commit", "-q", "-m", "first")
    return repo


@pytest.fixture
def run(origin: Path, tmp_path: Path) -> checkout.Checkout:
    return fetch(origin, tmp_path / "run")


def put(repo: Path, series: Sequence[str], name: str) -> Branch:
    """Put a series on a new branch, as `porter patch --apply` does."""
    with scratch.folder() as aside:
        made = branch.build(repo, [Path(path).read_bytes() for path in series], name, aside)
        branch.create(made, aside)
    return made


def take_back(made: Branch) -> bool:
    with scratch.folder() as aside:
        return branch.delete(made, aside)


def change(rule: str) -> Change:
    return Change(rule=rule, reason=f"The reason of {rule}.", until="Paddle has it")


def file(
    path: str, before: bytes | None, after: bytes | None, *rules: str, was: str | None = None
) -> FilePatch:
    return FilePatch(
        path=path, before=before, after=after, changes=tuple(map(change, rules)), renamed_from=was
    )


def plan() -> Plan:
    crlf, latin, old = (FILES[f"ops/{n}.py"] for n in ("__init__", "latin", "old"))
    return Plan(
        patches=(
            file("conftest.py", None, b"import paddle\n", "paddle/python/proxy"),
            file("no_newline.py", b"import torch", b"import torch  # both", "paddle/python/b"),
            file("ops/__init__.py", crlf, crlf.replace(b"y = 2", b"y = 20"), "paddle/python/a"),
            file("ops/_porter_compat/__init__.py", None, b"", "paddle/polyfill/x"),
            file("ops/_porter_compat/data.bin", None, b"\0\xff\r\n" * 9, "paddle/polyfill/x"),
            file("ops/gone.py", b"pass\n", None, "paddle/python/a"),
            file("ops/latin.py", latin, latin + b"b = 1\n", "paddle/python/a", "paddle/python/b"),
            file("ops/new.py", old, old + b"more = 1\n", "paddle/python/rename", was="ops/old.py"),
            file("run.sh", FILES["run.sh"], b"#!/bin/sh\nfalse\n", "paddle/python/b"),
            file("setup.py", FILES["setup.py"], b"import paddle\nimport torch\n", "paddle/p"),
        )
    )


def expected() -> dict[str, bytes]:
    files = dict(FILES)
    for item in plan().patches:
        files.pop(item.renamed_from or "", None)
        if item.after is None:
            files.pop(item.path)
        else:
            files[item.path] = item.after
    return files


def content(folder: Path) -> dict[str, bytes]:
    names = [n for n in git(folder, "ls-files", "-z").split("\0") if n]
    return {name: (folder / name).read_bytes() for name in names}


def clone(origin: Path, folder: Path) -> Path:
    git(origin, "clone", "-q", str(origin), str(folder))
    return folder


def test_the_series_and_the_diff_give_the_planned_bytes_on_a_clean_clone(
    origin: Path, run: checkout.Checkout, tmp_path: Path
) -> None:
    written = patch.write(plan(), run.tree, tmp_path / "patch", COMMAND)
    mailed, diffed = clone(origin, tmp_path / "am"), clone(origin, tmp_path / "apply")
    git(mailed, "am", "-q", *written.series)
    git(diffed, "apply", "--index", written.path)
    assert content(mailed) == content(diffed) == content(run.tree) == expected()
    assert (mailed / "run.sh").stat().st_mode & 0o100, "the executable bit stays"
    assert git(mailed, "rev-parse", "HEAD^{tree}") == git(run.tree, "rev-parse", "HEAD^{tree}")


def test_the_diff_applies_to_a_plain_folder(
    origin: Path, run: checkout.Checkout, tmp_path: Path
) -> None:
    written = patch.write(plan(), run.tree, tmp_path / "patch", COMMAND)
    folder = tmp_path / "plain"
    subprocess.run(["cp", "-r", str(run.base), str(folder)], check=True)
    subprocess.run(
        ["git", "apply", written.path],
        cwd=folder,
        check=True,
        env={"GIT_CEILING_DIRECTORIES": str(tmp_path), "PATH": "/usr/bin:/bin"},
    )
    assert (folder / "ops/__init__.py").read_bytes() == expected()["ops/__init__.py"]
    assert not (folder / "ops/old.py").exists()


def test_each_kind_of_change_is_a_commit_on_the_original_history(
    origin: Path, run: checkout.Checkout, tmp_path: Path
) -> None:
    written = patch.write(plan(), run.tree, tmp_path / "patch", COMMAND)
    subjects = git(run.tree, "log", "--reverse", "--format=%s", f"{run.head}..").splitlines()
    assert len(subjects) == len(written.series) == 6
    assert git(run.tree, "rev-parse", "HEAD~6") == git(origin, "rev-parse", "HEAD")
    body = git(run.tree, "log", "--format=%B", f"{run.head}..")
    assert "Porter-Rule: paddle/python/a" in body
    assert f"Porter-Command: {COMMAND}" in body
    assert "Paddle has it" in body


def test_the_author_is_the_user_where_git_knows_them(
    run: checkout.Checkout, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = tmp_path / "gitconfig"
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(settings))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    for text, author in (
        ("", f"{repository.AUTHOR} <{repository.EMAIL}>"),
        (
            "[user]\n\tname = Ada Example\n\temail = ada@example.org\n",
            "Ada Example <ada@example.org>",
        ),
    ):
        settings.write_text(text)
        written = patch.write(plan(), run.tree, tmp_path / "patch", COMMAND)
        assert all(f"From: {author}\n" in Path(mail).read_text() for mail in written.series)


@pytest.mark.parametrize(
    ("words", "subject"),
    [
        (5, "Build: xxxx xxxx xxxx xxxx xxxx; xxxx xxxx xxxx xxxx xxxx"),
        (10, "Build: xxxx xxxx xxxx xxxx xxxx xxxx xxxx xxxx xxxx xxxx and 1 more"),
        (30, "Build: port to the target framework"),
    ],
)
def test_no_subject_is_cut_off(
    run: checkout.Checkout, tmp_path: Path, words: int, subject: str
) -> None:
    edited = file("setup.py", FILES["setup.py"], b"x = 1\n", "paddle/python/a", "paddle/python/b")
    title = " ".join(["xxxx"] * words)
    titled = tuple(replace(change, title=title) for change in edited.changes)
    plan = Plan(patches=(replace(edited, changes=titled),))
    patch.write(plan, run.tree, tmp_path / "patch", COMMAND)
    assert git(run.tree, "log", "-1", "--format=%s").strip() == subject


def test_a_commit_says_what_it_is_for(origin: Path, run: checkout.Checkout, tmp_path: Path) -> None:
    items = (
        file("ops/__init__.py", FILES["ops/__init__.py"], b"y = 3\n", "ascend/cpp/key"),
        file("run.sh", FILES["run.sh"], b"#!/bin/sh\nfalse\n", "paddle/python/b"),
    )
    patch.write(Plan(patches=items), run.tree, tmp_path / "patch", COMMAND)
    subjects = git(run.tree, "log", "--format=%s", f"{run.head}..").splitlines()
    assert sorted(subject.partition(":")[0] for subject in subjects) == ["For NPUs", "Proxy-safe"]


def test_the_counts_are_those_of_the_diff(run: checkout.Checkout, tmp_path: Path) -> None:
    small = Plan(patches=(file("setup.py", FILES["setup.py"], b"import paddle\n", "r"),))
    written = patch.write(small, run.tree, tmp_path / "patch", COMMAND)
    assert (written.files, written.added, written.removed) == (1, 1, 1)


def test_writing_again_starts_from_the_base(run: checkout.Checkout, tmp_path: Path) -> None:
    patch.write(plan(), run.tree, tmp_path / "patch", COMMAND)
    (run.tree / "left.tmp").write_text("of a killed run")
    (run.tree / ".git" / "index.lock").touch()
    written = patch.write(plan(), run.tree, tmp_path / "patch", COMMAND)
    assert content(run.tree) == expected()
    assert len(written.series) == len(list((tmp_path / "patch").glob("0*.patch")))
    nothing = patch.write(Plan(), run.tree, tmp_path / "patch", COMMAND)
    assert (nothing.files, nothing.series) == (0, ())
    assert content(run.tree) == FILES


def test_the_same_plan_gives_the_same_series(
    run: checkout.Checkout, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")

    def series_of(folder: Path) -> list[bytes]:
        written = patch.write(plan(), run.tree, folder, COMMAND)
        return [Path(path).read_bytes() for path in written.series]

    first = series_of(tmp_path / "a")
    again = series_of(tmp_path / "b")
    assert first == again


def test_a_plan_for_other_bytes_changes_nothing(run: checkout.Checkout, tmp_path: Path) -> None:
    wrong = Plan(
        patches=(
            file("run.sh", FILES["run.sh"], b"x", "r"),
            file("setup.py", b"something else", b"x", "r"),
        )
    )
    with pytest.raises(PorterError):
        patch.write(wrong, run.tree, tmp_path / "patch", COMMAND)
    assert content(run.tree) == FILES
    assert repository.head(run.tree) == run.head


@pytest.mark.parametrize("path", ["link/new.py", "../out.py", ".git/hooks/pre-commit"])
def test_nothing_is_written_out_of_the_tree(origin: Path, tmp_path: Path, path: str) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (origin / "link").symlink_to(outside)
    run = fetch(origin, tmp_path / "run")
    with pytest.raises(PorterError) as caught:
        patch.write(Plan(patches=(file(path, None, b"x", "r"),)), run.tree, tmp_path / "p", COMMAND)
    if path.startswith("link"):  # of the repository's making, so no defect of porter's
        assert caught.value.exit_code == 2 and caught.value.hint
    assert not list(outside.iterdir())
    assert not (tmp_path / "run" / "out.py").exists()


def test_applying_makes_a_branch_and_leaves_the_clone_as_it_is(
    origin: Path, run: checkout.Checkout, tmp_path: Path
) -> None:
    written = patch.write(plan(), run.tree, tmp_path / "patch", COMMAND)
    made = put(origin, written.series, "porter/paddle")
    assert made.commits == len(written.series)
    assert content(origin) == FILES
    assert git(origin, "branch", "--show-current") == "main\n"
    assert git(origin, "worktree", "list").count("\n") == 1
    git(origin, "checkout", "-q", "porter/paddle")
    assert content(origin) == expected()
    git(origin, "checkout", "-q", "main")
    git(origin, "branch", "-q", "-D", "porter/paddle")


def test_applying_takes_the_name_that_the_clone_gives_its_committer(
    origin: Path, run: checkout.Checkout, tmp_path: Path
) -> None:
    series = patch.write(plan(), run.tree, tmp_path / "patch", COMMAND).series
    git(origin, "config", "user.name", "me here")
    git(origin, "config", "user.email", "me@here")
    put(origin, series, "porter/paddle")
    assert git(origin, "log", "-1", "--format=%cn %ce", "porter/paddle") == "me here me@here\n"


def test_a_branch_can_be_put_into_a_linked_work_tree(
    origin: Path, run: checkout.Checkout, tmp_path: Path
) -> None:
    series = patch.write(plan(), run.tree, tmp_path / "patch", COMMAND).series
    git(origin, "worktree", "add", "-q", str(tmp_path / "linked"), "-b", "other")
    put(tmp_path / "linked", series, "porter/paddle")
    git(tmp_path / "linked", "checkout", "-q", "porter/paddle")
    assert content(tmp_path / "linked") == expected()


def test_untracked_files_do_not_keep_a_patch_from_being_applied(
    origin: Path, run: checkout.Checkout, tmp_path: Path
) -> None:
    """Such as the report of the port, which was written beside them."""
    series = patch.write(plan(), run.tree, tmp_path / "patch", COMMAND).series
    (origin / "report.html").write_text("report")
    put(origin, series, "porter/paddle")
    assert git(origin, "status", "--porcelain") == "?? report.html\n"
    assert "report.html" not in git(origin, "ls-tree", "-r", "--name-only", "porter/paddle")
    git(origin, "checkout", "-q", "porter/paddle")
    assert content(origin) == expected()
    assert (origin / "report.html").read_text() == "report"


def test_an_untracked_file_that_the_patch_edits_is_named(
    origin: Path, run: checkout.Checkout, tmp_path: Path
) -> None:
    series = patch.write(plan(), run.tree, tmp_path / "patch", COMMAND).series
    git(origin, "rm", "-q", "--cached", "setup.py")
    git(origin, "commit", "-q", "-m", "Without setup.py")
    with pytest.raises(UsageError, match=r"setup\.py"):
        put(origin, series, "porter/paddle")


def test_applying_wants_no_changes_of_tracked_files_and_a_new_branch(
    origin: Path, run: checkout.Checkout, tmp_path: Path
) -> None:
    series = patch.write(plan(), run.tree, tmp_path / "patch", COMMAND).series
    for name in ("main", "-d", "a..b"):
        with pytest.raises(UsageError):
            put(origin, series, name)
    (origin / "setup.py").write_text("changed")
    with pytest.raises(UsageError):
        put(origin, series, "porter/paddle")
    with pytest.raises(UsageError):
        put(tmp_path / "nowhere", series, "porter/paddle")


def test_a_series_that_does_not_apply_leaves_no_trace(
    origin: Path, run: checkout.Checkout, tmp_path: Path
) -> None:
    series = patch.write(plan(), run.tree, tmp_path / "patch", COMMAND).series
    (origin / "setup.py").write_text("something else\n")
    git(origin, "commit", "-q", "-a", "-m", "moved on")
    before = git(origin, "for-each-ref")
    with pytest.raises(UsageError):
        put(origin, series, "porter/paddle")
    assert git(origin, "for-each-ref") == before
    assert git(origin, "status", "--porcelain") == ""
    assert git(origin, "worktree", "list").count("\n") == 1


def test_hooks_of_the_clone_do_not_run(
    origin: Path, run: checkout.Checkout, tmp_path: Path
) -> None:
    series = patch.write(plan(), run.tree, tmp_path / "patch", COMMAND).series
    for name in ("pre-applypatch", "post-checkout", "applypatch-msg", "post-commit"):
        hook = origin / ".git" / "hooks" / name
        hook.parent.mkdir(exist_ok=True)
        hook.write_text(f"#!/bin/sh\ntouch {tmp_path}/ran\n")
        hook.chmod(0o755)
    put(origin, series, "porter/paddle")
    assert not (tmp_path / "ran").exists()


def test_a_folder_inside_a_clone_gets_its_patch_where_it_stands(
    origin: Path, tmp_path: Path
) -> None:
    run = fetch(origin / "ops", tmp_path / "run")
    small = Plan(patches=(file("gone.py", b"pass\n", b"x = 1\n", "r"),))
    series = patch.write(small, run.tree, tmp_path / "patch", COMMAND).series
    put(origin / "ops", series, "porter/paddle")
    assert git(origin, "show", "porter/paddle:ops/gone.py") == "x = 1\n"


ODD = [
    b"a\rb\r\nc\n",
    b"From nobody Mon Sep 17 00:00:00 2001\nFrom: x\n---\ndiff --git a/x b/x\n",
    b"-- \n2.39\n\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n",
    b"trailing \t \n\n\n",
    b"\x0c\x1b[0m\x7f\n=20=\n",
    "\u00e9\u4e2d\u2028\n".encode(),
    b"\xff\xfe\xe9\n",
    b"x" * 5000 + b"\n",
    b"\0\r\n",
    b"no end",
    b"\r\n" * 3,
]


@pytest.mark.parametrize("number", range(len(ODD)))
def test_odd_bytes_and_names_survive_mail_and_diff(
    origin: Path, tmp_path: Path, number: int
) -> None:
    odd, other = ODD[number], ODD[(number + 1) % len(ODD)]
    name = ["plain.py", "with space.py", "\u00e9t\u00e9.py", 'quo"te.py', "-dash.py"][number % 5]
    (origin / name).write_bytes(odd * 2 + other)
    git(origin, "add", "-A")
    git(origin, "commit", "-q", "-m", "odd")
    run = fetch(origin, tmp_path / "run")
    wanted = {name: other + odd * 2 + odd, f"new {name}": odd}
    patches = (
        file(name, odd * 2 + other, wanted[name], "r"),
        file(f"new {name}", None, wanted[f"new {name}"], "s"),
    )
    written = patch.write(Plan(patches=patches), run.tree, tmp_path / "patch", COMMAND)
    put(origin, written.series, "porter/paddle")
    diffed = clone(origin, tmp_path / "apply")
    git(diffed, "apply", "--index", written.path)
    git(origin, "checkout", "-q", "porter/paddle")
    for path, data in wanted.items():
        assert (origin / path).read_bytes() == (diffed / path).read_bytes() == data


@pytest.fixture
def made(origin: Path, run: checkout.Checkout, tmp_path: Path) -> Branch:
    return put(origin, patch.write(plan(), run.tree, tmp_path / "p", COMMAND).series, "porter/x")


def test_undo_deletes_the_branch_once(origin: Path, made: Branch) -> None:
    assert take_back(made)
    assert git(origin, "branch", "--format=%(refname:short)") == "main\n"
    assert not take_back(made)


def test_undo_of_a_packed_branch(origin: Path, made: Branch) -> None:
    git(origin, "gc", "-q")
    assert take_back(made)
    assert git(origin, "branch", "--format=%(refname:short)") == "main\n"


@pytest.mark.parametrize(
    "steps",
    [
        [("checkout", "-q", "porter/x"), ("commit", "-q", "--allow-empty", "-m", "more")],
        [("checkout", "-q", "porter/x")],
        [("worktree", "add", "-q", "../other", "porter/x")],
        [("branch", "-m", "porter/x", "mine")],
        [("branch", "-f", "porter/x", "main")],
        [("checkout", "-q", "porter/x"), ("bisect", "start", "porter/x", "main")],
    ],
    ids=["moved on", "checked out", "in another work tree", "renamed", "moved back", "bisected"],
)
def test_undo_refuses_what_is_no_longer_as_porter_left_it(
    origin: Path, made: Branch, steps: list[tuple[str, ...]]
) -> None:
    for step in steps:
        git(origin, *step)
    before = git(origin, "for-each-ref"), content(origin)
    with pytest.raises(UsageError):
        take_back(made)
    assert (git(origin, "for-each-ref"), content(origin)) == before


def test_a_branch_is_put_on_a_shallow_clone_and_into_a_work_tree(
    origin: Path, run: checkout.Checkout, tmp_path: Path
) -> None:
    git(origin, "commit", "-q", "--allow-empty", "-m", "second")
    git(tmp_path, "clone", "-q", "--depth=1", f"file://{origin}", "shallow")
    git(tmp_path / "shallow", "worktree", "add", "-q", "--detach", "../linked")
    series = patch.write(plan(), run.tree, tmp_path / "patch", COMMAND).series
    for name in ("shallow", "linked"):
        put(tmp_path / name, series, f"porter/{name}")
        git(tmp_path / name, "checkout", "-q", f"porter/{name}")
        assert content(tmp_path / name) == expected()
        git(tmp_path / name, "fsck", "--strict")


def test_a_branch_that_came_to_be_meanwhile_is_left_alone(
    origin: Path, run: checkout.Checkout, tmp_path: Path
) -> None:
    series = patch.write(plan(), run.tree, tmp_path / "patch", COMMAND).series
    with scratch.folder() as aside:
        made = branch.build(origin, [Path(path).read_bytes() for path in series], "porter/x", aside)
        git(origin, "branch", "porter/x")
        with pytest.raises(UsageError):
            branch.create(made, aside)
    assert git(origin, "rev-parse", "porter/x") == git(origin, "rev-parse", "main")


def test_a_lock_of_another_git_stays(origin: Path, made: Branch) -> None:
    lock = origin / ".git" / "refs" / "heads" / "porter" / "x.lock"
    lock.touch()
    with pytest.raises(UsageError):
        take_back(made)
    assert lock.exists()
