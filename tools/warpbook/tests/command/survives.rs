//! Texts that are made to end, fill or hang whoever reads them, saved under `serve` one after the other:
//! the server answers, and the next good text is shown.
//!
//! All of them take minutes: `cargo test -p warpbook --test command survives:: -- --ignored --nocapture`
//! prints how long each took. `FROM=84` begins with the 84th. A few run in every test.

use crate::serve::{Events, Served};
use crate::tiny::{KERNEL, PAGE, TWICE, Tiny};
use std::time::Instant;

/// What is saved.
enum Bomb {
    /// As the kernel.
    Kernel(String),
    /// As the page.
    Page(String),
}

/// A line of the kernel that its page shows.
const ESSAY: &str = "Doubles every number.";

/// The kernel with this in front of its code.
fn before(text: &str) -> Bomb {
    Bomb::Kernel(
        TWICE.replace("extern \"C\" __global__", &format!("{text}\nextern \"C\" __global__")),
    )
}

/// The kernel with this at the start of its body.
fn inside(text: &str) -> Bomb {
    Bomb::Kernel(TWICE.replace("    int i =", &format!("    {text}\n    int i =")))
}

/// The kernel with a line of its directives replaced.
fn directive(old: &str, new: &str) -> Bomb {
    assert!(TWICE.contains(old), "{old}");
    Bomb::Kernel(TWICE.replace(old, new))
}

fn page(text: &str) -> Bomb {
    Bomb::Page(format!("# Tiny\n\n{{{{#kernel kernels/1_twice.cu}}}}\n\n{text}\n"))
}

/// A text in the middle of so many pairs.
fn nested(open: &str, middle: &str, close: &str, depth: usize) -> String {
    format!("{}{middle}{}", open.repeat(depth), close.repeat(depth))
}

/// A macro whose expansion doubles at each level.
fn macros(body: &str, levels: usize) -> String {
    let mut text = "#define C(a, b) a##b\n#define S(a) #a\n#define P0(x) x\n".to_owned();
    for level in 1..=levels {
        text += &format!("#define P{level}(x) {}\n", body.replace('@', &format!("P{}", level - 1)));
    }
    format!(
        "{text}__device__ const char* bomb = S(P{levels}(x)); __device__ int more = P{levels}(1);"
    )
}

fn types(depth: usize) -> String {
    format!(
        "template<class A, class B> struct P {{}};\n\
         template<class T, int N> struct R {{ using type = typename R<P<T, T>, N - 1>::type; }};\n\
         template<class T> struct R<T, 0> {{ using type = T; }};\n\
         __device__ R<int, {depth}>::type bomb;"
    )
}

fn numbered(count: usize, make: impl Fn(usize) -> String) -> String {
    (0..count).map(make).collect()
}

/// What the front end reads.
fn of_the_language() -> Vec<(String, Bomb)> {
    let mut all: Vec<(String, Bomb)> = Vec::new();
    let mut add = |name: &str, bomb: Bomb| all.push((name.to_owned(), bomb));
    for depth in [20, 60, 500] {
        add(&format!("types doubled {depth} times"), before(&types(depth)));
        let fence = format!("```cuda\n{}\n```", types(depth));
        add(&format!("types doubled {depth} times in a fence"), page(&fence));
    }
    for levels in [16, 30, 60] {
        for (name, body) in [
            ("pasted", "@(C(x,x))"),
            ("in strings", "@(S(x) S(x))"),
            ("twice", "@(x) @(x)"),
            ("thrice", "@(@(@(x)))"),
        ] {
            add(&format!("macros {name}, {levels} levels"), before(&macros(body, levels)));
        }
    }
    for depth in [1_000, 100_000] {
        for (name, open, close) in [
            ("parentheses", "(", ")"),
            ("signs", "-", ""),
            ("nots", "!", ""),
            ("conditions", "1 ? 1 : ", ""),
            ("casts", "(int)", ""),
            ("calls", "abs(", ")"),
            ("lambdas", "[]{ return ", "; }()"),
        ] {
            let text = format!("int bomb = {};", nested(open, "1", close, depth));
            add(&format!("{depth} {name}"), inside(&text));
        }
        for (name, open, close) in [
            ("blocks", "{", "}"),
            ("branches", "if (n) ", ""),
            ("loops", "for (;;) ", ""),
            ("switches", "switch (n) { case 1: ", "}"),
        ] {
            add(&format!("{depth} {name}"), inside(&nested(open, ";", close, depth)));
        }
        for (name, open, middle, close) in [
            ("namespaces", "namespace a {", "int x;", "}"),
            ("structures", "struct A {", "int x;", "};"),
            ("pointers", "", "__device__ int", ""),
            ("conditionals", "#if 1\n", "", "#endif\n"),
        ] {
            let text = match name {
                "pointers" => format!("{middle} {} p;", "*".repeat(depth)),
                _ => nested(open, middle, close, depth),
            };
            add(&format!("{depth} {name}"), before(&text));
        }
    }
    for (name, text) in [
        ("a file that includes itself", "#include \"1_twice.cu\"\n#include \"1_twice.cu\"".to_owned()),
        ("an endless header", "#include \"/dev/zero\"".to_owned()),
        ("a header that blocks", "#include \"/dev/tty\"".to_owned()),
        ("a large array", "__device__ int bomb[1LL << 40];".to_owned()),
        ("arrays of arrays", format!("__device__ int bomb{};", "[1000]".repeat(6))),
        ("a structure of arrays", "struct A { char a[1u << 31]; }; struct B { A a[1 << 30]; }; __device__ B b;".to_owned()),
        ("constants without end", "constexpr int f(int n) { while (true) n++; return n; } __device__ int x = f(1);".to_owned()),
        ("recursive constants", "constexpr int f(int n) { return f(n + 1) + f(n + 2); } __device__ int x = f(1);".to_owned()),
        ("a large constant", "constexpr int f() { int a[1 << 28] = {}; return a[5]; } __device__ int x = f();".to_owned()),
        ("templates without end", "template<int N> struct T { static const int v = T<N + 1>::v + T<N + 2>::v; }; __device__ int x = T<0>::v;".to_owned()),
        ("functions without end", "template<class T> __device__ void f(T* p) { f(&p); } __device__ void g(int* p) { f(p); }".to_owned()),
        ("many initialisers", format!("__device__ int bomb[] = {{{}}};", "1,".repeat(1_000_000))),
        ("many functions", numbered(50_000, |i| format!("__device__ int f{i}() {{ return {i}; }}\n"))),
        ("many macros", numbered(100_000, |i| format!("#define M{i} M{}\n", i + 1)) + "int x = M0;"),
        ("a long name", format!("__device__ int {};", "x".repeat(1_000_000))),
        ("a long text", format!("__device__ const char* x = \"{}\";", "x".repeat(1_000_000))),
        ("an open text", format!("\"{}", "x\n".repeat(300_000))),
        ("an open comment", "/*".repeat(300_000)),
        ("many parameters", format!("__device__ void f({} int z);", numbered(50_000, |i| format!("int a{i},")))),
        ("many tokens", "int x; ".repeat(400_000)),
    ] {
        add(name, before(&text));
    }
    all
}

/// What runs, and what the directives say.
fn of_the_machine() -> Vec<(String, Bomb)> {
    let mut all: Vec<(String, Bomb)> = Vec::new();
    let mut add = |name: &str, bomb: Bomb| all.push((name.to_owned(), bomb));
    for (name, text) in [
        ("a loop without end", "while (true) ;".to_owned()),
        ("a loop that writes", "for (int k = 0; ; k++) out[k % n] = k;".to_owned()),
        ("a loop of atomics", "while (true) atomicAdd(out, 1);".to_owned()),
        ("a loop that prints", "while (true) printf(\"%d\\n\", n);".to_owned()),
        ("a wait for nobody", "volatile int* p = out; while (*p != 12345) ;".to_owned()),
        ("large locals", "int bomb[1 << 26]; bomb[n] = 1; out[0] = bomb[n];".to_owned()),
        ("large shared memory", "__shared__ int bomb[1 << 29]; bomb[0] = 1;".to_owned()),
        (
            "many cases",
            format!(
                "switch (n) {{ {} }}",
                numbered(60_000, |i| format!("case {i}: out[0] = {i}; break;\n"))
            ),
        ),
        ("many variables", numbered(50_000, |i| format!("int a{i} = n + {i};\n"))),
        ("a long sum", format!("out[0] = {} 1;", "n + ".repeat(200_000))),
    ] {
        add(name, inside(&text));
    }
    let lines = |line: &str, count: usize| line.repeat(count);
    for (name, old, new) in [
        ("a large page", "//@ page 100", "//@ page 2^62".to_owned()),
        ("many sizes", "//@ test 1, 31, 65", format!("//@ test {}1", "1, ".repeat(300_000))),
        ("large sizes", "//@ test 1, 31, 65", "//@ test 2^31, 2^40, 2^63 - 1".to_owned()),
        ("a large array of the file", "in: int[n]", "in: int[2^40 * n]".to_owned()),
        ("an array of all memory", "in: int[n]", "in: int[2^28]".to_owned()),
        ("a deep directive", "in: int[n]", format!("in: int[{}]", nested("(", "n", ")", 100_000))),
        ("a large grid", "grid = (n + 63) / 64", "grid = 2^31 - 1".to_owned()),
        ("a large block", "block = 64", "block = 2^40".to_owned()),
        (
            "many values",
            "//@ page 100",
            "//@ page 100\n//@ vary a = 1, 2, 3, 4, 5, 6, 7, 8\n".to_owned()
                + &numbered(30, |i| format!("//@ vary a{i} = 1, 2, 3, 4, 5, 6, 7, 8\n")),
        ),
        ("many directives", "//@ page 100", lines("//@ page 100\n", 100_000)),
        ("many unknown directives", "//@ page 100", lines("//@ pgae 100\n", 20_000)),
        (
            "many marks",
            "//@ page 100",
            format!("//@ page 100\n{}", lines("int q; //~ race\n", 50_000)),
        ),
    ] {
        add(name, directive(old, &new));
    }
    all
}

/// What a page says.
fn of_the_page() -> Vec<(String, Bomb)> {
    let mut all: Vec<(String, Bomb)> = Vec::new();
    let mut add = |name: &str, bomb: Bomb| all.push((name.to_owned(), bomb));
    for (name, text) in [
        ("quotes in quotes", ">".repeat(20_000)),
        ("lists in lists", numbered(2_000, |i| format!("{}- x\n", "  ".repeat(i)))),
        ("stars", "*a **b ".repeat(50_000)),
        ("brackets", "[".repeat(100_000)),
        ("links", nested("[", "a", "](b)", 20_000)),
        ("elements", nested("<div>", "a", "</div>", 20_000)),
        ("open elements", "<b><i>".repeat(50_000)),
        ("a wide table", format!("|{}\n|{}\n", "a|".repeat(20_000), "-|".repeat(20_000))),
        ("backticks", numbered(2_000, |i| format!("{} ", "`".repeat(i)))),
        ("open directives", "{{#".repeat(100_000)),
        ("a long directive", format!("{{{{#kernel {}}}}}", "x".repeat(1_000_000))),
        ("many directives in a page", "{{#counter kernels/1_twice.cu instructions}} ".repeat(3_000)),
        ("many unknown words", "{{#kernal kernels/1_twice.cu}}\n\n".repeat(3_000)),
        ("many fences", "```cuda\n__global__ void f() {}\n```\n\n".repeat(2_000)),
        ("many waves", "{{#waves grid=99999999999 block=1024 cc=9.0}}".to_owned()),
        ("more waves", "{{#waves grid=18446744073709551615 block=1 cc=9.0}}".to_owned()),
        ("much occupancy", "{{#occupancy cc=9.0 block=99999999999 regs=4294967295 shared=99999999999}}".to_owned()),
        ("a far warp", "{{#lanes kernels/1_twice.cu block=18446744073709551615 warp=99}}".to_owned()),
        ("a fence with a loop", "```cuda,run\n//@ output o: int[n] = poison\n//@ launch k(o) grid = 1, block = 1\n//@ page 1\n__global__ void k(int* o) { while (true) ; }\n__host__ __device__ int expected(int i) { return i; }\n```".to_owned()),
        ("a program without end", "```cuda,run\nint main() { volatile int n = 1; while (n) ; }\n```".to_owned()),
        ("a program that takes all", "```cuda,run\n#include <vector>\nint main() { std::vector<std::vector<int>> v; while (true) v.push_back(std::vector<int>(1 << 24, 1)); }\n```".to_owned()),
        ("lists on one line", format!("{}x", "- ".repeat(100_000))),
        ("the same headings", "# a\n\n".repeat(100_000)),
        ("many questions in a paragraph", "x {{#question a}} ".repeat(50_000)),
        ("many includes", "{{#include other.md}}\n\n".repeat(20_000)),
        ("many includes in a line", "{{#include other.md ".repeat(50_000)),
        ("footnotes", numbered(20_000, |i| format!("[^{i}]: [^{}]\n\n", i + 1))),
    ] {
        add(name, page(&text));
    }
    all
}

/// The kernel or the page with a mark that its page shows.
fn marked(text: &str, mark: &str) -> String {
    match text.strip_prefix("# Tiny\n\n") {
        Some(rest) => format!("# Tiny\n\n{mark}\n\n{rest}"),
        None => text.replacen(ESSAY, mark, 1),
    }
}

/// Saves each, waits until it is built, and finds the server alive and another page as it was.
fn survive(bombs: Vec<(String, Bomb)>) {
    let tiny = Tiny::new();
    let good_page = tiny.read(PAGE);
    let served = Served::start_with_memory(&tiny, 6_000_000);
    let mut events = served.events();
    events.next();
    let started = Instant::now();
    let count = bombs.len();
    for (number, (name, bomb)) in bombs.into_iter().enumerate() {
        let at = Instant::now();
        let shown = |mark: &str, events: &mut Events| {
            while !served.get("/ch01-tiny/index.html").1.contains(mark) {
                events.next();
            }
        };
        let mark = format!("Bomb {number}.");
        let (file, text, good) = match bomb {
            Bomb::Kernel(text) => (KERNEL, marked(&text, &mark), TWICE),
            Bomb::Page(text) => (PAGE, marked(&text, &mark), &*good_page),
        };
        // A page with more than a page may have shows that alone, and not the mark.
        let before = served.get("/ch01-tiny/index.html").1;
        tiny.write(file, &text);
        while served.get("/ch01-tiny/index.html").1 == before {
            events.next();
        }
        let (status, other) = served.get("/other.html");
        assert!(status == 200 && other.contains("Another page"), "{name}: {other}");
        eprintln!("{:>3} of {count} {:>6.1} s  {name}", number + 1, at.elapsed().as_secs_f64());
        let mark = format!("Mended {number}.");
        tiny.write(file, &marked(good, &mark));
        shown(&mark, &mut events);
    }
    eprintln!("{count} bombs in {:.0} s, and the server is alive", started.elapsed().as_secs_f64());
}

#[test]
fn a_few_texts_that_are_made_to_kill_do_not_end_the_server() {
    let quick = [
        "1000 parentheses",
        "an array of all memory",
        "an endless header",
        "types doubled 60 times in a fence",
        "a loop without end",
        "many waves",
        "a program that takes all",
    ];
    let mut bombs = all();
    bombs.retain(|(name, _)| quick.contains(&name.as_str()));
    assert_eq!(bombs.len(), quick.len());
    survive(bombs);
}

#[test]
#[ignore = "it takes minutes; `.ci/run bombs` runs it"]
fn no_text_that_is_made_to_kill_ends_the_server() {
    let bombs = all();
    assert!(bombs.len() >= 100, "{}", bombs.len());
    let from = std::env::var("FROM").map_or(1, |from| from.parse().unwrap());
    survive(bombs.into_iter().skip(from - 1).collect());
}

fn all() -> Vec<(String, Bomb)> {
    let parts = [of_the_page(), of_the_machine(), of_the_language()];
    parts.into_iter().flatten().collect()
}
