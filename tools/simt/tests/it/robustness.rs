//! Any text compiles or is refused: no panic, no endless loop, no exhausted stack.

use proptest::prelude::*;
use simt::Sources;

const WORDS: [&str; 84] = [
    "__global__",
    "__device__",
    "void",
    "int",
    "float",
    "unsigned",
    "long",
    "const",
    "auto",
    "struct",
    "S",
    "enum",
    "template",
    "typename",
    "T",
    "N",
    "<",
    ">",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ";",
    ",",
    ":",
    "::",
    "?",
    "=",
    "+=",
    "+",
    "-",
    "*",
    "/",
    "%",
    "&",
    "&&",
    "||",
    "!",
    "~",
    "<<",
    ">>",
    "<<<",
    "++",
    "--",
    ".",
    "->",
    "if",
    "else",
    "for",
    "while",
    "do",
    "switch",
    "case",
    "default",
    "break",
    "continue",
    "return",
    "f",
    "x",
    "threadIdx",
    "__shared__",
    "extern",
    "\"C\"",
    "'c'",
    "1",
    "0x7f",
    "2.5f",
    "sizeof",
    "#define M x",
    "#if 1",
    "\n",
    "using",
    "namespace",
    "N::x",
    "constexpr",
    "static",
    "union",
    "operator",
    "[&]",
    "[=]",
    "template <>",
    "alignas",
];

const KERNELS: &str = concat!(
    include_str!("../../../kernel-file/tests/hardware/kernels.cu"),
    include_str!("../compile/pass/templates.cu"),
    include_str!("../compile/pass/vectors.cu"),
    include_str!("../compile/pass/macros.cu"),
    include_str!("../compile/pass/numbers.cu"),
    include_str!("../compile/pass/half.cu"),
    include_str!("../compile/pass/language.cu"),
    "struct A { int v; static constexpr int k = 3; template <typename F> __device__ A& on(F f) { v = f(v); return *this; } };
union U { float f; unsigned int u; };
template <typename T> __device__ T one() { return T(0); }
template <> __device__ int one<int>() { return 1; }
constexpr int fact(int n) { return n <= 1 ? 1 : n * fact(n - 1); }
__device__ int down(int n) { return n == 0 ? 0 : 1 + down(n - 1); }
__global__ void all(int* out, int n) {
    A a{n}; int k = fact(4); int arr[fact(3)];
    a.on([=](int x) { return x + k; }).on([&k](auto x) mutable { return ++k + x; });
    U u; u.f = 1.0f; arr[0] = u.u;
    out[0] = a.v + A::k + one<int>() + down(n) + arr[0];
    half2 h; h.x = 1.0f; h.y += h.x;
}
",
);

fn compile(text: String) {
    if let Err(failure) = simt::compile(Sources::single("soup.cu", text)) {
        assert!(!failure.diagnostics.is_empty());
        for diagnostic in &failure.diagnostics {
            assert!(!diagnostic.render(&failure.sources).is_empty());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn soup_of_words_is_refused_in_peace(words in prop::collection::vec(prop::sample::select(WORDS.to_vec()), 0..60)) {
        compile(words.join(" "));
    }

    #[test]
    fn soup_inside_a_kernel_too(words in prop::collection::vec(prop::sample::select(WORDS.to_vec()), 0..40)) {
        compile(format!("__global__ void k(int* x, float f) {{ {} }}", words.join(" ")));
    }

    #[test]
    fn any_characters(text in ".{0,80}") {
        compile(text);
    }

    #[test]
    fn a_file_cut_short(end in 0..KERNELS.len()) {
        let mut end = end;
        while !KERNELS.is_char_boundary(end) { end -= 1; }
        compile(KERNELS[..end].to_string());
    }

    #[test]
    fn a_file_with_a_piece_missing(start in 0..KERNELS.len(), len in 1..40usize) {
        let end = (start + len).min(KERNELS.len());
        compile(format!("{}{}", &KERNELS[..start], &KERNELS[end..]));
    }
}

#[test]
fn depth_is_bounded() {
    for (open, close) in [
        ("(", ")"),
        ("{", "}"),
        ("-", ""),
        ("!", ""),
        ("x[", "]"),
        ("x ? x : ", ""),
        ("if (x) ", ""),
        ("[&] { return ", "; }"),
        ("[](auto y) { y(", "); }"),
    ] {
        for n in [10, 100, 1000, 100_000] {
            compile(format!(
                "__global__ void k(int* p, int x) {{ {}x{}; }}",
                open.repeat(n),
                close.repeat(n)
            ));
        }
    }
    for op in ["+", "*", "&&", ",", "="] {
        compile(format!(
            "__global__ void k(int* p, int x) {{ x{}; }}",
            format!("{op} x").repeat(10_000)
        ));
    }
    compile(format!("__global__ void k(int x) {{ {} }}", "if (x) x++; else ".repeat(5000)));
    compile(format!("__global__ void k(int {} x) {{ }}", "*".repeat(10_000)));
    compile(format!("__global__ void k(int x{}) {{ }}", "[2]".repeat(10_000)));
}

#[test]
fn calls_at_compile_time_are_bounded() {
    let ones = "1 + (".repeat(100);
    let close = ")".repeat(100);
    for body in [
        "return f(n);".to_string(),
        "return f(n + 1) + f(n + 2);".to_string(),
        "while (true) n++; return n;".to_string(),
        format!("return n == 0 ? 0 : {ones} f(n - 1) {close};"),
        format!("{} return f(n + 1);", "if (n) ".repeat(50)),
    ] {
        compile(format!(
            "constexpr __device__ int f(int n) {{ {body} }} __global__ void k(int* p) {{ p[f(300)] = f(p[0]); }}"
        ));
    }
    compile("template <int N> __device__ int g() { return g<N + 1>(); } __global__ void k(int* p) { p[0] = g<0>(); }".to_string());
    compile("template <typename F> __device__ int h(F f) { return h([=] { return f; }); } __global__ void k(int* p) { p[0] = h(1); }".to_string());
    compile(
        "namespace a { namespace b = a; using namespace b; using b::x; int x; } namespace a = a;"
            .to_string(),
    );
    compile(format!("{} int x; {}", "namespace n { ".repeat(1000), "}".repeat(1000)));
}

#[test]
fn macros_cannot_run_away() {
    let mut text = String::from("#define A0 x + x\n");
    for i in 1..40 {
        text.push_str(&format!("#define A{i} A{} + A{}\n", i - 1, i - 1));
    }
    compile(format!("{text}__global__ void k(int x) {{ x = A39; }}"));
    compile("#define F(x) F(F(x)) F(x)\nF(F(F(F(F(F(1))))))".to_string());
    compile("#define R R\n#define Q(x) Q\n__global__ void k(int R) { Q(1)(2)(3); }".to_string());
}

#[test]
fn calls_that_double_are_refused() {
    let mut text = String::from("__device__ int f0(int x) { return x * x + 1; }\n");
    for i in 1..30 {
        text.push_str(&format!(
            "__device__ int f{i}(int x) {{ return f{}(x) + f{}(x + 1); }}\n",
            i - 1,
            i - 1
        ));
    }
    let failure = simt::compile(Sources::single(
        "deep.cu",
        format!("{text}__global__ void k(int* p) {{ p[0] = f29(1); }}"),
    ));
    assert!(failure.is_err());
}

/// Macros whose argument goes through millions of expansions.
#[test]
fn a_token_that_is_expanded_very_often_is_refused() {
    let mut text = String::from("#define P0(x) x\n");
    for i in 1..=16 {
        let before = i - 1;
        text += &format!("#define P{i}(x) P{before}(P{before}(P{before}(x)))\n");
    }
    text += "__device__ int x = P16(1);\n";
    assert!(simt::compile(Sources::single("often.cu", text)).is_err());
}

/// Sizes whose product or sum no number holds, and none that a launch has room for.
#[test]
fn memory_is_bounded() {
    for text in [
        "__device__ int x[1 << 30]; __global__ void k(int* p) { p[0] = x[0]; }",
        "__device__ int x[4294967295][4294967295];",
        "__constant__ char x[4294967295] = {};",
        "struct S { int a[1 << 29]; int b[1 << 29]; int c[1 << 29]; }; __device__ S s;",
        "struct S { double a[1 << 29]; }; __global__ void k(int* p) { S s[4000000000]; p[0] = 1; }",
        "__global__ void k(int* p) { double a[4294967296]; a[p[0]] = 1; p[0] = a[1]; }",
    ] {
        let refused = simt::compile(Sources::single("large.cu", text)).expect_err(text);
        assert!(refused.diagnostics[0].message.contains("larger"), "{:?}", refused.diagnostics);
    }

    let refused = |text: &str, memory: u64| {
        let module = simt::compile(Sources::single("large.cu", text)).expect("it compiles");
        let kernel = &module.kernels[0];
        let mut arrays = simt::Memory::new();
        let args = [simt::Arg::Buffer(arrays.alloc("p", "int", 4, 64))];
        let mut config = simt::Config::default();
        config.limits.memory = memory;
        let (grid, block) = (4.into(), 256.into());
        let launch = simt::Launch { kernel, grid, block, dynamic_shared: 0, args: &args };
        simt::launch(&module, &launch, &mut arrays, &config).err().map(|e| e.message)
    };
    let variable = "__device__ char x[1 << 20]; __global__ void k(char* p) { p[0] = x[0]; }";
    assert!(refused(variable, 1 << 19).is_some_and(|m| m.contains("1048576 bytes")));
    assert_eq!(refused(variable, 1 << 22), None);
    let local = "__global__ void k(int* p) { int a[1000]; a[p[0] & 7] = 1; p[1] = a[p[2] & 7]; }";
    assert!(refused(local, 1 << 20).is_some_and(|m| m.contains("the limit is 1048576")));
    assert_eq!(refused(local, 1 << 22), None);
}

/// An instruction numbers variables in 16 bits: one more is refused, and no two share a number.
#[test]
fn variables_past_the_last_number_are_refused() {
    let declared: String = (0..=1 << 16).map(|i| format!("__device__ int v{i};\n")).collect();
    let text = format!("{declared}__global__ void k(int* p) {{ p[0] = v65536; }}");
    let refused = simt::compile(Sources::single("many.cu", text)).expect_err("one too many");
    let first = &refused.diagnostics[0];
    assert!(first.message.contains("more than 65536 variables"), "{first:?}");
}

/// Each argument of a call is checked once, whatever the number of candidates: calls nested as deep
/// as the parser allows cost as much as as many calls in a row. Checked twice per level, 60 levels
/// would take 2^60 steps.
#[test]
fn nested_calls_take_no_longer_than_calls_in_a_row() {
    let before = "
        namespace n { struct S { int v; }; __device__ S both(S a) { return a; } \
            __device__ S max(S a, S b) { return a; } }
        __device__ int f(int x) { return x; }
        __device__ float f(float x) { return x; }
        __device__ n::S f(n::S x) { return x; }
        template <typename T> __device__ T f(T x, T y = T()) { return x; }
        __device__ n::S min(n::S a, n::S b) { return a; }
        struct C { int v; __device__ C(int x) : v(x) {} __device__ C(float x) : v(1) {}
            __device__ int m(int x) { return x; } __device__ float m(float x) { return x; } };
        __device__ C operator-(C c) { return c; }
        __device__ int c(C x) { return x.v; }
        __device__ int c(n::S x) { return x.v; }
        __device__ int b(n::S x) { return x.v; }
    ";
    for (open, inner, close) in [
        ("f(", "1", ")"),
        ("f(", "n::S{1}", ").v"),
        // A built-in function, one with an overload of the unit, and one beside the argument's type.
        ("abs(", "1", ")"),
        ("min(1, ", "2", ")"),
        ("max(1, ", "2", ")"),
        ("both(", "n::S{1}", ")"),
        ("max(n::S{1}, ", "n::S{2}", ")"),
        ("c(", "1", ")"),
        ("o.m(", "1", ")"),
        ("C(", "1", ")"),
        ("-C(", "1", ")"),
        ("b({", "1", "})"),
    ] {
        let depth = 50;
        let (open, close) = (open.repeat(depth), close.repeat(depth));
        let text =
            format!("{before} __global__ void k(int* p, C o) {{ (void)({open}{inner}{close}); }}");
        let begun = std::time::Instant::now();
        compile(text);
        let taken = begun.elapsed();
        assert!(taken.as_secs() < 5, "{open}: {taken:?}");
    }
}
