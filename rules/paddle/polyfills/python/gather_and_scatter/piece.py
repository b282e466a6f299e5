from .half_on_cpu import _as_in_float32


_as_in_float32(
    ("gather", "scatter", "scatter_add"), methods=("scatter_", "scatter_add_", "index_add_")
)
