//! The interpreter loop: runs a warp for one turn.
//!
//! An instruction works on 32 lanes, so dispatch costs little, and a plain `match` is enough.
//! Arithmetic runs in an inner loop over pre-decoded operations ([`alu`]); this loop takes the others.
//! It is compiled twice, for any processor and for one with AVX2 and fused multiply-add. The observer
//! is called through its vtable, at most once per instruction: a copy of the loop for every set of
//! observers was slower.

use crate::event::{Interests, Split, SplitState};
use crate::isa::{BinOp, Category, GroupKind, Inst, Reg};
use crate::machine::access::{self, fast_path};
use crate::machine::alu::Op;
use crate::machine::interpreter::Interpreter;
use crate::machine::interpreter::named_barrier::{self, Arrival};
use crate::machine::interpreter::{cluster_barrier, matrix, warp_sync};
use crate::machine::memory::{heap, shared_window};
use crate::machine::schedule::block::Block;
use crate::machine::schedule::warp::Warp;
use crate::machine::simd::{Mask, Task, lanes_of};
use crate::machine::{ChildLaunch, Model, alu, asynchronous, printf, strings};

/// Backward jumps that a warp has left in its turn once it has polled memory: it may be waiting for
/// another warp.
const FUEL_AFTER_POLL: u64 = 64;

/// Why a warp stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Pause {
    /// No split of it is ready, or all its lanes have exited.
    Waiting,
    /// Its turn is over.
    Yield,
    /// The launch's budget is spent.
    Budget,
    /// A trap: the launch is over.
    Trap,
}

/// Runs a warp for one turn.
pub(crate) fn run(vm: &mut Interpreter<'_>, block: &mut Block, warp: &mut Warp) -> Pause {
    vm.observer.turn_started(block.linear, warp.number);
    // Other architectures have no second copy of the loop.
    let wide = vm.wide.filter(|_| cfg!(target_arch = "x86_64"));
    let task = TurnTask { vm: &mut *vm, block: &mut *block, warp: &mut *warp };
    let pause = match wide {
        Some(wide) => wide.run(task),
        None => task.run::<false>(),
    };
    if vm.interests.steps {
        vm.observer.turn_ended(&warp.view(block));
    }
    pause
}

/// A warp's turn, to be compiled for wide vectors or without.
struct TurnTask<'t, 'a> {
    vm: &'t mut Interpreter<'a>,
    block: &'t mut Block,
    warp: &'t mut Warp,
}

impl Task for TurnTask<'_, '_> {
    type Output = Pause;

    #[inline(always)]
    fn run<const FMA: bool>(self) -> Pause {
        let TurnTask { vm, block, warp } = self;
        let Some(Split { pc, mask, .. }) = vm.choose(warp) else { return Pause::Waiting };
        let mut m = Mask::new(mask);
        let mut turn = Turn {
            code: &vm.prepared.kernel.code,
            adversarial: matches!(vm.prepared.model, Model::Adversarial(_)),
            interests: vm.interests,
            pc,
            m: &mut m,
            fuel: u64::from(vm.quantum()),
            steps: 0,
            run_start: pc,
            vm,
            block,
            warp,
        };
        let pause = turn.run::<FMA>();
        turn.vm.steps += turn.steps;
        turn.warp.issued += turn.steps;
        pause
    }
}

/// Where control goes after an instruction.
enum Flow {
    /// To the next instruction.
    Next,
    /// To [`Turn::pc`], which was set.
    Jumped,
    /// The turn ends.
    End(Pause),
}

/// The state of a warp's turn.
struct Turn<'t, 'a> {
    vm: &'t mut Interpreter<'a>,
    block: &'t mut Block,
    warp: &'t mut Warp,
    code: &'a [Inst],
    adversarial: bool,
    interests: Interests,
    pc: u32,
    /// The active lanes. Borrowed, because functions that are not inlined take their address: a
    /// struct with a field whose address is taken stays in memory as a whole, the pc included.
    m: &'t mut Mask,
    /// Backward jumps until the turn is over.
    fuel: u64,
    /// Instructions executed in this turn, up to `run_start`.
    steps: u64,
    /// Where the run of instructions began that the observer has not been told of.
    run_start: u32,
}

impl Turn<'_, '_> {
    #[inline(always)]
    fn run<const FMA: bool>(&mut self) -> Pause {
        let ops = &self.vm.prepared.ops[..];
        loop {
            let mut ops = ops;
            if self.interests.steps {
                self.vm.observer.step(&self.warp.view(self.block), self.pc, self.m.bits);
                // One instruction at a time.
                ops = &ops[..=self.pc as usize];
            }
            let registers = &mut self.warp.registers;
            let Some(op) = alu::run::<FMA>(registers, self.m, ops, &mut self.pc) else {
                continue;
            };
            if let Op::Access(plan) = op {
                let (pc, m) = (self.pc, &*self.m);
                if let Some(count) = fast_path::run(self.vm, self.block, self.warp, pc, m, plan) {
                    self.pc += count;
                    continue;
                }
            }
            if alu::shift(&mut self.warp.registers, self.m, op) {
                self.pc += 1;
                continue;
            }
            let flow = match op {
                Op::Branch(condition, when, target) => self.branch(condition, when, target),
                _ => self.instruction(),
            };
            match flow {
                Flow::Next => {
                    let inst = &self.code[self.pc as usize];
                    self.pc += 1;
                    if self.adversarial && self.vm.interrupt(inst) {
                        self.end_run(self.pc);
                        return self.leave(Pause::Yield);
                    }
                }
                Flow::Jumped => {}
                Flow::End(pause) => return pause,
            }
        }
    }

    /// Any instruction but a branch.
    #[inline(always)]
    fn instruction(&mut self) -> Flow {
        let (pc, inst) = (self.pc, &self.code[self.pc as usize]);
        match *inst {
            Inst::Load { .. } | Inst::Store { .. } | Inst::Atomic { .. } => {
                if let Some((what, addr)) = access::of(inst) {
                    access::run(self.vm, self.block, self.warp, pc, self.m, &what, &addr);
                }
            }
            Inst::Lea { d, addr } => {
                let address = access::addresses(&self.warp.registers, &addr);
                self.warp.registers.put_pair(self.m, d, &address);
            }
            Inst::Jump { .. }
            | Inst::Bssy { .. }
            | Inst::Bsync { .. }
            | Inst::Leave { .. }
            | Inst::Exit
            | Inst::Barrier { .. }
            | Inst::NamedBarrier { .. }
            | Inst::ClusterBarrier { .. } => return self.control(inst),
            Inst::SyncWarp { mask }
            | Inst::Shuffle { mask, .. }
            | Inst::Vote { mask, .. }
            | Inst::WarpReduce { mask, .. }
            | Inst::Match { mask, .. }
            | Inst::MatrixMultiply { mask, .. }
            | Inst::LoadMatrix { mask, .. }
            | Inst::StoreMatrix { mask, .. } => return self.warp_sync(inst, mask),
            Inst::WaitGroup { kind: GroupKind::Matrix, left, .. } => {
                return self.wait_for_products(inst, left);
            }
            Inst::Undefine { variable } => {
                self.warp.undefined[usize::from(variable)] |= self.m.bits;
            }
            Inst::Define { variable } => {
                self.warp.undefined[usize::from(variable)] &= !self.m.bits;
            }
            Inst::CheckDefined { variable } => {
                let lanes = self.warp.undefined[usize::from(variable)] & self.m.bits;
                if self.interests.checks && lanes != 0 {
                    self.vm.observer.undefined_read(self.warp.at(self.block, pc, lanes), variable);
                }
            }
            Inst::Trap { trap } => {
                self.vm.observer.trapped(self.warp.at(self.block, pc, self.m.bits), trap);
                self.end_run(pc + 1);
                return Flow::End(self.leave(Pause::Trap));
            }
            _ => self.system(inst),
        }
        Flow::Next
    }

    /// What asks the machine for something, and arithmetic that has no operation of its own.
    #[inline(always)]
    fn system(&mut self, inst: &Inst) {
        let (vm, block, warp, pc) = (&mut *self.vm, &mut *self.block, &mut *self.warp, self.pc);
        match *inst {
            Inst::Fence { scope } => {
                warp.polled = true;
                vm.fence(block, warp, self.m.bits, scope);
            }
            Inst::Clock { d } => {
                let issued = warp.issued + self.steps + u64::from(pc + 1 - self.run_start);
                warp.registers.put_pair(self.m, d, &[issued; 32]);
            }
            Inst::SharedAddress { d, a } => {
                let pointers = *warp.registers.pair(a);
                let addresses = pointers.map(|p| shared_window::address(vm.prepared, p));
                warp.registers.put(self.m, d, &addresses);
            }
            Inst::SharedPointer { d, a } => {
                let addresses = *warp.registers.row(a);
                let pointers = addresses.map(|a| shared_window::generic(vm.prepared, a));
                warp.registers.put_pair(self.m, d, &pointers);
            }
            Inst::ActiveMask { d } => warp.registers.put(self.m, d, &[self.m.bits; 32]),
            Inst::Malloc { d, a } => heap::malloc(vm, warp, pc, self.m, d, a),
            Inst::Free { a } => heap::free(vm, block, warp, pc, self.m, a),
            Inst::Print { print } => {
                let print = &vm.prepared.kernel.prints[usize::from(print)];
                for lane in lanes_of(self.m.bits) {
                    match print.launch {
                        Some(kernel) => {
                            let values = printf::values(print, &warp.registers, lane);
                            vm.child_launches.push(ChildLaunch { kernel, values });
                        }
                        None => {
                            let texts = strings::read(vm, block, warp, pc, print, lane);
                            printf::format(&mut vm.printed, print, &warp.registers, lane, &texts);
                        }
                    }
                }
            }
            _ if inst.category() == Category::Asynchronous => {
                asynchronous::execute(vm, block, warp, pc, self.m, inst);
            }
            _ => {
                if self.interests.checks {
                    notify_arithmetic(vm, block, warp, pc, self.m.bits, inst);
                }
                let known = alu::slow_path(&mut warp.registers, self.m, inst);
                debug_assert!(known, "every instruction is handled");
            }
        }
    }

    #[inline(always)]
    fn branch(&mut self, condition: Reg, when: bool, target: u32) -> Flow {
        let next = self.pc + 1;
        let set = self.warp.registers.whole(condition).holds(self.m);
        let taken = if when { set } else { self.m.bits & !set };
        if taken == 0 {
            self.pc = next;
            return Flow::Jumped;
        }
        if taken == self.m.bits {
            self.end_run(next);
            return self.jump(target);
        }
        if self.interests.counts {
            self.vm.observer.diverged(self.pc);
        }
        self.end_run(next);
        let mut parts = [(next, self.m.bits & !taken), (target, taken)];
        if self.adversarial && self.vm.flip() {
            parts.swap(0, 1);
        }
        let [(pc, mask), (other, others)] = parts;
        self.warp.splits.push(Split { pc: other, mask: others, state: SplitState::Ready });
        *self.m = Mask::new(mask);
        self.jump(pc)
    }

    /// Jumps, convergence barriers, exits, and the block-wide barrier.
    #[inline(always)]
    fn control(&mut self, inst: &Inst) -> Flow {
        let (pc, lanes) = (self.pc, self.m.bits);
        match *inst {
            Inst::Jump { target } => {
                self.end_run(pc + 1);
                return self.jump(target);
            }
            Inst::Bssy { barrier, .. } => {
                self.warp.note_group(barrier, lanes);
                self.recheck();
            }
            Inst::Leave { barrier } => {
                self.warp.leave_group(barrier, lanes);
                self.recheck();
            }
            Inst::Bsync { barrier } if self.adversarial => {
                self.warp.leave_group(barrier, lanes);
            }
            Inst::Bsync { barrier } => match self.warp.join(barrier, lanes) {
                Some(mask) if mask == lanes => {}
                Some(mask) => {
                    self.end_run(pc + 1);
                    self.run_start = pc + 1;
                    *self.m = Mask::new(mask);
                }
                None => {
                    self.end_run(pc + 1);
                    self.warp.wait_to_converge(pc, lanes, barrier);
                    return self.switch();
                }
            },
            Inst::NamedBarrier { kind, wait, pred, id, count, .. } => {
                let arrival = Arrival { kind, wait, pred, id, count };
                return self.named_barrier(&arrival);
            }
            Inst::ClusterBarrier { wait, ordered } => return self.cluster_barrier(wait, ordered),
            Inst::Exit => {
                self.end_run(pc + 1);
                self.warp.live &= !lanes;
                self.block.live -= lanes.count_ones();
                self.warp.recheck();
                asynchronous::wake_warp_group(self.vm, self.block, self.warp);
                return self.switch();
            }
            Inst::Barrier { .. } => {
                self.end_run(pc + 1);
                self.block.arrived += lanes.count_ones();
                self.warp.splits.push(Split { pc, mask: lanes, state: SplitState::Block });
                return self.switch();
            }
            _ => {}
        }
        Flow::Next
    }

    /// A named barrier, for the lanes that name the same one.
    #[inline(never)]
    fn named_barrier(&mut self, arrival: &Arrival) -> Flow {
        let (pc, all) = (self.pc, self.m.bits);
        let lanes = named_barrier::together(self.warp, all, arrival.id, arrival.count);
        self.end_run(pc + 1);
        self.run_start = pc + 1;
        if lanes != all {
            let rest = Split { pc, mask: all & !lanes, state: SplitState::Ready };
            self.warp.splits.push(rest);
            *self.m = Mask::new(lanes);
        }
        match named_barrier::arrive(self.vm, self.block, self.warp, (pc, lanes), arrival) {
            true => Flow::Next,
            false => self.switch(),
        }
    }

    /// The cluster's barrier.
    #[inline(never)]
    fn cluster_barrier(&mut self, wait: bool, ordered: bool) -> Flow {
        let at = (self.pc, self.m.bits);
        self.end_run(at.0 + 1);
        self.run_start = at.0 + 1;
        if !wait {
            cluster_barrier::arrive(self.vm, self.block, self.warp, at, ordered);
            return Flow::Next;
        }
        let waiting = cluster_barrier::wait(self.vm, self.block, self.warp, at, ordered);
        if waiting == at.1 {
            return self.switch();
        }
        *self.m = Mask::new(at.1 & !waiting);
        Flow::Next
    }

    /// `wgmma.wait_group`: waits until the whole warp group has committed its parts of them.
    #[inline(never)]
    fn wait_for_products(&mut self, inst: &Inst, left: u16) -> Flow {
        let (pc, mask) = (self.pc, self.m.bits);
        if asynchronous::products_committed(self.block, self.warp, mask, left) {
            asynchronous::execute(self.vm, self.block, self.warp, pc, self.m, inst);
            return Flow::Next;
        }
        self.defer();
        self.warp.splits.push(Split { pc, mask, state: SplitState::WarpGroup });
        self.switch()
    }

    /// The lanes wait at this instruction, and will execute it again. This is a step, too.
    fn defer(&mut self) {
        self.end_run(self.pc);
        self.steps += 1;
        if self.interests.steps {
            self.vm.observer.step_deferred();
        }
    }

    /// A `*_sync` operation, for the lanes that have arrived together.
    #[inline(always)]
    fn warp_sync(&mut self, inst: &Inst, mask: Reg) -> Flow {
        let (pc, arriving) = (self.pc, self.m.bits);
        match warp_sync::meet(self.vm, self.block, self.warp, pc, arriving, mask) {
            Some(lanes) => {
                if lanes != arriving {
                    // The lanes that waited here run now, too.
                    self.end_run(pc);
                    self.run_start = pc;
                    if self.interests.steps {
                        self.vm.observer.step_deferred();
                        self.vm.observer.step(&self.warp.view(self.block), pc, lanes);
                    }
                    *self.m = Mask::new(lanes);
                }
                if !matrix::run(self.vm, self.block, self.warp, pc, self.m, inst) {
                    warp_sync::run(self.vm, self.block, self.warp, pc, self.m, inst);
                }
                Flow::Next
            }
            None => {
                self.defer();
                self.switch()
            }
        }
    }

    /// The run of instructions ends before `end`: the observer is told of all of it.
    #[inline(always)]
    fn end_run(&mut self, end: u32) {
        self.steps += u64::from(end - self.run_start);
        if self.interests.counts {
            self.vm.observer.executed(self.run_start, end, self.m.bits);
        }
    }

    /// Goes on at `target`. A backward jump takes fuel.
    #[inline(always)]
    fn jump(&mut self, target: u32) -> Flow {
        let backward = target <= self.pc;
        self.pc = target;
        self.run_start = target;
        if backward {
            self.fuel -= 1;
            if self.warp.polled && self.fuel > FUEL_AFTER_POLL {
                self.fuel = FUEL_AFTER_POLL;
            }
            if self.fuel == 0 {
                let spent = self.vm.steps + self.steps >= self.vm.budget;
                return Flow::End(self.leave(if spent { Pause::Budget } else { Pause::Yield }));
            }
        }
        Flow::Jumped
    }

    /// Runs another split, if one is ready.
    #[inline(always)]
    fn switch(&mut self) -> Flow {
        match self.vm.choose(self.warp) {
            Some(Split { pc, mask, .. }) => {
                (self.pc, self.run_start) = (pc, pc);
                *self.m = Mask::new(mask);
                Flow::Jumped
            }
            None => Flow::End(Pause::Waiting),
        }
    }

    /// Ends the turn; the running split goes on at `pc` later.
    #[inline(always)]
    fn leave(&mut self, pause: Pause) -> Pause {
        let split = Split { pc: self.pc, mask: self.m.bits, state: SplitState::Ready };
        self.warp.splits.push(split);
        pause
    }

    /// Lets splits go on that waited for lanes which do not come any more.
    #[inline(always)]
    fn recheck(&mut self) {
        if !self.warp.splits.is_empty() {
            self.warp.recheck();
        }
    }
}

/// Tells the observer of a shift or a division of integers, with its right operand.
fn notify_arithmetic(
    vm: &mut Interpreter<'_>,
    block: &Block,
    warp: &Warp,
    pc: u32,
    lanes: u32,
    inst: &Inst,
) {
    let Inst::Binary { op, ty, b, .. } = *inst else { return };
    let divides = matches!(op, BinOp::Div | BinOp::Rem) && !ty.is_float();
    if divides || matches!(op, BinOp::Shl | BinOp::Shr) {
        // The count of a shift has 32 bits, whatever is shifted.
        let right = warp.registers.operand(b, divides && ty.slots() == 2);
        vm.observer.divide_or_shift(warp.at(block, pc, lanes), inst, right);
    }
}
