"""The types of TorchScript, which code also names in annotations."""


class Type:
    """A type, written as TorchScript writes it."""

    _written = ""

    def __init__(self):
        if type(self) is Type:
            raise TypeError("torch.Type: No constructor defined!")

    def __repr__(self):
        return self._written

    def __eq__(self, other):
        return type(self) is type(other) and str(self) == str(other)

    __hash__ = None  # type: ignore[assignment]

    @property
    def annotation_str(self):
        return str(self)

    def str(self):
        return self._written

    def kind(self):
        return type(self).__name__

    def isSubtypeOf(self, other):
        """Whether each value of this type is one of the other."""
        if isinstance(other, AnyType) or self == other:
            return True
        if isinstance(other, NumberType):
            return isinstance(self, (IntType, FloatType, ComplexType))
        if isinstance(other, OptionalType):
            return isinstance(self, NoneType) or self.isSubtypeOf(other.getElementType())
        return False


def _simple(name, written):
    """A type without parameters, of which there is one object."""
    only = []

    def get(cls):
        if not only:
            only.append(object.__new__(cls))
        return only[0]

    return type(name, (Type,), {"_written": written, "get": classmethod(get), "__module__": __name__})


AnyType, BoolType, ComplexType = _simple("AnyType", "Any"), _simple("BoolType", "bool"), _simple("ComplexType", "complex")
DeviceObjType, FloatType, IntType = _simple("DeviceObjType", "Device"), _simple("FloatType", "float"), _simple("IntType", "int")
NoneType, NumberType, StringType = _simple("NoneType", "NoneType"), _simple("NumberType", "number"), _simple("StringType", "str")
TensorType, StreamObjType = _simple("TensorType", "Tensor"), _simple("StreamObjType", "Stream")
PyObjectType, SymIntType = _simple("PyObjectType", "PyObject"), _simple("SymIntType", "int")
SymBoolType = _simple("SymBoolType", "bool")


class _OfTypes(Type):
    def __init__(self, *inner):
        self._inner = inner
        self._written = f"{self._generic}[{', '.join(map(str, inner))}]"


class _OfOneType(_OfTypes):
    def __init__(self, a0):
        super().__init__(a0)

    def getElementType(self):
        return self._inner[0]


class ListType(_OfOneType):
    _generic = "List"
    ofInts = staticmethod(lambda: ListType(IntType.get()))
    ofFloats = staticmethod(lambda: ListType(FloatType.get()))
    ofBools = staticmethod(lambda: ListType(BoolType.get()))
    ofTensors = staticmethod(lambda: ListType(TensorType.get()))


class OptionalType(_OfOneType):
    _generic = "Optional"
    ofTensor = staticmethod(lambda: OptionalType(TensorType.get()))


class TupleType(_OfTypes):
    _generic = "Tuple"

    def __init__(self, a0):
        super().__init__(*a0)

    def elements(self):
        return [*self._inner]


class DictType(_OfTypes):
    _generic = "Dict"

    def __init__(self, a0, a1):
        super().__init__(a0, a1)

    def getKeyType(self):
        return self._inner[0]

    def getValueType(self):
        return self._inner[1]
