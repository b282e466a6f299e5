import functools
import random
import types

import numpy
import paddle

from .testing_assert_close import assert_close
from .testing_make_tensor import make_tensor
from .torchs_meaning import _torch


@functools.lru_cache(None)
def _test_case():
    import unittest  # for tests alone: it imports much

    class TestCase(unittest.TestCase):
        def setUp(self):
            random.seed(1234)
            numpy.random.seed(1234)
            _torch("manual_seed")(1234)

        def assertEqual(
            self, x, y, msg=None, *, atol=None, rtol=None, equal_nan=True, exact_dtype=True, **options
        ):
            """Tensors, numbers and collections of them are close; anything else is equal."""
            kinds = (paddle.Tensor, numpy.ndarray, int, float, complex, list, tuple, dict)
            if not (isinstance(x, kinds) and isinstance(y, kinds)):
                super().assertEqual(x, y, msg)
                return
            if isinstance(x, paddle.Tensor) != isinstance(y, paddle.Tensor):
                x, y = (v if isinstance(v, paddle.Tensor) else paddle.to_tensor(v) for v in (x, y))
                exact_dtype = False
            options = {"rtol": rtol, "atol": atol, "equal_nan": equal_nan, "check_dtype": exact_dtype}
            assert_close(x, y, msg=msg, check_device=False, **options)

        def assertNotEqual(self, x, y, msg=None, **options):
            with self.assertRaises(AssertionError, msg=msg):
                self.assertEqual(x, y, msg, **options)

    return TestCase


def run_tests(argv=None):
    import unittest

    unittest.main(argv=argv)


class _CommonUtils(types.ModuleType):
    TestCase = property(lambda module: _test_case())


common_utils = _CommonUtils("paddle.testing._internal.common_utils")
vars(common_utils).update(run_tests=run_tests, make_tensor=make_tensor)
