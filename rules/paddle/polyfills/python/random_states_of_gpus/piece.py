from .torchs_meaning import _torch


def get_rng_state_all():
    return [_torch("cuda.get_rng_state")(number) for number in range(_torch("cuda.device_count")())]


def set_rng_state_all(new_states):
    for number, state in enumerate(new_states):
        _torch("cuda.set_rng_state")(state, number)
