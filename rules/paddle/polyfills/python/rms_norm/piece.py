rms_norm = torch_rms_norm
