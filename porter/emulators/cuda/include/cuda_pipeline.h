#pragma once
#error "porter: asynchronous copies (cp.async, cuda::pipeline) are not emulated on a CPU"
