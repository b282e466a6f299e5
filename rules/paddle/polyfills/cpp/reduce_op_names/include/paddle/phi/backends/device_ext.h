#pragma once

// instead of the one with: { SUM = 0, AVG, MAX, MIN, PRODUCT }
typedef enum { C_CCL_SUM = 0, C_CCL_AVG, C_CCL_MAX, C_CCL_MIN, C_CCL_PRODUCT } C_CCLReduceOp;
