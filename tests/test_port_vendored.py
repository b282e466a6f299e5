"""The main job with a vendored unit: all that is asked of a port with the package."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.conftest import ROOT
from tests.porting import porter
from tests.test_port_fixture import (  # noqa: F401
    test_a_bundle_runs_without_network_and_the_other_framework,
    test_a_second_migration_changes_nothing,
    test_cuda_is_never_called_more_than_built,
    test_git_takes_the_patch_on_a_clean_checkout,
    test_its_code_ran_in_the_sandbox,
    test_its_wheel_is_for_people_without_torch,
    test_no_test_is_lost_and_the_same_number_passes,
    test_parity_cases_ran_and_agree,
    test_the_document_follows_its_schema,
    test_the_exit_code_says_whether_something_remains,
    test_the_fixture_is_ported,
    test_the_patch_is_a_few_lines_but_for_vendored_pieces,
    test_the_patch_keeps_the_invariants,
    test_the_unmodified_tree_passes_what_it_can,
)

pytestmark = [pytest.mark.real, pytest.mark.long]


@pytest.fixture(scope="module")
def ported(own_home: Path) -> tuple[int, Any]:
    words = ("port", str(ROOT / "fixtures" / "row_ops"), "--target", "paddle", "--vendor")
    return porter(own_home, *words)
