import os

import paddle


class Generator:
    """What numbers are drawn from, apart from those that are drawn without one."""

    def __init__(self, device="cpu"):
        self.device = device
        self.manual_seed(67280421310721)

    def manual_seed(self, seed):
        self._seed, self._drawn = int(seed), 0
        return self

    def seed(self):
        return self.manual_seed(int.from_bytes(os.urandom(7), "big")).initial_seed()

    def initial_seed(self):
        return self._seed

    def get_state(self):
        return paddle.to_tensor([self._seed, self._drawn], dtype="int64")

    def set_state(self, new_state):
        self._seed, self._drawn = new_state.tolist()
        return self


def _random(function):
    """A function that draws numbers, with a keyword for the generator to draw them from."""

    def called(*args, generator=None, **options):
        if generator is None:
            return function(*args, **options)
        outer = paddle.get_rng_state()
        generator._drawn += 1
        try:
            paddle.seed(hash((generator._seed, generator._drawn)) % 2**63)
            return function(*args, **options)
        finally:
            paddle.set_rng_state(outer)

    return called
