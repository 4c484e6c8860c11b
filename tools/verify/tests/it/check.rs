//! A book with one of everything that can go wrong: what `check` says of it.

use std::path::Path;
use verify::check::{Item, ignored, tasks};
use verify::{Project, Status, Verifier};

const GOOD: &str = "\
//! Adds one.
//@ input  in: int[n] = iota
//@ output out: int[n] = poison
//@ launch inc(in, out, n) grid = (n + 63) / 64, block = 64
//@ test 1, 64, 65
//@ page 256
extern \"C\" __global__ void inc(const int* in, int* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[i] + 1;
}
__host__ __device__ int expected(const int* in, int i) { return in[i] + 1; }
";

struct Book {
    folder: tempfile::TempDir,
}

impl Book {
    /// With these files in `chapters/ch01-x`.
    fn with(files: &[(&str, &str)]) -> Book {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("book.toml"), "[book]\nsrc = 'chapters'\n").unwrap();
        let book = Book { folder };
        for (name, text) in files {
            book.write(name, text);
        }
        book
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.folder.path().join("chapters/ch01-x").join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    fn project(&self) -> Project {
        Project { root: self.folder.path().to_path_buf() }
    }

    fn check(&self) -> Vec<Item> {
        let verifier = Verifier::open(&self.project()).unwrap();
        let tasks = tasks(&self.project(), self.folder.path()).unwrap();
        tasks.iter().map(|task| task.run(&verifier)).collect()
    }

    fn item(&self, name: &str) -> Item {
        self.check().into_iter().find(|item| item.name == name).unwrap()
    }
}

fn first(item: &Item) -> (u32, &str, &str) {
    assert_eq!(item.status, Status::Failed, "{}", item.reason);
    let problem = &item.problems[0];
    (problem.line, &problem.code, &problem.message)
}

#[test]
fn a_good_kernel_keeps_every_promise() {
    let book = Book::with(&[("kernels/1_inc.cu", GOOD)]);
    for name in ["sim/1_inc", "page/1_inc", "mutation/1_inc"] {
        let item = book.item(name);
        assert_eq!(item.status, Status::Passed, "{name}: {:?}", item.problems);
    }
    let cached = std::fs::read_dir(book.folder.path().join("target/verify")).unwrap().count();
    assert!(cached >= 3, "{cached} verdicts are remembered");
}

/// Seconds, whatever the file asks for.
#[test]
fn a_grid_that_would_take_for_ever_is_refused_at_its_launch() {
    let huge = GOOD.replace("grid = (n + 63) / 64", "grid = 2^31 - 1");
    let item = Book::with(&[("kernels/1_inc.cu", &huge)]).item("sim/1_inc");
    let (line, code, message) = first(&item);
    assert_eq!((line, code), (4, "launch"));
    assert!(message.contains("4294967294 warps"), "{message}");
}

#[test]
fn an_array_of_another_type_than_the_kernel_reads_is_refused() {
    let other = GOOD.replace("output out: int[n]", "output out: float[n]");
    let item = Book::with(&[("kernels/1_inc.cu", &other)]).item("sim/1_inc");
    let (line, code, message) = first(&item);
    assert_eq!((line, code), (4, "launch"));
    assert!(message.contains("`out` is an array of float, and the parameter"), "{message}");
}

/// A smaller page would not help.
#[test]
fn a_kernel_that_does_not_end_is_not_told_to_choose_a_smaller_page() {
    let endless = GOOD.replace("    if (i < n)", "    while (true);\n    if (i < n)");
    let item = Book::with(&[("kernels/1_inc.cu", &endless)]).item("page/1_inc");
    assert_eq!(item.status, Status::Failed);
    let codes: Vec<&str> = item.problems.iter().map(|p| p.code.as_str()).collect();
    assert_eq!(codes, ["endless"]);
}

#[test]
fn an_edit_is_seen_at_once() {
    let book = Book::with(&[("kernels/1_inc.cu", GOOD)]);
    assert_eq!(book.item("sim/1_inc").status, Status::Passed);
    book.write("kernels/1_inc.cu", &GOOD.replace("in[i] + 1;\n}", "in[i] + 2;\n}"));
    let item = book.item("sim/1_inc");
    let (line, code, message) = first(&item);
    assert_eq!((line, code), (3, "wrong-result"));
    assert!(message.contains("out[0]: expected 1, got 2; 1 of 1 element differs"), "{message}");
    assert_eq!(item.problems.len(), 1, "the same at every size is said once");
}

#[test]
fn a_bad_directive_is_named() {
    let book = Book::with(&[("kernels/1_inc.cu", &GOOD.replace("//@ launch", "//@ lunch"))]);
    let item = book.item("sim/1_inc");
    let (line, code, message) = first(&item);
    assert_eq!((line, code), (4, "directive"));
    assert!(message.contains("did you mean `launch`?"), "{message}");
}

#[test]
fn a_page_may_not_be_slow() {
    let slow =
        "int one = 0;\n    for (int k = 0; k < 4001; k++)\n        one ^= 1;\n    if (i < n)";
    let text = GOOD.replace("page 256", "page 2^15").replace("if (i < n)", slow);
    let book = Book::with(&[("kernels/1_inc.cu", &text)]);
    let item = book.item("page/1_inc");
    let (line, code, message) = first(&item);
    assert_eq!((line, code), (6, "page-budget"));
    assert!(message.contains("at most 10000000"), "{message}");
}

#[test]
fn a_skip_that_has_lost_its_reason_is_reported() {
    let skip = "//@ skip sim: it is slow (2026-11-21)\n//@ page";
    let book = Book::with(&[("kernels/1_inc.cu", &GOOD.replace("//@ page", skip))]);
    let skipped = book.item("sim/1_inc");
    assert_eq!((skipped.status, skipped.reason.as_str()), (Status::Skipped, "it is slow"));
    let item = book.item("skips/1_inc");
    assert_eq!(first(&item).1, "expired-skip");
    assert_eq!(first(&item).0, 6);
}

#[test]
fn fences_are_held_to_their_promises() {
    let page = "\
# Page

```cuda
__global__ void good(int* a) { a[0] = 1; }
```

```cuda
__global__ void bad(int* a) { b[0] = 1; }
```

```cuda
a[0] = 1;
```

```cuda,compile_fail
__global__ void refused(int* a) { b[0] = 1; }
```

```cuda,should_fault=bounds
//@ output a: int[n] = zero
//@ launch over(a) grid = 1, block = n + 1
//@ page 32
__global__ void over(int* a) { a[threadIdx.x] = 1; }
```

```cuda,ignore=needs-two-devices
whatever
```

```cuda,comple_fail
int x;
```
";
    let book = Book::with(&[("README.md", page)]);
    let status = |line: u32| book.item(&format!("sim/README.md:{line}")).status;
    assert_eq!(status(3), Status::Passed);
    let bad = book.item("sim/README.md:7");
    assert_eq!(first(&bad).0, 8, "the line is the page's");
    assert!(bad.problems[0].file.ends_with("ch01-x/README.md"));
    let loose = book.item("sim/README.md:11");
    assert!(first(&loose).2.contains("translation unit"));
    assert_eq!(status(15), Status::Passed);
    assert_eq!(status(19), Status::Passed, "{:?}", book.item("sim/README.md:19").problems);
    let ignored = book.item("sim/README.md:26");
    assert_eq!((ignored.status, ignored.reason.as_str()), (Status::Skipped, "needs two devices"));
    let fences = book.item("fences/README.md");
    assert_eq!(first(&fences).0, 30);
    assert!(first(&fences).2.contains("did you mean `compile_fail`?"));
}

#[test]
fn a_program_ends_with_exit_code_0_and_without_a_finding() {
    let program = |end: &str| {
        format!(
            "```cuda,run\n#include <cstdio>\n__global__ void one(int* a) {{ a[threadIdx.x] = 1; }}\n\
             int main() {{\n    int* a;\n    cudaMalloc(&a, 4 * 32);\n    {end}\n}}\n```\n"
        )
    };
    let checked = |end: &str| {
        let book = Book::with(&[("README.md", &program(end))]);
        (book.item("sim/README.md:1"), book.item("nvrtc/README.md:1"))
    };
    let (sim, nvrtc) = checked("one<<<1, 32>>>(a); std::printf(\"done\\n\");");
    assert_eq!((sim.status, sim.reason.trim()), (Status::Passed, "done"));
    assert_eq!(nvrtc.status, Status::Skipped);
    let (sim, _) = checked("one<<<1, 2048>>>(a); return cudaGetLastError() == cudaSuccess;");
    assert_eq!(sim.status, Status::Passed, "a launch that does not start is an error code");
    let (sim, _) = checked("return 3;");
    assert!(first(&sim).2.contains("exit code 3"), "{:?}", sim.problems);
    let (sim, _) = checked("one<<<1, 64>>>(a); cudaDeviceSynchronize(); return 0;");
    assert_eq!(sim.status, Status::Failed);
    let (sim, _) = checked("cudaMaloc(&a, 4);");
    assert_eq!(first(&sim).0, 7, "{:?}", sim.problems);
}

#[test]
fn a_book_may_ignore_a_few_fences_and_no_more() {
    let fence = "```cuda,ignore=why\nx\n```\n\n";
    for (count, too_many) in [(5, false), (6, true)] {
        let book = Book::with(&[("README.md", &fence.repeat(count))]);
        let tasks = tasks(&book.project(), book.folder.path()).unwrap();
        assert_eq!(ignored(&book.project(), &tasks).is_some(), too_many, "{count}");
    }
}

#[test]
fn recordings_are_read_and_never_written() {
    let book = Book::with(&[("kernels/1_inc.cu", GOOD), ("results/h200.json", "{ \"machine\"")]);
    let item = book.item("results/h200");
    assert!(first(&item).2.contains("h200.json"), "{}", first(&item).2);
    let path = book.folder.path().join("chapters/ch01-x/results/h200.json");
    assert_eq!(std::fs::read_to_string(path).unwrap(), "{ \"machine\"");
}

#[test]
fn a_path_that_holds_nothing_is_an_error() {
    let book = Book::with(&[("kernels/1_inc.cu", GOOD)]);
    let nothing = tasks(&book.project(), Path::new("/nowhere/at/all")).unwrap_err().to_string();
    assert!(nothing.contains("there is no `/nowhere/at/all`"), "{nothing}");
    let other = tasks(&book.project(), &book.folder.path().join("book.toml")).unwrap_err();
    assert!(other.to_string().contains("is not a kernel file, a page"));
}

/// The page is one for all points, and so is its budget.
#[test]
fn the_points_share_the_pages_budget() {
    let slow =
        "int one = 0;\n    for (int k = 0; k < 4001 / of; k++)\n        one ^= 1;\n    if (i < n)";
    let varied = |values: &str| {
        let text = GOOD
            .replace("//@ launch inc(in, out, n)", "//@ launch inc(in, out, n, of)")
            .replace("//@ page 256", &format!("//@ vary of = {values}\n//@ page 65536"))
            .replace("int* out, int n)", "int* out, int n, int of)")
            .replace("if (i < n)", slow);
        let (vary, launch) = (text.find("//@ vary").unwrap(), text.find("//@ launch").unwrap());
        let line = &text[vary..text[vary..].find('\n').unwrap() + vary + 1].to_owned();
        let text = text.replace(line, "");
        let text = format!("{}{line}{}", &text[..launch], &text[launch..]);
        Book::with(&[("kernels/1_inc.cu", &text)]).item("page/1_inc")
    };
    let within = varied("100");
    assert_eq!(within.status, Status::Passed, "{:?}", within.problems);
    let many: Vec<String> = (100..140).map(|of| of.to_string()).collect();
    let together = varied(&many.join(", "));
    let (line, code, _) = first(&together);
    assert_eq!((line, code), (7, "page-budget"));
}

const TICKET: &str = "\
//! The last block to arrive writes how many arrived before it.
//@ output out: int[1] = poison
//@ launch count(out) grid = n, block = 32
//@ test 1, 3
//@ page 4
__device__ unsigned int arrived;
extern \"C\" __global__ void count(int* out) {
    if (threadIdx.x == 0 && atomicAdd(&arrived, 1u) == gridDim.x - 1) {
        out[0] = gridDim.x;
        atomicExch(&arrived, 0u);
    }
}
__host__ __device__ int expected(int n, int i) { return n; }
";

/// In one launch after another, as every caller but a test does it.
#[test]
fn a_counter_that_is_not_reset_is_noticed() {
    let book = Book::with(&[("kernels/1_count.cu", TICKET)]);
    let item = book.item("sim/1_count");
    assert_eq!(item.status, Status::Passed, "{:?}", item.problems);
    book.write("kernels/1_count.cu", &TICKET.replace("        atomicExch(&arrived, 0u);\n", ""));
    let item = book.item("sim/1_count");
    let (line, code, message) = first(&item);
    assert_eq!((line, code), (2, "wrong-result"));
    assert!(message.starts_with("in a second run"), "{message}");
}

#[test]
fn a_skip_of_the_simulator_ends_when_it_knows_the_construct() {
    let skip = "//@ skip sim: inline assembly (2026-11-21)\n//@ page 256";
    let skipped = GOOD.replace("//@ page 256", skip);
    let known = Book::with(&[("kernels/1_inc.cu", &skipped)]);
    let item = known.item("skips/1_inc");
    let (line, code, message) = first(&item);
    assert_eq!((line, code), (6, "expired-skip"));
    assert!(message.contains("runs on sim now"), "{message}");
    // What it finds is no reason to skip it.
    let wrong = skipped.replace("in[i] + 1;\n}", "in[i] + 2;\n}");
    let item = Book::with(&[("kernels/1_inc.cu", &wrong)]).item("skips/1_inc");
    assert_eq!(first(&item).1, "expired-skip");
    let unknown = skipped.replace(
        "    if (i < n)",
        "    asm volatile(\"tcgen05.fence::before_thread_sync;\");\n    if (i < n)",
    );
    let item = Book::with(&[("kernels/1_inc.cu", &unknown)]).item("skips/1_inc");
    assert_eq!(item.status, Status::Passed, "{:?}", item.problems);
}

#[test]
fn a_warning_is_told_and_breaks_nothing() {
    let early = GOOD.replace(
        "    if (i < n)",
        "    if (i >= n)\n        return;\n    __syncthreads();\n    if (i < n)",
    );
    let item = Book::with(&[("kernels/1_inc.cu", &early)]).item("sim/1_inc");
    assert_eq!(item.status, Status::Passed, "{:?}", item.problems);
    let warnings = &item.verdict.unwrap().warnings;
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    assert!(warnings[0].message.contains("have returned before this barrier"), "{warnings:?}");
}

/// In a book of mdBook's own shape, pages are called `chapter_1.md`, and kernels lie beside them.
#[test]
fn every_page_and_every_kernel_file_is_checked_wherever_it_is() {
    let book = Book::with(&[("1_loose.cu", GOOD), ("deep/page.md", "```cuda\nint a = ;\n```\n")]);
    book.write("../chapter_1.md", "```cuda\nint b = ;\n```\n");
    let items = book.check();
    let status = |name: &str| items.iter().find(|item| item.name == name).map(|item| item.status);
    assert_eq!(status("sim/chapter_1.md:1"), Some(Status::Failed), "{items:#?}");
    assert_eq!(status("sim/page.md:1"), Some(Status::Failed), "{items:#?}");
    assert_eq!(status("sim/1_loose"), Some(Status::Passed), "{items:#?}");
}
