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

/// Also where its array keeps it out of registers.
#[test]
fn an_aligned_struct_of_an_array_moves_as_a_vector() {
    let text = "struct alignas(16) Four { unsigned int f[4]; };
        extern \"C\" __global__ void k(const Four* in, Four* out) {
            Four four = in[threadIdx.x];
            four.f[threadIdx.x % 4] += 1;
            out[threadIdx.x] = four;
        }";
    let input = distinct(32 * 4);
    let (after, counters) = run(text, 32, &[input.clone(), vec![0; input.len()]], Checks::All);
    let wanted = (0..).zip(input).map(|(i, word)| word + u32::from(i % 4 == i / 4 % 4));
    assert_eq!(after[1], wanted.collect::<Vec<u32>>());
    assert_eq!((counters.global_load_requests, counters.global_store_requests), (1, 1));
}

/// A device's compiler merges these reads, or it must not: a store may change what the next read gives.
#[test]
fn reads_through_a_const_reference_are_merged_where_nothing_comes_between() {
    for (body, requests) in [
        ("const auto& v = in[t]; out[t] = make_uint4(v.x, v.y, v.z, v.w);", 1),
        (
            "const uint4& v = in[t]; unsigned a = v.x, b = v.y; unsigned c = max(v.z, a), d = v.w; out[t] = make_uint4(a, b, c, d);",
            1,
        ),
        ("const uint4& v = in[t]; out[t].x = v.x; out[t].y = v.y;", 2),
        ("const uint4& v = in[t]; __syncthreads(); out[t].x = v.x + v.y;", 2),
        // Not every lane reads it.
        ("const uint4& v = in[t]; if (t < 8) out[t].x = v.x + v.y;", 2),
        ("const uint4& v = in[t]; out[t].x = t < 8 ? v.x + v.y : 0;", 2),
        (
            "volatile uint4* u = (volatile uint4*)in; const volatile unsigned& v = u[t].x; out[t].x = v + v;",
            2,
        ),
        ("const unsigned& v = in[t].x; out[t].x = v * v + v;", 1),
    ] {
        let text = format!(
            "extern \"C\" __global__ void k(uint4* in, uint4* out) {{
                unsigned t = threadIdx.x;
                {body}
            }}"
        );
        let input = distinct(32 * 4);
        let (_, counters) = run(&text, 32, &[input, vec![0; 32 * 4]], Checks::All);
        assert_eq!(counters.global_load_requests, requests, "{body}");
    }
}

/// A lane that reads nothing loads nothing, and what is stored between is seen.
#[test]
fn a_const_reference_is_another_name_of_its_place() {
    let text = "extern \"C\" __global__ void k(unsigned* in, unsigned* out) {
            unsigned t = threadIdx.x;
            const unsigned& beyond = in[t + 1];
            out[t] = t < 31 ? beyond : 0;
            unsigned own = 1;
            unsigned* p = &own;
            const unsigned& same = *p;
            own = 5;
            out[32 + t] = same;
        }";
    let input = distinct(32);
    let (after, _) = run(text, 32, &[input.clone(), vec![0; 64]], Checks::All);
    assert_eq!(after[1][..31], input[1..]);
    assert_eq!(after[1][32..], [5; 32]);
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
