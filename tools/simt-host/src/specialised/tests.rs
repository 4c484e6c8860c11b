//! Optimised and specialised code behaves as the generic instructions that lowering emits.

use super::{Inst, Specialised, one};
use crate::{Opened, Os, Program, compile, lowered, run};
use simt::{Config, Sources};

/// Keeps what is printed.
#[derive(Default)]
struct Printed(Vec<u8>);

impl Os for Printed {
    fn write(&mut self, _: i32, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }

    fn now_ns(&mut self) -> i64 {
        0
    }

    fn read_line(&mut self) -> Vec<u8> {
        Vec::new()
    }

    fn open(&mut self, _: &str) -> Opened {
        Opened::Missing
    }

    fn save(&mut self, _: &str, _: &[u8]) -> bool {
        false
    }
}

fn outcome(program: &Program, budget: u64) -> (i32, String, String) {
    let config = Config { budget, ..Config::default() };
    let mut printed = Printed::default();
    let report = run(program, &["program".to_owned()], &config, &mut printed);
    let printed = String::from_utf8_lossy(&printed.0).into_owned();
    (report.code, printed, format!("{:?}", report.diagnostics))
}

/// The program as it runs, and as lowering leaves it: with generic instructions only.
fn both(text: &str) -> (Program, Program) {
    let sources = || Sources::single("test.cu", text);
    let mut general = lowered(sources()).expect("it compiles");
    for function in &mut general.code.functions {
        let plain = |inst: &Inst| match one(*inst) {
            kept
            @ (Specialised::Call { .. } | Specialised::Return | Specialised::GenericBranch) => kept,
            kept @ (Specialised::Jump { .. } | Specialised::Branch { .. }) => kept,
            _ if jumps(*inst) => Specialised::GenericBranch,
            _ => Specialised::Generic,
        };
        function.specialised = function.code.iter().map(plain).collect();
    }
    (compile(sources()).expect("it compiles"), general)
}

fn jumps(inst: Inst) -> bool {
    use Inst::{BranchCompare, BranchConst};
    matches!(inst, BranchCompare { .. } | BranchConst { .. })
}

#[track_caller]
fn agree((swift, general): &(Program, Program), budget: u64) -> (i32, String, String) {
    let found = outcome(swift, budget);
    assert_eq!(found, outcome(general, budget), "budget {budget}");
    found
}

#[track_caller]
fn same(text: &str, budget: u64) -> (i32, String, String) {
    agree(&both(text), budget)
}

const MIXED: &str = r#"
#include <cstdio>
#include <vector>
#include <algorithm>
#include <stdlib.h>
struct Grid {
    int w, h;
    float d[24];
    float& at(int x, int y) { return d[y * w + x]; }
    float get(int x, int y) const {
        if (x < 0 || y < 0 || x >= w || y >= h) return -1;
        return d[y * w + x];
    }
};
static int collatz(int n) { int k = 0; while (n != 1) { n = n % 2 ? 3 * n + 1 : n / 2; k++; } return k; }
static int swapped(int& a, int& b) { int t = a; a = b; b = t; return a - b; }
template <class F> static float fold(const float* p, int n, F f) {
    float r = 0;
    for (int i = 0; i < n; i++) r = f(r, p[i]);
    return r;
}
struct Pair { float x, y; };
struct Three { int a, b, c; };
static float sum(const float* p, int n, float by) {
    float s = 0;
    double t = 0;
    for (int i = 0; i < n; i++) { s += by * p[i]; t += p[i] * 0.5; }
    return s + (float)t;
}
int main() {
    std::vector<int> v;
    for (int i = 0; i < 40; i++) v.push_back((i * 37 + 11) % 40 - 7);
    std::sort(v.begin(), v.end(), [](int a, int b) { return a > b; });
    unsigned seen[8] = {};
    for (unsigned i = 0; i < v.size(); ++i) seen[(unsigned)v[i] % 8u]++;
    float f[16];
    for (int i = 0; i < 16; ++i) f[i] = i * 0.25f - 1;
    Pair pairs[4] = {};
    Three three = {1, -2, 3};
    for (int i = 3; i >= 0; --i) {
        Pair p = pairs[i];
        p.x += f[i];
        p.y -= f[i + 4] / (i + 1);
        pairs[i] = p;
        Three other = three;
        other.a <<= i;
        other.b >>= 1;
        other.c ^= other.a;
        three = other;
    }
    Grid g = {6, 4, {}};
    for (int y = 0; y < g.h; y++) for (int x = 0; x < g.w; x++) g.at(x, y) = x - 0.5f * y;
    float around = 0;
    for (int y = -1; y <= g.h; y++) for (int x = -1; x <= g.w; x++) around += g.get(x, y) * 0.5f;
    int first = collatz(27), second = rand() % 10 + collatz(first), *last = &v[3];
    int apart = swapped(first, second) + swapped(*last, v[4]) + std::max(first, v[5]);
    around += fold(g.d, 24, [&](float a, float b) { return a * 0.5f + b + around; });
    printf("%f %d %d %d\n", around, apart, v[3], std::min(second, 12));
    unsigned long long h = 1469598103934665603ull;
    for (int x : v) h = (h ^ (unsigned char)x) * 1099511628211ull;
    short small = -3;
    for (int i = 0; i < 5; i++) small = (short)(small * 1234 + i);
    for (const float* p = f + 15; p >= f; --p) if (*p < 0 || !(*p <= 2.5f)) h += (long)*p;
    printf("%f %f %f %d %d %d %llu %d %u\n", sum(f, 16, 1.5f), pairs[1].x, pairs[2].y, three.a,
           three.b, three.c, h, small, seen[3]);
    return v[0] & 15;
}
"#;

#[test]
fn a_mixture_of_everything_is_the_same() {
    let (code, printed, findings) = same(MIXED, 1 << 40);
    assert_eq!((code, findings.as_str()), (0, "[]"), "{printed}");
    assert!(printed.contains("\n28.000000 -0.750000 "), "{printed}");
}

#[test]
fn every_budget_ends_at_the_same_place() {
    let programs = both(MIXED);
    let mut ended = 0;
    for budget in (1..400).chain([1000, 5000]) {
        ended += u64::from(agree(&programs, budget).2.contains("budget"));
    }
    assert!(ended >= 399, "{ended}");
}

#[test]
fn what_goes_wrong_within_several_is_the_same_finding() {
    let cases = [
        ("int* p = (int*)malloc(40); for (int i = 0; i < 12; i++) p[i]++;", "just past the end"),
        (
            "float* p = (float*)malloc(40); double s = 0; for (int i = 0; i < 12; i++) { double x = p[i]; s += x; }",
            "just past the end",
        ),
        (
            "float* p = (float*)malloc(40); for (float* q = p + 3; ; --q) *q = 1;",
            "before the start",
        ),
        ("const char* t = \"abc\"; for (int i = 0; i < 3; i++) ((char*)t)[i] = 'x';", "literal"),
        ("int* t = (int*)\"abcdefgh\"; for (int i = 0; i < 2; i++) t[i]++;", "literal"),
        ("int z = 0; int s = 1; for (int i = 3; i >= 0; i--) { z = i; s += 12 % z; }", "zero"),
        (
            "struct S { float a, b, c; }; S* p = (S*)malloc(36); S q; for (int i = 0; i < 4; i++) q = p[i];",
            "out of bounds",
        ),
        (
            "std::vector<int> v(4); int s = 0; for (int i = 0; i < 6; i++) s += v[i] * 2;",
            "out of bounds",
        ),
        ("std::vector<float> v(4); for (size_t i = 0; i < 6; i++) v[i] += 2;", "out of bounds"),
        (
            "std::vector<int> v; int s = 0; for (int i = 0; i < 2; i++) s += v.back();",
            "pointer to nothing",
        ),
        (
            "struct Q { int* p; int& at(int i) { return p[i]; } }; Q q{(int*)malloc(8)}; q.at(1) = 4; q.at(-1)++;",
            "before the start",
        ),
        ("int* p = (int*)malloc(8); free(p); for (int i = 0; i < 2; i++) p[i]++;", "freed"),
    ];
    for (body, word) in cases {
        let text =
            format!("#include <stdlib.h>\n#include <vector>\nint main() {{ {body} return 0; }}\n");
        let (_, _, findings) = same(&text, 1 << 40);
        assert!(findings.contains(word), "{body}: {findings}");
    }
}

/// Loops that run in strips: each works on `n` elements.
const LOOPS: &[&str] = &[
    "for (int i = 0; i < n; i++) a[i] = i * 3 + 1;",
    "for (int i = 0; i < n; i++) { x[i] = rand() / (float)RAND_MAX; y[i] = rand() % 100; }",
    "for (int i = 0; i < n; ++i) x[i] = 2.5f * x[i] + y[i];",
    "for (size_t i = 0; i < (size_t)n; i++) z[i] = x[i] * 0.5;",
    "for (long i = n - 1; i >= 0; i--) z[i] -= y[i];",
    "float s = 0; for (int i = 0; i < n; i++) s += x[i] * y[i]; total += s;",
    "double s = 0; for (int i = 0; i < n; i++) s = fmax(s, fabs(z[i] - x[i])); total += s;",
    "int s = 0; for (int i = 0; i < n; i++) s += a[i] & 7; total += s;",
    "int s = 1; for (int i = 0; i < n; i++) { b[i] = s; s *= 3; } total += s & 255;",
    "int s = 0; for (int i = 0; i < n; i++) { s += a[i]; b[i] = s; } total += s & 255;",
    "for (int i = 1; i < n; i++) a[i] = a[i - 1] + a[i];",
    "for (int i = 0; i + 1 < n; i++) a[i] = a[i + 1] + 1;",
    "for (int i = 0; i + 70 < n; i++) a[i + 70] = a[i] + 1;",
    "for (int i = 0; i < n; i++) b[a[i] & 15]++;",
    "for (int i = 0; i < n; i++) b[i / 3] = i;",
    "for (int i = 0; i < n; i++) { b[i] = i; b[n - 1 - i] = -i; }",
    "for (int i = 0; i < n; i++) if (a[i] % 5 == 0) b[i] = 7; else b[i] += 2;",
    "int most = -1; for (int i = 0; i < n; i++) if (a[i] > most) most = a[i]; total += most;",
    "int at = -1; for (int i = 0; i < n; i++) if (a[i] == 200) { at = i; break; } total += at;",
    "for (int i = 0; i < n; i++) { if (fabs(x[i] - y[i]) > 1e9) { printf(\"bad\"); exit(1); } }",
    "for (int i = 0; i < n; i++) { p[i].x = x[i]; p[i].y = y[i] + p[i].x; p[i].n += i; }",
    "for (int i = 0; i < n; i++) { p[i].x = 1; p[i].y = p[i].y + 2; }",
    "for (float* q = x; q != x + n; q++) *q += 1;",
    "for (int i = 0; i < n; i++) v[i] = v[i] * 2 + (int)v.size();",
    "for (int i = 0; i < n; i++) c[i] = (char)(c[i] + i); for (int i = 0; i < n; i++) total += c[i];",
    "int k = 5; for (int i = 0; i < n; i++, k += 2) a[i] = k; total += k;",
    "unsigned h = 7; for (int i = 0; i < n; i++) h = h * 31 + a[i]; total += h & 255;",
    "for (int i = 0; i < n; i++) a[i] = 1000 / (i - 150);",
    "for (int i = 0; i < n; i++) for (int j = 0; j < 3; j++) a[(i + j) % 10] += j;",
    "static long g; for (int i = 0; i < n; i++) g += i; total += g;",
    "for (int i = 0; i < n; i++) x[i] = sinf(i * 0.1f) + (i & 1 ? sqrtf(y[i]) : 0.0f);",
];

/// A program with a loop of `n` iterations over arrays of `room` elements.
fn looped(body: &str, n: usize, room: usize) -> String {
    format!(
        "#include <cstdio>\n#include <cstdlib>\n#include <cmath>\n#include <vector>\n\
         struct P {{ float x, y; int n; }};\n\
         int main() {{\n\
             int n = {n}, room = {room};\n\
             int* a = (int*)calloc(room, 4); int* b = (int*)calloc(room + 16, 4);\n\
             float* x = (float*)calloc(room, 4); float* y = (float*)calloc(room, 4);\n\
             double* z = (double*)calloc(room, 8); P* p = (P*)calloc(room, 12);\n\
             char* c = (char*)calloc(room, 1); std::vector<int> v(room); double total = 0;\n\
             for (int i = 0; i < room; i++) {{ a[i] = (i * 37) % 211; x[i] = i; y[i] = a[i]; v[i] = i; }}\n\
             {body}\n\
             for (int i = 0; i < room; i++) total += a[i] + 2 * b[i] + x[i] + 3 * y[i] + z[i] + c[i];\n\
             for (int i = 0; i < room; i++) total += p[i].x + p[i].y + p[i].n + v[i];\n\
             printf(\"%.17g %d\\n\", total, rand());\n\
         }}\n"
    )
}

#[test]
fn loops_in_strips_are_the_same() {
    for body in LOOPS {
        for n in [0, 63, 65, 130, 300] {
            let (_, printed, _) = same(&looped(body, n, 300), 1 << 40);
            assert!(!printed.is_empty() || body.contains("1000 /"), "{body}");
        }
    }
}

#[test]
fn what_goes_wrong_in_a_strip_is_the_same_finding() {
    let mut found = 0;
    for body in LOOPS {
        let (_, _, findings) = same(&looped(body, 300, 200), 1 << 40);
        found += usize::from(findings.contains("just past the end"));
    }
    assert!(found > 20, "{found}");
}

#[test]
fn every_budget_ends_a_strip_at_the_same_place() {
    for body in LOOPS.iter().step_by(3) {
        let programs = both(&looped(body, 300, 300));
        for budget in (300..1500).step_by(7) {
            agree(&programs, budget);
        }
    }
}

/// The loops that decide how long programs need are among them.
#[test]
fn usual_loops_have_strips() {
    let strips = |body: &str| {
        let (swift, _) = both(&looped(body, 10, 10));
        swift.code.functions[swift.code.main as usize].strips.len()
    };
    let frame = strips(";");
    for body in &LOOPS[..4] {
        assert!(strips(body) > frame, "{body}");
    }
}
