__global__ void k(const int* in, int* out) {
    __shared__ int first;
    int t = threadIdx.x;
    if (t == 33)
        first = in[t];
    int low = __syncthreads_count(t < 5);
    out[t] = first + low;
}
