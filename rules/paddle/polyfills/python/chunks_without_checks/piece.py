from paddle import compat

from .split_by_size import chunk

unsafe_chunk = chunk
unsafe_split = compat.split
unsafe_split_with_sizes = compat.split
torch_split_with_sizes = compat.split
