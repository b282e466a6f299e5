#pragma once
#define CUDART_VERSION 13000
#define CUDA_VERSION 13000
