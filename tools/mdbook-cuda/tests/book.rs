//! A whole book, from a folder to pages, with mdBook in process.
//!
//! The kernels run on the simulator here; everything else that a page can show is tested beside the
//! views.

use mdbook_cuda::{Cuda, Options};
use mdbook_driver::MDBook;
use std::cell::RefCell;
use std::fs;
use std::path::Path;
use std::rc::Rc;
use tempfile::TempDir;

const KERNEL: &str = "\
//! Each thread doubles *one* number.
//@ input  in: int[n] = iota
//@ output out: int[n] = poison
//@ launch twice(in, out, n) grid = (n + 31) / 32, block = 32
//@ test 1, 33
//@ page 64

__global__ void twice(const int* in, int* out, unsigned n) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n) out[i] = 2 * in[i];
}

__host__ __device__ int expected(const int* in, unsigned i) { return 2 * in[i]; }
";

const PAGE: &str = "\
# Twice

{{#kernel kernels/1_twice.cu}}

It takes {{#counter kernels/1_twice.cu global_load_requests}} loads.

{{#ladder}}

- In a list:

  ```cuda
  __global__ void nothing() {}
  ```
";

/// A book with one chapter of one kernel, and an introduction without any.
fn book(kernel: &str, page: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |path: &str, text: &str| {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    write(
        "book.toml",
        "[book]\nsrc = \"chapters\"\n[preprocessor.cuda]\nbefore = [\"links\", \"index\"]\n\
         command = \"false\"\n[output.html.playground]\nrunnable = false\n",
    );
    write("chapters/SUMMARY.md", "[Start](start.md)\n\n- [Twice](ch01-twice/README.md)\n");
    write("chapters/lab/lab.js", "");
    write("chapters/start.md", "# Start\n\nAll is well.\n");
    write("chapters/ch01-twice/README.md", page);
    write("chapters/ch01-twice/kernels/1_twice.cu", kernel);
    folder
}

fn build(folder: &Path, cuda: Cuda) -> anyhow::Result<()> {
    let mut book = MDBook::load(folder)?;
    book.with_preprocessor(cuda);
    book.build()
}

fn page(folder: &Path) -> String {
    fs::read_to_string(folder.join("book/ch01-twice/index.html")).unwrap()
}

/// Every tag that is opened is closed: what mdBook warns of, but goes on.
fn assert_balanced(html: &str) {
    let main = &html[html.find("<main>").unwrap()..html.find("</main>").unwrap()];
    for tag in ["figure", "div", "pre", "code", "span", "table", "details", "p", "dl", "li"] {
        let opened =
            main.matches(&format!("<{tag}>")).count() + main.matches(&format!("<{tag} ")).count();
        assert_eq!(opened, main.matches(&format!("</{tag}>")).count(), "<{tag}>");
    }
}

#[test]
fn a_book_from_a_folder_to_pages() {
    let folder = book(KERNEL, PAGE);
    build(folder.path(), Cuda::new(Options { strict: true, ..Options::default() })).unwrap();
    let html = page(folder.path());
    assert_balanced(&html);
    assert!(html.contains("<em>one</em> number"), "the essay is Markdown");
    assert!(html.contains("data-n=\"11\">    <span class=\"cuda-t-keyword\">if</span> (i &lt; n)"));
    assert!(html.contains("right, and nothing found at <i>n</i> = 64"), "{html}");
    let loads = html.split("It takes ").nth(1).unwrap();
    assert!(loads.split('<').nth(1).unwrap().ends_with(">2"), "{}", &loads[..200]);
    assert!(html.contains("not measured") && html.contains("compiles <span"));
    assert_eq!(html.matches("class=\"cuda-lab\">{").count(), 1);
    assert_eq!(html.matches("src=\"../lab/lab.js\"").count(), 1);
    let search = fs::read_dir(folder.path().join("book")).unwrap().map(|e| e.unwrap().path());
    let index =
        search.filter(|p| p.to_string_lossy().contains("searchindex")).map(fs::read_to_string);
    let said = |index: String| index.matches("//@ launch").count();
    assert_eq!(index.map(|text| said(text.unwrap())).max(), Some(1), "searched once, as shown");
    let start = fs::read_to_string(folder.path().join("book/start.html")).unwrap();
    assert!(!start.contains("lab.js"), "a page without kernels loads nothing");
    assert!(!html.contains("{{#") && !html.contains("language-cuda"));
    assert!(folder.path().join("book/ch01-twice/kernels/1_twice.cu").is_file(), "linked source");
}

#[test]
fn the_list_of_questions_shows_what_their_pages_do() {
    let asked =
        "> Are {{#counter kernels/1_twice.cu global_load_requests}} many? {{#question many}}\n";
    let folder = book(KERNEL, &format!("# Twice\n\n{asked}"));
    // The list stands before the page of its question.
    fs::write(folder.path().join("chapters/start.md"), "# Start\n\n{{#progress}}\n").unwrap();
    build(folder.path(), Cuda::new(Options::default())).unwrap();
    let shown = |html: &str| {
        let (_, rest) = html.split_once("Are ").unwrap();
        rest.split(" many?").next().unwrap().to_owned()
    };
    let there = shown(&page(folder.path()));
    assert!(there.contains(">2</"), "{there}");
    let list = fs::read_to_string(folder.path().join("book/start.html")).unwrap();
    assert_eq!(shown(&list), there);
}

#[test]
fn a_kernel_of_another_folder_at_a_glance() {
    let folder = book(KERNEL, PAGE);
    let start = |directive: &str| {
        fs::write(folder.path().join("chapters/start.md"), format!("# Start\n\n{directive}\n"))
            .unwrap();
        build(folder.path(), Cuda::new(Options::default()))
    };
    start("{{#glance ch01-twice/kernels/1_twice.cu line=11 without=11}}").unwrap();
    let html = fs::read_to_string(folder.path().join("book/start.html")).unwrap();
    assert_balanced(&html);
    assert!(html.contains("<a href=\"ch01-twice/kernels/1_twice.cu\">"), "{html}");
    assert!(html.contains("data-lab=\"without=11\" aria-keyshortcuts=\"d\""), "{html}");
    assert!(html.contains("Warp 0 of block 0 (n = 64) at line 11"), "{html}");
    for (directive, wanted) in [
        (
            "{{#glance ch01-twice/kernels/2_none.cu}}",
            "no kernel file `ch01-twice/kernels/2_none.cu`",
        ),
        ("{{#glance ch01-twice/kernels/1_twice.cu without=10}}", "has no line 10 to delete"),
        ("{{#glance ch01-twice/kernels/1_twice.cu line=10}}", "never runs line 10"),
        ("{{#glance ch01-twice/kernels/1_twice.cu stride=10}}", "unknown option `stride`"),
    ] {
        let error = format!("{:#}", start(directive).unwrap_err());
        assert!(error.contains(wanted), "{directive}: {error}");
    }
}

#[test]
fn a_kernel_that_fails_ends_the_build_and_says_where() {
    let folder = book(&KERNEL.replace("= 2 * in[i];\n}", "= 3 * in[i];\n}"), PAGE);
    let error = format!("{:#}", build(folder.path(), Cuda::new(Options::default())).unwrap_err());
    assert!(error.contains("book verification failed"), "{error}");
    assert!(error.contains("error[wrong-result]"), "{error}");
    assert!(error.contains("chapters/ch01-twice/kernels/1_twice.cu"), "{error}");
}

#[test]
fn while_serving_a_problem_is_shown_in_its_page_and_the_others_stay() {
    let page_text = format!("{PAGE}\n{{{{#kernal kernels/1_twice.cu}}}}\n");
    let folder = book(&KERNEL.replace("//@ page 64", "//@ pgae 64"), &page_text);
    let told = Rc::new(RefCell::new(Vec::new()));
    let listener = Rc::clone(&told);
    let cuda = Cuda::default()
        .keep_going(move |problem| listener.borrow_mut().push(problem.message.clone()));
    build(folder.path(), cuda).unwrap();
    let html = page(folder.path());
    assert_balanced(&html);
    assert!(html.contains("class=\"cuda-problem\"") && html.contains("did you mean"), "{html}");
    assert!(html.contains("<code>chapters/ch01-twice/kernels/1_twice.cu:6:5</code>"), "{html}");
    let told = told.borrow();
    assert!(told.iter().any(|m| m.contains("unknown directive `pgae`")), "{told:?}");
    assert!(told.iter().any(|m| m.contains("did you mean `kernel`?")), "{told:?}");
    let start = fs::read_to_string(folder.path().join("book/start.html")).unwrap();
    assert!(start.contains("All is well."));
}

#[test]
fn corrupt_results_are_an_error_that_names_them_and_nothing_is_overwritten() {
    let folder = book(KERNEL, PAGE);
    let results = folder.path().join("chapters/ch01-twice/results/h200.json");
    fs::create_dir_all(results.parent().unwrap()).unwrap();
    fs::write(&results, "{\"machine\": ").unwrap();
    let error = format!("{:#}", build(folder.path(), Cuda::default()).unwrap_err());
    assert!(error.contains("h200.json") && error.contains("is not a results file"), "{error}");
    assert_eq!(fs::read_to_string(&results).unwrap(), "{\"machine\": ");
}

/// Results of the chapter on a machine.
fn record(folder: &Path, stem: &str, kernels: &str) {
    let gpu = stem.to_uppercase();
    let machine = format!(
        r#"{{"gpu": "NVIDIA {gpu}", "compute_capability": "9.0", "multiprocessors": 132,
        "driver": "580.1", "compiler": "NVRTC 13.0.88", "flags": [], "clock_mhz": 1980.0,
        "memory_peak_gbps": 4915.0, "date": "2026-11-21", "commit": "0123456789ab"}}"#
    );
    let text = format!(r#"{{"machine": {machine}, "kernels": {kernels}, "baselines": {{}}}}"#);
    let results = folder.join("chapters/ch01-twice/results");
    fs::create_dir_all(&results).unwrap();
    fs::write(results.join(format!("{stem}.json")), text).unwrap();
}

#[test]
fn devices_stand_in_the_order_of_the_list_of_machines() {
    let folder = book(KERNEL, "# Twice\n\n{{#device}}\n");
    for stem in ["h100", "h200"] {
        record(folder.path(), stem, "{}");
    }
    let toml = folder.path().join("book.toml");
    let text = fs::read_to_string(&toml).unwrap();
    let machine = "[preprocessor.cuda]\nmachine = \"h200\"";
    fs::write(&toml, text.replace("[preprocessor.cuda]", machine)).unwrap();
    build(folder.path(), Cuda::default()).unwrap();
    let html = page(folder.path());
    let place = |gpu: &str| html.find(&format!("class=\"cuda-num\">{gpu}</th>")).unwrap();
    assert!(place("H200") < place("H100"), "{html}");
}

#[test]
fn results_of_another_source_carry_a_badge_and_fail_a_strict_build() {
    let folder = book(KERNEL, PAGE);
    let kernels = r#"{"1_twice": {"key": "00", "resources": [], "sizes": {}}}"#;
    record(folder.path(), "h200", kernels);
    build(folder.path(), Cuda::default()).unwrap();
    let html = page(folder.path());
    assert_balanced(&html);
    assert!(html.contains("</span> stale</span> The source has changed since."), "{html}");
    assert!(html.contains("changed since it ran on an NVIDIA H200"));
    let strict = build(folder.path(), Cuda::new(Options { strict: true, ..Options::default() }));
    let error = format!("{:#}", strict.unwrap_err());
    assert!(error.contains("error[stale]: the results of `1_twice` are stale"), "{error}");
    assert!(error.contains("chapters/ch01-twice/results/h200.json"), "{error}");
}

#[test]
fn claims_and_rows_are_linked_from_the_appendix_and_missing_numbers_fail_a_strict_build() {
    let page = "# Twice\n\n## One\n\n{{#kernel kernels/1_twice.cu}}\n\n\
                {{#claim loads}}\n\n{{#claim fast}}\n\n{{#claim seen}}\n";
    let folder = book(KERNEL, page);
    let write = |path: &str, text: &str| {
        let path = folder.path().join("chapters").join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    let claim = |id: &str, read: &str| {
        format!(
            "[[claim]]\nid = \"{id}\"\nsays = \"It is {id}.\"\nbecause = \"So.\"\nrows = [\"000.1\"]\n\
             verdict = \"holds\"\nvaries = \"nothing\"\n\
             reads = {{ x = \"{read}\" }}\nholds = \"x < 9\"\nflip = {{ x = 9 }}\n\n"
        )
    };
    let counted = claim("loads", "counter kernels/1_twice.cu global_load_requests");
    let timed = claim("fast", "measured kernels/1_twice.cu 64 time_us");
    let seen = claim("seen", "counter kernels/1_twice.cu global_load_requests");
    let seen = seen.replace("It is seen.", "Observed: it is seen.");
    write("ch01-twice/claims.toml", &format!("{counted}{timed}{seen}"));
    let row = |id: &str, what: &str, heading: &str| {
        let at = format!("at = \"ch01-twice#{heading}\"");
        format!("[[row]]\nid = \"{id}\"\nkind = \"kernel\"\nwhat = \"{what}\"\n{at}\n")
    };
    let rows = format!("{}{}", row("000.1", "doubling", "one"), row("000.2", "halving", "two"));
    write("appendix/coverage.toml", &rows);
    write("appendix/all.md", "# All\n\n{{#claims}}\n\n{{#coverage}}\n");
    let summary = folder.path().join("chapters/SUMMARY.md");
    let listed = format!("{}- [All](appendix/all.md)\n", fs::read_to_string(&summary).unwrap());
    fs::write(&summary, listed).unwrap();

    build(folder.path(), Cuda::new(Options::default())).unwrap();
    let html = self::page(folder.path());
    assert_balanced(&html);
    assert!(html.contains("id=\"one\"") && html.contains("id=\"claim-loads\""), "{html}");
    assert!(html.contains("<b>Observed.</b> It is seen."), "{html}");
    let all = fs::read_to_string(folder.path().join("book/appendix/all.html")).unwrap();
    assert_balanced(&all);
    for wanted in [
        "href=\"../ch01-twice/index.html#claim-fast\"",
        "href=\"../ch01-twice/index.html#one\"",
        "<b>Claims: 3.</b> By numbers that were measured or counted: 1,",
        "Observed, and not taught: 1.",
        "Not measured yet: 1.",
    ] {
        assert!(all.contains(wanted), "{wanted}: {all}");
    }
    let strict = build(folder.path(), Cuda::new(Options { strict: true, ..Options::default() }));
    let error = format!("{:#}", strict.unwrap_err());
    assert!(error.contains("the claim `fast` is not measured"), "{error}");
    assert!(error.contains("chapters/appendix/coverage.toml:10"), "{error}");
    assert!(error.contains("ch01-twice/README.md has no heading `two`"), "{error}");

    write("ch01-twice/claims.toml", &counted.replace("x < 9", "x > 9"));
    write("ch01-twice/README.md", &page.replace("{{#claim fast}}\n\n{{#claim seen}}\n", ""));
    let error = format!("{:#}", build(folder.path(), Cuda::default()).unwrap_err());
    assert!(error.contains("the claim `loads`") && error.contains("with x = 2"), "{error}");
    assert!(error.contains("chapters/ch01-twice/claims.toml:1"), "{error}");
}
