"""A unit with porter_compat that counts where its pieces have the host wait for a device.

The stand-in for a device is the CPU: what reads the values of a tensor, or makes a shape of them,
is counted by the function of a piece that it is for, and the function of Paddle's that does it
where a piece calls that. To pieces that check values on a CPU alone the place is no CPU.
At the end of the process the counts are written to the file that COUNTED names.
"""

import atexit
import collections
import functools
import json
import os
import sys

import paddle

READING = (
    "item numpy tolist cpu __bool__ __int__ __long__ __float__ __index__ __complex__ __array__"
).split()
SHAPED_BY_VALUES = "nonzero masked_select unique unique_consecutive".split()
CHECKING_ON_CPU = tuple(
    f"{piece}.py" for piece in "cross_entropy nll_loss one_hot quantiles sparse_tensors".split()
)
CHOOSING = {"logs"}  # functions that choose a kernel by the place: the CPU's is what there is
PIECES = os.path.join("porter_compat", "pieces") + os.sep
PADDLE = os.path.dirname(paddle.__file__) + os.sep
found = collections.Counter()
within = []  # a read is one wait, whatever it calls in turn


def waiting(name):
    """Which function of a piece waits, and by what of Paddle's; nothing where no piece does."""
    frame, by = sys._getframe(2), name
    while frame and frame.f_code.co_filename.startswith((PADDLE, __file__)):
        if frame.f_code.co_filename != __file__ and frame.f_code.co_name != "wrapper":
            by = frame.f_code.co_name
        frame = frame.f_back
    if frame is None or PIECES not in frame.f_code.co_filename:
        return ""
    piece = os.path.basename(frame.f_code.co_filename).removesuffix(".py")
    return f"{piece}.{frame.f_code.co_name} {by}"


def counted(theirs, name, waits=lambda *args: True):
    @functools.wraps(theirs)
    def call(*args, **kwargs):
        if within or not waits(*args):
            return theirs(*args, **kwargs)
        if where := waiting(name):
            found[where] += 1
        within.append(name)
        try:
            return theirs(*args, **kwargs)
        finally:
            within.pop()

    return call


def by_mask(tensor, index, *value):
    parts = index if isinstance(index, tuple) else (index,)
    return any(isinstance(part, paddle.Tensor) and part.dtype == paddle.bool for part in parts)


def is_cpu_place(place, real=paddle.base.core.Place.is_cpu_place):
    asking = sys._getframe(1).f_code
    checking = os.path.basename(asking.co_filename) in CHECKING_ON_CPU
    return (not checking or asking.co_name in CHOOSING) and real(place)


for name in READING:
    if hasattr(paddle.Tensor, name):
        setattr(paddle.Tensor, name, counted(getattr(paddle.Tensor, name), name))
for name in ("__getitem__", "__setitem__"):
    setattr(paddle.Tensor, name, counted(getattr(paddle.Tensor, name), name, by_mask))
for name in SHAPED_BY_VALUES:
    setattr(paddle._C_ops, name, counted(getattr(paddle._C_ops, name), name))
paddle.base.core.Place.is_cpu_place = is_cpu_place


@atexit.register
def tell():
    with open(os.environ["COUNTED"], "w") as file:
        json.dump(found, file)


import porter_compat  # noqa: E402, F401
from porter_compat.pieces.scope import share  # noqa: E402

share(sys.argv[0])
