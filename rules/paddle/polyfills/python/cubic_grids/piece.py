import paddle


def _reflected_places(at, length, align_corners):
    """Places beyond the ends as seen in mirrors: at the middle of the last elements, or behind them."""
    low, span = (0, length - 1) if align_corners else (-0.5, length)
    if not span:
        return paddle.zeros_like(at)
    away = (at - low).abs()
    rest, flips = away % span, (away / span).floor()
    return paddle.where(flips % 2 == 0, rest, span - rest) + low


def _cubic_weights(away):
    """The weights of four neighbours, the second of which is `away` behind the place."""
    a = -0.75
    near, far = [away, 1 - away], [away + 1, 2 - away]
    near = [((a + 2) * x - (a + 3)) * x * x + 1 for x in near]
    far = [((a * x - 5 * a) * x + 8 * a) * x - 4 * a for x in far]
    return far[0], *near, far[1]


def _cubic_taps(at, length, padding_mode, align_corners):
    """(place, weight) of the four neighbours of places along a dimension."""
    at = (at + 1) / 2 * (length - 1) if align_corners else ((at + 1) * length - 1) / 2
    first = at.detach().floor()
    for by, weight in zip((-1, 0, 1, 2), _cubic_weights(at - first), strict=True):
        place = first + by
        if padding_mode == "reflection":
            place = _reflected_places(place, length, align_corners)
        inside = place.clip(0, length - 1)
        if padding_mode == "zeros":
            weight = paddle.where(inside == place, weight, 0 * weight)
        known = paddle.where(paddle.isnan(inside), paddle.zeros_like(inside), inside)
        yield known.astype("int64"), weight


def _cubic_samples(x, grid, padding_mode, align_corners):
    """Images at the places of a grid, each of sixteen neighbours."""
    batch, channels, height, width = x.shape
    flat, total = x.reshape([batch, channels, -1]), 0
    columns = [*_cubic_taps(grid[..., 0], width, padding_mode, align_corners)]
    for row, of_row in _cubic_taps(grid[..., 1], height, padding_mode, align_corners):
        along = 0
        for column, of_column in columns:
            places = (row * width + column).reshape([batch, 1, -1]).expand([batch, channels, -1])
            found = paddle.take_along_axis(flat, places, 2)
            along = along + found.reshape([batch, channels, *row.shape[1:]]) * of_column.unsqueeze(1)
        total = total + along * of_row.unsqueeze(1)
    return total
