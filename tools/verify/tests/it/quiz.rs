//! Quiz items of a whole book: their computed answers, and what `check` says of those that break a
//! rule.

use std::path::{Path, PathBuf};
use verify::check::{Item, tasks};
use verify::claims::Readings;
use verify::quiz::{self, Answered};
use verify::{Project, Status, Verifier};

const GATHER: &str = "\
//@ vary stride = 1, 2, 8
//@ let lap = n / stride
//@ input  in: int[n] = iota
//@ output out: int[n] = poison
//@ launch gather(in, out, lap, stride) grid = ((lap + 63) / 64, stride), block = 64
//@ page 1024
__global__ void gather(const int* in, int* out, int lap, int stride) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < lap)
        out[blockIdx.y * lap + i] = in[i * stride + blockIdx.y];
}
__host__ __device__ int expected(const int* in, int lap, int stride, int i) {
    return in[i % lap * stride + i / lap];
}
";

const REVERSE: &str = "\
//@ input  in: int[n] = iota
//@ output out: int[n] = poison
//@ launch reverse(in, out) grid = n / 64, block = 64
//@ page 128
__global__ void reverse(const int* in, int* out) {
    __shared__ int tile[64];
    int i = blockIdx.x * 64 + threadIdx.x;
    tile[threadIdx.x] = in[i];
    __syncthreads();
    out[i] = tile[63 - threadIdx.x];
}
__host__ __device__ int expected(const int* in, int i) { return in[i / 64 * 64 + 63 - i % 64]; }
";

struct Book {
    folder: tempfile::TempDir,
}

impl Book {
    fn with(items: &str) -> Book {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("book.toml"), "[book]\nsrc = 'chapters'\n").unwrap();
        let book = Book { folder };
        book.write("kernels/1_gather.cu", GATHER);
        book.write("kernels/2_reverse.cu", REVERSE);
        book.write("kernels/bad_reverse.cu", &bad());
        book.write("quiz.toml", items);
        book.write("README.md", "# X\n\n{{#quiz it}}\n");
        book
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join("chapters/ch01-x").join(name)
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    fn check(&self) -> Vec<Item> {
        let project = Project::find(self.folder.path()).unwrap();
        let verifier = Verifier::open(&project).unwrap();
        let all = tasks(&project, Path::new(&self.path("quiz.toml"))).unwrap();
        all.iter().map(|task| task.run(&verifier)).collect()
    }

    fn item(&self, name: &str) -> Item {
        self.check().into_iter().find(|item| item.name == name).unwrap()
    }

    /// The answer of the first item, or what is wrong with it as `line:column: message`.
    fn answer(&self) -> Result<Answered, String> {
        let project = Project::find(self.folder.path()).unwrap();
        let verifier = Verifier::open(&project).unwrap();
        let path = self.path("quiz.toml");
        let items = quiz::read("quiz.toml", "ch01-x", &path).unwrap();
        let text = std::fs::read_to_string(path).unwrap();
        items[0]
            .answer(&Readings::new(&verifier), &text)
            .map_err(|p| format!("{}:{}: {}", p.line, p.column, p.message))
    }

    /// The options as they are shown, with `=` before the right one.
    fn options(&self) -> Vec<String> {
        let answered = self.answer().unwrap();
        let mark = |right| if right { "=" } else { "" };
        answered.choices.iter().map(|c| format!("{}{}", mark(c.right), c.text)).collect()
    }
}

/// The reversal without its barrier, and without a reference.
fn bad() -> String {
    let text = REVERSE
        .replace("    __syncthreads();\n", "")
        .replace("//@ page", "//@ catch race\n//@ page");
    let text = text.replace("tile[63 - threadIdx.x];", "tile[63 - threadIdx.x]; //~ race");
    text.lines().filter(|line| !line.contains("expected")).map(|line| format!("{line}\n")).collect()
}

fn number(right: &str, wrong: [&str; 2]) -> String {
    format!(
        "[[item]]\nid = \"it\"\nask = \"How many?\"\nunit = \"sectors\"\nbecause = \"So.\"\n\
         reads = {{ one = \"counter kernels/1_gather.cu sectors_per_load stride=1\", \
         two = \"counter kernels/1_gather.cu sectors_per_load stride=2\" }}\n\
         right = \"{right}\"\n\
         wrong = [\n  {{ value = \"{}\", because = \"A.\" }},\n  {{ value = \"{}\", because = \"B.\" }},\n]\n",
        wrong[0], wrong[1]
    )
}

fn run(kernel: &str, more: &str, wrong: [&str; 2]) -> String {
    format!(
        "[[item]]\nid = \"it\"\nask = \"What?\"\nbecause = \"So.\"\nkernel = \"kernels/{kernel}.cu\"\n{more}\n\
         wrong = [\n  {{ outcome = \"{}\", because = \"A.\" }},\n  {{ outcome = \"{}\", because = \"B.\" }},\n]\n",
        wrong[0], wrong[1]
    )
}

const BARRIER: &str = "edit = [{ find = \"    __syncthreads();\\n\", replace = \"\" }]";

#[test]
fn a_number_is_computed_and_so_are_its_wrong_options() {
    let book = Book::with(&number("two", ["one", "32 * two"]));
    assert_eq!(book.options(), ["4 sectors", "=8 sectors", "256 sectors"]);
    let of_kernel = "[[item]]\nid = \"it\"\nask = \"How many?\"\nbecause = \"So.\"\n\
                     kernel = \"kernels/1_gather.cu\"\nat = \"stride=8\"\nn = 512\n\
                     right = \"global_load_sectors / global_load_requests\"\n\
                     wrong = [{ value = \"n\", because = \"A.\" }, { value = \"stride\", because = \"B.\" }]\n";
    assert_eq!(Book::with(of_kernel).options(), ["8", "=32", "512"]);
}

#[test]
fn options_of_a_number_must_differ_as_they_are_shown() {
    let said = Book::with(&number("two", ["one", "one + 4"])).answer().unwrap_err();
    assert_eq!(said, "10:13: `it`: this is 8 sectors, as the right option is: no two may be equal");
    let said = Book::with(&number("two", ["one + 100.001", "one + 100.002"])).answer().unwrap_err();
    assert!(
        said.ends_with("this is 104 sectors, as the other option is: no two may be equal"),
        "{said}"
    );
}

#[test]
fn an_outcome_is_what_the_checked_run_reports() {
    for (kernel, more, wrong, right) in [
        ("2_reverse", "", ["race", "bounds"], "=It passes."),
        ("2_reverse", BARRIER, ["passes", "bounds"], "=A finding: `race`."),
        (
            "2_reverse",
            "edit = [{ find = \"tile[63\", replace = \"tile[64\" }]",
            ["passes", "race"],
            "=A finding: `bounds`.",
        ),
        (
            "2_reverse",
            "edit = [{ find = \"= in[i];\", replace = \"= in[i] + 1;\" }]",
            ["passes", "race"],
            "=No finding, but a wrong result.",
        ),
        (
            "2_reverse",
            "edit = [{ find = \"= in[i];\", replace = \"= in[j];\" }]",
            ["passes", "race"],
            "=It does not compile.",
        ),
        (
            "2_reverse",
            "edit = [{ find = \"block = 64\", replace = \"block = 2048\" }]",
            ["passes", "race"],
            "=The launch fails.",
        ),
        ("bad_reverse", "", ["passes", "bounds"], "=A finding: `race`."),
    ] {
        let options = Book::with(&run(kernel, more, wrong)).options();
        assert_eq!(options.len(), 3);
        assert!(options.iter().any(|option| option == right), "{more}: {options:?}");
    }
}

#[test]
fn a_wrong_outcome_that_is_right_is_an_error_with_the_finding() {
    let said = Book::with(&run("2_reverse", BARRIER, ["passes", "race"])).answer().unwrap_err();
    assert!(
        said.starts_with("9:15: `it`: this is what the run reports: line 8, two warps"),
        "{said}"
    );
}

#[test]
fn an_edit_finds_its_text_once() {
    for (edit, wanted) in [
        (
            "{ find = \"__syncthread();\", replace = \"\" }",
            "does not hold this text; did you mean `__syncthreads();`?",
        ),
        ("{ find = \"int\", replace = \"\" }", "holds this text 9 times: add a neighbouring line"),
        ("{ find = \"//@ page\", replace = \"//@ pgae\" }", "after the edit: "),
    ] {
        let said = Book::with(&run("2_reverse", &format!("edit = [{edit}]"), ["passes", "race"]));
        let said = said.answer().unwrap_err();
        assert!(said.starts_with("6:") && said.contains(wanted), "{edit}: {said}");
    }
    let said = Book::with(&run("2_revers", "", ["passes", "race"])).answer().unwrap_err();
    assert!(said.starts_with("5:10:") && said.contains("mean `kernels/2_reverse.cu`?"), "{said}");
    let said = Book::with(&run("1_gather", "", ["passes", "race"])).answer().unwrap_err();
    assert!(said.contains("`stride` (1, 2, 8)") && said.contains("write `at ="), "{said}");
}

fn extreme(formula: &str, last: &str) -> String {
    let entry = |stride: u32| {
        format!(
            "  {{ at = \"stride={stride}\", says = \"{stride}\", because = \"Of {stride}.\" }},\n"
        )
    };
    format!(
        "[[item]]\nid = \"it\"\nask = \"Which?\"\nkernel = \"kernels/1_gather.cu\"\n{formula}\namong = [\n{}{}{last}]\n",
        entry(1),
        entry(8)
    )
}

#[test]
fn the_most_and_the_least_are_found_and_may_not_be_shared() {
    let last = "  { at = \"stride=2\", says = \"2\", because = \"Of 2.\" },\n";
    let mut options = Book::with(&extreme("most = \"sectors_per_load\"", last)).options();
    options.sort();
    assert_eq!(options, ["1", "2", "=8"]);
    let answered = Book::with(&extreme("least = \"sectors_per_load\"", last)).answer().unwrap();
    assert_eq!((answered.right().text.as_str(), answered.right().because.as_str()), ("1", "Of 1."));
    let said = Book::with(&extreme("most = \"global_store_sectors\"", last)).answer().unwrap_err();
    assert!(said.starts_with("5:8: `it`: two entries have the most of"), "{said}");
    let said = Book::with(&extreme("most = \"sectors_per_laod\"", last)).answer().unwrap_err();
    assert!(said.starts_with("5:9:") && said.contains("mean `sectors_per_load`?"), "{said}");
}

#[test]
fn the_lines_to_show_are_those_after_the_edit() {
    let show =
        |from: &str, to: &str| format!("{BARRIER}\nshow = {{ from = \"{from}\", to = \"{to}\" }}");
    let book = |show: &str| Book::with(&run("2_reverse", show, ["passes", "bounds"]));
    let listing = book(&show("__shared__", "out[i]")).answer().unwrap().listing.unwrap();
    assert_eq!((listing.first_line, listing.code.lines().count()), (6, 4));
    assert!(!listing.code.contains("__syncthreads"), "{}", listing.code);
    let one = book(&show("__shared__", "tile[64]")).answer().unwrap().listing.unwrap();
    assert_eq!(one.code, "    __shared__ int tile[64];");
    let said = book(&show("__syncthreads", "out[i]")).answer().unwrap_err();
    assert!(said.contains("no line of the code of"), "{said}");
    let said = book(&show("out[i]", "__shared__")).answer().unwrap_err();
    assert!(said.contains("no line after line 9 of"), "{said}");
}

#[test]
fn the_mark_of_a_defect_is_not_shown() {
    let show = "show = { from = \"__shared__\", to = \"out[i]\" }";
    let book = Book::with(&run("bad_reverse", show, ["passes", "bounds"]));
    let listing = book.answer().unwrap().listing.unwrap();
    assert!(listing.code.ends_with("    out[i] = tile[63 - threadIdx.x];"), "{}", listing.code);
}

#[test]
fn each_item_is_asked_once_in_its_chapter() {
    let book = Book::with(&number("two", ["one", "32"]));
    assert_eq!(book.item("quiz/quiz.toml").status, Status::Passed);
    let item = book.item("quiz/it");
    assert_eq!(item.status, Status::Passed, "{item:?}");
    assert_eq!(item.shown, ["   4 sectors  (A.)", "=> 8 sectors  (So.)", "   32 sectors  (B.)"]);
    for (page, wanted) in [
        (
            "# X\n\n`{{#quiz it}}`\n",
            "no page of the chapter asks `it`: add each to a line `{{#quiz it …}}`",
        ),
        ("# X\n\n{{#quiz it}}\n\n{{#quiz it}}\n", "the pages ask `it` 2 times; once is enough"),
    ] {
        book.write("README.md", page);
        let item = book.item("quiz/quiz.toml");
        assert_eq!((item.problems[0].line, item.problems[0].message.as_str()), (1, wanted));
    }
    book.write("quiz.toml", "[[item]]\nid = \"it\"\naks = \"What?\"\n");
    let item = book.item("quiz/quiz.toml");
    assert_eq!((item.problems[0].line, item.problems[0].column), (3, 1), "{item:?}");
}
