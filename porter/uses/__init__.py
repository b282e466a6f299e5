"""Which names of torch a tree uses, and where."""
