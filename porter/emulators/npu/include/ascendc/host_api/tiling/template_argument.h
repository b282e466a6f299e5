// Which values a kernel's template arguments have: what is called says it here, so that these declare nothing.
#pragma once
#define ASCENDC_TPL_ARGS_DECL(...)
#define ASCENDC_TPL_SEL(...)
#define ASCENDC_TPL_ARGS_SEL(...)
#define ASCENDC_TPL_TILING_STRUCT_SEL(...)
