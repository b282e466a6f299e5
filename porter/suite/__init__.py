"""The repository's own tests: found, run in a cell, compared between cells."""

from porter.model import SuiteComparison
from porter.suite.compare import compare
from porter.suite.flaky import find_flaky
from porter.suite.run import TEST_TIMEOUT, run_suite

__all__ = ["TEST_TIMEOUT", "SuiteComparison", "compare", "find_flaky", "run_suite"]
