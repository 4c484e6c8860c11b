// How fast can memory be read? Each kernel reads every int4 once and does as little else as it can.
// The sum is only kept so that the compiler must read: it is stored where it hits a value that the
// fills do not give. Which shape is fastest depends on the device, so several are tried.

template <int UNROLL>
__device__ __forceinline__ void read_all(const int4* data, unsigned long long vectors, int* sink) {
    unsigned long long tile = (unsigned long long)blockDim.x * UNROLL;
    unsigned long long full = vectors / tile;
    int sum = 0;
    for (unsigned long long t = blockIdx.x; t < full; t += gridDim.x) {
        const int4* from = data + t * tile + threadIdx.x;
        int4 v[UNROLL];
#pragma unroll
        for (int k = 0; k < UNROLL; k++)
            v[k] = from[k * blockDim.x];
#pragma unroll
        for (int k = 0; k < UNROLL; k++)
            sum += v[k].x ^ v[k].y ^ v[k].z ^ v[k].w;
    }
    unsigned long long step = (unsigned long long)gridDim.x * blockDim.x;
    for (unsigned long long i = full * tile + (unsigned long long)blockIdx.x * blockDim.x + threadIdx.x; i < vectors; i += step)
        sum += data[i].x ^ data[i].y ^ data[i].z ^ data[i].w;
    if (sum == (int)0x80000001)
        *sink = sum;
}

extern "C" __global__ void __launch_bounds__(256, 4) read_256x8(const int4* data, unsigned long long vectors, int* sink) {
    read_all<8>(data, vectors, sink);
}

extern "C" __global__ void __launch_bounds__(512, 2) read_512x8(const int4* data, unsigned long long vectors, int* sink) {
    read_all<8>(data, vectors, sink);
}

extern "C" __global__ void __launch_bounds__(1024, 2) read_1024x4(const int4* data, unsigned long long vectors, int* sink) {
    read_all<4>(data, vectors, sink);
}
