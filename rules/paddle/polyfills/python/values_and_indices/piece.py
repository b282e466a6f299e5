from paddle import compat

_as_in_torch(compat.sort, compat.max, compat.min, compat.median)
