"""How the process of a step ended, in words."""

from __future__ import annotations

import signal

from porter.model import StepResult

STOPPED = "porter ended the step: "  # begins the line of output that says why


def signal_name(number: int) -> str:
    """`SIGSEGV` of 11."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def describe_ending(result: StepResult) -> str:
    """How a step's process ended, to be said after a noun."""
    if result.timed_out:
        return f"did not end within {result.seconds:.0f} s"
    if result.marked and result.marked.startswith(STOPPED):
        return f"was ended by porter: {result.marked.removeprefix(STOPPED)}"
    if result.returncode < 0:
        return f"was ended by {signal_name(-result.returncode)}"
    return f"ended with exit status {result.returncode}"
