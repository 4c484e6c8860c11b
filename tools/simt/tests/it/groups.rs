//! Cooperative groups: 64 threads in each of 2 blocks write what their group says.

use simt::{Arg, Config, Launch, Memory, Model, Outcome, Sources};

fn launch(body: &str, config: &Config) -> Vec<i32> {
    let text = format!(
        "#include <cooperative_groups.h>\n#include <cooperative_groups/reduce.h>\nnamespace cg = cooperative_groups;\n__global__ void k(int* out, int* raw) {{\n auto block = cg::this_thread_block();\n int i = blockIdx.x * blockDim.x + threadIdx.x;\n{body}\n}}\n"
    );
    let module = simt::compile(Sources::single("case.cu", text)).unwrap_or_else(|e| {
        panic!("{body}\n{}", e.diagnostics.iter().map(|d| d.render(&e.sources)).collect::<String>())
    });
    let mut memory = Memory::new();
    let out = memory.alloc("out", "int", 4, 128 * 4);
    let raw = memory.alloc("raw", "int", 4, 128 * 4);
    memory.upload(raw, &[0; 128 * 4]);
    let args = [Arg::Buffer(out), Arg::Buffer(raw)];
    let kernel = module.kernel("k").unwrap();
    let launch =
        Launch { kernel, grid: 2.into(), block: 64.into(), dynamic_shared: 0, args: &args };
    let report = simt::launch(&module, &launch, &mut memory, config).unwrap();
    let findings: String = report.findings.iter().map(|f| f.render(&module.sources)).collect();
    assert_eq!((report.outcome, &*findings), (Outcome::Completed, ""), "{body}");
    let bytes = memory.download(out);
    bytes.chunks(4).map(|b| i32::from_le_bytes(b.try_into().unwrap())).collect()
}

/// `out[i]` is what `expected` says of thread `i`.
fn check(body: &str, expected: impl Fn(i32) -> i32) {
    let wanted: Vec<i32> = (0..128).map(expected).collect();
    assert_eq!(launch(body, &Config::default()), wanted, "{body}");
}

#[test]
fn blocks_and_grids_know_their_threads() {
    check("out[i] = block.thread_rank() + 100 * block.size();", |i| i % 64 + 6400);
    check(
        "cg::thread_block b = block; out[i] = b.group_index().x + 10 * b.thread_index().x; b.sync(); cg::sync(b);",
        |i| i / 64 + 10 * (i % 64),
    );
    check(
        "auto grid = cg::this_grid(); out[i] = grid.thread_rank() + 1000 * grid.size() + grid.num_blocks();",
        |i| i + 128_000 + 2,
    );
}

#[test]
fn tiles_exchange_values() {
    check(
        "auto t = cg::tiled_partition<32>(block); out[i] = t.shfl(i, 3) + t.meta_group_rank() * 1000 + t.meta_group_size();",
        |i| i / 32 * 32 + 3 + i % 64 / 32 * 1000 + 2,
    );
    check(
        "cg::thread_block_tile<8> t = cg::tiled_partition<8>(block); out[i] = t.shfl_down(i, 1) * 100 + t.thread_rank() * 10 + t.size();",
        |i| (if i % 8 == 7 { i } else { i + 1 }) * 100 + i % 8 * 10 + 8,
    );
    check(
        "auto t = cg::tiled_partition<16>(block); auto q = cg::tiled_partition<4>(t); out[i] = q.shfl_xor(i, 1) + 1000 * q.meta_group_rank() + 10000 * q.meta_group_size(); q.sync();",
        |i| (i ^ 1) + 1000 * (i % 16 / 4) + 40_000,
    );
    check(
        "auto t = cg::tiled_partition<8>(block); out[i] = t.ballot(i & 1) + 1000 * t.any(i % 8 == 0) + 10000 * t.all(i % 8 == 0);",
        |_| 0xAA + 1000,
    );
}

#[test]
fn reductions() {
    let sum = |i: i32, n: i32| (i / n * n..i / n * n + n).sum::<i32>();
    check(
        "auto t = cg::tiled_partition<16>(block); out[i] = cg::reduce(t, i, cg::plus<int>());",
        |i| sum(i, 16),
    );
    check(
        "auto t = cg::tiled_partition<8>(block); out[i] = cg::reduce(t, (float)i, cg::plus<float>());",
        |i| sum(i, 8),
    );
    check(
        "struct Max { __device__ int operator()(int a, int b) const { return a > b ? a : b; } }; auto t = cg::tiled_partition<4>(block); out[i] = reduce(t, i, Max()) + cg::reduce(t, 0 - i, cg::less<int>());",
        |_| 0,
    );
    check(
        "auto t = cg::tiled_partition<32>(block); out[i] = cg::inclusive_scan(t, 1, cg::plus<int>()) * 100 + cg::exclusive_scan(t, 1);",
        |i| (i % 32 + 1) * 100 + i % 32,
    );
    let text = "#include <cooperative_groups.h>\nnamespace cg = cooperative_groups;\n__global__ void k(int* out) { auto t = cg::tiled_partition<32>(cg::this_thread_block()); out[0] = cg::reduce(t, out[1], cg::plus<int>()); }\n";
    let module = simt::compile(Sources::single("case.cu", text)).unwrap();
    let code = simt::lower::disassemble(&module.kernels[0]);
    assert!(code.contains("warpreduce.add") && !code.contains("shuffle"), "{code}");
}

#[test]
fn lanes_that_are_together() {
    check(
        "out[i] = -1; if (i % 3 == 0) { auto g = cg::coalesced_threads(); out[i] = g.thread_rank() + 100 * g.size() + 10000 * (g.shfl(i, 1) - i / 32 * 32); }",
        |i| {
            let lanes: Vec<i32> = (i / 32 * 32..i / 32 * 32 + 32).filter(|l| l % 3 == 0).collect();
            match lanes.iter().position(|l| *l == i) {
                Some(rank) => {
                    rank as i32 + 100 * lanes.len() as i32 + 10_000 * (lanes[1] - i / 32 * 32)
                }
                None => -1,
            }
        },
    );
    check(
        "auto g = cg::coalesced_threads(); auto h = cg::labeled_partition(g, i % 4); out[i] = h.size() * 1000 + cg::reduce(h, 1, cg::plus<int>()) * 100 + h.thread_rank();",
        |i| 8800 + i % 32 / 4,
    );
}

/// Every block sees what every other wrote before, in any order of execution.
#[test]
fn the_grid_waits_for_all_its_blocks() {
    let body = "raw[i] = i + 1; cg::this_grid().sync(); int v = raw[127 - i]; cg::this_grid().sync(); raw[i] = v; cg::grid_group g = cg::this_grid(); g.sync(); out[i] = raw[i];";
    check(body, |i| 128 - i);
    for seed in 0..4 {
        let config = Config { model: Model::Adversarial(seed), ..Config::default() };
        assert_eq!(launch(body, &config), (0..128).map(|i| 128 - i).collect::<Vec<i32>>());
    }
}

#[test]
fn a_tile_of_several_warps_needs_no_memory_of_the_program() {
    let begin = "cg::thread_block_tile<64> t = cg::tiled_partition<64>(block);";
    check(
        &format!(
            "{begin} out[i] = t.shfl(i, 45) + 1000 * t.any(i % 64 == 40) + 10000 * t.all(i >= 0) + 100000 * t.all(i % 64 > 0);"
        ),
        |i| i / 64 * 64 + 45 + 11_000,
    );
    check(
        &format!(
            "{begin} out[i] = cg::inclusive_scan(t, i % 64) * 10000 + cg::exclusive_scan(t, i % 64, cg::plus<int>());"
        ),
        |i| {
            let before: i32 = (0..i % 64).sum();
            (before + i % 64) * 10_000 + before
        },
    );
    check(
        &format!(
            "{begin} auto w = cg::tiled_partition<32>(t); auto q = cg::tiled_partition<8>(w); out[i] = w.meta_group_rank() + 10 * w.meta_group_size() + 100 * q.meta_group_rank() + cg::reduce(w, 1000, cg::plus<int>());"
        ),
        |i| i % 64 / 32 + 20 + 100 * (i % 32 / 8) + 32_000,
    );
    check(
        &format!(
            "{begin} __shared__ int s; cg::invoke_one(t, [&](int v) {{ s = v; }}, 7); t.sync(); out[i] = s + cg::invoke_one_broadcast(t, [&] {{ return 10 * (i % 64 + 1); }});"
        ),
        |_| 17,
    );
}

#[test]
fn tiles_and_coalesced_lanes_match_values() {
    check(
        "auto t = cg::tiled_partition<8>(block); int same; unsigned m = t.match_any(i % 2), n = t.match_all(5, same); out[i] = m + 1000 * n + 1000000 * same; t.match_all(i % 2, same); out[i] += 2000000 * same;",
        |i| (if i % 2 == 0 { 0x55 } else { 0xAA }) + 255_000 + 1_000_000,
    );
    check(
        "out[i] = 0; if (i % 4 == 1) { auto g = cg::coalesced_threads(); int same; unsigned m = g.match_any(i % 8), n = g.match_all(1, same); out[i] = m + 1000 * n + 1000000 * same; }",
        |i| {
            if i % 4 == 1 {
                (if i % 8 == 1 { 0x55 } else { 0xAA }) + 255_000 + 1_000_000
            } else {
                0
            }
        },
    );
}

#[test]
fn a_group_of_any_sort_knows_its_threads() {
    check(
        "cg::thread_group g = block; g.sync(); out[i] = g.size() * 100 + g.thread_rank();",
        |i| 6400 + i % 64,
    );
    check(
        "cg::thread_group g = cg::tiled_partition(block, 8); cg::sync(g); out[i] = g.size() * 100 + g.thread_rank();",
        |i| 800 + i % 8,
    );
    check(
        "cg::thread_group g = cg::tiled_partition<16>(block); auto h = cg::tiled_partition(g, 4); out[i] = g.size() * 1000 + g.thread_rank() * 10 + h.thread_rank();",
        |i| 16_000 + i % 16 * 10 + i % 4,
    );
    check(
        "__shared__ int s[64]; cg::thread_group g = block; s[i % 64] = i; g.sync(); out[i] = s[63 - i % 64];",
        |i| i / 64 * 64 + 63 - i % 64,
    );
}

#[test]
fn a_tile_moves_structs() {
    check(
        "auto t = cg::tiled_partition<32>(block); uint4 v = make_uint4(i, 2 * i, 3 * i, 4 * i); v = t.shfl_xor(v, 1); out[i] = v.x + v.y + v.z + v.w;",
        |i| 10 * (i ^ 1),
    );
    check(
        "struct S { float2 f; int n; }; auto t = cg::tiled_partition<4>(block); S s = {{1.0f * i, 2.0f}, i}; S r = t.shfl(s, 2); out[i] = (int)(r.f.x + r.f.y) + r.n;",
        |i| 2 * (i / 4 * 4 + 2) + 2,
    );
}

#[test]
fn a_tile_of_several_warps_meets_in_lent_memory() {
    let begin = "__shared__ cg::block_tile_memory<64> lent; auto b = cg::this_thread_block(lent); auto t = cg::tiled_partition<64>(b);";
    check(
        &format!(
            "{begin} out[i] = cg::reduce(t, i, cg::plus<int>()) + t.size() + t.meta_group_rank() + t.meta_group_size();"
        ),
        |i| (0..64).map(|k| i / 64 * 64 + k).sum::<i32>() + 65,
    );
    check(
        &format!(
            "{begin} __shared__ int s[64]; for (int k = 0; k < 3; ++k) {{ t.sync(); s[t.thread_rank()] = i + k; t.sync(); out[i] = s[63 - t.thread_rank()]; }}"
        ),
        |i| i / 64 * 64 + 63 - i % 64 + 2,
    );
    check(
        "__shared__ cg::experimental::block_tile_memory<4, 64> lent; auto b = cg::experimental::this_thread_block(lent); auto t = cg::experimental::tiled_partition<64>(b); auto w = cg::tiled_partition<32>(b); float m = cg::reduce(t, 1.5f * i, cg::greater<float>()); out[i] = (int)m + w.size();",
        |i| (1.5 * f64::from(i / 64 * 64 + 63)) as i32 + 32,
    );
}

/// Who waits for other blocks gives his turn away: 512 blocks meet in few steps.
#[test]
fn a_large_grid_meets_soon() {
    let text = "#include <cooperative_groups.h>\n\
        __global__ void k(int* out) { cooperative_groups::this_grid().sync(); out[blockIdx.x] = 1; }\n";
    let module = simt::compile(Sources::single("case.cu", text.to_owned())).expect("a kernel");
    let mut memory = Memory::new();
    let out = memory.alloc("out", "int", 4, 512 * 4);
    let args = [Arg::Buffer(out)];
    let kernel = module.kernel("k").unwrap();
    let launch =
        Launch { kernel, grid: 512.into(), block: 1.into(), dynamic_shared: 0, args: &args };
    let config = Config { budget: 2_000_000, ..Config::default() };
    let report = simt::launch(&module, &launch, &mut memory, &config).unwrap();
    assert_eq!(report.outcome, Outcome::Completed);
}

/// Headers of a toolkit use reserved names; ours use plain ones, which a program may define.
#[test]
fn macros_of_the_program_do_not_reach_into_headers_that_are_built_in() {
    let text = "#define rank 3\n#define real float\n#define T(x) x##f\n\
        #include <cooperative_groups.h>\n\
        namespace cg = cooperative_groups;\n\
        __global__ void k(real* out) {\n\
            auto t = cg::tiled_partition<32>(cg::this_thread_block());\n\
            out[0] = t.shfl(out[rank], 1) + T(1.0);\n\
        }\n";
    if let Err(failure) = simt::compile(Sources::single("k.cu", text)) {
        let said: String = failure.diagnostics.iter().map(|d| d.render(&failure.sources)).collect();
        panic!("{said}");
    }
}
