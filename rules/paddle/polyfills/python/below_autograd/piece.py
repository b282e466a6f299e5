from .operators import _below_autograd


_AutoDispatchBelowAutograd = _below_autograd
