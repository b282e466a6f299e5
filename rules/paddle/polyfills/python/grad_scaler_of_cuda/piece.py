import warnings

from .grad_scaler import GradScaler


class amp_GradScaler(GradScaler):
    """That of torch.cuda.amp, which is given no device."""

    def __init__(self, init_scale=2.0**16, growth_factor=2.0, backoff_factor=0.5, growth_interval=2000, enabled=True):
        warnings.warn(
            "`torch.cuda.amp.GradScaler(args...)` is deprecated. Please use `torch.amp.GradScaler('cuda', args...)` instead.",
            FutureWarning,
            stacklevel=2,
        )
        super().__init__("cuda", init_scale, growth_factor, backoff_factor, growth_interval, enabled)


amp_GradScaler.__name__ = "GradScaler"
grad_scaler_GradScaler = amp_GradScaler
