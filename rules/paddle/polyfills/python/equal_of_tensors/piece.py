def equal(input, other):
    """Whether two tensors have the same shape and elements, as a bool."""
    if tuple(input.shape) != tuple(other.shape):
        return False
    return bool((input == other).all())
