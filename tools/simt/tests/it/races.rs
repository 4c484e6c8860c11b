//! Races, and next to each what is nearly one and is none.

use crate::support::*;
use simt::isa::*;
use simt::{Class, Config, Model};

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
    // Warp 0 ran first and read what nobody had written yet; warp 1 then met that read, and the race
    // says it all.
    assert_eq!(ran.findings(), ["race error 1 2"]);
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
                    _ if finding.message.contains("the same value") => {
                        ("two blocks", "let one block write it")
                    }
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

/// A `volatile` read stands with atomics; a plain one of the same word behind it does not.
#[test]
fn a_plain_read_behind_a_volatile_one_races_with_an_atomic() {
    let kernel = |plain: bool| {
        let mut a = Asm::new();
        let array = a.array("array");
        let (t, one) = (a.tid(), a.int(1));
        // Each word is read by two lanes.
        let half = a.bin(BinOp::Shr, Ty::I32, t, one);
        a.line("x = (volatile) array[t / 2];");
        a.vload(array, half);
        if plain {
            a.line("y = array[t / 2];");
            a.load(array, half);
        }
        let (most, first) = (a.int(31), a.int(32));
        let later = a.cmp(CmpOp::Gt, t, most);
        a.line("if (t > 31) atomicAdd(&array[t - 32], 1);");
        let at = a.bin(BinOp::Sub, Ty::I32, t, first);
        a.if_(later, |a| a.red(AtomicOp::Add, array, at, one));
        a
    };
    let arrays = [vec![0; 64]];
    assert_eq!(run(kernel(false), 1, 64, &arrays).findings(), NONE);
    assert_eq!(run(kernel(true), 1, 64, &arrays).findings(), ["race error 3 2"]);
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

/// Whole warps that go over memory line by line are remembered by lines; where an array begins one
/// word further on, they are not. Whatever a kernel does, the same is found.
#[test]
fn lines_say_what_words_say() {
    let steps = [
        "x += d[o + t];",
        "d[o + t] = x;",
        "x += d[o + i];",
        "d[o + i] = t;",
        "x += d[o + (t ^ 1)];",
        "d[o + (t ^ 33)] = x;",
        "if (t & 1) d[o + t] = t;",
        "if (t < 40) x += d[o + 5];",
        "atomicAdd(&d[o + t], 1);",
        "__syncthreads();",
        "__syncwarp();",
        "__syncwarp();",
        "__syncthreads();",
    ];
    let mut random = 1u32;
    let mut draw = |below: usize| {
        random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (random >> 8) as usize % below
    };
    let mut found = 0;
    for _ in 0..300 {
        let body: Vec<&str> = (0..2 + draw(7)).map(|_| steps[draw(steps.len())]).collect();
        let text = format!(
            "__global__ void k(int *d, int o) {{\nint t = threadIdx.x, i = blockIdx.x * 64 + t, x = 0;\n{}\nd[o + 500] = x;\n}}",
            body.join("\n")
        );
        let module = simt::compile(simt::Sources::single("k.cu", &text)).expect("it compiles");
        let run = |from: i32, blocks: u32| {
            let mut memory = simt::Memory::new();
            let array = memory.alloc("d", "int", 4, 4 * 600);
            memory.upload(array, &[0; 4 * 600]);
            let args = [simt::Arg::Buffer(array), simt::Arg::Value(from.to_le_bytes().to_vec())];
            let launch = simt::Launch {
                kernel: module.kernel("k").expect("it is there"),
                grid: blocks.into(),
                block: 64.into(),
                dynamic_shared: 0,
                args: &args,
            };
            let report = simt::launch(&module, &launch, &mut memory, &Config::default())
                .expect("it is launched");
            let side = |s: &simt::Site| (s.span, s.what, s.block, s.thread, s.value.clone());
            let all = report.findings.iter();
            all.map(|f| (f.code, side(&f.first), f.second.as_ref().map(side), f.count))
                .collect::<Vec<_>>()
        };
        for blocks in [1, 2] {
            let by_line = run(0, blocks);
            found += by_line.len();
            assert_eq!(by_line, run(1, blocks), "{text}");
        }
    }
    assert!(found > 300, "{found}");
}
