import concurrent.futures
from typing import Generic, TypeVar

_T = TypeVar("_T")


class Future(concurrent.futures.Future, Generic[_T]):
    """A value that another thread may be about to give."""

    def __init__(self, *, devices=None):
        super().__init__()

    def wait(self):
        return self.result()

    def value(self):
        if not self.done():
            raise RuntimeError("Future: value() of one that is not completed; use wait()")
        return self.result()

    def then(self, callback):
        """What the callback gives for this, once it is completed."""
        following = Future()

        def follow(done):
            try:
                following.set_result(callback(done))
            except Exception as error:
                said = f"Got the following error when running the callback: {error!r}"
                following.set_exception(RuntimeError(said))

        self.add_done_callback(follow)
        return following

    def set_result(self, result):
        if self.done():
            raise RuntimeError("Future can only be completed once")
        super().set_result(result)

    def set_exception(self, result):
        if not isinstance(result, Exception):
            raise AssertionError(f"{result} is of type {type(result)}, not an Exception.")
        super().set_exception(result)


def collect_all(futures):
    """A future of all of them, when each is completed."""
    futures, every = list(futures), Future()
    left = [*futures]

    def finish(done):
        left.remove(done)
        if not left:
            every.set_result(futures)

    for each in futures:
        each.add_done_callback(finish)
    if not futures:
        every.set_result(futures)
    return every


def wait_all(futures):
    return [each.wait() for each in collect_all(futures).wait()]


def fork(func, *args, **kwargs):
    forked = Future()
    forked.set_result(func(*args, **kwargs))
    return forked


def wait(future):
    return future.wait()
