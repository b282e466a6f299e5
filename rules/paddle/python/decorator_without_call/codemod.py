"""`@torch.no_grad` to `@torch.no_grad()`."""

import libcst as cst

from porter.rules.rewrite import Rewrite


class CalledDecorator(Rewrite):
    DESCRIPTION = "Call a decorator that is given as a class."

    def leave_Decorator(
        self, original_node: cst.Decorator, updated_node: cst.Decorator
    ) -> cst.Decorator:
        if self.facts_of(original_node.decorator) is None:
            return updated_node
        return updated_node.with_changes(decorator=cst.Call(updated_node.decorator))
