
class _Named:
    def __init__(self, name):
        self._name = name

    def __repr__(self):
        return f"torch.{self._name}"

    def __eq__(self, other):  # that of another unit in this process, too
        return repr(self) == repr(other)

    def __hash__(self):
        return hash(self._name)

    def __reduce__(self):
        return self._name


class memory_format(_Named):
    """How the elements of a dense tensor follow each other."""


class layout(_Named):
    """Whether a tensor is dense."""


class qscheme(_Named):
    """A way to quantize."""


contiguous_format = legacy_contiguous_format = memory_format("contiguous_format")
preserve_format = memory_format("preserve_format")
channels_last, channels_last_3d = memory_format("channels_last"), memory_format("channels_last_3d")
strided, sparse_coo, sparse_csr = layout("strided"), layout("sparse_coo"), layout("sparse_csr")
sparse_csc, sparse_bsr, sparse_bsc = layout("sparse_csc"), layout("sparse_bsr"), layout("sparse_bsc")
_mkldnn, jagged = layout("_mkldnn"), layout("jagged")
per_tensor_affine, per_channel_affine = qscheme("per_tensor_affine"), qscheme("per_channel_affine")
per_tensor_symmetric, per_channel_symmetric = qscheme("per_tensor_symmetric"), qscheme("per_channel_symmetric")
per_channel_affine_float_qparams = qscheme("per_channel_affine_float_qparams")
