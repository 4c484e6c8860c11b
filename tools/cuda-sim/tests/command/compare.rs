//! `compare`, and counters by line.

use crate::folder::{Folder, RACE, TWICE};
use serde_json::Value;

/// A kernel that reads a column of a matrix; `tile[i * 32]` has conflicts.
const COLUMN: &str = "\
__global__ void column(const float* in, float* out) {
    __shared__ float tile[32 * 32];
    for (int i = 0; i < 32; ++i) tile[threadIdx.x + i * 32] = in[threadIdx.x * STRIDE];
    __syncthreads();
    out[threadIdx.x] = tile[threadIdx.x * 32];
}
int main() {
    float *in, *out;
    cudaMalloc(&in, 4096 * sizeof(float));
    cudaMemset(in, 0, 4096 * sizeof(float));
    cudaMalloc(&out, 128);
    column<<<1, 32>>>(in, out);
    return cudaDeviceSynchronize();
}
";

#[test]
fn two_sources_are_run_and_what_differs_is_shown() {
    let (a, b) = (COLUMN.replace("STRIDE", "32"), COLUMN.replace("STRIDE", "1"));
    let folder = Folder::with(&[("a.cu", a.as_str()), ("b.cu", b.as_str())]);
    let said = folder.says(&["compare", "a.cu", "b.cu"]);
    assert_eq!(said.code, Some(0), "{said:#?}");
    let line = said.stdout.lines().find(|line| line.contains("global_op_ld.sum")).unwrap();
    let words: Vec<&str> = line.split_whitespace().collect();
    // 32 sectors per request became 4, 32 times.
    assert!(words.windows(4).any(|w| w == ["1,024", "128", "-87.5", "%"]), "{line}");
    assert!(said.stdout.contains("column: 1 launch\n"), "{said:#?}");
    assert!(said.stdout.contains(" counters are equal)"), "{said:#?}");
    assert!(!said.stdout.contains("bank_conflicts"), "they are equal: {said:#?}");
    assert!(said.stdout.ends_with("\nThe findings are the same.\n"), "{said:#?}");
    let said = folder.says(&["compare", "a.cu", "b.cu", "--all"]);
    assert!(said.stdout.contains("bank_conflicts"), "{said:#?}");
}

#[test]
fn saved_runs_and_findings_are_compared_as_data() {
    let mended = RACE.replace("threadIdx.x;\n    out", "threadIdx.x; __syncthreads();\n    out");
    let mended = mended.replace("shift", "reverse");
    let folder = Folder::with(&[("race.cu", RACE), ("mended.cu", mended.as_str())]);
    for (file, report) in [("race.cu", "a.json"), ("mended.cu", "b.json")] {
        assert_eq!(folder.says(&["run", file, "--report", report]).code, Some(0));
    }
    let said = folder.says(&["compare", "a.json", "b.json", "--format", "json"]);
    let data: Value = serde_json::from_str(&said.stdout).unwrap();
    assert_eq!(data["gone"][0]["code"], "shared-race", "{data:#}");
    assert_eq!(data["new"], Value::Array(Vec::new()));
    // The only kernel of each side is the same one with another name.
    assert_eq!(
        (&data["kernels"][0]["a"], &data["kernels"][0]["b"]),
        (&"shift".into(), &"reverse".into())
    );
    let rows = data["kernels"][0]["counters"].as_array().unwrap();
    let barriers = rows.iter().find(|row| row["name"] == "barriers").unwrap();
    assert_eq!((barriers["a"].as_f64(), barriers["b"].as_f64()), (Some(2.0), Some(4.0)));
    let said = folder.says(&["compare", "mended.cu", "a.json"]);
    assert!(said.stdout.contains("\nnew: shared-race at race.cu:3: "), "{said:#?}");
}

#[test]
fn kernel_files_take_options() {
    let folder = Folder::with(&[("twice.cu", TWICE)]);
    let said = folder.says(&["compare", "twice.cu", "twice.cu", "--all", "--", "-n", "64"]);
    assert_eq!(said.code, Some(0), "{said:#?}");
    assert!(said.stdout.contains("twice: 1 launch\n"), "{said:#?}");
    let line = said
        .stdout
        .lines()
        .find(|line| line.contains("sectors_pipe_lsu_mem_global_op_ld.sum"))
        .unwrap();
    assert!(
        line.contains(" 8    8 ") || line.contains(" 8  8 "),
        "64 numbers are 8 sectors: {line}"
    );
}

#[test]
fn arguments_of_programs_stand_behind_the_dashes() {
    let text = "#include <cstdlib>\n__global__ void k() {}\n\
                int main(int argc, char** argv) {\n\
                \x20   for (int i = 0; i < atoi(argv[argc - 1]); ++i) k<<<1, 32>>>();\n\
                \x20   return cudaDeviceSynchronize();\n}\n";
    let folder = Folder::with(&[("a.cu", text)]);
    for words in [&["--", "5"][..], &["--", "--", "5"], &["--", "--threads=1", "--", "-x", "5"]] {
        let said = folder.says(&[&["compare", "a.cu", "a.cu"], words].concat());
        assert!(said.code == Some(0) && said.stdout.contains("k: 5 launches\n"), "{said:#?}");
    }
    let said = folder.says(&["compare", "a.cu", "a.cu", "--", "-5"]);
    assert_eq!(said.code, Some(2), "{said:#?}");
    let help = "help: `-5` is read as options of `run`; a program's own arguments stand behind a \
                second `--`: compare A B -- -- -5";
    assert!(said.stderr.contains(help), "{said:#?}");
    assert_eq!(folder.says(&["run", "a.cu", "--report", "r.json", "--", "1"]).code, Some(0));
    let said = folder.says(&["compare", "r.json", "r.json", "--", "5"]);
    assert!(said.stderr.contains("`5` is for sources, which are run"), "{said:#?}");
}

#[test]
fn bad_input_is_named() {
    let folder = Folder::with(&[
        ("a.cu", "int main( { }\n"),
        ("b.cu", "int main() {}\n"),
        ("part.cu", "void f() {}\n"),
        ("c.json", "{ \"version\": 1 }"),
    ]);
    for (a, words) in [
        ("no.cu", "there is no `no.cu`"),
        ("c.json", "`c.json` is no report: "),
        ("d.txt", "there is no `d.txt`"),
        (".", "`.` is a folder\nhelp: compare reports of folders: `cuda-sim check . --format json"),
        ("part.cu", "has no `main`, and no line that begins with `//@`\nhelp: name the file with"),
    ] {
        let said = folder.says(&["compare", a, "b.cu"]);
        assert_eq!(said.code, Some(2), "{said:#?}");
        assert!(said.stderr.contains(words) && said.stderr.contains("help: "), "{said:#?}");
    }
}

#[test]
fn a_second_source_behind_two_dashes_is_missing() {
    let folder = Folder::with(&[("a.cu", "int main() {}\n"), ("b.cu", "int main() {}\n")]);
    for (words, help) in [
        (&["compare", "a.cu"][..], "help: compare a.cu CHANGED.cu"),
        (&["compare", "a.cu", "--", "b.cu"], "help: write it before `--`"),
    ] {
        let said = folder.says(words);
        assert_eq!(said.code, Some(2), "{said:#?}");
        assert!(said.stderr.contains("the second source or report is missing"), "{said:#?}");
        assert!(said.stderr.contains(help), "{said:#?}");
    }
    let said = folder.says(&["compare", "a.cu", "b.cu", "--", "--frob"]);
    assert!(said.stderr.contains("`a.cu` does not run: unexpected argument '--frob'"), "{said:#?}");
    assert!(!said.stderr.contains("Usage"), "{said:#?}");
}

#[test]
fn each_line_has_its_counters() {
    let text = COLUMN.replace("STRIDE", "32");
    let part = "__global__ void other(int* p) { p[threadIdx.x] = 1; }\n\
                void start(int* p) { other<<<1, 32>>>(p); }\n";
    let main = format!(
        "void start(int*);\n{}",
        text.replace("return cuda", "start((int*)out); return cuda")
    );
    let folder =
        Folder::with(&[("main.cu", main.as_str()), ("part.cu", part), ("twice.cu", TWICE)]);
    let said = folder.says(&["run", "main.cu", "part.cu", "--lines", "--report", "out.json"]);
    assert_eq!(said.code, Some(0), "{said:#?}");
    assert!(said.stdout.contains("load sectors"), "{said:#?}");
    let line = said.stdout.lines().find(|line| line.contains("out[threadIdx.x] = tile")).unwrap();
    assert!(line.contains("   6  out[threadIdx.x]"), "its number in the file: {line}");
    let data: Value = serde_json::from_str(&folder.read("out.json")).unwrap();
    let kernels = data["files"][0]["kernels"].as_array().unwrap();
    let line = |kernel: usize, source: &str| {
        let lines = kernels[kernel]["lines"].as_array().unwrap();
        let found = lines.iter().find(|line| line["source"].as_str().unwrap().contains(source));
        found.unwrap_or_else(|| panic!("{source} in {lines:#?}")).clone()
    };
    let load = line(0, "for (int i = 0");
    assert_eq!(load["counters"]["global_load_sectors"], 1024.0, "{load:#}");
    let store = line(1, "p[threadIdx.x] = 1");
    assert_eq!((&store["file"], &store["line"]), (&"part.cu".into(), &1.into()));
    assert_eq!(store["counters"]["global_store_sectors"], 4.0, "{store:#}");
    let said = folder.says(&["run", "twice.cu", "-n", "64", "--lines"]);
    let line = said.stdout.lines().find(|line| line.contains("if (i < n) out[i]")).unwrap();
    assert!(line.contains("  10  if (i < n)") && line.contains(" 8 "), "{line}");
}

#[test]
fn a_source_that_does_not_compile_fails_the_comparison() {
    let wrong = COLUMN.replace("STRIDE", "no_such_name");
    let kernel = TWICE.replacen("* 2;", "* no_such_name;", 1);
    let folder = Folder::with(&[
        ("a.cu", RACE),
        ("wrong.cu", wrong.as_str()),
        ("twice.cu", TWICE),
        ("kernel.cu", kernel.as_str()),
        ("fails.cu", "int main() { return 1; }\n"),
    ]);
    for [a, b] in [["a.cu", "wrong.cu"], ["wrong.cu", "a.cu"], ["twice.cu", "kernel.cu"]] {
        let said = folder.says(&["compare", a, b]);
        assert_eq!((said.code, said.stdout.as_str()), (Some(1), ""), "{said:#?}");
        assert!(said.stderr.contains("`no_such_name` is not known here"), "{said:#?}");
        assert!(said.stderr.contains("does not run, so that"), "{said:#?}");
    }
    // What runs and fails is compared.
    assert_eq!(folder.says(&["compare", "a.cu", "fails.cu"]).code, Some(0));
    std::fs::write(folder.path("kernel.cu"), TWICE.replacen("* 2;", "* 3;", 1)).unwrap();
    assert_eq!(folder.says(&["compare", "twice.cu", "kernel.cu"]).code, Some(0));
}
