class FlopCounterMode:
    def __init__(self, mods=None, depth=2, display=True, custom_mapping=None):
        self.mods, self.depth, self.display = mods, depth, display

    def get_flop_counts(self):
        return {}

    def get_total_flops(self):
        return 0

    def __enter__(self):
        raise NotImplementedError("Paddle has no mode that sees operators: none can be counted")

    def __exit__(self, *error):
        return False
