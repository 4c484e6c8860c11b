//! An object has the table of virtual functions of the side that has made it: the other side cannot
//! call them.

use crate::world::{compile, execute};

const CLASSES: &str = "#include <cstdio>
#include <new>
struct Shape {
    float side;
    __host__ __device__ constexpr Shape(float side = 1) : side(side) {}
    __host__ __device__ virtual float area() const { return side; }
    __host__ __device__ virtual float twice() const { return 2 * area(); }
};
struct Square : Shape {
    __host__ __device__ constexpr Square(float side = 1) : Shape(side) {}
    __host__ __device__ float area() const override { return side * side; }
};
__device__ float area_of(const Shape& shape) {
    return shape.area();
}
__managed__ float out[8];
__global__ void use(const Shape* shape) { out[0] = shape->area(); }
__global__ void make(Square* to) { new (to) Square(3); }
";

/// What a program prints and what is found in it.
fn run(body: &str) -> (String, String) {
    let text = format!("{CLASSES}{body}");
    let program = compile("shapes.cu", &text).unwrap_or_else(|said| panic!("{said}"));
    let (said, report) = execute(&program);
    let found = report.findings.into_iter().map(|(_, text)| text).collect();
    (said, found)
}

#[test]
fn a_kernel_cannot_call_those_of_an_object_of_the_host() {
    for made in [
        "Square* p; cudaMallocManaged(&p, sizeof(Square)); new (p) Square(3);",
        "Square h(3), *p; cudaMalloc(&p, sizeof h); cudaMemcpy(p, &h, sizeof h, cudaMemcpyDefault);",
    ] {
        let (said, found) = run(&format!(
            "int main() {{
                {made}
                use<<<1, 1>>>(p);
                puts(cudaGetErrorName(cudaDeviceSynchronize()));
            }}"
        ));
        assert_eq!(said, "cudaErrorIllegalAddress\n");
        for words in [
            "a virtual function is called on an object that host code has made",
            "make the object in a kernel",
            // The call, not the function.
            "--> shapes.cu:17:52",
        ] {
            assert!(found.contains(words), "`{words}` is not in:\n{found}");
        }
    }
    let (_, found) = run("__global__ void by_value(Square s) { out[0] = area_of(s); }
        int main() { by_value<<<1, 1>>>(Square(3)); return cudaDeviceSynchronize(); }");
    assert!(found.contains("an object that host code has made"), "{found}");
}

#[test]
fn host_code_cannot_call_those_of_an_object_of_a_kernel() {
    let (_, found) = run("int main() {
            Square* p;
            cudaMallocManaged(&p, sizeof(Square));
            make<<<1, 1>>>(p);
            cudaDeviceSynchronize();
            const Shape* shape = p;
            return shape->area();
        }");
    for words in ["an object that a kernel has made", "make the object in host code", ":25:20"] {
        assert!(found.contains(words), "`{words}` is not in:\n{found}");
    }
}

#[test]
fn a_copy_is_an_object_of_the_side_that_copies() {
    let (said, found) = run("
        __device__ Shape variable(5);
        __constant__ Square constant(6);
        __global__ void copies(Square given) {
            out[0] = given.area();
            Square copy = given;
            out[1] = area_of(copy);
            Square assigned(1);
            assigned = given;
            out[2] = area_of(assigned);
            Shape sliced = given;
            out[3] = sliced.twice();
            out[4] = area_of(variable);
            out[5] = area_of(constant);
            Square some[2];
            some[1] = copy;
            out[6] = area_of(some[1]);
        }
        int main() {
            copies<<<1, 1>>>(Square(3));
            puts(cudaGetErrorName(cudaDeviceSynchronize()));
            for (int i = 0; i < 7; i++) printf(\"%g \", out[i]);
        }");
    assert_eq!(said, "cudaSuccess\n9 9 9 6 5 36 9 ", "{found}");
    assert_eq!(found, "");
}

#[test]
fn an_assignment_leaves_the_dynamic_type_as_it_is() {
    let (said, found) = run("int main() {
            Square square(5);
            Shape& shape = square;
            shape = Shape(4);
            Shape copy = shape;
            printf(\"%g %g\", shape.area(), copy.area());
        }");
    assert_eq!((&*said, &*found), ("16 4", ""));
}
