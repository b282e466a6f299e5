import collections
import weakref

from .hooks_of_modules import RemovableHandle
from .methods_of_tensors import _methods


def register_post_accumulate_grad_hook(self, hook):
    """Call a hook with the tensor each time that its gradient was added up."""
    if self.stop_gradient:
        raise RuntimeError("cannot register a hook on a tensor that doesn't require gradient")
    if not self.is_leaf:
        raise RuntimeError("post accumulate grad hooks cannot be registered on non-leaf tensors")
    hooks = collections.OrderedDict()
    handle = RemovableHandle(hooks)
    hooks[handle.id] = hook
    tensor = weakref.ref(self)  # a hook belongs to the tensor

    def call():
        for each in [*hooks.values()]:
            each(tensor())

    self._register_backward_hook(call)
    return handle


_methods(register_post_accumulate_grad_hook=register_post_accumulate_grad_hook)
