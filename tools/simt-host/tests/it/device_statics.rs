//! Variables of device functions that outlive their call, and where members with an alignment lie.

use crate::world::*;

#[test]
fn static_variables_are_one_for_all_threads_and_launches() {
    let text = r#"#include <cstdio>
        __device__ int counter(int by) {
            static int n = 5;
            static float f[2] = {1, 2};
            return atomicAdd(&n, by) + (int)f[1];
        }
        template <typename T> __device__ int own() { static T t = 3; return t++; }
        __device__ int* tile() { static __shared__ int t[4]; return t; }
        __global__ void k(int* o) {
            o[0] = counter(1);
            o[1] = counter(1);
            o[2] = own<int>() * 100 + own<int>() * 10 + own<float>();
            { static int q = 1; o[3] = q++; }
            { static int q = 8; o[4] = q; }
            tile()[1] = 7;
            o[5] = tile()[1];
        }
        int main() {
            int h[6], *d;
            cudaMalloc(&d, 64);
            for (int j = 0; j < 2; j++) {
                k<<<1, 1>>>(d);
                cudaMemcpy(h, d, 24, cudaMemcpyDeviceToHost);
                for (int i = 0; i < 6; i++) printf("%d ", h[i]);
            }
        }"#;
    assert_eq!(printed(text), ("7 8 343 1 8 7 9 10 564 2 8 7 ".to_owned(), 0));
    let said =
        compile("a.cu", "__device__ int f(int a) { static int n = a; return n; } int main() {}");
    assert!(said.err().unwrap_or_default().contains("must be constant"));
}

#[test]
fn members_may_ask_for_an_alignment() {
    let text = r#"#include <cstdio>
        struct P { char c; __align__(16) float x; };
        struct Q { char c; alignas(8) int y[2]; char z; };
        struct R { alignas(32) char a; char b; };
        struct alignas(16) S { float v; alignas(4) char c; };
        union U { alignas(16) char a; int b; };
        __global__ void k(int* o) {
            P p = {1, 2};
            P* at = &p;
            Q q;
            o[0] = sizeof(P) * 10000 + sizeof(Q) * 100 + sizeof(R);
            o[1] = sizeof(S) * 10000 + sizeof(U) * 100 + alignof(R);
            o[2] = (char*)&q.y - (char*)&q;
            o[3] = (int)at->x + (int)((size_t)at % 16);
        }
        int main() {
            int h[4], *d;
            cudaMalloc(&d, 64);
            k<<<1, 1>>>(d);
            cudaMemcpy(h, d, 16, cudaMemcpyDeviceToHost);
            printf("%d %d %d %d %d", h[0], h[1], h[2], h[3], (int)sizeof(Q));
        }"#;
    assert_eq!(printed(text), ("322432 161632 8 2 24".to_owned(), 0));
}

#[test]
fn new_that_does_not_throw_gives_nothing_where_there_is_no_room() {
    let text = r#"#include <cstdio>
        #include <new>
        __global__ void k(int* o) {
            int* much = new (std::nothrow) int[1u << 30];
            int* little = new (std::nothrow) int(4);
            o[0] = much == nullptr;
            o[1] = *little;
            delete little;
        }
        int main() {
            int h[2], *d;
            cudaMalloc(&d, 64);
            k<<<1, 1>>>(d);
            cudaMemcpy(h, d, 8, cudaMemcpyDeviceToHost);
            printf("%d %d", h[0], h[1]);
        }"#;
    assert_eq!(printed(text), ("1 4".to_owned(), 0));
}
