// What texture and surface units compute, as a hash per case: every address mode, filter, type and
// dimension, at edges, far away and between texels.
//
// `recorded.txt` is what this program prints on an H100 (CUDA 13.0):
//     nvcc -O1 -std=c++17 recorded.cu && ./a.out > recorded.txt
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>
#include <string>
#include <vector>

typedef std::vector<unsigned char> Bytes;
typedef std::vector<float> Coordinates; // three for each fetch

#define CHECK(call)                                                                       \
    do {                                                                                  \
        cudaError_t status = (call);                                                      \
        if (status != cudaSuccess) {                                                      \
            printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status));        \
            exit(1);                                                                      \
        }                                                                                 \
    } while (0)

static void tell(const std::string& name, const void* data, size_t bytes) {
    uint32_t h = 2166136261u;
    for (size_t i = 0; i < bytes; i++) h = (h ^ ((const unsigned char*)data)[i]) * 16777619u;
    printf("%s %08x\n", name.c_str(), h);
}

// Random numbers, the same everywhere.
static uint64_t state = 1;
static uint32_t draw() {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    uint32_t x = (uint32_t)(state >> 32);
    x ^= x >> 15;
    x *= 0x2c1b3c6du;
    return x ^ x >> 12;
}
static float unit() { return (draw() >> 8) * (1.0f / 16777216.0f); }
static float sign() { return draw() & 1 ? 1 : -1; }
static float moved(float x, int n) {
    for (; n > 0; n--) x = nextafterf(x, INFINITY);
    for (; n < 0; n++) x = nextafterf(x, -INFINITY);
    return x;
}

struct Type {
    const char* name;
    int bits, channels;
    cudaChannelFormatKind kind;
    size_t bytes() const { return bits / 8 * channels; }
    bool is_float() const { return kind == cudaChannelFormatKindFloat; }
    cudaChannelFormatDesc channel() const {
        const int b = bits, n = channels;
        return cudaCreateChannelDesc(b, n > 1 ? b : 0, n > 2 ? b : 0, n > 3 ? b : 0, kind);
    }
};
const cudaChannelFormatKind U = cudaChannelFormatKindUnsigned, S = cudaChannelFormatKindSigned, F = cudaChannelFormatKindFloat;
const Type U8 = {"u8x1", 8, 1, U}, U8X2 = {"u8x2", 8, 2, U}, U8X4 = {"u8x4", 8, 4, U}, S8 = {"s8x1", 8, 1, S}, S8X4 = {"s8x4", 8, 4, S};
const Type U16 = {"u16x1", 16, 1, U}, U16X2 = {"u16x2", 16, 2, U}, U16X4 = {"u16x4", 16, 4, U}, S16 = {"s16x1", 16, 1, S};
const Type U32 = {"u32x1", 32, 1, U}, S32X2 = {"s32x2", 32, 2, S}, S32X4 = {"s32x4", 32, 4, S};
const Type F16 = {"f16x1", 16, 1, F}, F16X4 = {"f16x4", 16, 4, F}, F32 = {"f32x1", 32, 1, F}, F32X2 = {"f32x2", 32, 2, F}, F32X4 = {"f32x4", 32, 4, F};

struct Shape {
    int dimensions, w, h, d;
    size_t texels() const { return (size_t)w * h * d; }
    cudaExtent extent() const { return make_cudaExtent(w, dimensions > 1 ? h : 0, dimensions > 2 ? d : 0); }
    std::string name() const { return std::to_string(dimensions) + "d"; }
};
const Shape SHAPES[] = {{1, 37, 1, 1}, {2, 16, 11, 1}, {3, 7, 8, 5}};

static Bytes random_bytes(size_t n) {
    Bytes bytes(n);
    for (auto& b : bytes) b = draw() >> 11;
    return bytes;
}
static uint16_t to_half(float f) {
    uint32_t u;
    memcpy(&u, &f, 4);
    int e = (int)((u >> 23) & 255) - 112;
    if (e <= 0) return (u >> 16) & 0x8000;
    if (e > 30) e = 30;
    return (uint16_t)((u >> 16 & 0x8000) | e << 10 | (u >> 13 & 1023));
}
static float content(const std::string& kind, size_t i) {
    if (kind == "unit") return unit();
    if (kind == "signed") return 2 * unit() - 1;
    if (kind == "wide" || kind == "near" || kind == "huge") {
        const int e = kind == "wide" ? (int)(draw() % 41) - 20 : kind == "near" ? (int)(draw() % 5) - 2 : 100 + (int)(draw() % 28);
        const float size = ldexpf(1 + unit(), e);
        return size * sign();
    }
    if (kind == "int") return (float)(draw() % 256);
    if (kind == "tiny") {
        const uint32_t u = draw() & 0x80ffffffu;
        float f;
        memcpy(&f, &u, 4);
        return f;
    }
    if (kind == "special") {
        static const float values[] = {0, -0.0f, 1, -1, INFINITY, -INFINITY, NAN, 3.5f};
        return values[draw() % 8];
    }
    return (float)i;
}
static Bytes contents(Type t, Shape s, const std::string& kind) {
    const size_t n = s.texels() * t.channels;
    if (!t.is_float() || kind == "bytes") return random_bytes(n * t.bits / 8);
    Bytes bytes(n * t.bits / 8);
    for (size_t i = 0; i < n; i++) {
        const float f = content(kind, i);
        const uint16_t half = to_half(f);
        if (t.bits == 32) memcpy(&bytes[4 * i], &f, 4);
        else memcpy(&bytes[2 * i], &half, 2);
    }
    return bytes;
}
static cudaArray_t array_of(Type t, Shape s, Bytes& bytes, unsigned int flags = 0) {
    cudaArray_t array;
    const cudaChannelFormatDesc c = t.channel();
    CHECK(cudaMalloc3DArray(&array, &c, s.extent(), flags));
    cudaMemcpy3DParms p = {};
    p.srcPtr = make_cudaPitchedPtr(bytes.data(), s.w * t.bytes(), s.w, s.h);
    p.dstArray = array;
    p.extent = make_cudaExtent(s.w, s.h, s.d);
    p.kind = cudaMemcpyHostToDevice;
    CHECK(cudaMemcpy3D(&p));
    return array;
}

struct Mode {
    int address, linear, fractions, normalised;
    cudaTextureDesc desc() const {
        cudaTextureDesc d = {};
        for (auto& a : d.addressMode) a = (cudaTextureAddressMode)address;
        d.filterMode = (cudaTextureFilterMode)linear;
        d.readMode = (cudaTextureReadMode)fractions;
        d.normalizedCoords = normalised;
        return d;
    }
    std::string name() const {
        static const char* addresses[] = {"wrap", "clamp", "mirror", "border"};
        return std::string(addresses[address]) + (linear ? "/linear" : "/point");
    }
    std::string axis() const { return normalised ? "n" : "u"; }
};
const int WRAP = 0, CLAMP = 1;

__device__ uint4 words(float4 v) { return make_uint4(__float_as_uint(v.x), __float_as_uint(v.y), __float_as_uint(v.z), __float_as_uint(v.w)); }
__device__ uint4 words(uint4 v) { return v; }
__device__ uint4 words(int4 v) { return make_uint4(v.x, v.y, v.z, v.w); }
template <typename V> __global__ void fetch(cudaTextureObject_t o, int dimensions, const float* x, int n, uint4* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    if (dimensions == 1) out[i] = words(tex1D<V>(o, x[3 * i]));
    if (dimensions == 2) out[i] = words(tex2D<V>(o, x[3 * i], x[3 * i + 1]));
    if (dimensions == 3) out[i] = words(tex3D<V>(o, x[3 * i], x[3 * i + 1], x[3 * i + 2]));
}
template <typename V> __global__ void fetch_list(cudaTextureObject_t o, int first, int n, uint4* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = words(tex1Dfetch<V>(o, first + i));
}

// The hash of some fetches, of which so many components count.
static void fetched(const std::string& name, cudaTextureObject_t o, int dimensions, cudaChannelFormatKind k, const Coordinates& x, int components) {
    const int n = x.size() / 3, blocks = (n + 127) / 128;
    float* d_x;
    uint4* d_out;
    CHECK(cudaMalloc(&d_x, x.size() * 4));
    CHECK(cudaMalloc(&d_out, n * sizeof(uint4)));
    CHECK(cudaMemcpy(d_x, x.data(), x.size() * 4, cudaMemcpyHostToDevice));
    if (dimensions && k == F) fetch<float4><<<blocks, 128>>>(o, dimensions, d_x, n, d_out);
    if (dimensions && k == U) fetch<uint4><<<blocks, 128>>>(o, dimensions, d_x, n, d_out);
    if (dimensions && k == S) fetch<int4><<<blocks, 128>>>(o, dimensions, d_x, n, d_out);
    if (!dimensions && k == F) fetch_list<float4><<<blocks, 128>>>(o, -10, n, d_out);
    if (!dimensions && k == U) fetch_list<uint4><<<blocks, 128>>>(o, -10, n, d_out);
    if (!dimensions && k == S) fetch_list<int4><<<blocks, 128>>>(o, -10, n, d_out);
    CHECK(cudaGetLastError());
    std::vector<uint4> out(n);
    CHECK(cudaMemcpy(out.data(), d_out, n * sizeof(uint4), cudaMemcpyDeviceToHost));
    std::vector<uint32_t> kept;
    for (const uint4& v : out) {
        const uint32_t all[4] = {v.x, v.y, v.z, v.w};
        kept.insert(kept.end(), all, all + components);
    }
    tell(name, kept.data(), kept.size() * 4);
    CHECK(cudaFree(d_x));
    CHECK(cudaFree(d_out));
}
static cudaTextureObject_t object_of(cudaArray_t array, Mode mode, bool border = false) {
    cudaResourceDesc r = {};
    r.resType = cudaResourceTypeArray;
    r.res.array.array = array;
    cudaTextureDesc d = mode.desc();
    const float color[4] = {0.3f, -1.75f, 200.0f, 7e-3f};
    if (border) memcpy(d.borderColor, color, sizeof color);
    cudaTextureObject_t o = 0;
    CHECK(cudaCreateTextureObject(&o, &r, &d, nullptr));
    return o;
}
static void sampled(const std::string& name, cudaArray_t array, int dimensions, Mode mode, const Coordinates& x) {
    const cudaTextureObject_t o = object_of(array, mode);
    fetched(name, o, dimensions, F, x, 1);
    CHECK(cudaDestroyTextureObject(o));
}

// Where a mode can go wrong: edges, centres, halves of a weight, far away, not numbers.
static Coordinates hard(Shape s, bool normalised, int n) {
    static const float far[] = {-1e9f, 1e9f, -1e30f, 1e30f, INFINITY, -INFINITY, NAN, 0.0f, -0.0f, 1e-40f, -1e-40f, 16777216.0f, 2147483648.0f, -2147483648.0f, 4294967296.0f, 1e-6f};
    const int extent[3] = {s.w, s.h, s.d};
    Coordinates x;
    for (int i = 0; i < n; i++) {
        for (int axis = 0; axis < 3; axis++) {
            const int w = extent[axis];
            const bool is_far = i < 48 && i / 16 == axis;
            float v;
            if (is_far) v = far[i % 16];
            else if (i < 48) v = w * 0.5f + 0.25f;
            else if (i % 4 == 0) {
                v = (float)((int)(draw() % (4 * w)) - (int)(1.5 * w));
                v += 0.25f * (draw() % 4);
            } else if (i % 4 == 1) {
                const int by = (int)(draw() % 5) - 2;
                v = (float)((int)(draw() % (3 * w)) - w);
                v += 0.5f * (draw() % 2);
                v = moved(v, by);
            } else if (i % 4 == 2) {
                v = (float)(draw() % w);
                v += (draw() % 513) / 512.0f;
            } else v = (unit() * 4 - 1.5f) * w;
            x.push_back(normalised && !is_far ? v / w : v);
        }
    }
    return x;
}

static void every_mode(Type t) {
    for (Shape s : SHAPES) {
        state = 7 + s.dimensions + t.bytes() * 10 + (t.kind == U ? 0 : t.kind == S ? 1 : 2) * 1000 + t.bits * 10000;
        Bytes bytes = contents(t, s, "near");
        const cudaArray_t array = array_of(t, s, bytes);
        for (int number = 0; number < 32; number++) {
            const Mode mode = {number % 4, number / 4 % 2, number / 8 % 2, number / 16};
            if (mode.fractions && (t.is_float() || t.bits == 32)) continue;
            if (mode.linear && !t.is_float() && !mode.fractions) continue;
            state = 100 + s.dimensions * 2 + mode.normalised;
            const Coordinates x = hard(s, mode.normalised, 176);
            const cudaTextureObject_t o = object_of(array, mode, true);
            const std::string name = std::string("grid/") + t.name + "/" + s.name() + "/" + mode.name() + (mode.fractions ? "/nf/" : "/el/") + mode.axis();
            fetched(name, o, s.dimensions, mode.fractions ? F : t.kind, x, 4);
            CHECK(cudaDestroyTextureObject(o));
        }
        CHECK(cudaFreeArray(array));
    }
}

// Between texels, with many values: the order and the rounding of the filter. In three dimensions the
// last bit of a sum is not yet known where texels are very far apart.
static void filters() {
    struct Content {
        Type t;
        const char* kind;
        bool in_three;
    };
    const Content all[] = {{F32, "unit", true}, {F32, "signed", true}, {F32, "wide", false}, {F32, "near", true}, {F32, "int", true},
                           {F32, "huge", false}, {F32, "tiny", true}, {F32, "special", true}, {F16, "near", true}, {F16, "unit", true},
                           {F16, "bytes", false}, {U8, "", true}, {S8, "", true}, {U16, "", true}, {S16, "", true}};
    for (Shape s : {Shape{1, 512, 1, 1}, Shape{2, 32, 32, 1}, Shape{3, 16, 8, 8}}) {
        state = 900 + s.dimensions;
        Coordinates x;
        for (int i = 0; i < 8192; i++) {
            x.push_back(0.5f + unit() * (s.w - 1));
            x.push_back(0.5f + unit() * (s.h - 1));
            x.push_back(0.5f + unit() * (s.d - 1));
        }
        for (const Content& c : all) {
            Bytes bytes = contents(c.t, s, c.kind);
            if (s.dimensions == 3 && !c.in_three) continue;
            const cudaArray_t array = array_of(c.t, s, bytes);
            sampled(std::string("fit/") + c.t.name + (*c.kind ? "-" : "") + c.kind + "/" + s.name(), array, s.dimensions, {CLAMP, 1, !c.t.is_float(), 0}, x);
            CHECK(cudaFreeArray(array));
        }
    }
}

// Every integer of 8 bits as a fraction, and the weights of a texel that alone is one.
static void values_and_weights() {
    for (Type t : {U8, S8}) {
        const Shape s = {2, 256, 1, 1};
        Bytes bytes;
        Coordinates x;
        for (int i = 0; i < 256; i++) {
            bytes.push_back(i);
            x.push_back(i + 0.5f);
            x.push_back(0.5f);
            x.push_back(0);
        }
        const cudaArray_t array = array_of(t, s, bytes);
        for (int linear = 0; linear < 2; linear++) sampled(std::string("values/") + (t.kind == S ? "s8" : "u8") + (linear ? "/linear" : "/point"), array, 2, {CLAMP, linear, 1, 0}, x);
        CHECK(cudaFreeArray(array));
    }
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        const Shape s = {dimensions, 4, 4, dimensions == 3 ? 4 : 1};
        Bytes bytes(s.texels() * 4, 0);
        const float one = 1;
        memcpy(&bytes[4 * (dimensions == 3 ? 21 : 5)], &one, 4);
        const cudaArray_t array = array_of(F32, s, bytes);
        state = 77 + dimensions;
        Coordinates x;
        for (int i = 0; i < 3 * 24576; i++) x.push_back(0.5f + (draw() % 2049) / 1024.0f);
        sampled("weights/" + s.name(), array, dimensions, {CLAMP, 1, 0, 0}, x);
        CHECK(cudaFreeArray(array));
    }
}

// Coordinates from 0 to 1 in textures of many widths. A texel's value is its number.
static void coordinates() {
    for (int w : {3, 7, 13, 37, 100, 256, 1000, 1023, 4097, 16384}) {
        const Shape s = {1, w, 1, 1};
        Bytes bytes = contents(F32, s, "index");
        const cudaArray_t array = array_of(F32, s, bytes);
        state = w;
        Coordinates x;
        for (int i = 0; i < 3072; i++) {
            double at;
            if (i % 3 == 0) {
                at = (double)(draw() % (3 * w)) - w;
                at += 0.5 * (draw() % 2);
            } else if (i % 3 == 1) {
                at = (double)(draw() % (3 * w)) - w;
                at += (draw() % 513) / 512.0;
            } else at = (unit() * 1.4 - 0.2) * w;
            x.push_back(moved((float)(at / w), (int)(draw() % 9) - 4));
            x.push_back(0);
            x.push_back(0);
        }
        for (int mode = 0; mode < 6; mode++) {
            const Mode m = {mode / 2, mode % 2, 0, 1};
            sampled("normal/" + std::to_string(w) + "/" + m.name(), array, 1, m, x);
        }
        for (float& v : x) v *= w;
        for (int linear = 0; linear < 2; linear++) sampled("plain/" + std::to_string(w) + (linear ? "/linear" : "/point"), array, 1, {CLAMP, linear, 0, 0}, x);
        CHECK(cudaFreeArray(array));
    }
}

// Linear and pitched memory.
static void memory(Type t) {
    state = 5000 + t.bytes() + (t.kind == U ? 0 : t.kind == S ? 1 : 2) * 100 + t.bits;
    const Bytes bytes = contents(t, {1, 64, 1, 1}, "near");
    void* p;
    CHECK(cudaMalloc(&p, bytes.size()));
    CHECK(cudaMemcpy(p, bytes.data(), bytes.size(), cudaMemcpyHostToDevice));
    for (int fractions = 0; fractions < 2; fractions++) {
        if (fractions && (t.is_float() || t.bits == 32)) continue;
        cudaResourceDesc r = {};
        r.resType = cudaResourceTypeLinear;
        r.res.linear.devPtr = p;
        r.res.linear.desc = t.channel();
        r.res.linear.sizeInBytes = 40 * t.bytes();
        const cudaTextureDesc d = Mode{WRAP, 0, fractions, 0}.desc();
        cudaTextureObject_t o = 0;
        CHECK(cudaCreateTextureObject(&o, &r, &d, nullptr));
        fetched(std::string("linear/fetch/") + t.name + (fractions ? "/nf" : "/el"), o, 0, fractions ? F : t.kind, Coordinates(180, 0.0f), 4);
        CHECK(cudaDestroyTextureObject(o));
    }
    CHECK(cudaFree(p));
}
static void pitched(Type t) {
    for (int number = 0; number < 16; number++) {
        const Mode mode = {number % 4, number / 4 % 2, !t.is_float(), number / 8};
        const Shape s = {2, 19, 13, 1};
        state = 31 + t.bytes();
        const Bytes bytes = contents(t, s, "near");
        char* p;
        size_t pitch;
        CHECK(cudaMallocPitch((void**)&p, &pitch, s.w * t.bytes(), s.h));
        CHECK(cudaMemcpy2D(p, pitch, bytes.data(), s.w * t.bytes(), s.w * t.bytes(), s.h, cudaMemcpyHostToDevice));
        cudaResourceDesc r = {};
        r.resType = cudaResourceTypePitch2D;
        r.res.pitch2D.devPtr = p;
        r.res.pitch2D.desc = t.channel();
        r.res.pitch2D.width = s.w;
        r.res.pitch2D.height = s.h;
        r.res.pitch2D.pitchInBytes = pitch;
        const cudaTextureDesc d = mode.desc();
        cudaTextureObject_t o = 0;
        CHECK(cudaCreateTextureObject(&o, &r, &d, nullptr));
        fetched(std::string("pitch/") + t.name + "/" + mode.name() + "/" + mode.axis(), o, 2, F, hard(s, mode.normalised, 176), 4);
        CHECK(cudaDestroyTextureObject(o));
        CHECK(cudaFree(p));
    }
}

// Surfaces: one thread reads or writes at many places, some of them outside.
template <typename T, int MODE> __global__ void surface(cudaSurfaceObject_t s, int dimensions, const int* at, int n, T* values, int writes) {
    const cudaSurfaceBoundaryMode mode = (cudaSurfaceBoundaryMode)MODE;
    for (int i = 0; i < n; i++) {
        const int x = at[3 * i], y = at[3 * i + 1], z = at[3 * i + 2];
        T v = values[i];
        if (writes) {
            if (dimensions == 1) surf1Dwrite(v, s, x, mode);
            if (dimensions == 2) surf2Dwrite(v, s, x, y, mode);
            if (dimensions == 3) surf3Dwrite(v, s, x, y, z, mode);
        } else {
            if (dimensions == 1) v = surf1Dread<T>(s, x, mode);
            if (dimensions == 2) v = surf2Dread<T>(s, x, y, mode);
            if (dimensions == 3) v = surf3Dread<T>(s, x, y, z, mode);
            values[i] = v;
        }
    }
}
template <typename T, int MODE> static void surface_case(const char* access, Type t, Shape s, bool writes) {
    state = 71 + t.bytes() * 4 + s.dimensions;
    Bytes bytes = random_bytes(s.texels() * t.bytes());
    const cudaArray_t array = array_of(t, s, bytes, cudaArraySurfaceLoadStore);
    cudaResourceDesc r = {};
    r.resType = cudaResourceTypeArray;
    r.res.array.array = array;
    cudaSurfaceObject_t o = 0;
    CHECK(cudaCreateSurfaceObject(&o, &r));
    std::vector<int> at;
    const int n = 160, size = sizeof(T), step = sizeof(T) > t.bytes() ? sizeof(T) : t.bytes(), row = s.w * t.bytes();
    for (int i = 0; i < n; i++) {
        const int x = (int)(draw() % (row + 6 * step)) - 3 * step;
        at.push_back(x - (x % size + size) % size);
        at.push_back(i % 3 ? draw() % s.h : (int)(draw() % (s.h + 6)) - 3);
        at.push_back(i % 5 ? draw() % s.d : (int)(draw() % (s.d + 6)) - 3);
    }
    Bytes values = random_bytes(n * sizeof(T));
    int* d_at;
    T* d_values;
    CHECK(cudaMalloc(&d_at, at.size() * 4));
    CHECK(cudaMalloc(&d_values, values.size()));
    CHECK(cudaMemcpy(d_at, at.data(), at.size() * 4, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_values, values.data(), values.size(), cudaMemcpyHostToDevice));
    surface<T, MODE><<<1, 1>>>(o, s.dimensions, d_at, n, d_values, writes);
    CHECK(cudaMemcpy(values.data(), d_values, values.size(), cudaMemcpyDeviceToHost));
    cudaMemcpy3DParms p = {};
    p.srcArray = array;
    p.dstPtr = make_cudaPitchedPtr(bytes.data(), row, s.w, s.h);
    p.extent = make_cudaExtent(s.w, s.h, s.d);
    p.kind = cudaMemcpyDeviceToHost;
    CHECK(cudaMemcpy3D(&p));
    const std::string name = std::string("surface/") + t.name + "/" + s.name() + "/" + access + (MODE == 0 ? "/zero" : "/clamp");
    Bytes& told = writes ? bytes : values;
    told.resize((told.size() + 3) / 4 * 4);
    tell(name + (writes ? "/write/after" : "/read"), told.data(), told.size());
    CHECK(cudaFree(d_at));
    CHECK(cudaFree(d_values));
    CHECK(cudaDestroySurfaceObject(o));
    CHECK(cudaFreeArray(array));
}
template <typename T> static void surfaces(const char* access, Type t) {
    for (Shape s : SHAPES) {
        for (int writes = 0; writes < 2; writes++) {
            surface_case<T, 0>(access, t, s, writes);
            surface_case<T, 1>(access, t, s, writes);
        }
    }
}

int main() {
    for (Type t : {U8, U8X4, S8, S8X4, U16, U16X2, S16, U32, S32X2, F16, F16X4, F32, F32X2, F32X4}) every_mode(t);
    filters();
    values_and_weights();
    coordinates();
    for (Type t : {U8, U8X4, S8, U16X2, S32X4, F16, F32, F32X4}) memory(t);
    for (Type t : {U8X4, U8, F32, F16, U16X2}) pitched(t);
    surfaces<unsigned char>("b1", U8);
    surfaces<uchar2>("b1x2", U8X2);
    surfaces<unsigned int>("b4", U8X4);
    surfaces<ushort4>("b2x4", U16X4);
    surfaces<float4>("b4x4", F32X4);
    surfaces<unsigned long long>("b8", F32X2);
    surfaces<unsigned char>("b1", F32);
    surfaces<float2>("b4x2", F32);
    surfaces<uchar4>("b1x4", U8);
    return 0;
}
