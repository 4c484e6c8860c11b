//! The fast interpreter loop, over type-specialised opcodes ([`crate::specialised`]).
//!
//! Most of a program's time goes into instructions that touch registers and the host's own memory
//! only. They run here, with the state of the interpreter in local variables. Every other instruction,
//! and one that fails, is left to the slow loop, which executes it again.

use super::generic::{compare, copy, double, execute, load, place, single, store};
use super::strips::Running;
use super::{Executed, Interpreter, MemTy, REGISTER_FILE};
use crate::alu;
use crate::bytecode::{Inst, Reg, Width};
use crate::host_memory::STACK;
use crate::specialised::{Specialised, tables};
use simt::isa::{BinOp, CmpOp, Ty, UnOp};
use simt::machine::memory::pointer;
use simt::sema::types::Prim;

/// Why the loop ends.
enum Exit {
    /// The next instruction is for the slow loop.
    Here,
    Call(u32, Reg),
    Return,
}

impl Interpreter<'_> {
    /// Runs as far as this loop can; `pc` is then at the next instruction.
    #[inline(never)]
    pub(super) fn run_fast(&mut self, floor: usize) -> Executed<()> {
        loop {
            match self.function_body() {
                // The slow loop takes the last step of a budget.
                Exit::Call(function, window) if self.steps != 1 => {
                    self.steps = self.steps.wrapping_sub(1);
                    self.pc += 1;
                    self.enter(function, window)?;
                }
                Exit::Return if self.frames.len() > floor + 1 => self.leave(),
                _ => return Ok(()),
            }
        }
    }

    #[expect(
        clippy::too_many_lines,
        reason = "one match over the table of opcodes: in parts it would not keep its state in registers"
    )]
    #[inline(always)]
    fn function_body(&mut self) -> Exit {
        let code = self.code_of(self.function);
        let Interpreter { regs, heap, globals, strips, runtime, .. } = self;
        // As many as a register number can name: no access needs a check.
        let Some(regs) = regs[self.base..].first_chunk_mut::<REGISTER_FILE>() else {
            return Exit::Here;
        };
        let allocations = &mut heap.allocations[..];
        let (frame, swift) = (self.frame as u64, &code.specialised[..]);
        let (mut pc, mut steps) = (self.pc as usize, self.steps);
        macro_rules! r {
            ($reg:expr) => {
                regs[usize::from($reg)]
            };
        }
        macro_rules! at {
            ($at:expr, $width:ident) => {
                place(r!($at.p), r!($at.index), Width::$width, $at.scale, $at.offset)
            };
        }
        macro_rules! some {
            ($value:expr) => {
                match $value {
                    Some(value) => value,
                    None => break Exit::Here,
                }
            };
        }
        macro_rules! jump {
            ($if:expr, $to:expr) => {
                if $if {
                    if steps == 1 {
                        break Exit::Here;
                    }
                    steps = steps.wrapping_sub(1);
                    pc = $to as usize;
                    continue;
                }
            };
        }
        macro_rules! double_of {
            ($d:expr, $t:expr, $at:expr, $width:ident) => {{
                let value = some!(load(allocations, at!($at, $width), MemTy::B32));
                r!($t) = value;
                r!($d) = alu::convert(Prim::Float, Prim::Double, value);
                pc += 1;
            }};
        }
        macro_rules! bump {
            ($d:expr, $t:expr, $by:expr, $at:expr, $width:ident) => {{
                let place = at!($at, $width);
                let old = some!(load(allocations, place, MemTy::B32));
                let new = u64::from((old as u32).wrapping_add(i32::from($by) as u32));
                some!(store(allocations, place, MemTy::B32, new));
                r!($t) = old;
                r!($d) = new;
                pc += 2;
            }};
        }
        macro_rules! run {
            (
                { $($name:ident $const:ident $op:ident $ty:ident,)* }
                { $($if:ident $ifk:ident $cmp:ident $cty:ident,)* }
                { $($next:ident $nextk:ident $ncmp:ident $nty:ident,)* }
                { $($get:ident $put:ident $width:ident $ety:ident,)* }
                { $($load:ident $store:ident $loadf:ident $storef:ident $mty:ident,)* }
                { $($convert:ident $from:ident $to:ident,)* }
                { $($unary:ident $uop:ident $uty:ident,)* }
            ) => {
                loop {
                    let Some(inst) = swift.get(pc) else { break Exit::Here };
                    match *inst {
                        Specialised::Const { d, bits } => r!(d) = bits,
                        Specialised::Move { d, a } => r!(d) = r!(a),
                        $(
                            Specialised::$name { d, a, b } => {
                                r!(d) = some!(alu::binary(BinOp::$op, Ty::$ty, r!(a), r!(b)));
                            }
                            Specialised::$const { d, a, b } => {
                                r!(d) = some!(alu::binary(BinOp::$op, Ty::$ty, r!(a), b));
                            }
                        )*
                        $(
                            Specialised::$if { when, a, b, to } => {
                                let holds = alu::compare(CmpOp::$cmp, Ty::$cty, r!(a), r!(b));
                                jump!(holds == when, to);
                            }
                            Specialised::$ifk { when, a, b, to } => {
                                let b = i64::from(b) as u64;
                                jump!(alu::compare(CmpOp::$cmp, Ty::$cty, r!(a), b) == when, to);
                            }
                        )*
                        $(
                            Specialised::$next { d, by, b, to } => {
                                let x = (r!(d) as u32).wrapping_add(i32::from(by) as u32);
                                r!(d) = u64::from(x);
                                pc += 1;
                                let holds = alu::compare(CmpOp::$ncmp, Ty::$nty, u64::from(x), r!(b));
                                jump!(holds, to);
                            }
                            Specialised::$nextk { d, by, b, to } => {
                                let x = (r!(d) as u32).wrapping_add(i32::from(by) as u32);
                                r!(d) = u64::from(x);
                                pc += 1;
                                let b = i64::from(b) as u64;
                                jump!(alu::compare(CmpOp::$ncmp, Ty::$nty, u64::from(x), b), to);
                            }
                        )*
                        $(
                            Specialised::$get { d, at } => {
                                r!(d) = some!(load(allocations, at!(at, $width), MemTy::$ety));
                            }
                            Specialised::$put { a, at } => {
                                some!(store(allocations, at!(at, $width), MemTy::$ety, r!(a)));
                            }
                        )*
                        $(
                            Specialised::$load { d, p, offset } => {
                                let at = r!(p).wrapping_add(i64::from(offset) as u64);
                                r!(d) = some!(load(allocations, at, MemTy::$mty));
                            }
                            Specialised::$store { a, p, offset } => {
                                let at = r!(p).wrapping_add(i64::from(offset) as u64);
                                some!(store(allocations, at, MemTy::$mty, r!(a)));
                            }
                            Specialised::$loadf { d, at } => {
                                let at = pointer(STACK) + frame + u64::from(at);
                                r!(d) = some!(load(allocations, at, MemTy::$mty));
                            }
                            Specialised::$storef { a, at } => {
                                let at = pointer(STACK) + frame + u64::from(at);
                                some!(store(allocations, at, MemTy::$mty, r!(a)));
                            }
                        )*
                        $(
                            Specialised::$convert { d, a } => {
                                r!(d) = alu::convert(Prim::$from, Prim::$to, r!(a));
                            }
                        )*
                        $(
                            Specialised::$unary { d, a } => r!(d) = alu::unary(UnOp::$uop, Ty::$uty, r!(a)),
                        )*
                        Specialised::Compare { op, ty, d, a, b } => {
                            r!(d) = u64::from(compare(op, ty, r!(a), r!(b)));
                        }
                        Specialised::Jump { to } => jump!(true, to),
                        Specialised::Branch { when, cond, to } => jump!((r!(cond) != 0) == when, to),
                        Specialised::Skip { to } => {
                            pc = to as usize;
                            continue;
                        }
                        Specialised::Tick => {
                            if steps == 1 {
                                break Exit::Here;
                            }
                            steps = steps.wrapping_sub(1);
                        }
                        Specialised::Call { function, window } => break Exit::Call(function, window),
                        Specialised::Return => break Exit::Return,
                        Specialised::Loop { strip } => {
                            let strip = &code.strips[strip as usize];
                            if let Some((d, by)) = strip.increment {
                                r!(d) = u64::from((r!(d) as u32).wrapping_add(by as u32));
                            }
                            pc = strip.end as usize;
                            let (holds, to) = match code.code[pc] {
                                Inst::BranchCompare { op, ty, when, a, b, to } => {
                                    (compare(op, ty, r!(a), r!(b)) == when, to)
                                }
                                Inst::BranchConst { op, ty, when, a, b, to } => {
                                    (compare(op, ty, r!(a), i64::from(b) as u64) == when, to)
                                }
                                _ => break Exit::Here,
                            };
                            if holds {
                                if steps == 1 {
                                    break Exit::Here;
                                }
                                steps = steps.wrapping_sub(1);
                                pc = to as usize;
                                if strips.is_due(strip) {
                                    let mut running = Running {
                                        regs: &mut regs[..],
                                        allocations: &mut allocations[..],
                                        globals: &globals[..],
                                        frame,
                                        random: &mut runtime.random,
                                    };
                                    steps = strips.run(strip, &mut running, steps);
                                }
                                continue;
                            }
                        }
                        Specialised::Offset { d, a, offset } => {
                            r!(d) = r!(a).wrapping_add(i64::from(offset) as u64);
                        }
                        Specialised::Copy { to, from, bytes } => {
                            some!(copy(allocations, r!(to), r!(from), bytes as usize));
                        }
                        Specialised::AddressS { d, at } => r!(d) = at!(at, Signed32),
                        Specialised::AddressU { d, at } => r!(d) = at!(at, Unsigned32),
                        Specialised::AddressF { d, at } => r!(d) = at!(at, Full),
                        Specialised::FrameAddress { d, at } => {
                            r!(d) = pointer(STACK) + frame + u64::from(at);
                        }
                        Specialised::GlobalAddress { d, global } => r!(d) = globals[global as usize],
                        Specialised::MulAddI32 { t, a, b, d, c } => {
                            let product = (r!(a) as u32).wrapping_mul(r!(b) as u32);
                            r!(t) = u64::from(product);
                            r!(d) = u64::from(product.wrapping_add(r!(c) as u32));
                            pc += 1;
                        }
                        Specialised::MulAddF32 { t, a, b, d, c } => {
                            let product = single(r!(a), r!(b), |x, y| x * y);
                            r!(t) = product;
                            r!(d) = single(r!(c), product, |x, y| x + y);
                            pc += 1;
                        }
                        Specialised::MulAddF64 { t, a, b, d, c } => {
                            let product = double(r!(a), r!(b), |x, y| x * y);
                            r!(t) = product;
                            r!(d) = double(r!(c), product, |x, y| x + y);
                            pc += 1;
                        }
                        Specialised::GetDoubleS { d, t, at } => double_of!(d, t, at, Signed32),
                        Specialised::GetDoubleU { d, t, at } => double_of!(d, t, at, Unsigned32),
                        Specialised::BumpS { d, t, by, at } => bump!(d, t, by, at, Signed32),
                        Specialised::BumpU { d, t, by, at } => bump!(d, t, by, at, Unsigned32),
                        Specialised::Generic => some!(execute(code.code[pc], regs, allocations, globals, frame)),
                        Specialised::GenericBranch => match code.code[pc] {
                            Inst::BranchCompare { op, ty, when, a, b, to } => {
                                jump!(compare(op, ty, r!(a), r!(b)) == when, to);
                            }
                            Inst::BranchConst { op, ty, when, a, b, to } => {
                                let b = i64::from(b) as u64;
                                jump!(compare(op, ty, r!(a), b) == when, to);
                            }
                            _ => break Exit::Here,
                        },
                    }
                    pc += 1;
                }
            };
        }
        let left = tables!(run);
        (self.pc, self.steps) = (pc as u32, steps);
        left
    }
}
