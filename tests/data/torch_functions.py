"""Small functions whose answers torch and the families of pieces must share; one line each.

Run by tests/test_unit_pieces.py: `python torch_functions.py`, or with the path of a unit to run
under Paddle's proxy.
"""

import sys

if len(sys.argv) > 1:
    import runpy

    import paddle

    paddle.enable_compat()
    runpy.run_path(sys.argv[1])

import torch
import torch.nn.functional

n = 0


def show(f):
    global n
    n += 1
    lines = {
        frame.f_lineno for frame in (sys._getframe(1), sys._getframe(1).f_back or sys._getframe(1))
    }
    where = f"{n} line {max(lines)}"
    try:
        print(where, "ok", f())
    except BaseException as e:
        print(where, type(e).__name__, repr(str(e)))


# small functions, by homes
def plain(value):
    """What a result holds: dtype, shape and values to some digits, whichever framework made it."""
    if isinstance(value, torch.Tensor):
        dtype = str(value.dtype).rpartition(".")[2]
        if "complex" in dtype:
            values = torch.view_as_real(value.resolve_conj())
        else:
            values = value.double() if value.dtype != torch.bool else value
        listed = values.reshape([-1]).tolist()
        digits = 2 if "16" in dtype and value.is_floating_point() else 4
        return [
            dtype,
            list(value.shape),
            [round(float(f"{each:.{digits}g}"), 6) + 0.0 for each in listed],
        ]
    if isinstance(value, (list, tuple)):
        return [type(value).__name__, *(plain(each) for each in value)]
    return value


def shown(*operations):
    for operation in operations:
        show(lambda: plain(operation()))


def slope(function, *values):
    """The gradients of the sum of what a function gives."""
    inputs = [torch.tensor(value, requires_grad=True) for value in values]
    made = function(*inputs)
    weights = torch.arange(1, made.numel() + 1).reshape(made.shape).to(made.dtype)
    return list(torch.autograd.grad((made * weights).sum(), inputs))


def written(operation, values, *arguments, **options):
    """A tensor after a method in place, whether it is what the method gives, and the gradient."""
    start = torch.tensor(values)
    same = operation(start, *arguments, **options)
    found = [start.tolist() == same.tolist(), start]
    if name not in ("arcsinh_", "arctanh_", "arccosh_"):  # torch has no derivative there
        leaf = torch.tensor(values, requires_grad=True)
        copy = leaf * 1.0
        operation(copy, *arguments, **options)
        found.append(torch.autograd.grad((copy * copy).sum(), leaf)[0])
    return found


def refused(operation):
    try:
        return plain(operation())
    except Exception as error:
        return isinstance(error, RuntimeError)


F = torch.nn.functional
pos = torch.tensor([0.25, 0.5, 0.75])
row = torch.tensor([-1.5, 0.0, 2.5])
ints = torch.tensor([-3, 0, 4])
half = torch.tensor([-1.5, 0.5, 2.0]).half()
mat = torch.tensor([[1.0, 2.0], [3.0, 5.0]])
imat = torch.tensor([[1, 2], [3, 5]])
z = torch.tensor([1 + 2j, -1j])
none = torch.zeros([0])
one = torch.tensor(0.5)

# dtypes
show(lambda: torch.promote_types(torch.uint8, torch.int8) == torch.int16)
show(lambda: torch.promote_types(torch.float16, torch.bfloat16) == torch.float32)
show(lambda: torch.promote_types(type1=torch.int64, type2=torch.float16) == torch.float16)
show(lambda: torch.promote_types(torch.float64, torch.complex64) == torch.complex128)
show(lambda: torch.result_type(ints, 1.5) == torch.float32)
show(lambda: torch.result_type(half, 2.5) == torch.float16)
show(lambda: torch.result_type(torch.tensor(1.0).double(), half) == torch.float16)
show(lambda: torch.result_type(ints, torch.tensor(1.0).double()) == torch.float64)
show(lambda: torch.result_type(True, 1) == torch.int64)
show(lambda: torch.result_type(ints.int(), 3) == torch.int32)
show(lambda: torch.can_cast(torch.int32, torch.float16))
show(lambda: [torch.can_cast(torch.float32, torch.int64), torch.can_cast(torch.int8, torch.bool)])
# pointwise
for name in ("absolute", "arctan", "arcsinh", "erfc", "exp2", "fix", "conj_physical"):
    function = getattr(torch, name)
    method = getattr(torch.Tensor, name)
    for each in (row, ints, half, none, one, ints.int()):
        shown(lambda: function(each))
    shown(
        lambda: method(row), lambda: function(input=row), lambda: slope(function, [-1.5, 0.3, 2.5])
    )
for name in ("arccos", "arcsin", "arctanh"):
    function = getattr(torch, name)
    for each in (pos, torch.tensor([0, 1]), half, none, one, torch.tensor([True, False])):
        shown(lambda: function(each))
    shown(lambda: getattr(pos, name)(), lambda: slope(function, [-0.5, 0.25]))
shown(lambda: torch.arccosh(pos + 1), lambda: torch.arccosh(torch.tensor([1, 2])))
shown(lambda: (pos + 1).arccosh(), lambda: slope(torch.arccosh, [1.5, 3.0]))
shown(lambda: torch.erfc(torch.tensor([-5.0, 0.4, 0.6, 3.0, 5.0])) * 1e10)
shown(lambda: torch.erfc(torch.tensor([-float("inf"), float("inf"), float("nan")])))
shown(lambda: torch.erfc(torch.tensor([0.0, 9.0]).double()) * 1e37)
shown(lambda: slope(torch.erfc, [-1.0, 0.0, 0.5, 2.0]))
shown(lambda: torch.exp2(torch.tensor([3, -1, 0])), lambda: torch.conj_physical(z))
shown(lambda: z.conj_physical(), lambda: torch.absolute(z), lambda: z.resolve_conj())
shown(lambda: refused(lambda: torch.tensor([True]).positive()), lambda: row.positive())
for function in (torch.addcmul, torch.addcdiv):
    shown(lambda: function(row, pos, row + 3), lambda: function(row, pos, row + 3, value=0.5))
    shown(lambda: function(mat, mat[:1], mat[:, 1:]), lambda: function(half, half, half, value=2))
    shown(lambda: function(one, one, one), lambda: function(none, none, none))
    shown(lambda: slope(function, [1.0, 2.0], [3.0, 4.0], [5.0, 8.0]))
    shown(lambda: refused(lambda: function(ints, ints, ints + 1)))
shown(lambda: row.addcmul(pos, row, value=-1), lambda: row.addcdiv(pos, pos))
shown(lambda: torch.clamp_min(row, 0.0), lambda: row.clamp_min(min=1), lambda: ints.clamp_min(0))
shown(lambda: ints.clamp_min(0.5), lambda: torch.clamp_max(row, max=0), lambda: half.clamp_max(1))
shown(lambda: row.clamp_max(pos), lambda: torch.clamp_min(mat, torch.tensor([2.0, 4.0])))
shown(lambda: slope(lambda v: v.clamp_min(0.0), [-1.0, 0.0, 2.0]))
shown(lambda: slope(torch.clamp_max, [-1.0, 0.5, 2.0], [0.0, 0.5, 1.0]))
shown(lambda: torch.clamp_min(torch.tensor([float("nan"), 1.0]), 2.0))
shown(lambda: torch.arctan2(row, pos), lambda: ints.arctan2(other=ints + 1))
shown(lambda: slope(torch.arctan2, [1.0, 2.0], [3.0, -4.0]))
shown(lambda: torch.float_power(row, 2), lambda: torch.float_power(2, ints))
shown(lambda: ints.float_power(torch.tensor(0.5)), lambda: half.float_power(exponent=2))
shown(lambda: torch.fmod(torch.tensor([-5.5, 5.5, 7.0]), 2), lambda: ints.fmod(2))
shown(lambda: torch.fmod(torch.tensor([-5, 5]), torch.tensor([3, -3])), lambda: half.fmod(1))
shown(lambda: torch.fmod(row, other=pos), lambda: torch.fmod(ints, 1.5), lambda: one.fmod(0.3))
shown(lambda: slope(torch.fmod, [-5.5, 7.0], [2.0, 3.0]))
shown(lambda: torch.hardshrink(row), lambda: row.hardshrink(lambd=2), lambda: half.hardshrink())
shown(
    lambda: torch.logaddexp2(row, pos),
    lambda: pos.logaddexp2(row),
    lambda: torch.logaddexp2(half, half),
)
shown(lambda: slope(torch.logaddexp2, [1.0, 2.0], [3.0, -4.0]))
shown(lambda: torch.mvlgamma(pos + 3, 2), lambda: (pos + 3).mvlgamma(p=3))
shown(lambda: slope(lambda v: torch.mvlgamma(v, 2), [2.5, 3.0]))
shown(
    lambda: torch.prelu(row, torch.tensor([0.5])), lambda: mat.neg().prelu(torch.tensor([0.5, 2.0]))
)
shown(
    lambda: torch.prelu(-one, torch.tensor(0.5)),
    lambda: torch.prelu(half, torch.tensor([0.5]).half()),
)
shown(lambda: slope(torch.prelu, [[-1.0, 2.0], [0.0, -3.0]], [0.5, 2.0]))
shown(lambda: row.resolve_conj(), lambda: torch.resolve_neg(row))
zeros = torch.tensor([0.0, 0.0, 2.0, 1.0, 0.0, 0.0])
others = torch.tensor([0.0, 2.0, 3.0, 0.0, float("inf"), float("nan")])
shown(lambda: torch.xlogy(zeros, others), lambda: zeros.xlogy(2), lambda: torch.xlogy(2, pos))
shown(lambda: ints.xlogy(ints * ints), lambda: slope(torch.xlogy, [1.0, 0.0], [2.0, 3.0]))
# in place
for name in (
    *("absolute_", "arctan_", "arcsinh_", "erfc_", "exp2_", "fix_", "conj_physical_", "expm1_"),
    *("sign_", "sgn_", "erf_", "negative_", "relu_", "deg2rad_", "rad2deg_"),
):
    shown(lambda: written(getattr(torch.Tensor, name), [-1.5, 0.5, 2.5]))
for name in ("arccos_", "arcsin_", "arctanh_"):
    shown(lambda: written(getattr(torch.Tensor, name), [-0.5, 0.25]))
name = "arccosh_"
shown(lambda: written(torch.Tensor.arccosh_, [1.5, 3.0]))
for name in (
    *("arctan_", "exp2_", "erfc_", "fix_", "negative_", "relu_", "deg2rad_", "rad2deg_"),
    *("ceil_", "exp_", "floor_", "round_", "sigmoid_", "zero_", "detach_", "conj_physical_"),
):
    shown(lambda: getattr(torch, name)(torch.tensor([-1.6, 0.4, 2.4])))
for name in ("sqrt_", "rsqrt_", "reciprocal_", "arccos_", "arcsin_", "arctanh_", "arcsinh_"):
    shown(lambda: getattr(torch, name)(torch.tensor([0.25, 0.5])))
shown(lambda: torch.arccosh_(torch.tensor([2.0])), lambda: torch.fill_(torch.ones(2), 3.0))
shown(
    lambda: torch.clamp_(torch.tensor([-1.0, 3.0]), 0, 2),
    lambda: torch.clip_(torch.tensor([-1.0, 3.0]), 0, 2),
)
shown(
    lambda: torch.clamp_min_(torch.tensor([-1.0, 3.0]), 0), lambda: torch.xlogy_(torch.ones(2), 3)
)
shown(lambda: torch.clamp_max_(torch.tensor([-1.0, 3.0]), 0))
for name in ("eq_", "ne_", "lt_", "le_", "gt_", "ge_", "greater_"):
    shown(lambda: getattr(torch.Tensor, name)(torch.tensor([1.0, 2.0, 3.0]), 2))
    shown(lambda: getattr(torch.Tensor, name)(torch.tensor([1, 2, 3]), torch.tensor(2.0)))
for name in ("atan2_", "arctan2_", "fmod_", "xlogy_", "clamp_min_", "clamp_max_"):
    shown(
        lambda: written(getattr(torch.Tensor, name), [0.5, 1.5, 2.5], torch.tensor([1.0, 2.0, 2.0]))
    )
shown(lambda: written(torch.Tensor.addcmul_, [1.0, 2.0], row[:2], pos[:2], value=2))
shown(lambda: written(torch.Tensor.addcdiv_, [1.0, 2.0], row[:2], pos[:2], value=2))
shown(lambda: written(torch.Tensor.mvlgamma_, [2.5, 3.0], 2))
shown(lambda: torch.tensor([1.0]).nextafter_(torch.tensor([2.0])) > 1)
shown(lambda: torch.tensor([-1.0, 0.0, 2.0]).heaviside_(torch.tensor([0.5])))
shown(lambda: refused(lambda: torch.tensor([1, 2]).arctan_()))
shown(lambda: refused(lambda: torch.tensor([1, 2]).clamp_min_(1.5)))
shown(lambda: refused(lambda: torch.ones(2).addcmul_(torch.ones(2, 2), torch.ones(2))))
shown(lambda: refused(lambda: torch.ones(2, requires_grad=True).exp2_()))
shown(lambda: torch.tensor([-1.5, 2.0]).half().relu_(), lambda: torch.tensor([1, -2]).negative_())


def of_part():
    whole = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
    whole[0].exp2_()
    whole[:, 1].negative_()
    return whole


shown(of_part)
# shapes and indices
place = torch.tensor([1, 0])
shown(lambda: torch.adjoint(mat + 1j * mat), lambda: mat.adjoint(), lambda: z.reshape(1, 2).H)
shown(lambda: mat.H, lambda: mat.reshape(1, 2, 2).mH, lambda: mat.half().adjoint())
shown(lambda: refused(lambda: mat.reshape(1, 2, 2).H), lambda: one.H)
shown(lambda: torch.fliplr(mat), lambda: imat.fliplr(), lambda: refused(lambda: torch.fliplr(row)))
shown(lambda: torch.flipud(row), lambda: imat.flipud(), lambda: refused(lambda: torch.flipud(one)))
shown(lambda: slope(torch.flipud, [1.0, 2.0]))
for each in (mat, imat, mat.half()):
    shown(
        lambda: torch.index_copy(each, 0, place, each * 10), lambda: each.index_copy(1, place, each)
    )
    shown(lambda: each.index_reduce(0, torch.tensor([0, 0]), each * 2, "prod"))
    shown(lambda: torch.index_reduce(each, 1, place, each * 2, "amax", include_self=False))
    shown(
        lambda: torch.put(each, place, each[0]),
        lambda: each.put(place + 2, each[0], accumulate=True),
    )
    shown(
        lambda: each.narrow_copy(1, 0, 1),
        lambda: torch.narrow_copy(each, dim=0, start=-1, length=1),
    )
    shown(
        lambda: each.clone().put_(place, each[1]),
        lambda: each.clone().index_copy_(0, place[:1], each[:1]),
    )
    shown(lambda: torch.select(each, 1, -1), lambda: torch.select(input=each, dim=0, index=1))
shown(lambda: torch.index_reduce(mat, 0, torch.tensor([0, 0]), mat, "mean"))
shown(lambda: mat.clone().index_reduce_(0, place, mat - 3, "amin", include_self=True))
shown(
    lambda: slope(
        lambda x, y: x.index_copy(0, place[:1], y), [[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0]]
    )
)
shown(lambda: slope(lambda x, y: x.put(place, y), [[1.0, 2.0], [3.0, 4.0]], [5.0, 6.0]))
shown(lambda: torch.ones(3).scatter_reduce_(0, torch.tensor([0, 0, 1]), row, "sum"))
shown(
    lambda: torch.ones(3).scatter_reduce_(
        0, torch.tensor([0, 0, 1]), row, reduce="amax", include_self=False
    )
)
shown(lambda: refused(lambda: mat.narrow_copy(0, 1, 5)))
shown(
    lambda: torch.unravel_index(torch.tensor([5, 0, 3]), (2, 3)),
    lambda: torch.unravel_index(torch.tensor(4), (3, 2)),
)
shown(lambda: list(torch.unsafe_chunk(row, 2)), lambda: list(row.unsafe_split(2)))
shown(lambda: list(mat.unsafe_chunk(2, dim=1)), lambda: list(torch.unsafe_split(mat, 1, dim=1)))
shown(
    lambda: list(torch.split_with_sizes(row, [1, 2])),
    lambda: list(row.unsafe_split_with_sizes([2, 1])),
)
# facts
shown(lambda: [torch.is_conj(row), row.is_neg(), row.is_conj()])
shown(
    lambda: [
        torch.is_nonzero(one),
        torch.tensor([0]).is_nonzero(),
        refused(lambda: row.is_nonzero()),
    ]
)
shown(
    lambda: [
        refused(lambda: torch.is_nonzero(none)),
        torch.is_same_size(row, ints),
        row.is_same_size(mat),
    ]
)
shown(lambda: [torch.is_signed(row), torch.tensor([True]).is_signed(), ints.byte().is_signed()])
shown(lambda: [row.is_cpu, row.is_meta, row.is_quantized, row.is_mps, row.is_xpu, row.is_mkldnn])
shown(lambda: [row.is_nested, row.is_xla, row.is_ipu, row.is_vulkan, row.is_mtia, row.is_maia])
shown(
    lambda: [
        row.is_shared(),
        row.is_distributed(),
        row.nbytes,
        half.nbytes,
        none.nbytes,
        mat.nelement(),
    ]
)
shown(
    lambda: [
        mat[1:].storage_offset(),
        mat[:, 1].storage_offset(),
        mat.storage_offset(),
        one.nelement(),
    ]
)
shown(
    lambda: [
        mat.const_data_ptr() == mat.data_ptr(),
        mat[1:].const_data_ptr() - mat.const_data_ptr(),
    ]
)
shown(lambda: [mat.dim_order(), torch.zeros(2, 3, 4).permute(2, 0, 1).dim_order()])
# methods
shown(
    lambda: torch.ones(3).bernoulli(),
    lambda: (row * 0).bernoulli(),
    lambda: torch.ones(2).bernoulli(0.0),
)
shown(lambda: [mat.det().dtype == torch.float32, round(mat.det().item(), 4)], lambda: row.ger(pos))
shown(lambda: list(row.new(2, 3).shape), lambda: ints.new([1, 2]), lambda: row.new().shape == (0,))
shown(lambda: list(half.new(torch.Size([2, 2])).shape), lambda: half.new(3).dtype == torch.float16)
shown(lambda: row.relu(), lambda: half.relu(), lambda: ints.relu(), lambda: none.relu())
shown(lambda: slope(lambda v: v.relu(), [-1.0, 2.0]), lambda: torch.arange(4.0).reshape_as(mat))
shown(lambda: torch.ones(2, 3, 4).sum_to_size(3, 1), lambda: torch.ones(2, 3).sum_to_size((1, 3)))
shown(lambda: row.sum_to_size(3), lambda: mat.half().sum_to_size([1]), lambda: mat.sum_to_size(()))
shown(lambda: slope(lambda v: v.sum_to_size(1, 2), [[1.0, 2.0], [3.0, 4.0]]))
# functions
shown(
    lambda: torch.detach(torch.ones(2, requires_grad=True)).requires_grad, lambda: torch.detach(row)
)
shown(
    lambda: torch.fill(row, 2),
    lambda: torch.fill(ints, torch.tensor(3)),
    lambda: torch.fill(one, 0.1),
)
shown(lambda: torch.fill(torch.tensor([float("inf")]), 1.0), lambda: torch.fill(mat.half(), 1))
buffer = bytearray(b"\x01\x00\x02\x00\x03\x00\x04\x00")
shown(
    lambda: torch.frombuffer(buffer, dtype=torch.int16),
    lambda: torch.frombuffer(buffer, dtype=torch.uint8, count=3, offset=2),
)
shown(
    lambda: torch.frombuffer(buffer, dtype=torch.int32, offset=4),
    lambda: torch.frombuffer(buffer, dtype=torch.bfloat16).shape[0],
)
shown(lambda: torch.scalar_tensor(2), lambda: torch.scalar_tensor(True, dtype=torch.int64))
shown(lambda: torch.scalar_tensor(1.5, dtype=torch.float64, requires_grad=True).requires_grad)
shown(
    lambda: torch.rsub(row, 1),
    lambda: torch.rsub(ints, ints, alpha=2),
    lambda: torch.rsub(half, 1.5),
)
for function in (torch.std_mean, torch.var_mean):
    shown(
        lambda: list(function(mat)),
        lambda: list(function(mat, 0)),
        lambda: list(function(mat, dim=1, keepdim=True)),
    )
    shown(
        lambda: list(function(mat, False)), lambda: list(function(mat, dim=(0, 1), unbiased=False))
    )
    shown(lambda: list(function(mat, dim=0, correction=0)), lambda: list(function(half)))
    shown(lambda: slope(lambda v: function(v, 0)[0] + function(v, 0)[1], [[1.0, 2.0], [3.0, 7.0]]))
    shown(lambda: list(function(torch.tensor([2.0]))))
shown(
    lambda: torch.trapz(row), lambda: torch.trapz(row, pos), lambda: torch.trapz(mat, dx=0.5, dim=0)
)
shown(lambda: torch.chain_matmul(mat, mat, mat), lambda: torch.is_storage(row))


def seeded():
    torch.manual_seed(1234)
    return torch.initial_seed()


def precisions():
    torch.set_float32_matmul_precision("high")
    found = torch.get_float32_matmul_precision()
    torch.set_float32_matmul_precision(precision="highest")
    return found, torch.get_float32_matmul_precision()


def defaults():
    torch.set_default_tensor_type("torch.DoubleTensor")
    found = (
        torch.ones(1).dtype == torch.float64,
        torch.ones(1, dtype=torch.int64).arctan().dtype == torch.float64,
    )
    torch.set_default_tensor_type("torch.FloatTensor")
    return found, torch.ones(1).dtype == torch.float32


shown(seeded, precisions, defaults)
shown(lambda: [row.dtype == torch.float32 for row in (torch.exp2(ints), torch.erfc(ints))])
# matrices
sym = torch.tensor([[4.0, 2.0], [2.0, 3.0]])
shown(
    lambda: torch.addmv(row[:2], mat, row[1:]),
    lambda: row[:2].addmv(mat, row[1:], beta=0.5, alpha=2),
)
shown(lambda: torch.addmv(one, mat, row[1:]), lambda: ints[:2].addmv(imat, ints[1:]))
shown(lambda: torch.addmv(torch.tensor([float("nan"), 1]), mat, row[1:], beta=0))
shown(
    lambda: row[:2].clone().addmv_(mat, row[1:]),
    lambda: torch.addmv_(row[:2].clone(), mat, row[1:]),
)
shown(
    lambda: torch.addr(mat, row[1:], pos[1:]), lambda: mat.addr(row[1:], pos[1:], beta=2, alpha=0.5)
)
shown(lambda: imat.addr(ints[1:], ints[1:]), lambda: mat.clone().addr_(row[1:], pos[1:]))
shown(lambda: torch.addbmm(mat, torch.stack([mat, mat]), torch.stack([mat, mat])))
shown(lambda: mat.clone().addbmm_(torch.stack([mat, mat]), torch.stack([mat, mat]), alpha=2))
shown(lambda: slope(torch.addmv, [1.0, 2.0], [[1.0, 2.0], [3.0, 5.0]], [3.0, 4.0]))
shown(
    lambda: torch.vdot(row, pos),
    lambda: torch.vdot(z, z + 1),
    lambda: ints.vdot(ints),
    lambda: half.vdot(half),
)
shown(lambda: slope(torch.vdot, [1.0, 2.0], [3.0, 4.0]))
for each in (mat, imat, mat.half(), one):
    shown(lambda: list(torch.aminmax(each)), lambda: list(each.aminmax(dim=0, keepdim=True)))
shown(lambda: [torch.aminmax(row).min, row.aminmax().max], lambda: list(mat.aminmax(dim=1)))
shown(
    lambda: torch.histc(row, 4),
    lambda: row.histc(bins=3, min=-1, max=3),
    lambda: torch.histc(mat, 2, 1, 4),
)
shown(lambda: torch.logdet(sym), lambda: mat.logdet(), lambda: torch.logdet(mat * 0))
shown(lambda: slope(lambda v: v.logdet(), [[2.0, 1.0], [1.0, 3.0]]))
shown(
    lambda: [*torch.slogdet(-sym[:1, :1])],
    lambda: torch.slogdet(torch.stack([sym, sym * 2])).logabsdet,
)
shown(lambda: torch.matrix_exp(mat * 0.1), lambda: (mat * 0.1).matrix_exp())
shown(
    lambda: torch.svd(mat).S,
    lambda: torch.svd(torch.ones(3, 2))[1].shape == (2,),
    lambda: [list(v.shape) for v in torch.svd(torch.ones(3, 2), some=False)],
)


def rebuilt():
    u, s, v = (mat + 1).svd()
    return u @ torch.diag(s) @ v.t()


shown(rebuilt, lambda: torch.svd(mat, compute_uv=False).U, lambda: torch.matrix_power(mat, 3))
low = torch.linalg.cholesky(sym)
shown(lambda: torch.cholesky_solve(mat, low), lambda: torch.cholesky_inverse(low))
shown(
    lambda: torch.qr(mat).R.abs(),
    lambda: torch.qr(mat)[0].abs(),
    lambda: torch.cov(mat),
    lambda: torch.corrcoef(mat + sym),
)
shown(lambda: torch.cov(row), lambda: torch.cov(mat, correction=0))
shown(
    lambda: torch.triangular_solve(mat, sym)[0],
    lambda: mat.triangular_solve(sym, upper=False).solution,
)
# torch.linalg
shown(
    lambda: torch.linalg.solve_triangular(sym, mat, upper=True),
    lambda: torch.linalg.solve_triangular(sym, mat, upper=False),
)
shown(
    lambda: torch.linalg.solve_triangular(sym, mat, upper=True, left=False),
    lambda: torch.linalg.solve_triangular(sym, mat, upper=True, unitriangular=True),
)
shown(
    lambda: slope(
        lambda a, b: torch.linalg.solve_triangular(a, b, upper=False),
        [[2.0, 0.0], [1.0, 3.0]],
        [[1.0], [2.0]],
    )
)
both = torch.stack([mat, mat * 0])
shown(
    lambda: torch.linalg.inv_ex(mat),
    lambda: torch.linalg.inv_ex(both).info,
    lambda: torch.linalg.inv_ex(both)[0][0],
)
shown(
    lambda: torch.linalg.cholesky_ex(sym),
    lambda: torch.linalg.cholesky_ex(torch.stack([sym, -sym])).info,
)
shown(
    lambda: torch.linalg.cholesky_ex(sym, upper=True).L, lambda: torch.linalg.cholesky_ex(mat).info
)


def singular():
    try:
        torch.linalg.inv_ex(mat * 0, check_errors=True)
    except torch.linalg.LinAlgError as error:
        return isinstance(error, RuntimeError)


shown(singular, lambda: torch.linalg.vander(row), lambda: torch.linalg.vander(imat, N=3))
shown(lambda: [*torch.linalg.lu_factor(mat)], lambda: [*torch.linalg.lu_factor_ex(mat)])
# layers
image = torch.arange(48.0).reshape(1, 4, 3, 4) % 7
line = torch.tensor([[[1.0, 5.0, 2.0, 4.0, 3.0, 0.0]]])
cube = torch.arange(64.0).reshape(1, 1, 4, 4, 4) % 11
table = torch.tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
places = torch.tensor([[2, 0], [1, 2]])
shown(
    lambda: torch.embedding(table, places),
    lambda: torch.embedding(table.half(), places[0], padding_idx=2),
)
shown(lambda: slope(lambda v: torch.embedding(v, places, 1), [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]))
kept, spread = torch.zeros(4), torch.ones(4)
scale, shift = torch.tensor([1.0, 2.0, 0.5, 1.0]), torch.tensor([0.0, 1.0, 0.0, 2.0])
shown(
    lambda: torch.batch_norm(image, scale, shift, kept, spread, True, 0.1, 1e-5, False),
    lambda: kept,
    lambda: spread,
)
shown(lambda: torch.batch_norm(image, None, None, kept, spread, False, 0.1, 1e-5, False))
shown(lambda: torch.batch_norm(table, None, shift[:2], None, None, True, 0.1, 1e-3, False))
shown(lambda: torch.instance_norm(image, scale, shift, None, None, True, 0.1, 1e-5, False))
shown(lambda: torch.instance_norm(line, None, None, None, None, True, 0.1, 1e-5, True))
shown(
    lambda: slope(
        lambda v: torch.batch_norm(v, None, None, None, None, True, 0.1, 1e-3, False),
        [[1.0, 2.0], [3.0, 5.0], [0.0, 1.0]],
    )
)
shown(lambda: torch.dropout(row, 0.5, False), lambda: torch.dropout(input=row, p=0.0, train=True))
shown(lambda: torch.dropout(half, 1.0, True), lambda: torch.alpha_dropout(row, 0.5, False))
shown(lambda: set(torch.dropout(torch.ones(200), 0.5, train=True).tolist()) == {0.0, 2.0})
shown(lambda: torch.dropout_(row.clone(), 1.0, True))
shown(
    lambda: torch.celu(row),
    lambda: torch.celu(half, alpha=2.0),
    lambda: torch.selu(row),
    lambda: torch.rrelu(row),
)
shifted = torch.tensor([-1.0, -0.5, 0.25, 7.0])
LAYERS = "ReLU LeakyReLU ELU CELU SELU ReLU6 Mish Hardtanh Hardswish Hardsigmoid".split()


def in_place(function):
    changed = shifted.clone()
    view = changed[1:]
    return function(changed), changed, view


def doubled(function):
    def loss(x):
        made = x * 2
        function(made)
        return made * made

    return slope(loss, [-1.0, -0.5, 0.25, 7.0])


for name in LAYERS:
    layer = getattr(torch.nn, name)
    shown(lambda: layer()(shifted), lambda: in_place(layer(inplace=True)), lambda: layer().inplace)
    shown(lambda: doubled(layer(inplace=True)))
    shown(lambda: refused(lambda: layer(inplace=True)(shifted.clone().requires_grad_(True))))
shown(
    lambda: torch.nn.Hardtanh(-2.0, 0.5)(shifted),
    lambda: torch.nn.LeakyReLU(0.5, True)(shifted.clone()),
    lambda: torch.nn.ELU(2.0, True)(shifted.clone()),
)
shown(
    lambda: torch.celu_(row.clone()),
    lambda: F.selu_(row.clone()),
    lambda: F.celu_(row.clone(), 0.5),
    lambda: torch.selu_(half.clone()),
)
shown(lambda: F.rrelu_(row.clone()), lambda: torch.rrelu_(row.clone(), 0.2, 0.2))
shown(
    lambda: torch.threshold(row, 0.0, 20.0),
    lambda: F.threshold(ints, 1, -2),
    lambda: F.threshold(row, threshold=0, value=1, inplace=False),
)
shown(
    lambda: [F.threshold(v := row.clone(), 0.5, 9, True).tolist(), v.tolist()],
    lambda: F.threshold_(row.clone(), 1, 7),
)
shown(
    lambda: torch.threshold_(half.clone(), 1, 7),
    lambda: slope(lambda v: torch.threshold(v, 0.0, 1.0), [-1.0, 2.0]),
)
shown(
    lambda: F.softmin(row, dim=0),
    lambda: F.softmin(mat, 1),
    lambda: F.softmin(half, dim=-1, dtype=torch.float32),
)
shown(
    lambda: torch.pixel_shuffle(image, 2),
    lambda: torch.pixel_unshuffle(torch.arange(16.0).reshape(1, 4, 4), downscale_factor=2),
)
shown(lambda: torch.pixel_shuffle(image[0].half(), 2), lambda: torch.channel_shuffle(image, 2))
shown(
    lambda: torch.bilinear(
        table, table + 1, torch.arange(8.0).reshape(2, 2, 2), torch.tensor([1.0, -1.0])
    )
)
shown(lambda: torch.bilinear(row[:2], pos[:2], torch.ones(1, 2, 2)))
grid = torch.tensor([[[[-1.0, -1.0], [0.25, 0.5], [1.2, 0.0]]]])
for mode in (0, 1):
    for outside in (0, 1, 2):
        shown(
            lambda: torch.grid_sampler(image, grid, mode, outside, True),
            lambda: torch.grid_sampler(image, grid, mode, outside, False),
        )
kernel = torch.arange(1.0, 17.0).reshape(4, 1, 2, 2) / 4
for home in (torch, F):
    shown(
        lambda: home.conv_transpose1d(line, torch.tensor([[[1.0, 2.0]]])),
        lambda: home.conv_transpose1d(line[0], torch.tensor([[[1.0, 2.0]]]), stride=2),
    )
    shown(
        lambda: home.conv_transpose2d(image, kernel, None, 2, 1, 1, 4),
        lambda: home.conv_transpose2d(image[0], kernel, groups=4, dilation=2, bias=scale),
    )
    shown(
        lambda: home.conv_transpose3d(
            cube, torch.ones(1, 2, 2, 1, 1), torch.tensor([1.0, 2.0]), padding=(1, 0, 0)
        ).sum()
    )
shown(lambda: slope(F.conv_transpose1d, [[[1.0, 2.0]]], [[[3.0, 4.0]]]))
shown(lambda: torch.conv_transpose1d(line.half(), torch.tensor([[[1.0, 2.0]]]).half()))
shown(
    lambda: torch.max_pool1d(line, 2),
    lambda: torch.max_pool1d(line[0], 3, stride=1, padding=1),
    lambda: torch.max_pool1d(line.half(), kernel_size=2, stride=2, ceil_mode=True),
)
shown(
    lambda: torch.max_pool2d(image, 2, 1),
    lambda: torch.max_pool2d(image[0], (2, 3), padding=(1, 1)),
    lambda: torch.max_pool3d(cube, 2),
)
shown(
    lambda: F.max_pool1d_with_indices(line, 2),
    lambda: torch.max_pool1d_with_indices(line, 3, 1, 1),
    lambda: F.max_pool2d_with_indices(image, 2, return_indices=True),
)
shown(
    lambda: F.max_pool2d_with_indices(image[0], 2, 1, ceil_mode=True),
    lambda: F.max_pool3d_with_indices(cube, 2),
)
shown(
    lambda: F.adaptive_max_pool1d_with_indices(line, 2),
    lambda: torch.adaptive_max_pool1d(line[0], 3),
)
shown(
    lambda: F.adaptive_max_pool2d_with_indices(image, (2, 2)),
    lambda: F.adaptive_max_pool3d_with_indices(cube, 2),
)
shown(lambda: slope(lambda v: torch.max_pool1d(v, 2), [[[1.0, 3.0, 2.0, 0.0]]]))
shown(
    lambda: torch.avg_pool1d(line, 2),
    lambda: torch.avg_pool1d(line[0], 3, 1, 1),
    lambda: torch.avg_pool1d(line, 3, stride=1, padding=1, count_include_pad=False),
    lambda: torch.avg_pool1d(line, 4, ceil_mode=True),
)
shown(
    lambda: F.upsample_nearest(image, scale_factor=2),
    lambda: F.upsample_nearest(line, size=3),
    lambda: F.upsample_bilinear(image, size=(2, 2)),
)
shown(lambda: F.upsample_bilinear(image, scale_factor=2))
# losses
x, y = torch.tensor([0.5, -2.0, 3.0]), torch.tensor([1.0, 0.0, 0.25])
signs = torch.tensor([1.0, -1.0, 1.0])
for how, number in (("none", 0), ("mean", 1), ("sum", 2)):
    shown(
        lambda: F.huber_loss(x, y, reduction=how),
        lambda: F.huber_loss(x, y, how, 0.3),
        lambda: F.huber_loss(half, half + 3, how),
    )
    shown(
        lambda: torch.binary_cross_entropy_with_logits(x, y, None, None, number),
        lambda: torch.binary_cross_entropy_with_logits(
            x * 40, y, weight=pos, pos_weight=pos + 1, reduction=number
        ),
    )
    shown(
        lambda: torch.kl_div(x, y, number),
        lambda: torch.kl_div(x, y, reduction=number, log_target=True),
    )
    shown(
        lambda: torch.margin_ranking_loss(x, y, signs, 0.2, number),
        lambda: torch.hinge_embedding_loss(x, signs, 1.5, number),
    )
    shown(lambda: torch.cosine_embedding_loss(mat, mat + 1, signs[:2], 0.1, number))
    shown(lambda: torch.triplet_margin_loss(mat, mat + 1, mat - 2, 1.0, 2, 1e-6, False, number))
    shown(
        lambda: torch.triplet_margin_loss(mat, mat + 1, mat - 0.5, swap=True, reduction=number, p=1)
    )
    shown(
        lambda: torch.poisson_nll_loss(x, y + 1, True, True, 1e-8, number),
        lambda: torch.poisson_nll_loss(pos, y, False, False, 1e-8, number),
    )
shown(
    lambda: torch.binary_cross_entropy_with_logits(x, y),
    lambda: torch.kl_div(x, y),
    lambda: torch.margin_ranking_loss(x, y, signs),
)
shown(
    lambda: torch.hinge_embedding_loss(x, signs),
    lambda: torch.cosine_embedding_loss(mat, mat + 1, signs[:2]),
)
shown(lambda: torch.triplet_margin_loss(mat, mat + 1, mat - 2))
shown(lambda: F.huber_loss(x, y, weight=pos), lambda: slope(F.huber_loss, [0.5, 3.0], [0.0, 0.0]))
shown(lambda: slope(torch.binary_cross_entropy_with_logits, [0.5, -30.0], [1.0, 0.0]))
shown(
    lambda: torch.pairwise_distance(mat, mat + 1),
    lambda: torch.pairwise_distance(mat, mat[:1], p=1, keepdim=True),
    lambda: torch.pairwise_distance(row, pos, float("inf")),
)
# torch.special
S = torch.special
for name in (
    "digamma",
    "erf",
    "erfc",
    "exp2",
    "expit",
    "gammaln",
    "i0",
    "i0e",
    "i1",
    "i1e",
    "log1p",
    "psi",
    "sinc",
    "ndtr",
    "entr",
):
    shown(
        lambda: getattr(S, name)(pos),
        lambda: getattr(S, name)(ints + 4),
        lambda: getattr(S, name)(one),
        lambda: getattr(S, name)(none),
    )
    shown(lambda: slope(getattr(S, name), [0.5, 2.0]))
shown(
    lambda: S.erfinv(pos),
    lambda: S.ndtri(pos),
    lambda: S.logit(pos),
    lambda: S.logit(torch.tensor([0.0, 0.5, 2.0]), eps=0.1),
)
shown(
    lambda: S.ndtr(torch.tensor([-9.0, -3.0, 0.0, 4.0])),
    lambda: S.entr(torch.tensor([-1.0, 0.0, 0.5])),
    lambda: S.expit(half),
    lambda: S.erfinv(pos.half()),
)
shown(
    lambda: S.gammainc(pos, pos + 1),
    lambda: S.gammaincc(pos, pos + 1),
    lambda: S.multigammaln(pos + 3, 2),
    lambda: S.polygamma(1, pos),
    lambda: S.polygamma(2, input=pos),
)
shown(
    lambda: S.polygamma(0, pos),
    lambda: S.round(torch.tensor([1.2345, -2.5, 0.5])),
    lambda: S.round(torch.tensor([1.2345, -2.5]), decimals=2),
    lambda: S.round(torch.tensor([1234.0]), decimals=-2),
)
shown(
    lambda: S.xlogy(zeros, others),
    lambda: S.xlog1py(zeros, others - 1),
    lambda: S.xlog1py(2, pos),
    lambda: S.log_softmax(mat, 1),
    lambda: S.log_softmax(ints, dim=0, dtype=torch.float64),
)
# more of each
shown(
    lambda: torch.igamma(pos, pos + 1),
    lambda: pos.igammac(other=pos),
    lambda: half.abs().igamma(half.abs()),
)
shown(lambda: pos.clone().igamma_(pos), lambda: pos.clone().igammac_(pos + 2))
shown(
    lambda: S.erfcx(torch.tensor([-1.0, 0.0, 0.5, 3.0, 11.0, 60.0])),
    lambda: S.erfcx(ints),
    lambda: S.erfcx(one.double()),
)
shown(
    lambda: S.log_ndtr(torch.tensor([-30.0, -12.0, -2.0, -0.5, 0.0, 3.0])), lambda: S.log_ndtr(none)
)
shown(lambda: slope(S.erfcx, [0.5, 2.0]), lambda: slope(S.log_ndtr, [-3.0, 0.5]))
shown(
    lambda: [
        list(row.new_empty_strided((2, 3), (1, 2)).stride()),
        row.new_empty_strided((2,), (3,), dtype=torch.int64).dtype == torch.int64,
    ]
)
shown(
    lambda: [
        torch.empty_strided((2, 3), (3, 1)).is_contiguous(),
        torch.empty_strided((0, 2), (1, 1)).shape == (0, 2),
    ]
)
shown(
    lambda: (
        torch.empty_strided((2, 2), (1, 2), dtype=torch.float64, requires_grad=True).requires_grad
    )
)
shown(lambda: mat[1:].untyped_storage().data_ptr() == mat.untyped_storage().data_ptr())
shown(
    lambda: mat[1:].storage().data_ptr() == mat.data_ptr(),
    lambda: mat.clone().storage().data_ptr() == mat.data_ptr(),
)
shown(
    lambda: torch.constant_pad_nd(row, [1, 2]),
    lambda: torch.constant_pad_nd(imat, (0, 1, 2, 0), value=7),
    lambda: torch.constant_pad_nd(mat, (-1, 1)),
)
shown(
    lambda: torch.constant_pad_nd(mat.half(), [1, 0, 0, -1], 1),
    lambda: torch.constant_pad_nd(mat[None], [1, 1]),
)
shown(
    lambda: torch.rms_norm(mat, [2]),
    lambda: torch.rms_norm(mat, (2,), torch.tensor([1.0, 2.0]), 0.1),
    lambda: torch.rms_norm(half, [3]),
)
shown(
    lambda: torch.rms_norm(mat, [2, 2], eps=1e-3),
    lambda: slope(lambda v: torch.rms_norm(v, [2]), [[1.0, 2.0], [3.0, 5.0]]),
)
shown(
    lambda: torch.compiled_with_cxx11_abi(),
    lambda: [torch.sym_int(2.5), torch.sym_float(2), torch.sym_max(1, 2), torch.sym_min(1, 2)],
)
shown(lambda: [torch.sym_not(True), torch.sym_sum([1, 2, 3]), torch.sym_ite(False, 1, 2)])
factors = torch.linalg.lu_factor(mat)
shown(lambda: torch.lu_solve(mat, *factors), lambda: mat.lu_solve(factors[0], factors[1]))
reflectors = torch.tensor([[1.0, 0.0], [0.5, 1.0]])
shown(
    lambda: torch.orgqr(reflectors, torch.tensor([1.6, 0.0])),
    lambda: reflectors.orgqr(torch.tensor([1.6, 0.0])),
)
block = torch.eye(6).reshape(2, 3, 3, 2) + torch.arange(36.0).reshape(2, 3, 3, 2) / 50
shown(
    lambda: torch.linalg.tensorinv(block), lambda: torch.linalg.tensorsolve(block, torch.ones(2, 3))
)
shown(
    lambda: torch.linalg.tensorsolve(block, torch.ones(3, 2), dims=(0, 1)),
    lambda: torch.linalg.tensorinv(block.reshape(6, 3, 2), ind=1),
)


def failing(operation):
    try:
        operation()
    except torch.linalg.LinAlgError as error:
        return isinstance(error, RuntimeError)


shown(
    lambda: failing(lambda: torch.linalg.inv(mat * 0)),
    lambda: failing(lambda: torch.linalg.cholesky(-sym)),
)
shown(
    lambda: failing(lambda: torch.linalg.solve(mat * 0, mat)),
    lambda: failing(lambda: torch.inverse(mat * 0)),
)
shown(lambda: torch.inverse(mat), lambda: torch.linalg.solve(mat, row[1:]))


def drawn_again():
    torch.random.manual_seed(3)
    state = torch.random.get_rng_state()
    first = torch.rand(3).tolist()
    torch.random.set_rng_state(state)
    with torch.random.fork_rng():
        torch.random.manual_seed(5)
        other = torch.rand(3).tolist()
    return [torch.rand(3).tolist() == first, first != other, torch.random.initial_seed()]


shown(drawn_again)


class Twice(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        ctx.save_for_forward(x)
        return x * 2

    @staticmethod
    def backward(ctx, gradient):
        return gradient * ctx.saved_tensors[0]


shown(lambda: slope(Twice.apply, [1.0, 3.0]))
signal = (torch.arange(32.0) * 0.7).sin()
kernel1 = torch.tensor([[[1.0, -1.0, 0.5]]])
shown(
    lambda: torch.convolution(line, kernel1, None, [1], [1], [1], False, [0], 1),
    lambda: torch.convolution(image, kernel, scale, [2, 2], [0, 0], [1, 1], False, [0, 0], 4),
)
shown(lambda: torch.convolution(line, kernel1, torch.tensor([0.5]), [2], [1], [1], True, [1], 1))
shown(
    lambda: torch.native_layer_norm(mat, [2], None, None, 1e-5),
    lambda: torch.native_layer_norm(mat, [2, 2], mat, mat + 1, 0.1),
)
shown(
    lambda: torch.stft(signal, 8, return_complex=True, window=torch.ones(8)),
    lambda: torch.stft(
        signal,
        8,
        4,
        6,
        torch.ones(6),
        center=False,
        normalized=True,
        onesided=False,
        return_complex=True,
    ).abs(),
)
shown(
    lambda: torch.istft(
        torch.stft(signal, 8, window=torch.hann_window(8), return_complex=True),
        8,
        window=torch.hann_window(8),
        length=32,
    )
)
shown(
    lambda: torch.norm_except_dim(mat),
    lambda: torch.norm_except_dim(mat, 1, 1),
    lambda: torch.norm_except_dim(mat, dim=-1),
)
shown(
    torch.clear_autocast_cache,
    torch.is_anomaly_enabled,
    lambda: torch.has_lapack,
    lambda: torch.set_flush_denormal(False) in (True, False),
)
shown(lambda: torch.is_storage(row.untyped_storage()), lambda: torch.is_storage(row))
shown(lambda: [isinstance(row.untyped_storage(), kind) for kind in (torch.UntypedStorage, torch.TypedStorage)])
shown(lambda: [isinstance(row.storage(), kind) for kind in (torch.storage.UntypedStorage, torch.storage.TypedStorage)])
shown(lambda: isinstance(row, torch.UntypedStorage), lambda: isinstance(row.storage(), torch.FloatStorage))
shown(
    lambda: list(torch.ones(2).resize_as_(mat).shape),
    lambda: list(torch.resize_as_(torch.ones(6), row).shape),
    lambda: torch.arange(6.0).resize_as_(row),
)
labels = torch.tensor([[1.0, 0.0], [0.0, 1.0]])
shown(
    lambda: F.multilabel_soft_margin_loss(mat, labels),
    lambda: F.multilabel_soft_margin_loss(mat, labels, weight=pos[:2], reduction="none"),
)
many = torch.tensor([2, 0, 1, 1, 2])
starts = torch.tensor([0, 2, 2])
for how in ("sum", "mean", "max"):
    shown(
        lambda: F.embedding_bag(places, table, mode=how),
        lambda: F.embedding_bag(many, table, starts, mode=how),
        lambda: F.embedding_bag(
            many, table.half(), offsets=torch.tensor([0, 3, 5]), mode=how, include_last_offset=True
        ),
    )
shown(
    lambda: F.embedding_bag(many, table, starts, mode="sum", per_sample_weights=torch.arange(5.0))
)
shown(
    lambda: slope(lambda v: F.embedding_bag(many, v, starts), [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
)
shown(
    lambda: slope(
        lambda v: F.embedding_bag(many, v, starts, mode="max"), [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]
    )
)
# layers
nn = torch.nn


def trained(layer, *inputs):
    """What a layer gives in training and after it, and its state."""
    outs = [layer(each) for each in inputs]
    layer.eval()
    outs.append(layer(inputs[0]))
    state = {name: plain(value) for name, value in sorted(layer.state_dict().items())}
    return [*outs, *(f"{name} {value}" for name, value in state.items())]


def filled(layer):
    with torch.no_grad():
        for parameter in layer.parameters():
            parameter.copy_(torch.arange(parameter.numel()).reshape(parameter.shape) * 0.25 - 1)
    return layer


shown(
    lambda: trained(nn.BatchNorm2d(4), image, image + 1),
    lambda: trained(nn.BatchNorm1d(2, affine=False, momentum=None), table, table * 2),
)
shown(
    lambda: trained(nn.BatchNorm1d(1, eps=1e-3, track_running_stats=False), line),
    lambda: trained(nn.BatchNorm3d(1, momentum=0.5), cube),
)
shown(
    lambda: trained(nn.RMSNorm(2), mat),
    lambda: nn.RMSNorm((2, 2), eps=0.1, elementwise_affine=False)(mat),
    lambda: nn.RMSNorm(2, dtype=torch.float64).weight,
)
shown(
    lambda: filled(nn.ConvTranspose1d(1, 2, 3, stride=2, padding=1, output_padding=1))(line),
    lambda: filled(nn.ConvTranspose2d(4, 2, (2, 1), groups=2, bias=False))(image),
)
shown(
    lambda: filled(nn.ConvTranspose3d(1, 1, 2))(cube),
    lambda: sorted(nn.ConvTranspose1d(1, 2, 3).state_dict()),
    lambda: nn.ConvTranspose2d(4, 2, 3).weight.abs().max() <= 1 / 18**0.5,
)
shown(
    lambda: nn.MaxPool1d(2)(line),
    lambda: nn.MaxPool2d(2, 1, padding=1)(image),
    lambda: nn.MaxPool3d(2, return_indices=True)(cube),
    lambda: nn.MaxPool2d((2, 2), ceil_mode=True)(image[0]),
)
shown(
    lambda: nn.Dropout2d(0.5).eval()(image),
    lambda: nn.Dropout1d(1.0)(line),
    lambda: nn.Dropout3d(p=0.0)(cube).sum(),
)
shown(
    lambda: [
        len({(v != 0).sum().item() for v in nn.Dropout1d(0.5)(torch.ones(30, 5))}) <= 2,
        nn.Dropout2d(0.5)(torch.ones(3, 5, 5, 5)).max().item() == 2,
    ]
)
shown(
    lambda: nn.Softmin(dim=1)(mat),
    lambda: nn.Softmax2d()(image),
    lambda: nn.Threshold(0.5, 7)(row),
    lambda: nn.Threshold(0.5, 7, inplace=True)(row.clone()),
)
from torch.nn.utils.rnn import pad_sequence, unpad_sequence

shown(
    lambda: pad_sequence([row, row[:1]]),
    lambda: pad_sequence([ints, ints[:2]], batch_first=True, padding_value=9),
    lambda: pad_sequence([mat, mat[:1]], padding_side="left"),
)
shown(lambda: list(unpad_sequence(pad_sequence([row, row[:1]]), torch.tensor([3, 1]))))
from torch.nn.utils.rnn import (
    PackedSequence,
    invert_permutation,
    pack_padded_sequence,
    pack_sequence,
    pad_packed_sequence,
    unpack_sequence,
)


three = torch.arange(24.0).reshape(3, 4, 2)
packed = pack_sequence([row[:1], row, row[:2]], enforce_sorted=False)
shown(
    lambda: list(pack_sequence([row, row[:2], row[:2], row[:1]])[:2]),
    lambda: list(packed),
    lambda: list(pack_padded_sequence(three, [3, 2, 2, 1])[:2]),
    lambda: list(pack_padded_sequence(three, torch.tensor([1, 3, 2]), True, enforce_sorted=False)),
    lambda: refused(lambda: pack_padded_sequence(three, [1, 3, 2, 1])),
    lambda: refused(lambda: pack_padded_sequence(three, [3, 2, 1])),
    lambda: refused(lambda: pack_padded_sequence(three, [3, 2, 2, 0])),
    lambda: list(pad_packed_sequence(packed)),
    lambda: list(pad_packed_sequence(packed, batch_first=True, padding_value=-1, total_length=5)),
    lambda: refused(lambda: pad_packed_sequence(packed, total_length=1)),
    lambda: list(unpack_sequence(packed)),
    lambda: list(packed.double()),
    lambda: packed.to(torch.float32) is packed,
    lambda: (packed.is_cuda, isinstance(packed, PackedSequence), type(packed.to("cpu")).__name__),
    lambda: list(PackedSequence(packed.data, packed.batch_sizes, packed.sorted_indices)),
    lambda: list(PackedSequence((packed.data, packed.batch_sizes)))[:2],
    lambda: (invert_permutation(torch.tensor([2, 0, 1])), invert_permutation(None)),
)


def padded_gradient():
    x = torch.ones(2, 3, requires_grad=True)
    out, _ = pad_packed_sequence(pack_padded_sequence(x, [1, 2], True, enforce_sorted=False))
    (out * torch.tensor([[1.0, 2], [3, 4]])).sum().backward()
    return x.grad


shown(padded_gradient)

# numbers from tensors of one element
for one in (torch.tensor([2.5]), torch.tensor([[7]]), torch.tensor([True]), torch.tensor(3)):
    shown(
        lambda one=one: (float(one), int(one), complex(one), "%.1f" % one),
        lambda one=one: refused(lambda: [0, 1, 2, 3, 4, 5, 6, 7][one]),
    )
shown(
    lambda: float(torch.tensor([1.5], dtype=torch.bfloat16)),
    lambda: float(torch.tensor([1.5], dtype=torch.half)),
    lambda: refused(lambda: float(torch.ones(2))),
    lambda: refused(lambda: int(torch.ones(0))),
    lambda: refused(lambda: float(torch.ones(1, 2))),
    lambda: list(range(torch.tensor([3]))),
    lambda: complex(torch.tensor([1 + 2j])),
)
whole = torch.complex(torch.tensor([1.0, 2.0]), torch.tensor([-3.0, 0.5]))
shown(
    lambda: (whole.real, whole.imag, (whole * 2).real.sum()),
    lambda: row.real,
    lambda: refused(lambda: row.imag),
)
shown(lambda: torch.cuda.get_arch_list())
nan = float("nan")
shown(
    lambda: torch.linspace(1 + 1j, 2 - 1j, 3),
    lambda: torch.linspace(torch.tensor(1 + 1j), torch.tensor(0.5), 4, dtype=torch.complex128),
    lambda: torch.linspace(0, 1, 3, dtype=torch.complex64),
    lambda: torch.linspace(0, 1, steps=3, requires_grad=True).requires_grad,
    lambda: torch.allclose(whole, whole * (1 + 1e-6)),
    lambda: torch.allclose(whole, whole + 1e-3j),
    lambda: torch.allclose(whole, whole + 1e-3j, atol=1e-2),
    lambda: torch.allclose(whole * float("inf"), whole),
    lambda: torch.allclose(whole, whole * nan),
    lambda: torch.allclose(whole * nan, whole * nan, equal_nan=True),
    lambda: (whole * nan).allclose(whole * nan),
)
line = torch.arange(6.0)
shown(
    lambda: line.clone().resize_(2, 3),
    lambda: line.clone().resize_([3, 1]),
    lambda: line.clone().resize_(torch.Size([2, 2])),
    lambda: line.clone().resize_(4).resize_(2, 2),
    lambda: tuple(line.clone().resize_(3, 4).shape),
    lambda: line.clone().resize_as_(torch.ones(3, 2)),
    lambda: refused(lambda: line.clone().requires_grad_().resize_(2, 3)),
)
shown(
    lambda: [torch.ones(1, dtype=d).type() for d in (torch.half, torch.double, torch.bool)],
    lambda: [ints.type(), whole.type(), ints.type(torch.uint8).type()],
    lambda: row.type(torch.float64),
    lambda: row.type("torch.IntTensor"),
    lambda: ints.type(torch.DoubleTensor),
    lambda: ints.type(dtype=torch.float16),
    lambda: row.type(row.type()) is row,
    lambda: row.type(torch.float32) is row,
    lambda: refused(lambda: row.type("FloatTensor")),
)
grid = torch.arange(6).reshape(2, 3)
shown(
    lambda: torch.einsum("ij,kj->ik", grid, grid + 2**52),
    lambda: torch.einsum("ij->j", [grid]),
    lambda: torch.einsum("ij,jk->ik", grid, grid.t() * 2).sum(),
)


def gradient_kept(then):
    """What was read of x.grad, after x.grad was set; and x.grad."""
    x = torch.ones(3, requires_grad=True)
    (x * 2).sum().backward()
    kept = x.grad
    then(x)
    return kept.tolist(), None if x.grad is None else x.grad.tolist()


def set_gradient(x, value):
    x.grad = value


shown(
    lambda: gradient_kept(lambda x: set_gradient(x, None)),
    lambda: gradient_kept(lambda x: set_gradient(x, torch.zeros(3))),
    lambda: gradient_kept(lambda x: x.grad.zero_()),
    lambda: gradient_kept(lambda x: (x * 3).sum().backward()),
    lambda: gradient_kept(lambda x: (set_gradient(x, None), (x * 3).sum().backward())),
    lambda: gradient_kept(lambda x: set_gradient(x, x.grad * 2)),
    lambda: [torch.ones(2, dtype=d).tolist() for d in (torch.bfloat16, torch.half, torch.bool)],
    lambda: torch.tensor([[1.5], [-2.0]]).bfloat16().tolist(),
    lambda: torch.zeros(0, 2).bfloat16().tolist(),
)
where = torch.tensor([[0, 0, 1, 2, 2], [0, 2, 1, 0, 1]])
what = torch.tensor([1.0, 2.0, 4.0, 1.0, 3.0])
thin = torch.sparse_coo_tensor(where, what, (3, 3))
twice = torch.sparse_coo_tensor([[2, 0, 0], [1, 1, 1]], [1.0, 2.0, 3.0], (3, 4))
rows = torch.sparse_csr_tensor(torch.tensor([0, 2, 3, 5]), where[1], what, (3, 3))
wide = torch.arange(12.0).reshape(3, 4)


def parts(matrix):
    matrix = matrix.coalesce()
    return list(matrix.shape), matrix.indices(), matrix.values()


def of_vectors(values=None):
    """Two dimensions are sparse, one is dense, and two entries share a place."""
    values = torch.arange(8.0).reshape(4, 2) if values is None else values
    return torch.sparse_coo_tensor([[0, 1, 1, 0], [2, 0, 0, 1]], values, (2, 3, 2))


def summed(dim):
    x = torch.arange(8.0).reshape(4, 2).requires_grad_()
    found = torch.sparse.sum(of_vectors(x), dim=dim)
    dense = found.to_dense() if found.is_sparse else found
    (dense * torch.arange(1.0, 1 + dense.numel()).reshape(dense.shape)).sum().backward()
    return found.is_sparse, list(found.shape), dense, x.grad


def sparse_gradients():
    x, y = what.clone().requires_grad_(), wide.clone().requires_grad_()
    matrix = torch.sparse_coo_tensor(where, x, (3, 3))
    (torch.sparse.mm(matrix, y) * wide).sum().backward()
    return x.grad, y.grad


shown(
    lambda: parts(thin),
    lambda: parts(twice),
    lambda: twice.to_dense(),
    lambda: torch.ones(2).to_dense(),
    lambda: (thin._nnz(), twice._nnz(), twice.coalesce()._nnz(), thin._values()),
    lambda: thin._indices(),
    lambda: [thin.is_sparse, wide.is_sparse, str(thin.layout), str(wide.layout)],
    lambda: parts(torch.sparse_coo_tensor(where, what)),
    lambda: parts(torch.sparse_coo_tensor(where, what, (3, 3), dtype=torch.float64)),
    lambda: parts(
        torch.sparse_coo_tensor(torch.zeros(2, 0, dtype=torch.int64), torch.zeros(0), (2, 3))
    ),
    lambda: torch.sparse_coo_tensor((2, 3)).to_dense(),
    lambda: refused(lambda: torch.sparse_coo_tensor(where, what[:3], (3, 3))),
    lambda: refused(lambda: torch.sparse_coo_tensor(where, what, (2, 3))),
    lambda: torch.sparse.mm(thin, wide),
    lambda: torch.sparse.mm(twice, wide.t()),
    lambda: parts(torch.sparse.mm(thin, thin)),
    lambda: parts(torch.sparse.mm(thin, twice)),
    lambda: torch.sparse.mm(rows, wide),
    lambda: refused(lambda: torch.sparse.mm(twice, thin)),
    lambda: (rows.crow_indices(), rows.col_indices(), rows.values(), rows.to_dense()),
    lambda: parts((wide - 5).relu().to_sparse()),
    sparse_gradients,
    lambda: torch.sparse.sum(thin),
    lambda: torch.sparse.sum(twice, dtype=torch.float64),
    lambda: parts(torch.sparse.sum(thin, 0)),
    lambda: parts(torch.sparse.sum(twice, dim=1)),
    lambda: torch.sparse.sum(twice, [0, -1]),
    *(lambda dim=dim: summed(dim) for dim in (0, 1, 2, (0, 1), (0, 2), (1, -1), (0, 1, 2))),
)

classes = torch.tensor([[0, 2], [1, 1]])
mixed = torch.tensor([[1.0, -2.0], [0.0, 3.0]])
shown(
    lambda: torch.nn.functional.one_hot(classes),
    lambda: torch.nn.functional.one_hot(classes[0], num_classes=4),
    lambda: torch.nn.functional.one_hot(torch.tensor(1), 3),
    lambda: torch.nn.functional.one_hot(torch.zeros(0, dtype=torch.int64), 3),
    lambda: refused(lambda: torch.nn.functional.one_hot(classes, 2)),
    lambda: refused(lambda: torch.nn.functional.one_hot(classes - 1)),
    lambda: refused(lambda: torch.nn.functional.one_hot(classes.float())),
    lambda: refused(lambda: torch.nn.functional.one_hot(torch.zeros(0, dtype=torch.int64))),
    lambda: list(torch.linalg.slogdet(mixed)),
    lambda: torch.linalg.slogdet(mixed).logabsdet,
    lambda: list(torch.slogdet(mixed.double())),
    lambda: mixed.slogdet().sign,
    lambda: [torch.median(torch.tensor([4.0, 1.0, 3.0, 2.0])), mixed.median()],
    lambda: [mixed.clone().lt_(mixed.t()), mixed.clone().ge_(0), classes.clone().eq_(1)],
    lambda: [
        mixed.clone().gt_(mixed.t()),
        mixed.clone().le_(0.0),
        classes.clone().ne_(classes.t()),
    ],
    lambda: [mixed.clone().less_(1), mixed.clone().greater_(1), mixed.clone().not_equal_(0)],
    lambda: [mixed.clone().less_equal_(0), mixed.clone().greater_equal_(mixed.t())],
    lambda: [mixed.clone().logical_and_(mixed.t()), classes.clone().logical_not_()],
    lambda: [mixed.clone().logical_or_(mixed.t()), (mixed > 0).logical_xor_(mixed.t() > 0)],
)

# dtypes of the same memory: of the whole, of columns, of rows, of both, read and written
memory = torch.arange(96).reshape(4, 24).to(torch.uint8)
KINDS = (torch.uint8, torch.int16, torch.bfloat16, torch.int32, torch.float8_e4m3fn, torch.int64)


def rewritten(kind, other, *place):
    """The bytes after a part of them, seen as one dtype and then as another, is filled with 1."""
    whole = memory.clone().view(kind)
    part = whole[place].view(other)
    part.view(torch.uint8 if other == torch.float8_e4m3fn else other).fill_(1)
    return [list(part.shape), list(part.stride()), whole.view(torch.uint8)]


def parts(kind):
    """Places that begin and end where an int64 does, and one that does not."""
    size = 8 // torch.empty(0, dtype=kind).element_size()
    columns = slice(size, 2 * size)
    rows = slice(1, 3)
    return [(), (slice(None), columns), (rows,), (rows, columns), (2,), (rows, slice(1, None))]


def seen(kind, other, place):
    try:
        return plain(rewritten(kind, other, *place))
    except (RuntimeError, ValueError):
        return "refused"


for kind, other in [(kind, other) for kind in KINDS for other in KINDS]:
    shown(*(lambda place=place: seen(kind, other, place) for place in parts(kind)))


def after_contiguous(start):
    """A tensor after its contiguous form was written to, and after it was written to itself."""
    whole = torch.arange(12.0).reshape(3, 4)
    part = start(whole)
    made = part.contiguous().add_(100)
    before = [made, part.clone(), list(part.stride())]
    part.add_(1)
    return [*before, made, whole]


shown(
    lambda: after_contiguous(lambda x: x),
    lambda: after_contiguous(lambda x: x.t()),
    lambda: after_contiguous(lambda x: x[:, 1:3]),
    lambda: after_contiguous(lambda x: x[1:]),
    lambda: slope(lambda x: (x * x).t().contiguous() * 2, [[1.0, 2.0], [3.0, 4.0]]),
)


# the cross entropy
logits = torch.tensor([[0.5, -1.0, 2.0], [1.5, 0.25, -0.5], [0.0, 3.0, 1.0], [2.0, 2.0, 0.0]])
classes, scales = torch.tensor([2, -100, 0, 1]), torch.tensor([0.5, 1.0, 2.0])
images = torch.stack([logits, logits.flip(0) * 2]).transpose(1, 2)
spots = torch.tensor([[2, -100, 0, 1], [0, 1, 2, -100]])
chances = torch.softmax(logits.flip(1), 1)
for reduction in ("mean", "sum", "none"):
    for options in ({}, {"weight": scales}, {"label_smoothing": 0.2}, {"ignore_index": 0}):
        if "ignore_index" in options:
            options["label_smoothing"] = 0.1
        labels = classes if "ignore_index" not in options else classes.clamp(0)
        options["reduction"] = reduction
        shown(
            lambda: F.cross_entropy(logits, labels, **options),
            lambda: F.cross_entropy(
                images, spots.clamp(0) if labels is not classes else spots, **options
            ),
            lambda: F.cross_entropy(logits, chances, **{**options, "ignore_index": -100}),
            lambda: torch.nn.CrossEntropyLoss(**options)(logits, labels),
            lambda: slope(lambda x: F.cross_entropy(x, labels, **options), logits.tolist())[0],
        )
shown(
    lambda: F.cross_entropy(logits[0], torch.tensor(1)),
    lambda: F.cross_entropy(logits[0], torch.tensor(1), scales, label_smoothing=0.3),
    lambda: F.cross_entropy(logits.half(), classes).dtype == torch.float16,
    lambda: F.cross_entropy(logits.bfloat16(), classes, reduction="sum"),
    lambda: F.cross_entropy(logits.double(), classes, scales.double()),
    lambda: F.cross_entropy(logits, torch.full((4,), -100), reduction="sum"),
    lambda: F.cross_entropy(logits, torch.full((4,), -100)).isnan(),
    lambda: F.cross_entropy(logits, classes, None, False),
    lambda: F.cross_entropy(logits, classes, None, None, -100, False),
    lambda: slope(lambda x: F.cross_entropy(x, classes, scales), logits.tolist()),
    lambda: refused(lambda: F.cross_entropy(logits, classes.int())),
    lambda: refused(lambda: F.cross_entropy(logits, classes.clamp(0) + 2)),
    lambda: refused(lambda: F.cross_entropy(logits, classes[:3])),
    lambda: refused(lambda: F.cross_entropy(logits, logits.long())),
)

# what Paddle does in silence otherwise: the dtype of a whole number, padding in means, corners
square = torch.arange(16.0).reshape(1, 1, 4, 4)
shown(
    lambda: torch.full((2,), 3),
    lambda: torch.full([2, 1], -1, device="cpu"),
    lambda: torch.full((), 3, layout=torch.strided),
    lambda: torch.full((2,), 1.5),
    lambda: torch.full((2,), True),
    lambda: torch.full((2,), torch.tensor(3)),
    lambda: torch.full((2,), 3, dtype=torch.float64),
    lambda: torch.full((2,), 3, requires_grad=False, dtype=torch.int32),
    lambda: F.avg_pool1d(square[0], 2, 1, 1),
    lambda: F.avg_pool1d(square[0], 2, padding=1, count_include_pad=False),
    lambda: F.avg_pool2d(square, 2, 1, 1),
    lambda: F.avg_pool2d(square, (3, 2), ceil_mode=True),
    lambda: F.avg_pool2d(square, 2, stride=1, divisor_override=3),
    lambda: F.avg_pool2d(square, 2, 2, 1, False, False),
    lambda: F.avg_pool3d(square[None], (1, 2, 2), 1, (0, 1, 1)),
    lambda: F.grid_sample(square, torch.tensor([[[[0.3, -0.6], [0.9, 0.2]]]])),
    lambda: F.grid_sample(square, torch.tensor([[[[0.3, -0.6]]]]), align_corners=True),
    lambda: F.grid_sample(square, torch.tensor([[[[0.3, -1.6]]]]), "nearest", "border"),
    lambda: F.affine_grid(torch.eye(3)[None, :2], size=(1, 1, 2, 3)),
    lambda: F.affine_grid(torch.eye(3)[None, :2], torch.Size([1, 1, 2, 3]), True),
)
for dtype in (torch.uint16, torch.uint32, torch.uint64):
    shown(
        lambda: torch.zeros(2, dtype=dtype).to(torch.int64),
        lambda: torch.full((2,), 3, dtype=dtype).to(torch.int64),
        lambda: square.new_full((2,), 3, dtype=dtype).to(torch.int64),
        lambda: square.new_zeros(2, dtype=dtype).dtype == dtype,
        lambda: torch.zeros_like(square, dtype=dtype).dtype == dtype,
    )
shown(
    lambda: torch.zeros(2),
    lambda: square.new_full((2,), 3),
    lambda: torch.ones(1, dtype=torch.int8),
)
whole = torch.arange(12.0)
part = whole[4:]
shown(
    lambda: whole.as_strided((2, 2), (1, 2)),
    lambda: whole.as_strided((2, 2), (1, 2), 1),
    lambda: part.as_strided([2], [1]),
    lambda: part.as_strided((2,), (1,), 0),
    lambda: part[1:].as_strided(size=(2,), stride=(3,), storage_offset=2),
    lambda: torch.as_strided(part, (2, 3), (1, 0)),
    lambda: torch.as_strided(whole.half(), torch.Size([2]), (3,), storage_offset=2),
    lambda: part.clone().as_strided((2,), (1,), 1).fill_(9.0),
    lambda: slope(lambda x: x.as_strided((2, 2), (1, 1)), [1.0, 2.0, 3.0]),
    lambda: slope(lambda x: (x * 2)[1:].as_strided((2, 3), (1, 0)), [1.0, 2.0, 3.0]),
    lambda: slope(lambda x: x.as_strided((2, 2), (2, 1), 1), [1.0, 2.0, 3.0, 4.0, 5.0]),
    lambda: F.avg_pool2d(square, 2, 1, 1, True, False, 3),
)


# lists of places in a view whose memory is in another order
turned = torch.arange(24.0).reshape(2, 3, 4).permute(2, 0, 1)
places = torch.tensor([1, 0])


def written_to(index, value):
    base = torch.zeros(4, 3)
    view = base.t()
    view[index] = value
    return base, view


shown(
    lambda: turned[:, places],
    lambda: turned[..., [2, 0, 2]],
    lambda: turned[:, places, places],
    lambda: turned[..., torch.tensor([True, False, True])],
    lambda: turned[:, torch.tensor(1)],
    lambda: turned[places],
    lambda: written_to((slice(None), places), 7.0),
    lambda: written_to((..., [3, 1]), torch.arange(6.0).reshape(3, 2)),
    lambda: written_to(([0, 2], [3, 1]), 5.0),
    lambda: slope(lambda x: x.reshape(2, 2).t()[:, [0, 0]], [1.0, 2.0, 3.0, 4.0]),
)
bounds = torch.tensor([3, 5, 7])
counts = torch.tensor([[1, 9, 9], [2, 4, 6]])
shown(
    lambda: counts.clip(max=bounds - 1),
    lambda: counts.clamp(bounds, bounds + 1),
    lambda: torch.clamp(counts, max=bounds),
    lambda: torch.clip(counts.float(), min=bounds),
    lambda: counts.clone().clamp_(max=bounds),
    lambda: counts.clone().clip_(min=bounds),
    lambda: counts.clamp(2, 5),
    lambda: counts.clamp(max=torch.tensor(3)),
    lambda: slope(lambda x: x.clamp(max=torch.tensor([3.0, 4.0])), [1.0, 9.0]),
)


class Early(torch.nn.Module):
    def __init__(self):
        self.kept, self.size = torch.ones(2), 3
        super().__init__()
        self.weight = torch.nn.Parameter(torch.zeros(1))


shown(lambda: Early().kept, lambda: Early().size, lambda: list(Early().state_dict()))

# what torch's database of operators showed (tests/operators)
matrix = torch.tensor([[1.0, -2.0], [3.0, -4.0]])
images = torch.arange(72.0).reshape(1, 2, 6, 6).sin()
alone, first = torch.tensor(3.0), torch.tensor(0)
orders = (None, 1, -1, 2, -2, float("inf"), float("-inf"), "fro", "nuc")
shown(
    *(lambda order=order: torch.linalg.norm(matrix, order) for order in orders),
    *(lambda order=order: torch.linalg.vector_norm(matrix, order, dim=0) for order in (0, 1, 3)),
    lambda: torch.norm(matrix, 2, (0, 1)),
    lambda: matrix.norm(dtype=torch.float64),
    lambda: torch.linalg.matrix_norm(matrix.double(), "fro", keepdim=True),
    lambda: slope(lambda x: torch.prod(x), [0.0, 2.0, 3.0]),
    lambda: slope(lambda x: x.reshape(2, 2).prod(1), [0.0, 2.0, 0.0, 0.0]),
    lambda: slope(lambda x, v: torch.masked_fill(x, x > 1, v), [1.0, 2.0, 3.0], 5.0),
    lambda: slope(lambda x, w: torch.lerp(x, x * 3, w), [1.0, 2.0], [0.25, 0.75]),
    lambda: slope(
        lambda x, y: torch.nn.functional.kl_div(x, y, reduction="none"), [0.1, 0.2], [0.5, 1.5]
    ),
    lambda: torch.nn.functional.max_pool2d(images, 2, 1, 1, 2),
    lambda: torch.nn.functional.max_pool2d(images, 2, 2, 0, 2, True, True),
    lambda: torch.nn.functional.max_pool1d(images[0, 0], 3, stride=2, padding=1, dilation=2),
    lambda: torch.nn.functional.max_pool3d(images, 2, dilation=1, return_indices=True),
    lambda: torch.nn.functional.adaptive_max_pool2d(images[0], 2, return_indices=True),
    lambda: torch.nn.functional.adaptive_avg_pool2d(images[0], (2, 3)),
    lambda: torch.nn.functional.conv2d(images[0], images[:, :, :2, :3]),
    lambda: torch.nn.functional.conv2d(images, images[:, :, :2, :3], padding="same", dilation=2),
    lambda: torch.conv1d(torch.arange(6).reshape(1, 2, 3), torch.ones(1, 2, 2).long()),
    *(
        lambda mode=mode: torch.nn.functional.interpolate(images, (4, 9), mode=mode)
        for mode in ("nearest", "nearest-exact", "bilinear", "bicubic", "area")
    ),
    lambda: torch.nn.functional.interpolate(images, scale_factor=0.7, mode="bilinear"),
    lambda: torch.nn.functional.interpolate(images, 4, mode="bicubic", align_corners=True),
    lambda: torch.nn.functional.interpolate(images, 3, mode="bilinear", antialias=True),
    lambda: torch.unique(torch.tensor([[2, 1, 2], [0, 3, 0]]), dim=-1, return_inverse=True),
    lambda: torch.unbind(matrix, 1),
    lambda: torch.tensor_split(torch.arange(7), 3),
    lambda: torch.arange(7).tensor_split(torch.tensor([2, 5])),
    lambda: torch.meshgrid(torch.arange(2), torch.arange(3), indexing="xy"),
    lambda: torch.gather(alone, 0, first),
    lambda: alone.clone().scatter_(0, first, 5.0),
    lambda: torch.index_add(alone, 0, first, torch.tensor(2.0)),
    lambda: torch.index_select(alone, 0, first),
    lambda: torch.nonzero(alone),
    lambda: torch.argmax(alone, 0, keepdim=True),
    lambda: torch.squeeze(torch.ones(1, 2), ()),
    lambda: torch.ones(2, 3, 4).swapaxes_(0, 2),
    lambda: torch.count_nonzero(matrix, dim=(0, 1)),
    lambda: matrix.to("cpu", torch.float64, False, True),
    lambda: matrix.float(memory_format=torch.preserve_format) is matrix,
    lambda: torch.conj(matrix),
    lambda: torch.real(torch.tensor([1])),
    lambda: torch.nan_to_num(torch.tensor([1])),
    lambda: torch.atan2(torch.tensor([1]), torch.tensor([2])),
    lambda: torch.tensor([2.0]).pow_(torch.tensor([3.0])),
    lambda: torch.tensor([0.0, 2.0]).logical_or_(torch.tensor([0.0, 0.0])),
    lambda: torch.nn.functional.nll_loss(torch.tensor([0.5, 1.5]), torch.tensor(1)),
    lambda: torch.nn.functional.normalize(torch.tensor(3.0), dim=0),
    lambda: torch.linalg.vecdot(matrix, matrix, dim=0),
    lambda: torch.linalg.pinv(matrix, rtol=0.2),
    lambda: torch.fft.fftn(torch.ones(2, 2), dim=(0,)),
    lambda: torch.logspace(start=0, end=2, steps=3, base=2),
    lambda: torch.linspace(0, 1, 3, dtype=torch.float16),
    lambda: torch.arange(3, dtype=torch.bfloat16),
    lambda: torch.eye(2, dtype=torch.bool),
    lambda: torch.div(torch.tensor([True]), torch.tensor([True])),
    lambda: torch.nn.functional.relu(torch.tensor([-1, 1])),
)
shown(
    lambda: torch.detach_copy(matrix),
    lambda: torch.split_copy(matrix, 1, dim=1),
    lambda: torch.split_copy(alone.expand(5), 2),
    lambda: torch.select_copy(matrix, 1, -1),
    *(
        lambda dim=dim, stops=stops: torch.slice_copy(images, dim, *stops)
        for dim, stops in ((0, ()), (2, (1, 5, 2)), (-1, (-3, 100)))
    ),
    *(
        lambda copy=copy, more=more: copy(matrix, *more).data_ptr() == matrix.data_ptr()
        for copy, more in ((torch.detach_copy, ()), (torch.slice_copy, (0,)))
    ),
)

# what waits for a value, and the arguments of `to`
future: torch.futures.Future[int] = torch.futures.Future()
later = future.then(lambda done: done.wait() + 1)
failed = later.then(lambda done: 1 // 0)
pending: list[torch.jit.Future[torch.Tensor]] = []
pending.append(torch.jit.fork(torch.add, matrix, alpha=2, other=matrix))


def raised(function):
    try:
        return function()
    except Exception as error:
        return type(error).__name__


shown(
    lambda: (future.done(), later.done(), raised(future.value)),
    lambda: (future.set_result(3), raised(lambda: future.set_result(4)), future.wait()),
    lambda: (later.wait(), later.value(), raised(failed.wait)),
    lambda: torch.futures.wait_all([future, later]),
    lambda: [each.wait() for each in torch.futures.collect_all([later, future]).wait()],
    lambda: raised(lambda: torch.futures.wait_all([future, failed])),
    lambda: torch.futures.wait_all([]),
    lambda: [torch.jit.wait(each) for each in pending],
    lambda: raised(lambda: torch.jit.fork(lambda: 1 // 0)),
)


def told(*args, **kwargs):
    device, dtype, non_blocking, layout = torch._C._nn._parse_to(*args, **kwargs)
    return device and device.type, str(dtype), non_blocking, str(layout)


double = matrix.double()
shown(
    lambda: told(),
    lambda: told("cpu"),
    lambda: told(torch.float64),
    lambda: told(torch.float16, True),
    lambda: told(torch.device("cpu"), torch.float64, True),
    lambda: told(None, torch.float32),
    lambda: told(double),
    lambda: told(tensor=double),
    lambda: told(device="cpu", dtype=torch.float32),
    lambda: told(memory_format=torch.channels_last),
    lambda: raised(lambda: told(torch.float32, dtype=torch.float32)),
    lambda: raised(lambda: told(other=double)),
    lambda: raised(lambda: told(torch.float32, True, True)),
)

# what more of it showed, with the slopes that torch computes
half = torch.tensor([[0.25, -1.5, 2.0], [3.0, 0.5, -0.75]], dtype=torch.float16)
maps = torch.arange(16.0).reshape(1, 1, 4, 4).cos()
grid = torch.tensor([[[[-1.2, 0.3], [0.1, 0.9]], [[0.5, -0.4], [1.3, 1.1]]]])
heads = torch.arange(24.0).reshape(3, 2, 4).sin()


def attended(**settings):
    weights = torch.arange(48.0).reshape(12, 4).cos(), torch.arange(16.0).reshape(4, 4).sin()
    biases = torch.arange(12.0) / 12, torch.arange(4.0) / 4
    rest = None, None, settings.pop("zero", False), 0.0, weights[1], biases[1]
    return F.multi_head_attention_forward(
        heads, heads * 2, heads + 1, 4, 2, weights[0], biases[0], *rest, **settings
    )


shown(
    lambda: F.layer_norm(matrix, (2,), eps=0.5),
    lambda: slope(lambda x: F.group_norm(x.reshape(1, 4), 2)[0] * x, [0.5, -1.0, 2.0, 0.25]),
    lambda: slope(lambda x: F.normalize(x, dim=0) * x, [0.5, -1.0, 2.0]),
    lambda: slope(lambda x, y: F.cosine_similarity(x, y, dim=0), [0.5, -1.0], [2.0, 0.25]),
    lambda: slope(
        lambda x: torch.linalg.pinv(x.reshape(2, 2), hermitian=True), [2.0, 0.5, 1.0, 3.0]
    ),
    *(lambda f=f: f(half) for f in (torch.special.expm1, lambda x: F.log_softmax(x, 1), torch.std)),
    *(lambda f=f: f(half, half * 2) for f in (F.mse_loss, torch.logaddexp, torch.atan2)),
    lambda: torch.div(half, 0.3, rounding_mode="trunc"),
    lambda: F.mse_loss(matrix, matrix * 2, weight=matrix.abs()),
    lambda: F.conv_transpose2d(maps, maps[:, :, :2, :2], output_padding=1, dilation=2),
    *(
        lambda way=way: F.grid_sample(maps, grid, "bicubic", way, False)
        for way in ("zeros", "border", "reflection")
    ),
    lambda: F.grid_sample(maps, grid, "bicubic", "reflection", True),
    lambda: torch.einsum("...i,...i->", matrix, matrix),
    lambda: F.scaled_dot_product_attention(heads[0], heads, heads),
    attended,
    lambda: attended(need_weights=False),
    lambda: attended(
        zero=True, average_attn_weights=False, attn_mask=torch.eye(3, dtype=torch.bool)
    ),
    lambda: attended(key_padding_mask=torch.tensor([[False, True, False], [False, False, True]])),
)


def of_each(function, *values):
    """The gradient of each input, asked for alone where all need one."""

    def alone(at):
        inputs = [value.clone().requires_grad_() for value in values]
        made = function(*inputs)
        return torch.autograd.grad(made, inputs[at], torch.ones_like(made))[0]

    return [alone(at) for at in range(len(values))]


upper = torch.tensor([[2.0, 1.0], [0.0, 3.0]])
shown(
    *(
        lambda f=f: of_each(f, pos.half(), (pos * 3).half())
        for f in (torch.div, torch.pow, torch.atan2, torch.fmod, torch.logaddexp, torch.outer)
    ),
    lambda: of_each(lambda x, y: x / y, pos.bfloat16(), pos.bfloat16()),
    lambda: of_each(lambda x, y: torch.lerp(x, y, 0.5), pos.half(), (pos * 3).half()),
    lambda: of_each(torch.pow, torch.complex(pos, pos), torch.complex(pos, -pos)),
    lambda: of_each(torch.nextafter, pos, pos * 2),
    lambda: of_each(lambda x, y: torch.linalg.solve_triangular(x, y, upper=True), upper, upper),
    lambda: of_each(torch.cholesky_solve, upper, upper.mT),
)

complexes = torch.complex(torch.arange(12.0).reshape(2, 2, 3), torch.ones(2, 2, 3))
at = torch.tensor([[1], [0]])
ranked = torch.arange(8.0).reshape(2, 2, 2), torch.arange(16.0).reshape(2, 2, 2, 2)
shown(
    *(lambda f=f: of_each(f, *ranked) for f in (torch.matmul, torch.Tensor.matmul, lambda x, y: x @ y)),
    lambda: of_each(lambda x, y: torch.cdist(x, y, 2.0, "use_mm_for_euclid_dist"), *ranked),
    lambda: of_each(torch.cdist, ranked[0] + 30, ranked[1][:1]),
    *(
        lambda f=f: of_each(f, complexes)
        for f in (torch.linalg.svdvals, lambda x: torch.linalg.svd(x)[1], lambda x: torch.svd(x)[1])
    ),
    lambda: of_each(lambda x: torch.norm(x, "nuc", (1, 2)), complexes),
    *(lambda shape=shape: torch.linalg.svd(torch.ones(shape)) for shape in ([3, 0], [2, 0, 3])),
    lambda: torch.svd(torch.ones(0, 2), some=False),
    lambda: torch.prod(matrix > 0, 1, dtype=torch.bool),
    lambda: (matrix > 0).prod(dtype=torch.bool),
    lambda: [torch.full_like(matrix > 0, each) for each in (-1, 0, 0.5)],
    *(
        lambda value=value: complexes[0].scatter(1, at, value) for value in (2.5, 2, True, 1 - 2j)
    ),
    lambda: torch.scatter(complexes[0], 1, at, value=2.5),
    lambda: complexes[0].clone().scatter_(1, at, 2.5),
    lambda: [half.flatten().ger(half.flatten()), torch.ger(half.flatten(), half.flatten())],
    lambda: of_each(torch.nextafter, torch.ones(3, 1, dtype=torch.bfloat16), pos.bfloat16()),
    lambda: torch._chunk_cat([matrix, matrix[:, :1]], 1, 2),
    lambda: torch._chunk_cat([ranked[0], ranked[0][:1]], -3, 3),
)

cells = torch.arange(180.0).reshape(2, 3, 6, 5) * 7 % 11
cubes = cells.reshape(1, 2, 3, 6, 5)
pools = [(F.max_pool1d, cells[0]), (F.max_pool2d, cells), (F.max_pool3d, cubes)]
pools += [(F.avg_pool1d, cells[0]), (F.avg_pool2d, cells), (F.avg_pool2d, cells[0]), (F.avg_pool3d, cubes)]
layers = [(torch.nn.AvgPool1d, cells[0]), (torch.nn.AvgPool2d, cells), (torch.nn.AvgPool3d, cubes)]
layers += [(torch.nn.MaxPool1d, cells[0]), (torch.nn.MaxPool2d, cells), (torch.nn.MaxPool3d, cubes)]
shown(  # windows that begin in the padding behind
    *(lambda f=f, x=x: f(x, 3, padding=1, ceil_mode=True) for f, x in pools),
    *(lambda f=f, x=x: f(x, 3, 2, 1, ceil_mode=True) for f, x in pools),
    *(lambda f=f, x=x: of_each(lambda y: f(y, 3, padding=1, ceil_mode=True), x) for f, x in pools),
    *(
        lambda f=f, x=x: f(x, 3, padding=1, ceil_mode=True, return_indices=True)
        for f, x in pools[:3]
    ),
    *(lambda f=f, x=x: f(3, padding=1, ceil_mode=True)(x) for f, x in layers),
    lambda: F.avg_pool2d(cells, (3, 2), (2, 3), (1, 0), True, False),
)

drawing = [("uniform_", ()), ("normal_", ()), ("exponential_", ()), ("cauchy_", ()), ("log_normal_", ())]
drawing += [("random_", (9,)), ("geometric_", (0.25,)), ("bernoulli_", (0.5,))]


def refusal(function, *arguments):
    try:
        function(*arguments)
    except RuntimeError as error:
        return str(error)


def draw(name, arguments, seed):
    source = torch.Generator().manual_seed(seed)
    return getattr(torch.zeros(40), name)(*arguments, generator=source)


shown(
    *(
        lambda n=name, a=arguments: [torch.equal(draw(n, a, 1), draw(n, a, seed)) for seed in (1, 2)]
        for name, arguments in drawing
    ),
    lambda: torch.zeros(4000).geometric_(p=0.25).mean().round(),
    lambda: torch.zeros(400, dtype=torch.int64).geometric_(0.25).min(),
    lambda: torch.zeros(4000).bernoulli_().mean().mul(4).round(),
    lambda: torch.zeros(3, dtype=torch.bool).bernoulli_(1),
    lambda: torch.zeros(2, 3).half().bernoulli_(torch.tensor([[1.0, 0, 1]]).double()),
    *(lambda p=p: refusal(torch.zeros(2).geometric_, p) for p in (0, 1)),
    lambda: refusal(torch.zeros(2).bernoulli_, 2),
)


class Letters:
    """A sequence that is neither a list nor registered as one."""

    def __len__(self):
        return 2

    def __getitem__(self, at):
        return (4, 5)[at]


typed = [torch.FloatTensor, torch.IntTensor, torch.LongTensor, torch.BoolTensor, torch.HalfTensor]
shown(
    *(
        lambda f=f, value=value: f(value)
        for f in typed
        for value in (range(1, 4), [1, 2], (1, 2), torch.ones(2).numpy(), Letters(), [[1, 0], [0, 3]], [1.5], [])
    ),
    *(lambda f=f: [[*f(*a).shape] for a in ((), (2, 1), (torch.Size([2, 1]),), (3,))] for f in typed),
    lambda: [isinstance(torch.ones(2).to(t), f) for f in typed for t in (torch.float32, torch.int64)],
    lambda: torch.Tensor(range(3)),
    lambda: [*torch.Tensor(torch.Size([2, 1])).shape],
    lambda: [torch.tensor(range(3)), torch.as_tensor(range(3)), torch.tensor(Letters())],
)


def into(name, *arguments, shape=(2, 2), dtype=torch.float32):
    out = torch.zeros(shape, dtype=dtype)
    return [getattr(torch, name)(*arguments, out=out) is out, out]


def assigned():
    y = torch.tensor(2.0, requires_grad=True)
    x = torch.tensor(3.0) * 1
    x[...] = y * 2
    x.backward()
    return [x, y.grad]


def filled_by(index):
    x = torch.tensor(3.0)
    x[index] = torch.tensor(2.5)
    return x


upright = torch.tensor([[4.0, 1.0], [1.0, 3.0]])
shown(
    *(lambda f=f: into(f, upright) for f in "neg square trunc inverse sgn reciprocal".split()),
    *(lambda f=f: into(f, upright, upright + 1) for f in "maximum hypot atan2 copysign".split()),
    lambda: into("prod", upright, 1, shape=(2,)),
    lambda: into("std", upright, 1, shape=(0,)),
    lambda: into("vstack", [upright, upright], shape=(4, 2)),
    lambda: into("argmax", upright, 1, shape=(2,), dtype=torch.int64),
    lambda: into("where", upright > 1, upright, upright * 0),
    lambda: into("clamp", upright, 2, 3),
    lambda: into("addr", upright, upright[0], upright[1]),
    lambda: list(torch.cummax(upright[0], 0, out=(torch.zeros(2), torch.zeros(2, dtype=torch.int64)))),
    *(lambda f=f: into(f, upright, dtype=torch.float64) for f in "exp sqrt tanh logical_not".split()),
    *(lambda f=f: into(f, upright, upright, dtype=torch.float64) for f in "add div eq".split()),
    *(lambda f=f, t=t: into(f, upright, 0, dtype=t) for f in ("cumsum", "cumprod") for t in (torch.float64, torch.int32)),
    lambda: into("sum", upright, 0, shape=(2,), dtype=torch.float64),
    lambda: into("mean", upright, 0, shape=(2,), dtype=torch.float64),
    *(lambda f=f: into(f, upright, upright) for f in "matmul mm maximum sub".split()),
    *(lambda f=f: into(f, 2, 2, dtype=torch.int16) for f in ("ones", "eye")),
    lambda: into("arange", 4, shape=(4,), dtype=torch.int32),
    lambda: into("linspace", 0, 1, 3, shape=(0,), dtype=torch.float64),
    lambda: into("bernoulli", torch.tensor([1.0, 0.0]), shape=(2,), dtype=torch.bool),
    lambda: into("cat", [upright, upright], shape=(4, 2), dtype=torch.float64),
    assigned,
    *(lambda index=index: filled_by(index) for index in (..., ())),
)

tiny = torch.int16, torch.uint8, torch.float16, torch.bfloat16
shown(
    *(lambda t=t: [torch.arange(3, dtype=t), torch.arange(1, 6, 2, dtype=t)] for t in tiny),
    *(lambda t=t: [torch.eye(2, 3, dtype=t), torch.linspace(0, 4, 3, dtype=t)] for t in tiny),
    *(lambda t=t: torch.hann_window(4, dtype=t) for t in tiny[2:]),
    *(
        lambda t=t, f=f: getattr(upright, f)(0, dtype=t)
        for t in (*tiny, torch.float64)
        for f in ("sum", "prod", "cumsum", "cumprod")
    ),
    *(lambda t=t: [upright.mean(dtype=t), upright.softmax(0, dtype=t), upright.nansum(0, dtype=t)] for t in tiny[2:]),
    lambda: upright.half().softmax(0, dtype=torch.float32),
    lambda: torch.nn.functional.log_softmax(upright, 0, dtype=torch.bfloat16),
)

shorts, byte, alone = torch.tensor([[5, -2, 0]], dtype=torch.int16), torch.tensor(3, dtype=torch.uint8), torch.tensor(4.0)
halves = torch.tensor([1.0, -2.0, 0.0]).half()
shown(
    *(lambda a=a, t=t: shorts.to(t).clamp(*a) for a in ((0, None), (None, 2), (3, 1), (0.5, 2)) for t in (torch.int16, torch.int8)),
    *(lambda a=a: shorts.float().clamp(*a) for a in ((3, 1), (0.5, 2))),
    *(lambda t=t: torch.where(shorts > 0, shorts.to(t), 2) for t in (torch.int16, torch.int8, torch.bool)),
    *(lambda f=f: getattr(torch, f)(shorts, byte) for f in ("logical_and", "logical_or", "logical_xor", "fmod", "pow")),
    *(lambda f=f: getattr(halves.clone(), f)(byte) for f in ("logical_and_", "remainder_", "pow_", "fill_", "copy_")),
    *(lambda v=v: [shorts.clone().copy_(v), alone.clone().copy_(v)] for v in (2.5, 1, True)),
    *(lambda d=d: [getattr(byte.expand(2, 2), f)(*d) for f in ("any", "all")] for d in ((), (0,))),
    lambda: [alone.cumprod(0), alone.cumprod(-1), alone.flip(0), alone.movedim(0, 0), alone.float().var(0, correction=0)],
    lambda: [1 // alone, -1 // alone.half(), 7 // torch.tensor(2)],
    lambda: [shorts.relu(), shorts.sgn(), torch.sgn(shorts.int()), halves.signbit(), list(shorts.aminmax())],
    lambda: [torch.empty(0, 2).unique(), torch.pow(halves, shorts[0])],
)

counted = torch.tensor(2), torch.tensor([3])
scaled_by_two = torch.ones(2, requires_grad=True)
shown(
    *(lambda f=f: [*f(*counted, 2, 1).shape] for f in (torch.zeros, torch.ones, torch.empty)),
    *(lambda f=f: [*f(*counted).shape] for f in (torch.rand, torch.randn)),
    lambda: list(torch.autograd.grad((scaled_by_two * 2).sum(), scaled_by_two, only_inputs=True)),
    lambda: list(torch.autograd.grad((scaled_by_two * 2).sum(), scaled_by_two, None, None, False, True, True)),
)

initial = torch.nn.init
distributed = (
    *(initial.uniform, initial.normal, initial.xavier_uniform, initial.xavier_normal),
    *(initial.kaiming_uniform, initial.kaiming_normal, initial.orthogonal),
)
shown(
    lambda: initial.constant(torch.empty(2), 3),
    lambda: initial.eye(torch.empty(2, 3)),
    lambda: initial.dirac(torch.empty(2, 2, 3)),
    lambda: (initial.sparse(torch.empty(4, 3), 0.5) == 0).sum(0),
    *(lambda f=f: [*f(torch.empty(3, 4)).shape] for f in distributed),
)

import numpy

cube = torch.arange(24.0).reshape(2, 3, 4)
for i in (numpy.int64, numpy.int32, torch.tensor, lambda n: torch.tensor([n])):
    shown(
        lambda: cube.view(i(6), i(4))[0],
        lambda: cube.view(-1, i(4))[0],
        lambda: cube.reshape((i(6), -1))[0],
        lambda: torch.reshape(cube, (-1, i(4)))[0],
        lambda: cube[:1, 0].expand(i(2), -1),
        lambda: cube[0].repeat(i(2), i(1))[:, 0],
        lambda: cube.permute(i(2), i(0), i(1))[0],
        lambda: cube.new_zeros(i(2), i(1)),
        lambda: cube.new_full((i(2), 1), 3.0),
        lambda: torch.zeros((i(2), 1)),
        lambda: torch.nn.Conv1d(3, int(i(2)), 2)(cube).shape[1],
    )
for i in (numpy.int64, torch.tensor):
    shown(
        lambda: cube.transpose(i(0), i(2))[0],
        lambda: torch.transpose(cube, i(0), i(2))[0],
        lambda: cube.flatten(i(1))[0],
        lambda: cube.chunk(i(2)) if i is numpy.int64 else cube.split(i(1)),
        lambda: cube.gather(i(2), torch.zeros(2, 3, 1, dtype=torch.int64)),
        lambda: torch.ones(i(2), i(1)),
        lambda: torch.rand(i(2)).shape[0],
    )


def refused_as(*kinds):
    """A call whose error is of a type that torch's code catches."""

    def refused(call):
        try:
            return call()
        except kinds as error:
            return [kind.__name__ for kind in kinds if isinstance(error, kind)]

    return refused


flat = torch.ones(2, 3)
for call in (
    lambda: flat.view(4),
    lambda: flat.repeat(-1, 1),
    lambda: flat.expand(5, 3),
    lambda: torch.zeros(-1),
    lambda: torch.cat([flat, flat[:, :1]]),
    lambda: torch.where(torch.ones(5).bool(), flat, flat),
    lambda: flat + torch.ones(2),
    lambda: flat @ flat,
    lambda: torch.nn.functional.linear(flat, torch.ones(5, 5)),
):
    shown(lambda: refused_as(RuntimeError)(call))
for call in (
    lambda: flat.sum(5),
    lambda: flat.unsqueeze(5),
    lambda: flat.softmax(5),
    lambda: torch.cat([flat, flat], 5),
    lambda: flat.index_select(0, torch.tensor([9])),
    lambda: torch.nn.functional.embedding(torch.tensor([9]), flat),
):
    shown(lambda: refused_as(IndexError)(call))

named_by_numpy = {"axis": 1, "keepdims": True}
reductions = "sum mean prod amax amin std var nansum logsumexp argmax argmin".split()
for name in ("max", "min", "median"):
    shown(lambda: [*getattr(torch, name)(cube, **named_by_numpy)], lambda: [*getattr(cube, name)(axis=0)])
for name in reductions:
    shown(lambda: getattr(torch, name)(cube, **named_by_numpy), lambda: getattr(cube, name)(**named_by_numpy))
for name in ("all", "any"):
    shown(lambda: getattr(cube > 3, name)(**named_by_numpy), lambda: getattr(torch, name)(cube > 3, axis=0))
for name in "cumsum cumprod softmax log_softmax argsort".split():
    tenths = cube[0] / 10
    shown(lambda: getattr(torch, name)(tenths, axis=1), lambda: getattr(tenths, name)(axis=0))
shown(
    lambda: torch.cat([cube, cube], axis=1).shape[1],
    lambda: torch.stack([cube, cube], axis=2).shape[2],
    lambda: cube.unsqueeze(axis=1).squeeze(axis=1).shape[1],
    lambda: torch.gather(cube[0], axis=1, index=torch.tensor([[1], [0], [2]])),
    lambda: [*torch.topk(cube[0], 2, axis=0)],
)

fixed, leaf = torch.tensor([[1.0, 2.0, 3.0]]), torch.tensor([[3.0, 1.0, 2.0]], requires_grad=True)
for product in (torch.cross, torch.linalg.cross):
    leaf.grad = None
    (product(leaf, fixed, dim=-1) + product(fixed, leaf * 2, dim=-1)).sum().backward()
    show(lambda: leaf.grad.tolist())
for size in (0.5, 3.0):
    show(lambda: [round(float(value), 2) for value in torch.linalg.slogdet(torch.eye(300) * size)])
    show(lambda: (round(float(torch.logdet(torch.eye(300) * size)), 2), float(torch.slogdet(torch.zeros(2, 2))[1])))
    grown = (torch.eye(300) * size).requires_grad_()
    torch.logdet(grown).backward()
    show(lambda: grown.grad.diagonal()[:2].tolist())


def slopes(function, *values):
    leaves = [torch.tensor(value, requires_grad=True) for value in values]
    return [each.tolist() for each in torch.autograd.grad(function(*leaves).sum(), leaves)]


def of_eigenvalues(x):
    return torch.linalg.eigvalsh(x) * torch.tensor([[1.0, 2.0], [3.0, 5.0]])


matrices = [[[2.0, 1.0], [1.0, 4.0]], [[3.0, 0.5], [0.5, 1.0]]]
shown(
    lambda: slopes(lambda x: x - x.long(), [1.5, 2.0]),
    lambda: slopes(lambda x: x * x.to(torch.int32), [1.5, 2.0]),
    lambda: [torch.ones(2, requires_grad=True).bool().requires_grad],
    lambda: slopes(lambda x: torch.linalg.solve(torch.eye(2) * 2, x), [1.0, 2.0]),
    lambda: torch.tensor(slopes(of_eigenvalues, matrices)[0]).mul(100).round(),
    lambda: slopes(lambda x: F.silu(x * 1, inplace=True) * 0, [1.0, 2.0]),
    lambda: slopes(lambda x: F.margin_ranking_loss(x, x.detach(), torch.ones(2)), [1.0, 2.0]),
    lambda: torch.linalg.diagonal(torch.arange(24).reshape(2, 3, 4), offset=1),
    lambda: torch.linalg.cross(torch.eye(3), torch.eye(3).flip(0)),
    lambda: F.hardshrink(torch.tensor([0.5, -0.5, 0.75])),
    lambda: torch.erfinv(torch.tensor([0.0, 2.0])).isnan(),
    lambda: torch.searchsorted(torch.tensor([1.0, 2.0]), torch.tensor([-torch.inf, torch.inf])),
    lambda: torch.fft.ifftshift(torch.arange(3), dim=-1),
    lambda: torch.inner(torch.ones(1, 1), torch.ones(2, 1)),
    lambda: torch.einsum(torch.ones(2, 3), [0, 1], torch.ones(3, 2), [1, 2], [2, 0]),
    lambda: str(torch.nn.LSTM(3, 4, num_layers=2, bias=False)),
    lambda: torch.trace(torch.eye(3, dtype=torch.uint8)),
)


def written_parts(dtype):
    x = torch.ones(3, 2, dtype=dtype, requires_grad=True) * 1
    x[1:].mul_(3)
    return x.detach().float()


shown(lambda: written_parts(torch.float16), lambda: written_parts(torch.bfloat16))


def digits(count):
    """Whether what adds many numbers keeps the digits of float64, as torch does on a CPU."""
    x = torch.arange(1, count + 1, dtype=torch.float64).sin().add(2).div(3).float().reshape(2, -1)
    functions = torch.cumsum, torch.cumprod, torch.logcumsumexp, torch.var, torch.std
    moments = torch.var_mean(x, 1), torch.std_mean(x, 1)
    wide = torch.var_mean(x.double(), 1), torch.std_mean(x.double(), 1)
    kinds = [each.dtype for each in torch.var_mean(torch.complex(x, x), 1)]
    same = [torch.equal(function(x, 1), function(x.double(), 1).float()) for function in functions]
    pairs = [pair for some, more in zip(moments, wide, strict=True) for pair in zip(some, more, strict=True)]
    return same, [torch.equal(one, other.float()) for one, other in pairs], str(kinds)


shown(*(lambda count=count: digits(count) for count in (6, 20, 100, 3000)))


def segments(kind, data, **given):
    """Segments reduced, and their gradient."""
    data = torch.tensor(data).requires_grad_()
    made = torch.segment_reduce(data, kind, **given)
    made.sum().backward()
    return plain(made), plain(data.grad)


def scattered(kind, source, own, base=(1.0, 2, 3)):
    source, base = torch.tensor(source).requires_grad_(), torch.tensor(base).requires_grad_()
    made = base.scatter_reduce(0, torch.tensor([0, 1, 0, 1, 2][: len(source)]), source, kind, include_self=own)
    made.sum().backward()
    return [plain(each) for each in (made, source.grad, base.grad)]


ROWS, TABLE = [1.0, 2, 3, 0, 5, 7, 7], [[[1.0, -2], [3, 4], [5, 6]], [[-7, 8], [0, 10], [11, 12]]]
for kind in ("sum", "mean", "max", "min", "prod"):
    shown(
        lambda kind=kind: segments(kind, ROWS, lengths=torch.tensor([3, 0, 4])),
        lambda kind=kind: segments(kind, ROWS, lengths=torch.tensor([3, 0, 4]), initial=2.5),
        lambda kind=kind: segments(kind, ROWS, offsets=torch.tensor([0, 2, 7])),
        lambda kind=kind: segments(kind, TABLE, lengths=torch.tensor([[1, 2], [3, 0]]), axis=1),
    )
shown(
    lambda: torch.segment_reduce(torch.tensor([1.0, torch.nan, 3.0]), "max", lengths=torch.tensor([2, 1])),
    *(
        lambda kind=kind, source=source, own=own: scattered(kind, source, own)
        for kind in ("prod", "amax", "amin", "sum", "mean")
        for source in ([1.0, 0, 3, 4, 5], [0.0, 0, 0, 2, 2])
        for own in (True, False)
    ),
    *(
        lambda source=source, own=own: scattered("prod", source, own, base=[0.0, 2, 0])
        for source in ([1.0, 0, 3, 4, 5], [1.0, 2, 3, 4, 5], [0.0, 1, 2])
        for own in (True, False)
    ),
)


def far_steps(*given, **options):
    """Whether no step of a range is further from the multiplied one than rounding."""
    made = torch.arange(*given, **options)
    start, step = (given[0], given[-1]) if len(given) > 1 else (0, 1)
    exact = torch.arange(len(made), dtype=torch.float64) * step + start
    return len(made), made.dtype, torch.allclose(made.double(), exact, rtol=1e-6, atol=1e-4)


shown(
    lambda: far_steps(0, 400, 0.1),
    lambda: far_steps(3, -90, -0.3),
    lambda: far_steps(0.5, 900, 0.01, dtype=torch.float64),
    lambda: far_steps(7),
    lambda: far_steps(0, 400, numpy.float32(0.1)),
    lambda: far_steps(0.1, 4000, 1),
    lambda: torch.arange(0, 1, 0.25, requires_grad=True).requires_grad,
)


def written_pair(name, dtype, *given):
    """What a function of a dtype that Paddle has no kernel for writes to two tensors."""
    x = torch.tensor([[3, 1, 2, 2], [4, 9, 4, 0]]).to(dtype)
    made = torch.zeros(0, dtype=dtype), torch.zeros(0, dtype=torch.long)
    getattr(torch, name)(x, *given, out=made)
    return plain(made[0].float()), list(made[1].shape)


def written_one(name, dtype, *given):
    made = torch.zeros(0, dtype=dtype)
    return getattr(torch, name)(torch.tensor([3, 1, 2]).to(dtype), *given, out=made) is made, plain(made.float())


for small in (torch.int8, torch.uint8, torch.int16, torch.bfloat16):
    shown(
        *(
            lambda name=name, given=given, dtype=small: written_pair(name, dtype, *given)
            for name, given in (("topk", (2,)), ("sort", (1,)), ("max", (1,)), ("cummax", (1,)), ("kthvalue", (2,)))
        ),
        *(
            lambda name=name, given=given, dtype=small: written_one(name, dtype, *given)
            for name, given in (("add", (1,)), ("clamp", (1, 2)), ("amax", (0,)))
        ),
    )
