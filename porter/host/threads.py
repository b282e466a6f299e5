"""Threads that run steps, which end with the block that began them."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

from porter.host import process


@contextmanager
def pool(workers: int) -> Iterator[ThreadPoolExecutor]:
    """Threads for a block. Where an exception leaves it, a signal's too, nothing that waits begins;
    from the main thread, steps that run are ended."""
    with ThreadPoolExecutor(max(1, workers)) as threads:
        try:
            yield threads
        except BaseException:
            threads.shutdown(wait=False, cancel_futures=True)
            if threading.current_thread() is threading.main_thread():
                with process.end_all():
                    threads.shutdown()
            raise
