// Numbers in, numbers out: what half, bfloat16 and the integer functions make of given bits.
// Floats are read from standard input; for each, and each with the next, results are written.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

struct Result {
    unsigned short half, half_zero, half_up, half_sum, half_product, half_quotient, half_fma;
    unsigned short b16, b16_sum, b16_product, b16_quotient, b16_fma;
    int to_int, to_int_down, popc, clz, ffs, reversed, high, permuted;
    float rsqrt, up;
};

__device__ void fill(Result *r, float x, float y, float z) {
    const __half a = __float2half(x), b = __float2half(y), c = __float2half(z);
    r->half = __half_as_ushort(a);
    r->half_zero = __half_as_ushort(__float2half_rz(x));
    r->half_up = __half_as_ushort(__float2half_ru(x));
    r->half_sum = __half_as_ushort(__hadd(a, b));
    r->half_product = __half_as_ushort(__hmul(a, b));
    r->half_quotient = __half_as_ushort(__hdiv(a, b));
    r->half_fma = __half_as_ushort(__hfma(a, b, c));
    const __nv_bfloat16 d = __float2bfloat16(x), e = __float2bfloat16(y), f = __float2bfloat16(z);
    r->b16 = __bfloat16_as_ushort(d);
    r->b16_sum = __bfloat16_as_ushort(__hadd(d, e));
    r->b16_product = __bfloat16_as_ushort(__hmul(d, e));
    r->b16_quotient = __bfloat16_as_ushort(__hdiv(d, e));
    r->b16_fma = __bfloat16_as_ushort(__hfma(d, e, f));
    const int bits = __float_as_int(x);
    r->to_int = __float2int_rn(x);
    r->to_int_down = __float2int_rd(x);
    r->popc = __popc(unsigned(bits));
    r->clz = __clz(bits);
    r->ffs = __ffs(bits);
    r->reversed = int(__brev(unsigned(bits)));
    r->high = __mulhi(bits, __float_as_int(y));
    r->permuted = int(__byte_perm(unsigned(bits), unsigned(__float_as_int(y)), 0x6b05));
    r->rsqrt = rsqrtf(x);
    r->up = __fadd_ru(x, y);
}
__global__ void all(const float *x, Result *results, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) fill(&results[i], x[i], x[(i + 1) % n], x[(i + 2) % n]);
}

int main() {
    std::vector<float> x(1 << 16);
    x.resize(std::fread(x.data(), sizeof(float), x.size(), stdin));
    const int n = int(x.size());
    float *in;
    Result *out;
    cudaMallocManaged(&in, x.size() * sizeof(float));
    cudaMallocManaged(&out, x.size() * sizeof(Result));
    cudaMemcpy(in, x.data(), x.size() * sizeof(float), cudaMemcpyDefault);
    all<<<(n + 255) / 256, 256>>>(in, out, n);
    if (cudaDeviceSynchronize() != cudaSuccess) return 1;
    std::fwrite(out, sizeof(Result), x.size(), stdout);
    return 0;
}
