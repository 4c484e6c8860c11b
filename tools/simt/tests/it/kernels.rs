//! Code that no front end would make is refused by `launch`, and never a panic.

use crate::support::Asm;
use proptest::prelude::*;
use simt::isa::*;
use simt::{Config, Launch, Memory};

/// A kernel that uses most of what can be indexed by; then one thing in it is spoilt.
fn launch(spoil: impl FnOnce(&mut Module)) -> Result<(), String> {
    let mut a = Asm::new();
    let s = a.shared("s", 64);
    let l = a.local("l", 2);
    let (t, zero) = (a.tid(), a.int(0));
    a.line("text");
    let wide = a.pair();
    a.push(Inst::Convert { from: Ty::I32, to: Ty::I64, d: wide, a: t });
    a.store(s, t, t);
    a.store(l, zero, t);
    let condition = a.cmp(CmpOp::Lt, t, zero);
    a.if_(condition, |a| {
        a.load(s, zero);
    });
    a.k().prints.push(Print {
        format: "%d".into(),
        args: vec![PrintArg::Value(Ty::I32, t)],
        launch: None,
    });
    let mut module = a.module();
    spoil(&mut module);
    let kernel = &module.kernels[0];
    let launch = Launch { kernel, grid: 1.into(), block: 32.into(), dynamic_shared: 0, args: &[] };
    let config = Config { budget: 10_000, ..Config::default() };
    simt::launch(&module, &launch, &mut Memory::new(), &config).map(|_| ()).map_err(|e| e.message)
}

#[test]
fn a_malformed_kernel_is_refused() {
    assert_eq!(launch(|_| {}), Ok(()));
    type Spoil = fn(&mut Kernel);
    let cases: [(Spoil, &str); 16] = [
        (|k| k.code.clear(), "spans"),
        (|k| (k.code.clear(), k.spans.clear()).0, "does not end"),
        (|k| k.code[0] = Inst::Mov { wide: false, d: 500, a: 0 }, "instruction 0: register 500"),
        (|k| k.code[0] = Inst::Mov { wide: true, d: 1, a: 0 }, "odd number 1"),
        (|k| k.registers = 3, "register"),
        (|k| k.code[0] = Inst::Jump { target: 1000 }, "a jump to 1000"),
        (|k| k.code[0] = Inst::Bsync { barrier: 9 }, "convergence barrier 9 of 1"),
        (|k| k.code[0] = Inst::Print { print: 1 }, "printf 1 of 1"),
        (|k| k.code[0] = Inst::Trap { trap: 0 }, "trap 0 of 0"),
        (|k| k.code[0] = Inst::CheckDefined { variable: 0 }, "variable 0 of 0"),
        (|k| k.preloads.push((0, Preload::Shared(7))), "shared object 7 of 1"),
        (|k| k.preloads.push((0, Preload::Global(0))), "global object 0 of 0"),
        (|k| k.preloads.push((900, Preload::LaneId)), "register 900"),
        (
            |k| k.preloads.push((0, Preload::Param { offset: 0, ty: MemTy::B32 })),
            "past the arguments",
        ),
        (|k| k.shared[0].size = u32::MAX, "`s` lies outside"),
        (
            |k| {
                let addr = Addr { base: 0, index: Index::None, scale: 1, offset: 0 };
                k.code[0] = Inst::Load { ty: MemTy::B64, n: 4, volatile: false, d: 0, addr };
            },
            "4 times 8 bytes",
        ),
    ];
    for (spoil, expected) in cases {
        let message = launch(|m| spoil(&mut m.kernels[0])).expect_err(expected);
        assert!(message.contains(expected), "{message} does not say {expected}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    /// One number in one instruction changed to any other: run or refused.
    #[test]
    fn any_number_runs_or_is_refused(at in 0..64usize, reg in 0..40u16, target in 0..40u32, kind in 0..9u8) {
        let _ = launch(|m| {
            let k = &mut m.kernels[0];
            let at = at % (k.code.len() - 1);
            let addr = Addr { base: reg, index: Index::I32(reg / 2), scale: reg.into(), offset: 0 };
            k.code[at] = match kind {
                0 => Inst::Jump { target },
                1 => Inst::Branch { cond: reg, when: true, target },
                2 => Inst::Bssy { barrier: reg % 3, at: target },
                3 => Inst::Bsync { barrier: reg % 3 },
                4 => Inst::Load { ty: MemTy::B32, n: (target % 5) as u8, volatile: false, d: reg, addr },
                5 => Inst::Store { ty: MemTy::B64, n: (target % 5) as u8, volatile: false, a: reg, addr },
                6 => Inst::Leave { barrier: reg % 3 },
                7 => Inst::Unary { op: UnOp::Neg, ty: Ty::I64, d: reg, a: (target as u16).min(60) },
                _ => Inst::SyncWarp { mask: reg },
            };
        });
    }
}
