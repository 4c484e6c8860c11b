//! `wgmma` on small whole numbers: layouts in shared memory, formats, and what must be waited for.

use simt::{Arg, Class, Config, Launch, Memory, Model, Outcome, Report, Sources};

/// Functions that kernels here use. `place` is the address of an element of a tile with rows of 128
/// bytes, swizzled; `describe` a descriptor of one.
const HEAD: &str = r#"
typedef unsigned int u32;
typedef unsigned short u16;
typedef unsigned long long u64;
__device__ u32 address(const void* p) { return (u32)__cvta_generic_to_shared(p); }
__device__ u32 place(u32 row, u32 byte) { return row * 128 + ((byte / 16) ^ row % 8) * 16 + byte % 16; }
__device__ u64 describe(const void* tile, u32 leading, u32 stride, u64 mode) {
    return (u64)(address(tile) >> 4) | (u64)(leading >> 4) << 16 | (u64)(stride >> 4) << 32 | mode << 62;
}
__device__ u16 bf16(int x) { return __float_as_uint((float)x) >> 16; }
__device__ void fence() { asm volatile("fence.proxy.async;" ::: "memory"); }
__device__ void begin() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
__device__ void commit() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }
template <int left> __device__ void await() { asm volatile("wgmma.wait_group.sync.aligned %0;" :: "n"(left) : "memory"); }
#define MULTIPLY(shape, numbers) \
    asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %10, 0;\n" \
        "wgmma.mma_async.sync.aligned." shape " {%0, %1, %2, %3, %4, %5, %6, %7}, %8, %9, p" numbers ";\n}" \
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7]) \
        : "l"(a), "l"(b), "r"(keep))
"#;

/// Runs `k(float* out)` with this body in a warp group; `out` has 64 rows of 16.
fn report(body: &str) -> (Report, Vec<f32>, simt::Module) {
    report_with(body, 128, Model::Volta)
}

/// The same in a block of so many threads.
fn report_with(body: &str, threads: u32, model: Model) -> (Report, Vec<f32>, simt::Module) {
    let text = format!("{HEAD}\n__global__ void k(float* out) {{\n{body}\n}}\n");
    let module = simt::compile(Sources::single("case.cu", text)).unwrap_or_else(|e| {
        panic!("{body}\n{}", e.diagnostics.iter().map(|d| d.render(&e.sources)).collect::<String>())
    });
    let mut memory = Memory::new();
    let out = memory.alloc("out", "float", 4, 4096);
    memory.upload(out, &[0; 4096]);
    let kernel = module.kernel("k").unwrap();
    let args = [Arg::Buffer(out)];
    let launch =
        Launch { kernel, grid: 1.into(), block: threads.into(), dynamic_shared: 0, args: &args };
    let config = Config { model, ..Config::default() };
    let report = simt::launch(&module, &launch, &mut memory, &config).unwrap();
    let words = memory.download(out);
    let words = words.as_chunks::<4>().0.iter().map(|b| f32::from_le_bytes(*b)).collect();
    (report, words, module)
}

/// The rows that the body leaves, without a finding.
fn run(body: &str) -> Vec<f32> {
    let (report, words, module) = report(body);
    let findings: String = report.findings.iter().map(|f| f.render(&module.sources)).collect();
    assert_eq!((report.outcome, &*findings), (Outcome::Completed, ""), "{body}");
    words
}

/// Stores the accumulators of `m64n16`.
const STORE: &str = r#"
    for (u32 i = 0; i < 8; i++)
        out[(t / 32 * 16 + t % 32 / 4 + i / 2 % 2 * 8) * 16 + i / 4 * 8 + t % 4 * 2 + i % 2] = d[i];
"#;

/// Element (row, k) of `a` and (k, column) of `b`.
fn check(words: &[f32], depth: usize, scale: f32, before: f32) {
    for (at, word) in words.iter().enumerate() {
        let (i, j) = (at / 16, at % 16);
        let products = (0..depth).map(|l| ((i * 7 + l * 3) % 5) * ((l * 5 + j * 3) % 4));
        let expected = before + scale * products.sum::<usize>() as f32;
        assert_eq!(*word, expected, "({i}, {j})");
    }
}

/// Fills tiles of `a` and `b` with rows along k.
const ALONG_K: &str = r#"
    __shared__ __align__(1024) unsigned char as[64 * 128], bs[16 * 128];
    u32 t = threadIdx.x;
    for (u32 i = t; i < 64 * 64; i += 128) *(u16*)&as[place(i / 64, i % 64 * 2)] = bf16((i / 64 * 7 + i % 64 * 3) % 5);
    for (u32 i = t; i < 16 * 64; i += 128) *(u16*)&bs[place(i / 64, i % 64 * 2)] = bf16((i % 64 * 5 + i / 64 * 3) % 4);
    fence();
    __syncthreads();
    float d[8];
    for (u32 i = 0; i < 8; i++) d[i] = 7;
    begin();
"#;

#[test]
fn rows_along_k_are_swizzled() {
    let steps = r#"
    for (u32 s = 0; s < 4; s++) {
        u64 a = describe(as + s * 32, 16, 1024, 1), b = describe(bs + s * 32, 16, 1024, 1);
        u32 keep = s > 0;
        MULTIPLY("m64n16k16.f32.bf16.bf16", ", 1, 1, 0, 0");
    }
    commit();
    await<0>();
    "#;
    check(&run(&format!("{ALONG_K}{steps}{STORE}")), 64, 1.0, 0.0);
}

#[test]
fn factors_may_be_negated_and_sums_kept() {
    let steps = r#"
    u64 a = describe(as, 16, 1024, 1), b = describe(bs, 16, 1024, 1);
    u32 keep = 1;
    MULTIPLY("m64n16k16.f32.bf16.bf16", ", 1, -1, 0, 0");
    commit();
    await<0>();
    "#;
    check(&run(&format!("{ALONG_K}{steps}{STORE}")), 16, -1.0, 7.0);
}

/// Rows of 64 bytes run along the lines of the factors, and k goes down.
#[test]
fn factors_may_be_transposed() {
    let body = r#"
    __shared__ __align__(1024) unsigned char as[2 * 16 * 64], bs[16 * 32];
    u32 t = threadIdx.x;
    // a: 64 rows are two pieces of 32, 64 bytes each; the swizzle exchanges 4 chunks.
    for (u32 i = t; i < 64 * 16; i += 128) {
        u32 row = i % 64, k = i / 64, at = row / 32 * 1024 + k * 64 + row % 32 * 2;
        *(u16*)&as[at ^ (at >> 7 & 3) << 4] = bf16((row * 7 + k * 3) % 5);
    }
    // b: 16 columns are a row of 32 bytes, of two chunks.
    for (u32 i = t; i < 16 * 16; i += 128) {
        u32 column = i % 16, k = i / 16, at = k * 32 + column * 2;
        *(u16*)&bs[at ^ (at >> 7 & 1) << 4] = bf16((k * 5 + column * 3) % 4);
    }
    fence();
    __syncthreads();
    float d[8] = {};
    u64 a = describe(as, 1024, 512, 2), b = describe(bs, 0, 256, 3);
    u32 keep = 0;
    begin();
    MULTIPLY("m64n16k16.f32.bf16.bf16", ", 1, 1, 1, 1");
    commit();
    await<0>();
    "#;
    check(&run(&format!("{body}{STORE}")), 16, 1.0, 0.0);
}

/// Without a swizzle, and bytes.
#[test]
fn core_matrices_of_bytes() {
    let body = r#"
    __shared__ __align__(1024) unsigned char as[64 * 32], bs[16 * 32];
    u32 t = threadIdx.x;
    for (u32 i = t; i < 64 * 32; i += 128) as[i / 32 % 8 * 16 + i / 256 * 256 + i % 32 / 16 * 128 + i % 16] = (i / 32 * 7 + i % 32 * 3) % 5;
    for (u32 i = t; i < 16 * 32; i += 128) bs[i / 32 % 8 * 16 + i / 256 * 256 + i % 32 / 16 * 128 + i % 16] = (i % 32 * 5 + i / 32 * 3) % 4;
    fence();
    __syncthreads();
    u32 e[8];
    u64 a = describe(as, 128, 256, 0), b = describe(bs, 128, 256, 0);
    begin();
    asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, 1, 1;\n"
        "wgmma.mma_async.sync.aligned.m64n16k32.s32.u8.s8 {%0, %1, %2, %3, %4, %5, %6, %7}, %8, %9, p;\n}"
        : "=r"(e[0]), "=r"(e[1]), "=r"(e[2]), "=r"(e[3]), "=r"(e[4]), "=r"(e[5]), "=r"(e[6]), "=r"(e[7])
        : "l"(a), "l"(b));
    commit();
    await<0>();
    float d[8];
    for (u32 i = 0; i < 8; i++) d[i] = e[i];
    "#;
    check(&run(&format!("{body}{STORE}")), 32, 1.0, 0.0);
}

#[test]
fn the_left_factor_may_be_in_registers() {
    let steps = r#"
    u32 r[4];
    for (u32 i = 0; i < 4; i++) {
        u32 row = t / 32 * 16 + t % 32 / 4 + i % 2 * 8, k = t % 4 * 2 + i / 2 * 8;
        r[i] = bf16((row * 7 + k * 3) % 5) | bf16((row * 7 + (k + 1) * 3) % 5) << 16;
    }
    u64 b = describe(bs, 16, 1024, 1);
    begin();
    asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, 0, 0;\n"
        "wgmma.mma_async.sync.aligned.m64n16k16.f32.bf16.bf16 {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, %10, %11}, %12, p, -1, 1, 0;\n}"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7])
        : "r"(r[0]), "r"(r[1]), "r"(r[2]), "r"(r[3]), "l"(b));
    commit();
    await<0>();
    "#;
    check(&run(&format!("{ALONG_K}{steps}{STORE}")), 16, -1.0, 0.0);
}

const ONE: &str = r#"
    u64 a = describe(as, 16, 1024, 1), b = describe(bs, 16, 1024, 1);
    u32 keep = 0;
    MULTIPLY("m64n16k16.f32.bf16.bf16", ", 1, 1, 0, 0");
    commit();
"#;

fn classes(body: &str) -> Vec<Class> {
    report(body).0.findings.iter().map(|finding| finding.class()).collect()
}

/// What the tensor core reads is not to be written before the group is waited for.
#[test]
fn an_operand_that_is_overwritten_too_early_is_a_race() {
    let overwrite = "if (t == 127) as[0] = 1;";
    let early = format!("{ALONG_K}{ONE}{overwrite}\nawait<0>();");
    assert_eq!(classes(&early), [Class::Async]);
    let too_few = format!("{ALONG_K}{ONE}await<1>();\n__syncthreads();{overwrite}\nawait<0>();");
    assert_eq!(classes(&too_few), [Class::Async]);
    let others = format!("{ALONG_K}{ONE}await<0>();\nif (t == 0) as[place(50, 0)] = 1;");
    assert_eq!(classes(&others), [], "the wait is for the products of all four warps");
    let right = format!("{ALONG_K}{ONE}await<0>();\n__syncthreads();{overwrite}");
    assert_eq!(classes(&right), []);
}

/// Four tiles of `a` follow each other in one buffer. A fifth warp fills it; one thread of the warp group gives
/// it back for all four warps, after `wait`.
fn pipelined(wait: &str) -> String {
    format!(
        r#"
    __shared__ __align__(1024) unsigned char as[64 * 128], bs[16 * 128];
    __shared__ u64 full, empty;
    u32 t = threadIdx.x;
    for (u32 i = t; i < 16 * 64; i += 160) *(u16*)&bs[place(i / 64, i % 64 * 2)] = bf16((i % 64 * 5 + i / 64 * 3) % 4);
    if (t == 0) {{
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 32;" :: "r"(address(&full)) : "memory");
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" :: "r"(address(&empty)) : "memory");
    }}
    fence();
    __syncthreads();
    auto arrive = [](u64* bar) {{ asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" :: "r"(address(bar)) : "memory"); }};
    auto reach = [](u64* bar, u32 parity) {{
        for (u32 done = 0; !done;)
            asm volatile("{{\n.reg .pred p;\nmbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\nselp.u32 %0, 1, 0, p;\n}}"
                : "=r"(done) : "r"(address(bar)), "r"(parity) : "memory");
    }};
    if (t >= 128) {{
        for (u32 s = 0; s < 4; s++) {{
            if (s > 0) reach(&empty, (s - 1) % 2);
            for (u32 i = t - 128; i < 64 * 16; i += 32)
                *(u16*)&as[place(i / 16, i % 16 * 2)] = bf16((i / 16 * 7 + (s * 16 + i % 16) * 3) % 5);
            fence();
            arrive(&full);
        }}
        return;
    }}
    float d[8];
    for (u32 i = 0; i < 8; i++) d[i] = 0;
    for (u32 s = 0; s < 4; s++) {{
        reach(&full, s % 2);
        u64 a = describe(as, 16, 1024, 1), b = describe(bs + s * 32, 16, 1024, 1);
        u32 keep = s > 0;
        begin();
        MULTIPLY("m64n16k16.f32.bf16.bf16", ", 1, 1, 0, 0");
        commit();
        {wait}
        if (t == 0) arrive(&empty);
    }}
    await<0>();
"#
    )
}

/// The wait of one warp is for the products of the whole warp group.
#[test]
fn one_thread_releases_a_buffer_for_its_warp_group() {
    let body = format!("{}{STORE}", pipelined("await<0>();"));
    let schedules = (0..24).map(Model::Adversarial).chain([Model::Volta]);
    for model in schedules {
        let (report, words, module) = report_with(&body, 160, model);
        let findings: String = report.findings.iter().map(|f| f.render(&module.sources)).collect();
        assert_eq!((report.outcome, &*findings), (Outcome::Completed, ""), "{model:?}");
        check(&words, 64, 1.0, 0.0);
    }
}

#[test]
fn a_buffer_that_is_released_before_the_wait_is_a_race() {
    for model in [Model::Volta, Model::Adversarial(1)] {
        let (report, ..) = report_with(&pipelined(""), 160, model);
        let classes: Vec<Class> = report.findings.iter().map(|finding| finding.class()).collect();
        assert_eq!(classes.first(), Some(&Class::Async), "{model:?}");
    }
}

/// The wait orders products, and no accesses of the threads.
#[test]
fn a_wait_for_products_is_no_barrier() {
    let body = format!(
        "{ALONG_K}__shared__ u32 word;\nif (t == 0) word = 1;\n{ONE}await<0>();\nif (t == 32) out[0] = word;"
    );
    assert_eq!(classes(&body), [Class::Race]);
}

#[test]
fn a_wait_for_products_that_never_come_is_a_deadlock() {
    let codes = |rest: &str| {
        let (report, ..) = report(&format!("{ALONG_K}{ONE}{rest}"));
        assert_eq!(report.outcome, Outcome::Deadlock, "{rest}");
        report.findings.iter().map(|finding| finding.code.name()).collect::<Vec<_>>()
    };
    // A warp waits at a barrier that the others do not reach before it commits.
    let barrier = "if (t / 32 != 3) { commit(); await<0>(); }\n__syncthreads();";
    assert_eq!(codes(barrier), ["divergent-barrier"]);
    // Lanes wait for others of their warp, which wait to meet them.
    assert_eq!(codes("if (t % 32 < 16) { commit(); await<0>(); }"), ["deadlock"]);
    // A warp polls what only the others would write.
    let polls = "__shared__ volatile u32 flag;\nif (t == 0) flag = 0;\n__syncthreads();\n\
        if (t / 32 == 3) while (flag == 0) {}\ncommit();\nawait<0>();\nflag = 1;";
    assert_eq!(codes(polls), ["no-progress"]);
}

#[test]
fn a_missing_proxy_fence_is_a_race() {
    let body = format!("{}{ONE}await<0>();", ALONG_K.replace("fence();\n", ""));
    // Of each factor.
    assert_eq!(classes(&body), [Class::Async, Class::Async]);
}

#[test]
fn a_tile_beyond_shared_memory_is_reported() {
    let body = format!("{}await<0>();", ONE.replace("describe(as, 16", "describe(as + 196608, 16"));
    let (report, ..) = report(&format!("{ALONG_K}{body}"));
    let classes: Vec<Class> = report.findings.iter().map(|finding| finding.class()).collect();
    assert_eq!(classes, [Class::Bounds]);
}
