//! The bytecode optimiser: inlining, copy propagation, unreachable-code and dead-code elimination.
//!
//! A program behaves as without it and has the same findings: every memory access stays, with its
//! span, and so does every step of the budget. An inlined instruction of a header gets the span of the
//! call, because a finding in a header points there.
//!
//! Not done: common subexpressions, loop-invariant code motion, register allocation.

mod copy_propagation;
mod inline;
mod operands;

use crate::bytecode::{Function, Inst};
use operands::{reads, window, written};

/// Longer functions, and those with more registers, are not optimised.
const MAX_CODE: usize = 4000;
const MAX_REGISTERS: usize = 1024;

/// How many levels of nested calls are inlined.
const ROUNDS: usize = 3;

pub(super) fn optimise(functions: &mut [Function]) {
    let arguments: Vec<u16> = functions.iter().map(|f| f.arguments).collect();
    for round in 0..=ROUNDS {
        for function in functions.iter_mut() {
            if round == 0 || inline::changed(function) {
                tidy(function, &arguments);
            }
        }
        if round < ROUNDS {
            inline::calls(functions);
        }
    }
}

fn tidy(function: &mut Function, arguments: &[u16]) {
    let odd = |inst: &Inst| {
        use Inst::{Catch, Caught, EndCatch, EndTry, Rethrow, Throw, Try};
        matches!(
            inst,
            Try { .. } | EndTry | Throw { .. } | Rethrow | Caught { .. } | Catch | EndCatch
        )
    };
    let large = function.code.len() > MAX_CODE || function.registers as usize > MAX_REGISTERS;
    if large || function.code.iter().any(odd) {
        return;
    }
    reachable(function);
    let starts = starts(&function.code);
    copy_propagation::forward(function, &starts);
    for _ in 0..2 {
        unused(function, &starts, arguments);
    }
    function.remove_nops();
}

/// Whether control can reach the next instruction.
fn falls(inst: &Inst) -> bool {
    !matches!(inst, Inst::Jump { .. } | Inst::Skip { .. } | Inst::Return | Inst::Abort { .. })
}

/// Unreachable-code elimination.
fn reachable(function: &mut Function) {
    let mut seen = vec![false; function.code.len()];
    let mut left = vec![0];
    while let Some(at) = left.pop() {
        let Some(inst) = function.code.get_mut(at) else { continue };
        if std::mem::replace(&mut seen[at], true) {
            continue;
        }
        left.extend(inst.target().map(|to| *to as usize));
        if falls(inst) {
            left.push(at + 1);
        }
    }
    for (inst, seen) in function.code.iter_mut().zip(seen) {
        if !seen {
            *inst = Inst::Nop;
        }
    }
}

/// The leaders of basic blocks: targets of jumps, and what follows a jump.
fn starts(code: &[Inst]) -> Vec<usize> {
    let mut starts = vec![0, code.len()];
    for (at, inst) in code.iter().enumerate() {
        let mut inst = *inst;
        if let Some(to) = inst.target() {
            starts.push((*to as usize).min(code.len()));
            starts.push(at + 1);
        } else if !falls(&inst) {
            starts.push(at + 1);
        }
    }
    starts.sort_unstable();
    starts.dedup();
    starts
}

/// A set of registers.
type Set = [u64; MAX_REGISTERS / 64];

fn put(set: &mut Set, reg: u16) {
    set[usize::from(reg) / 64 % (MAX_REGISTERS / 64)] |= 1 << (reg % 64);
}

fn take(set: &mut Set, reg: u16) {
    set[usize::from(reg) / 64 % (MAX_REGISTERS / 64)] &= !(1 << (reg % 64));
}

fn has(set: &Set, reg: u16) -> bool {
    set[usize::from(reg) / 64 % (MAX_REGISTERS / 64)] >> (reg % 64) & 1 != 0
}

/// Liveness backwards over one instruction: `live` goes from the registers live after it to those
/// live before it.
fn before(inst: &Inst, live: &mut Set, registers: u32, arguments: &[u16]) {
    if let Some(d) = written(inst) {
        take(live, d);
    }
    if let Some(window) = window(inst, arguments) {
        let end = if window.all { registers as u16 } else { window.first + 1 };
        if window.written {
            (window.first..end).for_each(|reg| take(live, reg));
        }
        let read = window.count.map_or(registers as u16, |count| window.first + count);
        (window.first..read).for_each(|reg| put(live, reg));
    }
    reads(inst, |reg| put(live, reg));
    if *inst == Inst::Return {
        put(live, 0);
    }
}

/// Dead-code elimination by a liveness analysis; and a result that is only moved on is written to its
/// destination directly.
fn unused(function: &mut Function, starts: &[usize], arguments: &[u16]) {
    let (code, registers) = (&mut function.code, function.registers);
    let blocks = starts.len() - 1;
    let number = |at: usize| starts.binary_search(&at).ok().filter(|n| *n < blocks);
    // The registers that are live at the start of each block.
    let mut entry: Vec<Set> = vec![[0; MAX_REGISTERS / 64]; blocks];
    let exit = |n: usize, code: &[Inst], entry: &[Set]| {
        let mut live = [0; MAX_REGISTERS / 64];
        let mut last = code[starts[n + 1] - 1];
        let to = last.target().and_then(|to| number(*to as usize));
        let next = (falls(&last) && n + 1 < blocks).then_some(n + 1);
        for next in to.into_iter().chain(next) {
            live.iter_mut().zip(&entry[next]).for_each(|(to, from)| *to |= from);
        }
        live
    };
    let mut changed = true;
    while changed {
        changed = false;
        for n in (0..blocks).rev() {
            let mut live = exit(n, code, &entry);
            for inst in code[starts[n]..starts[n + 1]].iter().rev() {
                before(inst, &mut live, registers, arguments);
            }
            changed |= entry[n] != live;
            entry[n] = live;
        }
    }
    for n in 0..blocks {
        let mut live = exit(n, code, &entry);
        for at in (starts[n]..starts[n + 1]).rev() {
            if let Inst::Move { d, a } = code[at]
                && d != a
                && !has(&live, a)
                && let Some(made) = (starts[n]..at).rev().find(|i| code[*i] != Inst::Nop)
                && written(&code[made]) == Some(a)
            {
                operands::write_to(&mut code[made], d);
                code[at] = Inst::Nop;
            }
            let idle = matches!(code[at], Inst::Move { d, a } if d == a)
                || operands::is_pure(&code[at])
                    && written(&code[at]).is_some_and(|d| !has(&live, d));
            if idle {
                code[at] = Inst::Nop;
            }
            before(&code[at], &mut live, registers, arguments);
        }
    }
}
