"""The command line: typed flags to one library call, its result to the console, an exit code."""

from __future__ import annotations

import errno
import gc
import os
import shlex
import shutil
import signal
import sys
from types import FrameType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from porter.errors import PorterError

_ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)  # Ctrl-C, shutdown, terminal closed
# New ones before cycles are sought: most of what modules and rules are made of stays.
OBJECTS = 200_000
_OF_DISK = {errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EACCES, errno.EPERM, errno.EIO}


class _Ended(BaseException):
    """A signal that asks porter to end, and its builds with it; no parser turns it into text."""

    def __init__(self, number: int) -> None:
        self.exit_code = 128 + number


def main() -> None:
    """Run porter; the one place that turns errors into exit codes."""
    try:
        for number in _ENDING:  # first: what is imported next takes time
            signal.signal(number, _end)
        gc.set_threshold(OBJECTS)
        code = run()
    except _Ended as error:
        again = shlex.join(["porter", *(word for word in sys.argv[1:] if word != "--fresh")])
        print_error("interrupted", f"finished stages are kept; to continue: {again}")
        code = error.exit_code
    gc.freeze()  # or Python looks at all objects once more, as it ends
    sys.exit(code)


def run() -> int:
    """Run the command of `sys.argv`, and give its exit code; prints what went wrong."""
    from porter.cli import completion

    before = completion.join_words(os.environ)
    return _complete(before) if before else _run()


def _complete(before: str) -> int:
    """Answer bash, which asks for the rest of a word."""
    import contextlib
    import io

    from porter.console import Console

    answer = io.StringIO()
    with contextlib.redirect_stdout(answer), contextlib.suppress(SystemExit):  # as typer ends it
        _run()
    Console().write("\n".join(x.removeprefix(before) for x in answer.getvalue().splitlines()))
    return 0


def _run() -> int:
    from porter.cli.app import app
    from porter.errors import ExitCode, PorterError

    try:
        return int(app(prog_name="porter", standalone_mode=False) or 0)
    except PorterError as error:
        return _report(error)
    except BrokenPipeError:  # the reader of a pipe went away
        return ExitCode.CLEAN
    except Exception as error:
        code = _exit_of_click(error)
        if code is None:
            code = _exit_of_disk(error)
        return _crash(error) if code is None else code


def print_error(message: str, hint: str = "", anchor: str = "") -> None:
    """Say what went wrong on stderr and, where a document was asked for, in one on stdout."""
    from porter.console import Console
    from porter.host.home import page

    Console().error(message, hint, f"{page('reference/errors.md')}#{anchor}" if anchor else "")
    _document(message, hint)


def _document(message: str, hint: str) -> None:
    if not _wants_json(sys.argv[1:]):
        return
    import json

    import porter
    from porter.console import Console

    problem = {"message": message, "hint": hint}
    Console().write(json.dumps({"porter_version": porter.__version__, "error": problem}))


def _wants_json(arguments: list[str]) -> bool:
    """Whether a command asks for JSON; its options may be what could not be parsed."""
    import itertools

    pairs = itertools.pairwise(arguments)
    return (
        "--json" in arguments
        or "--format=json" in arguments
        or any(pair in (("--format", "json"), ("-f", "json")) for pair in pairs)
    )


def _end(number: int, frame: FrameType | None) -> None:
    raise _Ended(number)


def _report(error: PorterError) -> int:
    print_error(str(error), error.hint, error.anchor)
    return error.exit_code


def _exit_of_click(error: Exception) -> int | None:
    """Usage errors of the command line parser are shown as porter's own, and exit with 2."""
    code = getattr(error, "exit_code", None)
    if code is None:
        return None
    if type(error).__name__ == "NoArgsIsHelpError":
        error.show()  # type: ignore[attr-defined]
    elif hasattr(error, "format_message"):
        said = error.format_message().rstrip(".").replace(": Value error, ", ": ", 1)
        context = getattr(error, "ctx", None)
        command = context.command_path if context is not None else "porter"
        print_error(said[:1].lower() + said[1:], f"see `{command} --help`", "usage")
    return int(code)


def _exit_of_disk(error: Exception) -> int | None:
    """A full or read-only disk is no defect; what was finished is kept."""
    from porter.errors import ExitCode

    said = _disk_problem(error)
    if said is None:
        return None
    hint = "free some space, or set PORTER_HOME to a writable folder; then run it again"
    print_error(said, hint, "environment")
    return ExitCode.ENVIRONMENT


def _disk_problem(error: Exception) -> str | None:
    """What an error says of the disk; None where it is about something else."""
    if isinstance(error, shutil.Error) and error.args and isinstance(error.args[0], list):
        said = str(error.args[0][0][-1])  # of copying a folder: one problem a file
        return said if any(os.strerror(number) in said for number in _OF_DISK) else None
    if isinstance(error, OSError) and error.errno in _OF_DISK:
        return f"{error.strerror}: {error.filename}" if error.filename else str(error.strerror)
    return None


def _crash(error: Exception) -> int:
    """A defect of porter: keep what is known in a file, and say where it is."""
    import platform
    import time
    import traceback

    import porter
    from porter.errors import ExitCode
    from porter.host.home import porter_home

    text = "".join(traceback.format_exception(error))
    folder = porter_home() / "crashes"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{time.strftime('%Y%m%d-%H%M%S')}.txt"
        about = f"porter {porter.__version__}, Python {platform.python_version()}\n{sys.argv}\n\n"
        path.write_text(about + text)
        where = f"report it with {path}"
    except OSError:
        where = "report it with this:\n" + text
    print_error(f"internal error: {type(error).__name__}: {error}", where, "defect")
    return ExitCode.DEFECT
