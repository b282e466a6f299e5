import paddle

from .errors_in_backward import grad
from .gradcheck import _differentiable, _tensors, gradcheck
from .noted import _note


def gradgradcheck(
    func,
    inputs,
    grad_outputs=None,
    *,
    eps=1e-6,
    atol=1e-5,
    rtol=1e-3,
    gen_non_contig_grad_outputs=False,
    raise_exception=True,
    nondet_tol=0.0,
    check_undefined_grad=True,
    check_grad_dtypes=False,
    check_batched_grad=False,
    check_fwd_over_rev=False,
    check_rev_over_rev=True,
    fast_mode=False,
    masked=False,
):
    """Whether the gradients of func's gradients agree with central differences."""
    _note("torch.autograd.gradgradcheck")
    if not check_fwd_over_rev and not check_rev_over_rev:
        raise AssertionError("Expected at least one of check_fwd_over_rev and check_rev_over_rev")
    inputs = (inputs,) if isinstance(inputs, paddle.Tensor) else tuple(inputs)
    outputs = [each for each in _tensors(func(*inputs)) if _differentiable(each)]
    if grad_outputs is None:
        seeds = [paddle.randn(each.shape, each.dtype) for each in outputs]
    else:
        seeds = [each.detach().clone() for each in _tensors(grad_outputs)]
    for seed in seeds:
        seed.stop_gradient = False

    def gradients(*args):
        own, given = args[: len(inputs)], args[len(inputs) :]
        sources = [each for each in own if _differentiable(each)]
        found = [each for each in _tensors(func(*own)) if _differentiable(each)]
        told = grad(found, sources, list(given), create_graph=True, allow_unused=True)
        return tuple(each for each in told if each is not None)

    return gradcheck(
        gradients,
        (*inputs, *seeds),
        eps=eps,
        atol=atol,
        rtol=rtol,
        raise_exception=raise_exception,
        nondet_tol=nondet_tol,
        check_grad_dtypes=check_grad_dtypes,
        check_forward_ad=check_fwd_over_rev,
        check_backward_ad=check_rev_over_rev,
    )
