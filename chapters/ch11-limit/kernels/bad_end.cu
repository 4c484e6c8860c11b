//! Wide loads in a sum, and the number of vectors rounded up, so that the last numbers are not lost. If n is a
//! multiple of four nothing is wrong. With 1001 numbers the last vector reads three ints beyond the end of the array,
//! and adds whatever is there.
//@ input data: int[n] = lcg256
//@ output out: int[1] = poison
//@ launch reduce(data, out, n) grid = 1, block = 256
//@ test 1001
//@ page 1001
//@ bytes 4 * n
//@ fold add
//@ catch bounds

extern "C" __global__ void reduce(const int4* data, int* out, unsigned int n) {
    __shared__ int total;
    if (threadIdx.x == 0)
        total = 0;
    __syncthreads();

    int sum = 0;
    for (unsigned int i = threadIdx.x; i < (n + 3) / 4; i += 256) {
        int4 v = data[i];  //~ bounds
        sum += v.x + v.y + v.z + v.w;
    }
    atomicAdd(&total, sum);
    __syncthreads();
    if (threadIdx.x == 0)
        out[0] = total;
}

/// A part of the whole sum: the parts take the numbers in turn.
__host__ __device__ int expected_part(
    const int* data, unsigned int n, unsigned int i,
    unsigned int part, unsigned int parts) {
    int sum = 0;
    for (unsigned int k = part; k < n; k += parts)
        sum += data[k];
    return sum;
}
