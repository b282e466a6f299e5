_as_in_float32(
    ("gather", "scatter", "scatter_add"), methods=("scatter_", "scatter_add_", "index_add_")
)
