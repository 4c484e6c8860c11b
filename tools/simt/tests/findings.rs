//! Every class of finding, and next to each what is nearly one and is none.

mod support;

use simt::isa::*;
use simt::{Checks, Class, Config, Model, Outcome};
use support::*;

const NONE: [&str; 0] = [];

/// `s[t] = t; <between> out[t] = s[t ^ distance]`
fn exchange(distance: i32, between: impl FnOnce(&mut Asm)) -> Asm {
    let mut a = Asm::new();
    let out = a.array("out");
    let s = a.shared("s", 64);
    let (t, d) = (a.tid(), a.int(distance));
    a.line("s[t] = t;");
    a.store(s, t, t);
    between(&mut a);
    a.line("out[t] = s[t ^ distance];");
    let other = a.bin(BinOp::Xor, Ty::I32, t, d);
    let x = a.load(s, other);
    a.line("out[t]");
    a.store(out, t, x);
    a
}

#[test]
fn warps_race_without_a_barrier() {
    let ran = run(exchange(32, |_| {}), 1, 64, &[vec![0; 64]]);
    // Warp 0 ran first and read what nobody had written yet; warp 1 then met that read.
    assert_eq!(ran.findings(), ["race error 1 2", "uninitialised error 2"]);
    let text = ran.rendered();
    for part in [
        "error[shared-race]: two warps of a block access `s[32]`, and nothing orders this write and the read",
        "(1) write of 32 by block (0, 0, 0), thread (32, 0, 0)",
        "(2) read by block (0, 0, 0), thread (0, 0, 0)",
        "__syncthreads()",
    ] {
        assert!(text.contains(part), "{part} is not in\n{text}");
    }
    assert_eq!(run(exchange(32, Asm::sync), 1, 64, &[vec![0; 64]]).findings(), NONE);
    // __syncwarp is not enough between warps.
    let ran = run(exchange(32, |a| a.syncwarp(u32::MAX)), 1, 64, &[vec![0; 64]]);
    assert_eq!(ran.findings()[0], "race error 1 2");
}

/// In lockstep this always gives the right result; it is a race all the same.
#[test]
fn lanes_race_without_syncwarp() {
    let ran = run(exchange(1, |_| {}), 1, 64, &[vec![0; 64]]);
    assert_eq!(ran.arrays[0][..4], [1, 0, 3, 2]);
    assert_eq!(ran.findings(), ["race error 2 1"]);
    assert_eq!(ran.report.findings[0].count, 64);
    assert!(ran.rendered().contains("__syncwarp()"), "{}", ran.rendered());
    assert_eq!(run(exchange(1, |a| a.syncwarp(u32::MAX)), 1, 64, &[vec![0; 64]]).findings(), NONE);
    assert_eq!(run(exchange(1, Asm::sync), 1, 64, &[vec![0; 64]]).findings(), NONE);
    // A shuffle makes the lanes meet, but orders no memory.
    let ran = run(
        exchange(1, |a| {
            let t = a.tid();
            a.shuffle(ShuffleKind::Xor, t, 1, u32::MAX);
        }),
        1,
        64,
        &[vec![0; 64]],
    );
    assert_eq!(ran.findings(), ["race error 2 1"]);
}

/// A thread may read what it wrote.
#[test]
fn one_thread_does_not_race_with_itself() {
    assert_eq!(
        run(exchange(0, |_| {}), 2, 64, &[vec![0; 64]]).findings().len(),
        1,
        "two blocks write `out`"
    );
    assert_eq!(run(exchange(0, |_| {}), 1, 64, &[vec![0; 64]]).findings(), NONE);
}

/// Reads before a write: everybody reads `s[0]`, then thread 0 writes it.
#[test]
fn a_write_races_with_reads_before_it() {
    let kernel = |between: fn(&mut Asm)| {
        let mut a = Asm::new();
        let data = a.array("data");
        let (t, zero) = (a.tid(), a.int(0));
        a.line("x = data[0];");
        a.load(data, zero);
        between(&mut a);
        let first = a.cmp(CmpOp::Eq, t, zero);
        a.if_(first, |a| {
            a.line("data[0] = 0;");
            a.store(data, zero, zero);
        });
        a
    };
    for threads in [32, 64, 256] {
        let ran = run(kernel(|_| {}), 1, threads, &[vec![7; 4]]);
        // Of several pairs one of different warps is shown; there a later warp's read met the write.
        let lines = if threads == 32 { "race error 2 1" } else { "race error 1 2" };
        assert_eq!(ran.findings(), [lines], "{threads} threads");
        let finding = &ran.report.findings[0];
        let second = finding.second.as_ref().expect("both sides are named");
        assert_ne!(second.thread, finding.first.thread, "the other side is another thread");
        assert_eq!(run(kernel(Asm::sync), 1, threads, &[vec![7; 4]]).findings(), NONE);
    }
    // Two blocks: no barrier helps.
    let ran = run(kernel(Asm::sync), 2, 32, &[vec![7; 4]]);
    let lines: Vec<_> = ran.findings();
    assert!(
        lines.contains(&"race error 1 2".into()) || lines.contains(&"race error 2 1".into()),
        "{lines:?}"
    );
    assert!(ran.rendered().contains("two blocks"));
}

/// A `__syncwarp` orders the lanes of a warp, so that what is left is between warps; and the words
/// and the advice must say so.
#[test]
fn the_words_follow_from_the_two_threads() {
    let kernel = |second_line: bool| {
        let mut a = Asm::new();
        let data = a.array("data");
        let (t, zero, mine) = (a.tid(), a.int(0), a.int(0));
        let far = a.int(32);
        let first = a.cmp(CmpOp::Eq, t, mine);
        a.if_(first, |a| {
            a.line("x = data[0];");
            a.load(data, zero);
        });
        let others = a.cmp(CmpOp::Ge, t, far);
        a.if_(others, |a| {
            a.line(if second_line { "y = data[0];" } else { "" });
            a.load(data, zero);
        });
        a.syncwarp(u32::MAX);
        let writer = a.cmp(CmpOp::Eq, t, mine);
        a.if_(writer, |a| {
            a.line("data[0] = 0;");
            a.store(data, zero, zero);
        });
        a
    };
    // Thread 0 writes first, then the other warp reads; run backwards it meets the read.
    for seed in 0..40 {
        let config = Config { model: Model::Adversarial(seed), ..Config::default() };
        for blocks in [1, 3] {
            let ran = run_with(kernel(true), blocks, 64, &[vec![7; 4]], &config);
            assert!(!ran.report.findings.is_empty());
            for finding in &ran.report.findings {
                let help = finding.help.as_deref().unwrap_or("");
                let warp = |s: &simt::Site| s.thread[0] / 32;
                let (words, advice) = match &finding.second {
                    Some(s) if s.block != finding.first.block => ("two blocks", "two launches"),
                    Some(s) if warp(s) == warp(&finding.first) => ("two lanes", "__syncwarp()"),
                    Some(_) => ("two warps", "put __syncthreads()"),
                    None if finding.message.contains("of another block") => {
                        ("two blocks", "two launches")
                    }
                    None => ("two warps", "put __syncthreads()"),
                };
                assert!(finding.message.starts_with(words), "{}", ran.rendered());
                assert!(help.contains(advice), "{}", ran.rendered());
            }
        }
    }
}

/// Thread 0 reads, then the other warp reads and its thread 32 writes behind a `__syncwarp`; or
/// thread 0 writes, and then who read behind it must be named with the right line or with none.
#[test]
fn no_line_is_claimed_that_was_not_remembered() {
    let kernel = |writer: i32, second_line: bool| {
        let mut a = Asm::new();
        let data = a.array("data");
        let (t, zero, far, who) = (a.tid(), a.int(0), a.int(32), a.int(writer));
        let near = a.cmp(CmpOp::Lt, t, far);
        a.if_else(
            near,
            |a| {
                a.line("x = data[0];");
                a.load(data, zero);
            },
            |a| {
                if second_line {
                    a.line("y = data[0];");
                }
                a.load(data, zero);
            },
        );
        a.syncwarp(u32::MAX);
        let writes = a.cmp(CmpOp::Eq, t, who);
        a.if_(writes, |a| {
            a.line("data[0] = 0;");
            a.store(data, zero, zero);
        });
        a
    };
    let ran = run(kernel(32, false), 1, 64, &[vec![7; 4]]);
    assert_eq!(ran.findings(), ["race error 2 1"]);
    let second = ran.report.findings[0].second.as_ref().expect("both are remembered");
    assert_eq!(second.thread, [0, 0, 0]);
    assert!(ran.report.findings[0].message.starts_with("two warps of a block access"));
    // The other warp reads in a line of its own; what is claimed is line 1, where thread 0 read.
    let ran = run(kernel(32, true), 1, 64, &[vec![7; 4]]);
    assert_eq!(ran.findings(), ["race error 3 1"]);
    // The writer reads again in a line of its own: the other lane was never there.
    let mut a = Asm::new();
    let data = a.array("data");
    let (t, zero, far) = (a.tid(), a.int(0), a.int(32));
    a.line("bool near = t < 32;");
    let near = a.cmp(CmpOp::Lt, t, far);
    a.if_(near, |a| {
        a.line("x = data[0];");
        a.load(data, zero);
    });
    a.line("if (t == 0)");
    let flag = a.cmp(CmpOp::Eq, t, zero);
    a.if_(flag, |a| {
        a.line("y = data[0];");
        a.load(data, zero);
        a.line("data[0] = 0;");
        a.store(data, zero, zero);
    });
    let ran = run(a, 1, 32, &[vec![7; 4]]);
    let race = &ran.report.findings[0];
    // Thread 0 read first and then again; thread 31 read in line 2 and in no other.
    assert_eq!(ran.findings(), ["race error 5 2"]);
    assert_eq!(race.second.as_ref().map(|s| s.thread), Some([31, 0, 0]));
    assert!(race.message.starts_with("two lanes of a warp"), "{}", race.message);
}

#[test]
fn atomics_do_not_race_with_each_other_but_with_plain_accesses() {
    let kernel = |plain: bool| {
        let mut a = Asm::new();
        let sum = a.array("sum");
        let (zero, one) = (a.int(0), a.int(1));
        a.line("atomicAdd(sum, 1);");
        a.red(AtomicOp::Add, sum, zero, one);
        if plain {
            a.line("x = sum[0];");
            a.load(sum, zero);
        }
        a
    };
    assert_eq!(run(kernel(false), 4, 64, &[vec![0]]).findings(), NONE);
    assert_eq!(run(kernel(true), 1, 32, &[vec![0]]).findings(), ["race error 2 1"]);
    assert_eq!(run(kernel(true), 1, 64, &[vec![0]]).findings(), ["race error 1 2"]);
    assert_eq!(run(kernel(true), 1, 1, &[vec![0]]).findings(), NONE, "one thread");
    assert_eq!(run(kernel(true), 2, 1, &[vec![0]]).findings().len(), 1, "two blocks of one thread");
}

/// `atomicAdd_block` excludes the own block only.
#[test]
fn a_block_scope_atomic_races_with_other_blocks() {
    let kernel = || {
        let mut a = Asm::new();
        let sum = a.array("sum");
        let (zero, one) = (a.int(0), a.int(1));
        a.line("atomicAdd_block(sum, 1);");
        let addr = Asm::at(sum, zero);
        a.push(Inst::Atomic {
            op: AtomicOp::Add,
            ty: Ty::I32,
            scope: Scope::Block,
            d: None,
            a: one,
            b: one,
            addr,
        });
        a
    };
    assert_eq!(run(kernel(), 1, 128, &[vec![0]]).findings(), NONE);
    let ran = run(kernel(), 2, 128, &[vec![0]]);
    assert_eq!(ran.findings(), ["race error 1 1"]);
    assert!(ran.rendered().contains("without _block"), "{}", ran.rendered());
}

#[test]
fn the_same_value_twice_is_a_note_and_different_ones_an_error() {
    let kernel = |same: bool| {
        let mut a = Asm::new();
        let flag = a.array("flag");
        let (t, zero, one) = (a.tid(), a.int(0), a.int(1));
        a.line("flag[0] = x;");
        a.store(flag, zero, if same { one } else { t });
        a
    };
    assert_eq!(run(kernel(true), 1, 32, &[vec![0]]).findings(), ["race note 1 1"]);
    assert_eq!(run(kernel(false), 1, 32, &[vec![0]]).findings(), ["race error 1 1"]);
    let text = run(kernel(false), 1, 32, &[vec![0]]).rendered();
    assert!(text.contains("different values to `flag[0]` in one instruction"), "{text}");
    assert!(text.contains("write of 1 by") && text.contains("write of 0 by"), "{text}");
}

/// The warp-synchronous style of old: volatile is no synchronisation.
#[test]
fn volatile_accesses_are_unordered() {
    let kernel = |sync: bool| {
        let mut a = Asm::new();
        let s = a.shared("s", 64);
        let (t, one) = (a.tid(), a.int(1));
        a.line("s[t] = t;");
        a.vstore(s, t, t);
        if sync {
            a.syncwarp(u32::MAX);
        }
        a.line("x = s[t ^ 1];");
        let other = a.bin(BinOp::Xor, Ty::I32, t, one);
        a.vload(s, other);
        a
    };
    let ran = run(kernel(false), 1, 32, &[]);
    assert_eq!(ran.findings(), ["race error 2 1"]);
    assert!(
        ran.rendered().contains("unordered volatile accesses: two lanes"),
        "{}",
        ran.rendered()
    );
    assert_eq!(run(kernel(true), 1, 32, &[]).findings(), NONE);
}

/// Neighbouring chars share a word, and do not race.
#[test]
fn bytes_of_a_word_are_apart() {
    let kernel = |shift: i32| {
        let mut a = Asm::new();
        let s = a.shared("s", 16);
        let (t, d) = (a.tid(), a.int(shift));
        let addr = |index| Addr { base: s, index: Index::I32(index), scale: 1, offset: 0 };
        a.line("c[t] = t;");
        a.push(Inst::Store { ty: MemTy::U8, n: 1, volatile: false, a: t, addr: addr(t) });
        a.line("x = c[t ^ shift];");
        let other = a.bin(BinOp::Xor, Ty::I32, t, d);
        let x = a.reg();
        a.push(Inst::Load { ty: MemTy::U8, n: 1, volatile: false, d: x, addr: addr(other) });
        a
    };
    assert_eq!(run(kernel(0), 1, 64, &[]).findings(), NONE);
    assert_eq!(run(kernel(1), 1, 64, &[]).findings(), ["race error 2 1"]);
}

/// The last block sums what all blocks left: right with a fence, a race without.
#[test]
fn a_fence_and_an_atomic_hand_over_between_blocks() {
    let kernel = |fence: bool| {
        let mut a = Asm::new();
        let (part, ticket, out) = (a.array("part"), a.array("ticket"), a.array("out"));
        let (b, zero, one, last) = (a.bid(), a.int(0), a.int(1), a.int(3));
        a.line("part[b] = b;");
        a.store(part, b, b);
        if fence {
            a.push(Inst::Fence { scope: Scope::Device });
        }
        a.line("t = atomicAdd(ticket, 1);");
        let t = a.atom(AtomicOp::Add, ticket, zero, one, one);
        let is_last = a.cmp(CmpOp::Eq, t, last);
        a.if_(is_last, |a| {
            a.line("out[0] = part[0];");
            let x = a.load(part, zero);
            a.store(out, zero, x);
        });
        a
    };
    let arrays = [vec![5; 4], vec![0], vec![0]];
    assert_eq!(run(kernel(true), 4, 1, &arrays).findings(), NONE);
    assert_eq!(run(kernel(false), 4, 1, &arrays).findings(), ["race error 3 1"]);
}

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
    assert_eq!((f.count, f.first.thread, f.first.what), (2, [30, 0, 0], "read"));
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
        ran.rendered().contains("16 of the 32 threads that have not returned wait at it"),
        "{}",
        ran.rendered()
    );
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
fn a_shuffle_from_a_lane_that_has_left_brings_junk_and_is_no_error() {
    let mut a = Asm::new();
    let out = a.array("out");
    let t = a.tid();
    a.line("out[t] = __shfl_down_sync(~0u, t, 16);");
    let x = a.shuffle(ShuffleKind::Down, t, 16, u32::MAX);
    a.store(out, t, x);
    let ran = run(a, 1, 40, &[vec![0; 40]]);
    assert_eq!(ran.arrays[0][15], 31);
    assert_eq!(ran.arrays[0][32], 0xCDCD_CDCDu32 as i32);
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

/// Findings do not depend on the order in which lanes, warps and blocks run.
#[test]
fn the_order_does_not_matter() {
    for seed in 0..8 {
        let config = Config { model: Model::Adversarial(seed), ..Config::default() };
        for (distance, sync) in [(1, false), (1, true), (32, false), (32, true)] {
            let kernel = exchange(distance, |a| {
                if sync {
                    a.sync()
                }
            });
            let ran = run_with(kernel, 1, 64, &[vec![0; 64]], &config);
            let races = ran.report.findings.iter().filter(|f| f.class() == Class::Race).count();
            assert_eq!(races > 0, !sync, "seed {seed}, distance {distance}: {:?}", ran.findings());
        }
    }
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
