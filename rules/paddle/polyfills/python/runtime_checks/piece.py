def _checker(error):
    def check(cond, message=None):
        if not isinstance(cond, bool):
            raise TypeError(f"cond must be a bool, but got {type(cond)}")
        if cond:
            return
        if message is None:
            raise error(
                "Expected cond to be True, but got False. (Could this error message be improved? "
                "If so, please report an enhancement request to PyTorch.)"
            )
        if not callable(message):
            raise TypeError("message must be a callable")
        raise error(str(message()))

    return check


_check = _checker(RuntimeError)
_check_index = _checker(IndexError)
_check_value = _checker(ValueError)
_check_type = _checker(TypeError)
_check_not_implemented = _checker(NotImplementedError)


def _check_tensor_all(cond, message=None):
    """RuntimeError unless all elements of a bool tensor are true."""
    _check(bool(cond.all()), message)
