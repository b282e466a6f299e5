from .split_by_size import chunk, split

unsafe_chunk = chunk
unsafe_split = split
unsafe_split_with_sizes = split
torch_split_with_sizes = split
