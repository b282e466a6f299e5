#pragma once
#error "porter: textures and surfaces are not emulated on a CPU"
