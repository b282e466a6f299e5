#pragma once
#error "porter: tensor core matrices (nvcuda::wmma) are not emulated on a CPU"
