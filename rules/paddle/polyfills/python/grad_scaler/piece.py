import paddle


class GradScaler(paddle.amp.GradScaler):
    """torch.amp.GradScaler, or torch.cuda.amp's, which is given no device."""

    def __init__(self, *args, device="cuda", **options):
        if args and isinstance(args[0], (str, paddle.device.Device)):
            args = args[1:]
        names = ("init_scale", "growth_factor", "backoff_factor", "growth_interval", "enabled")
        options = {**dict(zip(names, args, strict=False)), **options}
        if len(args) > len(names) or set(options) - set(names):
            raise TypeError(f"GradScaler() takes {', '.join(names)} and device")
        super().__init__(
            enable=options.get("enabled", True),
            init_loss_scaling=options.get("init_scale", 65536.0),
            incr_ratio=options.get("growth_factor", 2.0),
            decr_ratio=options.get("backoff_factor", 0.5),
            incr_every_n_steps=options.get("growth_interval", 2000),
        )

    def is_enabled(self):
        return self.is_enable()

    def get_scale(self):
        return float(self._scale) if self.is_enable() else 1.0

    def step(self, optimizer, *args, **kwargs):
        return super().step(optimizer) if self.is_enable() else optimizer.step(*args, **kwargs)
