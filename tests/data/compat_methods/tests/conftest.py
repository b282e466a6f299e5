import pytest
import torch


@pytest.fixture
def make():
    """Values by name: a test that asks for one does not say that it is a tensor."""
    rows = torch.tensor([[1.0, 4.0, -2.0, 0.5], [3.0, -1.0, 2.5, 0.0], [0.25, 8.0, 1.0, -3.0]])

    def made(kind):
        return {"rows": rows.clone(), "index": rows.argsort(dim=1)}[kind]

    return made


@pytest.fixture
def largest(make):
    value, where = make("rows").max(dim=1)
    return [value.tolist(), where.tolist()]
