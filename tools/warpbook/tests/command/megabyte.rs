//! Texts of a megabyte of many shapes. Each is read, or refused with a message, within seconds of
//! processor time.
//!
//! All of them take minutes: `cargo test -p warpbook --test command megabyte:: -- --ignored --nocapture`
//! prints how long each took, the slowest last. `SHAPE=cases` runs those whose name contains it.

use crate::tiny::{KERNEL, PAGE, TWICE, Tiny, executable};
use std::process::{Command, Stdio};

/// How long a text is, in bytes.
const SIZE: usize = 1 << 20;

/// Seconds of processor time of a process: five of an optimised one.
const LIMIT: u64 = if cfg!(debug_assertions) { 40 } else { 5 };

/// From here on a shell's exit codes say that the command did not run, or that a signal ended it.
const COMMAND_NOT_RUN: i32 = 126;

/// Where a text stands.
#[derive(Clone, Copy)]
enum Kind {
    /// In a program, before `main`.
    Before,
    /// In the body of `main`, behind `int x = argc, y = 2;`.
    Host,
    /// In the body of a kernel that has `int* p, int x`.
    Device,
    /// The directives of a kernel file.
    Directives,
    Page,
    Summary,
    Book,
    Results,
    Claims,
}
use Kind::{Before, Book, Claims, Device, Directives, Host, Page, Results, Summary};

/// The unit as often as fits; `@` is its number.
fn times(unit: &str) -> String {
    let mut text = String::with_capacity(SIZE + unit.len());
    let mut number = 0;
    while text.len() < SIZE {
        if unit.contains('@') {
            text += &unit.replace('@', &number.to_string());
        } else {
            text += unit;
        }
        number += 1;
    }
    text
}

/// As many pairs around the middle as fit.
fn nested(open: &str, middle: &str, close: &str) -> String {
    let depth = SIZE / (open.len() + close.len());
    format!("{}{middle}{}", open.repeat(depth), close.repeat(depth))
}

fn around(before: &str, unit: &str, after: &str) -> String {
    format!("{before}{}{after}", times(unit))
}

/// Text outside of functions.
fn declarations() -> Vec<(&'static str, String)> {
    vec![
        ("functions", times("int f@(int a) { return a + @; }\n")),
        ("device functions", times("__device__ int f@(int a) { return a + @; }\n")),
        ("kernels", times("__global__ void k@(int* p) { p[0] = @; }\n")),
        ("prototypes", times("int f@(int);\n")),
        ("overloads", times("struct S@ { }; int f(S@) { return @; }\n")),
        ("classes", times("struct S@ { int a; int get() { return a; } };\n")),
        ("class templates", times("template<class T> struct S@ { T a; };\n")),
        ("function templates", times("template<class T> T f@(T a) { return a; }\n")),
        (
            "specialisations",
            around("template<int N> struct S { };\n", "template<> struct S<@> { int a; };\n", ""),
        ),
        ("instances", around("template<int N> struct S { int a[N + 1]; };\n", "S<@> s@;\n", "")),
        ("members", around("struct S {", "int a@;", "};")),
        ("methods", around("struct S {", "int m@() { return @; }\n", "};")),
        ("constants of a class", around("struct S { enum {", "e@,", "}; };")),
        ("bit fields", around("struct S {", "int a@ : 3;", "};")),
        ("enumerators", around("enum E {", "e@,", "};")),
        ("enumerations", times("enum E@ { a@ = @, b@ };\n")),
        ("types by types", around("typedef int t0;", "typedef int t@x;", "")),
        ("variables", times("int g@ = @;\n")),
        ("device variables", times("__device__ int g@ = @;\n")),
        ("constants by constants", times("constexpr int c@ = @ * 2 + 1;\n")),
        ("assertions", times("static_assert(@ >= 0, \"\");\n")),
        ("namespaces", times("namespace n@ { int x; }\n")),
        ("one namespace", times("namespace n { int x@; }\n")),
        ("using", around("namespace n { int x; }\n", "using n::x;\n", "")),
        ("using namespaces", around("namespace n { int x; }\n", "using namespace n;\n", "")),
        ("values", around("int a[] = {", "@,", "};")),
        ("nested values", around("int a[][2] = {", "{@,1},", "};")),
        ("values of classes", around("struct P { int a, b; };\nP p[] = {", "{@,1},", "};")),
        ("characters", around("char a[] = {", "'a',", "};")),
        ("texts", times("const char* s@ = \"a text\";\n")),
        ("a long text", around("const char* s = \"", "a text ", "\";\n")),
        ("a text in parts", around("const char* s =", "\"a\" ", ";\n")),
        ("escapes", around("const char* s = \"", "\\x41\\n", "\";\n")),
        ("a raw text", around("const char* s = R\"x(", "a\n", ")x\";\n")),
        ("line comments", times("// a comment\n")),
        ("block comments", times("/* a comment */")),
        ("a block comment", around("/*", "* / ", "*/")),
        ("empty lines", times("\n")),
        ("blanks", times(" \t")),
        ("continued lines", times("\\\n")),
        ("a continued name", around("int a", "\\\nb", ";\n")),
        ("macros", times("#define M@ @\n")),
        ("macros of macros", around("#define M0 1\n", "#define M@x M@\n", "")),
        ("expansions", around("#define M(a) int a;\n", "M(x@)\n", "")),
        ("empty expansions", around("#define M\n", "M ", "\n")),
        ("an expansion of many arguments", around("#define M(...) \nM(", "a,", "b)\n")),
        ("a long macro", around("#define M ", "1 + ", "1\nint x = M;\n")),
        ("redefinitions", times("#define M 1\n#undef M\n")),
        ("conditions", times("#if 1\n#endif\n")),
        ("false conditions", times("#if 0\nx\n#endif\n")),
        ("alternatives", around("#if 0\n", "#elif 0\n", "#endif\n")),
        ("deep conditions", nested("#if 1\n", "", "#endif\n")),
        ("a long condition", around("#if ", "1 || ", "1\n#endif\n")),
        ("pragmas", times("#pragma once\n")),
        ("includes of nothing", times("#include <no@>\n")),
        ("deep namespaces", nested("namespace a {", "", "}")),
        ("deep classes", nested("struct A {", "", "};")),
        (
            "deep template arguments",
            format!("template<class T> struct A {{ }};\n{} a;", nested("A<", "int", ">")),
        ),
        ("pointers", around("int ", "*", "p;")),
        ("array bounds", around("int a", "[1]", ";")),
        ("parameters", around("void f(", "int a@,", "int z);")),
        ("template parameters", around("template<", "int A@,", "int Z> struct S { };")),
        ("a parameter pack", around("template<class... T> struct S { };\nS<", "int,", "int> s;")),
        ("base classes", around("struct B { };\nstruct S : ", "B,", "B { };")),
        ("attributes", around("", "__device__ ", "int a;")),
        ("a long name", around("int ", "name", ";\n")),
        ("names that differ at the end", times(&format!("int {}@;\n", "a".repeat(500)))),
        ("letters of all kinds", around("int ", "é", ";\n")),
        ("stray characters", times("é@ ")),
        ("unclosed brackets", times("(")),
        ("closing brackets", times(")")),
        ("semicolons", times(";")),
        ("unknown names", times("a@ b@;\n")),
        ("digits", around("int a = ", "1", ";")),
        ("decimals", around("double a = 0.", "1", ";")),
        ("nulls", times("\0")),
        ("quotes", times("\"\n")),
        ("hashes", times("#\n")),
        (
            "texts of assembly",
            around("__global__ void k() { asm(\"", "{ .reg .u32 r; mov.u32 r, 1; }", "\"); }"),
        ),
    ]
}

/// Classes of many members, and what names them.
fn large_classes() -> Vec<(&'static str, String)> {
    vec![
        ("members defined outside", {
            let methods: String = (0..18_000).map(|i| format!("int m{i}();")).collect();
            let bodies: String =
                (0..18_000).map(|i| format!("int S::m{i}() {{ return 1; }}\n")).collect();
            format!("struct S {{ {methods} }};\n{bodies}")
        }),
        ("classes of a large base", {
            let methods: String = (0..30_000).map(|i| format!("int m{i}();")).collect();
            let derived: String =
                (0..20_000).map(|i| format!("struct D{i} : S {{ }};\n")).collect();
            format!("struct S {{ {methods} }};\n{derived}")
        }),
        ("aliases of a large class", {
            let types: String = (0..25_000).map(|i| format!("using t{i} = int;")).collect();
            let aliases: String = (0..25_000).map(|i| format!("using A{i} = S;\n")).collect();
            format!("struct S {{ {types} }};\n{aliases}")
        }),
    ]
}

/// Many of one kind in one place, and as many of what looks at each of them.
fn many_by_many() -> Vec<(&'static str, String)> {
    let many = |count: u32, unit: &str| -> String {
        (0..count).map(|i| unit.replace('@', &i.to_string())).collect()
    };
    vec![
        (
            "constants and methods of a class",
            format!(
                "struct S {{ enum {{ {} }}; {} }};",
                many(30_000, "e@,"),
                many(30_000, "int m@() { return 1; }\n")
            ),
        ),
        (
            "constants of a class and calls of its method",
            format!(
                "struct S {{ enum {{ {} }}; int m() {{ return 1; }} }};\n\
                 int f(S s) {{ int r = 0; {} return r; }}",
                many(30_000, "e@,"),
                many(30_000, "r += s.m();\n")
            ),
        ),
        (
            "constants of a class and classes of another base",
            format!(
                "struct S {{ enum {{ {} }}; }}; struct B {{ }};\n{}",
                many(60_000, "e@,"),
                many(60_000, "struct D@ : B { };\n")
            ),
        ),
        (
            "static members of a class",
            format!("struct S {{ {} }};", many(60_000, "static int m@;\n")),
        ),
        (
            "static members defined outside",
            format!(
                "struct S {{ {} }};\n{}",
                many(60_000, "static int m@;\n"),
                many(60_000, "int S::m@ = @;\n")
            ),
        ),
        (
            "classes in a class",
            format!("struct S {{ {} }};", many(60_000, "struct T@ { int a; };\n")),
        ),
        (
            "constructors and objects",
            format!(
                "{} struct S {{ {} }};\nvoid f() {{ {} }}",
                many(30_000, "struct A@ { };"),
                many(30_000, "S(A@) { }\n"),
                many(30_000, "S s@(A@{});\n")
            ),
        ),
        (
            "conversions of a class",
            format!(
                "{} struct S {{ {} }};\n{}",
                many(20_000, "struct A@ { };"),
                many(20_000, "operator A@() { return A@(); }\n"),
                many(20_000, "void f@(S s) { A@ a = s; }\n")
            ),
        ),
        (
            "functions of a name and calls of it",
            format!(
                "{} int g(S0 a) {{ int r = 0; {} return r; }}",
                many(1_000, "struct S@ { }; int f(S@) { return @; }\n"),
                many(60_000, "r += f(a);\n")
            ),
        ),
        (
            "operators of a name and their uses",
            format!(
                "{} int g(S0 a) {{ int r = 0; {} return r; }}",
                many(1_000, "struct S@ { }; int operator+(S@, int) { return @; }\n"),
                many(60_000, "r += a + 1;\n")
            ),
        ),
        (
            "copies of a large class",
            format!(
                "struct S {{ {} }}; void f() {{ S s; {} }}",
                many(4_000, "int a@;"),
                many(50_000, "{ S t = s; s = t; }\n")
            ),
        ),
    ]
}

/// Text inside a function, of the host or of the device.
fn statements() -> Vec<(&'static str, String)> {
    vec![
        ("statements", times("x = x + 1;\n")),
        ("statements in a line", times("x=y;")),
        ("locals", times("int a@ = x;\n")),
        ("locals and branches", times("int a@ = x; if (x) y = a@;\n")),
        ("locals that are assigned later", times("int a@; a@ = x;\n")),
        ("arrays", times("int a@[4];\n")),
        ("blocks", times("{ int a = x; x = a; }\n")),
        ("deep blocks", nested("{", "x = 1;", "}")),
        ("parentheses", format!("x = {};", nested("(", "1", ")"))),
        ("indices", format!("int a[1] = {{0}}; x = {};", nested("a[", "0", "]"))),
        ("calls in calls", format!("x = {};", nested("abs(", "x", ")"))),
        ("signs", around("x = ", "-~", "x;")),
        ("casts", around("x = ", "(int)", "x;")),
        ("a sum", around("x = ", "x + ", "1;")),
        ("a sum of products", around("x = ", "x * y + ", "1;")),
        ("a sum of calls", around("x = ", "abs(x) + ", "1;")),
        ("commas", around("x = 1", ", x = 2", ";")),
        ("assignments", around("", "x = ", "1;")),
        ("conditions", around("x = ", "x == @ ? @ : ", "1;")),
        ("ands", around("x = ", "x && ", "1;")),
        ("ifs", times("if (x) y = @;\n")),
        ("else ifs", around("", "if (x == @) y = @; else ", ";")),
        ("deep ifs", around("", "if (x) ", ";")),
        ("loops", times("for (int i = 0; i < 1; i++) x = i;\n")),
        ("deep loops", around("", "for (;;) ", ";")),
        ("float sums", around("float f = x; f = f * f;", "f = f + y;\n", "x = f;")),
        ("float products", around("float f = x;", "f = f * y;\n", "x = f;")),
        ("float products and sums", around("float f = x;", "f = f * y + 1;\n", "x = f;")),
        ("float products used elsewhere", {
            let line =
                |i: u32| format!("float p{i} = f * (y + {i}); if (x == {i}) f = f + p{i};\n");
            format!("float f = x; {} x = f;", (0..8_000).map(line).collect::<String>())
        }),
        ("float products used later", {
            let products: String =
                (0..8_000).map(|i| format!("float p{i} = f * (y + {i});\n")).collect();
            let sums: String = (0..8_000).map(|i| format!("f = f + p{i};\n")).collect();
            format!("float f = x; {products} if (x) {{ {sums} }} x = f;")
        }),
        ("cases", around("switch (x) {", "case @: y = @; break;\n", "}")),
        ("empty cases", around("switch (x) {", "case @:", "; }")),
        ("equal cases", around("switch (x) {", "case 1: ;\n", "}")),
        ("switches", times("switch (x) { case @: y = 1; }\n")),
        ("labels", times("l@: x = 1;\n")),
        ("jumps", around("", "goto l;\n", "l: ;")),
        ("jumps to labels", times("l@: if (x == -@) goto l@;\n")),
        ("jumps forwards", around("", "if (x == @) goto l; if (y) goto m;\n", "l: m: ;")),
        ("lambdas", times("auto f@ = [=](int a) { return a + x; };\n")),
        ("deep lambdas", nested("[&] {", "x = 1;", "}();")),
        ("captures", around("", "int a@ = 1;\n", "auto f = [=] { return x; }; x = f();")),
        ("returns", times("if (x) return;\n").replace("return;", "y = 1;")),
        ("texts printed", times("printf(\"a %d\\n\", x);\n")),
        ("arguments printed", around("printf(\"\"", ", x", ");")),
        ("assembly", times("asm(\"add.s32 %0, %0, 1;\" : \"+r\"(x));\n")),
        ("unknown calls", times("unknown@(x);\n")),
        ("unused values", times("x == y;\n")),
        ("types", times("struct S@ { int a; };\n")),
        ("instances of a function template", times("y = max((long)x, (long)@);\n")),
        ("dots", around("x = x", ".a", ";")),
        ("arrows", around("x = x", "->a", ";")),
        ("scopes", around("x = ", "a::", "b;")),
        ("objects with destructors and ways out", {
            let objects: String =
                (0..8_000).map(|i| format!("T t{i}{{&x}}; if (x == {i}) break;\n")).collect();
            let class = "struct T { int* p; __host__ __device__ ~T() { *p = 1; } };";
            format!("{class} for (;;) {{ {objects} break; }}")
        }),
        ("asserts", times("assert(x != -@);\n")),
        ("constants", times("constexpr int c@ = @ + 1;\n")),
        ("shared arrays", times("static int s@[2];\n")),
    ]
}

/// The directives and the pages of a book.
fn of_a_book() -> Vec<(&'static str, Kind, String)> {
    vec![
        ("many tests", Directives, around("//@ test ", "1, ", "1\n")),
        ("a long size", Directives, around("//@ test ", "1 + ", "1\n")),
        ("a deep size", Directives, format!("//@ test {}\n", nested("(", "1", ")"))),
        ("values that vary", Directives, around("//@ vary a = ", "@, ", "1\n")),
        ("arrays", Directives, times("//@ input a@: int[n] = iota\n")),
        ("names", Directives, times("//@ let a@ = n\n")),
        ("unknown words", Directives, times("//@ x@\n")),
        ("essay", Directives, times("//! a line of *words*\n")),
        ("marks", Directives, times("// x //~ race\n")),
        ("arguments", Directives, around("//@ launch twice(", "in, ", "n) grid = 1, block = 1\n")),
        ("words", Page, times("a word and *one* with `code`. ")),
        ("paragraphs", Page, times("a word\n\n")),
        ("headings", Page, times("## a\n\n")),
        ("other headings", Page, times("## a @\n\n")),
        ("lists", Page, times("- a\n")),
        ("deep lists", Page, times("- ")),
        ("deep quotes", Page, times("> ")),
        ("indented lists", Page, {
            let lines: String = (0..1_000).map(|i| format!("{}- a\n", "  ".repeat(i))).collect();
            lines
        }),
        ("numbered lists", Page, times("@. a\n")),
        ("stars", Page, times("*a **b ")),
        ("underscores", Page, times("_a __b ")),
        ("links", Page, times("[a](b@.html) ")),
        ("open links", Page, times("[a](")),
        ("open brackets", Page, times("[")),
        ("deep links", Page, nested("[", "a", "](b)")),
        ("references", Page, times("[a@]: b\n")),
        ("uses of references", Page, around("[a]: b\n\n", "[a] ", "\n")),
        ("footnotes", Page, times("[^@]: a\n\n")),
        ("tables", Page, times("| a | b |\n|---|---|\n| 1 | 2 |\n\n")),
        ("a long table", Page, around("| a | b |\n|---|---|\n", "| 1 | 2 |\n", "")),
        ("a wide table", Page, format!("|{}\n|{}\n", "a|".repeat(SIZE / 4), "-|".repeat(SIZE / 4))),
        ("elements", Page, times("<b>a</b> ")),
        ("open elements", Page, times("<b><i>")),
        ("deep elements", Page, nested("<div>", "a", "</div>")),
        ("open comments", Page, times("<!-- ")),
        ("entities", Page, times("&amp;&#65;")),
        ("backticks", Page, times("`")),
        ("code", Page, times("`a` ")),
        ("rules", Page, times("---\n\n")),
        ("blank lines", Page, times("\n")),
        ("one line", Page, times("a")),
        ("fences", Page, times("```cuda\n__global__ void f() { }\n```\n\n")),
        ("fences of nothing", Page, times("```\na\n```\n\n")),
        ("a long fence", Page, around("```cuda\n", "__device__ int f@() { return 1; }\n", "```\n")),
        ("unknown directives", Page, times("{{#kernal a}}\n\n")),
        ("directives", Page, times("{{#kernel kernels/1_twice.cu}}\n\n")),
        ("directives in a line", Page, times("{{#counter kernels/1_twice.cu instructions}} ")),
        ("open directives", Page, times("{{#")),
        ("includes", Page, times("{{#include ../other.md}}\n\n")),
        ("includes of nothing", Page, times("{{#include no@.md}}\n\n")),
        ("open includes", Page, times("{{#include a ")),
        ("questions", Page, times("a {{#question a@}} ")),
    ]
}

/// The other texts of a book.
fn of_other_files() -> Vec<(&'static str, Kind, String)> {
    vec![
        ("pages", Summary, times("- [a](a@.md)\n")),
        ("the same page", Summary, times("- [a](other.md)\n")),
        ("drafts", Summary, times("- [a]()\n")),
        ("parts", Summary, times("# A\n\n- [a]()\n\n")),
        ("deep pages", Summary, {
            let lines: String =
                (0..1_000).map(|i| format!("{}- [a]()\n", "  ".repeat(i))).collect();
            lines
        }),
        ("outside", Summary, times("- [a](../a@.md)\n")),
        ("keys", Book, times("a@ = 1\n")),
        ("tables of keys", Book, times("[a@]\nb = 1\n")),
        ("deep tables", Book, around("", "a.", "b = 1\n")),
        ("deep lists of values", Book, format!("a = {}\n", nested("[", "1", "]"))),
        ("files", Book, around("[output.html]\nadditional-css = [", "\"a@.css\",", "]\n")),
        (
            "files outside",
            Book,
            around("[output.html]\nadditional-css = [", "\"../a@.css\",", "]\n"),
        ),
        (
            "redirections",
            Book,
            around("[output.html.redirect]\n", "\"/a@.html\" = \"b.html\"\n", ""),
        ),
        ("deep data", Results, nested("[", "1", "]")),
        ("unknown data", Results, around("{", "\"a@\": 1, ", "\"b\": 1}")),
        (
            "kernels recorded",
            Results,
            format!(
                "{{ \"machine\": {MACHINE}, \"baselines\": {{}}, \"kernels\": {{ {} }} }}",
                around(
                    "",
                    "\"k@\": { \"key\": \"a\", \"resources\": [], \"sizes\": {} },",
                    "\"z\": { \"key\": \"a\", \"resources\": [], \"sizes\": {} }"
                )
            ),
        ),
        ("a long text", Results, around("\"", "a", "\"")),
        ("claims", Claims, times("[[claim]]\nid = \"a@\"\n")),
        ("unknown keys", Claims, times("[[claim]]\na@ = 1\n")),
        ("values in a line", Claims, around("claim = [", "@, ", "1]\n")),
    ]
}

const MACHINE: &str = r#"{ "gpu": "NVIDIA H200", "compute_capability": "9.0", "multiprocessors": 132,
    "driver": "1", "compiler": "1", "flags": [], "clock_mhz": 1980.0, "memory_peak_gbps": 4800.0,
    "date": "2026-11-21", "commit": "uncommitted" }"#;

fn all() -> Vec<(String, Kind, String)> {
    let mut all = Vec::new();
    for (name, text) in declarations().into_iter().chain(large_classes()).chain(many_by_many()) {
        all.push((format!("declarations: {name}"), Before, text));
    }
    for (name, text) in statements() {
        all.push((format!("host: {name}"), Host, text.clone()));
        all.push((format!("device: {name}"), Device, text));
    }
    for (name, kind, text) in of_a_book().into_iter().chain(of_other_files()) {
        let of = match kind {
            Directives => "directives",
            Page => "page",
            Summary => "SUMMARY.md",
            Book => "book.toml",
            Results => "results",
            _ => "claims",
        };
        all.push((format!("{of}: {name}"), kind, text));
    }
    all
}

/// The sum of a line of the shell's `times`: `1m2.50s 0m0.10s`.
fn seconds(line: &str) -> f64 {
    let of = |time: &str| {
        let (minutes, seconds) = time.trim_end_matches('s').split_once('m')?;
        Some(minutes.parse::<f64>().ok()? * 60.0 + seconds.parse::<f64>().ok()?)
    };
    line.split(' ').filter_map(of).sum()
}

/// Seconds of processor time that the command took, and the first line of its messages.
fn read(kind: Kind, text: &str) -> (f64, String) {
    const HEAD: &str =
        "#include <cstdio>\n#include <cassert>\n#include <algorithm>\nusing std::max;\n";
    let tiny = Tiny::new();
    match kind {
        Before => tiny.write("a.cu", &format!("{HEAD}{text}\nint main() {{ return 0; }}\n")),
        Host => tiny.write(
            "a.cu",
            &format!("{HEAD}int main(int argc, char** argv) {{ int x = argc, y = 2;\n{text}\nreturn 0; }}\n"),
        ),
        Device => tiny.write(
            "a.cu",
            &format!(
                "{HEAD}__global__ void k(int* p, int x) {{ int y = 2;\n{text}\np[0] = x + y; }}\n\
                 int main() {{ int* p; cudaMalloc(&p, 4); k<<<1, 32>>>(p, 1); return 0; }}\n"
            ),
        ),
        Directives => tiny.write(KERNEL, &format!("{text}{TWICE}")),
        Page => tiny.write(PAGE, text),
        Summary => tiny.write("chapters/SUMMARY.md", &format!("# Summary\n\n{text}")),
        Book => tiny.write("book.toml", &format!("{text}\n[build]\ncreate-missing = false\n")),
        Results => tiny.write("chapters/ch01-tiny/results/h200.json", text),
        Claims => {
            tiny.write("chapters/ch01-tiny/claims.toml", text);
            tiny.write(PAGE, "# Tiny\n\n{{#claims}}\n");
        }
    }
    let arguments: &[&str] = match kind {
        Before | Host | Device => &["run", "--threads", "1", "a.cu"],
        _ => &["build"],
    };
    // The shell says how much processor time all processes took.
    let script = format!(
        "ulimit -v 4000000 && ulimit -t {LIMIT}; \"$0\" \"$@\"; code=$?; times >&2; exit $code"
    );
    let mut command = Command::new("sh");
    command.args(["-c", &script]).arg(executable()).args(arguments);
    let output = command.current_dir(tiny.path("")).stdin(Stdio::null()).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    let seconds = said.lines().last().map_or(0.0, seconds);
    let first = said.lines().find(|line| line.contains("error")).unwrap_or_default();
    let first: String = first.chars().take(100).collect();
    // The shell gives its own name to the end by a signal; a child's end is in the message.
    let ended = output.status.code().is_some_and(|code| code < COMMAND_NOT_RUN);
    assert!(
        ended && !first.contains("ended the verifying process"),
        "{}: {first} {seconds:.1} s",
        output.status
    );
    (seconds, first)
}

#[test]
#[ignore = "it takes minutes; `.ci/run bombs` runs it"]
fn a_megabyte_of_any_shape_is_read_or_refused_within_seconds() {
    let wanted = std::env::var("SHAPE").unwrap_or_default();
    let mut times = Vec::new();
    let mut broken = Vec::new();
    for (name, kind, text) in all().into_iter().filter(|(name, ..)| name.contains(&wanted)) {
        match std::panic::catch_unwind(|| read(kind, &text)) {
            Ok((seconds, said)) => {
                eprintln!("{seconds:>6.1} s  {name}: {said}");
                times.push((seconds, name));
            }
            Err(why) => broken.push(format!("{name}: {:?}", why.downcast_ref::<String>())),
        }
    }
    times.sort_by(|a, b| a.0.total_cmp(&b.0));
    let slowest = times.iter().rev().take(10).rev();
    slowest.for_each(|(seconds, name)| eprintln!("{seconds:>6.1} s  {name}"));
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}
