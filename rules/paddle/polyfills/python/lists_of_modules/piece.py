import paddle


class ModuleList(paddle.nn.LayerList):
    def __init__(self, modules=None):
        super().__init__(modules)


class ModuleDict(paddle.nn.LayerDict):
    def __init__(self, modules=None):
        super().__init__(modules)
