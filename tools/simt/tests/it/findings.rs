//! Every class of finding but races, and next to each what is nearly one and is none.

use crate::support::*;
use simt::isa::*;
use simt::{Checks, Class, Config, Outcome};

const NONE: [&str; 0] = [];

#[test]
fn an_index_past_the_end_is_named_and_not_accessed() {
    let kernel = || {
        let mut a = Asm::new();
        let (x, y) = (a.array("x"), a.array("y"));
        let t = a.tid();
        a.line("y[t] = x[t];");
        let v = a.load(x, t);
        a.store(y, t, v);
        a
    };
    let ran = run(kernel(), 1, 32, &[vec![1; 30], vec![-1; 32]]);
    assert_eq!(ran.report.outcome, Outcome::Faulted);
    assert_eq!(ran.findings(), ["bounds error 1"]);
    assert_eq!(ran.arrays[1][28..], [1, 1, 0, 0], "a refused load gives 0");
    let f = &ran.report.findings[0];
    assert_eq!((f.count, f.first.thread, f.first.what), (2, [30, 0, 0], "read of 4 bytes"));
    assert!(
        f.message.contains("index 30 of `x`") && f.message.contains("30 ints"),
        "{}",
        f.message
    );
    assert_eq!(run(kernel(), 1, 30, &[vec![1; 30], vec![-1; 32]]).findings(), NONE);
    // It is also found when nothing else is watched.
    let bare = Config { checks: Checks::Bare, ..Config::default() };
    assert_eq!(
        run_with(kernel(), 1, 32, &[vec![1; 30], vec![-1; 32]], &bare).findings(),
        ["bounds error 1"]
    );
}

#[test]
fn before_the_start_and_far_away_stay_with_their_array() {
    for (offset, words) in [(-1, "4 bytes before the start"), (1_000_000_000, "past the end")] {
        let mut a = Asm::new();
        let (x, _) = (a.array("x"), a.array("y"));
        let i = a.int(offset);
        a.line("x[i]");
        a.load(x, i);
        let ran = run(a, 1, 1, &[vec![1; 4], vec![1; 4]]);
        let message = &ran.report.findings[0].message;
        assert!(
            message.contains(&format!("index {offset} of `x`")) && message.contains(words),
            "{message}"
        );
    }
}

#[test]
fn misaligned_and_null_accesses_are_refused() {
    let mut a = Asm::new();
    let x = a.array("x");
    let d = a.pair();
    a.line("*(long long*)(x + 1)");
    a.push(Inst::Load {
        ty: MemTy::B64,
        n: 1,
        volatile: false,
        d,
        addr: Addr { base: x, index: Index::None, scale: 0, offset: 4 },
    });
    a.line("*(int*)0");
    let null = a.pair();
    a.push(Inst::Convert { from: Ty::U32, to: Ty::U64, d: null, a: 0 });
    let e = a.reg();
    a.push(Inst::Binary { op: BinOp::Sub, ty: Ty::U64, d: null, a: null, b: null });
    a.push(Inst::Load {
        ty: MemTy::B32,
        n: 1,
        volatile: false,
        d: e,
        addr: Addr { base: null, index: Index::None, scale: 0, offset: 0 },
    });
    let ran = run(a, 1, 1, &[vec![1; 4]]);
    assert_eq!(ran.findings(), ["bounds error 1", "bounds error 2"]);
    let text = ran.rendered();
    assert!(
        text.contains("byte 4 of `x` is not a multiple of 8") && text.contains("null pointer"),
        "{text}"
    );
}

#[test]
fn fresh_shared_memory_holds_nothing() {
    let kernel = |write: bool| {
        let mut a = Asm::new();
        let (out, s) = (a.array("out"), a.shared("s", 32));
        let t = a.tid();
        if write {
            a.line("s[t] = t;");
            a.store(s, t, t);
        }
        a.line("x = s[t];");
        let x = a.load(s, t);
        a.store(out, t, x);
        a
    };
    let ran = run(kernel(false), 1, 32, &[vec![0; 32]]);
    assert_eq!(ran.findings(), ["uninitialised error 1"]);
    assert!(ran.rendered().contains("`s[0]` is read, but nothing was written there"));
    assert_ne!(ran.arrays[0][0], 0, "junk is not zero");
    // The second block's memory is fresh as well.
    assert_eq!(
        run(kernel(false), 2, 32, &[vec![0; 32]])
            .report
            .findings
            .iter()
            .filter(|f| f.class() == Class::Uninitialised)
            .map(|f| f.count)
            .sum::<u64>(),
        64
    );
    assert_eq!(run(kernel(true), 1, 32, &[vec![0; 32]]).findings(), NONE);
}

#[test]
fn local_arrays_hold_nothing_at_first() {
    let kernel = |write: bool| {
        let mut a = Asm::new();
        let local = a.local("tmp", 4);
        let (t, one) = (a.tid(), a.int(1));
        if write {
            a.store(local, one, t);
        }
        a.line("x = tmp[1];");
        a.load(local, one);
        a
    };
    assert_eq!(run(kernel(false), 1, 8, &[]).findings(), ["uninitialised error 1"]);
    let ran = run(kernel(true), 1, 8, &[]);
    assert_eq!(ran.findings(), NONE);
    assert_eq!(ran.report.counters.local_requests, 2);
}

#[test]
fn an_array_that_the_host_never_filled_is_junk_until_it_is_written() {
    let mut a = Asm::new();
    let x = a.array("x");
    let (t, two) = (a.tid(), a.int(2));
    a.line("x[2] = t;");
    a.store(x, two, t);
    a.line("y = x[t];");
    a.load(x, t);
    let module = a.module();
    let mut memory = simt::Memory::new();
    let x = memory.alloc("x", "int", 4, 16);
    let args = [simt::Arg::Buffer(x)];
    let launch = simt::Launch {
        kernel: &module.kernels[0],
        grid: 1.into(),
        block: 3.into(),
        dynamic_shared: 0,
        args: &args,
    };
    let report = simt::launch(&module, &launch, &mut memory, &Config::default()).unwrap();
    let empty: Vec<_> =
        report.findings.iter().filter(|f| f.class() == Class::Uninitialised).collect();
    assert_eq!((empty.len(), empty[0].count), (1, 2));
}

#[test]
fn a_variable_without_a_value_is_found_where_it_is_read() {
    let mut a = Asm::new();
    a.line("int x;");
    let span = Span { file: 0, start: 0, end: 6 };
    a.k().variables.push(("x".into(), span));
    let (t, one) = (a.tid(), a.int(1));
    a.push(Inst::Undefine { variable: 0 });
    let odd = a.bin(BinOp::And, Ty::I32, t, one);
    a.if_(odd, |a| {
        a.line("x = 1;");
        a.push(Inst::Define { variable: 0 });
    });
    a.line("y = x;");
    a.push(Inst::CheckDefined { variable: 0 });
    let ran = run(a, 1, 32, &[]);
    assert_eq!(ran.findings(), ["uninitialised error 3 1"]);
    assert_eq!(ran.report.findings[0].count, 16);
}

use simt::Span;

/// Half of the block waits at one barrier, half at another.
#[test]
fn different_barriers_are_a_finding() {
    let mut a = Asm::new();
    let (t, n) = (a.tid(), a.int(32));
    let low = a.cmp(CmpOp::Lt, t, n);
    a.if_else(
        low,
        |a| {
            a.line("__syncthreads();");
            a.sync();
        },
        |a| {
            a.line("else __syncthreads();");
            a.sync();
        },
    );
    let ran = run(a, 1, 64, &[]);
    assert_eq!(ran.findings(), ["barrier error 1 2"]);
    assert_eq!(
        ran.report.outcome,
        Outcome::Completed,
        "the hardware counts arrivals, wherever they are"
    );
}

#[test]
fn a_barrier_that_some_lanes_never_reach_is_a_deadlock() {
    let mut a = Asm::new();
    let (t, n) = (a.tid(), a.int(16));
    a.line("if (t < 16)");
    let low = a.cmp(CmpOp::Lt, t, n);
    a.if_(low, |a| {
        a.line("__syncthreads();");
        a.sync();
        a.line("}");
    });
    let ran = run(a, 1, 32, &[]);
    assert_eq!(ran.report.outcome, Outcome::Deadlock);
    assert_eq!(ran.findings(), ["barrier error 2 3"]);
    assert!(
        ran.rendered().contains("16 of the block's 32 threads wait at it, and 16 do not come"),
        "{}",
        ran.rendered()
    );
}

/// `while (flag[0] == 0 && polls < most) polls += step;`, and how many warp-instructions that took.
fn waits(step: i32, most: Option<i32>) -> (Outcome, u64) {
    let mut a = Asm::new();
    let (flag, zero, most) = (a.array("flag"), a.int(0), most.map(|most| a.int(most)));
    let (polls, step) = (a.reg(), a.int(step));
    a.mov(polls, zero);
    a.line("while (flag[0] == 0 && polls < most) polls += step;");
    a.do_while(|a| {
        let (told, next) = (a.vload(flag, zero), a.add(polls, step));
        a.mov(polls, next);
        let waits = a.cmp(CmpOp::Eq, told, zero);
        let Some(most) = most else { return waits };
        let may = a.cmp(CmpOp::Lt, polls, most);
        a.bin(BinOp::And, Ty::I32, waits, may)
    });
    let ran = run(a, 4, 64, &[vec![0]]);
    (ran.report.outcome, ran.report.counters.instructions)
}

/// Where the same state comes again, nobody will ever get on: that is told at once. Who counts how
/// often he asked may give up, and is let, however long it takes; but a count that ends nothing is no
/// progress.
#[test]
fn what_waits_for_ever_is_told_at_once() {
    for (step, most) in [(0, Some(1 << 20)), (1, None)] {
        let (outcome, instructions) = waits(step, most);
        assert_eq!(outcome, Outcome::Deadlock, "{step}");
        assert!(instructions < 1 << 20, "{instructions}");
    }
    let (outcome, instructions) = waits(1, Some(1 << 21));
    assert_eq!(outcome, Outcome::Completed);
    assert!(instructions > 1 << 26, "{instructions}");
}

#[test]
fn threads_that_returned_before_a_barrier_are_a_warning() {
    let mut a = Asm::new();
    let (t, n) = (a.tid(), a.int(48));
    a.line("if (t >= 48) return;");
    let high = a.cmp(CmpOp::Ge, t, n);
    a.if_(high, Asm::exit);
    a.line("__syncthreads();");
    a.sync();
    let ran = run(a, 1, 64, &[]);
    assert_eq!(ran.report.outcome, Outcome::Completed);
    assert_eq!(ran.findings(), ["barrier warning 2"]);
    assert!(ran.rendered().contains("16 of the block's 64 threads have returned"));
}

#[test]
fn barriers_in_uniform_conditions_are_fine() {
    let mut a = Asm::new();
    let (b, zero) = (a.bid(), a.int(0));
    let first = a.cmp(CmpOp::Eq, b, zero);
    a.if_(first, Asm::sync);
    assert_eq!(run(a, 2, 96, &[]).findings(), NONE);
}

#[test]
fn a_mask_must_name_its_caller() {
    let mut a = Asm::new();
    a.line("__syncwarp(0xffff);");
    a.syncwarp(0xFFFF);
    let ran = run(a, 1, 32, &[]);
    assert_eq!(ran.findings(), ["sync-mask error 1"]);
    assert_eq!(ran.report.findings[0].count, 16);
    assert_eq!(ran.report.outcome, Outcome::Completed);
}

#[test]
fn a_mask_that_names_lanes_elsewhere_never_completes() {
    let mut a = Asm::new();
    let (t, n) = (a.tid(), a.int(16));
    let low = a.cmp(CmpOp::Lt, t, n);
    a.if_(low, |a| {
        a.line("__syncwarp();");
        a.syncwarp(u32::MAX);
        a.line("}");
    });
    let ran = run(a, 1, 32, &[]);
    assert_eq!(ran.report.outcome, Outcome::Deadlock);
    assert_eq!(ran.findings(), ["sync-mask error 1 2"]);
    assert!(ran.rendered().contains("0xffff0000"), "{}", ran.rendered());
}

#[test]
fn a_shuffle_from_a_lane_that_is_not_there_is_a_finding() {
    let kernel = |mask: u32| {
        let mut a = Asm::new();
        let (t, n) = (a.tid(), a.int(16));
        let low = a.cmp(CmpOp::Lt, t, n);
        a.if_(low, |a| {
            a.line("__shfl_xor_sync(mask, t, 16);");
            a.shuffle(ShuffleKind::Xor, t, if mask == 0xFFFF { 16 } else { 8 }, 0xFFFF);
        });
        a
    };
    assert_eq!(run(kernel(0xFFFF), 1, 32, &[]).findings(), ["sync-mask error 1"]);
    assert_eq!(run(kernel(0), 1, 32, &[]).findings(), NONE);
}

/// A partial last warp shuffles under the full mask, and lanes without a partner use what they
/// get or do not: only the value says which.
#[test]
fn a_shuffle_from_a_lane_that_has_left_brings_zero_and_is_no_error() {
    let mut a = Asm::new();
    let out = a.array("out");
    let t = a.tid();
    a.line("out[t] = __shfl_down_sync(~0u, t, 16);");
    let x = a.shuffle(ShuffleKind::Down, t, 16, u32::MAX);
    a.store(out, t, x);
    let ran = run(a, 1, 40, &[vec![0; 40]]);
    assert_eq!(ran.arrays[0][15], 31);
    assert_eq!(ran.arrays[0][32], 0);
    assert!(
        ran.findings().iter().all(|f| f.starts_with("sync-mask warning")),
        "{:?}",
        ran.findings()
    );
}

/// Halves of a warp with masks of their own meet each other only.
#[test]
fn halves_may_shuffle_by_themselves() {
    let mut a = Asm::new();
    let out = a.array("out");
    let (t, n, low_mask, high_mask) =
        (a.tid(), a.int(16), a.int(0xFFFF), a.int(0xFFFF_0000u32 as i32));
    let low = a.cmp(CmpOp::Lt, t, n);
    let (lane, width, mask, d) = (a.int(1), a.int(32), a.reg(), a.reg());
    a.push(Inst::Select { wide: false, d: mask, cond: low, a: low_mask, b: high_mask });
    a.push(Inst::Shuffle { kind: ShuffleKind::Xor, wide: false, d, a: t, lane, width, mask });
    a.store(out, t, d);
    let ran = run(a, 1, 32, &[vec![0; 32]]);
    assert_eq!(ran.findings(), NONE);
    assert_eq!(ran.arrays[0], (0..32).map(|t| t ^ 1).collect::<Vec<_>>());
}

#[test]
fn division_by_zero_is_found_and_goes_on() {
    let mut a = Asm::new();
    let t = a.tid();
    a.line("1 / t");
    a.bin(BinOp::Div, Ty::I32, t, t);
    let ran = run(a, 1, 32, &[]);
    assert_eq!(ran.findings(), ["arithmetic error 1"]);
    assert_eq!((ran.report.findings[0].count, ran.report.outcome), (1, Outcome::Completed));
}

#[test]
fn a_trap_ends_the_launch() {
    let mut a = Asm::new();
    a.k().traps.push("assertion `x > 0` failed".into());
    a.line("assert(x > 0);");
    a.push(Inst::Trap { trap: 0 });
    let ran = run(a, 1, 32, &[]);
    assert_eq!(
        (ran.report.outcome, ran.findings()),
        (Outcome::Faulted, vec!["trap error 1".to_owned()])
    );
}

/// C++ says nothing about it, the machine says what [`BinOp`] says, once for each place.
#[test]
fn a_shift_past_the_width_is_a_warning_and_goes_on() {
    let kernel = |op: BinOp, ty: Ty, value: i32, count: i32| {
        let mut a = Asm::new();
        let out = a.array("out");
        let (t, value, count) = (a.tid(), a.int(value), a.int(count));
        let x = if ty.slots() == 2 { a.pair() } else { a.reg() };
        a.push(Inst::Convert { from: Ty::I32, to: ty, d: x, a: value });
        a.line("out[t] = x << count;");
        let y = a.bin(op, ty, x, count);
        let low = a.reg();
        a.push(Inst::Convert { from: ty, to: Ty::I32, d: low, a: y });
        a.store(out, t, low);
        run(a, 1, 64, &[vec![5; 64]])
    };
    for (op, ty, value, count, expected, bits) in [
        (BinOp::Shl, Ty::I32, 3, 32, 0, 32),
        (BinOp::Shl, Ty::U32, 3, -1, 0, 32),
        (BinOp::Shr, Ty::I32, -3, 40, -1, 32),
        (BinOp::Shr, Ty::U32, -3, 32, 0, 32),
        (BinOp::Shl, Ty::I64, 3, 64, 0, 64),
        (BinOp::Shr, Ty::I64, -3, 99, -1, 64),
        (BinOp::Shr, Ty::U64, 3, 64, 0, 64),
    ] {
        let ran = kernel(op, ty, value, count);
        assert_eq!(ran.arrays[0], vec![expected; 64], "{op:?} {ty:?}");
        assert_eq!(ran.findings(), ["arithmetic warning 1"], "{op:?} {ty:?}");
        assert_eq!(ran.report.findings[0].count, 64);
        let message = format!("a value of {bits} bits is shifted by {count}");
        assert_eq!(ran.report.findings[0].message, message);
    }
    assert_eq!(kernel(BinOp::Shl, Ty::I32, 3, 31).findings(), NONE);
    assert_eq!(kernel(BinOp::Shl, Ty::I64, 3, 63).findings(), NONE);
}
