// Random tensor maps of one to five axes, with every swizzle and with element strides: a box is copied to
// shared memory and back, from before the array to behind it. Each line ends with two hashes: of the
// shared memory, and of the array to which the box was stored. An H100 printed them.
#include <cuda.h>
#include <cudaTypedefs.h>
#include <stdint.h>
#include <stdio.h>
#include <vector>

#define CHECK(call)                                            \
    do {                                                       \
        int error = (int)(call);                               \
        if (error) return printf("%s: %d\n", #call, error), 1; \
    } while (0)

#define LOAD(rank, coordinates, ...)                                                                                           \
    asm volatile("cp.async.bulk.tensor." rank ".shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {" coordinates \
                 "}], [%2];" ::"r"(to), "l"(&from), "r"(bar), __VA_ARGS__ : "memory")
#define STORE(rank, coordinates, ...) \
    asm volatile("cp.async.bulk.tensor." rank ".global.shared::cta.bulk_group [%0, {" coordinates "}], [%1];" ::"l"(&back), "r"(to), __VA_ARGS__ : "memory")

const int SHARED_WORDS = 4096;

__device__ unsigned address(const void* p) { return (unsigned)__cvta_generic_to_shared(p); }

struct Start {
    int x, y, z, w, v;
};

template <int rank>
__global__ void copy(const __grid_constant__ CUtensorMap from, const __grid_constant__ CUtensorMap back, Start load, Start store, unsigned bytes, unsigned* out) {
    __shared__ __align__(1024) unsigned box[SHARED_WORDS];
    __shared__ uint64_t barrier;
    unsigned to = address(box), bar = address(&barrier);
    // What lies between short rows stays as it is.
    for (unsigned i = threadIdx.x; i < SHARED_WORDS; i += blockDim.x) box[i] = 0xABABABAB;
    asm volatile("fence.proxy.async;" ::: "memory");
    __syncthreads();
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(bar) : "memory");
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(bar), "r"(bytes) : "memory");
        if constexpr (rank == 1) LOAD("1d", "%3", "r"(load.x));
        if constexpr (rank == 2) LOAD("2d", "%3,%4", "r"(load.x), "r"(load.y));
        if constexpr (rank == 3) LOAD("3d", "%3,%4,%5", "r"(load.x), "r"(load.y), "r"(load.z));
        if constexpr (rank == 4) LOAD("4d", "%3,%4,%5,%6", "r"(load.x), "r"(load.y), "r"(load.z), "r"(load.w));
        if constexpr (rank == 5) LOAD("5d", "%3,%4,%5,%6,%7", "r"(load.x), "r"(load.y), "r"(load.z), "r"(load.w), "r"(load.v));
    }
    __syncthreads();
    unsigned done;
    do {
        asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; }" : "=r"(done) : "r"(bar) : "memory");
    } while (!done);
    for (unsigned i = threadIdx.x; i < SHARED_WORDS; i += blockDim.x) out[i] = box[i];
    __syncthreads();
    if (threadIdx.x == 0) {
        if constexpr (rank == 1) STORE("1d", "%2", "r"(store.x));
        if constexpr (rank == 2) STORE("2d", "%2,%3", "r"(store.x), "r"(store.y));
        if constexpr (rank == 3) STORE("3d", "%2,%3,%4", "r"(store.x), "r"(store.y), "r"(store.z));
        if constexpr (rank == 4) STORE("4d", "%2,%3,%4,%5", "r"(store.x), "r"(store.y), "r"(store.z), "r"(store.w));
        if constexpr (rank == 5) STORE("5d", "%2,%3,%4,%5,%6", "r"(store.x), "r"(store.y), "r"(store.z), "r"(store.w), "r"(store.v));
        asm volatile("cp.async.bulk.commit_group;\n cp.async.bulk.wait_group 0;" ::: "memory");
    }
}

static uint64_t state;
static unsigned below(unsigned n) {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return (unsigned)(state >> 33) % n;
}

static uint64_t hash(const std::vector<unsigned>& words) {
    uint64_t h = 14695981039346656037ull;
    for (unsigned word : words) h = (h ^ word) * 1099511628211ull;
    return h;
}

const CUtensorMapDataType TYPES[] = {CU_TENSOR_MAP_DATA_TYPE_UINT8, CU_TENSOR_MAP_DATA_TYPE_UINT16, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16,
                                     CU_TENSOR_MAP_DATA_TYPE_FLOAT16, CU_TENSOR_MAP_DATA_TYPE_INT32, CU_TENSOR_MAP_DATA_TYPE_UINT32,
                                     CU_TENSOR_MAP_DATA_TYPE_FLOAT32, CU_TENSOR_MAP_DATA_TYPE_INT64, CU_TENSOR_MAP_DATA_TYPE_FLOAT64};
const unsigned BYTES[] = {1, 2, 2, 2, 4, 4, 4, 8, 8};
const CUtensorMapSwizzle SWIZZLES[] = {CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_SWIZZLE_32B, CU_TENSOR_MAP_SWIZZLE_64B, CU_TENSOR_MAP_SWIZZLE_128B};

int main() {
    void* function = nullptr;
    cudaDriverEntryPointQueryResult found;
    CHECK(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &function, 12000, cudaEnableDefault, &found));
    auto encode = reinterpret_cast<PFN_cuTensorMapEncodeTiled_v12000>(function);
    const size_t WORDS = 1 << 14;
    std::vector<unsigned> host(WORDS), box(SHARED_WORDS);
    unsigned *from, *to, *out;
    CHECK(cudaMalloc(&from, WORDS * 4));
    CHECK(cudaMalloc(&to, WORDS * 4));
    CHECK(cudaMalloc(&out, SHARED_WORDS * 4));
    for (size_t i = 0; i < WORDS; i++) host[i] = (unsigned)i * 2654435761u;
    CHECK(cudaMemcpy(from, host.data(), WORDS * 4, cudaMemcpyHostToDevice));
    for (int number = 0; number < 400; number++) {
        state = number * 7919ull;
        below(2);
        unsigned rank = 1 + below(5), type = below(9), size = BYTES[type], swizzle = below(4);
        unsigned span = swizzle ? 16u << swizzle : 256, row = 16 * (1 + below(span / 16));
        if (row / size > 256) row = 256 * size;
        if (swizzle && below(2)) row = span;
        cuuint64_t sizes[5] = {1 + below(rank == 1 ? 3000 : 100), 1, 1, 1, 1}, strides[4];
        cuuint32_t tile[5] = {row / size, 1, 1, 1, 1}, steps[5] = {1, 1, 1, 1, 1};
        uint64_t pitch = (sizes[0] * size + 15) / 16 * 16 + 16 * below(3);
        unsigned rows = 1;
        for (unsigned axis = 1; axis < rank; axis++) {
            sizes[axis] = 1 + below(rank == 2 ? 40 : 4);
            steps[axis] = below(3) ? 1 : 1 + below(4);
            tile[axis] = 1 + below(rank == 2 ? 24 : 5);
            unsigned taken = (tile[axis] + steps[axis] - 1) / steps[axis];
            if (rows * taken * (swizzle ? span : row) > SHARED_WORDS * 4) tile[axis] = steps[axis] = taken = 1;
            rows *= taken;
            strides[axis - 1] = pitch;
            pitch *= sizes[axis];
        }
        if (pitch > WORDS * 4) continue;
        Start load = {}, store = {};
        int *loads = &load.x, *stores = &store.x;
        for (unsigned axis = 0; axis < rank; axis++) {
            int at = (int)below((unsigned)sizes[axis] + 12) - 6;
            if (axis == 0) at = (at * (int)size & ~15) / (int)size;
            loads[axis] = at;
            stores[axis] = at < 0 ? 0 : at;
        }
        CUtensorMap maps[2];
        for (int i = 0; i < 2; i++)
            CHECK(encode(&maps[i], TYPES[type], rank, i ? to : from, sizes, strides, tile, steps, CU_TENSOR_MAP_INTERLEAVE_NONE, SWIZZLES[swizzle],
                         CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE));
        CHECK(cudaMemset(to, 0, WORDS * 4));
        unsigned bytes = rows * row;
        switch (rank) {
            case 1: copy<1><<<1, 64>>>(maps[0], maps[1], load, store, bytes, out); break;
            case 2: copy<2><<<1, 64>>>(maps[0], maps[1], load, store, bytes, out); break;
            case 3: copy<3><<<1, 64>>>(maps[0], maps[1], load, store, bytes, out); break;
            case 4: copy<4><<<1, 64>>>(maps[0], maps[1], load, store, bytes, out); break;
            default: copy<5><<<1, 64>>>(maps[0], maps[1], load, store, bytes, out);
        }
        CHECK(cudaDeviceSynchronize());
        CHECK(cudaMemcpy(box.data(), out, SHARED_WORDS * 4, cudaMemcpyDeviceToHost));
        CHECK(cudaMemcpy(host.data(), to, WORDS * 4, cudaMemcpyDeviceToHost));
        printf("%d: %u axes, elements of %u bytes, swizzle %u, %u rows of %u bytes at %d, %d, %d, %d, %d: %016llx %016llx\n", number, rank, size, swizzle, rows, row,
               load.x, load.y, load.z, load.w, load.v, (unsigned long long)hash(box), (unsigned long long)hash(host));
    }
    return 0;
}
