//! `launch`, and names that a compiler cannot take.

use crate::folder::Folder;

#[test]
fn one_command_compiles_and_links_with_a_library() {
    let folder = Folder::with(&[
        ("set.cu", "__global__ void k(int* p) { *p = 7; }\nvoid set(int* p) { k<<<1, 1>>>(p); }\n"),
        (
            "main.cpp",
            "#include <cstdio>\n#include <cuda_runtime.h>\nvoid set(int* p);\n\
             int main() {\n    int host = 0, *p;\n    cudaMalloc(&p, 4);\n    set(p);\n\
             cudaMemcpy(&host, p, 4, cudaMemcpyDeviceToHost);\n    cudaFree(p);\n\
             printf(\"%d\\n\", host);\n}\n",
        ),
    ]);
    for words in ["nvcc -lib set.cu -o libset.a", "launch c++ main.cpp -L. -lset -o program"] {
        let said = folder.says(&words.split(' ').collect::<Vec<_>>());
        assert_eq!((said.code, said.stderr.as_str()), (Some(0), ""), "{words}: {said:#?}");
    }
    let said = folder.says(&["run", "program"]);
    assert!(said.stdout.starts_with("7\n"), "{said:#?}");
}

#[test]
fn a_file_that_is_neither_source_nor_object_is_named_as_that() {
    let said = Folder::with(&[]).says(&["nvcc", "what.txt", "-o", "x"]);
    assert_eq!(said.code, Some(2), "{said:#?}");
    let help = "help: a source ends in .cu, .cpp, .cc, .cxx or .c, and an object in .o or .obj";
    assert!(
        said.stderr.contains("there is no `what.txt`") && said.stderr.contains(help),
        "{said:#?}"
    );
}

#[test]
fn two_files_with_main_are_no_program() {
    let main = "int main() { return 0; }\n";
    let said = Folder::with(&[("a.cu", main), ("b.cu", main)]).says(&["nvcc", "a.cu", "b.cu"]);
    let help = "help: a program has one `main`: link one of these files";
    assert!(said.code == Some(1) && said.stderr.contains(help), "{said:#?}");
}

#[test]
fn a_vector_s_pointer_is_cast_for_a_kernel() {
    let text = "#include <thrust/device_vector.h>\n__global__ void f(int* d) {}\n\
                int main() { thrust::device_vector<int> v(4); f<<<1, 1>>>(v.data()); }\n";
    let said = Folder::with(&[("a.cu", text)]).says(&["run", "a.cu"]);
    assert!(said.code == Some(1) && said.stderr.contains("thrust::raw_pointer_cast"), "{said:#?}");
}
