import bisect
import collections.abc
import functools
import itertools
import math
import re
import sys
import types

import numpy
import paddle

from .generators import Generator, default_generator
from .random_tensors import _chosen


class Dataset:
    def __getitem__(self, index):
        raise NotImplementedError("Subclasses of Dataset should implement __getitem__.")

    def __add__(self, other):
        return ConcatDataset([self, other])

    def __class_getitem__(cls, kind):
        return cls


class IterableDataset(Dataset):
    def __add__(self, other):
        return ChainDataset([self, other])


class TensorDataset(Dataset):
    def __init__(self, *tensors):
        assert all(len(t) == len(tensors[0]) for t in tensors), "Size mismatch between tensors"
        self.tensors = tensors

    def __getitem__(self, index):
        return tuple(tensor[index] for tensor in self.tensors)

    def __len__(self):
        return len(self.tensors[0])


class ConcatDataset(Dataset):
    def __init__(self, datasets):
        self.datasets = list(datasets)
        self.cumulative_sizes = list(itertools.accumulate(map(len, self.datasets)))

    def __len__(self):
        return self.cumulative_sizes[-1]

    def __getitem__(self, index):
        if not -len(self) <= index < len(self):
            raise ValueError("absolute value of index should not exceed dataset length")
        index %= len(self)
        which = bisect.bisect_right(self.cumulative_sizes, index)
        return self.datasets[which][index - (self.cumulative_sizes[which - 1] if which else 0)]


class StackDataset(Dataset):
    """Items of several sets of data side by side: as tuples, or by the names that are given."""

    def __init__(self, *args, **kwargs):
        if bool(args) == bool(kwargs):
            raise ValueError("StackDataset takes data sets either by position or by name")
        self.datasets = args or kwargs
        lengths = {*map(len, args or kwargs.values())}
        if len(lengths) > 1:
            raise ValueError("Size mismatch between datasets")
        (self._length,) = lengths

    def __len__(self):
        return self._length

    def _together(self, items):
        return dict(zip(self.datasets, items, strict=True)) if isinstance(self.datasets, dict) else tuple(items)

    def _each(self):
        return self.datasets.values() if isinstance(self.datasets, dict) else self.datasets

    def __getitem__(self, index):
        return self._together([each[index] for each in self._each()])

    def __getitems__(self, indices):
        columns = []
        for each in self._each():
            several = getattr(each, "__getitems__", None)
            columns.append(several(indices) if callable(several) else [each[index] for index in indices])
            if len(columns[-1]) != len(indices):
                raise ValueError(f"Nested dataset's output size mismatch. Expected {len(indices)}, got {len(columns[-1])}")
        return [self._together(row) for row in zip(*columns, strict=True)]


class ChainDataset(IterableDataset):
    def __init__(self, datasets):
        self.datasets = datasets

    def __iter__(self):
        return itertools.chain.from_iterable(self.datasets)

    def __len__(self):
        return sum(map(len, self.datasets))


class Subset(Dataset):
    def __init__(self, dataset, indices):
        self.dataset, self.indices = dataset, indices

    def __getitem__(self, index):
        return self.dataset[self.indices[index]]

    def __len__(self):
        return len(self.indices)


def _seeded(generator):
    """The generator, or a new one with a seed that the default one draws."""
    return generator or Generator().manual_seed(default_generator._whole(1, 2**63, True)[0])


def random_split(dataset, lengths, generator=None):
    """Subsets of these lengths, or of these fractions of the whole."""
    total = len(dataset)
    if sum(lengths) <= 1 and total != sum(lengths):
        parts = [int(total * fraction) for fraction in lengths]
        for i in range(total - sum(parts)):
            parts[i % len(parts)] += 1
        lengths = parts
    if sum(lengths) != total:
        raise ValueError("Sum of input lengths does not equal the length of the input dataset!")
    order, starts = (generator or default_generator)._permutation(total), itertools.accumulate(lengths)
    return [Subset(dataset, order[end - n : end]) for n, end in zip(lengths, starts)]


class Sampler:
    def __init__(self, data_source=None):
        pass

    def __class_getitem__(cls, kind):
        return cls


class SequentialSampler(Sampler):
    def __init__(self, data_source):
        self.data_source = data_source

    def __iter__(self):
        return iter(range(len(self.data_source)))

    def __len__(self):
        return len(self.data_source)


class RandomSampler(Sampler):
    def __init__(self, data_source, replacement=False, num_samples=None, generator=None):
        self.data_source, self.replacement, self.generator = data_source, replacement, generator
        self.num_samples = len(data_source) if num_samples is None else num_samples

    def __iter__(self):
        count, own = len(self.data_source), _seeded(self.generator)
        if self.replacement:
            yield from own._whole(self.num_samples, count, False).tolist()
            return
        for _ in range(self.num_samples // count):
            yield from own._permutation(count)
        yield from own._permutation(count)[: self.num_samples % count]

    def __len__(self):
        return self.num_samples


class SubsetRandomSampler(Sampler):
    def __init__(self, indices, generator=None):
        self.indices, self.generator = indices, generator

    def __iter__(self):
        own = self.generator or default_generator
        return (self.indices[i] for i in own._permutation(len(self.indices)))

    def __len__(self):
        return len(self.indices)


class WeightedRandomSampler(Sampler):
    def __init__(self, weights, num_samples, replacement=True, generator=None):
        self.weights, self.generator = numpy.asarray(weights, "float64").reshape(1, -1), generator
        self.num_samples, self.replacement = num_samples, replacement

    def __iter__(self):
        own = self.generator or default_generator
        return iter(_chosen(self.weights, self.num_samples, self.replacement, own)[0].tolist())

    def __len__(self):
        return self.num_samples


class BatchSampler(Sampler):
    def __init__(self, sampler, batch_size, drop_last):
        if not isinstance(batch_size, int) or isinstance(batch_size, bool) or batch_size <= 0:
            raise ValueError(f"batch_size should be a positive integer value, but got batch_size={batch_size}")
        self.sampler, self.batch_size, self.drop_last = sampler, batch_size, drop_last

    def __iter__(self):
        indices = iter(self.sampler)
        while batch := list(itertools.islice(indices, self.batch_size)):
            if len(batch) == self.batch_size or not self.drop_last:
                yield batch

    def __len__(self):
        return (len(self.sampler) + (self.batch_size - 1) * (not self.drop_last)) // self.batch_size


class DistributedSampler(Sampler):
    """The indices of one of several processes, each of which has as many."""

    def __init__(self, dataset, num_replicas=None, rank=None, shuffle=True, seed=0, drop_last=False):
        if None in (num_replicas, rank) and not paddle.distributed.is_initialized():
            raise ValueError("Default process group has not been initialized, please call init_process_group.")
        self.num_replicas = paddle.distributed.get_world_size() if num_replicas is None else num_replicas
        self.rank = paddle.distributed.get_rank() if rank is None else rank
        if not 0 <= self.rank < self.num_replicas:
            last = self.num_replicas - 1
            raise ValueError(f"Invalid rank {self.rank}, rank should be in the interval [0, {last}]")
        self.dataset, self.epoch, self.drop_last = dataset, 0, drop_last
        self.shuffle, self.seed = shuffle, seed
        count = len(dataset)
        dropped = self.num_replicas if drop_last and count % self.num_replicas else 0
        self.num_samples = math.ceil((count - dropped) / self.num_replicas)
        self.total_size = self.num_samples * self.num_replicas

    def __iter__(self):
        order = [*range(len(self.dataset))]
        if self.shuffle:
            order = [*Generator().manual_seed(self.seed + self.epoch)._permutation(len(order))]
        if not self.drop_last:  # the first ones again
            order = list(itertools.islice(itertools.cycle(order), self.total_size))
        return iter(order[self.rank : self.total_size : self.num_replicas])

    def __len__(self):
        return self.num_samples

    def set_epoch(self, epoch):
        self.epoch = epoch


def default_collate(batch):
    """Examples as one: tensors stacked, numbers as a tensor, containers item by item."""
    first = batch[0]
    if isinstance(first, paddle.Tensor):
        return paddle.stack(batch)
    if isinstance(first, (numpy.ndarray, numpy.generic)):
        return paddle.to_tensor(numpy.stack(batch))
    if isinstance(first, (bool, int, float)):
        return paddle.to_tensor(batch, dtype="float64" if isinstance(first, float) else None)
    if isinstance(first, (str, bytes)):
        return batch
    if isinstance(first, collections.abc.Mapping):
        return type(first)({key: default_collate([item[key] for item in batch]) for key in first})
    if hasattr(first, "_fields"):
        return type(first)(*(default_collate(items) for items in zip(*batch)))
    if isinstance(first, collections.abc.Sequence):
        if any(len(item) != len(first) for item in batch):
            raise RuntimeError("each element in list of batch should be of equal size")
        return [default_collate(items) for items in zip(*batch)]
    known = "tensors, numpy arrays, numbers, dicts or lists"
    raise TypeError(f"default_collate: batch must contain {known}; found {type(first)}")


class DataLoader:
    def __class_getitem__(cls, kind):
        return cls

    def __init__(
        self,
        dataset,
        batch_size=1,
        shuffle=None,
        sampler=None,
        batch_sampler=None,
        num_workers=0,
        collate_fn=None,
        pin_memory=False,
        drop_last=False,
        timeout=0,
        worker_init_fn=None,
        multiprocessing_context=None,
        generator=None,
        *,
        prefetch_factor=None,
        persistent_workers=False,
        pin_memory_device="",
        in_order=True,
    ):
        if sampler is not None and shuffle:
            raise ValueError("sampler option is mutually exclusive with shuffle")
        if batch_sampler is not None and (batch_size != 1 or shuffle or sampler or drop_last):
            others = "batch_size, shuffle, sampler, and drop_last"
            raise ValueError(f"batch_sampler option is mutually exclusive with {others}")
        if num_workers < 0:
            said = "num_workers option should be non-negative; use num_workers=0 to disable multiprocessing."
            raise ValueError(said)
        if isinstance(dataset, IterableDataset):
            for name, given in (("shuffle", shuffle), ("sampler", sampler), ("batch_sampler", batch_sampler)):
                if given not in (None, False):
                    said = f"expected unspecified {name} option, but got {name}={given}"
                    raise ValueError(f"DataLoader with IterableDataset: {said}")
        self.dataset, self.num_workers, self.drop_last = dataset, num_workers, drop_last
        self.pin_memory, self.pin_memory_device, self.prefetch_factor = pin_memory, pin_memory_device, prefetch_factor
        self.timeout, self.worker_init_fn, self.in_order = timeout, worker_init_fn, in_order
        self.multiprocessing_context, self.persistent_workers = multiprocessing_context, persistent_workers
        self.generator, self._iterator = generator, None
        self.batch_size = None if batch_sampler is not None else batch_size
        self.sampler, self.batch_sampler = sampler, batch_sampler
        if isinstance(dataset, IterableDataset):
            self.sampler = self.batch_sampler = None
        elif batch_sampler is None:
            if sampler is None:
                given = {"generator": generator} if shuffle else {}
                sampler = (RandomSampler if shuffle else SequentialSampler)(dataset, **given)
            self.sampler = sampler
            if batch_size is not None:
                self.batch_sampler = BatchSampler(self.sampler, batch_size, drop_last)
        batched = batch_size is not None or batch_sampler is not None
        self._batched = batched
        self.collate_fn = collate_fn or (default_collate if batched else default_convert)

    @property
    def _auto_collation(self):
        return self._batched

    @property
    def _index_sampler(self):
        return self.batch_sampler if self._auto_collation else self.sampler

    def _examples(self):
        if not isinstance(self.dataset, IterableDataset):
            pick = self.dataset.__getitem__
            if self._auto_collation:
                one = pick
                pick = getattr(self.dataset, "__getitems__", None) or (lambda batch: [one(index) for index in batch])
            return map(pick, self._index_sampler)
        if not self._batched:
            return iter(self.dataset)
        return iter(BatchSampler(self.dataset, self.batch_size, self.drop_last))

    def __iter__(self):
        return _SingleProcessDataLoaderIter(self)

    def __len__(self):
        if isinstance(self.dataset, IterableDataset):
            every = BatchSampler(self.dataset, self.batch_size, self.drop_last)
            return len(every if self._batched else self.dataset)
        return len(self._index_sampler)


class _BaseDataLoaderIter:
    def __init__(self, loader):
        (loader.generator or default_generator)._whole(1, 2**63, True)  # torch draws the workers' seed
        self._loader, self._batches = loader, map(loader.collate_fn, loader._examples())

    def __iter__(self):
        return self

    def __next__(self):
        return next(self._batches)

    def __len__(self):
        return len(self._loader)


class _SingleProcessDataLoaderIter(_BaseDataLoaderIter):
    pass


class _MultiProcessingDataLoaderIter(_BaseDataLoaderIter):
    """None is one: examples are loaded in the process itself."""


def get_worker_info():
    """None: examples are loaded in the process itself."""


def default_convert(data):
    """Numbers of numpy as tensors, alone or in containers; anything else as it is."""
    if isinstance(data, (numpy.ndarray, numpy.generic)):
        return paddle.to_tensor(data)
    if isinstance(data, collections.abc.Mapping):
        return {key: default_convert(value) for key, value in data.items()}
    if isinstance(data, (list, tuple)) and not hasattr(data, "_fields"):
        return [default_convert(each) for each in data]
    return data


def _of_items(name, *items):
    made = types.ModuleType(name)
    made.__path__ = []  # so that it can have modules
    vars(made).update({item.__name__: item for item in items})
    return made


_of_dataset = Dataset, IterableDataset, TensorDataset, ConcatDataset, StackDataset, ChainDataset, Subset, random_split
_of_sampler = (
    *(Sampler, SequentialSampler, RandomSampler, SubsetRandomSampler, WeightedRandomSampler, BatchSampler),
    DistributedSampler,
)
_of_loader = DataLoader, default_collate, default_convert, get_worker_info
_iterators = _BaseDataLoaderIter, _SingleProcessDataLoaderIter, _MultiProcessingDataLoaderIter
data = _of_items("paddle.utils.data", *_of_dataset, *_of_sampler, *_of_loader)
for _data_name, _data_items in (
    ("dataset", _of_dataset),
    ("sampler", _of_sampler),
    ("dataloader", (*_of_loader, *_of_dataset, *_of_sampler, *_iterators)),
    ("distributed", (DistributedSampler, Sampler)),
    ("_utils", ()),
    ("_utils.collate", (default_collate, default_convert)),
):
    _data_part = _of_items(f"paddle.utils.data.{_data_name}", *_data_items)
    *_data_outer, _data_last = _data_name.split(".")
    setattr(functools.reduce(getattr, _data_outer, data), _data_last, _data_part)
    sys.modules[f"torch.utils.data.{_data_name}"] = sys.modules[_data_part.__name__] = _data_part
data._utils.collate.np_str_obj_array_pattern = re.compile(r"[SaUO]")
