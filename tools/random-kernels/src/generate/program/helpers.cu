
__device__ u32 matched(u32 v) {
    int all;
    const u32 mask = __match_all_sync(0xffffffffu, v, &all);
    return mask + (u32)all;
}
__device__ void add_by_cas(u32* word, u32 v) {
    u32 old = atomicAdd(word, 0u), seen;
    do {
        seen = old;
        old = atomicCAS(word, seen, seen + v);
    } while (old != seen);
}

#ifdef TRACE
__device__ u64 marks[1024];
template <typename T>
__device__ void mark(int number, T v) {
    u32 h = 7u;
    fold(h, v);
    const u32 thread = (blockIdx.x * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    atomicAdd(&marks[number], (u64)h * (2 * thread + 1));
}
#define MARK(number, v) mark(number, v)
#else
#define MARK(number, v)
#endif

static u64 state;
static u64 draw() {
    state += 0x9e3779b97f4a7c15ull;
    u64 z = state;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
}

static void* inputs[8];
static int input_count;
static void* outputs[16];
static size_t output_bytes[16];
static int output_count;

static void* upload(const void* data, size_t bytes) {
    void* device;
    cudaMalloc(&device, bytes);
    cudaMemcpy(device, data, bytes, cudaMemcpyHostToDevice);
    inputs[input_count++] = device;
    return device;
}

// Integers of all sizes, and the edges of the type.
template <typename T>
static T* integers(int width, int count, u64 seed) {
    T data[64];
    state = seed;
    for (int i = 0; i < count; i++) {
        const u64 any = draw(), how = draw();
        u64 v = any >> (how % 60);
        if (how % 16 == 1) v = 1ull << (any % width);
        if (how % 16 == 2) v = (1ull << (any % width)) - 1;
        if (how % 16 == 3) v = 0 - any % 20;
        data[i] = (T)v;
    }
    return (T*)upload(data, sizeof(T) * count);
}

// Floats of moderate size, some with short mantissas, and those at the ends of the format.
template <typename T>
static T* floats(int exponent_bits, int mantissa_bits, int count, u64 seed) {
    u64 words[64];
    unsigned char data[64 * sizeof(T)];
    state = seed;
    const u64 bias = (1ull << (exponent_bits - 1)) - 1;
    for (int i = 0; i < count; i++) {
        u64 mantissa = draw() & ((1ull << mantissa_bits) - 1);
        const u64 how = draw();
        u64 exponent = bias + draw() % 13 - 6;
        if (how % 4 == 1) mantissa &= ~((1ull << (mantissa_bits - 3)) - 1);
        if (how % 16 == 2) exponent = draw() % (2 * bias);
        if (how % 32 == 3) exponent = 0;
        if (how % 64 == 4) exponent = 2 * bias + 1;
        if (how % 64 == 8) exponent = mantissa = 0;
        if (how % 64 == 12) exponent = 2 * bias + 1, mantissa = 0;
        const u64 sign = how >> 63;
        words[i] = ((sign << exponent_bits | exponent) << mantissa_bits) | mantissa;
        memcpy(data + i * sizeof(T), &words[i], sizeof(T));
    }
    return (T*)upload(data, sizeof(T) * count);
}

template <typename T>
static T* output(int count) {
    void* device;
    cudaMalloc(&device, sizeof(T) * count);
    cudaMemset(device, 0, sizeof(T) * count);
    outputs[output_count] = device;
    output_bytes[output_count++] = sizeof(T) * count;
    return (T*)device;
}

static unsigned char copied[4096];

// Waits for the kernel, prints its line, and frees its memory.
static void finish(const char* name) {
    u64 hash = 0xcbf29ce484222325ull;
    cudaError_t error = cudaGetLastError();
    if (error == cudaSuccess) error = cudaDeviceSynchronize();
    for (int i = 0; i < output_count; i++) {
        const int bytes = (int)output_bytes[i];
        cudaMemcpy(copied, outputs[i], bytes, cudaMemcpyDeviceToHost);
        for (int at = 0; at < bytes; at += 4) {
            u32 word = 0;
            memcpy(&word, copied + at, bytes - at < 4 ? bytes - at : 4);
            hash = (hash ^ word) * 0x100000001b3ull;
            hash ^= hash >> 29;
        }
        cudaFree(outputs[i]);
    }
    for (int i = 0; i < input_count; i++) cudaFree(inputs[i]);
    input_count = output_count = 0;
    if (error == cudaSuccess) printf("%s %016llx\n", name, hash);
    else printf("%s %s\n", name, cudaGetErrorName(error));
#ifdef TRACE
    static u64 seen[1024];
    cudaMemcpyFromSymbol(seen, marks, sizeof seen);
    for (int i = 0; i < 1024; i++)
        if (seen[i] != 0) printf("%s.%d %016llx\n", name, i, seen[i]);
    memset(seen, 0, sizeof seen);
    cudaMemcpyToSymbol(marks, seen, sizeof seen);
#endif
}

