_methods(_version=property(lambda self: self.inplace_version))
