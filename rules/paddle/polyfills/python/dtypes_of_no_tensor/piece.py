class _DtypeOfNoTensor:
    """A dtype that Paddle has not: it is compared with others, and refused where a tensor is made."""

    def __init__(self, name, itemsize):
        self._name, self.itemsize = name, itemsize
        self.is_complex = name.startswith("complex")
        self.is_floating_point = name.startswith("float")
        self.is_signed = not name.startswith(("uint", "quint", "float8_e8m0"))

    def __repr__(self):
        return f"torch.{self._name}"

    def __reduce__(self):
        return self._name


complex32 = chalf = _DtypeOfNoTensor("complex32", 4)
quint8 = _DtypeOfNoTensor("quint8", 1)
qint8 = _DtypeOfNoTensor("qint8", 1)
qint32 = _DtypeOfNoTensor("qint32", 4)
quint4x2 = _DtypeOfNoTensor("quint4x2", 1)
float8_e4m3fnuz = _DtypeOfNoTensor("float8_e4m3fnuz", 1)
float8_e5m2fnuz = _DtypeOfNoTensor("float8_e5m2fnuz", 1)
float8_e8m0fnu = _DtypeOfNoTensor("float8_e8m0fnu", 1)
float4_e2m1fn_x2 = _DtypeOfNoTensor("float4_e2m1fn_x2", 1)
int1 = _DtypeOfNoTensor("int1", 1)
int4 = _DtypeOfNoTensor("int4", 1)
uint1 = _DtypeOfNoTensor("uint1", 1)
uint4 = _DtypeOfNoTensor("uint4", 1)
