//! Uses on the host of what was copied from device memory to which nothing was written.

use crate::world::*;

/// The findings of a program that copies 64 numbers, of which a kernel wrote the first ten.
fn found(statements: &str) -> Vec<String> {
    let text = format!(
        "#include <cstdio>\n#include <cstdlib>\n#include <cstring>\n#include <vector>\n\
         __global__ void some(int* d) {{ d[threadIdx.x] = threadIdx.x; }}\n\
         int in_program[64], sum = 0;\n\
         int total(const int* p, int n) {{ int s = 0; for (int i = 0; i < n; i++) s += p[i]; return s; }}\n\
         struct Padded {{ char c; double d; }};\n\
         __global__ void pad(Padded* p) {{ p[threadIdx.x].c = 1; p[threadIdx.x].d = 2; }}\n\
         int main() {{ int* d; cudaMalloc(&d, 256); some<<<1, 10>>>(d);\n{statements}\n}}\n"
    );
    let (_, report) = run("program.cu", &text);
    report.findings.into_iter().map(|(_, said)| said).collect()
}

#[test]
fn a_read_of_a_byte_that_nothing_wrote_is_found() {
    for (statements, name, place) in [
        (
            "int* h = new int[64]; cudaMemcpy(h, d, 256, cudaMemcpyDeviceToHost);\nreturn h[10];",
            "element 10 of `new int[]`",
            "12:8",
        ),
        (
            "int* h = (int*)malloc(256); cudaMemcpy(h, d, 256, cudaMemcpyDeviceToHost);\n\
             for (int i = 0; i < 64; i++)\nsum += h[i];",
            "byte 40 of `malloc(256)`",
            "13:8",
        ),
        (
            "int h[64]; cudaMemcpy(h, d, 256, cudaMemcpyDeviceToHost);\nh[10] = 1; h[11] += 2;",
            "element 11 of `h`",
            "12:12",
        ),
        (
            "cudaMemcpy(in_program, d, 256, cudaMemcpyDeviceToHost);\nif (in_program[63]) return 1;",
            "element 63 of `in_program`",
            "12:5",
        ),
        (
            "std::vector<int> h(64); cudaMemcpy(h.data(), d, 256, cudaMemcpyDeviceToHost);\nreturn h[20];",
            "byte 80 of `h`",
            "12:8",
        ),
        (
            "int* h; cudaMallocHost(&h, 256); cudaMemcpyAsync(h, d, 256, cudaMemcpyDeviceToHost, 0); cudaDeviceSynchronize();\nreturn h[20];",
            "byte 80 of `h`",
            "12:8",
        ),
    ] {
        let said = found(statements);
        assert_eq!(said.len(), 1, "{statements}: {said:?}");
        let words =
            format!("error[unwritten-memory]: the host reads {name}, a copy of memory of `d`");
        assert!(said[0].contains(&words), "{statements}: {}", said[0]);
        assert!(
            said[0].contains(&format!("--> program.cu:{place}\n")),
            "{statements}: {}",
            said[0]
        );
        assert!(said[0].contains(" copied here\n"), "{statements}: {}", said[0]);
    }
}

#[test]
fn a_copy_of_a_whole_array_of_which_a_part_is_used_is_right() {
    for statements in [
        "int* h = new int[64]; cudaMemcpy(h, d, 256, cudaMemcpyDeviceToHost); total(h, 10); delete[] h;",
        "std::vector<int> h(64); cudaMemcpy(h.data(), d, 256, cudaMemcpyDeviceToHost); h.resize(10); total(h.data(), 10);",
        "std::vector<int> h(64); cudaMemcpy(h.data(), d, 256, cudaMemcpyDeviceToHost); std::vector<int> other = h; total(other.data(), 64);",
        "int h[64]; cudaMemcpy(h, d, 256, cudaMemcpyDeviceToHost); for (int i = 10; i < 64; i++) h[i] = i; total(h, 64);",
        "int h[64]; cudaMemcpy(h, d, 256, cudaMemcpyDeviceToHost); memset(h + 10, 0, 54 * 4); total(h, 64);",
        "int h[64]; cudaMemcpy(h, d, 256, cudaMemcpyDeviceToHost); cudaMemset(d, 0, 256);\
         cudaMemcpy(h, d, 256, cudaMemcpyDeviceToHost); total(h, 64);",
        "int* h = (int*)malloc(256); cudaMemcpy(h, d, 256, cudaMemcpyDeviceToHost);\
         h = (int*)realloc(h, 512); h[127] = total(h, 10); free(h);",
        "int h[64] = {}; cudaMemcpy(h, d, 40, cudaMemcpyDeviceToHost); total(h, 64);",
        "Padded *p, h[4]; cudaMalloc(&p, sizeof h); pad<<<1, 4>>>(p); cudaMemcpy(h, p, sizeof h, cudaMemcpyDeviceToHost);\
         Padded one = h[1], other[4]; memcpy(other, h, sizeof h); sum = one.c + h[2].d + other[3].c; h[0] = h[1];",
    ] {
        assert_eq!(found(statements), [""; 0], "{statements}");
    }
}

#[test]
fn writes_past_the_end_of_a_block_name_it() {
    for (statements, words) in [
        ("int* a = new int[10]; a[10] = 1;", "index 10 of `new int[]` is out of bounds"),
        (
            "int* a = (int*)malloc(40); for (int i = 0; i < 12; i++) a[i] = i;",
            "byte 40 of `malloc(40)`",
        ),
        ("std::vector<int> a(10); a.data()[12] = 1;", "this is 8 bytes past the end"),
        ("int* a = (int*)calloc(10, 4); a[-1] = 3;", "4 bytes before the start"),
        (
            "char* s = (char*)malloc(4); strcpy(s, \"hello\");",
            "6 bytes from byte 0 of `malloc(4)` on",
        ),
        (
            "int* a = new int[4]; cudaMemset(d, 0, 256); cudaMemcpy(a, d, 256, cudaMemcpyDeviceToHost);",
            "256 bytes from byte 0 of `new int[]` on, which has 16",
        ),
        (
            "int* a = new int[64]; cudaMemcpy(a, d, 256, cudaMemcpyDeviceToHost); a[64] = 1;",
            "index 64 of `new int[]` is out of bounds: it has 64 ints",
        ),
    ] {
        let said = found(statements).join("\n");
        assert!(said.contains(words) && said.contains("allocated here"), "{statements}: {said}");
    }
}
