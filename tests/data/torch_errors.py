"""Calls that torch refuses, by the type of its error, which the polyfill pieces must raise too, one line each.

Run by tests/test_compat_package.py: `python torch_errors.py`, or with the path of a unit to run
under Paddle's proxy.
"""

import sys

if len(sys.argv) > 1:
    import runpy

    import paddle

    paddle.enable_compat()
    runpy.run_path(sys.argv[1])

import pickle

import torch
import torch.nn.functional as F
from torch import nn

REFUSED = {
    RuntimeError: """
torch.stack([a,b]); torch.cat([a,b]); torch.stack([]); a+b; a*b; a@b; torch.matmul(a,b); torch.mm(a,v);
torch.bmm(a,b); torch.mv(a,torch.ones(2)); torch.dot(v,torch.ones(2)); torch.dot(a,a); a.view(7); a.reshape(7);
a.view(-1,4); a.expand(3,3); a.expand(5); a.permute(0); a.permute(0,0); i.mean(); a.gather(0,i);
a.gather(1,torch.tensor([[9]])); a.scatter(0,torch.tensor([[9]]),1.); a.chunk(0); a.split(0); a.split([1,1,1]);
a.repeat(1); a.narrow(0,1,5); torch.where(a,a,a); torch.where(a>0,a,b); a.masked_fill(b>0,1);
a.masked_select(b>0); torch.linspace(0,1,-1); torch.arange(5,0); torch.zeros(-1); torch.randint(5,2,(2,));
torch.randperm(-1); torch.normal(0.,-1.,(2,)); torch.bernoulli(a*5); torch.multinomial(a*0,1);
torch.multinomial(v,9); F.linear(a,b); F.conv2d(a,b); F.conv2d(torch.ones(1,2,4,4),torch.ones(1,3,2,2));
F.conv1d(torch.ones(1,2,4),torch.ones(1,2,9)); F.mse_loss(a,b); F.l1_loss(a,b); F.binary_cross_entropy(a*5,a);
F.embedding(v,a); F.one_hot(torch.tensor([-1])); F.one_hot(torch.tensor([3]),2); F.one_hot(v); F.pad(a,(1,));
F.pad(a,(1,1,1,1,1,1)); F.layer_norm(a,(5,)); F.batch_norm(a,torch.ones(2),torch.ones(2));
F.group_norm(torch.ones(1,4,2),3); F.max_pool2d(a,2); F.grid_sample(torch.ones(1,1,2,2),torch.ones(1,2,2,3));
F.fold(a,2,2); F.pixel_shuffle(torch.ones(1,3,2,2),2); F.cosine_similarity(a,b); F.pairwise_distance(a,b);
F.kl_div(a,b); F.triplet_margin_loss(a,b,a); F.ctc_loss(a,i,i,i); F.scaled_dot_product_attention(a,b,b);
F.glu(v); torch.inverse(a); torch.linalg.solve(torch.zeros(2,2),v); torch.linalg.cholesky(a);
torch.linalg.svd(v); torch.linalg.eigh(a); torch.linalg.qr(v); torch.linalg.det(a); torch.det(a); torch.trace(v);
torch.tril(v); torch.diag(torch.ones(2,2,2)); torch.cross(v,torch.ones(2),dim=0); torch.cdist(a,b);
torch.einsum("ij,jk",a,b); torch.einsum("ij",v); torch.einsum("i,?",v,v); torch.tensordot(a,b,dims=1);
torch.outer(a,a); torch.topk(v,9); torch.kthvalue(v,9); torch.searchsorted(a,b); torch.bucketize(v,a);
torch.bincount(-i); torch.clamp(v); -torch.tensor([True]); i//0; i%0; bool(v); v.item(); i.requires_grad_();
a.backward(); torch.ones(1).backward(); torch.ones(2,requires_grad=True).backward();
(torch.ones(2,requires_grad=True)*1).backward(); torch.autograd.grad(v.sum(),v); v.to("x"); torch.device("x");
torch.device("cuda:x"); torch.zeros(2,device="x"); v.to(3); torch.fft.fft(a,n=-1); torch.stft(a,4);
torch.quantile(v,2.); torch.quantile(i,.5); torch.lerp(v,a,b); torch.addmm(a,b,a); torch.addcmul(v,b,a);
torch.remainder(i,0); torch.floor_divide(i,0); torch.div(v,v,rounding_mode="x"); torch.isclose(v,i);
torch.allclose(v,i); torch.broadcast_shapes((2,),(3,)); torch.broadcast_tensors(a,b); torch.combinations(a);
torch.block_diag(torch.ones(1,1,1)); torch.repeat_interleave(v,-1); torch.tile(v,(-1,)); torch.rot90(v);
torch.fliplr(v); v.index_add(0,i,torch.ones(2)); v.scatter_add(0,torch.tensor([9]),v); v.fill_(a); v.copy_(a);
v.resize_(-1); v.unfold(0,5,1); v.view(torch.int64); v.view_as(a); v.add_(a); v.mul_(b);
v.masked_scatter(v>0,torch.ones(1)); v.H; torch.ones(2,2,2).t(); v.new_zeros(-1);
nn.Linear(2,3)(torch.ones(1,5)); nn.Conv2d(1,1,3)(torch.ones(1,2,4,4)); nn.BatchNorm2d(3)(torch.ones(1,2,4,4));
nn.Module().load_state_dict({"x":v}); nn.functional.gelu(v,approximate="x"); torch.flatten(a,1,0);
torch.unflatten(a,0,(5,)); torch.hstack([a,b]); torch.vstack([a,b]); torch.dstack([a,b]);
torch.column_stack([a,b]); torch.split(a,[5]); torch.diff(v,n=-1); torch.gradient(torch.ones(1));
torch.cov(torch.ones(2,2,2)); torch.corrcoef(torch.ones(2,2,2)); torch.std(i); torch.var(i);
torch.max(torch.ones(0)); torch.min(torch.ones(0)); torch.multinomial(torch.ones(0),1)
""",
    IndexError: """
torch.cat([a,b],dim=5); a.squeeze(7); a.unsqueeze(7); a.transpose(0,5); a.sum(7); a.mean(dim=9); a.max(dim=4);
a.argmax(dim=4); a[5]; a[0,5]; a[0,0,0]; a[:, :, 0]; a[torch.tensor([9])]; a[torch.tensor([True])];
a.index_select(0,torch.tensor([9])); a.index_select(5,i); a.flip(5); a.roll(1,7); a.narrow(0,-5,1);
a.select(0,9); a.unbind(5); F.cross_entropy(a,torch.tensor([5,5])); F.embedding(torch.tensor([9]),a);
F.softmax(a,dim=5); torch.cumsum(a,5); torch.sort(a,dim=5); torch.tensor(1)[0]; torch.fft.fft(a,dim=7);
torch.take(v,torch.tensor([9])); v.index_fill(0,torch.tensor([9]),1); v.stride(5); v.size(5); a.shape[5];
nn.Embedding(3,2)(torch.tensor([5])); torch.flatten(a,5); torch.swapaxes(a,0,9); torch.argmax(torch.ones(0))
""",
    TypeError: """
torch.tensor("x"); torch.kron(a,3); torch.add(v,"x"); torch.add(v,None); v+None; v+"x"; None+v; v-[1]; v*{};
v<None; v<"x"; v**"x"; iter(torch.tensor(1)); list(torch.tensor(1)); torch.zeros(2,dtype=3); torch.zeros("x");
torch.zeros(2.5); torch.ones([2,"x"]); torch.from_numpy(3); torch.as_tensor("x");
torch.set_default_dtype(torch.int64); torch.get_rng_state(3); torch.save(v); torch.atan2(v,"x");
torch.pow(2,"x"); v.dim(1); nn.Linear(2,"x"); nn.Sequential(nn.Linear(1,1))(v,v);
nn.Module().register_parameter("w",v); nn.Module().add_module("x",3); torch.squeeze(3); torch.sum("x");
torch.exp("x"); torch.exp(3); torch.sin(3.0); torch.mean([1.]); torch.abs(None); torch.relu(3);
torch.sigmoid([1.]); torch.is_tensor()
""",
    ValueError: """
torch.cat([]); torch.tensor([[1],[1,2]]); F.cross_entropy(a,torch.tensor([0])); F.nll_loss(a,torch.tensor([1.]));
F.binary_cross_entropy(a,b); F.interpolate(torch.ones(1,1,2,2)); F.dropout(a,p=2.); int(v); float(v);
v.type("x"); torch.manual_seed("x"); nn.LSTM(2,3)(torch.ones(1)); nn.GroupNorm(2,3);
nn.Conv2d(1,1,3,padding_mode="x"); nn.Conv2d(3,2,1,groups=2); nn.Dropout(2.)
""",
    NotImplementedError: """
F.interpolate(a,scale_factor=2); F.interpolate(torch.ones(1,1,2,2),size=3,mode="x"); v&v; torch.bitwise_and(v,v);
nn.Upsample(scale_factor=2)(a); nn.Module()(1)
""",
}
n = 0
for kind, calls in REFUSED.items():
    for call in calls.split(";"):
        a, b, v, i = torch.ones(2, 3), torch.ones(4, 5), torch.ones(3), torch.arange(3)
        n += 1
        try:
            found = eval(call.strip())
        except Exception as error:
            print(n, "ok", call.strip(), isinstance(error, kind))
        else:
            print(n, "no error", call.strip())
try:
    torch.ones(2) + torch.ones(3)
except RuntimeError as error:
    again = pickle.loads(pickle.dumps(error))
    print(n + 1, "ok", type(error).__name__, type(again).__name__, str(again) == str(error))
