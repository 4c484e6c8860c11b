//! Functions that no compiler emits: `inline` and `static` ones that nothing calls.

use crate::world::*;

#[test]
fn what_an_unused_function_calls_need_not_be_defined() {
    let text = r#"
        #include <cstdio>
        extern __device__ void f(int* p);
        extern __device__ int v;
        void g(int*);
        extern int w;
        inline __device__ void a(int* p) { f(p); }
        static __device__ void b(int* p) { a(p); *p = v; }
        __device__ __forceinline__ void c(int* p) { f(p); }
        inline __host__ __device__ void d(int* p) { *p = 1; }
        inline void e(int* p) { g(p); *p = w; }
        static void h(int* p) { e(p); }
        namespace { void i(int* p) { h(p); } }
        static void j(int* p);
        void j(int* p) { g(p); }
        __global__ void k(int* p) { d(p); }
        int main() {
            int* p;
            int r;
            cudaMalloc(&p, 4);
            k<<<1, 1>>>(p);
            cudaMemcpy(&r, p, 4, cudaMemcpyDeviceToHost);
            printf("%d\n", r);
        }"#;
    assert_eq!(printed(text), ("1\n".to_owned(), 0));
}

#[test]
fn what_a_used_function_calls_must_be_defined() {
    let device = "extern __device__ void f(int* p);\n\
                  inline __device__ void a(int* p) { f(p); }\n\
                  template <typename T> __device__ void b(T* p) { a(p); }\n\
                  struct S { __device__ void c(int* p) { b(p); } };\n\
                  __global__ void k(int* p) { S s; s.c(p); }\nint main() {}\n";
    let host = "void f(int*);\nstatic void a(int* p) { f(p); }\n\
                int main() { int n; void (*g)(int*) = a; g(&n); }\n";
    let visible = "void f(int*);\nvoid a(int* p) { f(p); }\nint main() {}\n";
    for text in [device, host, visible] {
        let said = compile("main.cu", text).expect_err("`f` is not defined");
        assert!(said.contains("`f` is declared and never defined"), "{said}");
        assert_eq!(said.matches("error[").count(), 1, "{said}");
    }
    let variable = "extern int w;\ninline int a() { return w; }\nint main() { return a(); }\n";
    let said = compile("main.cu", variable).expect_err("`w` is not defined");
    assert!(said.contains("undefined reference to `w`"), "{said}");
}

#[test]
fn assembly_of_an_unused_function_is_not_assembled() {
    let function = "static __device__ void not_(unsigned* p) {\n\
                    unsigned d; asm(\"not.b32 %0, %1, %2;\" : \"=r\"(d) : \"r\"(*p)); *p = d; }\n";
    let unused = format!("{function}__global__ void k(unsigned* p) {{ *p = 1; }}\nint main() {{}}");
    assert_eq!(printed(&unused), (String::new(), 0));
    let used = format!("{function}__global__ void k(unsigned* p) {{ not_(p); }}\nint main() {{}}");
    let said = compile("main.cu", &used).expect_err("there is no `%2`");
    assert!(said.contains("`%2` refers to an operand"), "{said}");
    let visible = function.replace("static ", "");
    let said = compile("main.cu", &format!("{visible}int main() {{}}")).expect_err("it is emitted");
    assert!(said.contains("`%2` refers to an operand"), "{said}");
}
