//! What a lane moves in one instruction may be wider than a word: vectors, and 64-bit atomics.
//! A full warp at adjacent addresses takes ways of its own through the machine; each is run here
//! with values whose every word is different, watched and unwatched.

use simt::{Arg, Checks, Config, Counters, Launch, Memory, Outcome, Sources};

/// Runs `k` on arrays of words, in one block of `threads`; gives the arrays back.
fn run(text: &str, threads: u32, arrays: &[Vec<u32>], checks: Checks) -> (Vec<Vec<u32>>, Counters) {
    let module = simt::compile(Sources::single("k.cu", text)).unwrap_or_else(|f| {
        panic!("{}", f.diagnostics.iter().map(|d| d.render(&f.sources)).collect::<String>())
    });
    let kernel = module.kernel("k").expect("the kernel");
    let mut memory = Memory::new();
    let buffers: Vec<_> = arrays
        .iter()
        .map(|words| {
            let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
            let buffer = memory.alloc("a", "unsigned int", 4, bytes.len());
            memory.upload(buffer, &bytes);
            buffer
        })
        .collect();
    let args: Vec<Arg> = buffers.iter().map(|&b| Arg::Buffer(b)).collect();
    let launch =
        Launch { kernel, grid: 1.into(), block: threads.into(), dynamic_shared: 0, args: &args };
    let config = Config { checks, ..Config::default() };
    let report = simt::launch(&module, &launch, &mut memory, &config).expect("a valid launch");
    let found: String = report.findings.iter().map(|f| f.render(&module.sources)).collect();
    assert_eq!((report.outcome, found.as_str()), (Outcome::Completed, ""), "{text}");
    let words =
        |b| memory.download(b).as_chunks::<4>().0.iter().map(|w| u32::from_le_bytes(*w)).collect();
    (buffers.into_iter().map(words).collect(), report.counters)
}

const ALL: [Checks; 3] = [Checks::Bare, Checks::Counters, Checks::All];

/// Words that all differ, and are numbers as floats too.
fn distinct(count: u32) -> Vec<u32> {
    (0..count).map(|i| (1.0 + i as f32 / 4096.0).to_bits()).collect()
}

#[test]
fn vectors_keep_every_component_in_its_place() {
    for (ty, words) in
        [("int4", 4), ("float4", 4), ("uint2", 2), ("float2", 2), ("double2", 4), ("longlong2", 4)]
    {
        for threads in [32, 20, 96] {
            let text = format!(
                "extern \"C\" __global__ void k(const {ty}* in, {ty}* out, {ty}* turned) {{
                    __shared__ {ty} s[96];
                    int t = threadIdx.x;
                    s[t] = in[t];
                    __syncthreads();
                    out[t] = s[t];
                    turned[t] = s[blockDim.x - 1 - t];
                }}"
            );
            let input = distinct(threads * words);
            let none = vec![0; input.len()];
            let turned: Vec<u32> = input.chunks(words as usize).rev().flatten().copied().collect();
            for checks in ALL {
                let (after, counters) =
                    run(&text, threads, &[input.clone(), none.clone(), none.clone()], checks);
                assert_eq!(after[1], input, "{ty}, {threads} threads, {checks:?}");
                assert_eq!(after[2], turned, "{ty}, {threads} threads, {checks:?}");
                if checks != Checks::Bare {
                    let warps = u64::from(threads.div_ceil(32));
                    assert_eq!(counters.global_load_requests, warps);
                    assert_eq!(
                        counters.global_load_sectors,
                        u64::from(threads * words * 4).div_ceil(32)
                    );
                }
            }
        }
    }
}

/// A sum of 64 bits at one place, whose old values are all used: each is a sum of some lanes.
/// As the device's compiler does it: the alignment of the member is known.
#[test]
fn a_struct_of_vectors_moves_vector_by_vector() {
    let text = "struct Pair { int4 a; float4 b; };
        extern \"C\" __global__ void k(const Pair* in, Pair* out) {
            Pair p = in[threadIdx.x];
            p.a.y += 1;
            out[threadIdx.x] = p;
        }";
    let input = distinct(32 * 8);
    let (after, counters) = run(text, 32, &[input.clone(), vec![0; input.len()]], Checks::All);
    let wanted = (0..).zip(input).map(|(i, word)| word + u32::from(i % 8 == 1));
    assert_eq!(after[1], wanted.collect::<Vec<u32>>());
    assert_eq!((counters.global_load_requests, counters.global_store_requests), (2, 2));
}

#[test]
fn wide_atomics_give_the_old_value() {
    let add = |t: u64| ((t + 1) << 31) | 1;
    let pairs = |words: &[u32]| -> Vec<u64> {
        words.as_chunks::<2>().0.iter().map(|w| u64::from(w[0]) | (u64::from(w[1]) << 32)).collect()
    };
    let split = |wide: &[u64]| -> Vec<u32> {
        wide.iter().flat_map(|&w| [w as u32, (w >> 32) as u32]).collect()
    };
    for threads in [32u64, 20, 64] {
        let start: Vec<u64> = (0..threads).map(|t| (0xFFFF_FFFF - t) | (t << 40)).collect();
        for shared in [false, true] {
            let (open, sums, close) = if shared {
                (
                    "__shared__ unsigned long long s[64]; __shared__ unsigned long long one;
                     s[t] = each[t]; if (t == 0) one = sum[0]; __syncthreads();",
                    ("s + t", "&one"),
                    "__syncthreads(); each[t] = s[t]; if (t == 0) sum[0] = one;",
                )
            } else {
                ("", ("each + t", "sum"), "")
            };
            let text = format!(
                "typedef unsigned long long u64;
                extern \"C\" __global__ void k(u64* each, u64* old, u64* sum, u64* before) {{
                    int t = threadIdx.x;
                    {open}
                    u64 by = (u64)(t + 1) << 31 | 1;
                    old[t] = atomicAdd({}, by);
                    before[t] = atomicAdd({}, by);
                    {close}
                }}",
                sums.0, sums.1
            );
            let zeros = vec![0; threads as usize * 2];
            for checks in ALL {
                let arrays = [split(&start), zeros.clone(), split(&[7]), zeros.clone()];
                let (after, _) = run(&text, threads as u32, &arrays, checks);
                let what = format!("{threads} threads, shared {shared}, {checks:?}");
                assert_eq!(pairs(&after[1]), start, "{what}");
                let sums: Vec<u64> = (0..threads).map(|t| start[t as usize] + add(t)).collect();
                assert_eq!(pairs(&after[0]), sums, "{what}");
                let total = 7 + (0..threads).map(add).sum::<u64>();
                assert_eq!(pairs(&after[2]), [total], "{what}");
                // In some order, each lane found the sum of those before it.
                let mut order: Vec<(u64, u64)> =
                    pairs(&after[3]).into_iter().zip(0..threads).collect();
                order.sort_unstable();
                let mut sum = 7;
                for (before, t) in order {
                    assert_eq!(before, sum, "{what}");
                    sum += add(t);
                }
            }
        }
    }
}
