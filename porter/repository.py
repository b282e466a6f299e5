"""Run git on repositories nobody trusts yet: no hooks, filters, prompts or odd protocols."""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Mapping
from pathlib import Path

from porter.errors import EnvironmentFailed, ExitCode, NetworkError, PorterError, SourceError

BASE_REF = "refs/porter/base"  # the commit a run's patches stand on
AUTHOR = "porter"
EMAIL = "porter@localhost"
STEADY = "* -text !eol -ident -filter !working-tree-encoding !diff !merge\n"  # files = blobs

_CONFIG = (
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "core.autocrlf=false",
    "core.askPass=",
    "core.quotePath=false",
    "core.longPaths=true",
    "protocol.allow=never",
    "protocol.https.allow=always",
    "protocol.http.allow=always",
    "protocol.ssh.allow=always",
    "protocol.git.allow=always",
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
    """Run one git command in `folder` and give its output.

    The user's own configuration (proxies, credentials, URL rewrites, trusted folders) is
    read only with `user_config`, for networks and in the user's own clones; `local` allows
    the file protocol. Raises GitFailed, and EnvironmentFailed where there is no git.
    """
    try:
        from git.cmd import Git
        from git.exc import GitCommandError, GitCommandNotFound
    except ImportError as error:
        raise EnvironmentFailed("git was not found", hint="install git, then try again") from error
    config = [*_CONFIG, f"protocol.file.allow={'always' if local else 'never'}"]
    command = ["git", *(part for item in config for part in ("-c", item)), *arguments]
    try:
        result: bytes = Git(str(folder)).execute(
            command,
            env={**_environment(user_config), **(environment or {})},
            stdout_as_string=False,
            strip_newline_in_stdout=False,
        )
    except GitCommandNotFound as error:
        raise EnvironmentFailed("git cannot be run", hint="install git, then try again") from error
    except GitCommandError as error:
        said = _said(str(error.stderr))
        if isinstance(error.status, int) and error.status < 0:  # no answer, not even "no"
            raise EnvironmentFailed(
                f"git {arguments[0]} was ended by signal {-error.status}", hint="try again"
            ) from error
        if os.strerror(errno.ENOSPC) in said:
            raise EnvironmentFailed(said, hint="free some space, then try again") from error
        raise GitFailed(arguments[0], said) from error
    return result


def _environment(user_config: bool) -> dict[str, str]:
    quiet = {
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_ASKPASS": "true",
        "SSH_ASKPASS": "true",
        "SSH_ASKPASS_REQUIRE": "never",
        "GIT_LFS_SKIP_SMUDGE": "1",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_SSH_COMMAND": os.environ.get("GIT_SSH_COMMAND", "ssh")
        + " -o BatchMode=yes -o ConnectTimeout=20",
    }
    if not user_config:
        quiet |= {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    return quiet


def _said(stderr: str) -> str:
    text = re.sub(r"^\s*stderr: '(.*)'\s*$", r"\1", stderr, flags=re.DOTALL)
    lines = [shown(line.strip()) for line in text.splitlines() if line.strip()]
    return "\n".join(lines[-4:])


def shown(text: str) -> str:
    """A text without the passwords and tokens of the URLs in it."""
    return re.sub(r"(\w+://)(?!git@)[^/@\s]+@", r"\1", text)


def as_porter_error(error: GitFailed, url: str) -> PorterError:
    """What a failed fetch means for the user: no network, no permission, or no such repository."""
    url, said = shown(url), str(error)
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


def initialise(tree: Path) -> None:
    """An empty repository in `tree`, without the user's templates and hooks."""
    tree.mkdir(parents=True, exist_ok=True)
    git(tree, "init", "-q", "--template=", "-b", "main")


def steady(tree: Path) -> None:
    """From now on files of the work tree are byte for byte what is committed."""
    info = tree / ".git" / "info"
    info.mkdir(parents=True, exist_ok=True)
    (info / "attributes").write_text(STEADY, encoding="utf-8")


def commit(tree: Path, message: str, date: str) -> str:
    """Commit the index as porter, and give the new commit's id."""
    who = {
        f"GIT_{role}_{key}": value
        for role in ("AUTHOR", "COMMITTER")
        for key, value in (("NAME", AUTHOR), ("EMAIL", EMAIL), ("DATE", date))
    }
    git(tree, "commit", "-q", "--allow-empty", "--no-verify", "-m", message, environment=who)
    return head(tree)


def head(tree: Path, ref: str = "HEAD", *, user_config: bool = False) -> str:
    """The commit a ref stands for. Raises GitFailed where there is none."""
    asked = ("rev-parse", "--verify", "--quiet", f"{ref}^{{commit}}")
    return git(tree, *asked, user_config=user_config).decode().strip()


def zero_separated(output: bytes) -> list[str]:
    """The items of git's `-z` output; odd bytes in paths survive as surrogates."""
    return [os.fsdecode(item) for item in output.split(b"\0") if item]


def tracked(root: Path, *, untracked: bool = False) -> tuple[str, ...] | None:
    """Paths git tracks below `root` (submodules as one path each); None where it is no clone.

    With `untracked` also those it would take: what is neither committed nor ignored.
    """
    if not (root / ".git").exists():
        return None
    try:
        more = ("--cached", "--others", "--exclude-standard") if untracked else ()
        return tuple(zero_separated(git(root, "ls-files", "-z", *more)))
    except GitFailed:
        return None


def restore(tree: Path, base: str) -> None:
    """Bring a run's own work tree back to a commit, whatever an interrupted run left."""
    clean(tree)
    git(tree, "reset", "-q", "--hard")
    git(tree, "checkout", "-q", "--force", "--detach", base)
    git(tree, "clean", "-q", "-f", "-d")


def clean(tree: Path) -> None:
    """Remove the locks and half-written objects that a killed git left in a run's own work tree."""
    for pattern in ("*.lock", "tmp_obj_*", "tmp_pack_*", "tmp_idx_*", "tmp_rev_*"):
        for path in (tree / ".git").rglob(pattern):
            path.unlink(missing_ok=True)
