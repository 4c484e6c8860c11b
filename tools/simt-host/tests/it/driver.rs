//! The driver API and NVRTC: programs that end well, and what is said of those that do not.

use crate::world::*;
use simt::{Config, Sources};
use simt_host::StreamOrder;

#[test]
fn programs_end_well() {
    run_sections(&[
        ("driver", include_str!("../driver/driver.cu")),
        ("nvrtc", include_str!("../driver/nvrtc.cu")),
    ]);
}

/// A program that compiles `kernel` and loads it, and whose 19th line is this call.
fn program(kernel: &str, call: &str) -> String {
    format!(
        "#include <cuda.h>\n#include <nvrtc.h>\n#include <stdio.h>\n\
         const char* text = R\"({kernel})\";\n\
         CUdevice device; CUcontext context; CUmodule module; CUfunction f; CUdeviceptr d, p; CUstream x, y;\n\
         int n = 64, host[64]; void* pinned; size_t size; nvrtcProgram program;\n\
         int main() {{ cuInit(0); cuCtxCreate(&context, 0, 0); cuMemAlloc(&d, 256); cuMemsetD32(d, 0, 64);\n\
         if (nvrtcCreateProgram(&program, text, \"part.cu\", 0, 0, 0)) return 1;\n\
         if (nvrtcCompileProgram(program, 0, 0)) return 2;\n\
         if (nvrtcGetPTXSize(program, &size)) return 3;\n\
         char* ptx = (char*)malloc(size); if (nvrtcGetPTX(program, ptx)) return 4;\n\
         if (cuModuleLoadData(&module, ptx)) return 5;\n\
         if (cuModuleGetFunction(&f, module, \"f\")) return 6;\n\
         void* args[] = {{&d, &n}}; cuStreamCreate(&x, CU_STREAM_NON_BLOCKING); cuMemAllocHost(&pinned, 256);\n\
         {call};\n\
         cuCtxSynchronize(); }}\n"
    )
}

const KERNEL: &str = "__device__ int v;\nextern \"C\" __global__ void f(int* a, int n) {\n    if (threadIdx.x < n) a[threadIdx.x] = n;\n}\n";

/// The first finding of such a program.
fn found(call: &str) -> String {
    let (_, report) = run("program.cu", &program(KERNEL, call));
    report.findings.first().map(|(_, said)| said.clone()).unwrap_or_default()
}

const LAUNCH: &str = "cuLaunchKernel(f, 1, 1, 1, 128, 1, 1, 0, x, args, 0)";

#[test]
fn what_a_call_does_wrong_is_told_at_its_line() {
    assert_eq!(found(LAUNCH), "");
    for (call, words) in [
        (
            "cuModuleGetGlobal(&p, &size, module, \"v\"); cuModuleUnload(module); cuMemcpyDtoH(host, p, 4)",
            "the call reads `v`, which has been freed",
        ),
        (
            "cuModuleGetGlobal(&p, &size, module, \"v\"); CUmodule m; cuModuleLoadData(&m, ptx); cuModuleUnload(module); \
             cuModuleGetFunction(&f, m, \"f\"); args[0] = &p; cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, 0, args, 0)",
            "`v` has been freed",
        ),
        ("cuModuleGetFunction(&f, module, \"g\")", "warning[module]: the module has no kernel `g`"),
        ("cuModuleGetGlobal(&p, &size, module, \"g\")", "the module has no variable `g`"),
        (
            "cuModuleUnload(module); cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, 0, args, 0)",
            "`f` does not start: its module was unloaded",
        ),
        (
            "cuModuleUnload(module); cuModuleUnload(module)",
            "error[module]: the module was unloaded",
        ),
        (
            "cuLaunchKernel(0, 1, 1, 1, 1, 1, 1, 0, 0, args, 0)",
            "`cuLaunchKernel` is refused with CUDA_ERROR_INVALID_HANDLE",
        ),
        ("cuLaunchKernel(f, 1, 1, 1, 2048, 1, 1, 0, 0, args, 0)", "no block may be (2048, 1, 1)"),
        (
            "void* one[] = {&d}; cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, 0, one, 0)",
            "`f` has 2 parameters, and the array of pointers to them has 1",
        ),
        (
            "cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0)",
            "`f` has 2 parameters, and the array of pointers to them is none",
        ),
        ("cuMemcpyHtoD(d, host, 512)", "error[bounds]: the call writes 512 bytes"),
        (
            "cuMemcpyDtoH(host, (CUdeviceptr)host, 4)",
            "`cuMemcpyDtoH`, but the source is host memory",
        ),
        ("cuMemFree(d); cuMemFree(d)", "`d` is freed twice"),
        ("cuMemFreeHost((void*)d)", "`cuMemFreeHost` of `d`, which is not its memory"),
        ("cuMemFree((CUdeviceptr)host)", "`cuMemFree` of `host`, which no call of CUDA allocated"),
        (
            "cuCtxSetCurrent(0); cuMemAlloc(&p, 4)",
            "`cuMemAlloc` is refused with CUDA_ERROR_INVALID_CONTEXT, and nothing looks at that",
        ),
        ("cuMemAlloc(&p, 1ull << 40)", "bytes of device memory cannot be allocated"),
        (
            "nvrtcAddNameExpression(program, \"f\")",
            "`nvrtcAddNameExpression` is refused with NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION",
        ),
        ("cuModuleLoadData(&module, \"x\")", "warning[module]: this is no image of a module"),
        (
            "cuModuleLoadData(&module, \".version 8.0\\n.target sm_90\\n\")",
            "not supported by the simulator: PTX of another compiler",
        ),
        (
            "ptx[100] = '\\n'; ptx[150] = 0; cuModuleLoadData(&module, ptx)",
            "the image is cut off or changed",
        ),
        (
            "cuLaunchKernel(f, 1, 1, 1, 128, 1, 1, 60000, 0, args, 0)",
            "`cuFuncSetAttribute` with CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES asks for more",
        ),
        (
            "CUlinkState l; cuLinkCreate(0, 0, 0, &l); cuLinkAddData(l, CU_JIT_INPUT_PTX, (void*)\"x\", 2, \"\", 0, 0, 0)",
            "this is no image of a module",
        ),
        ("cuModuleLoad(&module, \"none.ptx\")", "there is no file `none.ptx`"),
        (
            "cuMemcpyDtoHAsync(pinned, d, 256, x); host[0] = *(int*)pinned",
            "wait before this: `cuStreamSynchronize` of",
        ),
    ] {
        let said = found(call);
        assert!(said.contains(words) && said.contains("program.cu:19:"), "{call}: {said}");
    }
}

#[test]
fn a_finding_in_a_text_is_told_at_its_line() {
    let launch = "n = 65; cuLaunchKernel(f, 1, 1, 1, 128, 1, 1, 0, 0, args, 0)";
    let (_, report) = run("program.cu", &program(KERNEL, launch));
    let (_, said) = &report.findings[0];
    assert!(
        said.contains("index 64 of `d` is out of bounds") && said.contains("--> part.cu:3:26"),
        "{said}"
    );
    assert!(said.contains("`f` was launched at program.cu:19:"), "{said}");
    // Who shows it later has its text, too.
    let site = report.launches[0].report.findings[0].first.span;
    assert_eq!(report.sources.name(site.file), "part.cu");
    assert_eq!(report.sources.line(site), "    if (threadIdx.x < n) a[threadIdx.x] = n;");
    let races = "\nextern \"C\" __global__ void f(int* a, int n) {\n    a[0] = threadIdx.x;\n}\n";
    let (_, report) = run("program.cu", &program(races, LAUNCH));
    assert!(report.findings[0].1.contains("--> part.cu:3:"), "{:?}", report.findings);
}

#[test]
fn work_that_nothing_waits_for_is_found() {
    let said =
        found("cuLaunchKernel(f, 1, 1, 1, 64, 1, 1, 0, x, args, 0); cuMemcpyDtoH(host, d, 4)");
    assert!(said.contains("nothing orders this after `f` in `x`"), "{said}");
}

#[test]
fn memory_goes_with_its_context() {
    let leaks = |end: &str| {
        let text = format!(
            "#include <cuda.h>\nint main() {{ CUcontext c; cuInit(0); cuCtxCreate(&c, 0, 0);\n\
             CUdeviceptr a; cuMemAlloc(&a, 8); {end} }}\n"
        );
        let (_, report) = run("program.cu", &text);
        report.leaks.iter().map(|leak| leak.message.clone()).collect::<Vec<_>>()
    };
    assert_eq!(leaks(""), ["`a` is never freed: 8 bytes"]);
    assert!(leaks("cuMemFree(a);").is_empty() && leaks("cuCtxDestroy(c);").is_empty());
}

/// What NVRTC says of a text with these options.
fn log(text: &str, options: &str) -> String {
    let count = options.split(',').filter(|option| !option.is_empty()).count();
    printed(&format!(
        "#include <nvrtc.h>\n#include <stdio.h>\nint main() {{\nconst char* options[] = {{{options} 0}};\n\
         nvrtcProgram p; nvrtcCreateProgram(&p, R\"({text})\", \"part.cu\", 0, 0, 0);\n\
         if (nvrtcAddNameExpression(p, \"f<int>\")) return 9;\n\
         int error = nvrtcCompileProgram(p, {count}, options);\n\
         char log[4000]; size_t size; if (nvrtcGetProgramLogSize(p, &size) || size > 4000 || nvrtcGetProgramLog(p, log)) return 8;\n\
         printf(\"%d %s\", error, log); }}\n"
    ))
    .0
}

#[test]
fn the_log_says_what_is_wrong_with_a_text() {
    let good = "template <typename T> __global__ void f(T* a) { *a = A; }";
    assert_eq!(log(good, "\"-DA=1\","), "0 ");
    let said = log(good, "");
    assert!(
        said.starts_with("6 ")
            && said.contains("`A` is not known here")
            && said.contains("--> part.cu:1:"),
        "{said}"
    );
    let said = log("__global__ void g() {}", "");
    assert!(said.contains("--> the name expressions of `part.cu`:1:"), "{said}");
    let said = log("#include <vector>\n", "");
    assert!(said.contains("the header <vector>") && said.contains("--> part.cu:1:"), "{said}");
    let said = log(
        "int g() { return 1; }\ntemplate <typename T> __global__ void f(T* a) { *a = g(); }",
        "",
    );
    assert!(said.contains("`g` is a host function"), "{said}");
    let said = log(
        "struct S { int x; int one() { return x; } };\nint g() { S s{1}; return s.one(); }\n\
         template <typename T> __global__ void f(T* a) { *a = g(); }",
        "\"-default-device\",",
    );
    assert_eq!(said, "0 ");
    assert_eq!(
        log(good, "\"-DA=1\", \"-use_fast_math\","),
        "0 without effect here: -use_fast_math\n"
    );
    assert_eq!(log(good, "\"-fmad=false\",").split(':').nth(1), Some(" error"));
    let said = log(&format!("#pragma nothing\n{good}"), "\"-DA=1\",");
    assert!(
        said.starts_with("0 warning[lint-pragma]") && said.contains("--> part.cu:1:1"),
        "{said}"
    );
}

/// Runs a program in a world with files.
fn with_files(text: &str, files: &[(&str, &str)]) -> (String, Vec<String>) {
    let mut world = World::default();
    for (name, text) in files {
        world.files.insert((*name).to_owned(), text.as_bytes().to_owned());
    }
    let program = compile("program.cu", text).unwrap_or_else(|said| panic!("{said}"));
    let report =
        simt_host::run(&program, &["./program".to_owned()], &Config::default(), &mut world);
    let said = report.findings.into_iter().map(|(_, said)| said).collect();
    (String::from_utf8_lossy(&world.output).into_owned(), said)
}

#[test]
fn headers_are_found_on_the_disk() {
    let text = "#include <nvrtc.h>\n#include <stdio.h>\nint main() {\n\
        const char* options[] = {\"-Iinclude\", \"-no-source-include\"};\n\
        const char* text = \"#include \\\"a.h\\\"\\n#include <b.h>\\n__global__ void f(int* p) { *p = A + B; }\\n\";\n\
        for (int count = 1; count < 3; count++) {\n\
        nvrtcProgram p; nvrtcCreateProgram(&p, text, \"kernels/part.cu\", 0, 0, 0);\n\
        printf(\"%d\\n\", nvrtcCompileProgram(p, count, options)); } }\n";
    let files = [("kernels/a.h", "#define A 1\n"), ("include/b.h", "#pragma once\n#define B 2\n")];
    assert_eq!(with_files(text, &files), ("0\n6\n".to_owned(), Vec::new()));
}

#[test]
fn an_image_is_loaded_from_a_file() {
    let kernels = "#include <cstdio>\n#include <vector>\n__constant__ int base = 3;\n\
        extern \"C\" __global__ void f(int* a) { a[threadIdx.x + 1] = base; }\nvoid host() { std::vector<int> v; }\n";
    let text = format!("{kernels}int main() {{ return 0; }}\n");
    let mut unit = Sources::single("x.cu", text);
    struct NoFiles;
    impl simt::Files for NoFiles {
        fn find(&mut self, _: &simt::Include<'_>) -> Result<Option<simt::Found>, String> {
            Ok(None)
        }
        fn read(&mut self, _: &simt::Found) -> Result<String, String> {
            Err(String::new())
        }
    }
    unit = simt_host::load(unit, &mut NoFiles);
    let image = simt_host::module_image(&unit);
    let program = "#include <cuda.h>\n#include <stdio.h>\nint main() { CUcontext c; cuInit(0); cuCtxCreate(&c, 0, 0);\n\
        CUmodule m; CUfunction f; CUdeviceptr a; cuMemAlloc(&a, 128); void* args[] = {&a};\n\
        printf(\"%d \", cuModuleLoad(&m, \"x.ptx\")); printf(\"%d \", cuModuleGetFunction(&f, m, \"f\"));\n\
        cuLaunchKernel(f, 1, 1, 1, 32, 1, 1, 0, 0, args, 0); printf(\"%d\\n\", cuCtxSynchronize()); }\n";
    let (output, said) = with_files(program, &[("x.ptx", &image)]);
    assert_eq!(output, "0 0 700\n");
    assert!(
        said[0].contains("index 32 of `a` is out of bounds") && said[0].contains("--> x.cu:4:40"),
        "{said:?}"
    );
    let (output, said) = with_files(program, &[("x.ptx", "//\n.version 8.8\n.target sm_90\n")]);
    assert!(output.starts_with("218 ") && said[0].contains("PTX of another compiler"), "{said:?}");
}

#[test]
fn no_image_makes_the_simulator_panic() {
    let unit =
        simt::Sources::single("x.cu", "extern \"C\" __global__ void f() {}\nint main() {}\n");
    let image = simt_host::module_image(&unit);
    let program = "#include <cuda.h>\nint main() { CUcontext c; cuInit(0); cuCtxCreate(&c, 0, 0); CUmodule m; return cuModuleLoad(&m, \"x\"); }\n";
    for at in (0..image.len()).step_by(7) {
        for byte in [b'9', b'\n', 0, b'z'] {
            let mut bytes = image.clone().into_bytes();
            bytes[at] = byte;
            let changed = String::from_utf8(bytes).unwrap();
            let _ = with_files(program, &[("x", &changed)]);
        }
    }
}

#[test]
fn launches_of_modules_can_wait() {
    let text = include_str!("../driver/nvrtc.cu");
    for section in text.split("//# ").skip(1) {
        let (name, body) = section.split_once('\n').unwrap();
        let program = compile(name, body).unwrap_or_else(|said| panic!("{said}"));
        for order in [StreamOrder::AtOnce, StreamOrder::Deferred(3)] {
            let (args, config) = (["./program".to_owned()], Config::default());
            let (report, _) =
                simt_host::run_streams(&program, &args, &config, order, &mut World::default());
            assert_eq!((report.code, report.findings), (0, Vec::new()), "{name}: {order:?}");
        }
    }
}
