//! `goto` in kernels: what 32 threads compute that take different ways, and where they meet again.

use simt::{Arg, Config, Launch, Memory, Model, Outcome, Sources};

const MODELS: [Model; 4] =
    [Model::Volta, Model::Pascal, Model::Adversarial(1), Model::Adversarial(2)];

fn launch(prelude: &str, body: &str, model: Model) -> Vec<i32> {
    let text = format!(
        "{prelude}\n__global__ void k(int* out, int* count) {{ int t = threadIdx.x; {body} }}"
    );
    let module = simt::compile(Sources::single("case.cu", text)).unwrap_or_else(|e| {
        panic!("{body}\n{}", e.diagnostics.iter().map(|d| d.render(&e.sources)).collect::<String>())
    });
    let mut memory = Memory::new();
    let out = memory.alloc("out", "int", 4, 128);
    let count = memory.alloc("count", "int", 4, 8);
    memory.upload(count, &[0; 8]);
    let args = [Arg::Buffer(out), Arg::Buffer(count)];
    let kernel = module.kernel("k").unwrap();
    let launch =
        Launch { kernel, grid: 1.into(), block: 32.into(), dynamic_shared: 0, args: &args };
    let config = Config { model, ..Config::default() };
    let report = simt::launch(&module, &launch, &mut memory, &config).unwrap();
    let findings: String = report.findings.iter().map(|f| f.render(&module.sources)).collect();
    assert_eq!((report.outcome, &*findings), (Outcome::Completed, ""), "{body}");
    let bytes = [memory.download(out), memory.download(count)].concat();
    bytes.chunks(4).map(|b| i32::from_le_bytes(b.try_into().unwrap())).collect()
}

/// `out[t]` is what `expected` says of thread `t`, in every order of the threads.
fn check(prelude: &str, body: &str, expected: impl Fn(i32) -> i32) {
    let wanted: Vec<i32> = (0..32).map(expected).collect();
    for model in MODELS {
        assert_eq!(launch(prelude, body, model)[..32], wanted, "{model:?}: {body}");
    }
}

/// The same, with the lanes that are together at the end in the upper half: all of them.
fn check_together(body: &str, expected: impl Fn(i32) -> i32) {
    let body = format!("int r; {body} out[t] = r * 64 + __popc(__activemask());");
    let wanted: Vec<i32> = (0..32).map(|t| expected(t) * 64 + 32).collect();
    assert_eq!(launch("", &body, Model::Volta)[..32], wanted, "{body}");
}

#[test]
fn jumps_lead_out_of_nested_loops() {
    check(
        "__device__ int find(int x) {
            int i, j;
            for (i = 0; i < 4; ++i)
                for (j = 0; j < 8; ++j)
                    if (i * 8 + j == x) goto found;
            return -1;
        found:
            return i * 100 + j;
        }",
        "out[t] = find(t + 3) + find(40);",
        |t| if t + 3 < 32 { (t + 3) / 8 * 100 + (t + 3) % 8 - 1 } else { -2 },
    );
    check_together(
        "for (int i = 0;; ++i) { for (int j = 0; j < 8; ++j) { r = i * 8 + j; if (r == t) goto found; } } found:",
        |t| t,
    );
}

#[test]
fn jumps_back_are_loops() {
    check_together("int i = 0; r = 0; again: r += i; if (++i < t) goto again;", |t| {
        (0..t.max(1)).sum()
    });
    check_together("r = 0; again: ++r; if (r < t) { if (r % 3 == 0) ++r; goto again; }", |t| {
        let mut r = 0;
        loop {
            r += 1;
            if r >= t {
                return r;
            }
            r += i32::from(r % 3 == 0);
        }
    });
}

/// Three labels, each of which is reached from each other: loops that cross.
#[test]
fn loops_may_cross() {
    let walk = |t: i32| {
        let (mut x, mut steps, mut state) = (t, 0, 'a');
        loop {
            steps += 1;
            state = match state {
                'a' if x % 3 == 0 => 'b',
                'a' if x > 40 => break,
                'a' => {
                    x += 5;
                    'a'
                }
                'b' if x % 2 == 1 => 'c',
                'b' => {
                    x += 1;
                    if x > 50 {
                        break;
                    }
                    'a'
                }
                _ => {
                    x += 7;
                    if x < 30 {
                        'b'
                    } else if x < 60 {
                        'a'
                    } else {
                        break;
                    }
                }
            };
        }
        x * 100 + steps
    };
    let body = "int x = t, steps = 0;
    a: ++steps; if (x % 3 == 0) goto b; if (x > 40) goto e; x += 5; goto a;
    b: ++steps; if (x % 2) goto c; x += 1; if (x > 50) goto e; goto a;
    c: ++steps; x += 7; if (x < 30) goto b; if (x < 60) goto a;
    e: r = x * 100 + steps;";
    check_together(body, walk);
    check("", &format!("int r; {body} out[t] = r;"), walk);
    // Into the middle of a loop, and back to its start.
    check_together(
        "r = 0; if (t % 2) goto middle; top: r += 10; middle: r += 1; if (r < t) goto top;",
        |t| {
            let mut r = i32::from(t % 2 == 0) * 10 + 1;
            while r < t {
                r += 11;
            }
            r
        },
    );
}

#[test]
fn labels_stand_among_cases() {
    check(
        "",
        "int r = 0;
        switch (t % 4) {
        case 0: r = 1; goto two;
        case 1: r = 2; break;
        two: case 2: r += 10; if (r < 40) goto two; break;
        default: r = 7;
        }
        out[t] = r;",
        |t| [41, 2, 40, 7][t as usize % 4],
    );
}

#[test]
fn jumps_destroy_what_they_leave() {
    let prelude =
        "struct D { int* p; __device__ D(int* p) : p(p) {} __device__ ~D() { atomicAdd(p, 1); } };";
    let body = "int n = 0;
    { top: D d(count); if (++n < 3) goto top; if (t == 5) goto out; D e(count + 1); }
    out: out[t] = n;";
    for model in MODELS {
        assert_eq!(launch(prelude, body, model)[30..34], [3, 3, 96, 31]);
    }
}

/// Threads that jump to the end are not waited for at a barrier.
#[test]
fn jumps_lead_over_barriers() {
    check("", "out[t] = 1; if (t >= 16) goto done; __syncwarp(0xffff); out[t] = 2; done:;", |t| {
        if t < 16 { 2 } else { 1 }
    });
}

#[test]
fn what_no_jump_may_do_is_refused() {
    for (body, message) in [
        ("if (t) goto in; { in: out[t] = 1; }", "`goto in`: its label is in no block around"),
        ("goto nowhere;", "`goto nowhere`: its label is in no block around"),
        ("if (t) goto e; int x = 3; out[t] = x; e:;", "this jumps over the first value of `x`"),
        ("e: out[t] = 1; e: out[t] = 2;", "the label `e` stands here twice"),
    ] {
        let text = format!("__global__ void k(int* out, int t) {{ {body} }}");
        let failure = simt::compile(Sources::single("case.cu", text)).expect_err(body);
        let first = &failure.diagnostics[0];
        assert!(first.message.contains(message), "{body}: {}", first.message);
    }
}
