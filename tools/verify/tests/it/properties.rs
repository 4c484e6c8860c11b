//! Property tests: no text of a book makes a parser panic. `PROPTEST_CASES=1000000` tries a million texts
//! of each kind instead of 256.

#[path = "../../../kernel-file/tests/it/soup.rs"]
mod soup;

use proptest::prelude::*;
use soup::{changed, soup};
use std::sync::LazyLock;
use verify::page::Markdown;
use verify::results::{ExperimentResult, KernelResult, Machine, Measurement, Results, Row, Spread};
use verify::{Point, Project, claims, fence, quiz, record};

const PAGE: &str = "# A page\n\n## Its part\n\nIt is {{#measured kernels/1_a.cu 2^24 gbps stride=4}} \
    and {{#value pinned \"to device\" gbps}}.\n\n> {{#question why}} What is it?\n\n\
    {{#kernel kernels/1_a.cu}}\n\n- a list\n  - in it\n\n    ```cuda,run\n    int main() { }\n    ```\n\n\
    ```cuda,should_fault=race\n//@ launch k() grid = 1, block = 1\n//@ page 1\n__global__ void k() { }\n```\n\n\
    | a | b |\n|---|---|\n| `{{#x}}` | \\{{#y}} |\n\n<!-- {{#claim a}} --> {{#include a.md}} [a](b.md#c)\n";

const CLAIMS: &str = "[[claim]]\nid = \"a-b\"\nwhat = \"Two is more than one.\"\nverdict = \"holds\"\n\
    because = \"It is.\"\npredicate = \"x > 2 * y\"\nreads = { x = \"measured kernels/1_a.cu 2^24 gbps\", \
    y = \"counter kernels/1_a.cu instructions\" }\nflip = { x = 0 }\n\n[[claim]]\nid = \"c\"\n";

const QUIZ: &str = "[[item]]\nid = \"stride\"\nask = \"How many?\"\nunit = \"sectors\"\n\
    right = \"4 * x\"\nreads = { x = \"occupancy 9.0 256 32 0\" }\nbecause = \"so\"\n\
    wrong = [{ value = \"x\", because = \"no\" }, { value = \"x / 2\", because = \"no\" }]\n\n\
    [[item]]\nid = \"which\"\nask = \"Which?\"\nmost = \"instructions\"\n\
    among = [{ kernel = \"kernels/1_a.cu\", n = \"2^10\", says = \"a\", because = \"b\" }]\n";

const BOOK: &str = "[book]\ntitle = \"a\"\nsrc = \"chapters\"\n[build]\nbuild-dir = \"target/book\"\n\
    [preprocessor.cuda]\ncommand = \"warpbook\"\nbefore = [\"links\"]\n\
    [output.html]\nadditional-css = [\"a.css\"]\nredirect = { \"/a\" = \"b\" }\n";

/// Recorded results, as `record` writes them.
static RESULTS: LazyLock<String> = LazyLock::new(results);

fn results() -> String {
    let spread = Spread { median: 10.0, p10: 9.5, p90: 11.0, samples: 20 };
    let measurement = Measurement {
        time_us: spread,
        bytes: 1 << 30,
        gbps: 3000.0,
        ratio_to_library: Some(spread),
        share_of_ceiling: None,
        noise: spread,
        gflops: Some(1.0),
        outputs: vec![("out".to_owned(), "ab".repeat(32))],
    };
    let kernel = KernelResult {
        key: "00".to_owned(),
        sizes: [(1 << 24, measurement)].into(),
        ..KernelResult::default()
    };
    let row = Row {
        name: "pinned".to_owned(),
        x: [("bytes".to_owned(), 1e8)].into(),
        values: [("gbps".to_owned(), spread)].into(),
    };
    let experiment = ExperimentResult { rows: vec![row], ..ExperimentResult::default() };
    let all = Results {
        machine: Machine {
            gpu: "NVIDIA H200".into(),
            compute_capability: "9.0".into(),
            multiprocessors: 132,
            driver: "580".into(),
            compiler: "NVRTC 13.0".into(),
            flags: vec!["--std=c++17".into()],
            clock_mhz: 1980.0,
            memory_peak_gbps: 4814.3,
            date: "2026-11-21".into(),
            commit: "uncommitted".into(),
            cpu: String::new(),
            properties: [("l2_cache_bytes".to_owned(), 62_914_560)].into(),
        },
        kernels: [("1_a".to_owned(), kernel)].into(),
        baselines: Default::default(),
        experiments: [("pinned".to_owned(), experiment)].into(),
    };
    serde_json::to_string_pretty(&all).unwrap()
}

/// A project with one chapter.
fn project() -> (tempfile::TempDir, Project) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir_all(folder.path().join("chapters/ch01-a")).unwrap();
    std::fs::write(folder.path().join("book.toml"), BOOK).unwrap();
    let project = Project { root: folder.path().to_path_buf() };
    (folder, project)
}

proptest! {
    #[test]
    fn pages_never_panic(text in prop_oneof![soup(), any::<u64>().prop_map(|seed| changed(&[PAGE], seed))]) {
        let page = Markdown::parse(&text);
        for heading in &page.outline.headings {
            let part = page.outline.section(&heading.id).expect("its own heading");
            let _ = page.outline.shows(&part);
        }
        let mut at = 0;
        for braces in &page.braces {
            prop_assert!(braces.range.start >= at && text.get(braces.range.clone()).is_some());
            at = braces.range.end;
        }
        for fence in fence::fences("x.md", &text).0 {
            let _ = fence.kernel_file();
            prop_assert!(fence.padded().ends_with(&fence.code));
        }
    }

    #[test]
    fn claims_and_quizzes_never_panic(seed in any::<u64>()) {
        let (claims_text, quiz_text) = (changed(&[CLAIMS], seed), changed(&[QUIZ], seed));
        if let Err(problems) = claims::parse("claims.toml", "ch01", &claims_text) {
            prop_assert!(!problems.is_empty());
        }
        if let Err(problems) = quiz::parse("quiz.toml", "ch01", &quiz_text) {
            prop_assert!(!problems.is_empty());
        }
    }
}

// Files are made and removed slowly, so each test below has one folder for all of its texts.

#[test]
fn results_never_panic() {
    let (folder, _) = project();
    let path = folder.path().join("h200.json");
    proptest!(|(seed in any::<u64>())| {
        std::fs::write(&path, changed(&[&RESULTS], seed)).unwrap();
        if let Ok(read) = Results::read(&path) {
            for (_, kernel) in read.expect("it is there").kernels {
                let _ = kernel.measurement(1 << 24, &Point::default());
            }
        }
    });
}

#[test]
fn bundles_never_panic() {
    let bundle =
        format!("{{ \"machine\": \"h200\", \"chapters\": {{ \"ch01-a\": {} }} }}", *RESULTS);
    let (folder, project) = project();
    let path = folder.path().join("all.json");
    let results = folder.path().join("chapters/ch01-a/results");
    proptest!(|(seed in any::<u64>())| {
        std::fs::write(&path, changed(&[&bundle], seed)).unwrap();
        if let Ok(written) = record::import(&project, &path) {
            for path in written {
                prop_assert!(path.starts_with(&results));
                // `import` checks what the file is, and reading whether the times are possible.
                let _ = Results::read(&path);
                std::fs::remove_file(path).unwrap();
            }
        }
    });
}

#[test]
fn books_never_panic() {
    let (folder, project) = project();
    let path = folder.path().join("book.toml");
    proptest!(|(seed in any::<u64>())| {
        std::fs::write(&path, changed(&[BOOK], seed)).unwrap();
        let chapters = project.chapters().unwrap_or_default();
        prop_assert!(chapters.iter().all(|chapter| chapter.pages().is_empty()));
        let _ = project.src();
    });
}
