//! The conditional operator.

use crate::world::printed;

#[test]
fn an_object_or_one_of_its_base_is_a_place_of_the_base() {
    let text = r#"
        #include <cstdio>
        struct Base { int x = 1; __host__ __device__ Base() {} virtual int f() { return x; } };
        struct Derived : Base { int y = 2; int f() override { return 10; } };
        struct Plain { int x; };
        struct More : Plain { int y; };
        __global__ void choose(int* out, bool more) {
            Plain plain{1};
            More both;
            both.x = 2;
            Plain& chosen = more ? both : plain;
            chosen.x += 10;
            out[0] = plain.x;
            out[1] = both.x;
            out[2] = (more ? plain : both).x;
        }
        int main() {
            Base base;
            Derived derived;
            for (int c = 0; c < 2; c++) {
                Base& chosen = c ? derived : base;
                const Base& other = c ? base : derived;
                (c ? base : derived).x += 5;
                printf("%d %d %d ", chosen.f(), chosen.x, other.x);
            }
            int* out;
            cudaMallocManaged(&out, 12);
            choose<<<1, 1>>>(out, true);
            cudaDeviceSynchronize();
            printf("%d %d %d\n", out[0], out[1], out[2]);
        }"#;
    assert_eq!(printed(text), ("1 1 6 10 6 6 1 12 1\n".to_owned(), 0));
}

/// An extension of GNU, which `nvcc` has, too.
#[test]
fn the_second_operand_may_be_left_out() {
    let text = r#"
        #include <cstdio>
        int calls = 0;
        int next() { return calls++; }
        __global__ void either(int* out, int a, int b) { *out = a ?: b; }
        int main() {
            int* out;
            cudaMallocManaged(&out, 4);
            either<<<1>>>(out, 0, 8);
            cudaDeviceSynchronize();
            const char* none = nullptr;
            int first = next() ?: 9, second = next() ?: 9;
            constexpr int known = 0 ?: 4;
            printf("%d %d %d %d %s %d\n", *out, first, second, calls, none ?: "none", known);
        }"#;
    assert_eq!(printed(text), ("8 9 1 2 none 4\n".to_owned(), 0));
}
