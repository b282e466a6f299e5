"""Numbers, dtypes, keywords and pickles that Paddle has otherwise, one line each, as torch has them.

Run by tests/test_compat_package.py: `python torch_numbers.py`, or with the path of a unit to run
under Paddle's proxy.
"""

import sys

if len(sys.argv) > 1:
    import runpy

    import paddle

    paddle.enable_compat()
    runpy.run_path(sys.argv[1])

import copy
import io
import pickle

import numpy as np
import torch
import torch.distributions as D
import torch.nn.functional as F

N = None


def show(make):
    try:
        found = make()
    except Exception as error:
        found = type(error).__name__
    print(sys._getframe(1).f_lineno, found)


def get(name):
    found = torch
    for part in name.split("."):
        found = getattr(found, part)
    return found


# Functions are pickled by their names, also of modules that hold them.
for name in """relu sigmoid exp add matmul zeros logsumexp cat einsum nn.functional.relu nn.functional.softplus
nn.functional.gelu nn.functional.mse_loss linalg.norm special.expit nn.init.kaiming_uniform_ fft.fft
nn.utils.clip_grad_norm_""".split():
    for protocol in (2, 4):
        show(lambda: (name, pickle.loads(pickle.dumps(get(name), protocol)) is get(name)))


class Held(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second, self.layer = torch.relu, F.softplus, torch.nn.Linear(2, 2)

    def forward(self, x):
        return self.first(self.second(self.layer(x)))


held, x = Held(), torch.ones(1, 2)
again = pickle.loads(pickle.dumps(held))
show(lambda: (torch.equal(again(x), held(x)), again.first is torch.relu, again.second is F.softplus))
written = io.BytesIO()
torch.save({"function": F.relu, "of C": torch.relu}, written)
written.seek(0)
loaded = torch.load(written, weights_only=False)
show(lambda: (loaded["function"] is F.relu, loaded["of C"] is torch.relu))
show(lambda: torch.load(io.BytesIO(written.getvalue()), weights_only=True))

# A copy of a dtype, a layout or a format is itself.
for each in (torch.float32, torch.bfloat16, torch.int64, torch.strided, torch.contiguous_format, torch.channels_last):
    show(lambda: (copy.copy(each) is each, copy.deepcopy([each])[0] is each, pickle.loads(pickle.dumps(each)) is each))

# Values and gradients of elements.
for dtype in (torch.float32, torch.float64):
    wide = torch.arange(-600, 600).to(dtype) / 100
    digits = 4 if dtype == torch.float32 else 8
    show(lambda: (bool((torch.erf(wide).abs() <= 1).all()), torch.erf(wide[::100]).sum().item() == 0))
    for name in "digamma sinc special.i0e special.erfcx special.log_ndtr nn.functional.celu nn.functional.selu".split():
        at = torch.tensor([-2.6, -0.6, 0.3, 1.9, 0.0][: 4 if name == "digamma" else 5], dtype=dtype, requires_grad=True)
        made = get(name)(at)
        made.sum().backward()
        show(lambda: (name, [f"{v + 0.0:.{digits}g}" for v in (*made.tolist(), *at.grad.tolist())]))
    for name in ("erfinv", "special.ndtri", "special.entr"):
        at = torch.tensor([1e-9, 0.02, 0.3, 0.97], dtype=dtype, requires_grad=True)
        made = get(name)(at)
        made[1:].sum().backward()
        show(lambda: (name, [f"{v:.{digits}g}" for v in (*made.tolist(), *at.grad.tolist())], made.grad_fn.name()))
z = torch.tensor([1 + 1j, 0.5 - 2j], dtype=torch.complex128, requires_grad=True)
torch.sinc(z).abs().sum().backward()
show(lambda: z.grad)
far = torch.tensor([-1e4, -90.0], requires_grad=True)
F.celu(far).sum().backward()
show(lambda: far.grad.tolist())
show(lambda: torch.special.ndtri(torch.tensor([-1.0, 0.0, 1.0, 2.0])).tolist())
show(lambda: [round(v, 5) for v in torch.polygamma(1, torch.tensor([-0.5, 2.0])).tolist()])
half = torch.tensor([-1.7, 0.3, 1.9], dtype=torch.float64, requires_grad=True)
for name in ("erf", "digamma", "sinc", "special.i0e", "special.erfcx", "nn.functional.celu"):
    show(lambda: (name, torch.autograd.gradgradcheck(get(name), (half,))))
show(lambda: D.Normal(0, 1).cdf(wide).max().item() <= 1)

# Powers, and what numbers of NumPy are.
a = torch.arange(3)
for made in (torch.pow(a, 0.5), a.pow(0.5), torch.pow(a > 0, 0.5), torch.pow(2.5, a), torch.pow(a, 2), torch.pow(a, 1j)):
    show(lambda: (made.dtype, made[1:].tolist()[0]))
for given in ([np.float64(2)], [np.float32(2), 1], [np.int32(2)], [1.5, np.float64(2)], [[np.float16(2)]], [np.bool_(True)]):
    show(lambda: (torch.tensor(given).dtype, torch.as_tensor(given).dtype))

# Integers become floats of the default dtype.
for default in (torch.float64, torch.float32):
    torch.set_default_dtype(default)
    for name in """sqrt exp sin log log2 log1p expm1 sigmoid tanh rsqrt reciprocal erf lgamma digamma sinh acos asinh
        deg2rad logit i0 angle""".split():
        show(lambda: (name, get(name)(a).dtype, getattr(a, name)().dtype))
    for text in """a/2 2/a a/a 1.0*a a*1.0 a+0.5 0.5-a a**0.5 2.0**a a//2.0 a%2.0 1j*a a+1j (a>1)*0.5 (a>1)/2 a.int()/a
        a.mul(0.5) a.div(2) a.true_divide(a) torch.mul(a,.5) torch.pow(a,.5) torch.div(a,2) torch.atan2(a,a) a.float()*a
        torch.div(a,2,rounding_mode="floor") a*2 a//2 torch.where(a>1,0.5,a) torch.hann_window(4) torch.cov(a) a.sum()/2
        torch.full((2,),1.5) torch.nn.Linear(2,2).weight""".split():
        show(lambda: (text, eval(text, {"a": a, "torch": torch}).dtype))
torch.set_default_tensor_type(torch.DoubleTensor)
show(lambda: (a / 2).dtype)
for make in (torch.sqrt, lambda x, out: torch.div(x, 2, out=out), lambda x, out: torch.add(x, 0.5, out=out)):
    written = torch.zeros(3, dtype=torch.float64)
    show(lambda: (make(a, out=written) is written, written))
    show(lambda: make(a, out=torch.zeros(3, dtype=torch.int64)))
torch.set_default_dtype(torch.float32)

# Indices without dimensions, and parameters by torch's names.
b, c, m = torch.tensor([3.0, -1.0]), torch.tensor([1.0, 2.0]), torch.arange(6.0).reshape(2, 3)
one = torch.tensor(1)
show(lambda: (m.index_select(-1, one), torch.index_select(b, 0, index=one), m.index_copy(1, one, torch.ones(2, 1))))
show(lambda: (m.index_add(1, one, torch.ones(2, 1)), m.index_fill(1, one, 9)))
for text in """torch.cummax(b,dim=0)[0] b.cummin(dim=0)[1] torch.diag(b,diagonal=1) b.diag(diagonal=-1) torch.diag(input=m)
    torch.hstack(tensors=[b,c]) torch.vstack(tensors=(b,c)) torch.dstack(tensors=(b,c)) torch.column_stack(tensors=(b,c))
    torch.hypot(b,other=c) b.hypot(other=c) torch.heaviside(b,values=c) b.fmax(other=c) torch.fmin(b,other=c)
    torch.where(b>0,input=b,other=c) b.clone().unsqueeze_(dim=0) b[None].clone().squeeze_(dim=0)
    torch.swapaxes(m,axis0=0,axis1=1) torch.moveaxis(input=m,source=0,destination=1) b.clone().eq_(other=c)
    b.clone().lt_(other=c) b.clone().greater_(other=c) one.expand_as(other=b) torch.reciprocal(input=b) torch.square(input=b)
    torch.lgamma(input=c) torch.inverse(input=torch.eye(2)) torch.bincount(input=one[None],weights=N,minlength=3)
    torch.tril_indices(2,2,device="cpu") torch.triu_indices(2,col=2,offset=1,device="cpu") torch.bitwise_not(input=one)
    torch.select_scatter(m,src=b,dim=1,index=0)
    torch.imag(input=b*1j) (b*1j).imag.flip(0) F.upsample_nearest(input=m[None],size=(5,))
    F.upsample_bilinear(m[None,None],size=(3,4)) F.pixel_shuffle(input=torch.ones(1,4,1,1),upscale_factor=2)""".split():
    show(lambda: (text, eval(text, {"torch": torch, "F": F, "N": N, "b": b, "c": c, "m": m, "one": one})))

# Distributions by the names that subclasses use.
d = D.MultivariateNormal(torch.zeros(3, 2), torch.eye(2) * 2)
show(lambda: (d._unbroadcasted_scale_tril.shape, d.scale_tril.shape, d.variance.shape, d.entropy().shape))
show(lambda: (d.expand((4, 3)).scale_tril.shape, d.expand((4, 3)).log_prob(torch.zeros(2)).shape))
show(lambda: d.log_prob(torch.zeros(5)))
show(lambda: D.Wishart(torch.tensor([3.0, 4.0]), torch.eye(2)).scale_tril.shape)


class Factored(D.MultivariateNormal):
    def __init__(self, factor):
        self.loc, self.factor = torch.zeros(factor.shape[-1]), factor
        super(D.MultivariateNormal, self).__init__((), self.loc.shape, validate_args=False)

    _unbroadcasted_scale_tril = property(lambda self: self.factor)


f = Factored(torch.eye(2) * 2)
show(lambda: (f.covariance_matrix, f.log_prob(torch.ones(2)), f.variance, f.precision_matrix + 0.0))


class Prior(D.Normal, torch.nn.Module):
    """A distribution that is a module, whose parameters are buffers."""

    def __setattr__(self, name, value):
        super().__setattr__(name, value)

    def __init__(self, loc, scale):
        torch.nn.Module.__init__(self)
        D.Normal.__init__(self, loc, scale)
        for name in ("loc", "scale"):
            value = getattr(self, name)
            delattr(self, name)
            self.register_buffer(name, value)


p = Prior(0.0, 2.0)
show(lambda: (p.log_prob(torch.tensor([0.5, 1.0])), p.cdf(torch.tensor(0.0)), [*p.state_dict()], p.sample((2,)).shape))
for each in (D.HalfNormal(2.0), D.HalfCauchy(2.0), D.Gumbel(1.0, 2.0)):
    kinds = [type(transform).__name__ for transform in each.transforms]
    show(lambda: (each, isinstance(each, D.TransformedDistribution), kinds, each.base_dist, each.expand((2,))))
    show(lambda: (each.log_prob(torch.tensor(0.5)), each.cdf(torch.tensor(0.5)), each.mean, each.variance))
    show(lambda: (each.icdf(torch.tensor(0.5)), each.entropy(), each.rsample((3,)).shape, each.support))
show(lambda: D.Independent[D.Normal] is not N)
