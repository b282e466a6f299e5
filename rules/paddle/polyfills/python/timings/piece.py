import collections
import contextlib
import dataclasses
import enum
import itertools
import math
import statistics
import textwrap
import time
import timeit

import paddle

from .torchs_meaning import _torch

Language = enum.Enum("Language", "PYTHON CPP", start=0)
_UNITS = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1}
_UNIT_NAMES = {"ns": "nanosecond", "us": "microsecond", "ms": "millisecond", "s": "second"}
_END_OF_COLOR = "\033[0m"


def timer():
    """The time, when all that was begun on a GPU is done."""
    if paddle.is_compiled_with_cuda() and paddle.device.cuda.device_count():
        paddle.device.synchronize()
    return time.perf_counter()


def select_unit(t):
    """The unit to show a time in, and its seconds."""
    name = {-3: "ns", -2: "us", -1: "ms"}.get(int(math.log10(t) // 3), "s")
    return name, _UNITS[name]


@contextlib.contextmanager
def _with_threads(count):
    before = _torch("get_num_threads")()
    _torch("set_num_threads")(count)
    try:
        yield
    finally:
        _torch("set_num_threads")(before)


@dataclasses.dataclass(repr=False, frozen=True)
class TaskSpec:
    """What is timed."""

    stmt: str
    setup: str
    global_setup: str = ""
    label: str | None = None
    sub_label: str | None = None
    description: str | None = None
    env: str | None = None
    num_threads: int = 1

    @property
    def title(self):
        if self.label is None and "\n" in self.stmt:
            part = f" ({self.sub_label})" if self.sub_label else ""
            return f"stmt:{part}\n{textwrap.indent(self.stmt, '  ')}"
        return f"{self.stmt if self.label is None else self.label}{f': {self.sub_label}' if self.sub_label else ''}"

    def setup_str(self):
        if self.setup in ("pass", ""):
            return ""
        return f"setup:\n{textwrap.indent(self.setup, '  ')}" if "\n" in self.setup else f"setup: {self.setup}"

    def summarize(self):
        parts = [part for part in (self.title, self.description, self.setup_str()) if part]
        return "\n".join(f"{part}\n" if "\n" in part else part for part in parts)


def _quantile(ordered, part):
    at = part * (len(ordered) - 1)
    low, high = ordered[math.floor(at)], ordered[math.ceil(at)]
    return low + (high - low) * (at - math.floor(at))


@dataclasses.dataclass(repr=False)
class Measurement:
    """How long runs of a statement took."""

    number_per_run: int
    raw_times: list
    task_spec: TaskSpec
    metadata: dict | None = None

    def __getattr__(self, name):
        if name != "task_spec" and name in TaskSpec.__dataclass_fields__:
            return getattr(self.task_spec, name)
        raise AttributeError(name)

    @property
    def times(self):
        return [each / self.number_per_run for each in self.raw_times]

    @property
    def median(self):
        return _quantile(sorted(self.times), 0.5)

    @property
    def mean(self):
        return statistics.fmean(self.times)

    @property
    def iqr(self):
        ordered = sorted(self.times)
        return _quantile(ordered, 0.75) - _quantile(ordered, 0.25)

    @property
    def significant_figures(self):
        """About how many digits of the median are certain."""
        ordered = sorted(self.times)
        inner = ordered[len(ordered) // 4 : math.ceil(3 * len(ordered) / 4)]
        spread = max(1.645 * statistics.pstdev(inner) / math.sqrt(len(inner)), 25e-9)
        return min(max(math.floor(math.log10(self.median / spread)), 1), 4)

    def meets_confidence(self, threshold=0.1):
        return self.iqr / self.median < threshold

    @property
    def has_warnings(self):
        return not self.meets_confidence()

    @property
    def title(self):
        return self.task_spec.title

    @property
    def as_row_name(self):
        return self.sub_label or self.stmt or "[Unknown]"

    def __repr__(self):
        count, (unit, scale) = len(self.raw_times), select_unit(self.median)
        several, ordered = count > 1, sorted(self.times)
        lines = [object.__repr__(self), self.task_spec.summarize()]
        lines.append(f"  {'Median: ' if several else ''}{self.median / scale:.2f} {unit}")
        if count >= 4:
            low, high = (_quantile(ordered, part) / scale for part in (0.25, 0.75))
            lines.append(f"  IQR:    {self.iqr / scale:.2f} {unit} ({low:.2f} to {high:.2f})")
        runs = f"{self.number_per_run} runs {'per measurement,' if several else ','}"
        threads = f"{self.num_threads} thread{'s' if self.num_threads > 1 else ''}"
        lines.append(f"  {count} measurement{'s' if several else ''}, {runs} {threads}")
        if self.has_warnings:
            share = f"{self.iqr / self.median * 100:.1f}% of the median measurement."
            gross = not self.meets_confidence(0.25)
            why = "suggests significant environmental influence" if gross else "could indicate system fluctuation"
            lines.append(f"  WARNING: Interquartile range is {share}\n           This {why}.")
        return "\n".join(lines)

    @staticmethod
    def merge(measurements):
        """One measurement for each task."""
        found = collections.defaultdict(list)
        for each in measurements:
            found[each.task_spec] += each.times
        return [Measurement(1, times, task) for task, times in found.items()]


class Timer:
    """Times a statement of Python, with torch among its globals."""

    def __init__(
        self, stmt="pass", setup="pass", global_setup="", timer=timer, globals=None, label=None, sub_label=None,
        description=None, env=None, num_threads=1, language=Language.PYTHON,
    ):  # fmt: skip
        if not isinstance(stmt, str):
            raise ValueError("Currently only a `str` stmt is supported.")
        if language not in (Language.PYTHON, "py", "python"):
            if language in (Language.CPP, "cpp", "c++"):
                raise NotImplementedError("statements of C++ are not timed under Paddle")
            raise ValueError(f"Invalid language `{language}`.")
        if global_setup:
            raise ValueError(f"global_setup is C++ only, got `{global_setup}`.")
        known = {**(globals or {})}
        if "torch" not in known:
            exec("import torch", known)
        stmt, setup = (textwrap.dedent(text).removeprefix("\n").rstrip() for text in (stmt, setup))
        self._timer = timeit.Timer(stmt, setup, timer, known)
        self._task_spec = TaskSpec(stmt, setup, "", label, sub_label, description, env, num_threads)

    def _timeit(self, number):
        return max(self._timer.timeit(number), 1e-9)

    def _measured(self, number, times):
        return Measurement(number, times, self._task_spec)

    def timeit(self, number=1000000):
        """One measurement of a number of runs, after some to get warm."""
        with _with_threads(self._task_spec.num_threads):
            self._timeit(max(number // 100, 2))
            return self._measured(number, [self._timeit(number)])

    def _block_size(self, min_run_time):
        """How many runs take so long that to ask for the time costs little."""
        empty, number = statistics.median(self._timeit(0) for _ in range(5)), 1
        while True:
            taken = self._timeit(number)
            enough = empty / taken <= 1e-4 and taken >= min_run_time / 1000
            if enough or taken > min_run_time or number * 10 > 2**31 - 1:
                return number
            number *= 10

    def _repeated(self, number, is_enough, callback):
        times = []
        while not is_enough(times):
            times.append(self._timeit(number))
            if callback:
                callback(number, times[-1])
        return self._measured(number, times)

    def blocked_autorange(self, callback=None, min_run_time=0.2):
        """Measurements for a time."""
        with _with_threads(self._task_spec.num_threads):
            number = self._block_size(min_run_time)
            return self._repeated(number, lambda times: times and sum(times) >= min_run_time, callback)

    def adaptive_autorange(self, threshold=0.1, *, min_run_time=0.01, max_run_time=10.0, callback=None):
        """Measurements until they differ little."""

        def is_enough(times):
            if max_run_time and sum(times) > max_run_time:
                return True
            steady = len(times) > 3 and self._measured(number, times).meets_confidence(threshold)
            return steady and sum(times) >= min_run_time

        with _with_threads(self._task_spec.num_threads):
            number = self._block_size(0.05)
            return self._repeated(number, is_enough, callback)

    def repeat(self, repeat=-1, number=-1):
        raise NotImplementedError("See `Timer.blocked_autorange.`")

    autorange = repeat

    def collect_callgrind(self, number=100, **options):
        raise NotImplementedError("Valgrind is not used under Paddle")


def _to_digits(value, digits):
    scale = 10 ** (math.ceil(math.log10(abs(value))) - digits)
    return round(value / scale) * scale


def _colored(text, value, best):
    if value <= best * 1.01 or value <= best + 100e-9:
        return f"\033[92m\033[1m{text}{_END_OF_COLOR * 2}"
    if value <= best * 1.1:
        return f"\033[34m\033[1m{text}{_END_OF_COLOR * 2}"
    if value >= best * 5:
        return f"\033[31m\033[1m{text}{_END_OF_COLOR * 2}"
    return f"\033[2m\033[91m{text}{_END_OF_COLOR}" if value >= best * 2 else text


class Compare:
    """Measurements as tables, one for each label: a column for each description."""

    def __init__(self, results):
        self._results, self._trimmed, self._best_of, self._warned = [], False, None, False
        self.extend_results(results)

    def extend_results(self, results):
        for each in results:
            if not isinstance(each, Measurement):
                raise ValueError(f"Expected an instance of `Measurement`, got {type(each)} instead.")
        self._results.extend(results)

    def trim_significant_figures(self):
        self._trimmed = True

    def colorize(self, rowwise=False):
        self._best_of = "row" if rowwise else "column"

    def highlight_warnings(self):
        self._warned = True

    def print(self):
        print(str(self))

    def __str__(self):
        by_label = collections.defaultdict(list)
        for each in Measurement.merge(self._results):
            by_label[each.label].append(each)
        return "\n".join(self._table(label, results) for label, results in by_label.items())

    def _texts(self, results, scale):
        """What the cells of a column show."""
        given = [each for each in results if each is not None]
        digits = [math.ceil(math.log10(each.median / scale)) for each in given]
        certain = [max(each.significant_figures - n, 0) for each, n in zip(given, digits, strict=True)]
        decimals = min(certain) if self._trimmed else 1
        width = max(digits) + decimals + (1 if decimals else 0)
        warned = self._warned and any(each.has_warnings for each in given)
        texts = []
        for each in results:
            value = each and each.median / scale
            value = _to_digits(value, each.significant_figures) if each and self._trimmed else value
            number = " " * width if each is None else f"{value:>{width}.{decimals}f}"
            spread = f" (! {each.iqr / each.median * 100:.0f}%)" if each and warned and each.has_warnings else ""
            texts.append(max(f"{number}{spread:>{7 if warned else 0}}", " " * len(f"{1:>{width}.{decimals}f}"), key=len))
        return texts

    def _table(self, label, results):
        unit, scale = select_unit(min(each.median for each in results))
        rows = dict.fromkeys((each.num_threads, each.env, each.as_row_name) for each in results)
        rows = sorted(rows, key=lambda row: row[:2])
        columns = [*dict.fromkeys(each.description for each in results)]
        cells = {row: [None] * len(columns) for row in rows}
        for each in results:
            row = each.num_threads, each.env, each.as_row_name
            cells[row][columns.index(each.description)] = each
        by_column = [self._texts([cells[row][n] for row in rows], scale) for n in range(len(columns))]
        several = len({env for _, env, _ in rows}) > 1
        pad = max(len(env) for _, env, _ in rows) + 4 if several else 4
        names, last = [], (None, None)
        for threads, env, name in rows:
            shown = f"({env})" if several and (threads, env) != last else ""
            names.append("  " + shown.ljust(pad if several else 4) + name)
            last = threads, env
        titles = ["", *(str(each) for each in columns)]
        widths = [max(map(len, each)) for each in zip(titles, *zip(names, *by_column, strict=True), strict=True)]
        lines = ["  |  ".join(title.center(width) for title, width in zip(titles, widths, strict=True))]
        whole = len(lines[0])
        groups = itertools.groupby(enumerate(rows), key=lambda each: each[1][0])
        for threads, group in groups:
            numbers = [number for number, _ in group]
            lines.append(f"{threads} threads: ".ljust(whole, "-"))
            for number in numbers:
                texts = [names[number].ljust(widths[0])]
                for n, width in enumerate(widths[1:]):
                    own = cells[rows[number]][n]
                    across = cells[rows[number]] if self._best_of == "row" else [cells[rows[i]][n] for i in numbers]
                    text = by_column[n][number].center(width)
                    best = min(each.median for each in across if each is not None) if own and self._best_of else None
                    texts.append(text if best is None else _colored(text, own.median, best))
                lines.append("  |  ".join(texts))
        title = f"[{(' ' + (label or '') + ' ').center(whole - 2, '-')}]"
        said = "(! XX%) Measurement has high variance, where XX is the IQR / median * 100.\n"
        warned = self._warned and any(each.has_warnings for each in results)
        foot = f"\nTimes are in {_UNIT_NAMES[unit]}s ({unit}).\n{said if warned else ''}"
        return "\n".join([title, *lines, foot])
