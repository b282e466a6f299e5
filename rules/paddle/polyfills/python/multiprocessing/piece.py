import multiprocessing as _python
import traceback
import types

# Evaluated in a new process before it reads what it is to run.
_START = """(
    __import__("paddle").enable_compat(),
    __import__("runpy").run_path({file!r})["_run_spawned"],
)[1]"""


class ProcessRaisedException(Exception):
    """A process raised what the text says."""

    def __init__(self, msg, error_index, error_pid):
        super().__init__(msg)
        self.msg, self.error_index, self.error_pid = msg, error_index, error_pid


class ProcessExitedException(ProcessRaisedException):
    """A process ended without raising."""

    def __init__(self, msg, error_index, error_pid, exit_code):
        super().__init__(msg, error_index, error_pid)
        self.exit_code = exit_code


class ProcessContext:
    """The processes that spawn started."""

    def __init__(self, processes, errors):
        self.processes, self.errors = processes, errors

    def pids(self):
        return [process.pid for process in self.processes]

    def join(self, timeout=None, grace_period=None):
        """Whether all have ended; the first that failed ends the others and is raised."""
        from multiprocessing.connection import wait  # imports much

        waited = {process.sentinel: process for process in self.processes if process.is_alive()}
        for sentinel in wait([*waited], timeout):
            waited[sentinel].join()
        failed = [(index, p) for index, p in enumerate(self.processes) if p.exitcode]
        if not failed:
            return not any(process.is_alive() for process in self.processes)
        for process in self.processes:
            process.terminate()
            process.join()
        index, process = failed[0]
        if self.errors[index].empty():
            said = f"process {index} terminated with exit code {process.exitcode}"
            raise ProcessExitedException(said, index, process.pid, process.exitcode)
        said = f"\n\n-- Process {index} terminated with the following error:\n"
        raise ProcessRaisedException(said + self.errors[index].get(), index, process.pid)


def _run_spawned(function, index, args, errors):
    try:
        function(index, *args)
    except BaseException:
        errors.put(traceback.format_exc())
        raise SystemExit(1) from None


class _Runner:
    """_run_spawned; in a process that is started anew, once the proxy is enabled there."""

    def __call__(self, *args):
        _run_spawned(*args)

    def __reduce__(self):
        return eval, (_START.format(file=__file__),)


def spawn(fn, args=(), nprocs=1, join=True, daemon=False, start_method="spawn"):
    """Run fn(index, *args) in as many processes; without join, what they can be joined with."""
    context = _python.get_context(start_method)
    errors = [context.SimpleQueue() for _ in range(nprocs)]
    processes = [
        context.Process(
            target=_Runner(), args=(fn, index, args, errors[index]), daemon=daemon
        )
        for index in range(nprocs)
    ]
    for process in processes:
        process.start()
    started = ProcessContext(processes, errors)
    while join and not started.join():
        pass
    return None if join else started


multiprocessing = types.ModuleType("paddle.multiprocessing")
vars(multiprocessing).update(
    {name: getattr(_python, name) for name in _python.__all__},
    ProcessContext=ProcessContext,
    ProcessExitedException=ProcessExitedException,
    ProcessRaisedException=ProcessRaisedException,
    SpawnContext=ProcessContext,
    get_all_sharing_strategies=lambda: {"file_system"},
    get_sharing_strategy=lambda: "file_system",
    set_sharing_strategy=lambda new_strategy: None,
    spawn=spawn,
    start_processes=spawn,
)
