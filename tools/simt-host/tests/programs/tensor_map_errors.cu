// What `cuTensorMapEncodeTiled` says to maps that cannot be.
#include <cuda.h>
#include <cudaTypedefs.h>
#include <stdint.h>
#include <stdio.h>

struct Map {
    CUtensorMapDataType type = CU_TENSOR_MAP_DATA_TYPE_FLOAT32;
    unsigned rank = 2;
    unsigned long long offset = 0;
    uint64_t sizes[5] = {64, 32, 4, 4, 4}, strides[4] = {256, 8192, 32768, 131072};
    unsigned box[5] = {16, 8, 1, 1, 1}, steps[5] = {1, 1, 1, 1, 1};
    CUtensorMapSwizzle swizzle = CU_TENSOR_MAP_SWIZZLE_NONE;
};

static PFN_cuTensorMapEncodeTiled_v12000 encode;
static char* memory;

template <typename F> static void say(const char* what, F change) {
    Map m;
    change(m);
    CUtensorMap map;
    CUresult result = encode(&map, m.type, m.rank, memory + m.offset, m.sizes, m.strides, m.box, m.steps, CU_TENSOR_MAP_INTERLEAVE_NONE, m.swizzle,
                             CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    printf("%s: %d\n", what, (int)result);
}

int main() {
    void* function = nullptr;
    cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &function, 12000, cudaEnableDefault);
    encode = (PFN_cuTensorMapEncodeTiled_v12000)function;
    cudaMalloc(&memory, 1 << 20);
    say("right", [](Map&) {});
    say("rank 0", [](Map& m) { m.rank = 0; });
    say("rank 6", [](Map& m) { m.rank = 6; });
    say("address at 8", [](Map& m) { m.offset = 8; });
    say("size 0", [](Map& m) { m.sizes[1] = 0; });
    say("size over 2^32", [](Map& m) { m.sizes[1] = (1ull << 32) + 1; });
    say("stride no multiple of 16", [](Map& m) { m.strides[0] = 264; });
    say("stride of 2^40", [](Map& m) { m.strides[0] = 1ull << 40; });
    say("stride less than a row", [](Map& m) { m.strides[0] = 128; });
    say("stride 0", [](Map& m) { m.strides[0] = 0; });
    say("box 0", [](Map& m) { m.box[1] = 0; });
    say("box over 256", [](Map& m) { m.box[1] = 257; });
    say("box larger than the array", [](Map& m) { m.box[1] = 64; });
    say("row of 8 bytes", [](Map& m) { m.box[0] = 2; });
    say("element stride 0", [](Map& m) { m.steps[1] = 0; });
    say("element stride 9", [](Map& m) { m.steps[1] = 9; });
    say("first element stride 0", [](Map& m) { m.steps[0] = 0; });
    say("first element stride 9", [](Map& m) { m.steps[0] = 9; });
    say("row over the swizzle", [](Map& m) { m.swizzle = CU_TENSOR_MAP_SWIZZLE_32B; });
    say("row as long as the swizzle", [](Map& m) { m.swizzle = CU_TENSOR_MAP_SWIZZLE_64B; });
    return 0;
}
