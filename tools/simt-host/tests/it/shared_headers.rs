//! Headers that several files of a program share: where a declaration ends, whose a name is.

use crate::several_files::prints;
use crate::world::printed;

/// The function's name ends with a bracket, and the class behind it is one class in both files.
#[test]
fn what_follows_an_operator_with_brackets_is_shared() {
    let header = "
        #include <string>
        #include <vector>
        struct Row { int data[2]; int& operator[](int i); };
        inline int& Row::operator[](int i) { return data[i]; }
        struct Vec3 { double x, y, z; };
        struct System { Vec3 field{0.0, 0.0, 0.0}; std::vector<Vec3> all; };";
    let main = "
        #include \"system.h\"
        #include <cstdio>
        double sum(const System& s);
        int main() {
            System s;
            s.field = Vec3{1.0, 2.0, 0.5};
            s.all.push_back(s.field);
            Row row{{3, 4}};
            printf(\"%g %d\\n\", sum(s), row[1]);
        }";
    let other = "
        #include \"system.h\"
        double sum(const System& s) { Vec3 v = s.all[0]; return v.x + v.y + s.field.z; }";
    let files = [("main.cu", main), ("sum.cpp", other), ("system.h", header)];
    prints(&files, 2, "3.5 4\n");
}

#[test]
fn a_static_constant_and_one_of_an_unnamed_namespace_are_two() {
    let kernels = "
        static constexpr float kPi = 3.25f;
        namespace { int twice(int x) { return 2 * x; } }
        __global__ void k(float* out) { *out = kPi; }
        void launch(float* out) { k<<<1, 1>>>(out); *out += twice(1); }";
    let main = "
        #include <cstdio>
        namespace {
        constexpr float kPi = 3.5f;
        int twice(int x) { return x + x + 1; }
        }
        void launch(float* out);
        int main() {
            float* out;
            cudaMallocManaged(&out, 4);
            *out = 0;
            float before = kPi;
            printf(\"%g %d\\n\", before, twice(1));
            cudaFree(out);
        }";
    prints(&[("kernels.cu", kernels), ("main.cu", main)], 2, "3.5 3\n");
}

#[test]
fn extern_c_without_braces_only_declares_a_variable() {
    let text = r#"
        #include <cstdio>
        extern "C" int a;
        extern "C" int b = 4;
        extern "C" { int c; extern int d; }
        int a = 3;
        int d = 7;
        int main() { printf("%d %d %d %d", a, b, c, d); }"#;
    assert_eq!(printed(text), ("3 4 0 7".to_owned(), 0));
}

#[test]
fn a_vector_type_may_be_announced() {
    let text = r#"
        #include <cstdio>
        struct double2;
        __global__ void k(const double2* in, double* out);
        __global__ void k(const double2* in, double* out) { *out = in[0].x + in[0].y; }
        int main() {
            double2* in;
            double* out;
            cudaMallocManaged(&in, sizeof(double2));
            cudaMallocManaged(&out, 8);
            *in = make_double2(1, 2);
            k<<<1, 1>>>(in, out);
            cudaDeviceSynchronize();
            printf("%g %d", *out, (int)sizeof(double2));
        }"#;
    assert_eq!(printed(text), ("3 16".to_owned(), 0));
}

#[test]
fn another_file_defines_an_overload_of_an_atomic_function() {
    let main = "
        #include <cstdio>
        __device__ double atomicMax(double* at, double value);
        __device__ double most;
        __global__ void k() { atomicMax(&most, threadIdx.x + 0.5); }
        int main() {
            k<<<1, 4>>>();
            double h;
            cudaMemcpyFromSymbol(&h, most, sizeof h);
            printf(\"%g\\n\", h);
        }";
    let other = "
        __device__ double atomicMax(double* at, double value) {
            unsigned long long *p = (unsigned long long*)at, old = *(volatile unsigned long long*)p, was;
            do {
                was = old;
                double larger = fmax(value, __longlong_as_double(was));
                old = atomicCAS(p, was, (unsigned long long)__double_as_longlong(larger));
            } while (was != old);
            return __longlong_as_double(old);
        }";
    prints(&[("main.cu", main), ("other.cu", other)], 2, "3.5\n");
}
