// Indices that leave their array, and addresses that are not aligned.

// twins: no_guard(in[n], out[n] = junk, n) <<<n / 128, 128>>> n = 128, 129, 1000
__global__ void no_guard(const int* in, int* out, int n) {
    int i = blockIdx.x * 128 + threadIdx.x;
    FIX(if (i < n)) out[i] = in[i];
}

// twins: guard_too_wide(in[n], out[n] = junk, n) <<<n / 128, 128>>> n = 127, 1000
__global__ void guard_too_wide(const int* in, int* out, int n) {
    int i = blockIdx.x * 128 + threadIdx.x;
    if (i EITHER((<), (<=)) n) out[i] = in[i];
}

// twins: right_neighbour(in[n], out[n] = junk, n) <<<n / 64, 64>>> n = 64, 100
__global__ void right_neighbour(const int* in, int* out, int n) {
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i < n) out[i] = EITHER((i + 1 < n), (i < n)) ? in[i + 1] - in[i] : 0;
}

// twins: left_neighbour(in[n], out[n] = junk, n) <<<n / 64, 64>>> n = 64, 100
__global__ void left_neighbour(const int* in, int* out, int n) {
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i < n) out[i] = in[i] + EITHER((i > 0 ? in[i - 1] : 0), (in[i - 1]));
}

// twins: shared_halo(in[n], out[n] = junk, n) <<<n / 64, 64>>> n = 64, 128
__global__ void shared_halo(const int* in, int* out, int n) {
    __shared__ int s[EITHER((66), (64))];
    int t = threadIdx.x, i = blockIdx.x * 64 + t;
    s[t + 1] = in[i];
    if (t == 0) s[0] = i > 0 ? in[i - 1] : 0;
    if (t == 63) s[65] = i + 1 < n ? in[i + 1] : 0;
    __syncthreads();
    out[i] = s[t] + s[t + 1] + s[t + 2];
}

// twins: tree_reads_past(in[n], out[n / 64] = junk) <<<n / 64, 64>>> n = 64, 128
__global__ void tree_reads_past(const int* in, int* out) {
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = in[blockIdx.x * 64 + t];
    __syncthreads();
    for (int step = 1; step < 64; step *= 2) {
        int at = 2 * step * t;
        if (at EITHER((< 64), (<= 64))) s[at] += s[at + step];
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = s[0];
}

// twins: dynamic_too_small(in[n], out[n] = junk, n) <<<1, n, 4 * n>>> n = 32, 64
__global__ void dynamic_too_small(const int* in, int* out, int n) {
    extern __shared__ int s[];
    int t = threadIdx.x;
    s[t EITHER((), (+ 1))] = in[t];
    __syncthreads();
    out[t] = s[n - 1 - t EITHER((), (+ 1))];
}

// twins: matrix_edge(in[n * n], out[n * n] = junk, n) <<<(n / 16, n / 16), (16, 16)>>> n = 16, 20
__global__ void matrix_edge(const int* in, int* out, int n) {
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    if (x < n EITHER((&&), (||)) y < n) out[y * n + x] = in[x * n + y];
}

// twins: vector_tail(in[n], out[n] = junk, n) <<<1, 64>>> n = 64, 250
__global__ void vector_tail(const int* in, int* out, int n) {
    int at = threadIdx.x * 4;
    if (EITHER((at + 3), (at)) < n) {
        int4 v = *(const int4*)(in + at);
        *(int4*)(out + at) = v;
    } else {
        for (int i = at; i < n; i++) out[i] = in[i];
    }
}

// twins: misaligned_float4(in[n + 4], out[n] = junk, n) <<<1, n / 4>>> n = 64, 256
__global__ void misaligned_float4(const float* in, float* out, int n) {
    const float4* v = (const float4*)(in + EITHER((4), (1)));
    ((float4*)out)[threadIdx.x] = v[threadIdx.x];
}

// twins: misaligned_double(bytes[8 * n + 8], out[n] = junk) <<<1, n>>> n = 32
__global__ void misaligned_double(const char* bytes, double* out) {
    out[threadIdx.x] = *(const double*)(bytes + 8 * threadIdx.x + EITHER((8), (4)));
}

// twins: misaligned_shared(out[n] = junk) <<<1, n>>> n = 32
__global__ void misaligned_shared(int* out) {
    extern __shared__ int none[];
    __shared__ __align__(16) char s[132];
    int* words = (int*)(s + EITHER((4), (2)));
    words[threadIdx.x] = threadIdx.x;
    out[threadIdx.x] = words[threadIdx.x];
}

// twins: misaligned_atomic(bytes[n] = zero) <<<1, 32>>> n = 64
__global__ void misaligned_atomic(char* bytes) { atomicAdd((int*)(bytes + EITHER((4), (3))), 1); }

// twins: constant_table(out[n] = junk, n) <<<1, n>>> n = 16, 20
__constant__ int table[16] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
__global__ void constant_table(int* out, int n) {
    int t = threadIdx.x;
    out[t] = table[EITHER((t % 16), (t))];
}

// twins: local_array(in[n], out[n] = junk, n) <<<1, n>>> n = 32
__global__ void local_array(const int* in, int* out, int n) {
    int window[5];
    int t = threadIdx.x;
    for (int k = 0; k EITHER((<), (<=)) 5; k++) window[k] = in[(t + k) % n];
    int sum = 0;
    for (int k = 0; k < 5; k++) sum += window[k];
    out[t] = sum;
}

// twins: device_array(n) <<<1, 64>>> n = 1
__device__ int results[60];
__global__ void device_array(int n) { results[EITHER((threadIdx.x % 60), (threadIdx.x))] = EITHER((1), (n)); }

// twins: negative_index(in[n], out[n] = junk, n) <<<1, n>>> n = 64
__global__ void negative_index(const int* in, int* out, int n) {
    int t = threadIdx.x;
    int from = t - 3;
    FIX(if (from < 0) from = 0;)
    out[t] = in[from];
}

// twins: unsigned_wraps(in[n], out[n] = junk, n) <<<1, n>>> n = 64
__global__ void unsigned_wraps(const int* in, int* out, unsigned n) {
    unsigned t = threadIdx.x;
    out[t] = EITHER((t >= 3), (t - 3 >= 0)) ? in[t - 3] : 0;
}

// twins: index_from_data(index[n], out[n] = zero, n) <<<1, n>>> n = 64
__global__ void index_from_data(const int* index, int* out, int n) {
    int at = index[threadIdx.x] * 2;
    FIX(if (at < n)) out[at] = 1;
}

// twins: grid_stride(data[n], n) <<<2, 32>>> n = 100, 200
__global__ void grid_stride(int* data, int n) {
    for (int i = blockIdx.x * 32 + threadIdx.x; i < n EITHER((), (+ 1)); i += 64) data[i] = i;
}

// twins: null(data[n], n) <<<1, 32>>> n = 32
__global__ void null(int* data, int n) {
    int* p = EITHER((data), (nullptr));
    p[threadIdx.x] = n;
}

// twins: histogram_of_too_many(in[n], bins[16] = zero, n) <<<1, 64>>> n = 100
__global__ void histogram_of_too_many(const int* in, int* bins, int n) {
    for (int i = threadIdx.x; i < n; i += 64) atomicAdd(&bins[in[i] EITHER((% 16), (/ 6))], 1);
}

// twins: columns_and_rows(a[3 * n], out[n] = junk, n) <<<1, n>>> n = 8, 32
// Three rows of n, or n rows of three: the stride must fit.
__global__ void columns_and_rows(const int* a, int* out, int n) {
    int t = threadIdx.x;
    out[t] = a[EITHER((t), (t * n))] + a[EITHER((n + t), (t * n + 1))] + a[2 * n + t];
}

// clean: padded_tile(in[n * n], out[n * n] = junk, n) <<<(n / 16, n / 16), (16, 16)>>> n = 32
// A column more than is used: what lies there is never touched.
__global__ void padded_tile(const float* in, float* out, int n) {
    __shared__ float tile[16][17];
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    tile[threadIdx.y][threadIdx.x] = in[y * n + x];
    __syncthreads();
    out[(blockIdx.x * 16 + threadIdx.y) * n + blockIdx.y * 16 + threadIdx.x] =
        tile[threadIdx.x][threadIdx.y];
}

// clean: flattened(in[n], out[n] = junk) <<<1, 64>>> n = 64
// A matrix seen as one row, and a pointer just past the end that is only compared.
__global__ void flattened(const int* in, int* out) {
    __shared__ int m[8][8];
    int* all = &m[0][0];
    all[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    const int* end = in + 64;
    for (const int* p = in + threadIdx.x; p < end; p += 64) out[p - in] = all[63 - (p - in)];
}

// clean: pointer_moved_back(in[n], out[n] = junk) <<<1, n>>> n = 64
// A pointer before the array, from which only places inside are reached.
__global__ void pointer_moved_back(const int* in, int* out) {
    const int* from_one = in - 1;
    out[threadIdx.x] = from_one[threadIdx.x + 1];
}

// clean: bytes_at_any_address(in[n], out[n] = junk) <<<1, n>>> n = 63
__global__ void bytes_at_any_address(const char* in, char* out) {
    out[threadIdx.x] = in[(threadIdx.x * 5 + 3) % blockDim.x];
}
