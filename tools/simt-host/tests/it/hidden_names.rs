//! Which of several functions and types of one name is meant: built-in ones beside templates, those of
//! `std` beside the program's, the names of bases.

use crate::world::printed;

/// A function that is no template is better than a template that fits as well.
#[test]
fn built_in_functions_are_better_than_templates_of_their_names() {
    let text = r#"
        #include <cmath>
        #include <cstdio>
        #include <cstdlib>
        template <typename T> __device__ T max(T a, T b) { return (T)0; }
        template <typename T> __host__ __device__ T abs(T a) { return (T)100; }
        template <typename T> T sqrt(T a) { return 100; }
        template <typename T> T pow(T a, T b) { return 100; }
        template <typename T> __device__ T atomicAdd(T* p, T x) { *p = 0; return 0; }
        template <typename T> __device__ T __ldg(const T* p) { return 0; }
        struct V { int x; };
        template <> __device__ V max(V a, V b) { return a; }
        __global__ void k(int* p) {
            atomicAdd(p, 1);
            if (threadIdx.x == 0)
                printf("%d %d %g %d ", max(3, 7), abs(-5), max(2.0f, 3.0f), max(V{4}, V{5}).x);
        }
        __global__ void read(const int* p) { printf("%d ", __ldg(p)); }
        int main() {
            int* p;
            cudaMallocManaged(&p, sizeof(int));
            *p = 2;
            k<<<1, 32>>>(p);
            read<<<1, 1>>>(p);
            cudaDeviceSynchronize();
            printf("%d %g %g %d", abs(-5), sqrt(4.0), pow(2.0, 3.0), (int)abs((short)3));
            cudaFree(p);
        }"#;
    assert_eq!(printed(text), ("7 5 3 4 34 5 2 8 100".to_owned(), 0));
}

#[test]
fn a_template_of_a_namespace_hides_a_built_in_function_there() {
    let text = r#"
        #include <cstdio>
        namespace n {
        template <typename T> __device__ T max(T a, T b) { return a + b; }
        __global__ void k() { printf("%d %d", max(3, 7), ::max(3, 7)); }
        }
        int main() {
            n::k<<<1, 1>>>();
            cudaDeviceSynchronize();
        }"#;
    assert_eq!(printed(text), ("10 7".to_owned(), 0));
}

#[test]
fn own_overloads_stand_beside_those_of_std() {
    let text = r#"
        #include <algorithm>
        #include <cstdio>
        #include <vector>
        using std::vector;
        using std::find;
        template <class J, class T> auto find(const J& x, const T& v) { return find(x.begin(), x.end(), v); }
        template <class T, class U> void fill(vector<T>& a, const U& v) { fill(a.begin(), a.end(), v); }
        int main() {
            vector<int> a{1, 2, 3};
            printf("%d ", (int)(find(a, 2) - a.begin()));
            fill(a, 7);
            printf("%d", a[0]);
        }"#;
    assert_eq!(printed(text), ("1 7".to_owned(), 0));
}

#[test]
fn a_base_is_named_without_its_namespace() {
    let text = r#"
        #include <cstdio>
        namespace d {
        template <class T> struct inner { T h(T a) const { return a + 2; } static constexpr int k = 4; };
        struct plain { int p() { return 9; } };
        }
        struct A : d::inner<int> { int g() { return inner<int>::h(1); } };
        struct B : d::inner<int> { int g() { return inner::h(2) + inner<int>::k; } };
        struct C : d::plain { int g() { return plain::p(); } };
        int main() { printf("%d %d %d", A().g(), B().g(), C().g()); }"#;
    assert_eq!(printed(text), ("3 8 9".to_owned(), 0));
}

#[test]
fn names_from_the_root_begin_a_template_and_enumerations_have_any_base() {
    let text = r#"
        #include <cstdio>
        #include <string>
        #include <type_traits>
        template <typename T> ::std::string name(T) { return "t"; }
        namespace n {
        template <class T> struct id { using type = T; };
        enum old { A = 1 };
        typedef struct later later_t;
        struct later { int x; };
        int read(later_t* p) { return p->x; }
        }
        enum class E1 : std::underlying_type_t<n::old> { x = 3 };
        enum class E2 : n::id<short>::type { x = 4 };
        enum E3 : decltype(1ull) { y = 5 };
        struct S { enum n::old w : 3; };
        int main() {
            n::later l{6};
            printf("%s %zu %zu %zu %d", name(1).c_str(), sizeof(E1), sizeof(E2), sizeof(E3), n::read(&l));
        }"#;
    assert_eq!(printed(text), ("t 4 2 8 6".to_owned(), 0));
}

#[test]
fn a_constructor_begins_members_of_anonymous_unions() {
    let text = r#"
        #include <cstdio>
        struct V {
            union { struct { float x, y, z; }; float v[3]; };
            __host__ __device__ V(float a) : x(a), y(2 * a), z(3 * a) {}
        };
        struct B { union { int i; float f; }; B(int n) : i(n) {} };
        struct D { union { float e[2]; struct { float r, g; }; }; constexpr D(float a, float b) : e{a, b} {} };
        __global__ void k() { V a(2); printf("%g %g ", a.v[1], a.z); }
        int main() {
            k<<<1, 1>>>();
            cudaDeviceSynchronize();
            V a(1);
            printf("%g %g %d %g", a.v[1], a.z, B(3).i, D(6, 8).g);
        }"#;
    assert_eq!(printed(text), ("4 6 2 3 3 8".to_owned(), 0));
}

#[test]
fn string_declares_hash_and_streams_their_positions() {
    let text = r#"
        #include <string>
        #include <cstdio>
        struct Key { unsigned a; };
        namespace std {
        template <> struct hash<Key> {
            size_t operator()(const Key& k) const noexcept { return hash<unsigned>()(k.a); }
        };
        }
        int main() { printf("%d", std::hash<Key>()(Key{1}) == std::hash<unsigned>()(1u)); }"#;
    assert_eq!(printed(text), ("1".to_owned(), 0));
    let text = r#"
        #include <cstdio>
        #include <sstream>
        int main() {
            std::stringstream s("12345");
            s.seekg(0, std::ios::end);
            std::ios::pos_type end = s.tellg();
            std::stringstream::off_type more = 2;
            printf("%d", (int)(end + more));
        }"#;
    assert_eq!(printed(text), ("7".to_owned(), 0));
}
