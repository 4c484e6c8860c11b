//! What is recorded of one warp: lines, lanes, addresses.

use simt::observe::{ArraySpace, Step, Work};
use simt::{Arg, Checks, Config, Dim3, Follow, Launch, Memory, Model, Report, Sources};

const TEXT: &str = "\
__global__ void pairs(const int* in, int* out) {
    __shared__ int pad[3];
    __shared__ int s[128];
    unsigned t = threadIdx.x;
    unsigned i = blockIdx.x * blockDim.x + t;
    s[t * 2 % 128] = in[i];
    __syncthreads();
    if (t % 2 == 0) {
        out[i * 4] = s[t];
    }
    pad[t % 3] = __shfl_xor_sync(0xffffffff, t, 1);
}
";

fn run(text: &str, follow: Option<Follow>, threads: usize) -> (Report, Vec<u8>) {
    run_with(text, Config { checks: Checks::All, follow, threads, ..Config::default() })
}

fn run_with(text: &str, config: Config) -> (Report, Vec<u8>) {
    let module = simt::compile(Sources::single("k.cu", text)).expect("it compiles");
    let mut memory = Memory::new();
    let input = memory.alloc("in", "int", 4, 4 * 256);
    memory.upload(input, &(0..1024).map(|i| i as u8).collect::<Vec<_>>());
    let out = memory.alloc("out", "int", 4, 4 * 1024);
    memory.upload(out, &[0; 4096]);
    let launch = Launch {
        kernel: &module.kernels[0],
        grid: Dim3::from(4),
        block: Dim3::from(64),
        dynamic_shared: 0,
        args: &[Arg::Buffer(input), Arg::Buffer(out)],
    };
    let report = simt::launch(&module, &launch, &mut memory, &config).expect("it starts");
    let bytes = memory.download(out);
    (report, bytes)
}

const SECOND_WARP: Follow = Follow { block: 2, warp: 1, steps: 1000 };

#[test]
fn every_access_of_the_warp_is_recorded_with_its_lanes_and_addresses() {
    let (report, _) = run(TEXT, Some(SECOND_WARP), 1);
    let accesses: Vec<&Step> =
        report.trace.steps.iter().filter(|s| s.work == Work::Access).collect();
    let lines: Vec<(u32, u32)> = accesses.iter().map(|s| (s.line, s.lanes)).collect();
    let (all, even) = (u32::MAX, 0x5555_5555);
    assert_eq!(lines, [(6, all), (6, all), (9, even), (9, even), (11, all)]);

    let touched: Vec<_> = accesses.iter().map(|s| &s.touched[0]).collect();
    assert!(accesses.iter().all(|s| s.touched.len() == 1));
    let read = touched[0];
    assert_eq!((read.space, read.verb, &*read.array), (ArraySpace::Global, "read", "in"));
    assert_eq!((read.element, read.width, read.transactions), (4, 4, 4));
    let first = (2 * 64 + 32) * 4;
    let expected: Vec<(u32, u32)> = (0..32).map(|lane| (lane, first + 4 * lane)).collect();
    assert_eq!(read.lane_offsets().collect::<Vec<_>>(), expected);

    // `t * 2` for t from 32 on: every other word, each bank wanted twice.
    let put = touched[1];
    assert_eq!((put.space, put.verb, &*put.array), (ArraySpace::Shared, "write", "s"));
    assert_eq!((put.start, put.transactions), (12, 2));
    let served = put.served();
    assert_eq!(served.len(), 32);
    assert_eq!(served.iter().filter(|s| s.pass == 0).count(), 16);
    assert_eq!((served[0].bank, served[16].bank, served[16].pass), (3, 3, 1));
    assert_eq!((served[0].lanes, served[16].lanes), (1, 1 << 16));

    let out = touched[3];
    assert_eq!((out.verb, &*out.array, out.lanes), ("write", "out", even));
    assert_eq!(out.transactions, 16, "16 lanes, 32 bytes apart");
    assert_eq!((&*touched[4].array, touched[4].transactions), ("pad", 1));
}

#[test]
fn barriers_branches_and_exchanges_are_told_apart() {
    let (report, _) = run(TEXT, Some(SECOND_WARP), 1);
    let works = |work| {
        let mut lines: Vec<u32> =
            report.trace.steps.iter().filter(|s| s.work == work).map(|s| s.line).collect();
        lines.dedup();
        lines
    };
    assert_eq!(works(Work::Barrier), [7]);
    assert_eq!(works(Work::Branch), [8]);
    assert_eq!(works(Work::Exchange), [11]);
}

#[test]
fn following_changes_nothing_and_depends_on_no_thread() {
    let (plain, bytes) = run(TEXT, None, 1);
    assert!(plain.trace.steps.is_empty() && plain.counters.instructions > 0);
    let (followed, same) = run(TEXT, Some(SECOND_WARP), 1);
    let (apart, also) = run(TEXT, Some(SECOND_WARP), 4);
    assert_eq!((&bytes, &bytes), (&same, &also));
    assert_eq!(followed.trace, apart.trace);
    assert_eq!(followed.outcome, plain.outcome);
    // Eight warps do the same; what is counted for all of them is recorded of one.
    assert_eq!(followed.trace.steps.len() as u64 * 8, plain.counters.instructions);
}

#[test]
fn a_trace_is_as_long_as_it_may_be() {
    let (report, _) = run(TEXT, Some(Follow { steps: 5, ..SECOND_WARP }), 1);
    assert_eq!((report.trace.steps.len(), report.trace.cut), (5, true));
    let (report, _) = run(TEXT, Some(Follow { block: 4, ..SECOND_WARP }), 1);
    assert_eq!((report.trace.steps.len(), report.trace.cut), (0, false), "there is no such block");
}

/// Where lanes that parted wait for the others, the wait is not an instruction: only what they do
/// when all are there is recorded.
#[test]
fn lanes_that_wait_for_each_other_are_recorded_when_they_work() {
    let text = "\
__global__ void halves(const int* in, int* out) {
    unsigned t = threadIdx.x;
    int x = in[t];
    if (t % 32 < 16)
        x += 1;
    else
        x += 2;
    out[t] = __shfl_sync(0xffffffff, x, 0);
}
";
    for seed in 0..8 {
        let follow = Some(Follow { block: 0, warp: 0, steps: 1000 });
        let report =
            run_with(text, Config { follow, model: Model::Adversarial(seed), ..Config::default() })
                .0;
        let exchanges: Vec<(u32, u32)> = report
            .trace
            .steps
            .iter()
            .filter(|s| s.work == Work::Exchange)
            .map(|s| (s.line, s.lanes))
            .collect();
        assert_eq!(exchanges, [(8, u32::MAX)], "seed {seed}: {exchanges:x?}");
    }
}
