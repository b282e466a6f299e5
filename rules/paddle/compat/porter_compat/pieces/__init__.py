"""The pieces: a module each, which gives torch, or tensors, what Paddle lacks or does otherwise."""
