//@ input a: double[n] = iota
//@ input b: float[4 * n] = iota
//@ launch shift(a, b, n) grid = 1, block = 64
//@ page 128

// Whole warps access pairs and quadruples of words, and then lanes access words of other lanes.
__global__ void shift(double* a, float* b, int n) {
    int i = threadIdx.x;
    a[i] = i;
    a[64 + i] = a[i];
    a[i ^ 32] += 1;
    __syncthreads();
    float4* four = (float4*)b;
    float4 mine = four[i];
    four[i] = mine;
    if (i < 32) b[4 * i + 4] = mine.x;
    __syncthreads();
    four[i] = mine;
    ((float2*)b)[i] = make_float2(0, 1);
}
