//! Claims of a whole book: what `check` says of them, with a recording and without.

use std::path::Path;
use verify::check::{Item, tasks};
use verify::{Project, Status, Verifier, measurement_key};

const KERNEL: &str = "\
//@ input  in: int[n] = iota
//@ output out: int[n] = poison
//@ launch inc(in, out, n) grid = (n + 63) / 64, block = 64
//@ page 256
//@ measure 2^20
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
    /// One kernel and these claims, each with a sentence and a reason.
    fn with(claims: &str) -> Book {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("book.toml"), "[book]\nsrc = 'chapters'\n").unwrap();
        let book = Book { folder };
        book.write("kernels/1_inc.cu", KERNEL);
        book.write("claims.toml", claims);
        book.write("README.md", "# X\n\n{{#claim it}}\n");
        book
    }

    fn path(&self, name: &str) -> std::path::PathBuf {
        self.folder.path().join("chapters/ch01-x").join(name)
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    /// Records the kernel with this time on a machine of this name.
    fn record(&self, machine: &str, time: f64) {
        let project = Project::find(self.folder.path()).unwrap();
        let file = project.read(&self.path("kernels/1_inc.cu")).unwrap();
        let key = measurement_key(&file, "sm_90", &[]);
        let text = format!(
            r#"{{"machine": {{"gpu": "NVIDIA {machine}", "compute_capability": "9.0",
            "multiprocessors": 132, "driver": "1", "compiler": "NVRTC 13.0", "flags": [],
            "clock_mhz": 1980.0, "memory_peak_gbps": 4900.0, "date": "2026-11-21",
            "commit": "0123"}}, "kernels": {{"1_inc": {{"key": "{key}", "resources": [],
            "sizes": {{"1048576": {{"time_us": {{"median": {time}, "p10": {time}, "p90": {time},
            "samples": 9}}, "bytes": 8388608, "gbps": 100.0, "ratio_to_library": null,
            "share_of_ceiling": null, "noise": {{"median": 1.0, "p10": 1.0, "p90": 1.0,
            "samples": 9}}, "outputs": []}}}}}}}}, "baselines": {{}}, "experiments": {{"copy": {{"title": "Copies",
            "sources": {{}}, "rows": [{{"name": "small", "x": {{"bytes": 4.0}}, "values": {{"gbps":
            {{"median": 1.0, "p10": 1.0, "p90": 1.0, "samples": 1}}}}}}, {{"name": "large", "x":
            {{"bytes": 8.0}}, "values": {{"gbps": {{"median": 9.0, "p10": 9.0, "p90": 9.0,
            "samples": 1}}}}}}, {{"name": "large", "x": {{"bytes": 16.0}}, "values": {{"gbps":
            {{"median": 11.0, "p10": 11.0, "p90": 11.0, "samples": 1}}}}}}]}}}}}}"#
        );
        self.write(&format!("results/{}.json", machine.to_lowercase()), &text);
    }

    fn item(&self, name: &str) -> Item {
        let project = Project::find(self.folder.path()).unwrap();
        let verifier = Verifier::open(&project).unwrap();
        let all = tasks(&project, Path::new(&self.path("claims.toml"))).unwrap();
        let names: Vec<&str> = all.iter().map(|task| task.name.as_str()).collect();
        let task = all.iter().find(|task| task.name == name);
        let task = task.unwrap_or_else(|| panic!("there is {names:?}"));
        let item = task.run(&verifier);
        let left_out = task.left_out(&verifier).is_some();
        assert_eq!(left_out, item.status == Status::Skipped, "known before it runs");
        item
    }
}

fn claim(verdict: &str, reads: &str, holds: &str, flip: &str) -> String {
    format!(
        "[[claim]]\nid = \"it\"\nsays = \"It is so.\"\nbecause = \"It is.\"\n\
         verdict = \"{verdict}\"\nvaries = \"nothing\"\nreads = {{ {reads} }}\nholds = \"{holds}\"\nflip = {{ {flip} }}\n"
    )
}

const TIME: &str = "t = \"measured kernels/1_inc.cu 2^20 time_us\"";

#[test]
fn a_claim_about_counters_and_tables_needs_no_machine() {
    let reads = "w = \"counter kernels/1_inc.cu warp_instructions\", \
                 m = \"architecture 8.6 max_warps_per_sm\", \
                 o = \"occupancy 8.6 block=1024 regs=32 shared=0\"";
    let book = Book::with(&claim("holds", reads, "w > 8 && m == 48 && o < 0.7", "m = 64"));
    let item = book.item("claim/it");
    assert_eq!(item.status, Status::Passed, "{:?}", item.problems);
    let book = Book::with(&claim("refuted", reads, "w > 8 && m == 48 && o < 0.7", "m = 64"));
    let item = book.item("claim/it");
    assert_eq!(item.status, Status::Failed);
    assert_eq!((item.problems[0].line, item.problems[0].code.as_str()), (1, "claim"));
}

#[test]
fn every_machine_must_bear_the_verdict_out() {
    let book = Book::with(&claim("holds", TIME, "t < 30", "t = 40"));
    let item = book.item("claim/it");
    assert_eq!(item.status, Status::Skipped, "{:?}", item.problems);
    assert!(item.reason.starts_with("not measured: "), "{}", item.reason);
    book.record("A", 20.0);
    assert_eq!(book.item("claim/it").status, Status::Passed);
    book.record("B", 35.0);
    let item = book.item("claim/it");
    assert_eq!(item.status, Status::Failed);
    let message = &item.problems[0].message;
    assert!(message.contains("`it` on NVIDIA B: the verdict is `holds`"), "{message}");
    assert!(message.contains("t = 35"), "{message}");
}

#[test]
fn a_machine_can_have_a_verdict_of_its_own() {
    let base = claim("holds", TIME, "t < 30", "t = 40");
    let book = Book::with(&format!("{base}elsewhere = {{ b = \"refuted\" }}\n"));
    book.record("A", 20.0);
    book.record("B", 35.0);
    let item = book.item("claim/it");
    assert_eq!(item.status, Status::Passed, "{:?}", item.problems);
    // It is tested, too.
    book.record("B", 25.0);
    let item = book.item("claim/it");
    assert_eq!(item.status, Status::Failed);
    let message = &item.problems[0].message;
    assert!(message.contains("`it` on NVIDIA B: the verdict is `refuted`"), "{message}");
    let book = Book::with(&format!("{base}only = \"a\"\n"));
    book.record("A", 20.0);
    book.record("B", 35.0);
    assert_eq!(book.item("claim/it").status, Status::Passed, "B is not asked");
}

#[test]
fn what_a_recorded_chapter_did_not_record_is_a_failure() {
    let reads = "t = \"measured kernels/1_inc.cu 2^21 time_us\"";
    let book = Book::with(&claim("holds", reads, "t < 30", "t = 40"));
    assert_eq!(book.item("claim/it").status, Status::Skipped);
    book.record("A", 20.0);
    let item = book.item("claim/it");
    assert_eq!(item.status, Status::Failed);
    assert!(item.problems[0].message.contains("was not measured at 2097152"), "{item:?}");
}

#[test]
fn a_measurement_of_another_source_says_nothing() {
    let book = Book::with(&claim("holds", TIME, "t < 30", "t = 40"));
    book.record("A", 35.0);
    assert_eq!(book.item("claim/it").status, Status::Failed);
    book.write("kernels/1_inc.cu", &KERNEL.replace("in[i] + 1", "1 + in[i]"));
    let item = book.item("claim/it");
    assert_eq!(item.status, Status::Skipped, "{:?}", item.problems);
    assert!(item.reason.contains("has changed since"), "{}", item.reason);
}

#[test]
fn names_that_are_nowhere_are_failures_with_a_suggestion() {
    for (reads, wanted) in [
        ("t = \"counter kernels/1_inc.cu warp_instruction\"", "did you mean `warp_instructions`?"),
        ("t = \"counter kernels/1_icn.cu warp_instructions\"", "did you mean `kernels/1_inc.cu`?"),
        ("t = \"architecture 8.66 max_warps_per_sm\"", "did you mean `8.6`?"),
        ("t = \"architecture 8.6 max_warp_per_sm\"", "did you mean `max_warps_per_sm`?"),
    ] {
        let book = Book::with(&claim("holds", reads, "t > 0", "t = 0"));
        let item = book.item("claim/it");
        assert_eq!(item.status, Status::Failed);
        assert!(item.problems[0].message.contains(wanted), "{}", item.problems[0].message);
    }
}

#[test]
fn a_file_that_is_not_understood_is_a_failure_with_its_place() {
    let book = Book::with("[[claim]]\nid = \"it\"\nverdit = \"holds\"\n");
    let item = book.item("claims/claims.toml");
    assert_eq!(item.status, Status::Failed);
    let problem = &item.problems[0];
    assert_eq!((problem.line, problem.column), (3, 1));
    assert_eq!(problem.file, "chapters/ch01-x/claims.toml");
    assert!(problem.message.contains("did you mean `verdict`?"), "{}", problem.message);
}

#[test]
fn a_claim_that_no_page_shows_is_a_failure() {
    let book = Book::with(&claim("holds", TIME, "t < 30", "t = 40"));
    assert_eq!(book.item("claims/claims.toml").status, Status::Passed);
    book.write("README.md", "# X\n\n`{{#claim it}}` {{#claim its}}\n");
    let item = book.item("claims/claims.toml");
    assert_eq!(item.status, Status::Failed);
    assert!(item.problems[0].message.contains("add `{{#claim it}}`"), "{item:?}");
}

#[test]
fn a_row_of_an_experiment_is_named_and_where_several_share_the_name_chosen() {
    for (read, wanted) in [
        ("experiment copy 'small' gbps", ""),
        ("experiment copy 'large' gbps bytes=16", "is false with x = 11"),
        ("experiment copy 'large' gbps bytes=8", ""),
        ("experiment copy 'large' gbps", "has several rows `large`: choose one by `bytes`"),
        ("experiment copy 'smal' gbps", "did you mean `small`?"),
        ("experiment copy 'small' gpbs", "did you mean `gbps`?"),
        ("experiment copies 'small' gbps", "the experiment `copies` was not recorded"),
    ] {
        let read = format!("x = '{}'", read.replace('\'', "\""));
        let book = Book::with(&claim("holds", &read, "x < 10", "x = 10"));
        book.record("A", 20.0);
        let item = book.item("claim/it");
        match item.problems.first() {
            None => assert_eq!((item.status, wanted), (Status::Passed, ""), "{read}"),
            Some(problem) => {
                assert!(
                    !wanted.is_empty() && problem.message.contains(wanted),
                    "{}",
                    problem.message
                );
            }
        }
    }
}
