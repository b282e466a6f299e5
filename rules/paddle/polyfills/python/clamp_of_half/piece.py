_as_in_float32(("clamp",), methods=("clamp_",))
