//! Barriers with numbers and counts: who waits for whom, what they order, and what never opens.

use super::{report, run};
use simt::{Class, Outcome};

#[test]
fn producers_arrive_and_consumers_wait() {
    let words = run(r#"
        __shared__ unsigned tile[32];
        unsigned lane = threadIdx.x % 32;
        if (threadIdx.x < 32) {
            for (unsigned round = 0; round < 3; ++round) {
                asm volatile("bar.sync 2, 64;" ::: "memory");
                tile[lane] = round * 100 + lane;
                asm volatile("bar.arrive 1, 64;" ::: "memory");
            }
        } else {
            for (unsigned round = 0; round < 3; ++round) {
                asm volatile("bar.arrive 2, 64;" ::: "memory");
                asm volatile("bar.sync %0, %1;" :: "r"(1), "r"(64) : "memory");
                out[round * 32 + lane] = tile[31 - lane];
            }
        }
    "#);
    for round in 0..3u32 {
        for lane in 0..32 {
            assert_eq!(words[(round * 32 + lane) as usize], round * 100 + 31 - lane);
        }
    }
}

#[test]
fn a_group_of_warps_has_a_barrier_of_its_own() {
    let words = run(r#"
        __shared__ unsigned a[2][32];
        unsigned group = threadIdx.x / 32, lane = threadIdx.x % 32;
        a[group][lane] = threadIdx.x;
        asm volatile("barrier.cta.sync %0, 32;" :: "r"(group + 1) : "memory");
        out[threadIdx.x] = a[group][lane ^ 1];
    "#);
    assert!((0..64).all(|i| words[i as usize] == (i ^ 1)), "{words:?}");
}

#[test]
fn reductions_give_each_thread_the_result() {
    let words = run(r#"
        unsigned i = threadIdx.x, count, all, any;
        asm volatile("{ .reg .pred p, q; setp.lt.u32 p, %1, 40; bar.red.popc.u32 %0, 0, p; }"
            : "=r"(count) : "r"(i));
        asm volatile("{ .reg .pred p, q; setp.lt.u32 p, %1, 64; bar.red.and.pred q, 3, 64, p; "
            "selp.u32 %0, 1, 0, q; }" : "=r"(all) : "r"(i));
        asm volatile("{ .reg .pred p, q; setp.lt.u32 p, %1, 64; barrier.red.or.aligned.pred q, 3, 64, !p; "
            "selp.u32 %0, 1, 0, q; }" : "=r"(any) : "r"(i));
        out[i] = count; out[64 + i] = all; out[128 + i] = any;
    "#);
    assert!((0..64).all(|i| words[i] == 40 && words[64 + i] == 1 && words[128 + i] == 0));
}

#[test]
fn what_no_barrier_orders_is_a_race() {
    let body = r#"
        __shared__ unsigned tile[32];
        unsigned lane = threadIdx.x % 32;
        if (threadIdx.x < 32) {
            tile[lane] = lane;
            asm volatile("bar.arrive 1, 64;" ::: "memory");
            TOO_LATE
        } else {
            asm volatile("bar.sync 1, 64;" ::: "memory");
            out[lane] = tile[31 - lane];
        }
    "#;
    run(&body.replace("TOO_LATE", ""));
    let (report, ..) = report(&body.replace("TOO_LATE", "tile[lane] = 7;"));
    let races = report.findings.iter().filter(|f| f.class() == Class::Race).count();
    assert_eq!(races, 1);
}

#[test]
fn a_word_that_several_warps_read_is_free_after_the_next_barrier() {
    let body = r#"
        __shared__ unsigned tile[64];
        unsigned i = threadIdx.x, sum = 0;
        tile[i] = i;
        asm volatile("bar.sync 1, 64;" ::: "memory");
        sum += FIRST;
        sum += SECOND;
        asm volatile("bar.sync 1, 64;" ::: "memory");
        tile[i] = i + 1;
        LAST
        out[i] = sum + tile[63 - i];
    "#;
    let sync = r#"asm volatile("bar.sync 1, 64;" ::: "memory");"#;
    for (first, second) in [("tile[63 - i]", "tile[i]"), ("tile[i]", "tile[63 - i]")] {
        let body = body.replace("FIRST", first).replace("SECOND", second);
        let words = run(&body.replace("LAST", sync));
        assert!((0..64).all(|i| words[i as usize] == 127 - i), "{words:?}");
        let (report, ..) = report(&body.replace("LAST", ""));
        assert!(report.findings.iter().any(|f| f.class() == Class::Race));
    }
}

#[test]
fn a_count_that_never_comes_is_a_deadlock() {
    let (report, _, module) =
        report(r#"if (threadIdx.x < 32) asm volatile("bar.sync 5, 64;"); out[threadIdx.x] = 1;"#);
    assert_eq!(report.outcome, Outcome::Deadlock);
    let text: String = report.findings.iter().map(|f| f.render(&module.sources)).collect();
    assert!(text.contains("the named barrier 5 can never open: 32 threads wait at it"), "{text}");
}

#[test]
fn a_number_that_no_barrier_has_is_a_trap() {
    for (number, count) in [("16", "64"), ("1", "33"), ("1", "0")] {
        let (report, ..) = report(&format!(
            "unsigned id = {number} + 0 * out[0], n = {count}; \
             asm volatile(\"bar.sync %0, %1;\" :: \"r\"(id), \"r\"(n));"
        ));
        assert_eq!(report.outcome, Outcome::Faulted, "{number}, {count}");
    }
}
