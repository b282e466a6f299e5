import contextlib

import paddle

from .generators import default_generator

get_rng_state = default_generator.get_state
initial_seed = default_generator.initial_seed


def set_rng_state(new_state):
    default_generator.set_state(new_state)


def manual_seed(seed):
    paddle.seed(int(seed) % 2**63)
    return default_generator.manual_seed(seed)


def seed():
    return manual_seed(default_generator.seed()).initial_seed()


@contextlib.contextmanager
def fork_rng(devices=None, enabled=True, **options):
    """What is drawn inside changes nothing of what is drawn after it."""
    devices = ["cpu", *(["gpu"] if paddle.device.cuda.device_count() else [])] if enabled else []
    kept, own = [(device, paddle.get_rng_state(device)) for device in devices], get_rng_state()
    try:
        yield
    finally:
        for device, state in kept:
            paddle.set_rng_state(state, device)
        if enabled:
            set_rng_state(own)
