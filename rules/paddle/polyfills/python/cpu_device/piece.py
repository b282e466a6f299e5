def cpu_is_available():
    return True


def cpu_is_initialized():
    return True


def cpu_device_count():
    return 1


def cpu_current_device():
    return "cpu"


def cpu_set_device(device):
    pass


def cpu_synchronize(device=None):
    pass
