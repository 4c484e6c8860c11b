// Arrays of structs and structs of arrays.
struct Point { int x, y, z; };
struct Body { float x, y, z, mass; };
struct Mixed { signed char tag; short half; int whole; };
struct Wide { double value; int count; int flags; };
struct Nested { Point at; int weight; };
struct __align__(16) Aligned { float x, y, z, w; };

extern "C" {
__global__ void point_x(const Point* in, int* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i].x;
}

__global__ void point_sum(const Point* in, int* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i].x + in[i].y * 3 + in[i].z * 5;
}

__global__ void point_copy(const Point* in, Point* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i];
}

__global__ void point_set_y(const int* in, Point* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i].y = in[i];
}

__global__ void points_apart(const int* x, const int* y, const int* z, int* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = x[i] + y[i] * 3 + z[i] * 5;
}

__global__ void body_mass(const Body* in, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i].mass;
}

__global__ void body_move(Body* bodies, int n, float by) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        bodies[i].x += by;
        bodies[i].z -= by;
    }
}

__global__ void mixed_whole(const Mixed* in, int* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i].whole;
}

__global__ void mixed_tag_half(const Mixed* in, int* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i].tag * 1000 + in[i].half;
}

__global__ void wide_value(const Wide* in, double* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i].value;
}

__global__ void wide_flags(const int* in, Wide* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i].flags = in[i];
}

__global__ void nested_weight(const Nested* in, int* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i].at.z * in[i].weight;
}

__global__ void aligned_w(const Aligned* in, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i].w;
}

__global__ void float4_z(const float4* in, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i].z;
}

__global__ void int3_copy(const int3* in, int3* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i];
}

__global__ void int2_swap(const int2* in, int2* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int2 v = in[i];
        out[i] = make_int2(v.y, v.x);
    }
}
}
