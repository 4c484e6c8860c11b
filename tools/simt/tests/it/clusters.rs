//! Clusters: eight blocks of 64 threads in clusters of four, under many schedules.

use simt::machine::Dim3;
use simt::{Arg, Config, Launch, Memory, Model, Outcome, Report, Sources};

/// Threads in all.
const ALL: usize = 512;

/// What the bodies have: a group, its rank, and shared memory.
const HEAD: &str = r#"
    cg::cluster_group cluster = cg::this_cluster();
    unsigned t = threadIdx.x, rank = cluster.block_rank(), i = blockIdx.x * 64 + t;
    __shared__ __align__(128) unsigned s[64];
    __shared__ unsigned long long bar;
    unsigned at = (unsigned)__cvta_generic_to_shared(&bar), here = (unsigned)__cvta_generic_to_shared(s);
"#;

fn module(body: &str) -> simt::Module {
    let text = format!(
        "#include <cooperative_groups.h>\nnamespace cg = cooperative_groups;\n__global__ void __cluster_dims__(4, 1, 1) k(unsigned* out) {{\n{HEAD}{body}\n}}\n"
    );
    simt::compile(Sources::single("case.cu", text)).unwrap_or_else(|e| {
        panic!("{body}\n{}", e.diagnostics.iter().map(|d| d.render(&e.sources)).collect::<String>())
    })
}

/// Runs it in a grid of so many blocks; `out[i]` is `i + 1` at first.
fn launch(
    module: &simt::Module,
    blocks: Dim3,
    config: &Config,
) -> Result<(Report, Vec<u32>), simt::LaunchError> {
    let mut memory = Memory::new();
    let out = memory.alloc("out", "unsigned", 4, ALL * 4);
    let words: Vec<u8> = (1..=ALL as u32).flat_map(u32::to_le_bytes).collect();
    memory.upload(out, &words);
    let args = [Arg::Buffer(out)];
    let kernel = module.kernel("k").unwrap();
    let what = Launch { kernel, grid: blocks, block: 64.into(), dynamic_shared: 0, args: &args };
    let report = simt::launch(module, &what, &mut memory, config)?;
    let words = memory.download(out);
    let words = words.chunks(4).map(|b| u32::from_le_bytes(b.try_into().unwrap())).collect();
    Ok((report, words))
}

fn models() -> impl Iterator<Item = Model> {
    [Model::Volta].into_iter().chain((1..12).map(Model::Adversarial))
}

/// Under each schedule thread `i` leaves what `expected` says, and nothing is found.
fn check(body: &str, expected: impl Fn(u32) -> u32) {
    let module = module(body);
    let wanted: Vec<u32> = (0..ALL as u32).map(expected).collect();
    for model in models() {
        let config = Config { model, threads: 2, ..Config::default() };
        let (report, words) = launch(&module, 8.into(), &config).unwrap();
        let findings: String = report.findings.iter().map(|f| f.render(&module.sources)).collect();
        assert_eq!((report.outcome, &*findings), (Outcome::Completed, ""), "{model:?}: {body}");
        assert_eq!(words, wanted, "{model:?}: {body}");
    }
}

#[test]
fn a_block_knows_its_place_in_the_cluster() {
    check("out[i] = rank + 10 * cluster.num_blocks() + 100 * cluster.thread_rank();", |i| {
        let rank = i / 64 % 4;
        rank + 40 + 100 * (rank * 64 + i % 64)
    });
    check(
        r#"unsigned id, ids, axis;
        asm("mov.u32 %0, %%clusterid.x;" : "=r"(id));
        asm("mov.u32 %0, %%nclusterid.x;" : "=r"(ids));
        asm("mov.u32 %0, %%cluster_nctaid.x;" : "=r"(axis));
        out[i] = id + 10 * ids + 100 * axis + 1000 * cluster.block_index().x + 10000 * cluster.dim_blocks().y;"#,
        |i| i / 256 + 20 + 400 + 1000 * (i / 64 % 4) + 10_000,
    );
}

#[test]
fn the_launch_says_the_extent_too() {
    let module =
        module("out[i] = rank + 10 * cluster.dim_blocks().y + 100 * cluster.block_index().y;");
    let grid = Dim3 { x: 4, y: 2, z: 1 };
    let dim = Dim3 { x: 2, y: 2, z: 1 };
    let config = Config { cluster: Some(dim), ..Config::default() };
    // The number of the block counts along x only, so the second row writes what the first did.
    let (_, words) = launch(&module, grid, &config).unwrap();
    assert_eq!([words[0], words[64], words[128]].map(|w| w % 100), [22, 23, 22]);
    for (dim, why) in [(17, "17 blocks"), (3, "do not divide")] {
        let config = Config { cluster: Some(Dim3::from(dim)), ..Config::default() };
        let error = launch(&module, grid, &config).unwrap_err();
        assert!(error.message.contains(why), "{error}");
    }
}

#[test]
fn a_block_alone_is_a_cluster() {
    let module =
        module("s[t] = i; cluster.sync(); out[i] = *cluster.map_shared_rank(&s[63 - t], rank);");
    let config = Config { cluster: Some(1.into()), ..Config::default() };
    let (report, words) = launch(&module, 8.into(), &config).unwrap();
    assert_eq!((report.outcome, report.findings.len()), (Outcome::Completed, 0));
    assert!((0..512u32).all(|i| words[i as usize] == i / 64 * 64 + 63 - i % 64));
}

#[test]
fn blocks_reach_each_other_s_shared_memory() {
    // By a generic pointer, after a cluster barrier at the start.
    check(
        "cluster.sync(); cluster.map_shared_rank(s, (rank + 1) % 4)[t] = i; cluster.sync(); out[i] = s[t];",
        |i| i / 256 * 256 + (i + 192) % 256,
    );
    // By 32-bit addresses, and its own by both ways.
    check(
        r#"s[t] = i;
        cluster.sync();
        unsigned there, value, own;
        asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(here + 4 * t), "r"((rank + 3) % 4));
        asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(value) : "r"(there) : "memory");
        own = *cluster.map_shared_rank(&s[t], rank);
        cluster.sync();
        out[i] = value * 1000 + own - i + cluster.query_shared_rank(cluster.map_shared_rank(s, 2));"#,
        |i| (i / 256 * 256 + (i + 192) % 256) * 1000 + 2,
    );
    // Atomics of all threads of the cluster on one word.
    check(
        r#"if (t == 0) s[0] = 0;
        cluster.sync();
        atomicAdd(cluster.map_shared_rank(&s[0], t % 4), 1u);
        cluster.sync();
        out[i] = s[0];"#,
        |_| 64,
    );
}

#[test]
fn arrivals_and_waits_may_be_apart() {
    check(
        r#"cluster.sync();
        cluster.map_shared_rank(s, (rank + 1) % 4)[t] = i;
        auto token = cluster.barrier_arrive();
        unsigned sum = out[i];
        cluster.barrier_wait(static_cast<decltype(token)&&>(token));
        out[i] = s[t] + sum;"#,
        |i| i / 256 * 256 + (i + 192) % 256 + i + 1,
    );
}

/// Thread 0 of each block makes an mbarrier for so many arrivals.
fn made(arrivals: u32) -> String {
    format!(
        r#"if (t == 0) {{
            asm volatile("mbarrier.init.shared::cta.b64 [%0], {arrivals};" ::"r"(at) : "memory");
            asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
        }}
        cluster.sync();
        "#
    )
}

/// All threads wait for the phase of parity 0.
const WAIT: &str = r#"
    unsigned done;
    do {
        asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; }"
                     : "=r"(done) : "r"(at) : "memory");
    } while (!done);
"#;

#[test]
fn threads_arrive_at_the_mbarriers_of_other_blocks() {
    let made = made(4);
    check(
        &format!(
            r#"{made}
            cluster.map_shared_rank(s, t % 4)[rank * 16 + t / 4] = i;
            __syncthreads();
            if (t < 4)
                asm volatile("{{ .reg .b32 there; mapa.shared::cluster.u32 there, %0, %1;"
                             "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [there]; }}"
                             ::"r"(at), "r"(t) : "memory");
            {WAIT}
            out[i] = s[t];
            cluster.sync();"#
        ),
        |i| i / 256 * 256 + i % 64 / 16 * 64 + i % 16 * 4 + i / 64 % 4,
    );
}

#[test]
fn a_copy_goes_to_several_blocks() {
    let made = made(1);
    // Each block copies a quarter to all of them.
    check(
        &format!(
            r#"{made}
            if (t == 0) {{
                asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 256;" ::"r"(at) : "memory");
                asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1], %2, [%3], %4;"
                             ::"r"(here + rank * 64), "l"(out + rank * 16), "r"(64), "r"(at), "h"((unsigned short)15) : "memory");
            }}
            {WAIT}
            unsigned value = s[t];
            cluster.sync();
            if (blockIdx.x >= 4) out[i] = value;"#
        ),
        |i| if i < 256 { i + 1 } else { i % 64 + 1 },
    );
}

#[test]
fn a_block_copies_its_shared_memory_to_another() {
    let made = made(1);
    check(
        &format!(
            r#"__shared__ __align__(128) unsigned other[64];
            other[t] = i;
            asm volatile("fence.proxy.async;" ::: "memory");
            {made}
            if (t == 0) {{
                asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 256;" ::"r"(at) : "memory");
                asm volatile("{{ .reg .b32 to, bar; mapa.shared::cluster.u32 to, %0, %3; mapa.shared::cluster.u32 bar, %2, %3;"
                             "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [to], [%1], 256, [bar]; }}"
                             ::"r"(here), "r"((unsigned)__cvta_generic_to_shared(other)), "r"(at), "r"((rank + 1) % 4) : "memory");
            }}
            {WAIT}
            out[i] = s[t];
            cluster.sync();"#
        ),
        |i| i / 256 * 256 + (i + 192) % 256,
    );
}

#[test]
fn a_store_from_registers_counts_at_an_mbarrier() {
    let made = made(1);
    let next = r#"mapa.shared::cluster.u32 to, %0, %2; mapa.shared::cluster.u32 bar, %1, %2;"#;
    check(
        &format!(
            r#"{made}
            if (t == 0) asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 256;" ::"r"(at) : "memory");
            if (t < 16)
                asm volatile("{{ .reg .b32 to, bar; {next}"
                             "st.async.shared::cluster.mbarrier::complete_tx::bytes.v4.b32 [to], {{%3, %4, %5, %6}}, [bar]; }}"
                             ::"r"(here + t * 16), "r"(at), "r"((rank + 1) % 4), "r"(i * 4), "r"(i * 4 + 1), "r"(i * 4 + 2), "r"(i * 4 + 3) : "memory");
            {WAIT}
            out[i] = s[t];
            cluster.sync();"#
        ),
        |i| (i / 256 * 256 + (i / 64 + 3) % 4 * 64) * 4 + i % 64,
    );
    check(
        &format!(
            r#"s[t] = 7;
            {made}
            if (t == 0) asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 512;" ::"r"(at) : "memory");
            asm volatile("{{ .reg .b32 to, bar; {next}"
                         "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [to], %3, [bar];"
                         "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.max.u32 [to], 5, [bar]; }}"
                         ::"r"(here + t * 4), "r"(at), "r"((rank + 1) % 4), "r"(i) : "memory");
            {WAIT}
            out[i] = s[t];
            cluster.sync();"#
        ),
        |i| 7 + i / 256 * 256 + (i + 192) % 256,
    );
}

#[test]
fn an_asynchronous_store_may_have_generic_addresses() {
    let made = made(1);
    check(
        &format!(
            r#"{made}
            if (t == 0) asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 256;" ::"r"(at) : "memory");
            unsigned* there = cluster.map_shared_rank(s, (rank + 1) % 4);
            unsigned long long* bar_there = cluster.map_shared_rank(&bar, (rank + 1) % 4);
            asm volatile("st.async.weak.mbarrier::complete_tx::bytes.u32 [%0], %1, [%2];" ::"l"(there + t), "r"(i), "l"(bar_there) : "memory");
            {WAIT}
            out[i] = s[t];
            cluster.sync();"#
        ),
        |i| i / 256 * 256 + (i + 192) % 256,
    );
}

/// The PTX ISA leaves undefined what these do.
#[test]
fn asynchronous_stores_stay_within_what_is_defined() {
    let made = made(1);
    let own = r#"if (t == 0) {
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 4;" ::"r"(at) : "memory");
        asm volatile("red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [%0], 1, [%1];" ::"r"(here), "r"(at) : "memory");
    }"#;
    assert_eq!(codes(&format!("if (t < 1) s[0] = 0; {made}{own}")), ["no-mbarrier"]);
    let store = own.replace("red.async.relaxed.cluster", "st.async").replace("add.u32", "u32");
    assert_eq!(codes(&format!("{made}{store}{WAIT} out[i] = s[0]; cluster.sync();")), [""; 0]);
    let alone = format!("{made}{store}").replace("cluster.sync();", "__syncthreads();");
    let module = module(&alone);
    let config = Config { cluster: Some(1.into()), ..Config::default() };
    let (report, _) = launch(&module, 8.into(), &config).unwrap();
    assert_eq!(report.findings[0].code.name(), "no-mbarrier");
}

/// The counters are those that the profiler showed on an H100.
#[test]
fn accesses_to_other_blocks_are_not_counted_as_shared() {
    let counted = |body: &str| {
        let module = module(&format!("s[t] = i; cluster.sync(); {body} cluster.sync();"));
        let (report, _) = launch(&module, 8.into(), &Config::default()).unwrap();
        let c = report.counters;
        let loads = [c.shared_load_instructions, c.shared_load_wavefronts, c.shared_load_conflicts];
        (loads, c.shared_store_instructions, c.shared_atomic_instructions)
    };
    assert_eq!(counted("out[i] = s[t * 2 % 64];"), ([16, 32, 16], 16, 0));
    let next = "unsigned* next = cluster.map_shared_rank(s, (rank + 1) % 4);";
    assert_eq!(counted(&format!("{next} out[i] = next[t * 2 % 64];")), ([0; 3], 16, 0));
    assert_eq!(counted(&format!("{next} next[t] = 1;")), ([0; 3], 16, 0));
    assert_eq!(counted(&format!("{next} atomicAdd(&next[t], 1u);")), ([0; 3], 16, 0));
}

/// What is found, the same under each schedule.
fn codes(body: &str) -> Vec<&'static str> {
    let module = module(body);
    let found: Vec<Vec<&str>> = models()
        .map(|model| {
            let config = Config { model, budget: 1 << 20, ..Config::default() };
            let (report, _) = launch(&module, 8.into(), &config).unwrap();
            let mut codes: Vec<_> = report.findings.iter().map(|f| f.code.name()).collect();
            codes.sort_unstable();
            codes.dedup();
            codes
        })
        .collect();
    assert!(found.iter().all(|codes| *codes == found[0]), "{body}: {found:?}");
    found[0].clone()
}

#[test]
fn no_block_is_accessed_before_it_starts_or_after_it_ends() {
    let write = "cluster.map_shared_rank(s, (rank + 1) % 4)[t] = i;";
    assert_eq!(
        codes(&format!("{write} cluster.sync(); out[i] = s[t];")),
        ["missing-cluster-barrier"]
    );
    // The other block may have left when it is read.
    let read = "s[t] = i; cluster.sync(); out[i] = cluster.map_shared_rank(s, (rank + 1) % 4)[t];";
    assert_eq!(codes(read), ["missing-cluster-barrier"]);
    assert_eq!(codes(&format!("{read} cluster.sync();")), [""; 0]);
    // A relaxed arrival says that the block has started, and orders no memory.
    let relaxed =
        r#"asm volatile("barrier.cluster.arrive.relaxed; barrier.cluster.wait;" ::: "memory");"#;
    assert_eq!(codes(&format!("{relaxed} {write} cluster.sync(); out[i] = s[t];")), [""; 0]);
    assert_eq!(codes(&format!("cluster.sync(); {write} {relaxed} out[i] = s[t];")), ["block-race"]);
}

#[test]
fn an_operation_ends_before_its_block() {
    let made = made(1);
    let copy = r#"if (t == 0) {
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 256;" ::"r"(at) : "memory");
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1], %2, [%3], %4;"
                     ::"r"(here + rank * 64), "l"(out + rank * 16), "r"(64), "r"(at), "h"((unsigned short)15) : "memory");
    }"#;
    assert_eq!(codes(&format!("{made}{copy}{WAIT}")), [""; 0]);
    assert_eq!(codes(&format!("{made}{copy}")), ["missing-cluster-barrier"]);
}

#[test]
fn what_is_not_ordered_across_blocks_is_a_race() {
    let race = "s[t] = 0; cluster.sync(); cluster.map_shared_rank(s, 0)[t] = i; cluster.sync(); if (rank == 0) out[i] = s[t];";
    assert_eq!(codes(race), ["block-race"]);
    let early = "s[t] = 0; cluster.sync(); cluster.map_shared_rank(s, (rank + 1) % 4)[t] = i; __syncthreads(); out[i] = s[t]; cluster.sync();";
    assert_eq!(codes(early), ["block-race"]);
    // The scope of the block is too narrow for the cluster.
    let narrow = "if (t == 0) s[0] = 0; cluster.sync(); atomicAdd_block(cluster.map_shared_rank(s, 0), 1u); cluster.sync(); out[i] = s[0];";
    assert_eq!(codes(narrow), ["scope-race"]);
}

#[test]
fn arrivals_and_waits_alternate() {
    let [arrive, wait] = ["arrive", "wait"]
        .map(|what| format!(r#"asm volatile("barrier.cluster.{what};" ::: "memory");"#));
    assert_eq!(codes(&format!("{arrive}{arrive}")), ["cluster-barrier"]);
    assert_eq!(codes(&format!("{arrive}{wait}{arrive}{wait}")), [""; 0]);
    assert_eq!(codes(&wait), ["cluster-barrier"]);
    assert_eq!(codes("if (rank != 2) cluster.sync(); else __syncthreads();"), [""; 0]);
    assert_eq!(codes("if (t < 32) cluster.sync(); else __syncthreads();"), ["divergent-barrier"]);
}

#[test]
fn only_its_own_block_waits_at_an_mbarrier() {
    let body = format!(
        r#"{}
        if (t == 0) asm volatile("{{ .reg .b32 there; .reg .pred p; mapa.shared::cluster.u32 there, %0, %1;"
                                 "mbarrier.try_wait.parity.shared::cta.b64 p, [there], 1; }}" ::"r"(at), "r"((rank + 1) % 4) : "memory");
        cluster.sync();"#,
        made(1)
    );
    assert_eq!(codes(&body), ["no-mbarrier"]);
}

#[test]
fn an_address_of_no_block_of_the_cluster_is_refused() {
    let found =
        codes("cluster.sync(); out[i] = *cluster.map_shared_rank(&s[0], 7); cluster.sync();");
    assert_eq!(found, ["bad-pointer"]);
}
