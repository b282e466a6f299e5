#pragma once

// Paddle declares CUDA's types without CUDA, too. Sources that give this one a type of their own
// where it is no macro are told that it is there.
#ifndef PADDLE_WITH_CUDA
#define cudaStream_t cudaStream_t
#endif
