import functools

from .methods_of_tensors import _unchanged_if_plain, _wrap_functions, _wrap_methods

# torch/csrc/utils/python_arg_parser.cpp, numpy_compatibility_arg_names
_NUMPYS_KEYWORDS = {"axis": "dim", "keepdims": "keepdim"}


@_unchanged_if_plain
def _with_numpys_keywords(theirs, _):
    @functools.wraps(theirs)
    def called(*args, **kwargs):
        if kwargs and not _NUMPYS_KEYWORDS.keys().isdisjoint(kwargs):
            kwargs = {_NUMPYS_KEYWORDS.get(key, key): value for key, value in kwargs.items()}
        return theirs(*args, **kwargs)

    return called


_ALONG_DIMENSIONS = """\
sum mean prod max min amax amin std var median nanmedian nanmean nansum logsumexp norm argmax argmin all any
std_mean var_mean count_nonzero cumsum cumprod logcumsumexp softmax log_softmax sort argsort
squeeze unsqueeze chunk split unbind gather index_select cat stack diff topk narrow\
""".split()
_wrap_methods(_with_numpys_keywords, _ALONG_DIMENSIONS)
_wrap_functions(_with_numpys_keywords, _ALONG_DIMENSIONS)
