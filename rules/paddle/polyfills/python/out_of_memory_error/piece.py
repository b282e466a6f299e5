OutOfMemoryError = MemoryError  # what Paddle raises where an allocation fails
