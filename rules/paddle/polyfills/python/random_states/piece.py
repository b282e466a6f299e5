import contextlib

import paddle


def random_manual_seed(seed):
    return paddle.seed(seed)


def random_get_rng_state():
    return paddle.get_rng_state()


def random_set_rng_state(new_state):
    paddle.set_rng_state(new_state)


@contextlib.contextmanager
def random_fork_rng(devices=None, enabled=True, **options):
    """What is drawn inside changes nothing of what is drawn after it."""
    devices = ["cpu", *(["gpu"] if paddle.device.cuda.device_count() else [])] if enabled else []
    kept = [(device, paddle.get_rng_state(device)) for device in devices]
    try:
        yield
    finally:
        for device, state in kept:
            paddle.set_rng_state(state, device)
