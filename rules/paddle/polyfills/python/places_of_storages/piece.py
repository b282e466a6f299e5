import warnings

import paddle

from .checkpoints import _moved


def location_tag(storage):
    device = str(storage.place if isinstance(storage, paddle.Tensor) else storage.device)
    return "cpu" if "cpu" in device else "cuda:" + device.rpartition(":")[2].rstrip(")")


def default_restore_location(storage, location):
    """The storage where it was, as map_location may leave it."""
    if location != "cpu" and not location.startswith("cuda"):
        kind = type(storage).__name__
        raise RuntimeError(f"don't know how to restore data location of {kind} (tagged with {location})")
    if location == "cpu" and location_tag(storage) == "cpu":
        return storage
    if isinstance(storage, paddle.Tensor) or not paddle.is_compiled_with_cuda():
        return _moved(storage, location, None)
    return storage.cpu() if location == "cpu" else storage.cuda(int(location.partition(":")[2] or 0))


def check_module_version_greater_or_equal(module, req_version_tuple, error_if_malformed=True):
    try:
        parts = module.__version__.split(".")
        found = tuple(type(wanted)(parts[at]) for at, wanted in enumerate(req_version_tuple))
        return found >= req_version_tuple
    except Exception as error:
        said = (
            f"'{module.__name__}' module version string is malformed '{module.__version__}' and cannot be compared "
            f"with tuple {req_version_tuple}"
        )
        if error_if_malformed:
            raise RuntimeError(said) from error
        warnings.warn(f"{said}, but continuing assuming that requirement is met", stacklevel=2)
        return True
