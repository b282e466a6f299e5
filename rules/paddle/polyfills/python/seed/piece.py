from paddle import compat

seed = compat.seed
