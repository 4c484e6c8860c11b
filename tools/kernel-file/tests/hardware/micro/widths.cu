// Global loads and stores of every width, at a stride from a start: one access a thread.
#define WIDTH(NAME, T)                                                                          \
    __global__ void load_##NAME(const T* in, T* out, int n, int stride, int start) {            \
        int i = blockIdx.x * blockDim.x + threadIdx.x;                                          \
        if (i < n) out[i] = in[i * stride + start];                                             \
    }                                                                                           \
    __global__ void store_##NAME(const T* in, T* out, int n, int stride, int start) {           \
        int i = blockIdx.x * blockDim.x + threadIdx.x;                                          \
        if (i < n) out[i * stride + start] = in[i];                                             \
    }

extern "C" {
WIDTH(i8, signed char)
WIDTH(i16, short)
WIDTH(i32, int)
WIDTH(f32, float)
WIDTH(i64, long long)
WIDTH(f64, double)
WIDTH(char2, char2)
WIDTH(uchar4, uchar4)
WIDTH(short2, short2)
WIDTH(short4, short4)
WIDTH(int2, int2)
WIDTH(int4, int4)
WIDTH(float2, float2)
WIDTH(float4, float4)
WIDTH(double2, double2)

// Read and written in place.
__global__ void increment(int* data, int n, int stride) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i * stride] += 1;
}
}
