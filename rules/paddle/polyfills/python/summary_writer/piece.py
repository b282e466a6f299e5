import datetime
import io
import os
import socket
import time

import numpy
import paddle

from .overrides import _register
from .put_off import _Later

_EDGES = [1e-12 * 1.1**n for n in range(774)]  # of histograms, up to 1e20


def _summary_writer():
    """The class, if tensorboard can be imported: else its error."""
    __import__("tensorboard")
    return SummaryWriter


def _as_array(value):
    return numpy.asarray(value.detach().cpu().numpy() if isinstance(value, paddle.Tensor) else value)


def _image_of(array, dataformats):
    """An image, or several beside each other, as height, width and channels of bytes."""
    order = dataformats.upper()
    array = array if "C" in order else array[..., None]
    order = order if "C" in order else f"{order}C"
    array = numpy.transpose(array, [order.index(each) for each in ("NHWC" if "N" in order else "HWC")])
    if "N" in order:
        columns = min(len(array), 8)
        rows = -(-len(array) // columns)
        grid = numpy.zeros((rows * columns, *array.shape[1:]), array.dtype)
        grid[: len(array)] = array
        _, height, width, channels = grid.shape
        grid = grid.reshape(rows, columns, height, width, channels).transpose(0, 2, 1, 3, 4)
        array = grid.reshape(rows * height, columns * width, channels)
    if array.dtype != numpy.uint8:
        array = (array * 255.0).clip(0, 255).astype(numpy.uint8)
    return array if array.shape[-1] != 1 else numpy.repeat(array, 3, -1)


class SummaryWriter:
    """What is written to a folder for TensorBoard."""

    def __init__(self, log_dir=None, comment="", purge_step=None, max_queue=10, flush_secs=120, filename_suffix=""):
        from tensorboard.compat.proto import event_pb2, summary_pb2
        from tensorboard.summary.writer.event_file_writer import EventFileWriter

        if not log_dir:
            now = datetime.datetime.now().strftime("%b%d_%H-%M-%S")
            log_dir = os.path.join("runs", f"{now}_{socket.gethostname()}{comment}")
        self.log_dir, self.purge_step = str(log_dir), purge_step
        self._event, self._proto = event_pb2.Event, summary_pb2
        self._make = lambda folder: EventFileWriter(folder, max_queue, flush_secs, filename_suffix)
        self._writers = {self.log_dir: self._make(self.log_dir)}
        self.file_writer = self._writers[self.log_dir]
        if purge_step is not None:
            self._write(step=purge_step, file_version="brain.Event:2")
            self.file_writer.add_event(self._event(wall_time=time.time(), step=purge_step))

    def _write(self, *, step=None, walltime=None, folder=None, **content):
        event = self._event(wall_time=time.time() if walltime is None else walltime, **content)
        if step is not None:
            event.step = int(step)
        folder = folder or self.log_dir
        if folder not in self._writers:
            self._writers[folder] = self._make(folder)
        self._writers[folder].add_event(event)

    def _add(self, tag, step, walltime, folder=None, **value):
        value = self._proto.Summary.Value(tag=tag, **value)
        self._write(step=step, walltime=walltime, folder=folder, summary=self._proto.Summary(value=[value]))

    def get_logdir(self):
        return self.log_dir

    def add_scalar(self, tag, scalar_value, global_step=None, walltime=None, new_style=False, double_precision=False):
        array = _as_array(scalar_value)
        if array.size != 1:
            raise AssertionError("scalar should be 0D")
        self._add(tag, global_step, walltime, simple_value=float(array.reshape(-1)[0]))

    def add_scalars(self, main_tag, tag_scalar_dict, global_step=None, walltime=None):
        for tag, value in tag_scalar_dict.items():
            folder = os.path.join(self.log_dir, main_tag.replace("/", "_") + "_" + tag)
            self._add(main_tag, global_step, walltime, folder, simple_value=float(_as_array(value)))

    def add_histogram(self, tag, values, global_step=None, bins="tensorflow", walltime=None, max_bins=None):
        array = _as_array(values).reshape(-1).astype(float)
        if not array.size:
            raise ValueError("The input has no element.")
        if isinstance(bins, str) and bins == "tensorflow":
            bins = [*(-edge for edge in reversed(_EDGES)), 0.0, *_EDGES]
        counts, limits = numpy.histogram(array, bins=bins)
        full = numpy.flatnonzero(counts)
        first, last = (full[0], full[-1] + 1) if full.size else (0, len(counts))
        counts, limits = [0, *counts[first:last]], limits[first : last + 1]
        histo = self._proto.HistogramProto(
            min=array.min(), max=array.max(), num=array.size, sum=array.sum(), sum_squares=array.dot(array),
            bucket_limit=[*map(float, limits)], bucket=[*map(float, counts)],
        )  # fmt: skip
        self._add(tag, global_step, walltime, histo=histo)

    def add_image(self, tag, img_tensor, global_step=None, walltime=None, dataformats="CHW"):
        from PIL import Image

        array = _image_of(_as_array(img_tensor), dataformats)
        file = io.BytesIO()
        Image.fromarray(array).save(file, format="PNG")
        height, width, channels = array.shape
        image = self._proto.Summary.Image(
            height=height, width=width, colorspace=channels, encoded_image_string=file.getvalue()
        )
        self._add(tag, global_step, walltime, image=image)

    def add_images(self, tag, img_tensor, global_step=None, walltime=None, dataformats="NCHW"):
        self.add_image(tag, img_tensor, global_step, walltime, dataformats)

    def add_figure(self, tag, figure, global_step=None, close=True, walltime=None):
        drawn = []
        for each in figure if isinstance(figure, list) else [figure]:
            each.canvas.draw()
            drawn.append(numpy.asarray(each.canvas.buffer_rgba())[..., :3])
            if close:
                __import__("matplotlib.pyplot").pyplot.close(each)
        several = isinstance(figure, list)
        array = numpy.stack(drawn) if several else drawn[0]
        self.add_image(tag, array, global_step, walltime, "NHWC" if several else "HWC")

    def add_text(self, tag, text_string, global_step=None, walltime=None):
        from tensorboard.compat.proto.tensor_pb2 import TensorProto
        from tensorboard.compat.proto.tensor_shape_pb2 import TensorShapeProto

        plugin = self._proto.SummaryMetadata.PluginData(plugin_name="text", content=b"")
        shape = TensorShapeProto(dim=[TensorShapeProto.Dim(size=1)])
        tensor = TensorProto(dtype="DT_STRING", string_val=[text_string.encode()], tensor_shape=shape)
        metadata = self._proto.SummaryMetadata(plugin_data=plugin)
        self._add(f"{tag}/text_summary", global_step, walltime, metadata=metadata, tensor=tensor)

    def flush(self):
        for writer in self._writers.values():
            writer.flush()

    def close(self):
        for writer in self._writers.values():
            writer.flush()
            writer.close()

    def __enter__(self):
        return self

    def __exit__(self, *raised):
        self.close()

    def __getattr__(self, name):
        if name.startswith("add_"):
            raise NotImplementedError(f"SummaryWriter.{name} is not supported under Paddle")
        raise AttributeError(name)


_register({"torch.utils.tensorboard.SummaryWriter": _Later(_summary_writer)}, {})
