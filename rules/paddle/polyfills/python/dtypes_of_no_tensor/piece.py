class _DtypeOfNoTensor:
    """A dtype that Paddle has not: it is compared with others, and refused where a tensor is made."""

    def __init__(self, name, itemsize=1):
        self._name, self.itemsize = name, itemsize
        self.is_complex = name.startswith("complex")
        self.is_floating_point = name.startswith("float")
        self.is_signed = not name.startswith(("uint", "quint", "float8_e8m0"))

    def __repr__(self):
        return f"torch.{self._name}"

    def __reduce__(self):
        return self._name


complex32 = chalf = _DtypeOfNoTensor("complex32", 4)
qint32 = _DtypeOfNoTensor("qint32", 4)
quint8, qint8, quint4x2, int1, int4, uint1, uint4 = map(
    _DtypeOfNoTensor, "quint8 qint8 quint4x2 int1 int4 uint1 uint4".split()
)
float8_e4m3fnuz, float8_e5m2fnuz, float8_e8m0fnu, float4_e2m1fn_x2 = map(
    _DtypeOfNoTensor, "float8_e4m3fnuz float8_e5m2fnuz float8_e8m0fnu float4_e2m1fn_x2".split()
)
