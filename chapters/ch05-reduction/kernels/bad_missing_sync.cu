//! Rung 3 without its barrier. A warp that is done with one round goes on to the next, and may read a sum that
//! another warp has not written yet.
//!
//! The result is often right all the same, if the warps happen to run in a good order, so a test may pass today and
//! fail tomorrow. The simulator does not depend on that. It reports every pair of accesses that nothing orders, in
//! whatever order they were executed.
//@ input  data: int[n] = lcg256
//@ output out: int[(n + 511) / 512] = poison
//@ launch reduce(data, out, n) grid = (n + 511) / 512, block = 512
//@ test 512, 65536
//@ page 4096
//@ bytes 4 * n
//@ catch race

extern "C" __global__ void reduce(int* data, int* out, unsigned int n) {
    unsigned int t = threadIdx.x;
    unsigned int start = blockIdx.x * blockDim.x;
    unsigned int count = min(blockDim.x, n - start);  // fewer at the end
    int* tile = data + start;

    for (unsigned int stride = blockDim.x / 2; stride > 0; stride /= 2) {
        if (t < stride && t + stride < count)
            tile[t] += tile[t + stride];  //~ race
    }

    if (t == 0)
        out[blockIdx.x] = tile[0];
}

/// The sum of block i's numbers.
__host__ __device__ int expected(const int* data, unsigned int n, unsigned int i) {
    int sum = 0;
    for (unsigned int k = i * 512; k < n && k < (i + 1) * 512; k++)
        sum += data[k];
    return sum;
}
