def script(obj, optimize=None, _frames_up=0, _rcb=None, example_inputs=None):
    """The function, class or module itself: nothing is compiled."""
    return obj


def _overload(func):
    """The declaration of one overload for TorchScript; it means nothing without."""
    return func
