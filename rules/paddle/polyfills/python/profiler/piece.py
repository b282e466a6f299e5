import enum
import functools
import gzip
import os
import socket
import time

import paddle

ProfilerActivity = enum.Enum("ProfilerActivity", "CPU XPU CUDA HPU MTIA PrivateUse1", start=0)
ProfilerAction = enum.Enum("ProfilerAction", "NONE WARMUP RECORD RECORD_AND_SAVE", start=0)


def kineto_available():
    return False


def supported_activities():
    """What can be recorded here."""
    gpu = {ProfilerActivity.CUDA} if paddle.is_compiled_with_cuda() else set()
    return {ProfilerActivity.CPU, *gpu}


def schedule(*, wait, warmup, active, repeat=0, skip_first=0, skip_first_wait=0):
    """A function that tells what to do in a step: nothing, get ready, record, or record and give the result."""
    if min(wait, warmup, repeat, skip_first) < 0 or active <= 0:
        raise AssertionError("Invalid profiler schedule arguments")
    length = wait + warmup + active

    def action(step):
        if step < 0:
            raise AssertionError(f"Step must be non-negative. Got {step}.")
        if step < skip_first:
            return ProfilerAction.NONE
        step += (wait if skip_first_wait else 0) - skip_first
        at = step % length
        if at < wait or (repeat and step >= repeat * length):
            return ProfilerAction.NONE
        if at < wait + warmup:
            return ProfilerAction.WARMUP
        return ProfilerAction.RECORD_AND_SAVE if at == length - 1 else ProfilerAction.RECORD

    return action


def tensorboard_trace_handler(dir_name, worker_name=None, use_gzip=False, use_python_export=False):
    """A function that writes a trace of its own to a folder, each time it is called."""

    def write(recorded):
        os.makedirs(dir_name, exist_ok=True)
        worker = worker_name or f"{socket.gethostname()}_{os.getpid()}"
        name = f"{worker}.{time.time_ns()}.pt.trace.json{'.gz' if use_gzip else ''}"
        recorded.export_chrome_trace(os.path.join(dir_name, name))

    return write


class _TimedEvent:
    """One event of a profile, or the events of one name. Times are microseconds."""

    def __init__(self, key):
        self.key = self.name = key
        self.count = self.cpu_time_total = self.self_cpu_time_total = 0
        self.device_time_total = self.self_device_time_total = 0

    def add(self, other):
        for name in ("count", *_OF_TIMES):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        return self

    @property
    def cpu_time(self):
        return self.cpu_time_total / self.count if self.count else 0.0

    @property
    def device_time(self):
        return self.device_time_total / self.count if self.count else 0.0

    cuda_time = device_time


_OF_TIMES = "cpu_time_total", "self_cpu_time_total", "device_time_total", "self_device_time_total"
_SHOWN_KINDS = {"Operator", "PythonUserDefined", "ProfileStep", "Backward", "Forward", "Optimization", "Dataloader"}


def _of_a_node(node, found):
    """The events of a node of Paddle's and of those in it; the times that they took together."""
    inner = [_of_a_node(child, found) for child in node.children_node]
    launched = [device for call in node.runtime_node for device in call.device_node]
    own = sum(each.end_ns - each.start_ns for each in launched) / 1000
    within, devices = sum(each for each, _ in inner), sum(each for _, each in inner)
    if node.type.name not in _SHOWN_KINDS:
        return within, own + devices
    event = _TimedEvent("ProfilerStep*" if node.type.name == "ProfileStep" else node.name)
    event.count, event.cpu_time_total = 1, (node.end_ns - node.start_ns) / 1000
    event.self_cpu_time_total = event.cpu_time_total - within
    event.device_time_total, event.self_device_time_total = own + devices, own
    found.append((node.start_ns, event))
    return event.cpu_time_total, event.device_time_total


def _duration(value):
    unit, scale = next(((u, s) for u, s in (("s", 1e6), ("ms", 1e3)) if value >= s), ("us", 1.0))
    return f"{value / scale:.3f}{unit}"


class EventList(list):
    def key_averages(self, group_by_input_shapes=False, group_by_stack_n=0):
        """The events of each name together."""
        if group_by_input_shapes or group_by_stack_n:
            raise NotImplementedError("Paddle's profiles have neither the shapes nor the stacks of events")
        found = {}
        for event in self:
            found.setdefault(event.key, _TimedEvent(event.key)).add(event)
        return EventList(found.values())

    def total_average(self):
        return functools.reduce(_TimedEvent.add, self, _TimedEvent("Total"))

    @property
    def self_cpu_time_total(self):
        return sum(event.self_cpu_time_total for event in self)

    def table(self, sort_by=None, row_limit=100, max_name_column_width=55, header=None, **options):
        """The events as text, the largest first by a time or the count."""
        rows = list(self)
        if sort_by is not None:
            rows.sort(key=lambda event: getattr(event, sort_by.replace("cuda", "device")), reverse=True)
        rows = rows if row_limit < 0 else rows[:row_limit]
        kinds = [("CPU", "cpu")]
        if any(event.device_time_total for event in self):
            kinds.append(("Device", "device"))
        titles, lines = ["Name"], [[event.key[:max_name_column_width]] for event in rows]
        for title, kind in kinds:
            titles += [f"Self {title} %", f"Self {title}", f"{title} total", f"{title} time avg"]
            whole = sum(getattr(event, f"self_{kind}_time_total") for event in self)
            for event, line in zip(rows, lines, strict=True):
                own, total = (getattr(event, f"{each}{kind}_time_total") for each in ("self_", ""))
                average = getattr(event, f"{kind}_time")
                line += [f"{100 * own / whole if whole else 0:.2f}%", *map(_duration, (own, total, average))]
        titles.append("# of Calls")
        for event, line in zip(rows, lines, strict=True):
            line.append(str(event.count))
        widths = [max(12, *(len(line[n]) for line in [titles, *lines])) for n in range(len(titles))]
        texts = ["  ".join(cell.rjust(w) for cell, w in zip(line, widths, strict=True)) for line in [titles, *lines]]
        rule = "  ".join("-" * width for width in widths)
        total = f"Self CPU time total: {_duration(self.self_cpu_time_total)}\n"
        return "\n".join([*([header] if header else []), rule, texts[0], rule, *texts[1:], rule, total])


class profile:
    """A recording of what Paddle runs, and for how long; that of torch.autograd.profiler too."""

    def __init__(
        self, enabled=True, *, activities=None, schedule=None, on_trace_ready=None, record_shapes=False, profile_memory=False,
        with_stack=False, with_flops=False, with_modules=False, experimental_config=None,
        execution_trace_observer=None, acc_events=False, use_cuda=None, use_device=None, **options,
    ):  # fmt: skip
        here = supported_activities()
        self.activities = {activity for activity in activities or here if activity in here}
        self.schedule, self.on_trace_ready, self.enabled = schedule, on_trace_ready, enabled
        self._result, self._profiler, self._steps = None, None, 0

    def _take(self, profiler):
        self._result = profiler.profiler_result
        if self.on_trace_ready is not None:
            self.on_trace_ready(self)

    @property
    def step_num(self):
        return self._steps if self._profiler is None else self._profiler.step_num

    def start(self):
        """Paddle has one recorder at a time, from when a Profiler is made until it is deleted."""
        known, states = paddle.profiler.ProfilerTarget, paddle.profiler.ProfilerState
        order = states.CLOSED, states.READY, states.RECORD, states.RECORD_AND_RETURN
        on_gpu = ProfilerActivity.CUDA in self.activities
        made = paddle.profiler.Profiler(
            targets=[known.CPU, *([known.GPU] if on_gpu else [])],
            scheduler=self.schedule and (lambda step: order[self.schedule(step).value]),
            on_trace_ready=self._take,
        )
        if made.profiler is None:
            raise RuntimeError("Paddle records one profile at a time, and another one is being recorded")
        self._profiler = made
        made.start()

    def stop(self):
        ended, self._steps, self._profiler = self._profiler, self.step_num, None
        ended.stop()

    def step(self):
        self._profiler.step()

    def __enter__(self):
        if self.enabled:
            self.start()
        return self

    def __exit__(self, *raised):
        if self.enabled:
            self.stop()

    def _finished(self):
        if self._result is None:
            raise AssertionError("Profiler didn't finish running")
        return self._result

    def events(self):
        found = []
        for root in self._finished().get_data().values():
            for node in root.children_node:
                _of_a_node(node, found)
        return EventList(event for _, event in sorted(found, key=lambda each: each[0]))

    def key_averages(self, group_by_input_shape=False, group_by_stack_n=0, **options):
        return self.events().key_averages(group_by_input_shape, group_by_stack_n)

    def export_chrome_trace(self, path, **options):
        """Write a file for chrome://tracing."""
        plain = path.removesuffix(".gz")
        self._finished().save(plain, "json")
        if plain != path:
            with open(plain, "rb") as file, gzip.open(path, "wb") as packed:
                packed.write(file.read())
            os.remove(plain)

    def export_stacks(self, path, metric="self_cpu_time_total"):
        raise NotImplementedError("Paddle's profiles have no stacks")

    def export_memory_timeline(self, path, device=None):
        raise NotImplementedError("Paddle's profiles have no timeline of the memory")

    def total_average(self):
        return self.events().total_average()

    def table(self, sort_by=None, row_limit=100, **options):
        return self.events().table(sort_by, row_limit, **options)

    @property
    def function_events(self):
        return self.events()

    @property
    def self_cpu_time_total(self):
        return self.events().self_cpu_time_total


class emit_nvtx:
    """Marks of operators for NVIDIA's profilers, which Paddle does not make."""

    def __init__(self, enabled=True, record_shapes=False):
        self.enabled = enabled

    def __enter__(self):
        if self.enabled:
            raise NotImplementedError("Paddle's operators are not marked with NVTX ranges")

    def __exit__(self, *error):
        return False
