//! `run`: one program or kernel file.

use crate::folder::{Folder, RACE, TWICE};

#[test]
fn a_program_and_a_kernel_file_run_in_any_folder() {
    let folder = Folder::with(&[("race.cu", RACE), ("twice.cu", TWICE)]);
    let said = folder.says(&["run", "race.cu"]);
    assert_eq!(said.code, Some(0), "{said:#?}");
    assert!(said.stderr.contains("error[shared-race]"), "{said:#?}");
    assert!(said.stderr.contains("1 launch, 1 error, 0 warnings"), "{said:#?}");
    let said = folder.says(&["run", "twice.cu", "-n", "64"]);
    assert_eq!(said.code, Some(0), "{said:#?}");
    assert!(said.stdout.contains("l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"), "{said:#?}");
    assert_eq!(folder.says(&["run", "race.cu", "--error-exitcode", "7"]).code, Some(7));
}

#[test]
fn a_report_has_the_findings_and_a_suppressed_one_does_not_count() {
    let why = "s[63 - threadIdx.x];  // NOLINT(shared-race): a test";
    let text = RACE.replace("s[63 - threadIdx.x];", why);
    let folder = Folder::with(&[("race.cu", text.as_str())]);
    let said = folder.says(&["run", "race.cu", "--error-exitcode", "7", "--report", "out.json"]);
    assert_eq!(said.code, Some(0), "{said:#?}");
    // Only a line of it is shown. Either place of the race may have the mark.
    assert!(
        said.stderr.starts_with("shared-race at race.cu:3: suppressed (a test)\n"),
        "{said:#?}"
    );
    assert!(!said.stderr.contains("error["), "{said:#?}");
    assert!(said.stderr.ends_with("\n1 launch, 0 findings, 1 suppressed\n"), "{said:#?}");
    let report: serde_json::Value = serde_json::from_str(&folder.read("out.json")).unwrap();
    let finding = &report["files"][0]["findings"][0];
    assert_eq!(finding["code"], "shared-race");
    assert_eq!(finding["standing"]["suppressed"], "a test");
}

#[test]
fn a_report_on_standard_output_is_alone_there() {
    let text = RACE.replace("return cuda", "printf(\"words\\n\"); return cuda");
    let folder = Folder::with(&[("race.cu", text.as_str()), ("twice.cu", TWICE)]);
    let said = folder.says(&["run", "race.cu", "--format", "json"]);
    assert_eq!((said.code, said.stderr.as_str()), (Some(0), "words\n"), "{said:#?}");
    let report: serde_json::Value = serde_json::from_str(&said.stdout).unwrap();
    assert_eq!(report["files"][0]["findings"][0]["code"], "shared-race");
    let said = folder.says(&["run", "twice.cu", "--format", "sarif"]);
    assert!(serde_json::from_str::<serde_json::Value>(&said.stdout).is_ok(), "{said:#?}");
    for quiet in ["--quiet", "-q"] {
        let said = folder.says(&["run", "race.cu", quiet]);
        assert_eq!((said.stdout.as_str(), said.stderr.as_str()), ("words\n", ""), "{said:#?}");
    }
    // What does not compile prints nothing, and must not look like success.
    std::fs::write(folder.path("wrong.cu"), "int main() { return x; }\n").unwrap();
    let said = folder.says(&["run", "wrong.cu", "-q"]);
    assert_eq!((said.code, said.stdout.as_str()), (Some(1), ""), "{said:#?}");
    assert!(said.stderr.contains("`x` is not known here"), "{said:#?}");
    let said = folder.says(&["run", "wrong.cu", "--format", "json"]);
    assert!(said.stdout.contains("`x` is not known here") && said.stderr.is_empty(), "{said:#?}");
    let said = folder.says(&["run", "race.cu", "twice.cu", "--format", "json"]);
    assert!(said.stderr.contains("help: `cuda-sim check` writes a report of several"), "{said:#?}");
}

#[test]
fn a_negative_size_is_a_size() {
    let folder = Folder::with(&[("twice.cu", TWICE)]);
    for size in ["-5", "0"] {
        let said = folder.says(&["run", "twice.cu", "-n", size]);
        assert_eq!(said.code, Some(2), "{said:#?}");
        assert!(said.stderr.contains("a size is at least 1"), "{said:#?}");
    }
}

#[test]
fn a_value_that_no_nvcc_has_is_refused() {
    let folder = Folder::with(&[("main.cu", "int main() {}\n")]);
    for (option, wrong, help) in [
        ("-std=c++42", "`c++42` is no dialect", "`-std` is c++11"),
        ("-arch=sm_10", "`sm_10` is no architecture", "write one as `-arch=sm_80`"),
        ("-frob", "no option `-frob` is known", "leave it out"),
        ("-use-fast-math", "no option `-use-fast-math` is known", "did you mean `-use_fast_math`?"),
        ("-rdc=ture", "`ture` is no truth value", "`-rdc=true` or `-rdc=false`"),
        ("-maxrregcount=banana", "`banana` is no number", "write a number behind it"),
        ("--default-stream=perthread", "`perthread` is no default stream", "or `per-thread`"),
        ("-gencode=arch=sm_80,code=sm_80", "`sm_80` is no virtual architecture", "as `-arch="),
    ] {
        for words in [&["run", option, "main.cu"][..], &["nvcc", "-c", option, "main.cu"]] {
            let said = folder.says(words);
            assert_eq!(said.code, Some(2), "{said:#?}");
            assert!(said.stderr.contains(wrong) && said.stderr.contains(help), "{said:#?}");
        }
    }
    for words in [["nvcc", "-c", "main.cu", "-Xcompiler"], ["nvcc", "main.cu", "-t", "x"]] {
        let said = folder.says(&words);
        assert_eq!(said.code, Some(2), "{said:#?}");
    }
    for right in ["-rdc=true", "-maxrregcount=64", "-default-stream=per-thread", "-t=4"] {
        let said = folder.says(&["nvcc", "-c", right, "main.cu"]);
        assert_eq!(said.code, Some(0), "{said:#?}");
    }
    // The host's compiler has dialects of its own.
    let said = folder.says(&["launch", "g++", "-std=gnu++17", "-c", "main.cu", "-o", "main.o"]);
    assert_eq!(said.code, Some(0), "{said:#?}");
}

#[test]
fn messages_name_files_without_detours() {
    let race = format!("#include \"../inc/a.cuh\"\n{RACE}");
    let wrong = format!("#include \"../inc/b.cuh\"\n{RACE}");
    let twice = TWICE.replacen("* 2;", "* 3;", 1);
    let header = TWICE.replace("__global__", "#include \"../inc/b.cuh\"\n__global__");
    let folder = Folder::with(&[]);
    for name in ["suite", "inc", "deep"] {
        std::fs::create_dir(folder.path(name)).unwrap();
    }
    for (name, text) in [
        ("suite/race.cu", race.as_str()),
        ("suite/wrong.cu", &wrong),
        ("suite/twice.cu", &twice),
        ("suite/header.cu", &header),
        ("inc/a.cuh", ""),
        ("inc/b.cuh", "int x = ;\n"),
    ] {
        std::fs::write(folder.path(name), text).unwrap();
    }
    let said = folder.says(&["run", "deep/../suite/race.cu"]);
    assert!(said.stderr.contains("\n --> suite/race.cu:4:"), "{said:#?}");
    let said = folder.says(&["run", "suite/wrong.cu"]);
    assert!(said.stderr.contains(" --> inc/b.cuh:1:9\n"), "{said:#?}");
    for command in ["run", "check"] {
        let said = folder.says(&[command, "deep/../suite/twice.cu"]);
        assert!(said.stdout.contains(" --> suite/twice.cu:3\n"), "{said:#?}");
        assert!(!said.stdout.contains(".."), "{said:#?}");
        let said = folder.says(&[command, "suite/header.cu"]);
        assert!(said.stdout.contains(" --> inc/b.cuh:1:9\n"), "{said:#?}");
    }
    let said = folder.says(&["run", "deep/../suite/rac.cu"]);
    assert!(said.stderr.starts_with("error: there is no `suite/rac.cu`\n"), "{said:#?}");
}

#[test]
fn a_kernel_file_has_counters_and_folders_of_headers_and_no_options_of_programs() {
    let text = TWICE.replace("__global__", "#include \"two.cuh\"\n__global__");
    let text = text.replace("* 2", "* TWO");
    let folder = Folder::with(&[("twice.cu", text.as_str()), ("race.cu", RACE)]);
    std::fs::create_dir(folder.path("inc")).unwrap();
    std::fs::write(folder.path("inc/two.cuh"), "#define TWO 2\n").unwrap();
    for words in [&["twice.cu", "--counters"][..], &["twice.cu", "race.cu", "--counters"]] {
        let said = folder.says(&[&["run", "-I", "inc"], words].concat());
        assert_eq!(said.code, Some(0), "{said:#?}");
        assert!(
            said.stdout.contains("l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"),
            "{said:#?}"
        );
    }
    for (words, help) in [
        (&["twice.cu", "-D", "TWO=2"][..], "write `#define NAME VALUE` into the file"),
        (&["twice.cu", "--werror"], "`cuda-sim check` has it"),
        (&["twice.cu", "--", "100"], "`--n 1000` is its size"),
        (&["race.cu", "--n", "100"], "put a program's own arguments after `--`"),
    ] {
        let said = folder.says(&[&["run"], words].concat());
        assert_eq!(said.code, Some(2), "{said:#?}");
        assert!(said.stderr.contains(help), "{said:#?}");
    }
    // What does not compile has no lines, and its verdict is what counts.
    std::fs::write(folder.path("inc/two.cuh"), "#define TWO 2 +\n").unwrap();
    let said = folder.says(&["run", "-I", "inc", "twice.cu", "--lines"]);
    assert_eq!((said.code, said.stderr.as_str()), (Some(1), ""), "{said:#?}");
}

#[test]
fn a_kernel_file_includes_what_lies_beside_it() {
    let text = TWICE.replace("__global__", "#include \"two.cuh\"\n__global__");
    let text = text.replace("* 2", "* TWO");
    let folder = Folder::with(&[("twice.cu", text.as_str()), ("two.cuh", "#define TWO 2\n")]);
    for command in ["run", "check"] {
        let said = folder.says(&[command, "twice.cu"]);
        assert_eq!(said.code, Some(0), "{said:#?}");
    }
}

#[test]
fn wrong_files_are_named_with_a_remedy() {
    let folder = Folder::with(&[("race.cu", RACE), ("part.cu", "void f() {}\n")]);
    for (arguments, words) in [
        (&["run", "race.cu", "100"][..], "own arguments stand behind `--`: run race.cu -- 100"),
        (&["run", "part.cu"], "`part.cu` has no `main`, and no line that begins with `//@`"),
        (&["run", "part.cu"], "run main.cu part.cu"),
        (&["race.cu"], "what shall be done with `race.cu`?\nhelp: cuda-sim run race.cu"),
        (&["run", "rase.cu"], "did you mean `race.cu`?"),
    ] {
        let said = folder.says(arguments);
        assert_eq!(said.code, Some(2), "{said:#?}");
        assert!(said.stderr.contains(words), "`{words}` is missing: {said:#?}");
    }
}

#[test]
fn a_finding_says_what_would_help() {
    let main = "int main() { int* a; cudaMalloc(&a, 256); cudaMemset(a, 0, 256); \
                k<<<2, 64>>>(a); return cudaDeviceSynchronize(); }\n";
    for (kernel, words) in [
        ("*a += 1;", "one statement reads and writes it: use an atomic, such as atomicAdd()"),
        (
            "if (blockIdx.x == 0 && threadIdx.x < 32) *a = threadIdx.x;",
            "let one lane write, or give each lane its own element",
        ),
        (
            "extern __shared__ int s[]; s[threadIdx.x] = 1; a[threadIdx.x] = s[threadIdx.x];",
            "<<<grid, block, bytes>>>, and this one gives none for `s`",
        ),
    ] {
        let text = format!("__global__ void k(int* a) {{ {kernel} }}\n{main}");
        let said = Folder::with(&[("a.cu", &text)]).says(&["run", "a.cu"]);
        assert!(said.stderr.contains(words), "`{words}` is missing: {said:#?}");
    }
}

#[test]
fn the_counters_of_each_kernel_are_a_table_and_data() {
    let text = "__global__ void fill(int* p) { p[threadIdx.x] = 1; }\n\
                __global__ void spread(int* p) { p[8 * threadIdx.x] = 2; }\n\
                int main() { int* p; cudaMalloc(&p, 1024); fill<<<1, 32>>>(p); \
                spread<<<1, 32>>>(p); fill<<<1, 32>>>(p); return cudaDeviceSynchronize(); }\n";
    let folder = Folder::with(&[("a.cu", text)]);
    let said = folder.says(&["run", "a.cu", "--counters", "--report", "out.json"]);
    assert_eq!(said.code, Some(0), "{said:#?}");
    assert!(said.stdout.starts_with("fill: 2 launches\n"), "{said:#?}");
    assert!(said.stdout.contains("spread: 1 launch\n"), "{said:#?}");
    let report: serde_json::Value = serde_json::from_str(&folder.read("out.json")).unwrap();
    let sectors = |kernel: usize| {
        let counters = report["files"][0]["kernels"][kernel]["counters"].as_array().unwrap();
        let name = "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum";
        counters.iter().find(|counter| counter["metric"] == name).unwrap()["value"].clone()
    };
    // 32 numbers are 4 sectors, twice; a stride of 32 bytes takes a sector per number.
    assert_eq!((sectors(0).as_f64(), sectors(1).as_f64()), (Some(8.0), Some(32.0)));
}

/// The host reads pinned memory while a copy may still write it (line 7).
const EARLY: &str = "\
__global__ void one(int* a) { *a = 1; }
int main() {
    int *d, *h;
    cudaMalloc(&d, 4); cudaMallocHost(&h, 4);
    one<<<1, 1>>>(d);
    cudaMemcpyAsync(h, d, 4, cudaMemcpyDeviceToHost);
    int early = *h;
    cudaDeviceSynchronize();
    cudaFreeHost(h);
    return early - early;
}
";

#[test]
fn a_race_of_the_host_names_both_calls_and_the_wait() {
    let folder = Folder::with(&[("early.cu", EARLY)]);
    let said = folder.says(&["run", "early.cu", "--error-exitcode", "7"]);
    assert_eq!(said.code, Some(7), "{said:#?}");
    for words in ["error[host-race]", "early.cu:7:", "early.cu:6:", "`cudaDeviceSynchronize()`"] {
        assert!(said.stderr.contains(words), "{words}: {said:#?}");
    }
    let mark = "// NOLINTNEXTLINE(host-race): a test\n    int early";
    let folder = Folder::with(&[("early.cu", EARLY.replace("int early", mark).as_str())]);
    let said = folder.says(&["run", "early.cu", "--error-exitcode", "7"]);
    assert_eq!(said.code, Some(0), "{said:#?}");
}

#[test]
fn leaks_are_found_on_request() {
    let text = EARLY.replace("int early = *h;", "").replace("early - early", "0");
    let folder = Folder::with(&[("leak.cu", text.as_str())]);
    let said = folder.says(&["run", "leak.cu", "--error-exitcode", "7"]);
    assert_eq!(said.code, Some(0), "{said:#?}");
    let said = folder.says(&["run", "leak.cu", "--error-exitcode", "7", "--leak-check", "full"]);
    assert_eq!(said.code, Some(7), "{said:#?}");
    assert!(said.stderr.contains("error[leak]: `d` is never freed: 4 bytes"), "{said:#?}");
    assert!(said.stderr.contains("1 launch, 1 error"), "{said:#?}");
    assert_eq!(folder.says(&["check", "leak.cu"]).code, Some(0));
    let said = folder.says(&["check", "leak.cu", "--leak-check", "full"]);
    assert_eq!(said.code, Some(1), "{said:#?}");
    let freed = text.replace("cudaFreeHost(h);", "cudaFreeHost(h); cudaFree(d);");
    std::fs::write(folder.path("leak.cu"), freed).unwrap();
    assert_eq!(folder.says(&["check", "leak.cu", "--leak-check", "full"]).code, Some(0));
}

#[test]
fn a_source_in_cpp_is_for_the_compiler_of_the_host() {
    let header = "#ifdef __CUDACC__\n#define BOTH __host__ __device__\n#else\n#define BOTH\n#endif\n\
                  struct Vec { int x, y; BOTH int sum() const { return x + y; } };\n\
                  BOTH inline int twice(int n) { return 2 * n; }\nint launch(int n);\n";
    let main = "#include <cstdio>\n#include \"vec.h\"\n#ifdef __CUDACC__\n#error \"the host's\"\n\
                #endif\nint main() { printf(\"%d %d\\n\", launch(3), twice(Vec{1, 2}.sum())); }\n";
    let kernel = "#include \"vec.h\"\n#ifndef __CUDACC__\n#error \"the device's\"\n#endif\n\
                  __global__ void k(int* p, int n) { *p = twice(Vec{n, 1}.sum()); }\n\
                  int launch(int n) { int *d, h; cudaMalloc(&d, 4); k<<<1, 1>>>(d, n);\n\
                  cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost); return h; }\n";
    let folder = Folder::with(&[("main.cpp", main), ("kernel.cu", kernel), ("vec.h", header)]);
    for files in [["main.cpp", "kernel.cu"], ["kernel.cu", "main.cpp"]] {
        let said = folder.says(&["run", files[0], files[1]]);
        assert_eq!((said.code, said.stdout.as_str()), (Some(0), "8 6\n"), "{said:#?}");
    }
}

/// A kernel file whose launches do not start.
fn unfit(from: &str, to: &str) -> Folder {
    let text = TWICE.replacen(from, to, 1);
    assert_ne!(text, TWICE);
    Folder::with(&[("twice.cu", text.as_str())])
}

#[test]
fn a_launch_that_does_not_start_is_said_first_and_not_counted() {
    for (from, to, words) in [
        ("block = 64", "block = 2048", "x must lie between 1 and 1024"),
        ("int[n] =", "char[n] =", "is an array of signed char, and the parameter"),
    ] {
        let folder = unfit(from, to);
        let said = folder.says(&["run", "twice.cu"]);
        assert_eq!(said.code, Some(1), "{said:#?}");
        assert_eq!(said.stdout.matches("error[").count(), 1, "{said:#?}");
        assert!(said.stdout.contains(words), "{said:#?}");
        assert!(!said.stdout.contains("counters"), "{said:#?}");
        let said = folder.says(&["check", "twice.cu"]);
        assert!(said.stdout.contains("\n1 file, 0 launches, 1 error, "), "{said:#?}");
    }
}

#[test]
fn a_run_names_the_test_sizes_that_it_leaves_out() {
    let folder = Folder::with(&[("twice.cu", TWICE)]);
    let said = folder.says(&["run", "twice.cu"]);
    let left = said.stdout.lines().find(|line| line.contains("not run here"));
    assert!(left.is_some_and(|line| line.contains("(`check twice.cu` runs them)")), "{said:#?}");
}

#[test]
fn directives_behind_the_code_are_one_mistake() {
    let text = format!("#include <cstdio>\n{TWICE}");
    let folder = Folder::with(&[("twice.cu", text.as_str())]);
    let said = folder.says(&["run", "twice.cu"]);
    let words = "directives must come before the code, which begins in line 1";
    assert_eq!(said.stdout.matches("error[").count(), 1, "{said:#?}");
    assert!(said.stdout.contains(words), "{said:#?}");
}

#[test]
fn what_recurs_and_is_expected_is_not_counted() {
    let why = "s[63 - threadIdx.x];  // NOLINT(shared-race): a test";
    let text = RACE.replace("s[63 - threadIdx.x];", why);
    let launch = text.find("<<<").unwrap();
    let from = text[..launch].rfind(|c: char| "{;".contains(c)).unwrap() + 1;
    let to = launch + text[launch..].find(';').unwrap() + 1;
    let again = text[from..to].to_owned();
    let text = format!("{}{again}{}", &text[..to], &text[to..]);
    let folder = Folder::with(&[("race.cu", text.as_str())]);
    let said = folder.says(&["run", "race.cu"]);
    assert!(said.stderr.ends_with("\n2 launches, 0 findings, 1 suppressed\n"), "{said:#?}");
}

#[test]
fn a_misspelt_folder_is_corrected_too() {
    let folder = Folder::with(&[]);
    std::fs::create_dir(folder.path("suite")).unwrap();
    std::fs::write(folder.path("suite/twice.cu"), TWICE).unwrap();
    for command in ["run", "check"] {
        for wrong in ["sutie/twice.cu", "sutie/twcie.cu", "suite/twcie.cu", "suite/twice"] {
            let said = folder.says(&[command, wrong]);
            assert!(said.stderr.contains("did you mean `suite/twice.cu`?"), "{said:#?}");
        }
        let said = folder.says(&[command, "other/twice.cu"]);
        assert!(!said.stderr.contains("did you mean"), "{said:#?}");
    }
}

/// A page names the profiler's metric where the profiler counts the same.
#[test]
fn only_counters_of_memory_have_the_profilers_names() {
    let differs = "//@ page 100\n//@ differs fewer global_load_requests: a test (2026-11-21)";
    let other = TWICE.replace("//@ page 100", differs);
    let folder = Folder::with(&[("twice.cu", TWICE), ("other.cu", other.as_str())]);
    let beside = |file: &str, name: &str| {
        let said = folder.says(&["run", file]).stdout;
        let line =
            said.lines().find(|line| line.trim_start().starts_with(name)).unwrap().to_owned();
        line.rsplit("  ").next().unwrap().trim().to_owned()
    };
    let requests = "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum";
    assert_eq!(beside("twice.cu", "warp instructions"), "in the source");
    assert_eq!(beside("twice.cu", "branches"), "in the source");
    assert_eq!(beside("twice.cu", "global load requests"), requests);
    assert_eq!(beside("other.cu", "global load requests"), "in the source");
    assert!(folder.says(&["run", "twice.cu", "--format", "json"]).stdout.contains("smsp__"));
}

#[test]
fn what_is_not_counted_is_not_zero() {
    let folder = Folder::with(&[("twice.cu", TWICE), ("race.cu", RACE)]);
    for words in [&["twice.cu"][..], &["race.cu", "--counters"]] {
        let said = folder.says(&[&["run", "--checks", "bare"], words].concat());
        assert!(said.stdout.contains("(nothing is counted with `--checks bare`)"), "{said:#?}");
        assert!(!said.stdout.contains("stayed at zero"), "{said:#?}");
    }
}

#[test]
fn every_finding_that_is_printed_is_counted_and_in_the_report() {
    let text = "\
__global__ void fill(int* p) { p[threadIdx.x] = 1; }
int get(int* p, int i) { return p[i]; }
int main() {
    int *a, *b, *c, sum = 0;
    cudaMallocManaged(&a, 128);
    cudaMallocManaged(&b, 128);
    cudaMallocManaged(&c, 128);
    fill<<<1, 32>>>(a); fill<<<1, 32>>>(b); fill<<<1, 32>>>(c);
    for (int i = 0; i < 8; ++i) sum += get(a, i);
    sum += get(b, 2) + get(c, 3);
    cudaDeviceSynchronize();
    return sum != 10;
}
";
    let folder = Folder::with(&[("race.cu", text)]);
    let said = folder.says(&["run", "race.cu", "--report", "out.json"]);
    // The elements of an array differ in a number only.
    assert_eq!(said.stderr.matches("error[host-race]").count(), 3, "{said:#?}");
    let sum = "3 launches, 3 errors, 0 warnings, which recurred 7 times\n";
    assert!(said.stderr.ends_with(sum), "{said:#?}");
    let report: serde_json::Value = serde_json::from_str(&folder.read("out.json")).unwrap();
    assert_eq!(report["files"][0]["findings"].as_array().unwrap().len(), 3, "{report:#}");
}

#[test]
fn a_defect_that_does_not_show_at_a_size_is_no_failure_of_its_kernel() {
    let text = "\
//@ output a: int[n] = poison
//@ launch f(a, n) grid = 1, block = n
//@ test 32, 64
//@ page 64
//@ catch race
__global__ void f(int* a, int n) {
    __shared__ int s[64];
    s[threadIdx.x] = threadIdx.x;
    a[threadIdx.x] = s[n - 1 - threadIdx.x]; //~ race
}
__host__ __device__ int expected(int n, int i) { return n - 1 - i; }
";
    let one_thread = text.replace("//@ test 32, 64", "//@ test 1, 64");
    let folder = Folder::with(&[("bad.cu", one_thread.as_str())]);
    let said = folder.says(&["run", "bad.cu", "-n", "1"]);
    assert!(said.stdout.contains("sim        not seen n = 1\n"), "{said:#?}");
    assert!(said.stdout.contains("`check bad.cu` tries the test sizes"), "{said:#?}");
    assert!(!said.stdout.contains("FAILED"), "{said:#?}");
    assert_eq!(said.code, Some(1), "{said:#?}");
    assert_eq!(folder.says(&["check", "bad.cu"]).code, Some(0));
    // A refused launch says nothing about the defect.
    let refused = one_thread.replace("block = n", "block = n - 1");
    let folder = Folder::with(&[("bad.cu", refused.as_str())]);
    let said = folder.says(&["run", "bad.cu", "-n", "1"]);
    assert!(said.stdout.contains("error[launch]"), "{said:#?}");
    assert!(!said.stdout.contains("not-caught"), "{said:#?}");
}

#[test]
fn a_kernel_file_that_compares_nothing_says_so() {
    let text = TWICE.replace("//@ output", "//@ scratch");
    let folder = Folder::with(&[("twice.cu", text.as_str())]);
    for command in ["run", "check"] {
        let said = folder.says(&[command, "twice.cu"]);
        assert_eq!(said.code, Some(0), "{said:#?}");
        assert!(said.stdout.contains("note[nothing-compared]"), "{said:#?}");
    }
}
