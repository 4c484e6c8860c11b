//! Generates the tables of the appendix's page on what the simulator supports.
//!
//! The generated part stands between two marks. The table of accuracies is what `accuracy.rs`
//! measured.

use crate::world::compile;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::PathBuf;

const BEGIN: &str =
    "<!-- What follows is written by `UPDATE_EXPECT=1 cargo test -p simt-host supported`. -->\n";
const END: &str = "<!-- Up to here. -->\n";

/// The package's folder: the executable may run elsewhere than it was built.
fn package() -> PathBuf {
    let told = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    told.unwrap_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")))
}

/// The names of a list of signatures, each stem with its endings: `__fadd_{rd,rn,ru,rz}`.
fn families(list: &str) -> String {
    let mut stems: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for line in list.lines() {
        let name = line.split('(').next().unwrap().rsplit(' ').next().unwrap();
        let ending = ["_rd", "_rn", "_ru", "_rz"].iter().find(|e| name.ends_with(**e));
        let digit = name.starts_with("__v") && name.ends_with(['2', '4']);
        let (stem, ending) = match ending {
            Some(e) => (&name[..name.len() - 2], &e[1..]),
            None if digit => name.split_at(name.len() - 1),
            None => (name, ""),
        };
        stems.entry(stem.to_string()).or_default().insert(ending.to_string());
    }
    let spell = |(stem, ends): (&String, &BTreeSet<String>)| {
        let ends: Vec<&str> = ends.iter().map(String::as_str).collect();
        match ends.as_slice() {
            [one] => format!("`{stem}{one}`"),
            many => format!("`{stem}{{{}}}`", many.join(",")),
        }
    };
    stems.iter().map(spell).collect::<Vec<_>>().join(", ")
}

/// What the golden files of refused texts say is not supported.
fn refused() -> BTreeSet<String> {
    let mut out = BTreeSet::new();
    for entry in std::fs::read_dir(package().join("../simt/tests/compile/fail")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|e| e == "out") {
            for line in std::fs::read_to_string(path).unwrap().lines() {
                if let Some((_, what)) = line.split_once("the simulator does not support ") {
                    out.insert(what.to_string());
                }
            }
        }
    }
    out
}

/// The words of a refusal, and a program whose host code has what is refused. Beside these there are the headers;
/// what is left is of kernels alone.
const ON_THE_HOST: [(&str, &str); 8] = [
    (
        "`auto` as the type of what has no initial value",
        "auto down(int n) { return n == 0 ? 0 : down(n - 1); }\nint main() { return down(0); }",
    ),
    (
        "`std::riemann_zeta` (the C++ library)",
        "#include <cmath>\nint main() { return std::riemann_zeta(2.0) < 1; }",
    ),
    ("`texture` (texture references)", "texture<float, 1> t;\nint main() {}"),
    (
        "a bit-field in the same word as a member that is none",
        "struct S { char c; unsigned a : 3; };\nint main() { S s{}; return s.a; }",
    ),
    (
        "a member in the same word as bit-fields",
        "struct S { unsigned a : 20; char c; };\nint main() { S s{}; return s.a; }",
    ),
    (
        "a temporary with a destructor in a part of an expression that not every thread computes",
        "struct S { int x; ~S() {} };\nint main(int n, char**) { return n > 1 ? S{n}.x : 0; }",
    ),
    ("exceptions", "int main() { try { throw 1; } catch (int) {} }"),
    (
        "static members that are no constants",
        "struct S { static int x; };\nint S::x;\nint main() {}",
    ),
];

/// Whether the host code of a program is refused this, too.
fn refused_on_the_host(what: &str) -> bool {
    let program = match what.strip_prefix("the header ") {
        Some(header) => format!("#include {header}\nint main() {{}}"),
        None => match ON_THE_HOST.iter().find(|(words, _)| *words == what) {
            Some((_, program)) => (*program).to_owned(),
            None => return false,
        },
    };
    let refusal = format!("the simulator does not support {what}");
    compile("program.cu", &program).err().is_some_and(|said| said.contains(&refusal))
}

fn part() -> String {
    // A header's name is no HTML tag.
    let header = |what: &str| match what.split_once(" <") {
        Some((before, name)) if name.ends_with('>') => format!("{before} `<{name}`"),
        _ => what.to_owned(),
    };
    let mut out = String::new();
    let headers = |names: Vec<String>| {
        let names: BTreeSet<String> = names.into_iter().collect();
        names.into_iter().map(|n| format!("`<{n}>`")).collect::<Vec<_>>().join(", ")
    };
    let own = simt::headers().into_iter().map(str::to_owned).collect();
    writeln!(out, "### Headers\n\nIn a kernel file: {}.\n", headers(own)).unwrap();
    writeln!(out, "In a program with a `main` also: {}.\n", headers(simt_host::headers())).unwrap();
    writeln!(out, "### CUDA's functions on numbers\n").unwrap();
    writeln!(
        out,
        "Every function on numbers that CUDA 13.0's headers declare for kernels is there; a test calls each.\n"
    )
    .unwrap();
    for (title, list) in [
        ("Without a header", include_str!("../../../simt/tests/declared/numbers.txt")),
        (
            "From <code>&lt;cuda_fp16.h&gt;</code>",
            include_str!("../../../simt/tests/declared/half.txt"),
        ),
        (
            "From <code>&lt;cuda_bf16.h&gt;</code>",
            include_str!("../../../simt/tests/declared/bfloat16.txt"),
        ),
    ] {
        writeln!(out, "<details><summary>{title}</summary>\n\n{}.\n", families(list)).unwrap();
        writeln!(out, "</details>\n").unwrap();
    }
    writeln!(out, "### How exact they are\n").unwrap();
    let errors = package().join("../simt/tests/math/errors.md");
    writeln!(out, "{}", std::fs::read_to_string(errors).unwrap()).unwrap();
    writeln!(out, "### Inline PTX\n").unwrap();
    let instructions = simt::ptx_instructions().into_iter().map(|name| format!("`{name}`"));
    writeln!(out, "{}.\n", instructions.collect::<Vec<_>>().join(", ")).unwrap();
    writeln!(out, "### Refused by name\n").unwrap();
    let all = refused();
    for (words, _) in ON_THE_HOST {
        assert!(all.contains(words), "no text is refused for {words}");
    }
    let (everywhere, kernels): (Vec<_>, Vec<_>) =
        all.into_iter().partition(|what| refused_on_the_host(what));
    for (place, list) in [
        ("In kernels and in kernel files", kernels),
        ("Everywhere, so also in the host code of a program", everywhere),
    ] {
        writeln!(out, "{place}:\n").unwrap();
        for what in list {
            writeln!(out, "- {}", header(&what)).unwrap();
        }
        writeln!(out).unwrap();
    }
    out.truncate(out.trim_end().len() + 1);
    out
}

#[test]
fn the_page_says_what_the_code_does() {
    let page = package().join("../../chapters/appendix/supported.md");
    let text = std::fs::read_to_string(&page).unwrap();
    let (before, rest) = text.split_once(BEGIN).expect("the page has the first mark");
    let (_, after) = rest.split_once(END).expect("the page has the second mark");
    let generated = part();
    expect_test::expect_file![page]
        .assert_eq(&format!("{before}{BEGIN}\n{generated}\n{END}{after}"));
}
