// Tiling data are plain structs of the caller here; those of the cube unit are not.
#pragma once
#include <cstdint>
