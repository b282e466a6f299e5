"""The errors porter raises about its input and the machine, each with an exit code and a remedy."""

from __future__ import annotations

import errno
from enum import IntEnum


class ExitCode(IntEnum):
    CLEAN = 0  # nothing remains
    REMAINS = 1  # done, and something needs a person
    USAGE = 2  # wrong use
    ENVIRONMENT = 3  # the machine: network, compiler, disk, packages
    DEFECT = 4  # a defect of porter


class PorterError(Exception):
    """A problem that stops the command; `hint` says what to do, `anchor` where to read."""

    exit_code = ExitCode.USAGE
    anchor = "errors"

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint


class UsageError(PorterError):
    """The command line or a configuration file says something porter cannot take."""

    anchor = "usage"


class SourceError(PorterError):
    """The SOURCE cannot be had: unknown path, URL, ref or package, or it is empty."""

    anchor = "source"


class NetworkError(PorterError):
    """Something had to be downloaded and could not be."""

    exit_code = ExitCode.ENVIRONMENT
    anchor = "network"


class EnvironmentFailed(PorterError):
    """An interpreter, compiler, package or disk is missing or unfit."""

    exit_code = ExitCode.ENVIRONMENT
    anchor = "environment"


class RuleError(PorterError):
    """A rule, polyfill or surface folder cannot be loaded."""

    exit_code = ExitCode.DEFECT
    anchor = "rules"


def is_full(error: OSError) -> bool:
    """Whether a disk took no more, which no other input helps against."""
    return error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EROFS)
