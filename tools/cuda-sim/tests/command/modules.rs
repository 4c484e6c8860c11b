//! Modules of the driver API: `nvcc -ptx` writes their images, and a program loads them.

use crate::folder::Folder;

const KERNEL: &str = "\
#include \"value.h\"
#ifndef WHAT
#error what?
#endif
extern \"C\" __global__ void set(int* a, int n) {
    if (threadIdx.x < n) a[threadIdx.x] = VALUE + WHAT;
}
";

const PROGRAM: &str = "\
#include <cstdio>
#include <cstdlib>
#include <cuda.h>
int main(int argc, char** argv) {
    CUcontext context;
    CUmodule module;
    CUfunction set;
    CUdeviceptr a;
    int host[64], n = atoi(argv[2]);
    if (cuInit(0) || cuCtxCreate(&context, 0, 0) || cuMemAlloc(&a, sizeof host)) return 2;
    int error = cuModuleLoad(&module, argv[1]);
    if (error || cuModuleGetFunction(&set, module, \"set\")) return printf(\"%d\\n\", error), 3;
    void* args[] = {&a, &n};
    if (cuLaunchKernel(set, 1, 1, 1, 128, 1, 1, 0, 0, args, 0) || cuCtxSynchronize()) return 4;
    if (cuMemcpyDtoH(host, a, sizeof host) || cuMemFree(a)) return 5;
    printf(\"%d\\n\", host[n - 1]);
}
";

fn project() -> Folder {
    Folder::with(&[
        ("set.cu", KERNEL),
        ("program.cpp", PROGRAM),
        ("value.h", "#define VALUE 40\n"),
        ("other.ptx", "//\n// Generated\n.version 8.8\n.target sm_90\n"),
    ])
}

#[test]
fn a_program_loads_what_nvcc_wrote() {
    let folder = project();
    for (words, file) in [
        ("-ptx -DWHAT=2 set.cu", "set.ptx"),
        ("-cubin -arch=sm_90 -DWHAT=2 set.cu -o out.cubin", "out.cubin"),
        (
            "-gencode=arch=compute_90,code=sm_90 -DWHAT=2 -o set64.fatbin -fatbin set.cu",
            "set64.fatbin",
        ),
    ] {
        let words: Vec<&str> = std::iter::once("nvcc").chain(words.split(' ')).collect();
        let said = folder.says(&words);
        let told = (said.code, said.stdout.as_str(), said.stderr.as_str());
        assert_eq!(told, (Some(0), "", ""), "{words:?}");
        let first = "// cuda-sim module: CUDA C++ source for the simulator cuda-sim. No PTX, no machine code.";
        assert_eq!(folder.read(file).lines().next(), Some(first));
        let said = folder.says(&["run", "program.cpp", "-lcuda", "-lnvrtc", "--", file, "64"]);
        assert_eq!((said.code, said.stdout.as_str()), (Some(0), "42\n"), "{said:#?}");
        assert!(said.stderr.contains("1 launch, 0 findings"), "{said:#?}");
    }
}

#[test]
fn a_finding_names_the_line_of_the_kernel() {
    let folder = project();
    assert_eq!(folder.says(&["nvcc", "-ptx", "-DWHAT=2", "set.cu"]).code, Some(0));
    // The image has the text, too.
    std::fs::remove_file(folder.path("set.cu")).unwrap();
    let words = [
        "run",
        "program.cpp",
        "--format",
        "json",
        "--report",
        "report.json",
        "--",
        "set.ptx",
        "65",
    ];
    let said = folder.says(&words);
    assert_eq!(said.code, Some(4), "{said:#?}");
    assert!(said.stderr.contains("index 64 of `a` is out of bounds"), "{said:#?}");
    assert!(said.stderr.contains("set.cu:6:26"), "{said:#?}");
    let report = folder.read("report.json");
    assert!(report.contains("set.cu\"") && report.contains("a[threadIdx.x] = VALUE"), "{report}");
}

#[test]
fn what_is_wrong_is_said() {
    let folder = project();
    let said = folder.says(&["nvcc", "-ptx", "set.cu"]);
    assert!(said.stderr.contains("#error what?") && !folder.path("set.ptx").exists(), "{said:#?}");
    let said = folder.says(&["nvcc", "-ptx", "-o", "a.ptx", "-DWHAT=1", "set.cu", "program.cpp"]);
    assert!(said.stderr.contains("`-o` names one file"), "{said:#?}");
    let said = folder.says(&["run", "program.cpp", "--", "other.ptx", "1"]);
    assert_eq!((said.code, said.stdout.as_str()), (Some(3), "218\n"), "{said:#?}");
    assert!(
        said.stderr.contains("not supported by the simulator: PTX of another compiler"),
        "{said:#?}"
    );
    let said = folder.says(&["run", "program.cpp", "--", "none.ptx", "1"]);
    assert_eq!((said.code, said.stdout.as_str()), (Some(3), "301\n"), "{said:#?}");
    assert!(said.stderr.contains("there is no file `none.ptx`"), "{said:#?}");
}
