#pragma once
#include <porter_compat/tensor_caster.h>
