//! Warps, divergence, barriers, atomics and shuffles, on kernels written by hand.

use crate::support::*;
use simt::isa::*;
use simt::{Checks, Config, Model, Outcome};

/// `out[i] = in[i] + 1` with a guard, over blocks that are not full.
#[test]
fn a_guarded_map_writes_its_elements_and_no_others() {
    let mut a = Asm::new();
    let (input, out) = (a.array("in"), a.array("out"));
    let (t, b, d, n, one) = (a.tid(), a.bid(), a.bdim(), a.int(100), a.int(1));
    let base = a.mul(b, d);
    let i = a.add(base, t);
    let inside = a.cmp(CmpOp::Lt, i, n);
    a.if_(inside, |a| {
        let x = a.load(input, i);
        let y = a.add(x, one);
        a.store(out, i, y);
    });
    let ran = run(a, 3, 48, &[(0..100).collect(), vec![-1; 100]]);
    assert_eq!(ran.report.outcome, Outcome::Completed);
    assert_eq!(ran.findings(), Vec::<String>::new());
    assert_eq!(ran.arrays[1], (1..=100).collect::<Vec<_>>());
    let c = ran.report.counters;
    // Warps of 32 and 16 threads: five of them have something to do (the last one 4 lanes).
    assert_eq!((c.global_load_requests, c.global_store_requests), (5, 5));
    assert_eq!((c.branches, c.divergent_branches), (6, 1));
}

#[test]
fn lanes_that_part_meet_again() {
    for model in [Model::Volta, Model::Pascal, Model::Adversarial(1), Model::Adversarial(2)] {
        let mut a = Asm::new();
        let out = a.array("out");
        let (t, one, ten, twenty, mask) = (a.tid(), a.int(1), a.int(10), a.int(20), a.reg());
        let odd = a.bin(BinOp::And, Ty::I32, t, one);
        let x = a.reg();
        a.if_else(odd, |a| a.mov(x, ten), |a| a.mov(x, twenty));
        a.syncwarp(u32::MAX);
        a.push(Inst::ActiveMask { d: mask });
        a.store(out, t, x);
        let i = a.int(32);
        let j = a.add(i, t);
        a.store(out, j, mask);
        let ran = run_with(a, 1, 32, &[vec![0; 64]], &Config { model, ..Config::default() });
        let expected: Vec<i32> = (0..64)
            .map(|i| {
                if i >= 32 {
                    -1
                } else if i % 2 == 1 {
                    10
                } else {
                    20
                }
            })
            .collect();
        assert_eq!(ran.arrays[0], expected, "{model:?}");
    }
}

/// Each lane runs a loop as often as its number says.
#[test]
fn a_loop_ends_for_each_lane_by_itself() {
    let mut a = Asm::new();
    let out = a.array("out");
    let (t, one, zero) = (a.tid(), a.int(1), a.int(0));
    let (i, sum) = (a.reg(), a.reg());
    a.mov(i, zero);
    a.mov(sum, zero);
    a.do_while(|a| {
        a.push(Inst::Binary { op: BinOp::Add, ty: Ty::I32, d: sum, a: sum, b: i });
        a.push(Inst::Binary { op: BinOp::Add, ty: Ty::I32, d: i, a: i, b: one });
        a.cmp(CmpOp::Le, i, t)
    });
    a.store(out, t, sum);
    let ran = run(a, 1, 64, &[vec![0; 64]]);
    assert_eq!(ran.arrays[0], (0..64).map(|t| t * (t + 1) / 2).collect::<Vec<_>>());
    assert_eq!(ran.report.counters.global_store_requests, 2);
    // Warp 1 has 64 turns and warp 0 has 32.
    let (longest, all) = (ran.report.longest_warp, ran.report.counters.instructions);
    assert!(longest * 8 > all * 5 && longest * 8 < all * 6, "{longest} of {all}");
}

/// One warp sums what it finds at an index that moves on 40 times, in global memory or in shared:
/// what is remembered of an access from one time to the next must not be seen, not in the sums, not
/// where the index leaves the array, and not in what is counted, whoever else watches.
#[test]
fn what_is_remembered_of_an_access_is_not_seen() {
    type Make = fn(&mut Asm, Reg, Reg) -> Reg;
    type At = fn(i32, i32) -> i32;
    let ways: [(Make, At); 6] = [
        // A row that leaves the array at its end, and at its start.
        (|a, t, k| a.add(t, k), |t, k| t + k),
        (
            |a, t, k| {
                let eight = a.int(8);
                let from = a.add(t, eight);
                a.bin(BinOp::Sub, Ty::I32, from, k)
            },
            |t, k| t + 8 - k,
        ),
        // One place.
        (|_, _, k| k, |_, k| k),
        // Halves of the warp at one place each.
        (
            |a, t, k| {
                let four = a.int(4);
                let half = a.bin(BinOp::Shr, Ty::I32, t, four);
                a.add(half, k)
            },
            |t, k| t / 16 + k,
        ),
        // Quarters in a row each.
        (
            |a, t, k| {
                let seven = a.int(7);
                let lane = a.bin(BinOp::And, Ty::I32, t, seven);
                a.add(lane, k)
            },
            |t, k| t % 8 + k,
        ),
        // No order, and another one each time.
        (
            |a, t, k| {
                let product = a.mul(t, k);
                let most = a.int(63);
                a.bin(BinOp::And, Ty::I32, product, most)
            },
            |t, k| (t * k) & 63,
        ),
    ];
    let data: Vec<i32> = (0..64).map(|i| i * i + 1).collect();
    for (way, (make, at)) in ways.into_iter().enumerate() {
        let inside = |t, k| usize::try_from(at(t, k)).ok().filter(|&i| i < 64);
        let sum_of = |t| (0..40).filter_map(|k| inside(t, k)).map(|i| data[i]).sum();
        let sums: Vec<i32> = (0..32).map(sum_of).collect();
        let outside = (0..32 * 40).filter(|i| inside(i % 32, i / 32).is_none()).count() as u64;
        for shared in [false, true] {
            let mut counted = None;
            for checks in [Checks::Bare, Checks::Counters, Checks::All] {
                let mut a = Asm::new();
                let (x, out) = (a.array("x"), a.array("out"));
                let (t, one, most, half) = (a.tid(), a.int(1), a.int(40), a.int(32));
                let from = if shared {
                    let s = a.shared("s", 64);
                    let upper = a.add(t, half);
                    for i in [t, upper] {
                        let value = a.load(x, i);
                        a.store(s, i, value);
                    }
                    a.sync();
                    s
                } else {
                    x
                };
                let zero = a.int(0);
                let (k, sum) = (a.reg(), a.reg());
                a.mov(k, zero);
                a.mov(sum, zero);
                a.do_while(|a| {
                    let index = make(a, t, k);
                    let value = a.load(from, index);
                    a.push(Inst::Binary { op: BinOp::Add, ty: Ty::I32, d: sum, a: sum, b: value });
                    a.push(Inst::Binary { op: BinOp::Add, ty: Ty::I32, d: k, a: k, b: one });
                    a.cmp(CmpOp::Lt, k, most)
                });
                a.store(out, t, sum);
                let config = Config { checks, ..Config::default() };
                let ran = run_with(a, 1, 32, &[data.clone(), vec![0; 32]], &config);
                let what = format!("way {way}, shared {shared}, {checks:?}");
                assert_eq!(ran.arrays[1], sums, "{what}");
                let found: u64 = ran.report.findings.iter().map(|f| f.count).sum();
                assert_eq!(found, outside, "{what}");
                if checks != Checks::Bare {
                    let counters = ran.report.counters;
                    assert_eq!(*counted.get_or_insert(counters), counters, "{what}");
                }
            }
        }
    }
}

/// A reversal through shared memory needs its barrier in every warp.
#[test]
fn shared_memory_reverses_a_block() {
    let mut a = Asm::new();
    let data = a.array("data");
    let s = a.shared("s", 128);
    let (t, last) = (a.tid(), a.int(127));
    let x = a.load(data, t);
    a.store(s, t, x);
    a.sync();
    let r = a.bin(BinOp::Sub, Ty::I32, last, t);
    let y = a.load(s, r);
    a.store(data, t, y);
    let ran = run(a, 1, 128, &[(0..128).collect()]);
    assert_eq!(ran.arrays[0], (0..128).rev().collect::<Vec<_>>());
    assert_eq!(ran.findings(), Vec::<String>::new());
    let c = ran.report.counters;
    assert_eq!(c.barriers, 4);
    assert_eq!(
        (c.shared_store_instructions, c.shared_store_wavefronts, c.shared_store_conflicts),
        (4, 4, 0)
    );
    assert_eq!(
        (c.shared_load_instructions, c.shared_load_wavefronts, c.shared_load_conflicts),
        (4, 4, 0)
    );
}

#[test]
fn atomics_count_every_thread() {
    let mut a = Asm::new();
    let (sum, old) = (a.array("sum"), a.array("old"));
    let (t, zero, one) = (a.tid(), a.int(0), a.int(1));
    a.red(AtomicOp::Add, sum, zero, one);
    let x = a.atom(AtomicOp::Add, sum, one, one, one);
    a.store(old, t, x);
    let ran = run(a, 1, 96, &[vec![0; 2], vec![0; 96]]);
    assert_eq!(ran.arrays[0], [96, 96]);
    let mut old = ran.arrays[1].clone();
    old.sort_unstable();
    assert_eq!(old, (0..96).collect::<Vec<_>>());
    let c = ran.report.counters;
    assert_eq!((c.global_reduction_requests, c.global_reduction_sectors), (3, 3));
    assert_eq!((c.global_atomic_requests, c.global_atomic_sectors), (3, 3));
}

#[test]
fn a_shuffle_tree_sums_a_warp() {
    let mut a = Asm::new();
    let out = a.array("out");
    let t = a.tid();
    let x = a.reg();
    a.mov(x, t);
    for distance in [16, 8, 4, 2, 1] {
        let y = a.shuffle(ShuffleKind::Down, x, distance, u32::MAX);
        a.push(Inst::Binary { op: BinOp::Add, ty: Ty::I32, d: x, a: x, b: y });
    }
    let zero = a.int(0);
    let first = a.cmp(CmpOp::Eq, t, zero);
    a.if_(first, |a| a.store(out, zero, x));
    let ran = run(a, 1, 32, &[vec![0]]);
    assert_eq!(ran.arrays[0], [31 * 32 / 2]);
    assert_eq!(ran.report.counters.shuffles, 5);
    assert_eq!(ran.findings(), Vec::<String>::new());
}

/// A lock between the lanes of one warp: since Volta each lane gets its turn.
fn spin_lock() -> Asm {
    let mut a = Asm::new();
    let (lock, count) = (a.array("lock"), a.array("count"));
    let (zero, one) = (a.int(0), a.int(1));
    let done = a.reg();
    a.mov(done, zero);
    a.line("while (!done)");
    a.do_while(|a| {
        let old = a.atom(AtomicOp::Cas, lock, zero, zero, one);
        let got = a.cmp(CmpOp::Eq, old, zero);
        a.if_(got, |a| {
            let x = a.vload(count, zero);
            let y = a.add(x, one);
            a.vstore(count, zero, y);
            a.atom(AtomicOp::Exch, lock, zero, zero, zero);
            a.mov(done, one);
        });
        a.cmp(CmpOp::Eq, done, zero)
    });
    a
}

#[test]
fn a_lock_is_taken_by_every_lane() {
    for model in [Model::Volta, Model::Adversarial(7)] {
        let config = Config { model, checks: Checks::Counters, ..Config::default() };
        let ran = run_with(spin_lock(), 2, 64, &[vec![0], vec![0]], &config);
        assert_eq!(ran.report.outcome, Outcome::Completed, "{model:?}");
        assert_eq!(ran.arrays[1], [128], "{model:?}");
    }
}

/// Block 0 waits for a flag that block 1 sets.
#[test]
fn a_block_may_wait_for_a_later_one() {
    let mut a = Asm::new();
    let flag = a.array("flag");
    let (b, zero, one) = (a.bid(), a.int(0), a.int(1));
    a.if_else(
        b,
        |a| a.vstore(flag, zero, one),
        |a| {
            a.do_while(|a| {
                let x = a.vload(flag, zero);
                a.cmp(CmpOp::Eq, x, zero)
            });
        },
    );
    let ran =
        run_with(a, 2, 32, &[vec![0]], &Config { checks: Checks::Counters, ..Config::default() });
    assert_eq!(ran.report.outcome, Outcome::Completed);
}

/// Its warps never spend their turns, because they pause at the barrier of the loop.
#[test]
fn a_block_that_polls_with_a_barrier_may_wait_for_a_later_one() {
    let mut a = Asm::new();
    let flag = a.array("flag");
    let (b, zero, one) = (a.bid(), a.int(0), a.int(1));
    a.if_else(
        b,
        |a| a.vstore(flag, zero, one),
        |a| {
            a.do_while(|a| {
                a.sync();
                let x = a.vload(flag, zero);
                a.cmp(CmpOp::Eq, x, zero)
            });
        },
    );
    let ran = run_with(
        a,
        2,
        64,
        &[vec![0]],
        &Config { checks: Checks::Counters, budget: 1_000_000, ..Config::default() },
    );
    assert_eq!(ran.report.outcome, Outcome::Completed);
}

#[test]
fn an_endless_loop_spends_the_budget() {
    let mut a = Asm::new();
    let one = a.int(1);
    a.do_while(|_| one);
    let ran = run_with(a, 1, 32, &[], &Config { budget: 100_000, ..Config::default() });
    assert_eq!(ran.report.outcome, Outcome::BudgetSpent);
}

#[test]
fn empty_blocks_spend_the_budget() {
    for threads in [1, 2] {
        let config = |budget| Config { budget, threads, ..Config::default() };
        let ran = run_with(Asm::new(), 1_000_000, 64, &[], &config(100_000));
        assert_eq!(ran.report.outcome, Outcome::BudgetSpent);
        let at = ran.report.stopped_at.unwrap();
        assert_eq!(at.block, [50_000, 0, 0], "two warps each");
        let ran = run_with(Asm::new(), 50_000, 64, &[], &config(100_000));
        assert_eq!(ran.report.outcome, Outcome::Completed);
    }
}
