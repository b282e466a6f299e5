import copy
import math

import paddle

from .calls_of_modules import _called_as_torch
from .cycles_of_rates import _one_for_each
from .layers import _BatchNorm
from .learning_rates import LRScheduler
from .torchs_meaning import _tensor_method


def _check_decay(decay):
    if not 0.0 <= decay <= 1.0:
        raise ValueError(f"Invalid decay value {decay} provided. Please provide a value in [0,1] range.")


def get_ema_avg_fn(decay=0.999):
    """A function that moves an average by a part of the way to a parameter."""
    _check_decay(decay)

    @paddle.no_grad()
    def ema_update(ema_param, current_param, num_averaged):
        return decay * ema_param + (1 - decay) * current_param

    return ema_update


def get_swa_avg_fn():
    """A function that adds a parameter to an average of as many as there were."""

    @paddle.no_grad()
    def swa_update(averaged_param, current_param, num_averaged):
        return averaged_param + (current_param - averaged_param) / (num_averaged + 1)

    return swa_update


def _of_pairs(average):
    """The same for lists of tensors, in place; integers are rounded towards zero."""

    @paddle.no_grad()
    def update(averaged, current, num_averaged):
        for old, new in zip(averaged, current, strict=True):
            _tensor_method("copy_")(old, average(old, new, num_averaged))

    return update


def get_ema_multi_avg_fn(decay=0.999):
    return _of_pairs(get_ema_avg_fn(decay))


def get_swa_multi_avg_fn():
    return _of_pairs(get_swa_avg_fn())


class AveragedModel(paddle.nn.Layer):
    """A copy of a model whose parameters are averages of those that the model had."""

    def __init__(self, model, device=None, avg_fn=None, multi_avg_fn=None, use_buffers=False):
        super().__init__()
        if avg_fn is not None and multi_avg_fn is not None:
            raise AssertionError("Only one of avg_fn and multi_avg_fn should be provided")
        self.module = copy.deepcopy(model)
        if device is not None:
            self.module = self.module.to(device)
        self.register_buffer("n_averaged", paddle.zeros([], "int64"))
        self.avg_fn, self.multi_avg_fn, self.use_buffers = avg_fn, multi_avg_fn, use_buffers

    def forward(self, *args, **kwargs):
        return _called_as_torch(self.module, *args, **kwargs)

    @paddle.no_grad()
    def update_parameters(self, model):
        own, given = [*self.module.parameters()], [*model.parameters()]
        own_buffers, buffers = [*self.module.buffers()], [*model.buffers()]
        if self.use_buffers:
            own, given, own_buffers, buffers = own + own_buffers, given + buffers, [], []
        if int(self.n_averaged) == 0:
            own_buffers, buffers = own_buffers + own, buffers + given
        elif self.multi_avg_fn is not None or self.avg_fn is None:
            average = self.multi_avg_fn or get_swa_multi_avg_fn()
            average([each.detach() for each in own], [each.detach() for each in given], self.n_averaged)
        else:
            for old, new in zip(own, given, strict=True):
                made = self.avg_fn(old.detach(), new.detach(), self.n_averaged)
                _tensor_method("copy_")(old.detach(), made)
        for old, new in zip(own_buffers, buffers, strict=True):
            _tensor_method("copy_")(old.detach(), new.detach())
        _tensor_method("add_")(self.n_averaged, 1)


@paddle.no_grad()
def update_bn(loader, model, device=None):
    """Compute the running statistics of batch normalizations anew, as averages over all data."""
    layers = [each for each in model.sublayers(include_self=True) if isinstance(each, _BatchNorm)]
    momenta, was_training = [each.momentum for each in layers], model.training
    if not layers:
        return
    for each in layers:
        each.reset_running_stats()
        each.momentum = None
    model.train()
    for given in loader:
        first = given[0] if isinstance(given, (list, tuple)) else given
        model(first if device is None else _tensor_method("to")(first, device))
    for each, momentum in zip(layers, momenta, strict=True):
        each.momentum = momentum
    model.train() if was_training else model.eval()


class SWALR(LRScheduler):
    def __init__(self, optimizer, swa_lr, anneal_epochs=10, anneal_strategy="cos", last_epoch=-1):
        rates = _one_for_each("swa_lr", optimizer, swa_lr)
        for rate, group in zip(rates, optimizer.param_groups, strict=True):
            group["swa_lr"] = rate
        if anneal_strategy not in ("cos", "linear"):
            raise ValueError(f"anneal_strategy must be 'cos' or 'linear', instead got {anneal_strategy}")
        if not isinstance(anneal_epochs, int) or anneal_epochs < 0:
            raise ValueError(f"anneal_epochs must be equal or greater than 0, got {anneal_epochs}")
        self.anneal_epochs, self._anneal_strategy = anneal_epochs, anneal_strategy
        super().__init__(optimizer, last_epoch)

    def _part(self, step):
        part = max(0, min(1, step / max(1, self.anneal_epochs)))
        return part if self._anneal_strategy == "linear" else (1 - math.cos(math.pi * part)) / 2

    def get_lr(self):
        step = max(1, self._step_count - 1) if self.anneal_epochs == 0 else self._step_count - 1
        before, now = self._part(step - 1), self._part(step)
        made = []
        for group in self.optimizer.param_groups:
            rate, last = group["lr"], group["swa_lr"]
            first = last if before == 1 else (rate - before * last) / (1 - before)
            made.append(last * now + first * (1 - now))
        return made
