__global__ void intrinsics(int* a) {
    __syncthread();
    syncthreads();
    a[0] = __shfl_dwn_sync(0xffffffff, a[0], 1);
    a[1] = shfl_down_sync(0xffffffff, a[0], 1);
}
