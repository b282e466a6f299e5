class _Later:
    """A value that is made when it is first asked for, as Paddle's proxy and the scopes do."""

    def __init__(self, make):
        self._make = make

    def get_value(self):
        make = self._make
        if make is not None:
            self._value, self._make = make(), None
        return self._value

    def value_for(self, frame):
        return self.get_value()


_used_instead: dict = {}  # id of an operator of Paddle's -> what is used instead


def _is_later(value):
    """Also of another unit in this process, which has a class of its own."""
    return type(value).__name__ == "_Later"


def _resolved(value):
    value = value.get_value() if _is_later(value) else value
    return _used_instead.get(id(value), value)
