//! Small texts that ask for any amount of work: each ends with a message, within five seconds of
//! processor time and a gigabyte of memory.

use crate::tiny::executable;
use std::process::Command;

/// `first`, then `count` lines of which each may use the one before: `@` is its number, `%` that of
/// the one before.
fn lines(first: &str, count: usize, line: &str) -> String {
    let numbered = |i: usize| line.replace('@', &i.to_string()).replace('%', &(i - 1).to_string());
    std::iter::once(first.to_owned()).chain((1..=count).map(numbered)).collect()
}

/// What `warpbook run` says of the text: the first line of its messages.
fn said(text: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("bomb.cu"), text).unwrap();
    let limits = "ulimit -v 1000000; ulimit -t 5; exec \"$0\" \"$@\"";
    let output = Command::new("sh")
        .args(["-c", limits])
        .arg(executable())
        .args(["run", "--threads", "1", "bomb.cu"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    let text = [output.stdout, output.stderr].concat();
    let text = String::from_utf8_lossy(&text);
    let first = text.lines().find(|line| line.contains("error")).unwrap_or_default();
    assert!(output.status.code().is_some(), "ended by a signal: {} {text}", output.status);
    first.trim().to_owned()
}

#[track_caller]
fn check(bombs: &[(&str, String, &str)]) {
    for (name, text, wanted) in bombs {
        let first = said(text);
        assert!(first.contains(wanted), "{name}: `{wanted}` is not in `{first}`");
    }
}

const MAIN: &str = "int main() { }\n";

#[test]
fn macros_that_double_are_refused() {
    let doubled =
        |line: &str, first: &str, last: &str| format!("{}{last}\n{MAIN}", lines(first, 40, line));
    check(&[
        (
            "tokens",
            doubled("#define A@ A% + A%\n", "#define A0 x\n", "int y = A40;"),
            "the macros up to `A40` here write more than 4000000 tokens",
        ),
        (
            "no tokens",
            doubled("#define A@ A% A%\n", "#define A0\n", "A40 int main() { }"),
            "write more than 4000000 tokens",
        ),
        (
            "arguments",
            format!("#define F(x) x x\nint a = {}1{};\n{MAIN}", "F(".repeat(40), ")".repeat(40)),
            "write more than 4000000 tokens",
        ),
        (
            "names",
            doubled(
                "#define P@(x) P%(C(x, x))\n",
                "#define C(a, b) a##b\n#define P0(x) x\n",
                "int P40(a);",
            ),
            "`##` makes a token of more than 65536 characters",
        ),
        (
            "strings",
            doubled(
                "#define Q@ S(Q% Q%)\n",
                "#define S_(x) #x\n#define S(x) S_(x)\n#define Q0 S(a)\n",
                "const char* p = Q40;",
            ),
            "`#` makes a token of more than 65536 characters",
        ),
        (
            "conditions",
            format!(
                "{}{}{MAIN}",
                lines("#define A0 1\n", 15, "#define A@ A% + A%\n"),
                "#if A15\n#endif\n".repeat(100)
            ),
            "write more than 4000000 tokens",
        ),
        (
            "a chain",
            format!(
                "{}int a = A20000;\n{MAIN}",
                lines("#define A0 1\n", 20_000, "#define A@ A%\n")
            ),
            "macros expand inside each other more than 200 deep",
        ),
    ]);
}

#[test]
fn templates_that_double_or_never_end_are_refused() {
    let pair = "template<class A, class B> struct P { };\n";
    check(&[
        (
            "names of types",
            format!(
                "{pair}template<class T, int N> struct R {{ typedef typename R<P<T, T>, N - 1>::type \
                 type; }};\nint main() {{ R<int, 60>::type x; }}\n"
            ),
            "class templates that instantiate one another more than ",
        ),
        (
            "names of instances",
            format!(
                "{pair}{}int main() {{ T60 x = 1; }}\n",
                lines("typedef int T0;\n", 60, "typedef P<T%, T%> T@;\n")
            ),
            "error",
        ),
        (
            "signatures",
            format!(
                "{}template<class T> struct A {{ T t; }};\nA<F60> a;\n{MAIN}",
                lines("typedef int (*F0)(int, int);\n", 60, "typedef int (*F@)(F%, F%);\n")
            ),
            "a type of more than 1000 parts",
        ),
        (
            "depth",
            format!(
                "template<int N> struct R {{ static const int v = R<N + 1>::v; }};\nint a = R<0>::v;\n{MAIN}"
            ),
            " deep",
        ),
        (
            "count",
            format!(
                "template<int A, int N> struct R {{ static const int v = R<2 * A, N - 1>::v + R<2 * A + 1, \
                 N - 1>::v; }};\ntemplate<int A> struct R<A, 0> {{ static const int v = 1; }};\n\
                 int a = R<1, 30>::v;\n{MAIN}"
            ),
            "more than 2000 instances of class templates",
        ),
        (
            "deduction",
            "template<class T> int f(T t) { return f(&t); }\nint main() { return f(1); }\n"
                .to_owned(),
            "functions that call one another more than ",
        ),
    ]);
}

#[test]
fn classes_and_initial_values_that_double_are_refused() {
    let nested = |first: &str, line: &str| lines(first, 30, line);
    check(&[
        (
            "members",
            format!(
                "{}A30* p;\n{MAIN}",
                nested("struct A0 { int x; ~A0(); };\n", "struct A@ { A% a, b; };\n")
            ),
            "a class of more than 4096 members, with theirs",
        ),
        (
            "bases",
            format!(
                "{}A30* p;\n{MAIN}",
                nested(
                    "struct A0 { };\n",
                    "struct B@ : A% { }; struct C@ : A% { }; struct A@ : B@, C@ { };\n"
                )
            ),
            "a class with more than 256 bases",
        ),
        (
            "a chain of bases",
            format!("{}{MAIN}", lines("struct A0 { };\n", 10_000, "struct A@ : A% { int x; };\n")),
            "a class with more than 256 bases",
        ),
        (
            "default arguments",
            format!(
                "{}int main() {{ return f40(); }}\n",
                lines(
                    "int f0() { return 1; }\n",
                    40,
                    "int f@(int x = f%() + f%()) { return x; }\n"
                )
            ),
            "checking this unit takes more than 2000000 steps",
        ),
        (
            "arrays of initial values",
            format!(
                "{}A5 a;\n{MAIN}",
                lines("struct A0 { int x = 1; };\n", 5, "struct A@ { A% a[40]; };\n")
            ),
            "checking this unit takes more than 2000000 steps",
        ),
        (
            "captures",
            format!(
                "template<class F, class G> auto c(F f, G g) {{ return [=](int x) {{ return f(g(x)); }}; }}\n\
                 int main() {{ auto f0 = [](int x) {{ return x; }};\n{}return f30(1); }}\n",
                nested("", "auto f@ = c(f%, f%);\n")
            ),
            "a lambda of more than 4096 captures",
        ),
        (
            "an initialiser",
            format!("int a[1000000000] = {{1}};\n{MAIN}"),
            "a list of values for more than 65536 elements",
        ),
        (
            "an array",
            format!("int a[2000000000][2000000000];\n{MAIN}"),
            "this array is larger than any memory",
        ),
    ]);
}

#[test]
fn constant_evaluation_is_bounded() {
    check(&[
        (
            "an endless loop",
            format!(
                "constexpr int f() {{ int i = 0; while (true) i++; return i; }}\nconstexpr int a = f();\n{MAIN}"
            ),
            "evaluating this constant takes more than 1048576 steps",
        ),
        (
            "a recursion",
            format!(
                "constexpr int f(int n) {{ return n < 2 ? n : f(n - 1) + f(n - 2); }}\n\
                 constexpr int a = f(80);\n{MAIN}"
            ),
            "evaluating this constant takes more than 1048576 steps",
        ),
        (
            "a condition",
            format!(
                "constexpr int f(int n) {{ return n < 2 ? n : f(n - 1) + f(n - 2); }}\n\
                 static_assert(f(80) > 0, \"\");\n{MAIN}"
            ),
            "evaluating this constant takes more than 1048576 steps",
        ),
    ]);
}

#[test]
fn files_that_include_without_end_are_refused() {
    check(&[
        ("itself", format!("#include \"bomb.cu\"\n{MAIN}"), "files include each other 32 deep"),
        (
            "itself, often",
            format!("{}#if 0\n{MAIN}#endif\n", "#include \"bomb.cu\"\n".repeat(30)),
            "files include each other 32 deep",
        ),
        ("a device", format!("#include \"/dev/zero\"\n{MAIN}"), "it is not a regular file"),
        ("a folder", format!("#include \"..\"\n{MAIN}"), "no file `..` is found"),
    ]);
}

#[test]
fn long_files_are_refused_or_read_quickly() {
    check(&[
        (
            "tokens",
            format!("{}\n{MAIN}", ";".repeat(1_000_100)),
            "this file has more than 1000000 tokens",
        ),
        (
            "a name",
            format!("int main() {{ return {}x; }}\n", "a::".repeat(100_000)),
            "a name of more than 64 parts",
        ),
        (
            "brackets",
            format!("int a = {}1{};\n{MAIN}", "(".repeat(9000), ")".repeat(9000)),
            "nested more than 128 deep",
        ),
        (
            "namespaces",
            format!(
                "{}int main() {{ return y; }}\n",
                lines("", 2000, "namespace n@ { } using namespace n@;\n")
            ),
            "combinations of namespaces",
        ),
        (
            "directives",
            "//@ let a = n\n".repeat(50_000),
            "more than 1000 directives and marks in a file",
        ),
        (
            "cases",
            format!(
                "int main() {{ switch (x) {{\n{}}} }}\n",
                lines("", 30_000, "case @: break;\n")
            ),
            "`x` is not known here",
        ),
        (
            "headers that are not there",
            format!("{}{MAIN}", lines("", 50_000, "#include <no@>\n")),
            "does not support the header <no1>",
        ),
        ("stray characters", format!("{}\n{MAIN}", "\u{e9} ` ".repeat(100_000)), "error"),
        (
            "names that `using` repeats",
            format!("namespace n {{ int x; }}\n{}{MAIN}", "using n::x;\n".repeat(50_000)),
            "",
        ),
        (
            "overloads",
            format!("{}{MAIN}", lines("", 20_000, "struct S@ { }; int f(S@);\n")),
            "more than 1000 functions of the name `f`",
        ),
        (
            "bit-fields",
            format!("struct S {{ {} }};\n{MAIN}", lines("", 50_000, "int a@ : 3;\n")),
            "a class of more than 4096 members",
        ),
        (
            "errors outside of functions",
            format!(
                "template<int N> struct S {{ int a[N + 1]; }};\n{}{MAIN}",
                lines("", 30_000, "S<@> s@;\n")
            ),
            "more than 2000 instances of class templates",
        ),
    ]);
}

#[test]
fn long_functions_and_classes_are_refused_or_read_quickly() {
    check(&[
        (
            "cases of the host",
            format!(
                "int main(int x, char**) {{ int y; switch (x) {{\n{}}} return y; }}\n",
                lines("", 30_000, "case @: y = @; break;\n")
            ),
            "",
        ),
        (
            "branches on many variables",
            format!(
                "int main(int x, char**) {{ int y = 0; {} return y; }}\n",
                lines("", 10_000, "int a@ = x; if (x) y = a@;\n")
            ),
            "",
        ),
        (
            "variables of a kernel",
            format!(
                "__global__ void k(int* p) {{\n{}}}\n{MAIN}",
                "for (int i = 0; i < p[0]; i++) p[1] = 1;\n".repeat(20_000)
            ),
            "a device function of more than 8192 variables",
        ),
        (
            "equal cases",
            format!(
                "int main(int x, char**) {{ switch (x) {{\n{}}} }}\n",
                "case 1: ;\n".repeat(100_000)
            ),
            "case 1 stands here twice",
        ),
        (
            "warnings",
            format!("int main(int x, char**) {{\n{}}}\n", "x == x;\n".repeat(125_000)),
            "",
        ),
        (
            "types of a function",
            format!("int main() {{\n{}}}\n", lines("", 40_000, "struct S@ { int a; };\n")),
            "checking this unit takes more than 2000000 steps",
        ),
        (
            "constants of a class",
            format!("struct S {{ enum {{\n{}}}; }};\n{MAIN}", lines("", 90_000, "e@,\n")),
            "",
        ),
        (
            "statements of a kernel that runs",
            format!(
                "__global__ void k(int x) {{\n{}}}\n\
                 int main() {{ k<<<1, 1>>>(1); cudaDeviceSynchronize(); }}\n",
                "x = x + 1;\n".repeat(80_000)
            ),
            "",
        ),
        (
            "cases of a kernel",
            format!(
                "__global__ void k(int* p) {{ switch (p[0]) {{\n{}}} }}\n{MAIN}",
                lines("", 30_000, "case @: p[1] = @; break;\n")
            ),
            "a kernel of more than",
        ),
    ]);
}
