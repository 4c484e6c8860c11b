//! The loop that runs a warp.
//!
//! One instruction for 32 lanes is much work, so finding the next one costs little, and a plain
//! `match` is enough. The loop is compiled twice, for any processor and for one with AVX2 and
//! fused multiply-add. Who watches is asked at run time, once an instruction at most: the loop is
//! large, and a copy of it for every set of observers cost more than these questions do.

use crate::isa::Inst;
use crate::machine::access;
use crate::machine::alu::Op;
use crate::machine::interpreter::Interpreter;
use crate::machine::interpreter::warp_sync;
use crate::machine::memory::heap;
use crate::machine::schedule::block::Block;
use crate::machine::schedule::warp::{Split, State, Warp};
use crate::machine::simd::{Mask, Task, lanes_of};
use crate::machine::{ChildLaunch, Model, alu, print};
use crate::observe::Interests;

/// Jumps back that a warp has left in its turn once it has polled memory: it may be waiting for
/// somebody else.
const POLLS: u64 = 64;

/// Why a warp stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Pause {
    /// No split of it can go on for now, or all its lanes have exited.
    Waiting,
    /// Its turn is over.
    Yield,
    /// The launch's budget is spent.
    Budget,
    /// A trap: the launch is over.
    Trap,
}

/// Runs a warp until it can or may not go on.
pub(crate) fn run(vm: &mut Interpreter<'_>, block: &mut Block, warp: &mut Warp) -> Pause {
    vm.observer.turn(block.linear, warp.number);
    // Elsewhere there is none, and the loop is compiled once.
    let wide = vm.wide.filter(|_| cfg!(target_arch = "x86_64"));
    let turn = Turn { vm: &mut *vm, block: &mut *block, warp: &mut *warp };
    let pause = match wide {
        Some(wide) => wide.run(turn),
        None => turn.run::<false>(),
    };
    vm.observer.rest(block, warp);
    pause
}

/// A warp's turn.
struct Turn<'t, 'a> {
    vm: &'t mut Interpreter<'a>,
    block: &'t mut Block,
    warp: &'t mut Warp,
}

impl Task for Turn<'_, '_> {
    type Output = Pause;

    #[inline(always)]
    fn run<const FMA: bool>(self) -> Pause {
        body::<FMA>(self.vm, self.block, self.warp)
    }
}

#[inline(always)]
fn body<const FMA: bool>(vm: &mut Interpreter<'_>, block: &mut Block, warp: &mut Warp) -> Pause {
    let program = vm.program;
    let code = &program.kernel.code[..];
    let ops = &program.ops[..];
    let adversarial = matches!(program.model, Model::Adversarial(_));
    let Interests { counts, checks, steps: stepped, .. } = vm.wants;
    let Some(first) = vm.choose(warp) else { return Pause::Waiting };
    let mut pc = first.pc;
    let mut m = Mask::new(first.mask);
    let mut fuel = u64::from(vm.quantum());
    let mut steps = 0u64;
    // Where the stretch began that no observer has heard of yet.
    let mut start = pc;

    // The stretch ends before `$end`. It is told of as a whole.
    macro_rules! tell {
        ($end:expr) => {{
            let end: u32 = $end;
            steps += u64::from(end - start);
            if counts {
                vm.observer.stretch(start, end, m.bits);
            }
        }};
    }
    // The turn ends: its steps count.
    macro_rules! bank {
        () => {{
            vm.steps += steps;
            warp.issued += steps;
        }};
    }
    // Leaves the current split as it is described, and goes on with another.
    macro_rules! switch {
        () => {{
            match vm.choose(warp) {
                Some(next) => {
                    pc = next.pc;
                    start = pc;
                    m = Mask::new(next.mask);
                    continue;
                }
                None => {
                    bank!();
                    return Pause::Waiting;
                }
            }
        }};
    }
    macro_rules! leave {
        ($pause:expr) => {{
            warp.splits.push(Split { pc, mask: m.bits, state: State::Ready });
            bank!();
            return $pause;
        }};
    }
    // A jump to `$target`, with a look at the clock if it goes backwards. What came before has been
    // told.
    macro_rules! go {
        ($target:expr) => {{
            let back = $target <= pc;
            pc = $target;
            start = pc;
            if back {
                fuel -= 1;
                if warp.polled && fuel > POLLS {
                    fuel = POLLS;
                }
                if fuel == 0 {
                    if vm.steps + steps >= vm.budget {
                        leave!(Pause::Budget);
                    }
                    leave!(Pause::Yield);
                }
            }
            continue;
        }};
    }

    loop {
        if stepped {
            vm.observer.instruction(block, warp, pc, m.bits);
        }
        // Arithmetic, as far as it goes, or one instruction of it.
        let near = if stepped { &ops[..=pc as usize] } else { ops };
        let Some(op) = alu::run::<FMA>(&mut warp.registers, &m, near, &mut pc) else { continue };
        match op {
            Op::Branch(cond, when, target) => {
                let set = warp.registers.whole(cond).holds(&m);
                let taken = if when { set } else { m.bits & !set };
                if taken == m.bits {
                    tell!(pc + 1);
                    go!(target);
                }
                if taken != 0 {
                    if counts {
                        vm.observer.diverged(pc);
                    }
                    tell!(pc + 1);
                    let mut parts = [(pc + 1, m.bits & !taken), (target, taken)];
                    if adversarial && vm.flip() {
                        parts.swap(0, 1);
                    }
                    warp.splits.push(Split {
                        pc: parts[1].0,
                        mask: parts[1].1,
                        state: State::Ready,
                    });
                    m = Mask::new(parts[0].1);
                    go!(parts[0].0);
                }
                pc += 1;
                continue;
            }
            Op::Access(plan) => {
                if let Some(count) = access::planned(vm, block, warp, pc, &m, plan) {
                    pc += count;
                    continue;
                }
            }
            _ => {}
        }
        let inst = &code[pc as usize];
        match *inst {
            Inst::Load { .. } | Inst::Store { .. } | Inst::Atomic { .. } => {
                if let Some((what, addr)) = access::of(inst) {
                    access::run(vm, block, warp, pc, &m, &what, &addr);
                }
            }
            Inst::Lea { d, addr } => {
                let address = access::addresses(&warp.registers, &addr);
                warp.registers.put_pair(&m, d, &address);
            }
            Inst::Fence { scope } => {
                warp.polled = true;
                vm.fence(block, warp, m.bits, scope);
            }
            Inst::Clock { d } => {
                let issued = warp.issued + steps + u64::from(pc + 1 - start);
                warp.registers.put_pair(&m, d, &[issued; 32]);
            }

            Inst::Malloc { d, a } => heap::malloc(vm, warp, pc, &m, d, a),
            Inst::Free { a } => heap::free(vm, block, warp, pc, &m, a),

            Inst::Jump { target } => {
                tell!(pc + 1);
                go!(target);
            }
            Inst::Bssy { barrier, .. } => {
                warp.note_group(barrier, m.bits);
                if !warp.splits.is_empty() {
                    warp.recheck();
                }
            }
            Inst::Bsync { barrier } => {
                if adversarial {
                    warp.leave_group(barrier, m.bits);
                } else {
                    match warp.join(barrier, m.bits) {
                        Some(mask) if mask == m.bits => {}
                        Some(mask) => {
                            tell!(pc + 1);
                            start = pc + 1;
                            m = Mask::new(mask);
                        }
                        None => {
                            tell!(pc + 1);
                            warp.splits.push(Split {
                                pc,
                                mask: m.bits,
                                state: State::Join(barrier),
                            });
                            switch!();
                        }
                    }
                }
            }
            Inst::Leave { barrier } => {
                warp.leave_group(barrier, m.bits);
                if !warp.splits.is_empty() {
                    warp.recheck();
                }
            }
            Inst::Exit => {
                tell!(pc + 1);
                warp.live &= !m.bits;
                block.live -= m.bits.count_ones();
                warp.recheck();
                switch!();
            }

            Inst::Barrier { .. } => {
                tell!(pc + 1);
                block.arrived += m.bits.count_ones();
                warp.splits.push(Split { pc, mask: m.bits, state: State::Block });
                switch!();
            }
            Inst::ActiveMask { d } => warp.registers.put(&m, d, &[m.bits; 32]),
            Inst::SyncWarp { mask }
            | Inst::Shuffle { mask, .. }
            | Inst::Vote { mask, .. }
            | Inst::WarpReduce { mask, .. }
            | Inst::Match { mask, .. } => {
                match warp_sync::meet(vm, block, warp, pc, m.bits, mask) {
                    Some(here) => {
                        if here != m.bits {
                            // Those who waited work now, too.
                            tell!(pc);
                            start = pc;
                            vm.observer.deferred(pc, m.bits);
                            vm.observer.instruction(block, warp, pc, here);
                            m = Mask::new(here);
                        }
                        warp_sync::run(vm, block, warp, pc, &m, inst);
                    }
                    None => {
                        // It took a step, though it will take it again.
                        tell!(pc);
                        steps += 1;
                        vm.observer.deferred(pc, m.bits);
                        switch!();
                    }
                }
            }

            Inst::Undefine { variable } => warp.undefined[usize::from(variable)] |= m.bits,
            Inst::Define { variable } => warp.undefined[usize::from(variable)] &= !m.bits,
            Inst::CheckDefined { variable } => {
                let bad = warp.undefined[usize::from(variable)] & m.bits;
                if checks && bad != 0 {
                    vm.undefined(block, warp, pc, variable, bad);
                }
            }
            Inst::Print { print } => {
                let print = &program.kernel.prints[usize::from(print)];
                for lane in lanes_of(m.bits) {
                    if let Some(kernel) = print.launch {
                        let values = print::values(print, &warp.registers, lane);
                        vm.child_launches.push(ChildLaunch { kernel, values });
                        continue;
                    }
                    print::format(&mut vm.printed, print, &warp.registers, lane);
                }
            }
            Inst::Trap { trap } => {
                vm.trap(block, warp, pc, trap, m.bits);
                tell!(pc + 1);
                leave!(Pause::Trap);
            }
            _ => {
                if checks {
                    vm.check_arithmetic(block, warp, pc, &m, inst);
                }
                let known = alu::cold(&mut warp.registers, &m, inst);
                debug_assert!(known, "every instruction is handled");
            }
        }
        pc += 1;
        if adversarial && vm.interrupt(inst) {
            tell!(pc);
            leave!(Pause::Yield);
        }
    }
}
