// Instructions of asynchronous copies and mbarriers, as macros: a finding then has the line of its use.
#define PLACE(p) ((unsigned)__cvta_generic_to_shared(p))
#define COPY(to, from) asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(PLACE(to)), "l"(from) : "memory")
#define COMMIT() asm volatile("cp.async.commit_group;" ::: "memory")
#define WAIT_GROUP(n) asm volatile("cp.async.wait_group %0;" ::"n"(n) : "memory")
#define WAIT_ALL() asm volatile("cp.async.wait_all;" ::: "memory")
#define COPY_ARRIVE(bar) asm volatile("cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%0];" ::"r"(PLACE(bar)) : "memory")
#define INIT(bar, count) asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(PLACE(bar)), "r"(count) : "memory")
#define INIT_FENCE() asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory")
#define PROXY_FENCE() asm volatile("fence.proxy.async.shared::cta;" ::: "memory")
#define ARRIVE(bar) asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(PLACE(bar)) : "memory")
#define EXPECT(bar, bytes) \
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(PLACE(bar)), "r"(bytes) : "memory")
#define WAIT(bar, parity) \
    for (unsigned done = 0; !done;) \
    asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }" \
                 : "=r"(done) : "r"(PLACE(bar)), "r"(parity) : "memory")
#define LOAD(to, from, bytes, bar) \
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" \
                 ::"r"(PLACE(to)), "l"(from), "r"(bytes), "r"(PLACE(bar)) : "memory")
#define STORE(to, from, bytes) \
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(to), "r"(PLACE(from)), "r"(bytes) : "memory")
#define BULK_COMMIT() asm volatile("cp.async.bulk.commit_group;" ::: "memory")
#define BULK_WAIT_READ(n) asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(n) : "memory")
// A warp group's product of 64 rows of 32 bytes by the first 8 of them, without a swizzle.
#define PRODUCT(d, tile) \
    asm volatile("{ .reg .pred p; setp.ne.b32 p, 0, 0; wgmma.fence.sync.aligned; " \
                 "wgmma.mma_async.sync.aligned.m64n8k32.s32.u8.u8 {%0, %1, %2, %3}, %4, %4, p; " \
                 "wgmma.commit_group.sync.aligned; }" \
                 : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3]) \
                 : "l"((unsigned long long)(PLACE(tile) >> 4) | 8ull << 16 | 16ull << 32) : "memory")
#define PRODUCT_WAIT() asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory")
#define BULK_WAIT(n) asm volatile("cp.async.bulk.wait_group %0;" ::"n"(n) : "memory")
#define REDUCE(to, from, bytes) \
    asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.s32 [%0], [%1], %2;" ::"l"(to), "r"(PLACE(from)), "r"(bytes) : "memory")
#define INVALIDATE(bar) asm volatile("mbarrier.inval.shared::cta.b64 [%0];" ::"r"(PLACE(bar)) : "memory")
#define BAR_SYNC(id, threads) asm volatile("bar.sync %0, %1;" ::"n"(id), "n"(threads) : "memory")
#define BAR_ARRIVE(id, threads) asm volatile("bar.arrive %0, %1;" ::"n"(id), "n"(threads) : "memory")
// The parts of PRODUCT. MULTIPLY adds to `d`.
#define MULTIPLY_FENCE() asm volatile("wgmma.fence.sync.aligned;" ::: "memory")
#define MULTIPLY(d, tile) \
    asm volatile("{ .reg .pred p; setp.eq.b32 p, 0, 0; " \
                 "wgmma.mma_async.sync.aligned.m64n8k32.s32.u8.u8 {%0, %1, %2, %3}, %4, %4, p; }" \
                 : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3]) \
                 : "l"((unsigned long long)(PLACE(tile) >> 4) | 8ull << 16 | 16ull << 32) : "memory")
#define MULTIPLY_COMMIT() asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory")
#define MULTIPLY_WAIT(n) asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(n) : "memory")
// A box of a tensor map with two dimensions.
struct __align__(64) TensorMap { unsigned long long words[16]; };
#define LOAD_BOX(to, map, x, y, bar) \
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4}], [%2];" \
                 ::"r"(PLACE(to)), "l"(&map), "r"(PLACE(bar)), "r"(x), "r"(y) : "memory")
#define STORE_BOX(map, x, y, from) \
    asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%0, {%2, %3}], [%1];" \
                 ::"l"(&map), "r"(PLACE(from)), "r"(x), "r"(y) : "memory")
// The same with the left factor in registers.
#define MULTIPLY_ROWS(d, a, tile) \
    asm volatile("{ .reg .pred p; setp.eq.b32 p, 0, 0; " \
                 "wgmma.mma_async.sync.aligned.m64n8k32.s32.u8.u8 {%0, %1, %2, %3}, {%4, %5, %6, %7}, %8, p; }" \
                 : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3]) \
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), \
                   "l"((unsigned long long)(PLACE(tile) >> 4) | 8ull << 16 | 16ull << 32) : "memory")
// Clusters: their barrier, and what leads into the shared memory of block `rank`.
#define CLUSTER_ARRIVE() asm volatile("barrier.cluster.arrive.release;" ::: "memory")
#define CLUSTER_ARRIVE_RELAXED() asm volatile("barrier.cluster.arrive.relaxed;" ::: "memory")
#define CLUSTER_WAIT() asm volatile("barrier.cluster.wait.acquire;" ::: "memory")
#define CLUSTER_SYNC() asm volatile("barrier.cluster.arrive.release; barrier.cluster.wait.acquire;" ::: "memory")
#define SET_AT(p, rank, value) \
    asm volatile("{ .reg .b32 there; mapa.shared::cluster.u32 there, %0, %1; st.shared::cluster.u32 [there], %2; }" \
                 ::"r"(PLACE(p)), "r"(rank), "r"(value) : "memory")
#define GET_AT(value, p, rank) \
    asm volatile("{ .reg .b32 there; mapa.shared::cluster.u32 there, %1, %2; ld.shared::cluster.u32 %0, [there]; }" \
                 : "=r"(value) : "r"(PLACE(p)), "r"(rank) : "memory")
#define ADD_AT(scope, p, rank, value) \
    asm volatile("{ .reg .b32 there, before; mapa.shared::cluster.u32 there, %0, %1; atom.relaxed." scope ".shared::cluster.add.u32 before, [there], %2; }" \
                 ::"r"(PLACE(p)), "r"(rank), "r"(value) : "memory")
#define FENCE(scope) asm volatile("fence.acq_rel." scope ";" ::: "memory")
#define ARRIVE_AT(order, bar, rank) \
    asm volatile("{ .reg .b32 there; mapa.shared::cluster.u32 there, %0, %1; mbarrier.arrive" order ".shared::cluster.b64 _, [there]; }" \
                 ::"r"(PLACE(bar)), "r"(rank) : "memory")
#define WAIT_IN(order, bar, parity) \
    for (unsigned done = 0; !done;) \
    asm volatile("{ .reg .pred p; mbarrier.try_wait.parity" order ".shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }" \
                 : "=r"(done) : "r"(PLACE(bar)), "r"(parity) : "memory")
// To the same place in each block that `blocks` has a bit for.
#define LOAD_ALL(to, from, bytes, bar, blocks) \
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1], %2, [%3], %4;" \
                 ::"r"(PLACE(to)), "l"(from), "r"(bytes), "r"(PLACE(bar)), "h"((unsigned short)(blocks)) : "memory")
#define STORE_ASYNC(to, value, bar, rank) \
    asm volatile("{ .reg .b32 there, at; mapa.shared::cluster.u32 there, %0, %2; mapa.shared::cluster.u32 at, %1, %2; " \
                 "st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [there], %3, [at]; }" \
                 ::"r"(PLACE(to)), "r"(PLACE(bar)), "r"(rank), "r"(value) : "memory")
#define COPY_TO(to, from, bytes, bar, rank) \
    asm volatile("{ .reg .b32 there, at; mapa.shared::cluster.u32 there, %0, %4; mapa.shared::cluster.u32 at, %3, %4; " \
                 "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [there], [%1], %2, [at]; }" \
                 ::"r"(PLACE(to)), "r"(PLACE(from)), "r"(bytes), "r"(PLACE(bar)), "r"(rank) : "memory")
