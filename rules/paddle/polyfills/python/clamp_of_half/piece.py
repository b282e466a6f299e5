from .half_on_cpu import _as_in_float32


_as_in_float32(("clamp", "clip"), methods=("clamp_", "clip_"))
