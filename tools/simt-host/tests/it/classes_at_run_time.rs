//! `dynamic_cast`, in code of the host and of the device; sizes of objects.

use crate::world::*;

#[test]
fn pointers_are_cast_by_what_the_object_is() {
    let text = r#"
        #include <cstdio>
        struct Shape { __host__ __device__ virtual int id() const { return 0; } int n = 1; };
        struct Named { int name = 7; };
        struct Circle : Shape { __host__ __device__ int id() const override { return 1; } int r = 5; };
        struct Disc : Named, Circle { __host__ __device__ int id() const override { return 2; } };
        struct Square : Shape { __host__ __device__ int id() const override { return 3; } };
        __host__ __device__ int radius(const Shape* s) {
            if (const Circle* c = dynamic_cast<const Circle*>(s)) return c->r + c->id();
            return -1;
        }
        __global__ void k(int* out) {
            Disc d;
            Square q;
            out[0] = radius(&d);
            out[1] = radius(&q);
        }
        int main() {
            Shape plain;
            Circle c;
            Disc d;
            Square q;
            Shape* all[] = {&plain, &c, &d, &q, nullptr};
            int calls = 0;
            for (int i = 0; i < 5; i++) printf("%d ", radius(all[i]));
            Disc* disc = dynamic_cast<Disc*>(all[++calls + 1]);
            printf("%d %d %d ", calls, disc == &d, disc->name);
            printf("%d ", dynamic_cast<Shape*>(disc) == &d);
            int* out;
            cudaMallocManaged(&out, 8);
            k<<<1, 1>>>(out);
            cudaDeviceSynchronize();
            printf("%d %d", out[0], out[1]);
        }"#;
    assert_eq!(printed(text), ("-1 6 7 -1 -1 1 1 7 1 7 -1".to_owned(), 0));
    let plain =
        "struct A {}; struct B : A {}; int main() { A a; return dynamic_cast<B*>(&a) != 0; }";
    let said = compile("plain.cu", plain).unwrap_err();
    assert!(said.contains("no class with virtual functions"), "{said}");
}

#[test]
fn a_base_need_not_come_first() {
    let text = r#"
        #include <cstdio>
        struct A { int a = 1; };
        struct B { int b = 2; __host__ __device__ virtual int twice() { return 2 * b; } virtual ~B() {} };
        struct C : A, B { int c = 3; __host__ __device__ int twice() override { return 2 * c + a; } ~C() { printf("~%d ", c); } };
        __global__ void k(int* out) {
            C c;
            B* b = &c;
            *out = b->twice() * 10 + static_cast<C*>(b)->c;
        }
        int main() {
            C* c = new C;
            B* b = c;
            B* none = static_cast<C*>(nullptr);
            C* back = (C*)b;
            printf("%d %d %d ", b->twice(), back->c, back == c && b == c);
            C* nowhere = static_cast<C*>(none);
            printf("%d %d ", none == nullptr, nowhere == nullptr);
            int* out;
            cudaMallocManaged(&out, 4);
            k<<<1, 1>>>(out);
            cudaDeviceSynchronize();
            printf("%d ", *out);
            delete c;
        }"#;
    assert_eq!(printed(text), ("7 3 1 1 1 ~3 73 ~3 ".to_owned(), 0));
}

#[test]
fn classes_that_are_spelled_alike_have_sizes_of_their_own() {
    let text = r#"#include <cstdio>
        #include <functional>
        #include <memory>
        int small() { struct S { int a = 1; }; std::unique_ptr<S> s(new S); return s->a; }
        long large() { struct S { long a[4] = {1, 2, 3, 4}; }; std::unique_ptr<S> s(new S); return s->a[3]; }
        int main() {
            int total = 0;
            std::function<void(int)> f = [&](int x) { total += x; };
            std::function<void(int)> g = [&total, k = 10, l = 20L](int x) { total += x + k + l; };
            f(1);
            g(1);
            printf("%d %d %ld", total, small(), large());
        }"#;
    assert_eq!(printed(text), ("32 1 4".to_owned(), 0));
}
