import functools
import gc
import sys
import threading
import weakref

import paddle
from paddle.autograd import PyLayer

from .grad_written_to import _grad, _set_grad
from .hooks_of_leaves import _after_hooks_of_leaves, _recorded_passes
from .methods_of_tensors import _methods, _static


_grad_fn = _static(paddle.Tensor, "grad_fn")


class _DifferentiatedTwice(BaseException):
    """What was computed to be differentiated once is so twice: it is computed again for that."""


def _for_one_gradient(run):
    """What a function gives, whose results are differentiated once: unless it asks for a graph of gradients."""
    if _running.once:
        return run()
    _running.once = True
    try:
        return run()
    except _DifferentiatedTwice:
        _running.once = False
        return run()
    finally:
        _running.once = False


def _refuse_graph_of_gradients(create_graph):
    if create_graph and _running.once:
        raise _DifferentiatedTwice


def _node_of(tensor):
    """The node of a tensor as Paddle has it: of a leaf, the one that adds gradients up."""
    return getattr(_grad_fn, "theirs", _grad_fn).__get__(tensor, type(tensor))


def _raising_as_it_is(run):
    @functools.wraps(run)
    def call(*args, **kwargs):
        PyLayer.raised = None  # by a backward pass, whichever unit it is of
        recording = paddle.is_grad_enabled()
        _running.passes += 1
        try:
            found = run(*args, **kwargs)
            while _running.passes == 1 and _running.after:
                _running.after.pop(0)()
            return found
        except OSError:
            if PyLayer.raised is None:
                raise
            error, PyLayer.raised = PyLayer.raised, None
        except SystemError as fatal:  # a second pass without retain_graph
            raise RuntimeError(str(fatal)) from fatal
        finally:
            _running.passes -= 1
            if not _running.passes:
                _running.after.clear()
            paddle.set_grad_enabled(recording)  # off after some errors of Paddle's
        raise error

    return call


class _Running(threading.local):
    def __init__(self):
        self.asked = []  # of the calls of grad that run: node -> whether it leads to an input; or None
        self.partial = 0  # passes of Paddle's grad that run: it has one state for all of them
        self.fresh = set()  # nodes of autograd functions that were called while grad runs
        self.passes = 0  # calls of grad and backward that run
        self.after = []  # what is called once the outermost one is through
        self.recorded = 0  # how often gradients were computed with their graph
        self.once = False  # what is computed now is differentiated once, so by Paddle's own operators


_running = _Running()
_switched_on: list[bool] = []  # not empty: operators have gradients of any order
_before_recording: list = []  # called before gradients are recorded; give whether what was computed cannot be
_TOO_LATE = """\
what this is a gradient of was computed before porter-compat knew that gradients of gradients are needed: \
compute it again (it knows from the start where an imported module has the word create_graph)"""
_differentiating: set[int] = set()  # nodes of autograd functions whose backward pass records gradients itself
_one_grad = threading.RLock()  # Paddle's grad has one state for all threads


_passed: set[int] = set()  # nodes of autograd functions that a pass went through: in a second one, Paddle crashes


def _note_made(outputs):
    """The nodes of what a step just gave: no pass went through them, but maybe through some at their addresses."""
    made = {node.node_ptr() for node in map(_node_of, outputs) if node is not None}
    _passed.difference_update(made)
    _differentiating.difference_update(made)
    return made


def _note_step(outputs):
    """The nodes of what an autograd function just gave, also if it was called while grad runs."""
    made = _note_made(outputs)
    if _running.asked:
        _running.fresh.update(made)
    return made


def _note_pass(made):
    if not _running.partial:
        _passed.update(made)


def _refuse_second_pass(outputs):
    if _passed and not _passed.isdisjoint(_behind(outputs)[1]):
        raise RuntimeError(
            "Trying to backward through the graph a second time: under Paddle, what an autograd function keeps is freed "
            "by the first pass, also if it saved no tensors. Specify retain_graph=True in the first one."
        )


def _asked_for(node):
    """Whether the call of grad that runs, if one does, asks for a gradient beyond a node."""
    known = _running.asked[-1] if _running.asked else None
    todo = [node] if known is not None else []
    while todo:
        one = todo[-1]
        beyond = [each for each in one.next_functions if each is not None]
        unknown = [each for each in beyond if each.node_ptr() not in known]
        if one.node_ptr() in known or not unknown:
            known.setdefault(one.node_ptr(), any(known.get(each.node_ptr()) for each in beyond))
            todo.pop()
        else:
            todo += unknown
    return known is None or known[node.node_ptr()]


_TAKE_NONE = ("GradNodeAccumulation", "GradNodePyLayer__GradientStep", "AddGradNode", "MultiplyGradNode")
_TO_PARTS = (paddle._C_ops.unsqueeze, paddle._C_ops.unbind)


def _with_zeros_behind(tensor):
    """The tensor, behind an operator that passes on zeros where a step gives no gradient, because none is asked
    for: most others then end the process, or raise an error."""
    node = _node_of(tensor)
    if node is None or node.name() in _TAKE_NONE:
        return tensor
    unsqueeze, unbind = _TO_PARTS
    return unbind(unsqueeze(tensor, [0]), 0)[0]


@_raising_as_it_is
def grad(
    outputs,
    inputs,
    grad_outputs=None,
    retain_graph=None,
    create_graph=False,
    only_inputs=True,  # torch ignores it
    allow_unused=None,
    is_grads_batched=False,
    materialize_grads=False,
):
    """The gradients of the inputs."""
    _refuse_graph_of_gradients(create_graph)
    inputs = inputs if isinstance(inputs, paddle.Tensor) else [*inputs]
    distinct = {id(each): each for each in inputs} if isinstance(inputs, list) else {}
    if isinstance(inputs, list) and len(distinct) < len(inputs):  # Paddle's grad takes each once
        options = (retain_graph, create_graph, only_inputs, allow_unused, is_grads_batched, materialize_grads)
        found = dict(zip(distinct, grad(outputs, [*distinct.values()], grad_outputs, *options), strict=True))
        return tuple(found[id(each)] for each in inputs)
    if is_grads_batched:
        options = (create_graph, only_inputs, allow_unused, False, materialize_grads)
        return _grads_of_batch(outputs, inputs, grad_outputs, retain_graph, options)
    every = [outputs] if isinstance(outputs, paddle.Tensor) else outputs
    _refuse_unfit_gradients(every, [grad_outputs] if isinstance(grad_outputs, paddle.Tensor) else grad_outputs)
    wanted = [inputs] if isinstance(inputs, paddle.Tensor) else [*inputs]
    if _running.partial:
        if create_graph:
            raise NotImplementedError("Paddle's grad records nothing in a backward pass that grad runs")
        _pass_once(every)
        found = _by_backward(every, wanted, grad_outputs, bool(retain_graph))
        return _filled_up(wanted, found, allow_unused, materialize_grads)
    _refuse_second_pass(every)
    if _differentiating and not (create_graph or retain_graph) and not _differentiating.isdisjoint(_behind(every)[1]):
        found = _by_backward(every, wanted, grad_outputs, False)
        return _filled_up(wanted, found, allow_unused, materialize_grads)
    late = create_graph and any([prepare() for prepare in _before_recording])
    if late and any(each.is_complex() for each in (*every, *wanted)):
        raise RuntimeError(_TOO_LATE)  # Paddle's own are wrong
    _running.recorded += create_graph
    _running.asked.append({node.node_ptr(): True for node in map(_node_of, wanted) if node is not None})
    try:
        options = {"create_graph": create_graph, "allow_unused": True}
        with _one_grad:
            _recorded_passes.extend([True] * create_graph)
            try:
                found = _partial_pass(outputs, wanted, grad_outputs, retain_graph, **options)
            finally:
                del _recorded_passes[: int(create_graph)]
            found = _after_hooks_of_leaves(wanted, found, create_graph)
    except RuntimeError as error:
        if late and "any grad op" in str(error):
            raise RuntimeError(_TOO_LATE) from error
        raise
    finally:
        _running.asked.pop()
        if not _running.asked:
            _running.fresh.clear()
    return _filled_up(wanted, found, allow_unused, materialize_grads)


def _partial_pass(*args, **options):
    _running.partial += 1
    try:
        return paddle.grad(*args, **options)
    finally:
        _running.partial -= 1


def _refuse_unfit_gradients(outputs, gradients):
    """Refuse what Paddle does not: it takes ones where nothing is given, and reads beyond what is too short."""
    given = [None] * len(outputs) if gradients is None else [*gradients]
    if len(given) != len(outputs):
        raise RuntimeError(f"got {len(outputs)} tensors and {len(given)} gradients")
    for at, (output, gradient) in enumerate(zip(outputs, given)):
        if output.stop_gradient:
            raise RuntimeError(f"element {at} of tensors does not require grad and does not have a grad_fn")
        if gradient is None and output.size != 1:
            raise RuntimeError("grad can be implicitly created only for scalar outputs")
        if gradient is not None and gradient.shape != output.shape:
            raise RuntimeError(
                f"Mismatch in shape: grad_output[{at}] has a shape of {gradient.shape} "
                f"and output[{at}] has a shape of {output.shape}."
            )


def _pass_once(outputs):
    """Refuse what would end the process: a pass here goes through all of the graph, and lets go of
    what Python's steps keep, which others may need."""
    python = _behind(outputs)[1]
    if not _running.fresh.issuperset(python):
        raise NotImplementedError(
            "under Paddle, grad in a backward pass that grad runs goes once through autograd functions, "
            "and not through those that were called before the pass"
        )
    _running.fresh.difference_update(python)


def _grads_of_batch(outputs, inputs, batches, retain_graph, options):
    """Those of each gradient along the first dimension, one after the other."""
    batches = [batches] if isinstance(batches, paddle.Tensor) else batches
    length = next(len(each) for each in batches if each is not None)
    every = zip(*([None] * length if each is None else each.unbind() for each in batches))
    rows = [grad(outputs, inputs, next(every), length > 1 or retain_graph, *options)]
    further = _of_same_graph if not options[0] and not _running.partial else _rows_one_by_one
    rows += further(outputs, inputs, every, length - 1, retain_graph, options)
    return tuple(None if column[0] is None else paddle.stack(column) for column in zip(*rows))


def _rows_one_by_one(outputs, inputs, every, length, retain_graph, options):
    return [grad(outputs, inputs, row, at < length - 1 or retain_graph, *options) for at, row in enumerate(every)]


@_raising_as_it_is
def _of_same_graph(outputs, inputs, every, length, retain_graph, options):
    """As grad, which has seen that the outputs and inputs are fit for it, gives for further gradients."""
    outputs = [outputs] if isinstance(outputs, paddle.Tensor) else [*outputs]
    wanted = [inputs] if isinstance(inputs, paddle.Tensor) else [*inputs]
    _running.asked.append({node.node_ptr(): True for node in map(_node_of, wanted) if node is not None})
    try:
        with _one_grad:
            rows = [
                _partial_pass(outputs, wanted, [*row], at < length - 1 or bool(retain_graph), allow_unused=True)
                for at, row in enumerate(every)
            ]
            rows = [_after_hooks_of_leaves(wanted, row, False) for row in rows]
    finally:
        _running.asked.pop()
        if not _running.asked:
            _running.fresh.clear()
    return [_filled_up(wanted, found, True, options[-1]) for found in rows]


def _filled_up(wanted, found, allow_unused, materialize):
    if materialize:
        found = [paddle.zeros_like(i) if g is None else g for i, g in zip(wanted, found)]
    if not allow_unused and any(each is None for each in found):
        raise RuntimeError("One of the differentiated Tensors appears to not have been used in the graph.")
    return tuple(found)


def _by_backward(outputs, inputs, gradients, retain_graph):
    """The gradients of inputs by a pass that adds up those of all leaves, which keep what they had."""
    own = {_end_of(each) for each in inputs if each.is_leaf}
    others = _leaves_at([end for end in _behind(outputs)[0] if end not in own])
    leaves = [*others, *(each for each in inputs if each.is_leaf)]
    kept = [None if each.grad is None else each.grad.clone() for each in leaves]
    found, hooks = {}, []
    for at, each in enumerate(inputs):
        if not each.is_leaf:
            hooks.append(each.register_hook(functools.partial(found.__setitem__, at)))
    for each in leaves:
        each.grad = None
    _running.asked.append(None)  # of this pass all is asked for
    try:
        given = [gradients] if isinstance(gradients, paddle.Tensor) else gradients
        paddle.autograd.backward(outputs, given if given is None else [*given], retain_graph)
        for at, each in enumerate(inputs):
            if each.is_leaf and each.grad is not None:
                found[at] = each.grad.clone()
    finally:
        _running.asked.pop()
        for hook in hooks:
            hook.remove()
        for each, before in zip(leaves, kept, strict=True):
            each.grad = before
    return [found[at].detach() if at in found else None for at in range(len(inputs))]


_leaves: weakref.WeakValueDictionary = weakref.WeakValueDictionary()  # by the node that adds up a gradient


def _behind(outputs):
    """Of the graph of tensors: the nodes that add up gradients, and those that Python computes."""
    todo, seen, ends, python = [*map(_node_of, outputs)], set(), [], []
    while todo:
        node = todo.pop()
        if node is None or node.node_ptr() in seen:
            continue
        seen.add(node.node_ptr())
        name = node.name()
        if name == "GradNodeAccumulation":
            ends.append(node.node_ptr())
        if name.startswith("GradNodePyLayer"):
            python.append(node.node_ptr())
        todo += node.next_functions
    return ends, python


def _near_tensors():
    """Those that running functions name, or that have their modules, optimizers, lists and dictionaries: most leaves
    are among them, and all tensors of a process take long to look through."""
    frame = sys._getframe(1)
    while frame is not None:
        for value in frame.f_locals.values():
            if isinstance(value, paddle.nn.Layer) and "_parameters" in vars(value):
                yield from paddle.nn.Layer.parameters(value)
            elif isinstance(value, (list, tuple, dict)) and len(value) < 1000:
                yield from [*value.values()] if isinstance(value, dict) else [*value]
            else:
                yield value
                groups = getattr(value, "__dict__", {}).get("param_groups")  # of an optimizer
                for group in groups if isinstance(groups, list) else ():
                    yield from [*group.get("params", ())] if isinstance(group, dict) else ()
        frame = frame.f_back


def _tensors_of_process():
    """All tensors that Python code can reach: garbage collection does not know them itself."""
    yield from gc.get_referents(*gc.get_objects())
    for frame in sys._current_frames().values():
        while frame is not None:
            yield from frame.f_locals.values()
            frame = frame.f_back


def _end_of(leaf):
    """The node that adds up its gradient; 0 for a leaf that no graph has."""
    node = _node_of(leaf)
    return 0 if node is None else node.node_ptr()


def _leaves_at(ends):
    def known(end):
        leaf = _leaves.get(end)
        return leaf if leaf is not None and _end_of(leaf) == end else None

    for tensors in (_near_tensors, _tensors_of_process):
        if all(known(end) is not None for end in ends):
            break
        for each in tensors():
            if isinstance(each, paddle.Tensor) and each.is_leaf and not each.stop_gradient:
                _leaves[_end_of(each)] = each
    return [leaf for leaf in map(known, ends) if leaf is not None]


def _grad_of_all(outputs, inputs, gradients, retain_graph):
    _running.asked.append(None)
    try:
        with _one_grad:
            return _partial_pass(outputs, inputs, gradients, retain_graph, allow_unused=True)
    finally:
        _running.asked.pop()


@_raising_as_it_is
def _add_gradients(outputs, gradients, retain_graph, create_graph, inputs):
    """Add the gradients of the outputs up in the leaves, or in the inputs."""
    _refuse_graph_of_gradients(create_graph)
    _refuse_unfit_gradients(outputs, gradients)
    kept = create_graph or retain_graph
    ends, python = _behind(outputs) if kept and inputs is None else ((), False)
    _refuse_second_pass(outputs)
    if inputs is None and not python and not create_graph:
        return paddle.autograd.backward(outputs, gradients, bool(retain_graph))
    # Paddle's own pass lets go of what Python's steps keep, whether the graph is retained or not.
    inputs = _leaves_at(ends) if inputs is None else [inputs] if isinstance(inputs, paddle.Tensor) else [*inputs]
    if create_graph:
        options = {"create_graph": True, "allow_unused": True}
        found = grad(outputs, inputs, gradients, retain_graph, **options) if inputs else ()
    elif _running.partial:
        found = _by_backward(outputs, inputs, gradients, bool(retain_graph))
    else:
        found = _grad_of_all(outputs, inputs, gradients, retain_graph) if inputs else []
    pairs = [(each, g) for each, g in zip(inputs, found, strict=True) if g is not None]
    if create_graph:
        for each, g in pairs:
            before = _grad(each)
            _set_grad(each, g if before is None else before + g)
        return
    for each, g in [pair for pair in pairs if not pair[0].is_leaf]:
        each.grad = g if each.grad is None else each.grad + g
    if pairs := [pair for pair in pairs if pair[0].is_leaf]:
        paddle.autograd.backward(*map(list, zip(*pairs)))


def backward(
    tensors, grad_tensors=None, retain_graph=None, create_graph=False, grad_variables=None, inputs=None
):
    """Add the gradients of tensors up in the leaves of their graph."""
    outputs = [tensors] if isinstance(tensors, paddle.Tensor) else [*tensors]
    given = grad_variables if grad_tensors is None else grad_tensors
    given = [given] if isinstance(given, paddle.Tensor) else given and [*given]
    _add_gradients(outputs, given, retain_graph, create_graph, inputs)


def _backward_as_in_torch(self, gradient=None, retain_graph=None, create_graph=False, inputs=None):
    if isinstance(gradient, (tuple, list)):
        gradient = gradient[0]
    given = None if gradient is None else [gradient]
    _add_gradients([self], given, retain_graph, create_graph, inputs)


_methods(backward=_backward_as_in_torch)
