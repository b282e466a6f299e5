"""Run git with the configuration that porter states: no repository's own is ever in force."""

from __future__ import annotations

import errno
import os
import re
import shlex
import shutil
from collections.abc import Mapping
from pathlib import Path

from porter.errors import EnvironmentFailed, ExitCode, NetworkError, PorterError, SourceError

BASE_REF = "refs/porter/base"  # the commit a run's patches stand on
_IGNORED = re.compile("[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]")  # by macOS, in names
AUTHOR = "porter"
EMAIL = "porter@noreply.invalid"  # of a domain that can never exist (RFC 2606)
STEADY = "* -text !eol -ident -filter !working-tree-encoding !diff !merge\n"  # files = blobs

_OLD_FAULTS = (  # of old commits in honest repositories; none of them misleads git
    *("badEmail", "badName", "badTimezone", "missingEmail", "missingNameBeforeEmail"),
    *("missingSpaceBeforeDate", "missingSpaceBeforeEmail", "missingTaggerEntry"),
    *("zeroPaddedDate", "zeroPaddedFilemode"),
)
# What `.git/config` says in a repository that porter makes, and what else it may say in a view.
CONFIG = "[core]\n\trepositoryformatversion = 0\n\tbare = false\n"
CONFIG_SHA256 = (
    CONFIG.replace("version = 0", "version = 1") + "[extensions]\n\tobjectformat = sha256\n"
)
QUICK = "[pack]\n\twindow = 0\n\tcompression = 1\n"  # a fetch from a view is not worth packing well
PLAIN = ("filemode", "ignorecase", "symlinks", "precomposeunicode", "trustctime")
_OWN = re.compile(
    r"\[core\]\n\trepositoryformatversion = [01]\n\tbare = false\n"
    rf"(?:\t(?:{'|'.join(PLAIN)}) = (?:true|false)\n)*"
    r"(?:\[extensions\]\n(?:\tobjectformat = sha256\n)?(?:\trefstorage = reftable\n)?)?"
    rf"(?:{re.escape(QUICK)})?"
)
_CONFIG = (
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "core.autocrlf=false",
    "core.askPass=",
    "core.quotePath=false",
    "core.longPaths=true",
    "core.protectHFS=true",
    "core.protectNTFS=true",
    "core.commitGraph=false",
    "core.multiPackIndex=false",
    "transfer.fsckObjects=true",
    *(f"fetch.fsck.{old}=ignore" for old in _OLD_FAULTS),
    "filter.lfs.smudge=",
    "filter.lfs.process=",
    "filter.lfs.required=false",
    "fetch.recurseSubmodules=false",
    "diff.ignoreSubmodules=all",
    "advice.detachedHead=false",
    "gc.auto=0",
    "maintenance.auto=false",
    "commit.gpgSign=false",
    "http.lowSpeedLimit=1000",
    "http.lowSpeedTime=60",
)
# Of the user's GIT_ variables these reach git: for networks, the user's own settings and name.
_PASSED = re.compile(r"GIT_(SSH|SSL|HTTP|PROXY|EXEC_PATH|AUTHOR|COMMITTER)\w*$")
_USERS = re.compile(r"GIT_CONFIG_(GLOBAL|SYSTEM|NOSYSTEM|COUNT|KEY_\d+|VALUE_\d+)$")
_OFFLINE = re.compile(
    r"could not resolve|couldn't resolve|failed to connect|couldn't connect|connection refused"
    r"|timed? ?out|network is unreachable|no route to host|connection reset|ssl|tls"
    r"|early eof|unexpected disconnect|proxy|operation too slow|name resolution",
    re.IGNORECASE,
)
_REFUSED = re.compile(
    r"authentication failed|could not read username|permission denied|terminal prompts disabled"
    r"|access denied|publickey",
    re.IGNORECASE,
)


class GitFailed(PorterError):
    """A git command that ended with an error; the text is what git said."""

    exit_code = ExitCode.ENVIRONMENT
    anchor = "git"

    def __init__(self, command: str, said: str) -> None:
        super().__init__(said or f"git {command} failed")


def git(
    folder: Path,
    *arguments: str,
    user_config: bool = False,
    local: bool = False,
    environment: Mapping[str, str] | None = None,
) -> bytes:
    """Run one git command on the repository that porter made in `folder`, and give its output.

    Other repositories are read through `view.opened`. The user's own configuration (proxies,
    credentials, URL rewrites) is read only with `user_config`, for networks and names; `local`
    allows the file protocol. Raises GitFailed, and EnvironmentFailed where there is no git.
    """
    _require_own(folder)
    program = shutil.which("git")
    try:
        from git.cmd import Git
        from git.exc import GitCommandError, GitCommandNotFound
    except ImportError:
        program = None
    if program is None:
        raise EnvironmentFailed("git was not found", hint="install git, then try again")
    keep = (_PASSED, _USERS) if user_config else (_PASSED,)
    stated = {**_make_environment(folder, user_config, local), **(environment or {})}
    dropped = [
        name for name in os.environ
        if name.startswith("GIT_") and name not in stated and not any(k.match(name) for k in keep)
    ]  # fmt: skip
    command = [
        *("env", *(part for name in dropped for part in ("-u", name))),
        str(Path(program).absolute()),
        *(part for item in _CONFIG for part in ("-c", item)),
        *arguments,
    ]
    try:
        result: bytes = Git(str(folder)).execute(
            command, env=stated, stdout_as_string=False, strip_newline_in_stdout=False
        )
    except GitCommandNotFound as error:
        raise EnvironmentFailed("git cannot be run", hint="install git, then try again") from error
    except GitCommandError as error:
        said = _clean_message(str(error.stderr))
        if isinstance(error.status, int) and error.status < 0:  # no answer, not even "no"
            raise EnvironmentFailed(
                f"git {arguments[0]} was ended by signal {-error.status}", hint="try again"
            ) from error
        if os.strerror(errno.ENOSPC) in said:
            raise EnvironmentFailed(said, hint="free some space, then try again") from error
        raise GitFailed(arguments[0], said) from error
    return result


def is_own(folder: Path) -> bool:
    """Whether a folder is the root of a repository that porter made."""
    config = folder / ".git" / "config"
    return config.exists() and bool(_OWN.fullmatch(config.read_text("utf-8", "replace")))


def _require_own(folder: Path) -> None:
    """Foreign code may have written into a run's tree, and a path may name the wrong folder."""
    if (folder / ".git" / "config").exists() and not is_own(folder):
        raise GitFailed("", f"{folder} is not a git repository created by porter")


def _make_environment(folder: Path, user_config: bool, local: bool) -> dict[str, str]:
    ssh = os.environ.get("GIT_SSH_COMMAND") or shlex.quote(os.environ.get("GIT_SSH") or "ssh")
    stated = {
        "GIT_DIR": str(folder / ".git"),
        "GIT_WORK_TREE": str(folder),
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_ASKPASS": "true",
        "SSH_ASKPASS": "true",
        "SSH_ASKPASS_REQUIRE": "never",
        "GIT_LFS_SKIP_SMUDGE": "1",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_NO_REPLACE_OBJECTS": "1",
        "GIT_ATTR_NOSYSTEM": "1",
        # In the environment: settings do not reach the git at the other end of a local fetch.
        "GIT_ALLOW_PROTOCOL": "file" if local else "https:http:ssh:git",
        "GIT_SSH_COMMAND": f"{ssh} -o BatchMode=yes -o ConnectTimeout=20",
    }
    if not user_config:
        stated |= {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    return stated


def _clean_message(stderr: str) -> str:
    text = re.sub(r"^\s*stderr: '(.*)'\s*$", r"\1", stderr, flags=re.DOTALL)
    lines = [
        mask_credentials(line.strip())
        for line in text.replace("\0", "").splitlines()
        if line.strip()
    ]
    return "\n".join(lines[-4:])


def mask_credentials(text: str) -> str:
    """A text without the passwords and tokens of the URLs in it."""
    return re.sub(r"(\w+://)(?!git@)[^/@\s]+@", r"\1", text)


def explain_failure(error: GitFailed, url: str) -> PorterError:
    """What a failed fetch means for the user: no network, no permission, or no such repository."""
    url, said = mask_credentials(url), str(error)
    if "No space left on device" in said:
        return error
    if "repository corruption" in said:
        return SourceError(
            f"{url} lacks objects that its commits need: {said}",
            hint="`git fsck` in it lists them; clone the repository again",
        )
    if _REFUSED.search(said):
        return SourceError(
            f"{url} cannot be read: {said}",
            hint="check the URL; a private repository needs credentials that git can use "
            "without asking (an ssh agent or a credential helper)",
        )
    if _OFFLINE.search(said):
        return NetworkError(
            f"{url} cannot be reached: {said}",
            hint="check the network and proxy settings, or give the path of a local clone",
        )
    return SourceError(f"no git repository at {url}: {said}", hint="check the URL for typos")


def is_git(name: str, *, link: bool = False) -> bool:
    """Whether a file system may take a name for `.git`, or a link of it for `.gitmodules`; git
    refuses to track both."""
    plain = _IGNORED.sub("", name).casefold().partition(":")[0].rstrip(" .")
    return bool(re.fullmatch(r"\.git|git~\d+", plain)) or (
        link and bool(re.fullmatch(r"\.gitmodules|gitmod~\d+", plain))
    )


def initialise(tree: Path, object_format: str = "sha1") -> None:
    """Make an empty repository in `tree`, without the user's templates and hooks."""
    if os.path.lexists(tree / ".git"):
        raise GitFailed("init", f"{tree} has a .git that porter did not create")
    tree.mkdir(parents=True, exist_ok=True)
    git(tree, "init", "-q", "--template=", "-b", "main", f"--object-format={object_format}")
    config = CONFIG if object_format == "sha1" else CONFIG_SHA256
    (tree / ".git" / "config").write_text(config, encoding="utf-8")


def tag(tree: Path, version: str) -> None:
    """Give the commit that is checked out a tag, for what asks `git describe` for a version."""
    tagger = {"GIT_COMMITTER_NAME": AUTHOR, "GIT_COMMITTER_EMAIL": EMAIL}
    git(tree, "tag", "--force", "--annotate", f"--message={version}", version, environment=tagger)


def secure(tree: Path) -> None:
    """Take back what others wrote into the `.git` that porter made: settings, links out of it.

    Raises EnvironmentFailed where it cannot be used any more.
    """
    own = tree / ".git"
    parts = ("", "config", "HEAD", "index", "info", "objects", "refs", "packed-refs", "logs")
    if not own.is_dir() or any((own / part).is_symlink() for part in parts):
        raise EnvironmentFailed(
            f"{own} was replaced by another program", hint="start again with `porter analyze`"
        )
    for name in ("commondir", "config.worktree"):
        (own / name).unlink(missing_ok=True)
    (own / "config").write_text(CONFIG, encoding="utf-8")


def steady(tree: Path) -> None:
    """From now on files of the work tree are byte for byte what is committed."""
    info = tree / ".git" / "info"
    info.mkdir(parents=True, exist_ok=True)
    (info / "attributes").write_text(STEADY, encoding="utf-8")


def user(tree: Path) -> tuple[str, str]:
    """Return name and address of the user by their own git settings, else those of porter."""
    try:
        said = git(
            tree, "-c", "user.useConfigOnly=true", "var", "GIT_AUTHOR_IDENT", user_config=True
        )
    except GitFailed:  # neither is set
        return AUTHOR, EMAIL
    name, _, rest = os.fsdecode(said).partition(" <")
    return name, rest.rpartition("> ")[0]


def commit(tree: Path, message: str, date: str, author: tuple[str, str] = (AUTHOR, EMAIL)) -> str:
    """Commit the index, and give the new commit's id."""
    who = {
        f"GIT_{role}_{key}": value
        for role in ("AUTHOR", "COMMITTER")
        for key, value in zip(("NAME", "EMAIL", "DATE"), (*author, date), strict=True)
    }
    git(tree, "commit", "-q", "--allow-empty", "--no-verify", "-m", message, environment=who)
    return head(tree)


def head(tree: Path, ref: str = "HEAD") -> str:
    """The commit a ref stands for. Raises GitFailed where there is none."""
    asked = ("rev-parse", "--verify", "--quiet", f"{ref}^{{commit}}")
    return git(tree, *asked).decode().strip()


def zero_separated(output: bytes) -> list[str]:
    """The items of git's `-z` output; odd bytes in paths survive as surrogates."""
    return [os.fsdecode(item) for item in output.split(b"\0") if item]


def restore(tree: Path, base: str) -> None:
    """Bring a run's own work tree back to a commit, whatever an interrupted run left."""
    secure(tree)
    clean(tree)
    git(tree, "reset", "-q", "--hard")
    git(tree, "checkout", "-q", "--force", "--detach", base)
    git(tree, "clean", "-q", "-f", "-d")


def clean(tree: Path) -> None:
    """Remove the locks and half-written objects that a killed git left in a run's own work tree."""
    for pattern in ("*.lock", "tmp_obj_*", "tmp_pack_*", "tmp_idx_*", "tmp_rev_*"):
        for path in (tree / ".git").rglob(pattern):
            path.unlink(missing_ok=True)
