//! Variables that are declared `extern`.

use crate::world::{compile, printed};

#[test]
fn a_declaration_finds_its_definition() {
    let text = r#"
        #include <stdio.h>
        extern int first, second, unused;
        extern const int size;
        extern __device__ int counter;
        extern __constant__ float table[2];
        extern __managed__ int seen;
        extern __device__ int never;
        __global__ void count() {
            counter += (int)table[1];
            seen = counter;
        }
        int sum() { return first + second + size; }
        int second = 2;
        extern int first;
        int first = 1;
        const int size = 10;
        __device__ int counter = 5;
        __constant__ float table[2] = {1, 20};
        __managed__ int seen;
        extern __device__ int counter;
        extern const int size;
        int main() {
            count<<<1, 1>>>();
            cudaDeviceSynchronize();
            printf("%d %d\n", sum(), seen);
        }"#;
    assert_eq!(printed(text), ("13 25\n".to_owned(), 0));
}

#[test]
fn a_variable_that_is_used_and_never_defined_is_named() {
    let host = "extern int missing;\nint main() { return missing; }\n";
    let device = "extern __device__ int missing;\n__global__ void k(int* p) { *p = missing; }\n\
                  int main() { k<<<1, 1>>>(nullptr); }\n";
    for text in [host, device] {
        let said = compile("main.cu", text).expect_err("it is not defined");
        assert!(said.contains("undefined reference to `missing`: no file defines it"), "{said}");
        assert!(said.contains("declared `extern` here"), "{said}");
        assert_eq!(said.matches("error[").count(), 1, "{said}");
    }
}

#[test]
fn a_function_declares_what_its_namespace_has() {
    let text = r#"
        #include <cstdio>
        int f() {
            extern int counter;
            extern float table[3];
            extern int g(int);
            return counter + (int)table[1] + g(2);
        }
        namespace n {
        int h() { extern int deep; int later(); return deep + later(); }
        int deep = 7;
        int later() { return 100; }
        }
        int counter = 4;
        float table[3] = {1, 2, 3};
        int g(int a) { return a * 10; }
        int main() {
            extern int counter;
            counter++;
            { int counter = 1000; counter++; }
            int last();
            printf("%d %d %d\n", f(), n::h(), last());
        }
        int last() { return 3; }"#;
    assert_eq!(printed(text), ("27 107 3\n".to_owned(), 0));
    let said = compile("main.cu", "int main() { extern int none; return none; }").unwrap_err();
    assert!(said.contains("undefined reference to `none`"), "{said}");
}

#[test]
fn a_static_member_is_defined_outside_of_its_class() {
    let text = r#"
        #include <cstdio>
        struct S {
            static int plain;
            static int by_alias;
            static int unused;
            static int measured;
            static const int constant = 4;
            static inline int given = 3;
            static inline int zero;
        };
        typedef S Alias;
        int S::plain;
        int Alias::by_alias = 9;
        namespace n { template <class T> struct Of { static T value; static T own; }; }
        template <class T> T n::Of<T>::value = 1;
        template <> int n::Of<int>::own = 5;
        template <class T> struct Partial {};
        template <class T> struct Partial<T*> { static int value; };
        template <class T> int Partial<T*>::value = 8;
        struct Outer { struct Inner { static int value; }; };
        int Outer::Inner::value = 6;
        struct Derived : S {};
        inline int never_called() { return S::unused; }
        int main() {
            int sum = Derived::plain + S::by_alias + S::constant + S::given + S::zero;
            sum += n::Of<int>::value + n::Of<int>::own + Partial<int*>::value;
            printf("%d %d\n", sum + Outer::Inner::value, (int)sizeof(S::measured));
        }"#;
    assert_eq!(printed(text), ("36 4\n".to_owned(), 0));
}

#[test]
fn a_static_member_that_no_file_defines_is_named() {
    let text = "struct S { static int n; };\n\
                template <class T> struct Of { static T n; T get() { return n; } };\n\
                struct Derived : S {};\n\
                int main() { Of<int> of; return Derived::n + of.get(); }\n";
    let said = compile("main.cu", text).expect_err("they are not defined");
    for expected in [
        "undefined reference to `S::n`: no file defines it\n --> main.cu:4:",
        "undefined reference to `Of<int>::n`: no file defines it\n --> main.cu:2:",
        "write `inline` before `static`",
    ] {
        assert!(said.contains(expected), "{said}");
    }
    assert_eq!(said.matches("error[").count(), 2, "{said}");
}
