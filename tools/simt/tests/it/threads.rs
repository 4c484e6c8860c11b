//! The result does not depend on how many threads of this computer ran the blocks.

use crate::support::*;
use simt::isa::*;
use simt::{Checks, Config, Outcome};

/// Arrays, counters, findings, output and outcome for 1, 2, 3, 4 and 7 threads.
fn alike(kernel: impl Fn() -> Asm, grid: u32, block: u32, arrays: &[Vec<i32>]) -> Ran {
    let mut last = None;
    for checks in [Checks::Bare, Checks::Counters, Checks::All] {
        let config = |threads| Config { threads, checks, budget: 10_000_000, ..Config::default() };
        let one = run_with(kernel(), grid, block, arrays, &config(1));
        for threads in [2, 3, 4, 7] {
            let many = run_with(kernel(), grid, block, arrays, &config(threads));
            assert_eq!(one.arrays, many.arrays, "{checks:?}, {threads} threads");
            assert_eq!(one.report.outcome, many.report.outcome, "{checks:?}, {threads} threads");
            assert_eq!(one.report.counters, many.report.counters, "{checks:?}, {threads} threads");
            assert_eq!(one.report.lines, many.report.lines, "{checks:?}, {threads} threads");
            assert_eq!(one.report.findings, many.report.findings, "{checks:?}, {threads} threads");
            assert_eq!(one.report.printed, many.report.printed, "{checks:?}, {threads} threads");
        }
        last = Some(one);
    }
    last.unwrap()
}

/// `i = blockIdx.x * blockDim.x + threadIdx.x`
fn index(a: &mut Asm) -> Reg {
    let (t, b, d) = (a.tid(), a.bid(), a.bdim());
    let base = a.mul(b, d);
    a.add(base, t)
}

#[test]
fn independent_blocks() {
    let kernel = || {
        let mut a = Asm::new();
        let (x, y) = (a.array("x"), a.array("y"));
        let i = index(&mut a);
        a.line("y[i] = x[i] + i;");
        let v = a.load(x, i);
        let w = a.add(v, i);
        a.store(y, i, w);
        a
    };
    let ran = alike(kernel, 10, 64, &[(0..640).collect(), vec![0; 640]]);
    assert_eq!(ran.arrays[1], (0..640).map(|i| 2 * i).collect::<Vec<_>>());
    // Some of them out of bounds.
    let ran = alike(kernel, 10, 64, &[(0..600).collect(), vec![0; 630]]);
    assert_eq!((ran.report.outcome, ran.findings().len()), (Outcome::Faulted, 2));
}

/// Who runs which of many blocks is chance: what is told first is still what the first block did.
#[test]
fn many_blocks() {
    let kernel = |prints: bool| {
        move || {
            let mut a = Asm::new();
            let (x, y, b) = (a.array("x"), a.array("y"), a.bid());
            let i = index(&mut a);
            if prints {
                a.k().prints.push(Print {
                    format: "%d\n".into(),
                    args: vec![PrintArg::Value(Ty::I32, b)],
                    launch: None,
                });
                let t = a.tid();
                let zero = a.int(0);
                let first = a.cmp(CmpOp::Eq, t, zero);
                a.if_(first, |a| {
                    a.push(Inst::Print { print: 0 });
                });
            }
            a.line("v = x[i];");
            let v = a.load(x, i);
            a.line("y[i] = y[i] + v;");
            let w = a.load(y, i);
            let sum = a.add(v, w);
            a.store(y, i, sum);
            a
        }
    };
    let (blocks, threads) = (300, 32);
    let all = blocks * threads;
    // Both arrays end early, one in the last block and one long before.
    let arrays = [(0..all - 5).collect(), vec![1; 1000]];
    for _ in 0..5 {
        let ran = alike(kernel(true), blocks as u32, threads as u32, &arrays);
        assert_eq!(ran.arrays[1], (1..=1000).collect::<Vec<_>>());
        let lines: String = (0..blocks).map(|b| format!("{b}\n")).collect();
        assert_eq!(ran.report.printed, lines.into_bytes());
        let ran = alike(kernel(false), blocks as u32, threads as u32, &arrays);
        assert_eq!(ran.arrays[1], (1..=1000).collect::<Vec<_>>());
        assert_eq!((ran.report.outcome, ran.findings().len()), (Outcome::Faulted, 2));
        let first = |of: &str| {
            let finding = ran.report.findings.iter().find(|f| f.message.contains(of)).unwrap();
            (finding.first.block[0], finding.first.thread[0])
        };
        assert_eq!(first("`x`"), (299, 27));
        assert_eq!(first("`y`"), (31, 8));
    }
}

#[test]
fn blocks_that_race() {
    let kernel = || {
        let mut a = Asm::new();
        let x = a.array("x");
        let (i, b, zero) = (index(&mut a), a.bid(), a.int(0));
        a.line("v = x[0];");
        let v = a.load(x, zero);
        let w = a.add(v, i);
        a.line("x[b] = v + i;");
        a.store(x, b, w);
        a
    };
    let ran = alike(kernel, 8, 1, &[vec![1; 8]]);
    assert!(ran.rendered().contains("two blocks"), "{}", ran.rendered());
}

#[test]
fn integer_sums_into_one_word() {
    let kernel = || {
        let mut a = Asm::new();
        let x = a.array("x");
        let (i, zero) = (index(&mut a), a.int(0));
        a.line("atomicAdd(x, i);");
        a.red(AtomicOp::Add, x, zero, i);
        a
    };
    let ran = alike(kernel, 16, 64, &[vec![0]]);
    assert_eq!(ran.arrays[0], [(0..1024).sum::<i32>()]);
    assert_eq!(ran.findings(), Vec::<String>::new());
}

/// The first block writes plainly what the others then add to: an order that must not be lost.
#[test]
fn a_plain_write_among_sums() {
    let kernel = || {
        let mut a = Asm::new();
        let x = a.array("x");
        let (b, zero, one, five) = (a.bid(), a.int(0), a.int(1), a.int(500));
        let first = a.cmp(CmpOp::Eq, b, zero);
        a.if_(first, |a| {
            a.line("x[0] = 500;");
            a.store(x, zero, five);
        });
        a.line("atomicAdd(x, 1);");
        a.red(AtomicOp::Add, x, zero, one);
        a
    };
    let ran = alike(kernel, 16, 1, &[vec![0]]);
    assert_eq!(ran.arrays[0], [516]);
    assert_eq!(ran.findings(), ["race error 2 2"]);
    assert!(ran.rendered().contains("written plainly in a block"), "{}", ran.rendered());
}

/// Float sums depend on the order, so they are made in the order of the blocks.
#[test]
fn float_sums() {
    let kernel = || {
        let mut a = Asm::new();
        let x = a.array("x");
        let (i, zero, f, third) = (index(&mut a), a.int(0), a.reg(), a.float(1.0 / 3.0));
        a.push(Inst::Convert { from: Ty::I32, to: Ty::F32, d: f, a: i });
        a.push(Inst::Binary { op: BinOp::Mul, ty: Ty::F32, d: f, a: f, b: third });
        let addr = Asm::at(x, zero);
        a.push(Inst::Atomic {
            op: AtomicOp::Add,
            ty: Ty::F32,
            scope: Scope::Device,
            d: None,
            a: f,
            b: f,
            addr,
        });
        a
    };
    alike(kernel, 32, 64, &[vec![0]]);
}

#[test]
fn a_trap_in_the_middle_and_what_was_printed_before() {
    let kernel = || {
        let mut a = Asm::new();
        let b = a.bid();
        let five = a.int(5);
        a.k().traps.push("trap".into());
        a.k().prints.push(Print {
            format: "block %d\n".into(),
            args: vec![PrintArg::Value(Ty::I32, b)],
            launch: None,
        });
        a.line("printf");
        a.push(Inst::Print { print: 0 });
        let hit = a.cmp(CmpOp::Eq, b, five);
        a.if_(hit, |a| {
            a.line("__trap();");
            a.push(Inst::Trap { trap: 0 });
        });
        a
    };
    let ran = alike(kernel, 12, 1, &[]);
    assert_eq!(ran.report.printed.iter().filter(|b| **b == b'\n').count(), 6);
}

#[test]
fn what_one_block_writes_and_another_reads_uninitialised() {
    // `x` is not uploaded: the second half reads what the first half wrote, racing.
    let kernel = || {
        let mut a = Asm::new();
        let (x, y) = (a.array("x"), a.array("y"));
        let (i, eight, b) = (index(&mut a), a.int(8), a.bid());
        let low = a.cmp(CmpOp::Lt, i, eight);
        a.if_else(
            low,
            |a| {
                a.line("x[i] = i;");
                a.store(x, i, i);
            },
            |a| {
                let j = a.bin(BinOp::Sub, Ty::I32, i, eight);
                a.line("y[j] = x[j];");
                let v = a.load(x, j);
                a.store(y, j, v);
            },
        );
        let _ = b;
        a
    };
    let ran = alike(kernel, 16, 1, &[vec![0; 8], vec![0; 8]]);
    assert_eq!(ran.arrays[1], (0..8).collect::<Vec<_>>());
    assert_eq!(ran.report.findings[0].count, 8);
}
