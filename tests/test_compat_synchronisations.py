"""No piece of porter-compat has the host wait for a device where torch does not."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.test_compat_package import DATA, cache, call, installed, wheel

__all__ = ["cache", "installed", "wheel"]  # fixtures
pytestmark = [pytest.mark.real, pytest.mark.long]

# Which function of a piece waits, by what; and why it may.
JUSTIFIED = {
    "torch gives a number of Python's, a string or a list, of the values": """
        equal_of_tensors.equal allclose.allclose facts_of_tensors.is_nonzero
        tolist_of_bfloat16._tolist grad_scaler.get_scale
        numbers_of_one_element.number numbers_of_one_element._index_of_one
        sizes_of_other_types._whole
        operators._converted""",
    "torch makes a shape of the values: so it has to wait": """
        unique.unique unique._of_slices unique.unique_consecutive indices_of_numbers.nonzero
        indices_of_views.__getitem__ indices_of_views._places_of
        larger_dtypes.function sparse_tensors._product one_hot.one_hot
        sparse_tensors.sparse_coo_tensor mixed_functions.where sequences.<listcomp>
        float8_kernels._float8_written sizes.<genexpr> parts_of_sparse._csr
        parts_of_sparse._distinct sparse_members._dense_to_sparse""",
    "torch has these on the CPU: lengths, orders of data, the state of a generator": """
        layer_functions._bags
        sequences.pack_padded_sequence sequences.pad_packed_sequence sequences.__new__
        data_loading._permutation data_loading._integers generators.set_state
        tuples_of_tensors.tensor_split""",
    "torch asks for these values, in its own code": """
        full.full linspace_of_complex.<genexpr> layers.forward matrices.matrix_exp
        functions.torch_istft linear_algebra.linalg_inv_ex sparse_tensors.sparse_csr_tensor
        linear_algebra._error_of linear_algebra._check_pivots
        indices_and_segments.segment_reduce""",
    "what compares values for a test, or prints them": """
        testing_assert_close._numpy testing_assert_close._difference library_opcheck._same
        gradcheck._rows gradcheck._measured gradcheck.<listcomp> operators._result
        text_of_tensors._text_of_tensor""",
    "Paddle's to_dense takes one of several entries of a place: they are put together before": """
        sparse_tensors.sparse_sum""",
    "what raises names the tensors that it got": "arguments_of_to._parse_to",
    "Paddle's own function of that name waits, and the piece leaves it to do so": """
        half_on_cpu.method computing.method indices_of_views.__setitem__
        types_of_errors.called""",
    "numbers for a tensor on the CPU are drawn on the CPU, of values that are there": """
        random_tensors._probabilities random_tensors.<genexpr> draws_in_place._bernoulli_in""",
    "integers alone, which torch multiplies on a CPU only": "einsum_of_a_list.<listcomp>",
    "a condition, and `in`, which read the value under torch as well": """
        truth_and_iteration._truth truth_and_iteration._holds""",
    "a gradient that create_graph recorded: whether Paddle has added to its copy since": """
        grad_written_to._grad""",
    "torch makes lengths of the values of a tensor, too": "sizes.__new__",
    "where the values are on the CPU, and only there": """
        softmax.softmax cross_entropy.logs indices_of_views._refuse_outside
        linear_layers.embedding nan_as_the_largest._has_nan pointwise._gammainc
        indices_and_segments.reduced""",
}
SCRIPTS = "functions semantics library autograd_functions transforms catalogue checks augmented"


@pytest.mark.parametrize("name", SCRIPTS.split())
def test_pieces_wait_for_a_device_only_where_torch_does(
    framework_pythons: Mapping[str, Path],
    installed: Path,
    cache: Path,
    tmp_path: Path,
    name: str,
) -> None:
    script, unit = tmp_path / f"torch_{name}.py", tmp_path / "unit.py"
    script.write_bytes((DATA / script.name).read_bytes())
    unit.write_bytes((DATA / "count_synchronisations.py").read_bytes())
    command = [str(framework_pythons["paddle"]), "-W", "ignore", script.name, unit.name]
    variables = {"PORTER_COMPAT_CACHE": str(cache), "COUNTED": str(tmp_path / "counted")}
    status, said = call(command, installed, tmp_path, **variables)
    assert status == 0, said
    counted = json.loads((tmp_path / "counted").read_text())
    justified = {where for pieces in JUSTIFIED.values() for where in pieces.split()}
    assert sum(counted.values()) > 0, "nothing was counted"
    assert not {key: n for key, n in counted.items() if key.split()[0] not in justified}
