//! `<cuda/std/..>` and what else the toolkit's C++ headers have for the host and the device.
#![cfg(not(target_arch = "wasm32"))]

use crate::world::printed;

/// One function, called on the device and on the host: both print the same.
#[test]
fn the_host_and_the_device_have_one_library() {
    let (said, code) = printed(include_str!("../cuda_std/both_sides.cu"));
    assert_eq!((said.as_str(), code), ("336.5 336.5\n7.5\n", 0));
}

/// All codes of both formats: their values, and that these are rounded back to them; and values between
/// two codes, above the largest one, and that are no numbers.
#[test]
fn floats_of_8_bits() {
    let text = "#include <cstdio>
        #include <cuda_fp8.h>
        template <typename T> __host__ __device__ int kept() {
            int n = 0;
            for (int code = 0; code < 256; ++code) {
                T x;
                x.__x = (unsigned char)code;
                n += T((float)x).__x == code;
            }
            return n;
        }
        template <typename T> __host__ __device__ unsigned of(double x) { return T(x).__x; }
        template <typename A, typename B> __host__ __device__ void all(unsigned* o) {
            o[0] = kept<A>();
            o[1] = kept<B>();
            o[2] = of<A>(1.0) << 8 | of<B>(1.0);
            o[3] = of<A>(464.0) << 8 | of<A>(1e9);
            o[4] = of<B>(61439.0) << 8 | of<B>(-1e9);
            o[5] = of<A>(1.0625) << 8 | of<A>(1.1875);
            o[6] = of<A>(0.0009765625) << 8 | of<A>(0.00098);
            o[7] = __nv_cvt_float_to_fp8(500.0f, __NV_NOSAT, __NV_E4M3) << 8 | __nv_cvt_float_to_fp8(61440.0f, __NV_NOSAT, __NV_E5M2);
            __nv_fp8x4_e4m3 four(make_float4(1, -2, 3, 4));
            o[8] = four.__x;
            o[9] = (unsigned)(float2(__nv_fp8x2_e5m2(make_float2(1.5f, 20.0f))).y);
        }
        __global__ void k(unsigned* o) {
            all<__nv_fp8_e4m3, __nv_fp8_e5m2>(o);
            o[10] = __nv_fp8_e4m3(__float2half(1.7f)).__x;
        }
        int main() {
            unsigned *d, h[11];
            cudaMallocManaged(&d, sizeof h);
            k<<<1, 1>>>(d);
            cudaDeviceSynchronize();
            all<__nv_fp8_e4m3, __nv_fp8_e5m2>(h);
            h[10] = __nv_fp8_e4m3(1.7f).__x;
            for (int i = 0; i < 11; ++i) printf(i == 0 ? \"%x\" : \" %x\", d[i]);
            for (int i = 0; i < 11; ++i) if (d[i] != h[i]) printf(\"\\n%d: %x on the host\", i, h[i]);
        }";
    // A code that is no number becomes the canonical one, and an infinity the largest number.
    assert_eq!(printed(text).0, "ff f9 383c 7e7e 7bfb 383a 1 7f7c 4844c038 14 3e");
}

/// A latch that the block waits for, and a semaphore that lets one thread in at a time.
#[test]
fn latches_and_semaphores() {
    let text = "#include <cstdio>
        #include <cuda/latch>
        #include <cuda/semaphore>
        __global__ void k(int* o) {
            __shared__ cuda::latch<cuda::thread_scope_block> done;
            __shared__ cuda::binary_semaphore<cuda::thread_scope_block> one;
            __shared__ int filled[64], count;
            if (threadIdx.x == 0) {
                init(&done, 64);
                new (&one) cuda::binary_semaphore<cuda::thread_scope_block>(1);
                count = 0;
            }
            __syncthreads();
            filled[threadIdx.x] = threadIdx.x;
            done.arrive_and_wait();
            int v = filled[63 - threadIdx.x];
            one.acquire();
            count = count + 1;
            one.release();
            __syncthreads();
            o[threadIdx.x] = v + count;
        }
        int main() {
            int *d;
            cudaMallocManaged(&d, 64 * sizeof(int));
            k<<<1, 64>>>(d);
            cudaDeviceSynchronize();
            printf(\"%d %d\", d[0], d[63]);
        }";
    assert_eq!(printed(text).0, "127 64");
}
