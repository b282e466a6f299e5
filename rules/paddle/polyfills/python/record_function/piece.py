import contextlib

import paddle


class record_function(contextlib.ContextDecorator):
    """A named range of a profile; also as a decorator."""

    def __init__(self, name, args=None):
        self.name, self.args, self._events = name, args, []

    def __enter__(self):
        self._events.append(paddle.profiler.RecordEvent(self.name))
        self._events[-1].begin()
        return self

    def __exit__(self, *raised):
        self._events.pop().end()
