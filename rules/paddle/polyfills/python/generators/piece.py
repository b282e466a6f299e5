import functools
import math
import os

import numpy
import paddle

from .computing import _assign
from .torchs_meaning import _torch

# at::CPUGeneratorImplState
_STATE = numpy.dtype(
    [
        ("seed", "<u8"), ("left", "<i4"), ("seeded", "<i4"), ("next", "<u8"), ("words", "<u8", 624),
        ("unused", "<f8"), ("normal", "<f8"), ("unused_too", "<f8"), ("has_normal", "<i4"), ("rest", "V12"),
    ]
)  # fmt: skip
_WIDE = frozenset({paddle.float64, paddle.complex128})


class Generator:
    """What numbers are drawn from: on a CPU, the same as from torch's generator of the same seed."""

    def __init__(self, device="cpu"):
        self._device = device
        self.manual_seed(67280421310721)

    @property
    def device(self):
        return _torch("device")(self._device)

    def __repr__(self):
        return f"<torch._C.Generator object at {id(self):#x}>"

    def manual_seed(self, seed):
        self._seed, self._drawn, self._kept = int(seed) % 2**64, 0, None
        vars(self).pop("_engine", None)
        return self

    @functools.cached_property
    def _engine(self):
        """Made at its first use: to import numpy.random takes as long as a tenth of all pieces."""
        made = numpy.random.MT19937()
        made._legacy_seeding(self._seed % 2**32)
        return made

    def seed(self):
        return self.manual_seed(int.from_bytes(os.urandom(7), "big")).initial_seed()

    def initial_seed(self):
        return self._seed

    def get_state(self):
        """The state as torch's generator of a CPU writes it: 5,056 bytes."""
        made, twister = numpy.zeros((), _STATE), self._engine.state["state"]
        made["seed"], made["words"], made["seeded"] = self._seed, twister["key"], 1
        made["next"], made["left"] = twister["pos"], 625 - twister["pos"]
        if self._kept is not None:
            made["normal"], made["has_normal"] = self._kept, 1
        made["rest"] = self._drawn.to_bytes(12, "little")
        return paddle.to_tensor(numpy.frombuffer(made.tobytes(), "uint8").copy(), place="cpu")

    def set_state(self, new_state):
        given = numpy.asarray(new_state.cpu()).tobytes()
        if len(given) != _STATE.itemsize:
            raise RuntimeError(f"Expected a state of {_STATE.itemsize} bytes, but got {len(given)}")
        state = numpy.frombuffer(given, _STATE)[0]
        self.manual_seed(state["seed"])
        twister = {"key": state["words"].astype("uint32"), "pos": 625 - int(state["left"])}
        self._engine.state = {"bit_generator": "MT19937", "state": twister}
        self._kept = float(state["normal"]) if state["has_normal"] else None
        self._drawn = int.from_bytes(bytes(state["rest"]), "little")
        return self

    # ------------------------------------------------- of aten/src/ATen/core/DistributionsHelper.h

    def _whole(self, count, below, wide):
        """Whole numbers from 0 up to but without a bound, of 32 bits each, or of 64."""
        words = self._engine.random_raw(2 * count if wide else count)
        return (words[::2] << numpy.uint64(32) | words[1::2] if wide else words) % numpy.uint64(below)

    def _uniform(self, count, wide=True):
        """Numbers from 0 up to but without 1, with the digits of float64 or of float32."""
        digits = 53 if wide else 24
        return self._whole(count, 2**digits, wide) * 2.0**-digits

    def _normal(self, count, wide, dense, half=False):
        """Numbers of the normal distribution; many at once from others than few, as in torch."""
        if count < 16 or not dense:
            return numpy.array([self._next_normal(lambda: self._uniform(2)) for _ in range(count)])
        whole = count // 16 * 16
        drawn = self._uniform(whole if half else count, wide)
        drawn = drawn if wide else drawn.astype("float32")
        made = numpy.empty(count, drawn.dtype)
        made[:whole] = _by_box_and_muller(drawn[:whole])
        if whole < count:
            last = self._uniform(16, wide)
            made[-16:] = _by_box_and_muller(last if wide else last.astype("float32"))
        return made

    def _next_normal(self, pair):
        """One number of the normal distribution: every other one is kept of a pair of even ones."""
        if self._kept is not None:
            made, self._kept = self._kept, None
            return made
        angle, length = pair()
        angle, length = 2 * math.pi * angle, math.sqrt(-2 * math.log1p(-length))
        self._kept = length * math.sin(angle)
        return length * math.cos(angle)

    def _permutation(self, count):
        order = [*range(count)]
        for at, word in enumerate(self._engine.random_raw(max(count - 1, 0)).tolist()):
            other = at + word % (count - at)
            order[at], order[other] = order[other], order[at]
        return order


class _Stream:
    """Numbers of a generator one by one: many are drawn ahead, and `end` gives back those left."""

    def __init__(self, generator):
        self._own = generator or default_generator
        self._before, self._used, self._ahead = self._own._engine.state, 0, iter(())

    def uniform(self):
        self._used += 1
        made = next(self._ahead, None)
        if made is None:
            self._ahead = iter(self._own._uniform(1024).tolist())
            made = next(self._ahead)
        return made

    def normal(self):
        return self._own._next_normal(lambda: (self.uniform(), self.uniform()))

    def end(self):
        self._own._engine.state = self._before
        self._own._engine.random_raw(2 * self._used, output=False)


def _one_by_one(sample, generator, *settings):
    """What sample gives for each element of arrays of one shape, of what it draws one after the other."""
    stream = _Stream(generator)
    rows = zip(*(each.ravel().tolist() for each in settings))
    made = numpy.array([sample(stream, *row) for row in rows], "float64")
    stream.end()
    return made.reshape(settings[0].shape)


def _by_box_and_muller(drawn):
    first, second = numpy.moveaxis(drawn.reshape(-1, 2, 8), 1, 0)
    length, angle = numpy.sqrt(-2 * numpy.log(1 - first)), drawn.dtype.type(2 * math.pi) * second
    return numpy.stack([length * numpy.cos(angle), length * numpy.sin(angle)], 1).reshape(-1)


default_generator = Generator()
default_generator.seed()


def _array_of(tensor):
    """The values of a tensor, of float64 or of float32."""
    return numpy.asarray(tensor.detach() if tensor.dtype == paddle.float64 else tensor.detach().astype("float32"))


def _drawn_for(tensor, draw):
    """What draw gives of a count and whether the tensor is dense, each in its element's place in memory."""
    dense = tensor.is_contiguous()
    numbers = draw(math.prod(tensor.shape), dense)
    if dense:
        return numbers.reshape(tensor.shape)
    order = sorted(range(tensor.ndim), key=lambda dim: -tensor.strides[dim])
    numbers = numbers.reshape([tensor.shape[dim] for dim in order])
    return numbers.transpose(numpy.argsort(order))


def _filled_by(tensor, draw, like=None):
    """The tensor, of a CPU, with what draw gives in place of what it holds."""
    dtype, parts, like = tensor.dtype, tensor.is_complex(), tensor if like is None else like
    numbers = _drawn_for(like, draw) if not parts else draw(2 * math.prod(tensor.shape), True)
    if parts:
        numbers = numbers.reshape([*tensor.shape, 2])
        numbers = numbers[..., 0] + 1j * numbers[..., 1]
    else:  # whole numbers are exact in none of the other dtypes
        exact = numbers.dtype.kind in "iub" or dtype in _WIDE
        numbers = numbers if exact else numbers.astype("float32")
    with paddle.no_grad():
        made = paddle.to_tensor(numpy.ascontiguousarray(numbers), place=tensor.place)
        made = made.astype(dtype).reshape(tensor.shape)
    return paddle.assign(made, tensor) if tensor.is_leaf else _assign(made, tensor)


def _uniformly(tensor, generator=None, low=0.0, high=1.0, like=None):
    wide = tensor.dtype in _WIDE
    low, high = (float(bound if wide else numpy.float32(bound)) for bound in (low, high))
    generator = generator or default_generator

    def draw(count, dense):
        return generator._uniform(count, wide) * (high - low) + low

    return _filled_by(tensor, draw, like)


def _normally(tensor, generator=None, mean=0.0, std=1.0, like=None):
    wide, generator = tensor.dtype in _WIDE, generator or default_generator
    half = tensor.dtype in (paddle.float16, paddle.bfloat16)
    std = std / math.sqrt(2) if tensor.is_complex() else std

    def draw(count, dense):
        numbers = generator._normal(count, wide, dense, half)
        return numbers if (mean, std) == (0, 1) else numbers * std + mean

    return _filled_by(tensor, draw, like)


def _kept_with(p, like, generator=None):
    """For each element, whether it is drawn that is drawn with a probability, of a number or of an array."""
    generator = generator or default_generator
    wide = not isinstance(p, numpy.ndarray) or p.dtype == numpy.float64
    return _drawn_for(like, lambda count, dense: generator._uniform(count, wide)) < p


def _with_paddles(generator, function, *args, **options):
    """What one of Paddle's functions draws, of a device: the same after the same seed, not torch's."""
    if generator is None:
        return function(*args, **options)
    outer = paddle.get_rng_state()
    generator._drawn += 1
    try:
        paddle.seed(hash((generator._seed, generator._drawn)) % 2**63)
        return function(*args, **options)
    finally:
        paddle.set_rng_state(outer)


def _random(theirs, make=None, fill=None):
    """A function of Paddle's that draws numbers: on a CPU, what fill puts into what make gives."""

    @functools.wraps(theirs)
    def called(*args, generator=None, **options):
        if make is not None:
            made = make(*args, **options)
            if made.place.is_cpu_place():
                wanted, made.stop_gradient = made.stop_gradient, True
                fill(made, generator)
                made.stop_gradient = wanted
                return made
        return _with_paddles(generator, theirs, *args, **options)

    return called
