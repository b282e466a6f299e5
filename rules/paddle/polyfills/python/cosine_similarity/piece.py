def cosine_similarity(x1, x2, dim=1, eps=1e-8):
    """The cosines of the angles between vectors along a dimension, each norm at least eps."""
    norms = [(x * x).sum(dim).sqrt().clip(min=eps) for x in (x1, x2)]
    return (x1 * x2).sum(dim) / (norms[0] * norms[1])
