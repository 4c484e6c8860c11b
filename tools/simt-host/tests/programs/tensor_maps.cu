// Tensor maps made on the host: boxes inside of an array, partly outside, with gaps between rows, and the way
// back. Each line is a hash of what was copied.
#include <cuda.h>
#include <cudaTypedefs.h>
#include <stdint.h>
#include <stdio.h>
#include <vector>

#define CHECK(call)                                                        \
    do {                                                                   \
        int error = (int)(call);                                           \
        if (error) return printf("%s: %d\n", #call, error), 1;              \
    } while (0)

__device__ unsigned address(const void* p) { return (unsigned)__cvta_generic_to_shared(p); }

__device__ void announce(uint64_t* barrier, unsigned bytes) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(address(barrier)), "r"(bytes) : "memory");
}

__device__ void wait(uint64_t* barrier) {
    unsigned done;
    do {
        asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; }"
                     : "=r"(done)
                     : "r"(address(barrier))
                     : "memory");
    } while (!done);
}

// Copies a box to shared memory, writes what is there to `out`, and stores the box by the second map.
template <int rank>
__global__ void copy(const __grid_constant__ CUtensorMap from, const __grid_constant__ CUtensorMap to, int x, int y, unsigned bytes, unsigned* out) {
    __shared__ __align__(1024) unsigned char box[8192];
    __shared__ uint64_t barrier;
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(address(&barrier)) : "memory");
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
        announce(&barrier, bytes);
        unsigned b = address(box), bar = address(&barrier);
        if constexpr (rank == 1)
            asm volatile("cp.async.bulk.tensor.1d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2}], [%3];" ::"r"(b), "l"(&from), "r"(x), "r"(bar) : "memory");
        if constexpr (rank == 2)
            asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(b), "l"(&from), "r"(x), "r"(y), "r"(bar) : "memory");
    }
    __syncthreads();
    wait(&barrier);
    for (unsigned i = threadIdx.x; i < bytes / 4; i += blockDim.x) out[i] = reinterpret_cast<unsigned*>(box)[i];
    __syncthreads();
    if constexpr (rank == 2) {
        if (threadIdx.x == 0) {
            asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%0, {%1, %2}], [%3];" ::"l"(&to), "r"(x), "r"(y), "r"(address(box)) : "memory");
            asm volatile("cp.async.bulk.commit_group;\n cp.async.bulk.wait_group 0;" ::: "memory");
        }
    }
}

struct Case {
    const char* name;
    unsigned rank;
    CUtensorMapDataType type;
    unsigned size;                      // of an element
    uint64_t sizes[5], strides[4];
    unsigned box[5], steps[5];
    CUtensorMapSwizzle swizzle;
    int x, y;
};

static const Case CASES[] = {
    {"1d", 1, CU_TENSOR_MAP_DATA_TYPE_UINT8, 1, {1000}, {}, {64}, {1}, CU_TENSOR_MAP_SWIZZLE_NONE, 32, 0},
    {"1d outside", 1, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 4, {250}, {}, {64}, {1}, CU_TENSOR_MAP_SWIZZLE_NONE, 220, 0},
    {"2d", 2, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 4, {64, 32}, {256}, {16, 8}, {1, 1}, CU_TENSOR_MAP_SWIZZLE_NONE, 8, 4},
    {"2d gaps", 2, CU_TENSOR_MAP_DATA_TYPE_UINT16, 2, {50, 20}, {112}, {16, 8}, {1, 1}, CU_TENSOR_MAP_SWIZZLE_NONE, 40, 16},
};

static uint64_t hash(const unsigned* words, size_t count) {
    uint64_t h = 14695981039346656037ull;
    for (size_t i = 0; i < count; i++) h = (h ^ words[i]) * 1099511628211ull;
    return h;
}

int main() {
    void* function = nullptr;
    cudaDriverEntryPointQueryResult found;
    CHECK(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &function, 12000, cudaEnableDefault, &found));
    CHECK(found);
    auto encode = reinterpret_cast<PFN_cuTensorMapEncodeTiled_v12000>(function);
    const size_t WORDS = 8192;
    std::vector<unsigned> host(WORDS), box(WORDS);
    unsigned *from, *to, *out;
    CHECK(cudaMalloc(&from, WORDS * 4));
    CHECK(cudaMalloc(&to, WORDS * 4));
    CHECK(cudaMalloc(&out, WORDS * 4));
    for (size_t i = 0; i < WORDS; i++) host[i] = (unsigned)i * 2654435761u;
    CHECK(cudaMemcpy(from, host.data(), WORDS * 4, cudaMemcpyHostToDevice));
    for (const Case& c : CASES) {
        CHECK(cudaMemset(to, 0, WORDS * 4));
        CHECK(cudaMemset(out, 0, WORDS * 4));
        CUtensorMap maps[2];
        for (int i = 0; i < 2; i++)
            CHECK(encode(&maps[i], c.type, c.rank, i ? to : from, c.sizes, c.strides, c.box, c.steps, CU_TENSOR_MAP_INTERLEAVE_NONE, c.swizzle,
                         CU_TENSOR_MAP_L2_PROMOTION_L2_128B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE));
        unsigned bytes = c.size * c.box[0];
        for (unsigned axis = 1; axis < c.rank; axis++) bytes *= (c.box[axis] + c.steps[axis] - 1) / c.steps[axis];
        switch (c.rank) {
            case 1: copy<1><<<1, 64>>>(maps[0], maps[1], c.x, c.y, bytes, out); break;
            default: copy<2><<<1, 64>>>(maps[0], maps[1], c.x, c.y, bytes, out);
        }
        CHECK(cudaDeviceSynchronize());
        CHECK(cudaMemcpy(box.data(), out, WORDS * 4, cudaMemcpyDeviceToHost));
        uint64_t first = hash(box.data(), WORDS);
        CHECK(cudaMemcpy(box.data(), to, WORDS * 4, cudaMemcpyDeviceToHost));
        printf("%s: %u bytes %016llx, back %016llx\n", c.name, bytes, (unsigned long long)first, (unsigned long long)hash(box.data(), WORDS));
    }
    return 0;
}
