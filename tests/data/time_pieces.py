"""A unit with porter_compat that times what its pieces cost beside Paddle's bare functions.

Calls that a script makes of names that both have are kept, and repeated at the end of the process
with the piece and with Paddle's function. What both answer is written to the file that TIMED names:
[name, its pieces, seconds with these, seconds without].
"""

import atexit
import collections
import functools
import inspect
import json
import os
import sys
import timeit

import paddle
from paddle.compat import proxy

detach, clone = paddle.Tensor.detach, paddle.Tensor.clone  # Paddle's own: no call to keep

import porter_compat  # noqa: E402, F401
from porter_compat.pieces import put_off, scope  # noqa: E402

KEPT = 3  # calls of a name
kept = collections.defaultdict(list)


def copied(value):
    """A value as it was given: a piece may write to it."""
    if isinstance(value, paddle.Tensor):
        copy = clone(detach(value))
        copy.stop_gradient = value.stop_gradient
        return copy
    return type(value)(map(copied, value)) if type(value) in (list, tuple) else value


def keeping(ours, name, theirs):
    @functools.wraps(ours)
    def call(*args, **kwargs):
        if len(kept[name]) < KEPT:
            given = copied(args), {key: copied(value) for key, value in kwargs.items()}
            kept[name].append((ours, theirs, *given))
        return ours(*args, **kwargs)

    return call


def seconds(function, args, kwargs):
    """What a call takes at best, or None where it is not answered."""
    timer = timeit.Timer(lambda: function(*args, **kwargs))
    try:
        if function(*args, **kwargs) is NotImplemented:
            return None
        once = max(min(timer.repeat(3, 1)), 1e-7)
        number = max(1, int(0.002 / once))
        return min(timer.repeat(5 if once < 0.05 else 1, number)) / number
    except Exception:
        return None


def pieces_of(function):
    """The pieces that take part, the one that is called first in front."""
    while function is not None:
        file = getattr(getattr(function, "__code__", None), "co_filename", "")
        if os.path.dirname(file) == os.path.dirname(scope.__file__):
            yield os.path.basename(file).removesuffix(".py")
        function = getattr(function, "__wrapped__", None)


def offered():
    for name, given in [*proxy.GLOBAL_OVERRIDES.items()]:
        if hasattr(given, "homes"):
            yield name, given, given.theirs
    for name in dir(paddle.Tensor):
        given = inspect.getattr_static(paddle.Tensor, name)
        if hasattr(given, "homes") and getattr(given, "theirs", None) is not None:
            yield f"torch.Tensor.{name}", given, lambda given=given: given.theirs


for name, given, theirs in offered():
    ours = put_off._resolved(given.homes.get(scope._OWN))
    if inspect.isfunction(ours) and callable(theirs()):
        given.homes[scope._OWN] = keeping(ours, name, theirs())


@atexit.register
def tell():
    rows = []
    for name, calls in kept.items():
        for ours, theirs, args, kwargs in calls:
            bare = seconds(theirs, args, kwargs)
            own = seconds(ours, args, kwargs) if bare else None
            if own:
                rows.append([name, ", ".join(dict.fromkeys(pieces_of(ours))), own, bare])
                break
    with open(os.environ["TIMED"], "w") as file:
        json.dump(rows, file)


scope.share(sys.argv[0])
