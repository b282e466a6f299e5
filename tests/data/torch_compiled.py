"""What torch.compile, torch.compiler and torch._dynamo take, give and refuse; one line a call.

Run by tests/test_unit_pieces.py as torch_library.py is. Under torch the backend is "eager".
"""

import sys
import warnings

if len(sys.argv) > 1:
    import runpy

    import paddle

    paddle.enable_compat()
    runpy.run_path(sys.argv[1])

import torch
import torch._dynamo
import torch.compiler
from torch import nn

warnings.simplefilter("ignore")


def show(label, f, /, *args, **kwargs):
    try:
        result = f(*args, **kwargs)
        print(label, result.tolist() if isinstance(result, torch.Tensor) else result)
    except Exception as error:
        print(label, "raises", type(error).__name__)


x = torch.tensor([1.0, 2.0])


def plus(a, b=1.0):
    """It adds."""
    return a + b


@torch.compile(backend="eager")
def decorated(a):
    return a * 2


@torch.compile(backend="eager", fullgraph=True, dynamic=False)
def whole(a, *, k=3):
    return a * k


@torch.compile(disable=True)
def disabled(a):
    return a * 4


@torch.compile(backend="eager", dynamic=True)
class Weighted(nn.Module):
    def __init__(self):
        super().__init__()
        self.factor = 5.0

    def forward(self, a):
        return a * self.factor


show("decorated", decorated, x)
show("whole", whole, x, k=4)
show("disabled", disabled, x)
show("a class", lambda: Weighted()(x))
show("a function", lambda: torch.compile(plus, backend="eager")(x, b=2.0))
show("a lambda", lambda: torch.compile(lambda a: a - 1, backend="eager")(x))
show("called", lambda: torch.compile(backend="eager")(plus)(x))
show("names", lambda: (torch.compile(plus, backend="eager").__name__, torch.compile(plus, backend="eager").__doc__))
for mode in ("default", "reduce-overhead", "max-autotune", "max-autotune-no-cudagraphs", "nonsense"):
    show(f"mode {mode}", lambda: callable(torch.compile(plus, mode=mode)))
show("options", lambda: callable(torch.compile(plus, options={"triton.cudagraphs": False})))
show("mode and options", lambda: torch.compile(plus, mode="default", options={}))
show("no function", torch.compile, 3)
show("no function", torch.compile, "plus")
show("unknown argument", lambda: torch.compile(plus, nonsense=1))
show("by place", lambda: torch.compile(plus, True))
show("a module", lambda: isinstance(torch.compile(nn.Linear(2, 2), backend="eager"), nn.Module))
linear = nn.Linear(2, 2)
compiled = torch.compile(linear, backend="eager")
show("a module", lambda: bool((compiled(x) == linear(x)).all()))
show("gradients", lambda: (lambda v: torch.autograd.grad(decorated(v).sum(), v)[0])(x.clone().requires_grad_()))
show("a backend", lambda: callable(torch.compile(plus, backend=lambda graph, inputs: graph.forward)))

show("is_compiling", lambda: (torch.compiler.is_compiling(), torch.compiler.is_dynamo_compiling(), torch._dynamo.is_compiling()))
show("is_exporting", torch.compiler.is_exporting)
for mark in (torch.compiler.disable, torch.compiler.allow_in_graph, torch.compiler.assume_constant_result):
    show("mark", lambda: mark(plus)(x))
for mark in (torch._dynamo.disable, torch._dynamo.allow_in_graph, torch._dynamo.disallow_in_graph):
    show("mark", lambda: mark(plus)(x))


@torch.compiler.disable
def marked(a):
    return a * 7


@torch.compiler.disable(recursive=False)
def marked_with(a):
    return marked(a)


@torch._dynamo.disable(recursive=True)
def marked_by_dynamo(a):
    torch._dynamo.graph_break()
    return marked_with(a)


@torch.compile(backend="eager")
def breaking(a):
    b = marked(a)
    torch._dynamo.graph_break()
    return b + 1


show("marked", marked_by_dynamo, x)
show("breaking", breaking, x)
torch._dynamo.mark_dynamic(x, 0)
torch._dynamo.maybe_mark_dynamic(x, 0)
torch._dynamo.mark_static(torch.ones(2))
torch._dynamo.mark_static_address(torch.ones(2))
show("optimize", lambda: torch._dynamo.optimize("eager")(plus)(x))
show("reset", lambda: (torch._dynamo.reset(), torch.compiler.reset()))
torch._dynamo.config.suppress_errors = True
torch._dynamo.config.cache_size_limit = max(64, torch._dynamo.config.cache_size_limit)
show("settings", lambda: (torch._dynamo.config.suppress_errors, torch._dynamo.config.cache_size_limit))
with torch._dynamo.config.patch(suppress_errors=False, verbose=True):
    show("patched", decorated, x)
show("after", lambda: (torch._dynamo.config.suppress_errors, torch._dynamo.config.verbose))
show("no setting", lambda: torch._dynamo.config.nonsense)


@torch._dynamo.config.patch("verbose", True)
def patched(a):
    return a + 9


show("patched", patched, x)
import torch._dynamo.config as settings  # noqa: E402
from torch._dynamo import config  # noqa: E402
from torch._dynamo.eval_frame import OptimizedModule  # noqa: E402

show("the same", lambda: settings.cache_size_limit == config.cache_size_limit)
show("no module of it", isinstance, plus, OptimizedModule)
with torch.compiler.set_stance("force_eager"):
    show("stance", decorated, x)
show("stance", lambda: torch.compiler.set_stance("eager_on_recompile") is not None)
