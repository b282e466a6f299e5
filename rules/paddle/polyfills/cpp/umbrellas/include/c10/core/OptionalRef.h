#pragma once
#include <c10/util/Optional.h>
