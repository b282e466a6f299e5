"""Git repositories whose configuration, hooks, objects or links reach for the user's."""

from __future__ import annotations

import os
import shutil
import tarfile
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path

from tests.hostile import trial
from tests.hostile.case import Case
from tests.hostile.trial import World, git, held, world

# What a repository's configuration can say, each with {run} for a program that leaves a mark.
CONFIGURATIONS = {
    "core.fsmonitor": "[core]\nfsmonitor={run}\nfsmonitorHookVersion=2\n",
    "core.hooksPath": "[core]\nhooksPath={hooks}\n",
    "core.pager": "[core]\npager={run}\n[pager]\nstatus=true\ndiff=true\nls-files=true\n",
    "core.editor": "[core]\neditor={run}\n[sequence]\neditor={run}\n",
    "core.askPass": "[core]\naskPass={run}\n",
    "core.sshCommand": "[core]\nsshCommand={run}\n[remote \"origin\"]\nurl=ssh://x/y\n",
    "core.gitProxy": "[core]\ngitProxy={run}\n[remote \"origin\"]\nurl=git://x/y\n",
    "core.alternateRefsCommand": "[core]\nalternateRefsCommand={run}\n",
    "core.worktree": "[core]\nworktree={victim}\n",
    "core.worktree, relative": "[core]\nworktree=../../victim\n",
    "core.bare": "[core]\nbare=true\n",
    "core.attributesFile": "[core]\nattributesFile={attributes}\n[filter \"all\"]\nclean={run}\n",
    "core.excludesFile, a pipe": "[core]\nexcludesFile={pipe}\n",
    "filter.clean": "[filter \"evil\"]\nclean={run}\n",
    "filter.smudge": "[filter \"evil\"]\nsmudge={run}\n",
    "filter.process": "[filter \"evil\"]\nprocess={run}\nrequired=true\n",
    "filter.lfs": "[filter \"lfs\"]\nclean={run}\nsmudge={run}\nprocess={run}\n",
    "diff.external": "[diff]\nexternal={run}\n",
    "diff.command": "[diff \"evil\"]\ncommand={run}\n",
    "diff.textconv": "[diff \"evil\"]\ntextconv={run}\ncachetextconv=true\n",
    "diff.orderFile, a pipe": "[diff]\norderFile={pipe}\n",
    "merge.driver": "[merge \"evil\"]\ndriver={run} %A\n[merge]\nconflictStyle=diff3\n",
    "credential.helper": "[credential]\nhelper=!{run}\n",
    "gpg.program": "[gpg]\nprogram={run}\n[commit]\ngpgSign=true\n[user]\nsigningKey=x\n",
    "gpg.ssh.program": "[gpg]\nformat=ssh\n[gpg \"ssh\"]\nprogram={run}\n[commit]\ngpgSign=true\n",
    "uploadpack.packObjectsHook": "[uploadpack]\npackObjectsHook={run}\n",
    "include.path": "[include]\npath={included}\n",
    "include.path, a pipe": "[include]\npath={pipe}\n",
    "include.path, a device": "[include]\npath=/dev/zero\n",
    "includeIf": "[includeIf \"gitdir:/\"]\npath={included}\n",
    "url.insteadOf": "[url \"ext::{run} \"]\ninsteadOf=file://\ninsteadOf=/\n"
    "[protocol]\nallow=always\n[protocol \"ext\"]\nallow=always\n",
    "remote.vcs": "[remote \"origin\"]\nurl=x\nvcs=ext\nuploadpack={run}\n",
    "submodule.update": "[submodule \"s\"]\nactive=true\nurl=/\nupdate=!{run}\n",
    "extensions.worktreeConfig": "[core]\nrepositoryformatversion=1\n"
    "[extensions]\nworktreeConfig=true\n",
    "extensions.partialClone": "[core]\nrepositoryformatversion=1\n"
    "[extensions]\npartialClone=origin\n[protocol \"ext\"]\nallow=always\n"
    "[remote \"origin\"]\nurl=ext::{run} x\npromisor=true\n",
    "an unknown extension": "[core]\nrepositoryformatversion=1\n[extensions]\nevil=true\n",
    "trace2": "[trace2]\nnormalTarget={victim}/trace\neventTarget={victim}/trace\n",
    "alias": "[alias]\nstatus=!{run}\nam=!{run}\nls-files=!{run}\nfetch=!{run}\n",
    "am.keepcr, notes.rewriteRef": "[am]\nkeepcr=true\n[notes]\nrewriteRef=refs/notes/*\n",
    "safe.directory": "[safe]\ndirectory=*\nbareRepository=all\n",
    "a syntax error": "[core\nfsmonitor={run}\n",
    "a million lines": "[evil]\n" + "x=1\n" * 300_000,
}  # fmt: skip
BROKEN = ("a syntax error", "a million lines")  # no configuration: such a clone is refused
HOOKS = (
    *("applypatch-msg", "pre-applypatch", "post-applypatch", "pre-commit", "prepare-commit-msg"),
    *("commit-msg", "post-commit", "post-checkout", "post-merge", "pre-auto-gc", "post-rewrite"),
    *("reference-transaction", "post-index-change", "fsmonitor-watchman", "pre-receive"),
)


def configure(made: World, own: Path, name: str) -> None:
    """Write one of the configurations, and all that it may need, into a `.git`."""
    hooks = made.folder / "hooks"
    hooks.mkdir(exist_ok=True)
    for folder in (hooks, own / "hooks"):
        folder.mkdir(exist_ok=True)
        for hook in HOOKS:
            shutil.copy(made.program, folder / hook)
    pipe = made.folder / "pipe"
    if not pipe.exists():
        os.mkfifo(pipe)
    (made.folder / "attributes").write_text("* filter=all\n")
    inner = CONFIGURATIONS["core.fsmonitor"] + CONFIGURATIONS["diff.external"]
    inner += CONFIGURATIONS["filter.clean"]
    (made.folder / "included").write_text(inner.replace("{run}", str(made.program)))
    values = {
        **{"run": made.program, "victim": made.victim, "hooks": hooks, "pipe": pipe},
        **{"attributes": made.folder / "attributes", "included": made.folder / "included"},
    }
    text = CONFIGURATIONS[name]
    for key, value in values.items():
        text = text.replace(f"{{{key}}}", str(value))
    with (own / "config").open("a") as file:
        file.write(text)
    if name == "extensions.worktreeConfig":
        shutil.copyfile(made.folder / "included", own / "config.worktree")
    (own / "info").mkdir(exist_ok=True)
    (own / "info" / "attributes").write_text("* filter=evil diff=evil merge=evil\n")


def hostile(made: World, name: str = "hostile") -> Path:
    """A repository with a file that differs from the index, so that git looks at it."""
    repo = trial.copy_repository(made.folder / name)
    (repo / "data.txt").write_text("other\n")
    return repo


def pack(made: World, tree: Path) -> dict[str, str]:
    """An sdist with everything in a folder, `.git` as well; the settings to get it."""
    archive = made.folder / "ops-1.0.tar.gz"
    with tarfile.open(archive, "w:gz", compresslevel=1) as tarred:
        tarred.add(tree, "ops-1.0")
    return trial.publish(made.folder, archive)


def from_archive(made: World, tree: Path) -> str | None:
    """Port an sdist of a folder, which must succeed: its `.git` is left out."""
    settings = pack(made, tree)

    def attempt() -> None:
        if not trial.attempt_in(settings, trial.port, "pypi:ops", made.folder):
            raise AssertionError("there is no patch")

    return held(made, attempt, must=True)


# -------------------------------------------------------------- configurations


def _configured_archive(name: str, folder: Path) -> str | None:
    made = world(folder)
    repo = hostile(made)
    configure(made, repo / ".git", name)
    return from_archive(made, repo)


def _configured_clone(name: str, folder: Path) -> str | None:
    made = world(folder)
    repo = hostile(made)
    configure(made, repo / ".git", name)
    return held(made, lambda: trial.port(str(repo), folder), repo, must=name not in BROKEN)


def _configured_ref(name: str, folder: Path) -> str | None:
    made = world(folder)
    repo = hostile(made)
    configure(made, repo / ".git", name)
    attempt = partial(trial.port, f"{repo}@main", folder)
    return held(made, attempt, repo, must=name not in BROKEN)


def _configured_branch(name: str, folder: Path) -> str | None:
    """The patch of a clean copy put on a branch of the hostile clone, which stays else as it is."""
    made = world(folder)
    repo = trial.copy_repository(made.folder / "hostile")
    series = _series(made)
    configure(made, repo / ".git", name)
    before = _without_branch(repo)
    lost = held(made, lambda: trial.apply(repo, series), must=name not in BROKEN)
    return lost or (None if _without_branch(repo) == before else "the clone changed")


def _series(made: World) -> tuple[Path, ...]:
    clean = trial.copy_repository(made.folder / "clean")
    found: list[tuple[Path, ...]] = []
    trial.attempted(made.folder, lambda: found.append(trial.port(str(clean), made.folder)))
    return found[0]


def _without_branch(repo: Path) -> dict[str, str]:
    new = (".git/objects/", ".git/refs/heads/porter")
    return {name: kind for name, kind in trial.state(repo).items() if not name.startswith(new)}


# ------------------------------------------------------------------ structures


def _skipped_entries(made: World, repo: Path) -> None:
    """The work tree is the user's, and one file of it need not be looked at."""
    git(repo, "update-index", "--skip-worktree", "data.txt")
    with (repo / ".git" / "config").open("a") as file:
        file.write(f"[core]\nworktree={made.victim}\n")


def _common_folder(made: World, repo: Path) -> None:
    for name in ("objects", "refs", "config"):
        path = repo / ".git" / name
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    (repo / ".git" / "commondir").write_text(f"{made.victim}/.git\n")


def _git_file(made: World, repo: Path) -> None:
    shutil.rmtree(repo / ".git")
    (repo / ".git").write_text(f"gitdir: {made.victim}/.git\n")


def _git_file_to_nothing(made: World, repo: Path) -> None:
    shutil.rmtree(repo / ".git")
    (repo / ".git").write_text("gitdir: /nowhere/at/all\n")


def _git_file_of_garbage(made: World, repo: Path) -> None:
    shutil.rmtree(repo / ".git")
    (repo / ".git").write_bytes(b"\0\xff" * 1000)


def _git_link(made: World, repo: Path) -> None:
    shutil.rmtree(repo / ".git")
    (repo / ".git").symlink_to(made.victim / ".git")


def _git_pipe(made: World, repo: Path) -> None:
    shutil.rmtree(repo / ".git")
    os.mkfifo(repo / ".git")


def _linked(part: str, made: World, repo: Path) -> None:
    path = repo / ".git" / part
    if path.is_dir():
        shutil.rmtree(path)
    path.unlink(missing_ok=True)
    path.symlink_to(made.victim / ".git" / part)


def _piped(part: str, made: World, repo: Path) -> None:
    path = repo / ".git" / part
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    os.mkfifo(path)


def _filled(part: str, data: bytes, made: World, repo: Path) -> None:
    path = repo / ".git" / part
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data.replace(b"{victim}", bytes(made.victim)))


def _sparse(part: str, made: World, repo: Path) -> None:
    (repo / ".git" / part).parent.mkdir(parents=True, exist_ok=True)
    with (repo / ".git" / part).open("wb") as file:
        file.truncate(1 << 40)


def _missing_object(remote: str, made: World, repo: Path) -> None:
    """The commit at HEAD is not there: git would ask the promised remote for it."""
    at = git(repo, "rev-parse", "HEAD").strip()
    (repo / ".git" / "objects" / at[:2] / at[2:]).unlink()
    settings = (
        "[core]\nrepositoryformatversion=1\ngitProxy={run}\nsshCommand={run}\n"
        "[extensions]\npartialClone=origin\n[protocol \"ext\"]\nallow=always\n"
        f"[remote \"origin\"]\nurl={remote}\npromisor=true\npartialclonefilter=blob:none\n"
    )  # fmt: skip
    with (repo / ".git" / "config").open("a") as file:
        file.write(settings.replace("{run}", str(made.program)))


def _missing_file(made: World, repo: Path) -> None:
    at = git(repo, "rev-parse", "HEAD:setup.py").strip()
    (repo / ".git" / "objects" / at[:2] / at[2:]).unlink()
    with (repo / ".git" / "config").open("a") as file:
        file.write(
            "[core]\nrepositoryformatversion=1\n[extensions]\npartialClone=origin\n"
            "[protocol \"ext\"]\nallow=always\n"
            f"[remote \"origin\"]\nurl=ext::{made.program} x\npromisor=true\n"
        )  # fmt: skip


def _changed_object(made: World, repo: Path) -> None:
    """An object whose content is not what its name says."""
    old, new = (git(repo, "rev-parse", f"HEAD:{name}").strip() for name in ("setup.py", "data.txt"))
    target = repo / ".git" / "objects" / old[:2] / old[2:]
    target.chmod(0o644)
    shutil.copyfile(repo / ".git" / "objects" / new[:2] / new[2:], target)


def _inner(made: World, repo: Path) -> Path:
    """A repository within the repository, whose configuration runs a program."""
    inner = trial.copy_repository(repo / "vendor" / "inner")
    (inner / "data.txt").write_text("other\n")
    for name in ("core.fsmonitor", "filter.clean", "diff.external"):
        configure(made, inner / ".git", name)
    return inner


def _nested(made: World, repo: Path) -> None:
    _inner(made, repo)


def _submodule(update: str, made: World, repo: Path) -> None:
    """A tracked submodule, checked out, which git would ask for its state."""
    inner = _inner(made, repo)
    at = git(inner, "rev-parse", "HEAD").strip()
    (repo / ".gitmodules").write_text(
        f'[submodule "vendor/inner"]\npath=vendor/inner\nignore=none\n{update}\n'
    )
    git(repo, "update-index", "--add", "--cacheinfo", f"160000,{at},vendor/inner")
    git(repo, "add", ".gitmodules")
    git(repo, "commit", "-q", "-m", "submodule")


def _modules_link(made: World, repo: Path) -> None:
    (repo / ".gitmodules").symlink_to(made.victim / "setup.py")


def _named(name: str, made: World, repo: Path) -> None:
    """The whole `.git` under a name that another file system would take for it."""
    _skipped_entries(made, repo)
    (repo / ".git").rename(repo / name)


def _named_deep(name: str, made: World, repo: Path) -> None:
    inner = _inner(made, repo)
    (inner / ".git").rename(inner / name)


def _replaced(made: World, repo: Path) -> None:
    at = git(repo, "rev-parse", "HEAD").strip()
    other = git(repo, "commit-tree", "-m", "other", f"{at}^{{tree}}").strip()
    git(repo, "replace", at, other)


VARIANTS = (".GIT", ".Git", ".giT", "git~1", "GIT~1", ".git ", ".git.", ".git. .", ".git::$DATA",
            ".g\u200cit", ".git\ufeff", "\u200e.git")  # fmt: skip
STRUCTURES: dict[str, Callable[[World, Path], None]] = {
    "core.worktree and skip-worktree": _skipped_entries,
    "HEAD and commondir": _common_folder,
    "a .git file to the user's repository": _git_file,
    "a .git file to nothing": _git_file_to_nothing,
    "a .git file of garbage": _git_file_of_garbage,
    "a .git link to the user's repository": _git_link,
    "a .git pipe": _git_pipe,
    **{
        f".git/{part} is a link to the user's": partial(_linked, part)
        for part in ("HEAD", "index", "objects", "refs", "config", "refs/heads/main", "logs")
    },
    **{
        f".git/{part} is a pipe": partial(_piped, part)
        for part in ("HEAD", "index", "packed-refs", "config", "refs/heads/main", "shallow",
                     "objects/info/alternates", "info/exclude", "commondir", "refs/heads/other",
                     "objects/pack/pack-1.idx", "info/grafts", "info/sparse-checkout")
    },
    **{
        f".git/{part} is garbage": partial(_filled, part, b"\0\xff{victim}\n" * 1000)
        for part in ("HEAD", "index", "packed-refs", "config", "refs/heads/main", "shallow",
                     "objects/info/alternates", "info/exclude", "commondir", "info/grafts",
                     "objects/info/commit-graph", "objects/pack/multi-pack-index")
    },
    **{
        f".git/{part} of a terabyte": partial(_sparse, part)
        for part in ("HEAD", "index", "config", "info/exclude")
    },
    "HEAD outside of refs": partial(_filled, "HEAD", b"ref: ../../victim/.git/refs/heads/main\n"),
    "an index of 4 billion entries": partial(_filled, "index", b"DIRC\0\0\0\2\xff\xff\xff\xff"),
    "alternates to the user's objects": partial(
        _filled, "objects/info/alternates", b"{victim}/.git/objects\n"
    ),
    "alternates to themselves": partial(_filled, "objects/info/alternates", b".\n../objects\n"),
    "a graft": partial(_filled, "info/grafts", b"0" * 40 + b" " + b"1" * 40 + b"\n"),
    "replaced commits": _replaced,
    "an object of other content": _changed_object,
    "a missing file, promised by ext::": _missing_file,
    **{
        f"a missing commit, promised by {remote.partition(':')[0]}": partial(
            _missing_object, remote
        )
        for remote in ("ext::{run} x", "git://localhost/x", "ssh://localhost/x", "fd::17/x")
    },
    "a repository within": _nested,
    "a submodule that runs a program on update": partial(_submodule, "url=./x\nupdate=!false"),
    "a submodule with a URL that is a command": partial(_submodule, "url=ext::sh -c false"),
    "a submodule with a URL that is an option": partial(_submodule, "url=--upload-pack=false"),
    "a link as .gitmodules": _modules_link,
    **{f"the name {name!a}": partial(_named, name) for name in VARIANTS},
    **{f"the name {name!a}, deeper": partial(_named_deep, name) for name in VARIANTS},
}  # fmt: skip


def _structured(structure: Callable[[World, Path], None], way: str, folder: Path) -> str | None:
    made = world(folder)
    if way != "branch":
        repo = hostile(made)
        structure(made, repo)
        made.mark.unlink(missing_ok=True)  # by git, while it was made
        if way == "archive":
            return from_archive(made, repo)
        return held(made, lambda: trial.port(str(repo) + ("@main" if way == "ref" else ""), folder))
    series = _series(made)
    repo = trial.copy_repository(made.folder / "hostile")
    structure(made, repo)
    made.mark.unlink(missing_ok=True)
    return held(made, lambda: trial.apply(repo, series))


# ----------------------------------------------------------------- environment

VARIABLES = {
    "GIT_DIR": "{victim}/.git",
    "GIT_WORK_TREE": "{victim}",
    "GIT_INDEX_FILE": "{victim}/.git/index",
    "GIT_OBJECT_DIRECTORY": "{victim}/.git/objects",
    "GIT_COMMON_DIR": "{victim}/.git",
    "GIT_NAMESPACE": "evil",
    "GIT_EXTERNAL_DIFF": "{run}",
    "GIT_CONFIG_PARAMETERS": "'diff.external={run}'",
    "GIT_PAGER": "{run}",
    "GIT_EDITOR": "{run}",
    "GIT_SEQUENCE_EDITOR": "{run}",
    "GIT_TRACE": "{victim}/trace",
    "GIT_TRACE2_EVENT": "{victim}/trace",
    "GIT_TEMPLATE_DIR": "{folder}/template",
    "GIT_REPLACE_REF_BASE": "refs/evil/",
    "GIT_LITERAL_PATHSPECS": "1",
    "GIT_DEFAULT_HASH": "sha256",
    "GIT_ALLOW_PROTOCOL": "ext",
    "GIT_CEILING_DIRECTORIES": "/",
    "GIT_SHALLOW_FILE": "{victim}/.git/shallow",
}


def _in_environment(name: str, folder: Path) -> str | None:
    """What a shell or a hook has set for another repository stays out of porter's git."""
    made = world(folder)
    repo = hostile(made)
    hooks = folder / "template" / "hooks"
    hooks.mkdir(parents=True)
    (hooks / "post-checkout").symlink_to(made.program)
    value = VARIABLES[name]
    for key, place in (("victim", made.victim), ("run", made.program), ("folder", folder)):
        value = value.replace(f"{{{key}}}", str(place))

    def attempt() -> None:
        if not trial.attempt_in({name: value}, trial.port, str(repo), folder):
            raise AssertionError("there is no patch")

    return held(made, attempt, repo, must=True)


# ----------------------------------------------------------------- between


def _edited_later(folder: Path) -> str | None:
    """An archive whose work tree is the user's, and what the user does before the next command."""
    made = world(folder)
    repo = hostile(made)
    _skipped_entries(made, repo)
    settings = pack(made, repo)
    later = {"data.txt": b"a later edit\n", "later.txt": b"a later file\n"}

    def attempt() -> None:
        trial.attempt_in(
            settings, trial.port, "pypi:ops", folder, lambda tree: trial.write(made.victim, later)
        )

    lost = trial.attempted(folder, attempt)
    gone = [n for n, data in later.items() if trial.read(made.victim / n) != data]
    return f"the user's work is lost: {', '.join(gone)}" if gone else lost


def _tampered(structure: Callable[[World, Path], None], folder: Path) -> str | None:
    """A build writes into the run's own `.git` what an archive could have brought."""
    made = world(folder)
    repo = hostile(made)
    return held(made, lambda: trial.port(str(repo), folder, lambda tree: structure(made, tree)))


TAMPERED = (
    *("core.worktree and skip-worktree", "HEAD and commondir"),
    *("a .git file to the user's repository", "a .git link to the user's repository"),
    *(f".git/{part} is a link to the user's" for part in ("HEAD", "index", "objects", "refs")),
    *(".git/config is garbage", ".git/commondir is garbage", ".git/config is a link to the user's"),
)


# ----------------------------------------------------------------- commands


def _commands(plant: Callable[[World, Path], None], archive: bool, folder: Path) -> str | None:
    """analyze, migrate and `patch --apply` as a user types them."""
    made = world(folder)
    repo = hostile(made)
    plant(made, repo)
    source, settings = ("pypi:ops", pack(made, repo)) if archive else (str(repo), {})

    def attempt() -> None:
        for command in (["analyze", source], ["migrate", source, "--no-compiler"]):
            trial.command(settings, *command)
        trial.command(settings, "patch", source, "--apply", "--repo", str(repo))

    return held(made, attempt)


def _configured(name: str) -> Callable[[World, Path], None]:
    return lambda made, repo: configure(made, repo / ".git", name)


# --------------------------------------------------------------------- cases


def cases() -> Iterator[Case]:
    """Every way in: an archive, a clone, a ref of a clone, a branch put into a clone."""
    ways: Iterable[tuple[str, Callable[[str, Path], str | None]]] = (
        ("an archive", _configured_archive),
        ("a clone", _configured_clone),
        ("a ref of a clone", _configured_ref),
        ("a branch in a clone", _configured_branch),
    )
    for way, attempt in ways:
        for name in CONFIGURATIONS:
            quick = (way, name) in QUICK
            yield Case(
                group=f"git configuration of {way}",
                name=name,
                run=partial(attempt, name),
                quick=quick,
            )
    for way in ("archive", "clone", "ref", "branch"):
        for name, structure in STRUCTURES.items():
            if way == "archive" and name.endswith("of a terabyte"):
                continue  # nobody can pack it
            yield Case(
                group=f"git folder of another form, {way}",
                name=name,
                run=partial(_structured, structure, way),
                quick=(way, name) in QUICK_STRUCTURES,
            )
    for name in VARIABLES:
        yield Case(
            group="git variables of the environment",
            name=name,
            run=partial(_in_environment, name),
            quick=name in ("GIT_DIR", "GIT_EXTERNAL_DIFF", "GIT_INDEX_FILE"),
        )
    yield Case(
        group="git folder of another form, archive",
        name="core.worktree, and the user goes on",
        run=_edited_later,
        quick=True,
    )
    for name in TAMPERED:
        yield Case(
            group="a run's git folder, changed by its build",
            name=name,
            run=partial(_tampered, STRUCTURES[name]),
            quick=name in QUICK_TAMPERED,
        )
    for name in CONFIGURATIONS:
        yield Case(
            group="a run's git folder, changed by its build",
            name=f"configuration: {name}",
            run=partial(_tampered, _configured(name)),
        )
    plants = {name: _configured(name) for name in ("core.fsmonitor", "diff.external")} | {
        name: STRUCTURES[name]
        for name in ("core.worktree and skip-worktree", "HEAD and commondir",
                     "a missing commit, promised by ext")
    }  # fmt: skip
    for name, plant in plants.items():
        for archive in (True, False):
            yield Case(
                group="git, by the commands",
                name=f"{name}, {'archive' if archive else 'clone'}",
                run=partial(_commands, plant, archive),
            )


QUICK = {
    *(("a clone", name) for name in ("core.fsmonitor", "core.worktree", "core.attributesFile")),
    *(("a clone", name) for name in ("filter.clean", "filter.process", "diff.external")),
    *(("a clone", name) for name in ("core.excludesFile, a pipe", "include.path, a device")),
    *(("a clone", name) for name in ("extensions.worktreeConfig", "extensions.partialClone")),
    *(("a clone", name) for name in ("url.insteadOf", "an unknown extension")),
    *(("an archive", name) for name in ("diff.external", "core.worktree")),
    *(("a branch in a clone", name) for name in ("core.fsmonitor", "filter.clean", "gpg.program")),
}
QUICK_TAMPERED = ("core.worktree and skip-worktree", ".git/index is a link to the user's")
QUICK_STRUCTURES = {
    *(("archive", name) for name in ("HEAD and commondir", "a .git file of garbage")),
    *(("archive", name) for name in ("core.worktree and skip-worktree", "the name '.GIT'")),
    *(("archive", name) for name in ("a repository within", "a link as .gitmodules")),
    ("clone", "a missing commit, promised by ext"),
    ("branch", "a .git file to the user's repository"),
}
