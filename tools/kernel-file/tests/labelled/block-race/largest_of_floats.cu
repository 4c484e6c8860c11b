//@ scratch out: float[1] = zero
//@ launch largest_of_floats(out) grid = n / 64, block = 64
//@ page 128

__device__ float larger(float* at, float v) {
    int* bits = (int*)at;
    int old = *bits, assumed;
    do {
        assumed = old;
        old = atomicCAS(bits, assumed, __float_as_int(fmaxf(v, __int_as_float(assumed))));
    } while (!(assumed == old));
    return __int_as_float(old);
}
__global__ void largest_of_floats(float* out) { larger(out, threadIdx.x); }
