from typing import NamedTuple

import numpy
import paddle


def pad_sequence(sequences, batch_first=False, padding_value=0.0, padding_side="right"):
    """Tensors of different lengths as one."""
    if not len(sequences):
        raise RuntimeError("received an empty list of sequences")
    longest = max(each.shape[0] for each in sequences)
    padded = []
    for each in sequences:
        shape = [longest - each.shape[0], *each.shape[1:]]
        value = paddle.zeros(shape, dtype=each.dtype) + paddle.to_tensor(padding_value, each.dtype)
        padded.append(paddle.concat([each, value] if padding_side == "right" else [value, each]))
    return paddle.stack(padded, axis=0 if batch_first else 1)


def unpad_sequence(padded_sequences, lengths, batch_first=False):
    each = (
        padded_sequences
        if batch_first
        else padded_sequences.transpose([1, 0, *range(2, padded_sequences.ndim)])
    )
    return [rows[: int(length)] for rows, length in zip(each, lengths, strict=True)]


def invert_permutation(permutation):
    """Where each index is found in a permutation."""
    return None if permutation is None else paddle.argsort(permutation)


class _PackedFields(NamedTuple):
    data: paddle.Tensor
    batch_sizes: paddle.Tensor
    sorted_indices: paddle.Tensor
    unsorted_indices: paddle.Tensor


class PackedSequence(_PackedFields):
    """The rows of sequences of different lengths, step by step, without padding.

    At step t there are batch_sizes[t] rows, of the longest sequences first.
    """

    def __new__(cls, data, batch_sizes=None, sorted_indices=None, unsorted_indices=None):
        if batch_sizes is None:
            data, batch_sizes = data
        elif not batch_sizes.place.is_cpu_place():
            raise ValueError("batch_sizes should always be on CPU")
        if unsorted_indices is None:
            unsorted_indices = invert_permutation(sorted_indices)
        return super().__new__(cls, data, batch_sizes, sorted_indices, unsorted_indices)

    def to(self, *args, **kwargs):
        return self._moved(self.data.to(*args, **kwargs))

    def cpu(self):
        return self._moved(self.data.cpu())

    def cuda(self, *args, **kwargs):
        return self._moved(self.data.cuda(*args, **kwargs))

    def pin_memory(self):
        return self._moved(self.data.pin_memory())

    def _moved(self, data):
        """Other rows, and the indices where these are; the sizes stay on the CPU."""
        if data is self.data:
            return self
        indices = (None if i is None else i.to(data.place) for i in self[2:])
        return type(self)(data, self.batch_sizes, *indices)

    def double(self):
        return self.to(dtype="float64")

    def float(self):
        return self.to(dtype="float32")

    def half(self):
        return self.to(dtype="float16")

    def long(self):
        return self.to(dtype="int64")

    def int(self):
        return self.to(dtype="int32")

    def short(self):
        return self.to(dtype="int16")

    def char(self):
        return self.to(dtype="int8")

    def byte(self):
        return self.to(dtype="uint8")

    @property
    def is_cuda(self):
        return self.data.place.is_gpu_place()

    def is_pinned(self):
        return self.data.place.is_cuda_pinned_place()


def pack_padded_sequence(input, lengths, batch_first=False, enforce_sorted=True):
    """Sequences in one tensor, (T, B, *) or with batch_first (B, T, *), without their padding."""
    lengths = numpy.array(lengths.tolist() if hasattr(lengths, "tolist") else lengths, "int64")
    batch_dim = 0 if batch_first else 1
    order = None
    if not enforce_sorted:
        order = numpy.argsort(-lengths, kind="stable")
        lengths = lengths[order]
        order = paddle.to_tensor(order, place=input.place)
        input = paddle.index_select(input, order, batch_dim)
    if (numpy.diff(lengths) > 0).any():
        raise RuntimeError("lengths are not in decreasing order, and `enforce_sorted` is True")
    if lengths.size != input.shape[batch_dim] or not lengths.size or lengths[-1] <= 0:
        raise RuntimeError("there is to be one length greater than 0 for each sequence")
    if lengths[0] > input.shape[1 - batch_dim]:
        raise RuntimeError(f"a length of {lengths[0]} is greater than that of the input")
    steps, rows = numpy.nonzero(numpy.arange(lengths[0])[:, None] < lengths)
    where = rows * input.shape[1] + steps if batch_first else steps * input.shape[1] + rows
    data = paddle.gather(input.flatten(0, 1), paddle.to_tensor(where, place=input.place))
    return PackedSequence(data, paddle.to_tensor(numpy.bincount(steps), place="cpu"), order)


def pad_packed_sequence(sequence, batch_first=False, padding_value=0.0, total_length=None):
    """The sequences as one padded tensor, and their lengths."""
    sizes = numpy.array(sequence.batch_sizes.tolist(), "int64")
    if total_length is not None and total_length < sizes.size:
        raise ValueError(f"total_length is to be at least {sizes.size}, the longest sequence")
    data = sequence.data
    where = numpy.full((total_length or sizes.size, sizes[0]), data.shape[0], "int64")
    where[: sizes.size][numpy.arange(sizes[0]) < sizes[:, None]] = numpy.arange(data.shape[0])
    where = where.T if batch_first else where
    padding = paddle.full([1, *data.shape[1:]], padding_value, data.dtype)
    index = paddle.to_tensor(where.reshape(-1), place=data.place)
    padded = paddle.gather(paddle.concat([data, padding]), index)
    padded = padded.reshape([*where.shape, *data.shape[1:]])
    lengths = paddle.to_tensor((numpy.arange(sizes[0])[:, None] < sizes).sum(1), place="cpu")
    order = sequence.unsorted_indices
    if order is None:
        return padded, lengths
    padded = paddle.index_select(padded, order, 0 if batch_first else 1)
    return padded, paddle.index_select(lengths, order.cpu())


def pack_sequence(sequences, enforce_sorted=True):
    """Sequences of different lengths, packed."""
    lengths = [each.shape[0] for each in sequences]
    return pack_padded_sequence(pad_sequence(sequences), lengths, enforce_sorted=enforce_sorted)


def unpack_sequence(packed_sequences):
    """The sequences that were packed."""
    return unpad_sequence(*pad_packed_sequence(packed_sequences))
