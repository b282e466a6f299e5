from paddle import compat

_as_in_torch(compat.nanmedian)
