def _without_mps(name):
    def refuse(*args, **kwargs):
        raise RuntimeError(f"Cannot execute {name}() without MPS backend.")

    return refuse


class Event:
    __init__ = _without_mps("acquireEvent")


synchronize = _without_mps("deviceSynchronize")
empty_cache = _without_mps("emptyCache")
current_allocated_memory = _without_mps("getCurrentAllocatedMemory")
driver_allocated_memory = _without_mps("getDriverAllocatedMemory")


def mps_manual_seed(seed):
    pass
