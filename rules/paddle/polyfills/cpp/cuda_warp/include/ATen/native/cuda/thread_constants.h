#pragma once

#ifndef GPU_LAMBDA
#define GPU_LAMBDA __host__ __device__
#endif

constexpr int num_threads() { return 128; }

constexpr int thread_work_size() { return 4; }

constexpr int block_work_size() { return 512; }
