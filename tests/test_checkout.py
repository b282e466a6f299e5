"""Sources become copies at a known commit; hostile and broken ones a clear error."""

from __future__ import annotations

import hashlib
import io
import os
import shutil
import subprocess
import tarfile
import zipfile
from pathlib import Path

import pytest

from porter.errors import NetworkError, SourceError
from porter.sources import checkout, clone, repository, sdist
from porter.sources.checkout import Kind, fetch, parse


def git(folder: Path, *arguments: str) -> str:
    identity = ["-c", "user.name=t", "-c", "user.email=t@example.org"]
    allow = ["-c", "protocol.file.allow=always", "-c", "protocol.ext.allow=always"]
    done = subprocess.run(
        ["git", *identity, *allow, *arguments], cwd=folder, capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode()


def repo_at(folder: Path, **files: str) -> Path:
    folder.mkdir(parents=True)
    git(folder, "init", "-q", "-b", "main")
    for name, text in (files or {"setup": "import torch\n"}).items():
        (folder / f"{name}.py").write_text(text)
    git(folder, "add", ".")
    git(folder, "commit", "-q", "-m", "first")
    return folder


def url_of(folder: Path) -> str:
    return f"file://{folder}"


def snapshot(folder: Path) -> dict[str, tuple[int, bytes]]:
    return {
        str(p.relative_to(folder)): (p.lstat().st_mtime_ns, p.read_bytes())
        for p in sorted(folder.rglob("*"))
        if p.is_file() and not p.is_symlink()
    }


# ------------------------------------------------------------------- parsing


@pytest.mark.parametrize(
    ("text", "location", "ref", "subdir"),
    [
        ("https://example.org/a/b", "https://example.org/a/b", None, ""),
        ("https://example.org/a/b.git@v1.2", "https://example.org/a/b.git", "v1.2", ""),
        (
            "git+https://example.org/a/b@feature/x#ops",
            "https://example.org/a/b",
            "feature/x",
            "ops",
        ),
        ("https://example.org/a/b#subdirectory=x/y", "https://example.org/a/b", None, "x/y"),
        ("https://me@example.org/a/b@main", "https://me@example.org/a/b", "main", ""),
        ("ssh://git@example.org/a/b.git@main", "ssh://git@example.org/a/b.git", "main", ""),
        ("git@example.org:a/b.git", "git@example.org:a/b.git", None, ""),
        ("git@example.org:a/b.git@v1#sub", "git@example.org:a/b.git", "v1", "sub"),
    ],
)
def test_a_git_url_comes_apart(text: str, location: str, ref: str | None, subdir: str) -> None:
    spec = parse(text)
    assert (spec.kind, spec.location, spec.ref, spec.subdir) == (Kind.GIT, location, ref, subdir)


def test_all_spellings_of_a_repository_have_one_identity() -> None:
    spellings = (
        "https://Example.org/a/b.git",
        "https://example.org/a/b/",
        "git+https://example.org/a/b",
        "ssh://git@example.org/a/b.git",
        "git@example.org:a/b.git",
    )
    assert len({parse(text).identity for text in spellings}) == 1
    assert parse("https://example.org/a/b@v1").identity != parse(spellings[0]).identity


def test_a_distribution_comes_apart() -> None:
    spec = parse("pypi:Torch_Scatter==2.1.2")
    assert (spec.kind, spec.location, spec.ref) == (Kind.PYPI, "torch-scatter", "2.1.2")
    assert parse("pypi:torch.scatter==2.1.2").identity == spec.identity


@pytest.mark.parametrize(
    "text",
    [
        "",
        "-x",
        "--upload-pack=touch /tmp/x",
        "ext::sh -c x",
        "https://-oProxyCommand=x/y",
        "git@-oProxyCommand=x:y/z",
        "https://example.org/a/b@-f",
        "https://example.org/a/b@a..b",
        "https://example.org/a/b#../x",
        "https://example.org/a/b#/etc",
        "https://example.org",
        "ftp://example.org/a",
        "pypi:",
        "pypi:a b",
        "pypi:a==",
        "pypi:a; touch x",
        "x\ny",
    ],
)
def test_what_cannot_be_a_source_is_refused(text: str, tmp_path: Path) -> None:
    with pytest.raises(SourceError) as caught:
        fetch(parse(text), tmp_path / "run")
    assert caught.value.hint


# ------------------------------------------------------------- git repositories


def test_a_clone_stands_at_the_original_commit(tmp_path: Path) -> None:
    repo = repo_at(tmp_path / "repo")
    bare = tmp_path / "bare.git"
    git(tmp_path, "clone", "-q", "--bare", str(repo), str(bare))
    got = fetch(parse(url_of(bare)), tmp_path / "run")
    assert got.commit == got.head == git(repo, "rev-parse", "HEAD").strip()
    assert repository.head(got.base) == got.head
    assert (got.base / "setup.py").read_bytes() == (repo / "setup.py").read_bytes()
    assert not git(got.base, "status", "--short")
    assert fetch(parse(str(bare)), tmp_path / "again").digest == got.digest


@pytest.mark.parametrize("kind", ["branch", "tag", "slashed", "commit", "short", "older"])
def test_a_ref_of_any_kind_is_found(tmp_path: Path, kind: str) -> None:
    repo = repo_at(tmp_path / "repo", a="1\n")
    older = git(repo, "rev-parse", "HEAD").strip()
    git(repo, "checkout", "-q", "-b", "work/x")
    (repo / "a.py").write_text("2\n")
    git(repo, "commit", "-q", "-a", "-m", "second")
    git(repo, "branch", "dev")
    git(repo, "tag", "-a", "v1", "-m", "release")
    newer = git(repo, "rev-parse", "HEAD").strip()
    (repo / "a.py").write_text("3\n")
    git(repo, "commit", "-q", "-a", "-m", "third")
    ref = {
        "branch": "dev",
        "tag": "v1",
        "slashed": "work/x",
        "commit": newer,
        "short": newer[:8],
        "older": older,
    }[kind]
    got = fetch(parse(f"{url_of(repo)}@{ref}"), tmp_path / "run")
    expected = {"slashed": "3\n", "older": "1\n"}.get(kind, "2\n")
    assert (got.base / "a.py").read_text() == expected


def test_a_missing_ref_names_the_near_ones(tmp_path: Path) -> None:
    repo = repo_at(tmp_path / "repo")
    git(repo, "tag", "v1.2.3")
    with pytest.raises(SourceError) as caught:
        fetch(parse(f"{url_of(repo)}@v1.2"), tmp_path / "run")
    assert "v1.2.3" in caught.value.hint
    with pytest.raises(SourceError):
        fetch(parse(f"{url_of(repo)}@{'0' * 40}"), tmp_path / "run")


def test_an_empty_repository_says_so(tmp_path: Path) -> None:
    bare = tmp_path / "bare.git"
    git(tmp_path, "init", "-q", "--bare", str(bare))
    for text in (url_of(bare), str(bare)):
        with pytest.raises(SourceError, match="empty"):
            fetch(parse(text), tmp_path / "run")
    fresh = tmp_path / "fresh"
    git(tmp_path, "init", "-q", str(fresh))
    with pytest.raises(SourceError, match="empty"):
        fetch(parse(str(fresh)), tmp_path / "run")


def test_a_repository_without_some_of_its_objects_is_no_network_error(tmp_path: Path) -> None:
    source = tmp_path / "source"
    source.mkdir()
    (source / "a.py").write_text("import torch\n")
    for words in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "first"]):
        identity = ["-c", "user.name=t", "-c", "user.email=t@example.org"]
        subprocess.run(["git", *identity, *words], cwd=source, check=True)
    blob = subprocess.run(
        ["git", "rev-parse", "HEAD:a.py"], cwd=source, capture_output=True, text=True, check=True
    ).stdout.strip()
    (source / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    with pytest.raises(SourceError, match="lacks objects") as found:
        fetch(parse(str(source)), tmp_path / "run")
    assert "git fsck" in (found.value.hint or "")


def test_no_network_and_no_repository_differ(tmp_path: Path) -> None:
    with pytest.raises(NetworkError) as offline:
        fetch(parse("https://127.0.0.1:9/a/b"), tmp_path / "run")
    assert offline.value.hint
    with pytest.raises(SourceError):
        fetch(parse(f"file://{tmp_path}/nothing@main"), tmp_path / "run")


@pytest.mark.parametrize("user", ["me:s3cret", "s3cret"])
def test_a_token_in_a_url_is_not_shown(tmp_path: Path, user: str) -> None:
    lines: list[str] = []
    spec = parse(f"https://{user}@127.0.0.1:9/a/b")
    with pytest.raises(NetworkError) as caught:
        fetch(spec, tmp_path / "run", lines.append)
    assert "s3cret" not in "".join([str(caught.value), caught.value.hint, *lines, spec.identity])


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder away")
def test_a_clone_of_another_user_wants_trust(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo = repo_at(tmp_path / "repo")
    for path in (repo, repo / ".git"):
        os.chown(path, 12345, 12345)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "gitconfig"))
    with pytest.raises(SourceError) as caught:
        fetch(parse(str(repo)), tmp_path / "run")
    assert "safe.directory" in caught.value.hint
    (tmp_path / "gitconfig").write_text(
        f"[safe]\n\tdirectory = {repo}\n\tdirectory = {repo}/.git\n"
    )
    assert fetch(parse(str(repo)), tmp_path / "run").dirty == ()


@pytest.mark.parametrize("kind", ["missing", "file"])
def test_a_path_that_is_no_folder_is_refused(tmp_path: Path, kind: str) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(SourceError) as caught:
        fetch(parse(str(tmp_path / kind)), tmp_path / "run")
    assert caught.value.hint


def test_a_subdirectory_must_exist_in_the_source(tmp_path: Path) -> None:
    repo = repo_at(tmp_path / "repo")
    (repo / "ops").mkdir()
    (repo / "ops" / "a.py").write_text("1")
    (repo / "link").symlink_to("/etc")
    git(repo, "add", ".")
    git(repo, "commit", "-q", "-m", "ops")
    assert (fetch(parse(f"{repo}#ops"), tmp_path / "run").project / "a.py").exists()
    for name in ("nothing", "link"):
        with pytest.raises(SourceError):
            fetch(parse(f"{repo}#{name}"), tmp_path / "run")


# ----------------------------------------------------------------- hostile git


def test_hooks_and_filters_of_a_clone_do_not_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo = repo_at(tmp_path / "repo")
    (repo / ".gitattributes").write_text("*.py filter=evil\n*.bin filter=lfs\n")
    git(repo, "add", ".")
    git(repo, "commit", "-q", "-m", "attributes")
    script = f"#!/bin/sh\ntouch {tmp_path}/ran\ncat\n"
    templates = tmp_path / "templates" / "hooks"
    templates.mkdir(parents=True)
    (repo / ".git" / "hooks").mkdir(exist_ok=True)
    for folder in (templates, repo / ".git" / "hooks"):
        for name in ("post-checkout", "reference-transaction", "pre-commit", "post-index-change"):
            (folder / name).write_text(script)
            (folder / name).chmod(0o755)
    evil = tmp_path / "evil"
    evil.write_text(script)
    evil.chmod(0o755)
    settings = f'[filter "evil"]\nsmudge={evil}\nclean={evil}\n[core]\nfsmonitor={evil}\n'
    (tmp_path / "gitconfig").write_text(
        f"{settings}[init]\ntemplateDir={templates.parent}\n[core]\nhooksPath={templates}\n"
    )
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "gitconfig"))
    with (repo / ".git" / "config").open("a") as file:
        file.write(settings)
    (repo / "setup.py").write_text("changed\n")
    got = fetch(parse(str(repo)), tmp_path / "run")
    fetch(parse(f"{url_of(repo)}@main"), tmp_path / "again")
    assert not (tmp_path / "ran").exists()
    assert got.dirty == ("setup.py",)
    assert any("LFS" in note for note in got.notes)


def test_a_submodule_with_a_command_as_its_url_runs_nothing(tmp_path: Path) -> None:
    inner = repo_at(tmp_path / "inner")
    repo = repo_at(tmp_path / "repo")
    git(repo, "submodule", "--quiet", "add", str(inner), "sub")
    (repo / ".gitmodules").write_text(
        f'[submodule "sub"]\n\tpath = sub\n\turl = ext::sh -c touch% {tmp_path}/ran\n'
    )
    git(repo, "add", ".")
    git(repo, "commit", "-q", "-m", "hostile")
    bare = tmp_path / "bare.git"
    git(tmp_path, "clone", "-q", "--bare", str(repo), str(bare))
    got = fetch(parse(str(bare)), tmp_path / "run", submodules=True)
    assert not (tmp_path / "ran").exists()
    assert any("submodule" in note for note in got.notes)


def test_submodules_come_only_when_asked_for(tmp_path: Path) -> None:
    inner = repo_at(tmp_path / "inner", header="x\n")
    repo = repo_at(tmp_path / "repo")
    git(repo, "submodule", "--quiet", "add", str(inner), "sub")
    git(repo, "commit", "-q", "-m", "sub")
    bare = tmp_path / "bare.git"
    git(tmp_path, "clone", "-q", "--bare", str(repo), str(bare))
    for source in (repo, bare):
        assert not list((fetch(parse(str(source)), tmp_path / "run").base / "sub").iterdir())
        got = fetch(parse(str(source)), tmp_path / "run", submodules=True)
        assert (got.base / "sub" / "header.py").read_text() == "x\n", got.notes
        assert got.dirty == ()
        checkout.add_tree(tmp_path / "run")
        repository.restore(got.tree, got.head)
        assert (got.tree / "sub" / "header.py").exists()


@pytest.mark.parametrize("bare", [True, False])
def test_submodules_can_come_later(tmp_path: Path, bare: bool) -> None:
    inner = repo_at(tmp_path / "inner", header="x\n")
    repo = repo_at(tmp_path / "repo")
    git(repo, "submodule", "--quiet", "add", str(inner), "deep/sub")
    git(repo, "commit", "-q", "-m", "sub")
    git(tmp_path, "clone", "-q", "--bare", str(repo), str(tmp_path / "bare.git"))
    spec = parse(str(tmp_path / "bare.git" if bare else repo))
    got = fetch(spec, tmp_path / "run")
    for _ in range(2):
        assert checkout.add_submodules(spec, tmp_path / "run") == ("deep/sub",)
        for tree in (got.base, got.tree):
            assert (tree / "deep" / "sub" / "header.py").read_text() == "x\n"
    shutil.rmtree(got.base / ".git")
    plain = fetch(parse(str(got.base)), tmp_path / "plain")
    assert checkout.add_submodules(parse(str(got.base)), tmp_path / "plain") == ()
    assert (plain.base / "deep" / "sub" / "header.py").exists()


def test_a_submodule_that_cannot_be_had_is_said(tmp_path: Path) -> None:
    inner = repo_at(tmp_path / "inner")
    repo = repo_at(tmp_path / "repo")
    git(repo, "submodule", "--quiet", "add", str(inner), "sub")
    git(repo, "commit", "-q", "-m", "sub")
    git(tmp_path, "clone", "-q", "--bare", str(repo), str(tmp_path / "bare.git"))
    inner.rename(tmp_path / "gone")
    spec = parse(str(tmp_path / "bare.git"))
    fetch(spec, tmp_path / "run")
    with pytest.raises(NetworkError) as caught:
        checkout.add_submodules(spec, tmp_path / "run")
    assert caught.value.hint


def test_links_stay_links(tmp_path: Path) -> None:
    repo = repo_at(tmp_path / "repo")
    (tmp_path / "secret").write_text("secret")
    (repo / "out.py").symlink_to(tmp_path / "secret")
    (repo / "loop.py").symlink_to("loop.py")
    (repo / "round").symlink_to(".")
    git(repo, "add", ".")
    git(repo, "commit", "-q", "-m", "links")
    plain = tmp_path / "plain"
    clone.copy_files(repo, plain)
    for source in (repo, plain):
        got = fetch(parse(str(source)), tmp_path / "run")
        checkout.add_tree(tmp_path / "run")
        for tree in (got.base, got.tree):
            assert all((tree / name).is_symlink() for name in ("out.py", "loop.py", "round"))


def test_the_tree_to_change_is_a_copy_that_is_made_once_and_whole(tmp_path: Path) -> None:
    repo = repo_at(tmp_path / "repo", a="1\n")
    got = fetch(parse(str(repo)), tmp_path / "run")
    assert not got.tree.exists()
    (tmp_path / "run" / "tree.begun").mkdir()  # by a process that was killed
    checkout.add_tree(tmp_path / "run")
    assert git(got.tree, "rev-parse", "HEAD").strip() == got.head
    assert git(got.tree, "status", "--porcelain") == ""
    (got.tree / "a.py").write_text("2\n")
    checkout.add_tree(tmp_path / "run")
    assert (got.tree / "a.py").read_text() == "2\n"
    assert (got.base / "a.py").read_text() == "1\n"


# ------------------------------------------------------------------ local trees


def test_a_dirty_tree_is_taken_as_it_is_and_never_written_to(tmp_path: Path) -> None:
    repo = repo_at(tmp_path / "repo", a="1\n", b="2\n", c="3\n")
    (repo / ".gitignore").write_text("ignored.py\n")
    git(repo, "add", ".")
    git(repo, "commit", "-q", "-m", "ignore")
    (repo / "a.py").write_text("changed\n")
    (repo / "b.py").unlink()
    (repo / "new.py").write_bytes(b"new\r\n")
    (repo / "ignored.py").write_text("x")
    before = snapshot(repo)
    got = fetch(parse(str(repo)), tmp_path / "run")
    assert snapshot(repo) == before
    assert got.dirty == ("a.py", "b.py", "new.py")
    assert got.commit == git(repo, "rev-parse", "HEAD").strip()
    assert git(got.base, "rev-parse", "HEAD^").strip() == got.commit
    names = {p.name for p in got.base.iterdir()}
    assert names == {".git", ".gitignore", "a.py", "c.py", "new.py"}
    assert (got.base / "new.py").read_bytes() == b"new\r\n"


def test_files_are_what_is_committed_whatever_the_attributes_say(tmp_path: Path) -> None:
    repo = repo_at(tmp_path / "repo", a="1\n2\n")
    (repo / ".gitattributes").write_text("*.py text eol=crlf\n")
    git(repo, "add", ".")
    git(repo, "commit", "-q", "-m", "crlf")
    (repo / "a.py").write_bytes(b"1\r\n2\r\n")
    for source in (str(repo), f"{repo}@main"):
        got = fetch(parse(source), tmp_path / "run")
        assert got.dirty == ()
        assert (got.base / "a.py").read_bytes() == b"1\n2\n"
        assert git(got.base, "status", "--porcelain") == ""


def test_a_plain_folder_gets_one_commit_with_every_file(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    (folder / "ops").mkdir(parents=True)
    (folder / ".gitignore").write_text("*.cfg\n")
    (folder / ".gitattributes").write_text("* text=auto\n")
    (folder / "setup.cfg").write_text("[x]\n")
    (folder / "ops" / "a.py").write_bytes(b"1\r\n")
    (folder / "run.sh").write_text("true\n")
    (folder / "run.sh").chmod(0o755)
    os.mkfifo(folder / "pipe")
    (folder / "venv").mkdir()
    (folder / "venv" / "pyvenv.cfg").write_text("")
    got = fetch(parse(str(folder)), tmp_path / "run")
    assert got.commit is None
    listed = set(git(got.base, "ls-files").split())
    assert listed == {".gitignore", ".gitattributes", "setup.cfg", "ops/a.py", "run.sh"}
    assert git(got.base, "rev-list", "--count", "HEAD").strip() == "1"
    assert git(got.base, "show", "HEAD:ops/a.py") == "1\r\n"
    assert (got.base / "run.sh").stat().st_mode & 0o100
    assert any("pipe" in note for note in got.notes)
    assert fetch(parse(str(folder)), tmp_path / "again").head == got.head, "same files, same commit"


def test_fetching_again_replaces_what_a_killed_run_left(tmp_path: Path) -> None:
    repo = repo_at(tmp_path / "repo")
    for name in ("tree", "base"):
        (tmp_path / "run" / name).mkdir(parents=True)
        (tmp_path / "run" / name / "left.py").touch()
    got = fetch(parse(str(repo)), tmp_path / "run")
    assert not (got.base / "left.py").exists()
    assert not (got.base / "left.py").exists()


# ------------------------------------------------------------------------ sdists


def tar_with(path: Path, *members: tarfile.TarInfo | tuple[str, bytes]) -> Path:
    with tarfile.open(path, "w:gz") as archive:
        for member in members:
            if isinstance(member, tuple):
                info = tarfile.TarInfo(member[0])
                info.size = len(member[1])
                archive.addfile(info, io.BytesIO(member[1]))
            else:
                archive.addfile(member)
    return path


def special(name: str, kind: bytes, target: str = "") -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.type, info.linkname = kind, target
    return info


def sdist_of(files: dict[str, bytes], path: Path) -> Path:
    top = path.name.removesuffix(".tar.gz")
    return tar_with(path, *((f"{top}/{name}", data) for name, data in files.items()))


@pytest.mark.parametrize(
    "member",
    [
        ("../out.py", b"x"),
        ("a-1/../../out.py", b"x"),
        ("/tmp/porter-out.py", b"x"),
        special("a-1/link", tarfile.SYMTYPE, "../../secret"),
        special("a-1/link", tarfile.SYMTYPE, "/etc/passwd"),
        special("a-1/hard", tarfile.LNKTYPE, "../secret"),
        special("a-1/hard", tarfile.LNKTYPE, "/etc/passwd"),
        special("a-1/device", tarfile.CHRTYPE),
        special("a-1/pipe", tarfile.FIFOTYPE),
    ],
)
def test_an_archive_that_leaves_its_folder_is_refused(
    tmp_path: Path, member: tarfile.TarInfo | tuple[str, bytes]
) -> None:
    (tmp_path / "secret").write_text("secret")
    archive = tar_with(tmp_path / "a-1.tar.gz", ("a-1/setup.py", b""), member)
    before = {p.name for p in tmp_path.iterdir()}
    with pytest.raises(SourceError):
        sdist.unpack(archive, tmp_path / "in" / "tree")
    assert {p.name for p in tmp_path.iterdir()} == before | {"in"}
    assert not list((tmp_path / "in").iterdir())


def test_no_member_is_written_through_a_link(tmp_path: Path) -> None:
    archive = tar_with(
        tmp_path / "a-1.tar.gz",
        ("a-1/real/x", b""),
        special("a-1/link", tarfile.SYMTYPE, "real"),
        ("a-1/link/y", b"x"),
    )
    with pytest.raises(SourceError):
        sdist.unpack(archive, tmp_path / "tree")


def test_links_inside_an_archive_and_modes_are_kept(tmp_path: Path) -> None:
    script = special("a-1/run.sh", tarfile.REGTYPE)
    script.mode = 0o4755
    archive = tar_with(
        tmp_path / "a-1.tar.gz",
        ("a-1/x.py", b"x"),
        script,
        special("a-1/sub/link.py", tarfile.SYMTYPE, "../x.py"),
        special("a-1/hard.py", tarfile.LNKTYPE, "a-1/x.py"),
    )
    sdist.unpack(archive, tmp_path / "tree")
    assert (tmp_path / "tree" / "sub" / "link.py").is_symlink()
    assert (tmp_path / "tree" / "hard.py").read_bytes() == b"x"
    assert (tmp_path / "tree" / "run.sh").stat().st_mode & 0o7777 == 0o755


def test_a_zip_is_unpacked_by_the_same_rules(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a-1.zip", "w") as archive:
        archive.writestr("a-1/setup.py", "x")
    sdist.unpack(tmp_path / "a-1.zip", tmp_path / "tree")
    assert (tmp_path / "tree" / "setup.py").read_text() == "x"
    with zipfile.ZipFile(tmp_path / "b-1.zip", "w") as archive:
        archive.writestr("../out.py", "x")
    with pytest.raises(SourceError):
        sdist.unpack(tmp_path / "b-1.zip", tmp_path / "other")


def test_a_broken_or_huge_archive_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a-1.tar.gz").write_bytes(b"not an archive")
    with pytest.raises(SourceError):
        sdist.unpack(tmp_path / "a-1.tar.gz", tmp_path / "tree")
    monkeypatch.setattr(sdist, "LARGEST_TREE", 1000)
    with pytest.raises(SourceError):
        sdist.unpack(sdist_of({"x": b"0" * 2000}, tmp_path / "b-1.tar.gz"), tmp_path / "tree")
    assert not (tmp_path / "tree").exists()


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package index in a folder, as the only one pip would ask."""
    folder = tmp_path / "simple"
    folder.mkdir()
    for name in [name for name in os.environ if name.startswith("PIP_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_INDEX_URL", folder.as_uri())
    return folder


def publish(index: Path, name: str, *files: tuple[str, str]) -> None:
    folder = index / name
    folder.mkdir(exist_ok=True)
    links = "".join(f'<a href="{file}{fragment}">{file}</a>' for file, fragment in files)
    (folder / "index.html").write_text(f"<!DOCTYPE html><html><body>{links}</body></html>")


def test_a_distribution_is_downloaded_and_checked(index: Path, tmp_path: Path) -> None:
    (index / "some-ops").mkdir()
    path = sdist_of({"setup.py": b"import torch\r\n"}, index / "some-ops" / "some_ops-1.0.tar.gz")
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    publish(
        index,
        "some-ops",
        ("some_ops-0.9.tar.gz", ""),
        ("some_ops-1.0.tar.gz", f"#sha256={digest}"),
        ("some_ops-1.1rc1.tar.gz", ""),
        ("some_ops-2.0-py3-none-any.whl", ""),
    )
    for text in ("pypi:some-ops==1.0", "pypi:some.ops"):
        got = fetch(parse(text), tmp_path / "run")
        assert (got.version, got.sha256) == ("1.0", digest)
        assert (got.base / "setup.py").read_bytes() == b"import torch\r\n"


def test_a_changed_file_is_refused(index: Path, tmp_path: Path) -> None:
    (index / "ops").mkdir()
    sdist_of({"setup.py": b""}, index / "ops" / "ops-1.0.tar.gz")
    publish(index, "ops", ("ops-1.0.tar.gz", "#sha256=" + "0" * 64))
    with pytest.raises(SourceError, match="sha256"):
        fetch(parse("pypi:ops==1.0"), tmp_path / "run")


def test_an_unknown_name_version_or_a_wheel_only_release_is_said(
    index: Path, tmp_path: Path
) -> None:
    publish(index, "ops", ("ops-1.0.tar.gz", ""), ("ops-2.0-py3-none-any.whl", ""))
    with pytest.raises(SourceError, match="nothing"):
        fetch(parse("pypi:nothing"), tmp_path / "run")
    with pytest.raises(SourceError) as version:
        fetch(parse("pypi:ops==3.0"), tmp_path / "run")
    assert "1.0" in version.value.hint
    with pytest.raises(SourceError, match="wheel"):
        fetch(parse("pypi:ops==2.0"), tmp_path / "run")


def test_an_index_that_cannot_be_reached_is_a_network_error(
    index: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PIP_INDEX_URL", "http://me:secret@127.0.0.1:9/simple")
    with pytest.raises(NetworkError) as caught:
        fetch(parse("pypi:ops==1.0"), tmp_path / "run")
    assert "secret" not in str(caught.value)
    assert caught.value.hint


def test_find_links_are_read_too(
    index: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    links = tmp_path / "links"
    links.mkdir()
    sdist_of({"setup.py": b""}, links / "ops-1.0.tar.gz")
    monkeypatch.setenv("PIP_FIND_LINKS", str(links))
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    assert fetch(parse("pypi:ops"), tmp_path / "run").version == "1.0"
