from .methods_of_tensors import _methods


_methods(_version=property(lambda self: self.inplace_version))
