//! Enumerators behind a type's name, functions that only their arguments' classes know, methods
//! told apart by their object's value category, and classes that are defined twice.

use crate::world::*;

#[test]
fn enumerators_are_found_behind_every_name_of_their_type() {
    let text = r#"
        #include <cstdio>
        enum Colour { red, green = 4 };
        typedef Colour Paint;
        namespace n { enum Size { small = 2, big }; using Width = Size; }
        struct Box { enum Kind { open, shut = 5 }; typedef Kind State; };
        template <typename T> struct Holder { enum { count = 3 }; enum E { one = sizeof(T) }; };
        __global__ void k(int* out) { *out = Paint::green + Box::Kind::shut; }
        int main() {
            cudaError_t status = cudaError_t::cudaSuccess;
            int* d;
            int h;
            cudaMalloc(&d, sizeof h);
            k<<<1, 1>>>(d);
            cudaMemcpy(&h, d, sizeof h, cudaMemcpyKind::cudaMemcpyDeviceToHost);
            cudaFree(d);
            switch (status) {
            case cudaError_t::cudaErrorInvalidValue: return 1;
            default: break;
            }
            printf("%d %d %d %d %d %d %d\n", status == cudaError::cudaSuccess, h, Colour::green,
                n::Width::big, Box::State::shut, Holder<int>::E::one, Holder<char>::count);
        }"#;
    assert_eq!(printed(text), ("1 9 4 3 5 4 3\n".to_owned(), 0));
}

#[test]
fn a_friend_is_found_through_its_class_alone() {
    let text = r#"
        #include <cstdio>
        #include <utility>
        #include <vector>
        namespace n {
            struct A {
                int v;
                friend void swap(A& a, A& b) { std::swap(a.v, b.v); printf("A "); }
            };
            struct Derived : A {};
            struct B { int v; };
            void swap(B& a, B& b) { std::swap(a.v, b.v); printf("B "); }
            template <typename T> struct C {
                T v;
                friend T twice(const C& c) { return c.v * 2; }
            };
        }
        namespace m {
            struct D;
            int size(const D&);
            struct D { int v; friend int size(const D& d) { return d.v; } };
        }
        struct Global {
            int v;
            friend void swap(Global& a, Global& b) { std::swap(a.v, b.v); printf("G "); }
        };
        using namespace std;
        template <typename T> void exchange(T& a, T& b) { using std::swap; swap(a, b); }
        int main() {
            int x = 1, y = 2;
            { using std::swap; swap(x, y); }
            exchange(x, y);
            exchange(x, y);
            n::A a{1}, b{2};
            n::B c{3}, d{4};
            Global e{5}, f{6};
            exchange(a, b);
            exchange(c, d);
            exchange(e, f);
            { using std::swap; swap(a, b); swap(e, f); }
            vector<int> one{1}, two{2, 3};
            swap(one, two);
            if (one.size() != 2 || size(m::D{3}) != 3 || m::size(m::D{4}) != 4) return 1;
            n::Derived g, h;
            g.v = 7, h.v = 8;
            swap(g, h);
            printf("%d %d %d %d %d %d %g\n", x, a.v, c.v, e.v, g.v, twice(n::C<int>{4}),
                twice(n::C<double>{1.5}));
        }"#;
    assert_eq!(printed(text), ("A B G A G 2 1 4 5 8 8 3\n".to_owned(), 0));
}

#[test]
fn methods_are_told_apart_by_their_objects_category() {
    let text = r#"
        #include <cstdio>
        #include <string>
        #include <utility>
        struct S {
            std::string v = "text";
            const char* f() & { return "lvalue"; }
            const char* f() const & { return "const"; }
            const char* f() && { return "rvalue"; }
            std::string take() &&;
            S& operator=(const S&) & = default;
            int operator*() const & { return 1; }
            int operator*() && { return 2; }
        };
        std::string S::take() && { return std::move(v); }
        struct T {
            int v;
            __host__ __device__ int g() const & { return v; }
            __host__ __device__ int g() && { return -v; }
        };
        __global__ void k() { T t{4}; printf("%d %d\n", t.g(), T{5}.g()); }
        int main() {
            S s, other;
            const S c;
            s = other;
            printf("%s %s %s %s\n", s.f(), c.f(), S().f(), std::move(s).f());
            printf("%s %d %d\n", S().take().c_str(), *s, *S());
            k<<<1, 1>>>();
            return cudaDeviceSynchronize();
        }"#;
    assert_eq!(printed(text), ("lvalue const rvalue rvalue\ntext 1 2\n4 -5\n".to_owned(), 0));
}

#[test]
fn a_method_of_rvalues_refuses_an_lvalue() {
    let text = "struct S { int f() && { return 1; } };\nint main() { S s; return s.f(); }";
    let message = compile("p.cu", text).err().unwrap();
    assert!(message.contains("p.cu:2:"), "{message}");
    assert!(message.contains("no `f` takes an lvalue as its object"), "{message}");
}

#[test]
fn a_class_is_defined_once() {
    let text = "struct S { int a; };\nstruct S { int a, b; };\nint main() { return S().a; }";
    let message = compile("p.cu", text).err().unwrap();
    assert!(message.contains("`S` is defined twice"), "{message}");
    assert!(message.contains("p.cu:2:8") && message.contains("p.cu:1:8"), "{message}");
    let declared = "struct S;\nstruct S { int a; };\nstruct S;\nint main() { return S().a; }";
    assert!(compile("p.cu", declared).is_ok());
}

#[test]
fn special_registers_of_the_device() {
    let text = r#"
        #include <cstdio>
        __global__ void k() {
            unsigned sm, count, low;
            unsigned long long before, after;
            asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
            asm volatile("mov.u32 %0, %%nsmid;" : "=r"(count));
            asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(before));
            asm volatile("mov.u32 %0, %%globaltimer_lo;" : "=r"(low));
            asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(after));
            if (blockIdx.x + blockIdx.y * gridDim.x == 133)
                printf("%u %u %d %d\n", sm, count, after > before, low > before && low < after);
        }
        int main() {
            int count;
            cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, 0);
            k<<<dim3(67, 2), 1>>>();
            cudaDeviceSynchronize();
            printf("%d\n", count);
        }"#;
    assert_eq!(printed(text), ("1 132 1 1\n132\n".to_owned(), 0));
}

#[test]
fn a_function_knows_whether_a_constant_is_evaluated() {
    let text = r#"
        #include <cstdio>
        #include <type_traits>
        __host__ __device__ constexpr int f(int x) {
            if (std::is_constant_evaluated()) return x * 2;
            return x * 3;
        }
        constexpr int g(int x) { return __builtin_is_constant_evaluated() ? x : -x; }
        __global__ void k(int v) {
            __shared__ int s[f(2)];
            constexpr int known = f(5);
            printf("%d %d %d\n", (int)(sizeof s / 4), known, f(v));
        }
        int main() {
            constexpr int known = f(2);
            int v = 2;
            int a[f(1)];
            int plain = f(7);
            const int fixed = f(7);
            static_assert(f(1) == 2, "");
            printf("%d %d %d %d %d\n", known, f(v), (int)(sizeof a / 4), g(v),
                std::integral_constant<int, f(5)>::value);
            printf("%d %d\n", plain, fixed);
            k<<<1, 1>>>(v);
            return cudaDeviceSynchronize();
        }"#;
    assert_eq!(printed(text), ("4 6 2 -2 10\n21 14\n4 10 6\n".to_owned(), 0));
}
