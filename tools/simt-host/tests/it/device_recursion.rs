//! Member functions of device code that call themselves.

use crate::world::*;

/// What a kernel of one warp leaves in its first elements.
fn left(text: &str, kernel: &str, n: usize) -> String {
    let program = format!(
        r#"#include <cstdio>
        {text}
        __global__ void k(int* o) {{ {kernel} }}
        int main() {{
            int* d;
            int h[64] = {{}};
            cudaMalloc(&d, sizeof h);
            cudaMemset(d, 0, sizeof h);
            k<<<1, 32>>>(d);
            cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
            for (int i = 0; i < {n}; i++) printf("%d ", h[i]);
            return (int)cudaGetLastError();
        }}"#
    );
    clean(&program)
}

#[test]
fn a_method_calls_itself_for_its_own_object() {
    let text = r#"
        struct Walk {
            int sum;
            __device__ void down(int n) {
                if (n == 0) return;
                sum += n;
                down(n - 1);
            }
            __device__ int fibonacci(int n) const {
                return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
            }
            __device__ void even(int n) { sum += 100; if (n > 0) odd(n - 1); }
            __device__ void odd(int n) { sum += 1; if (n > 0) even(n - 1); }
        };"#;
    let kernel = r#"
        Walk w;
        w.sum = 0;
        w.down(threadIdx.x);
        o[threadIdx.x] = w.sum;
        __syncwarp();
        if (threadIdx.x == 4) {
            __shared__ Walk s;
            s.sum = 0;
            s.down(100);
            o[0] = s.sum;
            o[1] = s.fibonacci(11);
            Walk* p = (Walk*)(o + 2);
            p->sum = 0;
            p->even(3);
        }"#;
    assert_eq!(left(text, kernel, 6), "5050 89 202 6 10 15 ");
}

#[test]
fn a_method_calls_itself_for_another_object() {
    let text = r#"
        struct Node {
            Node* left;
            Node* right;
            int value;
            __device__ int sum(int factor) {
                int all = value * factor;
                if (left) all += left->sum(factor + 1);
                if (right) all += right->sum(factor + 1);
                return all + value;
            }
        };
        struct Copy {
            int n;
            __device__ int count() const {
                if (n == 0) return 0;
                Copy less{n - 1};
                int below = less.count();
                return below + n + less.n - less.n;
            }
        };"#;
    let kernel = r#"
        __shared__ Node nodes[7];
        if (threadIdx.x < 7) {
            int i = threadIdx.x;
            bool inner = i < 3;
            nodes[i] = {inner ? &nodes[2 * i + 1] : nullptr, inner ? &nodes[2 * i + 2] : nullptr, i};
        }
        __syncthreads();
        if (threadIdx.x == 0) {
            o[0] = nodes[0].sum(1);
            Copy c{50};
            o[1] = c.count();
        }"#;
    // 1 * 0 + 2 * (1 + 2) + 3 * (3 + 4 + 5 + 6), and each value once more.
    assert_eq!(left(text, kernel, 2), "81 1275 ");
}

#[test]
fn a_method_waits_for_its_block_at_every_level() {
    let text = r#"
        struct Work {
            int* next;
            int sum;
            __device__ void walk(int* w) {
                if (threadIdx.x == 0) { sum += w[0]; next = w[1] ? w + 2 : nullptr; }
                __syncthreads();
                int* there = next;
                __syncthreads();
                if (there) walk(there);
            }
        };"#;
    let kernel = r#"
        __shared__ Work work;
        if (threadIdx.x < 4) o[threadIdx.x] = threadIdx.x < 3;
        if (threadIdx.x == 0) { work.sum = 0; work.next = nullptr; }
        __syncthreads();
        work.walk(o);
        if (threadIdx.x == 0) o[4] = work.sum;"#;
    assert_eq!(left(text, kernel, 5), "1 1 1 0 2 ");
}
