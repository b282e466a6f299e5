from .functions import torch_rms_norm


rms_norm = torch_rms_norm
