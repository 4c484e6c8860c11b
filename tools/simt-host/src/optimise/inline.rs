//! Inlining of small leaf functions.

use super::operands::is_pure;
use crate::bytecode::{Function, Inst, Pc, Reg};
use simt::diagnostic::Span;

/// The most instructions of a function that is inlined, and of one that calls are inlined into.
const SMALL: usize = 24;
const FULL: usize = 3000;

/// A function's code, if it can be inlined: it uses no stack frame and only position-independent
/// instructions.
fn small(function: &Function) -> Option<(Vec<Inst>, Vec<Span>, u32)> {
    let fits = function.code.len() <= SMALL && function.frame == 0;
    let plain = |inst: &Inst| {
        is_pure(inst)
            || matches!(
                inst,
                Inst::Binary { .. }
                    | Inst::BinaryConst { .. }
                    | Inst::Jump { .. }
                    | Inst::Skip { .. }
                    | Inst::Tick
                    | Inst::Branch { .. }
                    | Inst::BranchCompare { .. }
                    | Inst::BranchConst { .. }
                    | Inst::Load { .. }
                    | Inst::Store { .. }
                    | Inst::LoadIndex { .. }
                    | Inst::StoreIndex { .. }
                    | Inst::Library { extra: 0, .. }
                    | Inst::Copy { .. }
                    | Inst::Clear { .. }
                    | Inst::Return
                    | Inst::Nop
            )
    };
    (fits && !function.code.is_empty() && function.code.iter().all(plain))
        .then(|| (function.code.clone(), function.spans.clone(), function.registers))
}

/// Whether calls in it were inlined.
pub(super) fn changed(function: &Function) -> bool {
    function.code.contains(&Inst::Tick)
}

pub(super) fn calls(functions: &mut [Function]) {
    let all: Vec<_> = functions.iter().map(small).collect();
    for function in functions.iter_mut().filter(|f| f.code.len() < FULL) {
        let known = |inst: &Inst| match inst {
            Inst::Call { function, window } => all
                .get(*function as usize)
                .and_then(Option::as_ref)
                .filter(|(.., registers)| u32::from(*window) + registers <= u32::from(Reg::MAX)),
            _ => None,
        };
        if !function.code.iter().any(|inst| known(inst).is_some()) {
            continue;
        }
        let mut moved: Vec<Pc> = Vec::with_capacity(function.code.len() + 1);
        let (mut code, mut spans, mut own) = (Vec::new(), Vec::new(), Vec::new());
        for (inst, span) in function.code.iter().zip(&function.spans) {
            moved.push(code.len() as Pc);
            let (Inst::Call { window, .. }, Some((body, texts, registers))) = (inst, known(inst))
            else {
                own.push(code.len());
                code.push(*inst);
                spans.push(*span);
                continue;
            };
            // A call is a step of the budget.
            code.push(Inst::Tick);
            spans.push(*span);
            let (from, last) = (code.len() as Pc, body.len() - 1);
            for (at, (inst, text)) in body.iter().zip(texts).enumerate() {
                let mut inst = *inst;
                inst.for_each_register(|reg, _| *reg += window);
                if let Inst::Library { window: arguments, .. } = &mut inst {
                    *arguments += window;
                }
                if let Some(to) = inst.target() {
                    *to += from;
                }
                if inst == Inst::Return {
                    let end = from + last as Pc + 1;
                    inst = if at == last { Inst::Nop } else { Inst::Skip { to: end } };
                }
                code.push(inst);
                spans.push(if text.is_built_in() { *span } else { *text });
            }
            function.registers = function.registers.max(u32::from(*window) + registers);
        }
        moved.push(code.len() as Pc);
        let end = code.len() as Pc;
        for at in own {
            if let Some(to) = code[at].target() {
                *to = moved.get(*to as usize).copied().unwrap_or(end);
            }
        }
        (function.code, function.spans) = (code, spans);
    }
}
