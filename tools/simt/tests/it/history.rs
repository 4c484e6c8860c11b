//! A block, step by step: what its variables held, and where its warps stood.

use expect_test::expect_file;
use simt::observe::{History, Snapshot, Waiting, Work};
use simt::{Arg, Checks, Config, Dim3, Launch, Memory, Model, Record, Report, Sources};

/// Runs a kernel of `(const int* in, int* out)` on four blocks of 64 threads.
fn run(text: &str, record: Option<Record>) -> (Report, Vec<u8>) {
    run_with(text, 64, Config { record, ..Config::default() })
}

fn run_with(text: &str, threads: u32, config: Config) -> (Report, Vec<u8>) {
    let module = simt::compile(Sources::single("k.cu", text)).expect("it compiles");
    let mut memory = Memory::new();
    let input = memory.alloc("in", "int", 4, 4 * 1024);
    let numbers = (0..1024i32).flat_map(|i| (i * 7 % 100 - 50).to_le_bytes());
    memory.upload(input, &numbers.collect::<Vec<_>>());
    let out = memory.alloc("out", "int", 4, 4 * 1024);
    memory.upload(out, &[0; 4096]);
    let launch = Launch {
        kernel: &module.kernels[0],
        grid: Dim3::from(4),
        block: Dim3::from(threads),
        dynamic_shared: if text.contains("extern __shared__") { 512 } else { 0 },
        args: &[Arg::Buffer(input), Arg::Buffer(out)],
    };
    let report = simt::launch(&module, &launch, &mut memory, &config).expect("it starts");
    let bytes = memory.download(out);
    (report, bytes)
}

const FIRST: Option<Record> = Some(Record { block: 0, steps: 100_000 });

fn record(text: &str) -> History {
    run(text, FIRST).0.history.expect("it was recorded")
}

/// What a variable holds, lane by lane; the innermost of that name.
fn values(history: &History, snapshot: &Snapshot, name: &str) -> Vec<Option<String>> {
    let named = |v: &usize| history.variables()[*v].name == name;
    let found = snapshot.variables.iter().rfind(|s| named(&s.variable));
    found.map(|s| s.values.clone()).unwrap_or_default()
}

/// The last step of a warp on a line.
fn last(history: &History, warp: u32, line: u32) -> usize {
    let at = |step: &usize| history.moment(*step).is_some_and(|m| (m.warp, m.line) == (warp, line));
    (0..history.len()).rfind(at).unwrap_or_else(|| panic!("warp {warp} is never in line {line}"))
}

fn all(value: impl Fn(usize) -> String) -> Vec<Option<String>> {
    (0..32).map(|l| Some(value(l))).collect()
}

const TYPES: &str = r#"
struct Pair { short a; double b; };
__device__ float half_of(float x) {
    float h = x * 0.5f;
    h = h + 1.0f;
    return h;
}
__global__ void k(const int* in, int* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned char byte = i * 3;
    bool even = i % 2 == 0;
    long long wide = (long long)i << 33;
    float f = half_of((float)i);
    double d = -i;
    float2 two = make_float2(f, 1.5f);
    Pair pair;
    pair.b = 2.25;
    const int* p = in + i;
    int* none = nullptr;
    int few[3];
    few[1] = i;
    int& alias = out[i];
    alias = few[1] + byte + even + (int)wide + (int)d + (int)two.x + (int)pair.b + *p;
    if (none) few[i % 3] = 0;
    out[i] += few[1];
}
"#;

#[test]
fn variables_are_shown_as_their_types_are_written() {
    let history = record(TYPES);
    let at = history.after(last(&history, 1, 23)).expect("the step");
    let i = |l: usize| l + 32;
    let holds = |name: &str| values(&history, &at, name);
    assert_eq!(holds("i"), all(|l| i(l).to_string()));
    assert_eq!(holds("byte"), all(|l| (i(l) * 3 % 256).to_string()));
    assert_eq!(holds("even"), all(|l| (i(l) % 2 == 0).to_string()));
    assert_eq!(holds("wide"), all(|l| ((i(l) as i64) << 33).to_string()));
    let f = |l: usize| format!("{:?}", i(l) as f32 * 0.5 + 1.0);
    assert_eq!(holds("f"), all(f));
    assert_eq!(holds("d"), all(|l| format!("{:?}", -(i(l) as f64))));
    assert_eq!(holds("two"), all(|l| format!("{{x: {}, y: 1.5}}", f(l))));
    assert_eq!(holds("pair"), all(|_| "{a: ?, b: 2.25}".to_owned()), "`a` was never written");
    assert_eq!(holds("in"), all(|_| "in + 0".to_owned()));
    assert_eq!(holds("p"), all(|l| format!("in + {}", i(l))));
    assert_eq!(holds("none"), all(|_| "nullptr".to_owned()));
    assert_eq!(holds("few"), all(|l| format!("[?, {}, ?]", i(l))));
    assert_eq!(holds("alias"), all(|l| format!("at out + {}", i(l))));
    let types = ["const int*", "unsigned char", "long long", "float2", "Pair", "int[3]", "int&"];
    for ty in types {
        assert!(history.variables().iter().any(|v| v.ty == ty), "no variable is a {ty}");
    }
}

#[test]
fn a_callees_variables_are_in_scope_inside_it_and_its_callers_too() {
    let history = record(TYPES);
    // `return h`, or what is left of it: the last instruction in the callee.
    let inside = history.after(last(&history, 0, 5)).expect("the step");
    let names: Vec<(&str, &str)> = inside
        .variables
        .iter()
        .map(|s| &history.variables()[s.variable])
        .map(|v| (&*v.function, &*v.name))
        .collect();
    assert!(names.contains(&("half_of", "x")) && names.contains(&("half_of", "h")), "{names:?}");
    assert!(names.contains(&("k", "i")), "{names:?}");
    assert_eq!(values(&history, &inside, "x"), all(|l| format!("{:?}", l as f32)));
    let after = history.after(last(&history, 0, 14)).expect("the step");
    assert!(values(&history, &after, "h").is_empty(), "`h` is out of scope");
}

/// A product that became part of a fused multiply-add has no value of its own.
#[test]
fn what_has_no_place_is_not_here() {
    let history = record(
        "__global__ void k(const int* in, int* out) {
    float x = in[threadIdx.x], unused;
    float product = x * x;
    float sum = product + 1.0f;
    float other = x * 3.0f;
    float less = 1.0f - other;
    out[threadIdx.x] = sum + less;
}",
    );
    let at = history.after(last(&history, 0, 7)).expect("the step");
    for name in ["product", "other", "unused"] {
        assert_eq!(values(&history, &at, name), vec![None; 32], "{name}");
    }
    let x = |l: usize| (l as i32 * 7 % 100 - 50) as f32;
    assert_eq!(values(&history, &at, "sum"), all(|l| format!("{:?}", x(l) * x(l) + 1.0)));
    assert_eq!(values(&history, &at, "less"), all(|l| format!("{:?}", 1.0 - x(l) * 3.0)));
}

const DIVERGENT: &str = "\
__global__ void k(const int* in, int* out) {
    int i = threadIdx.x, x = 0;
    for (int round = 0; round < 2; round++) {
        int fresh;
        if (i % 4 == 0) {
            int own = i * 10;
            fresh = own;
            x += own;
        } else {
            x -= 1;
        }
        out[i] = x;
        if (i % 4 == 0) out[i] += fresh;
    }
}
";

#[test]
fn only_lanes_inside_a_scope_have_its_variables() {
    let history = record(DIVERGENT);
    let quarter = |value: &dyn Fn(usize) -> String| -> Vec<Option<String>> {
        (0..32).map(|l| (l % 4 == 0).then(|| value(l))).collect()
    };
    let inside = history.after(last(&history, 0, 8)).expect("the step");
    assert_eq!(inside.moment.lanes, 0x1111_1111);
    assert_eq!(values(&history, &inside, "own"), quarter(&|l| (l * 10).to_string()));
    assert_eq!(values(&history, &inside, "fresh"), quarter(&|l| (l * 10).to_string()));
    let parts = &inside.warps[0].parts;
    assert_eq!(parts.iter().fold(0, |all, p| all ^ p.lanes), u32::MAX);
    assert!(parts.len() == 2 && parts[0].line < parts[1].line, "{parts:?}");
    // Those who are done wait for the others.
    let other = history.after(last(&history, 0, 10)).expect("the step");
    let waiting = other.warps[0].parts.iter().find(|p| p.waits.is_some()).expect("they wait");
    assert_eq!((waiting.waits, waiting.lanes), (Some(Waiting::Meeting), 0x1111_1111));
    assert_eq!(values(&history, &other, "own"), vec![] as Vec<Option<String>>);
    // What an earlier round left in the register is no value.
    let begun: Vec<usize> = (0..history.len())
        .filter(|s| history.moment(*s).is_some_and(|m| m.warp == 0 && m.line == 5))
        .collect();
    for step in [begun[0], *begun.last().expect("a second round")] {
        let at = history.after(step).expect("the step");
        let fresh = values(&history, &at, "fresh");
        assert!(fresh.iter().all(Option::is_none), "step {step}: {fresh:?}");
    }
}

const SHARED: &str = "\
__global__ void k(const int* in, int* out) {
    __shared__ int total;
    __shared__ int rows[80];
    int t = threadIdx.x;
    if (t == 40) total = 7;
    rows[t * 2 % 64] = in[t];
    int seen = __syncthreads_count(t < 10);
    int got = __shfl_xor_sync(0xffffffff, t, 1);
    out[t] = total + rows[t] + seen + got;
}
";

#[test]
fn a_barrier_opens_with_the_last_warp_and_shared_variables_are_one_for_all() {
    let history = record(SHARED);
    let barrier = |warp| {
        let at = |s: &usize| {
            history.moment(*s).is_some_and(|m| m.warp == warp && m.work == Work::Barrier)
        };
        (0..history.len()).find(at).expect("a barrier")
    };
    let (first, second) = (barrier(0), barrier(1));
    assert!(first < second);
    let before = history.after(second - 1).expect("the step");
    let waiting = &before.warps[0].parts[0];
    assert_eq!((waiting.waits, waiting.line), (Some(Waiting::Barrier), 7));
    let text = history.sources().text(waiting.span);
    assert!(text.starts_with("__syncthreads_count"), "{text}");
    assert_eq!(before.warps[1].parts[0].waits, None);
    assert!(values(&history, &before, "seen").iter().all(Option::is_none));
    assert_eq!(values(&history, &before, "total"), all(|_| "7".to_owned()));
    assert_eq!(values(&history, &history.after(first).unwrap(), "total"), vec![None; 32]);

    let open = history.after(second).expect("the step");
    assert!(open.warps.iter().all(|w| w.parts.len() == 1 && w.parts[0].waits.is_none()));
    assert_eq!(values(&history, &open, "seen"), all(|_| "10".to_owned()));
    let changed = |at: &Snapshot, name: &str| {
        at.variables.iter().any(|s| s.changed && history.variables()[s.variable].name == name)
    };
    assert!(changed(&open, "seen") && !changed(&open, "t"));
    let swapped = history.after(last(&history, 1, 8)).expect("the step");
    assert_eq!(values(&history, &swapped, "got"), all(|l| ((l + 32) ^ 1).to_string()));
    assert!(values(&history, &swapped, "rows").iter().all(Option::is_none), "too large");

    let store = (0..history.len())
        .filter_map(|s| history.after(s))
        .find(|s| s.touched.first().is_some_and(|t| t.array == "rows"));
    let store = &store.expect("a store").touched[0];
    assert_eq!((store.verb, store.transactions, store.served().len()), ("write", 2, 32));
    let end = history.after(history.len() - 1).expect("the step");
    assert!(end.warps.iter().all(|w| w.parts.is_empty()), "all have returned");
}

#[test]
fn recording_changes_nothing_and_depends_on_no_thread() {
    for text in [TYPES, DIVERGENT, SHARED] {
        let (plain, bytes) = run(text, None);
        let (recorded, same) = run(text, FIRST);
        assert_eq!(bytes, same);
        assert_eq!((plain.outcome, plain.printed), (recorded.outcome, recorded.printed));
        let history = recorded.history.expect("it was recorded");
        // Four blocks do the same; what is counted for all of them is recorded of one.
        assert_eq!(history.len() as u64 * 4, plain.counters.instructions);
        assert!(!history.cut());
        let config = Config { record: FIRST, threads: 4, ..Config::default() };
        let apart = run_with(text, 64, config).0.history.expect("it was recorded");
        for step in 0..history.len() {
            assert_eq!(history.after(step), apart.after(step), "step {step}");
        }
    }
}

#[test]
fn a_history_is_as_long_as_it_may_be() {
    let (report, _) = run(SHARED, Some(Record { block: 2, steps: 5 }));
    let history = report.history.expect("it was recorded");
    assert_eq!((history.len(), history.cut(), history.warps()), (5, true, 2));
    assert!(history.after(4).is_some() && history.after(5).is_none());
    let (report, _) = run(SHARED, Some(Record { block: 4, steps: 5 }));
    let history = report.history.expect("it was recorded");
    assert!(history.is_empty() && !history.cut(), "there is no such block");
}

/// Whatever the order in which lanes go on, every lane is somewhere, once.
#[test]
fn every_lane_is_somewhere() {
    for seed in 0..6 {
        let model = if seed == 0 { Model::Pascal } else { Model::Adversarial(seed) };
        let config = Config { record: FIRST, model, checks: Checks::Bare, ..Config::default() };
        let history = run_with(DIVERGENT, 40, config).0.history.expect("it was recorded");
        let mut live = [u32::MAX, 0xff];
        for step in 0..history.len() {
            let at = history.after(step).expect("the step");
            for (warp, live) in at.warps.iter().zip(&mut live) {
                let sum: u64 = warp.parts.iter().map(|p| u64::from(p.lanes)).sum();
                let union = warp.parts.iter().fold(0, |all, p| all | p.lanes);
                assert_eq!(sum, u64::from(union), "seed {seed}, step {step}: {warp:?}");
                assert_eq!(union & !*live, 0, "nobody comes back");
                *live = union;
            }
        }
        assert_eq!(live, [0, 0]);
    }
}

/// A recording as a text: what each step was, what it changed, and where who waits.
fn told(history: &History) -> String {
    let mut out = String::new();
    let mut waited = String::new();
    for step in 0..history.len() {
        let at = history.after(step).expect("the step");
        let moment = at.moment;
        let work = format!("{:?}", moment.work).to_lowercase();
        let text = history.sources().text(moment.span).lines().next().unwrap_or_default();
        let (warp, line, lanes) = (moment.warp, moment.line, moment.lanes);
        out.push_str(&format!("{step:3} warp {warp} line {line} {lanes:08x} {work}: {text}\n"));
        for touched in &at.touched {
            let (verb, array, passes) = (touched.verb, &touched.array, touched.transactions);
            let place = format!("{:?}", touched.space).to_lowercase();
            out.push_str(&format!("      {verb} {place} {array}, {passes} transactions\n"));
        }
        for shown in at.variables.iter().filter(|s| s.changed) {
            let name = &history.variables()[shown.variable].name;
            let value = |l: usize| shown.values[l].as_deref().unwrap_or("-");
            let values: Vec<&str> = (0..5).map(value).collect();
            out.push_str(&format!("      {name} = {} .. {}\n", values.join(" "), value(31)));
        }
        let mut waits = String::new();
        for (warp, state) in at.warps.iter().enumerate() {
            for part in state.parts.iter().filter(|p| p.waits.is_some()) {
                let text = history.sources().text(part.span).lines().next().unwrap_or_default();
                let waiting = part.waits.map(|w| format!("{w:?}")).unwrap_or_default();
                let lanes = part.lanes;
                waits
                    .push_str(&format!("      warp {warp} {lanes:08x} waits: {waiting}, {text}\n"));
            }
        }
        if waits != waited {
            out.push_str(if waits.is_empty() { "      nobody waits\n" } else { &waits });
            waited = waits;
        }
    }
    out
}

#[test]
fn recordings_are_as_they_were() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/history");
    for name in ["divergent", "barrier", "shuffle", "banks"] {
        let text = std::fs::read_to_string(folder.join(name).with_extension("cu")).expect(name);
        let told = told(&record(&text));
        expect_file![folder.join(name).with_extension("out")].assert_eq(&told);
    }
}

/// Arrays of shared memory are shown in pieces, however large they are and whoever says how large.
#[test]
fn shared_arrays_of_any_size_are_shown_in_pieces() {
    let text = r#"
struct Pair { short a; float b; };
__global__ void k(const int* in, int* out) {
    extern __shared__ double more[];
    __shared__ int tile[32][33];
    __shared__ Pair pairs[64];
    tile[threadIdx.x / 32][threadIdx.x % 32] = in[threadIdx.x];
    more[threadIdx.x / 2] = 0.5 * threadIdx.x;
    pairs[threadIdx.x].b = 2.0f;
    __syncthreads();
    out[threadIdx.x] = tile[0][1] + (int)more[3] + (int)pairs[1].b;
}
"#;
    let history = record(text);
    let tiles: Vec<_> = history.tiles().iter().collect();
    let named = |name: &str| {
        let of = |t: &&&simt::observe::Tile| history.variables()[t.variable].name == name;
        *tiles.iter().find(of).unwrap_or_else(|| panic!("no {name}"))
    };
    let (tile, more, pairs) = (named("tile"), named("more"), named("pairs"));
    assert_eq!((tile.count, more.count, pairs.count), (32 * 33, 64, 64));
    // Warp 1 writes the second row: the last of 33 is nobody's.
    let step = last(&history, 1, 7);
    let row = history.elements(tile, 33, 33, step);
    assert_eq!(row[0], (Some("-26".to_owned()), true), "in[32] is 32 * 7 % 100 - 50");
    assert_eq!(row[32], (None, false));
    let end = history.len() - 1;
    assert_eq!(history.elements(tile, 33, 1, end), [(Some("-26".to_owned()), false)]);
    assert_eq!(history.elements(tile, 32 * 33 - 1, 5, end).len(), 1, "no further than its end");
    assert_eq!(history.elements(tile, u32::MAX, 5, end).len(), 0);
    // Two threads wrote each of these, the later one last.
    assert_eq!(history.elements(more, 31, 1, end)[0].0.as_deref(), Some("31.5"));
    assert_eq!(history.elements(more, 32, 1, end)[0].0, None);
    assert_eq!(history.elements(pairs, 63, 1, end)[0].0.as_deref(), Some("{a: ?, b: 2.0}"));
    assert_eq!(history.elements(pairs, 0, 1, 0)[0].0, None, "before anybody was there");
}
