from .overrides import _register


_register({}, {})
