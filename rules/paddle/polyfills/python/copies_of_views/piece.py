from .torchs_meaning import _tensor_method


def _copying(name):
    """What a method gives, with storage of its own."""

    def copied(input, *args, **kwargs):
        made = _tensor_method(name)(input, *args, **kwargs)
        each = isinstance(made, (list, tuple))
        return tuple(part.clone() for part in made) if each else made.clone()

    return copied


alias_copy = _copying("clone")
as_strided_copy = _copying("as_strided")
detach_copy = _copying("detach")
diagonal_copy = _copying("diagonal")
expand_copy = _copying("expand")
permute_copy = _copying("permute")
select_copy = _copying("select")
split_copy = _copying("split")
split_with_sizes_copy = _copying("split_with_sizes")
squeeze_copy = _copying("squeeze")
t_copy = _copying("t")
transpose_copy = _copying("transpose")
unbind_copy = _copying("unbind")
unfold_copy = _copying("unfold")
unsqueeze_copy = _copying("unsqueeze")
view_copy = _copying("view")


def slice_copy(input, dim=0, start=None, end=None, step=1):
    return input[(slice(None),) * (dim % input.ndim) + (slice(start, end, step),)].clone()
