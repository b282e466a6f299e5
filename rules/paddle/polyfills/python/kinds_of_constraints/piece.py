from .constraints_of_distributions import _region, constraints

_Real = type(constraints.real)
_Boolean = type(constraints.boolean)
_OneHot = type(constraints.one_hot)
_IntegerInterval = constraints.integer_interval
_GreaterThan = constraints.greater_than
_GreaterThanEq = constraints.greater_than_eq
_LessThan = constraints.less_than
_Interval = constraints.interval
_HalfOpenInterval = constraints.half_open_interval
_Simplex = type(constraints.simplex)
_Multinomial = constraints.multinomial
_LowerTriangular = type(constraints.lower_triangular)
_LowerCholesky = type(constraints.lower_cholesky)
_CorrCholesky = type(constraints.corr_cholesky)
_Square = type(constraints.square)
_Symmetric = type(constraints.symmetric)
_PositiveSemidefinite = type(constraints.positive_semidefinite)
_PositiveDefinite = type(constraints.positive_definite)
_IndependentConstraint = constraints.independent
_IntegerLessThan = _region(
    "_IntegerLessThan", lambda self, v: (v % 1 == 0) & (v <= self.upper_bound), "upper_bound", is_discrete=True
)
