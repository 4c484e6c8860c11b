//! Kernels that launch kernels, in the order that CUDA 12 allows.

use crate::world::*;

#[test]
fn a_kernel_launches_itself_and_what_that_launches_comes_next() {
    let text = r#"
        #include <cstdio>
        __device__ int launched = 0;
        __global__ void tree(int depth, int from) {
            __shared__ int mine;
            if (threadIdx.x == 0) {
                mine = atomicAdd(&launched, 1);
                printf("%d of %d at %d\n", mine, from, depth);
            }
            __syncthreads();
            if (depth == 2) return;
            if (threadIdx.x < 2) tree<<<1, blockDim.x>>>(depth + 1, mine);
        }
        int main() {
            tree<<<2, 32>>>(0, -1);
            return cudaDeviceSynchronize();
        }"#;
    let said = "0 of -1 at 0\n1 of -1 at 0\n2 of 0 at 1\n3 of 2 at 2\n4 of 2 at 2\n5 of 0 at 1\n6 of 5 at 2\n\
                7 of 5 at 2\n8 of 1 at 1\n9 of 8 at 2\n10 of 8 at 2\n11 of 1 at 1\n12 of 11 at 2\n13 of 11 at 2\n";
    assert_eq!(printed(text), (said.to_owned(), 0));
}

#[test]
fn streams_of_device_code_are_made_and_destroyed() {
    let text = r#"
        #include <cstdio>
        __global__ void sort(unsigned* data, int left, int right) {
            if (left >= right) return;
            unsigned pivot = data[(left + right) / 2];
            int l = left, r = right;
            while (l <= r) {
                while (data[l] < pivot) l++;
                while (data[r] > pivot) r--;
                if (l <= r) {
                    unsigned other = data[l];
                    data[l++] = data[r];
                    data[r--] = other;
                }
            }
            cudaStream_t a, b;
            cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking);
            sort<<<1, 1, 0, a>>>(data, left, r);
            cudaStreamDestroy(a);
            cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
            sort<<<1, 1, 0, b>>>(data, l, right);
            cudaStreamDestroy(b);
        }
        int main() {
            const int n = 300;
            unsigned h[n], *d;
            for (int i = 0; i < n; i++) h[i] = (i * 7919 + 13) % 1009;
            cudaMalloc(&d, sizeof(h));
            cudaMemcpy(d, h, sizeof(h), cudaMemcpyHostToDevice);
            sort<<<1, 1>>>(d, 0, n - 1);
            cudaMemcpy(h, d, sizeof(h), cudaMemcpyDeviceToHost);
            bool sorted = true;
            for (int i = 1; i < n; i++) sorted = sorted && h[i - 1] <= h[i];
            printf("%s\n", sorted ? "sorted" : "not sorted");
        }"#;
    assert_eq!(printed(text), ("sorted\n".to_owned(), 0));
}

#[test]
fn what_is_launched_gets_its_shape_and_arguments() {
    let text = r#"
        #include <cstdio>
        template <typename T> __global__ void add(T* p, T by, float scale = 0.5f) {
            p[blockIdx.x * blockDim.x + threadIdx.x] += by * (T)scale;
        }
        __global__ void parent(double* p, int n) {
            p[threadIdx.x] = 1;
            __syncthreads();
            if (threadIdx.x != 0) return;
            dim3 grid(n / 4);
            add<double><<<grid, dim3(4, 1, 1)>>>(p, 2.5, 2.0f);
            add<<<1, 2, 0, cudaStreamTailLaunch>>>(p + 1, 7.0);
            if (cudaGetLastError() != cudaSuccess) printf("not launched\n");
            int device = -1, count = 0;
            cudaGetDevice(&device);
            cudaGetDeviceCount(&count);
            cudaError_t error = cudaPeekAtLastError();
            printf("%s, %s, %d of %d\n", cudaGetErrorString(error), cudaGetErrorName(error), device, count);
        }
        int main() {
            double *p, back[8];
            cudaMalloc(&p, sizeof(back));
            parent<<<1, 8>>>(p, 8);
            cudaMemcpy(back, p, sizeof(back), cudaMemcpyDeviceToHost);
            for (double x : back) printf("%g ", x);
        }"#;
    assert_eq!(
        printed(text),
        ("no error, cudaSuccess, 0 of 1\n6 9.5 9.5 6 6 6 6 6 ".to_owned(), 0)
    );
}

#[test]
fn grids_do_not_launch_grids_for_ever() {
    let text = r#"
        #include <cstdio>
        __device__ int count = 0;
        __global__ void again() { count++; again<<<1, 1>>>(); }
        int main() {
            int n;
            again<<<1, 1>>>();
            cudaMemcpyFromSymbol(&n, count, sizeof(n));
            printf("%d\n", n);
        }"#;
    assert_eq!(printed(text).0, "25\n");
}

#[test]
fn a_shape_may_be_a_float() {
    let text = r#"
        #include <cmath>
        #include <cstdio>
        __global__ void k(int n) {
            printf("%d of %d\n", n, gridDim.x);
            if (n > 1) k<<<ceilf(n / 2.0f), 1>>>(1);
        }
        int main() {
            double blocks = ceil(257 / 256.0);
            k<<<ceil(3 / 4.0), 1>>>(3);
            k<<<blocks, dim3(1)>>>(1);
            return cudaDeviceSynchronize();
        }"#;
    let said = "3 of 1\n1 of 2\n1 of 2\n1 of 2\n1 of 2\n";
    assert_eq!(printed(text), (said.to_owned(), 0));
}

#[test]
fn structs_are_handed_on_and_the_heap_is_cudas() {
    let text = r#"
        #include <cstdio>
        struct Part { int* to; int n; float w[3]; double d; char c; float4 v[2]; };
        __global__ void child(Part a, int k, float3 v) {
            a.to[threadIdx.x] += a.n + (int)a.w[2] + k + (int)v.z + (int)a.d + a.c + (int)a.v[1].w;
        }
        __global__ void parent(int* to) {
            Part a{to, 3, {1, 2, 4}, 1000.0, 5, {{1, 2, 3, 4}, {5, 6, 7, 10000000}}};
            child<<<1, 4>>>(a, 10000, make_float3(1, 2, 100));
            a.n = 1000;
            int* mine;
            if (cudaMalloc(&mine, 64) == cudaSuccess) {
                mine[3] = 7;
                to[3] += mine[3] * 100000;
                cudaFree(mine);
            }
        }
        int main() {
            int* to;
            cudaMallocManaged(&to, 16);
            for (int i = 0; i < 4; i++) to[i] = i;
            parent<<<1, 1>>>(to);
            printf("%d ", cudaDeviceSynchronize());
            printf("%d %d", to[0], to[3]);
        }"#;
    assert_eq!(printed(text), ("0 10011112 10711115".to_owned(), 0));
    let large = "struct Large { float w[100]; };
        __global__ void child(Large) {}
        __global__ void parent() { Large a = {}; child<<<1, 1>>>(a); }
        int main() { parent<<<1, 1>>>(); }";
    let said = compile("large.cu", large).unwrap_err();
    assert!(said.contains("arguments of more than 64 numbers"), "{said}");
}
