//! A defect that no check sees: the last element is left out of every sum.
//@ input  in: int[n] = one
//@ output out: int[1] = poison
//@ launch sum(in, out, n) grid = 1, block = 1
//@ test 1, 7
//@ page 7
//@ catch wrong-result

extern "C" __global__ void sum(const int* in, int* out, int n) {
    int sum = 0;
    for (int i = 0; i < n - 1; i++) //~ wrong-result
        sum += in[i];
    out[0] = sum;
}

__host__ __device__ int expected(const int* in, int n, int i) {
    int sum = 0;
    for (int k = 0; k < n; k++)
        sum += in[k];
    return sum;
}
