//! Tensor maps that a program makes, and clusters that a launch asks for: what is said of wrong ones. The
//! programs `tensor_maps`, `tensor_map_errors` and `cluster_launch` have the values.

use crate::world::ended;

/// Makes a map of 64 x 32 floats in boxes of 16 x 8; `change` stands before the call.
fn made(change: &str) -> (i32, String) {
    ended(&format!(
        "#include <cuda.h>
        int main() {{
            float* a;
            cudaMalloc(&a, 64 * 32 * 4);
            CUtensorMap map;
            CUtensorMapDataType type = CU_TENSOR_MAP_DATA_TYPE_FLOAT32;
            cuuint64_t sizes[] = {{64, 32}}, strides[] = {{256}};
            cuuint32_t box[] = {{16, 8}}, steps[] = {{1, 1}};
            CUtensorMapInterleave interleave = CU_TENSOR_MAP_INTERLEAVE_NONE;
            CUtensorMapSwizzle swizzle = CU_TENSOR_MAP_SWIZZLE_NONE;
            CUtensorMapFloatOOBfill fill = CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE;
            {change}
            int result = cuTensorMapEncodeTiled(&map, type, 2, a, sizes, strides, box, steps, interleave, swizzle,
                                                CU_TENSOR_MAP_L2_PROMOTION_NONE, fill);
            if ((size_t)a % 16 == 0) cudaFree(a);
            return result;
        }}"
    ))
}

#[test]
fn the_reason_of_an_impossible_map_is_said() {
    assert_eq!(made(""), (0, String::new()));
    for (change, why) in [
        ("strides[0] = 264;", "a stride must be a multiple of 16 bytes, below 2^40"),
        ("box[1] = 257;", "an axis of a box has 1 to 256 elements"),
        ("steps[1] = 9;", "an element stride is 1 to 8"),
        ("cudaFree(a++);", "the array must begin at a multiple of 16 bytes"),
        (
            "interleave = CU_TENSOR_MAP_INTERLEAVE_16B;",
            "interleaved arrays have pixels of 16 or 32 bytes, and 3 axes at least",
        ),
        (
            "swizzle = CU_TENSOR_MAP_SWIZZLE_32B;",
            "a row of the box has 64 bytes; with this swizzle 32 at most",
        ),
    ] {
        let (code, said) = made(change);
        assert_eq!(
            (code, &*said),
            (1, &*format!("there is no such tensor map: {why}")),
            "{change}"
        );
    }
}

#[test]
fn other_functions_of_the_driver_are_refused() {
    let (_, said) = ended(
        "#include <cuda.h>
        int main() { void* f; return cudaGetDriverEntryPoint(\"cuInit\", &f, cudaEnableDefault); }",
    );
    assert!(said.contains("a function of the driver but `cuTensorMapEncodeTiled`"), "{said}");
}

/// Eight floats in shared memory, of which the first four lie before the array.
#[test]
fn floats_are_filled_with_nans_and_rounded() {
    let made = |ty: &str, expected: [u32; 2]| {
        let [fill, value] = expected;
        ended(&format!(
            r#"#include <cuda.h>
            #include <cstdio>
            __global__ void k(const __grid_constant__ CUtensorMap map, unsigned* out) {{
                __shared__ __align__(128) unsigned box[8];
                __shared__ unsigned long long barrier;
                unsigned bar = (unsigned)__cvta_generic_to_shared(&barrier);
                if (threadIdx.x == 0) {{
                    asm volatile("mbarrier.init.shared.b64 [%0], 1;" :: "r"(bar) : "memory");
                    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
                    asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], 32;" :: "r"(bar) : "memory");
                    asm volatile("cp.async.bulk.tensor.1d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {{%2}}], [%3];"
                        :: "r"((unsigned)__cvta_generic_to_shared(box)), "l"(&map), "r"(-4), "r"(bar) : "memory");
                }}
                __syncthreads();
                unsigned done = 0;
                while (!done)
                    asm volatile("{{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; }}"
                        : "=r"(done) : "r"(bar) : "memory");
                if (threadIdx.x < 8) out[threadIdx.x] = box[threadIdx.x];
            }}
            int main() {{
                unsigned* a;
                cudaMalloc(&a, 64);
                unsigned b[16] = {{0x3f801001}};
                cudaMemcpy(a, b, 64, cudaMemcpyHostToDevice);
                CUtensorMap map;
                cuuint64_t sizes[] = {{4}};
                cuuint32_t box[] = {{8}}, steps[] = {{1}};
                if (cuTensorMapEncodeTiled(&map, CU_TENSOR_MAP_DATA_TYPE_{ty}, 1, a, sizes, nullptr, box, steps, CU_TENSOR_MAP_INTERLEAVE_NONE,
                                           CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_NONE,
                                           CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA)) return 1;
                k<<<1, 32>>>(map, a + 8);
                cudaMemcpy(b, a, 64, cudaMemcpyDeviceToHost);
                return b[8] == {fill:#x}u && b[12] == {value:#x}u ? 0 : 2;
            }}"#
        ))
    };
    assert_eq!(made("FLOAT32", [0x7ff7_7ff7, 0x3f80_1001]), (0, String::new()));
    assert_eq!(made("FLOAT32_FTZ", [0x7ff7_7ff7, 0x3f80_1001]), (0, String::new()));
    assert_eq!(made("TFLOAT32", [0x7ff7_7ff7, 0x3f80_2000]), (0, String::new()));
    // The driver refuses it for integers.
    assert_eq!(made("UINT32", [0; 2]), (1, String::new()));
}

#[test]
fn the_reason_of_an_impossible_cluster_is_said() {
    let launched = |grid: u32, cluster: u32| {
        ended(&format!(
            "__global__ void k() {{}}
            int main() {{
                cudaLaunchConfig_t config = {{}};
                config.gridDim = dim3({grid});
                config.blockDim = dim3(32);
                cudaLaunchAttribute attribute;
                attribute.id = cudaLaunchAttributeClusterDimension;
                attribute.val.clusterDim.x = {cluster};
                attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
                config.attrs = &attribute;
                config.numAttrs = 1;
                return cudaLaunchKernelEx(&config, k) == cudaErrorInvalidClusterSize;
            }}"
        ))
    };
    assert_eq!(launched(8, 4), (0, String::new()));
    let (code, said) = launched(8, 3);
    assert_eq!(
        (code, &*said),
        (1, "`k` does not start: clusters of (3, 1, 1) blocks do not divide a grid of (8, 1, 1)")
    );
    let (code, said) = launched(32, 16);
    assert_eq!(code, 1);
    assert!(said.contains("8 are possible without cudaFuncAttributeNonPortable"), "{said}");
}
