//! `__CUDA_ARCH__`: defined for the device alone, so one source means two things.

use crate::world::*;

/// A program with a kernel that stores what `f(1)` is, and a host that prints both.
fn both(before: &str) -> (String, i32) {
    printed(&format!(
        "#include <cstdio>
        {before}
        __global__ void k(int* p) {{ *p = f(1); }}
        int main() {{
            int* p;
            cudaMallocManaged(&p, 4);
            k<<<1, 1>>>(p);
            cudaDeviceSynchronize();
            printf(\"%d %d\\n\", *p, f(1));
        }}"
    ))
}

#[test]
fn a_function_does_another_thing_on_each_side() {
    for before in [
        "__host__ __device__ int f(int x) {
        #ifdef __CUDA_ARCH__
            return x + __CUDA_ARCH__;
        #else
            return x + 1;
        #endif
        }",
        "#if defined(__CUDA_ARCH__)
        #define VALUE 900
        #else
        #define VALUE 1
        #endif
        namespace n { __host__ __device__ int f(int x) { return x + VALUE; } }
        using n::f;",
        "struct S {
            int x;
            __host__ __device__ S(int y) : x(y
        #ifdef __CUDA_ARCH__
                + 900
        #else
                + 1
        #endif
            ) {}
            template <typename T> __host__ __device__ T get() const;
        };
        template <typename T> __host__ __device__ T S::get() const { return x; }
        __host__ __device__ int f(int x) { return S(x).get<int>(); }",
        "struct S {
            __host__ __device__ int get(int x) const;
        };
        __host__ __device__ int S::get(int x) const {
        #ifdef __CUDA_ARCH__
            return x + 900;
        #else
            return x + 1;
        #endif
        }
        template <typename T> __host__ __device__ T f(T x) { return S().get(x); }",
    ] {
        assert_eq!(both(before), ("901 2\n".to_owned(), 0), "{before}");
    }
}

#[test]
fn a_function_may_be_one_sides_alone() {
    for before in [
        "#ifdef __CUDA_ARCH__
        __device__ int f(int x) { return x + 900; }
        #else
        int f(int x) { return x + 1; }
        #endif",
        "__host__ __device__ int f(int x);
        #ifdef __CUDA_ARCH__
        __host__ __device__ int f(int x) { return x + 900; }
        #else
        __host__ __device__ int f(int y) { return y + 1; }
        #endif",
        "#ifdef __CUDA_ARCH__
        #define BOTH __device__
        #else
        #define BOTH
        #endif
        typedef struct { int a; } Pair;
        BOTH int f(int x) { Pair p = {x}; return p.a + (sizeof(Pair) == 4 ? 1 : 0) + VALUE; }",
    ] {
        let text = format!(
            "#ifdef __CUDA_ARCH__\n#define VALUE 899\n#else\n#define VALUE 0\n#endif\n{before}"
        );
        assert_eq!(both(&text), ("901 2\n".to_owned(), 0), "{before}");
    }
}

#[test]
fn headers_of_the_host_alone_are_read() {
    let before = "#ifndef __CUDA_ARCH__
        #include <vector>
        int length() { return (int)std::vector<int>(2).size(); }
        #endif
        __host__ __device__ int f(int x) {
        #if !defined(__CUDA_ARCH__)
            return length();
        #elif __CUDA_ARCH__ >= 700
            return 901;
        #endif
        }";
    assert_eq!(both(before), ("901 2\n".to_owned(), 0));
}

#[test]
fn one_name_with_two_meanings_is_refused() {
    let main = "int main() { return (int)x[0]; }";
    for before in [
        "#ifdef __CUDA_ARCH__\n__constant__ int x[1] = {1};\n#else\nint x[1] = {2};\n#endif\n",
        "#ifdef __CUDA_ARCH__\n#define C __constant__\n#else\n#define C\n#endif\nC int x[1] = {1};\n",
        "#ifdef __CUDA_ARCH__\n__device__ const int x[] = {1};\n#else\nconst int x[] = {2};\n#endif\n",
        "#ifdef __CUDA_ARCH__\ntypedef int T;\n#else\ntypedef float T;\n#endif\nT x[1];\n",
        "struct S {\n#ifdef __CUDA_ARCH__\nint a;\n#else\nint b;\n#endif\n}; int x[1];\n",
    ] {
        let said = compile("program.cu", &format!("{before}{main}")).err().unwrap_or_default();
        let words = "with one meaning on the device and another on the host";
        assert!(said.contains(words), "{before}: {said}");
    }
}

#[test]
fn mistakes_of_either_side_are_reported_once() {
    let text = "int wrong = unknown_name;
        int f() {
        #ifdef __CUDA_ARCH__
            return 0;
        #else
            return another_unknown_name;
        #endif
        }
        int main() { return f(); }";
    let said = compile("program.cu", text).expect_err("it does not compile");
    assert_eq!(said.matches("`unknown_name`").count(), 1, "{said}");
    assert_eq!(said.matches("`another_unknown_name`").count(), 1, "{said}");
    let text =
        "int f() {\n#ifndef __CUDA_ARCH__\n return ( ;\n#endif\n}\nint main() { return f(); }";
    let said = compile("program.cu", text).expect_err("it does not parse");
    assert!(said.contains("3 |"), "{said}");
}

#[test]
fn a_definition_has_the_execution_space_of_its_declaration() {
    let text = "#include <cstdio>
        __device__ unsigned gen(unsigned s);
        unsigned gen(unsigned s) { __shared__ unsigned a; a = threadIdx.x + s; return a; }
        __global__ void k() { printf(\"%u\\n\", gen(7)); }
        int main() { k<<<1, 1>>>(); cudaDeviceSynchronize(); }";
    assert_eq!(printed(text), ("7\n".to_owned(), 0));
}

#[test]
fn a_function_of_both_sides_may_call_what_the_host_has() {
    let text = "#include <iostream>
        struct V { float x; };
        __host__ __device__ std::ostream& operator<<(std::ostream& o, const V& v) { return o << v.x; }
        __host__ __device__ void unused(const V& v) { std::cout << v; }
        int main() { std::cout << V{1.5f} << std::endl; }";
    assert_eq!(printed(text), ("1.5\n".to_owned(), 0));
    let called = format!("{text}\n__global__ void k() {{ unused(V{{2}}); }}");
    let said = compile("program.cu", &called).expect_err("a kernel calls it");
    assert!(said.contains("`std::cout` is a variable of the host"), "{said}");
}

/// A table in the device's memory for kernels, and an ordinary one for the host.
#[test]
fn a_constant_table_may_be_in_device_memory_for_the_device_alone() {
    for on_device in ["__device__ static const", "static __constant__ const", "__constant__ const"]
    {
        let before = format!(
            "#ifdef __CUDA_ARCH__
            #define TABLE {on_device}
            #else
            #define TABLE static const
            #endif
            TABLE int corners[2][2] = {{{{1, 2}}, {{3, 4}}}};
            __host__ __device__ int f(int i) {{ return corners[i][i] * 10 + corners[0][i]; }}"
        );
        assert_eq!(both(&before), ("42 42\n".to_owned(), 0));
    }
}
