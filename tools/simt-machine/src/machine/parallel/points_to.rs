//! Points-to analysis: which global objects a kernel may write, and which it may access at all.
//!
//! An object that is never written needs no undo log and no race detection. A pointer leads to the
//! object that it is computed from: an argument or a variable that never changes, or the result of a few
//! instructions from such a pointer. Any other pointer may lead anywhere, one that is advanced from its
//! own value among them.

use crate::isa::operands::Role;
use crate::isa::{Addr, BulkDirection, Index, Inst, Reg};
use crate::machine::access;
use crate::machine::access::plan::ConstantRegisters;
use crate::machine::memory::{BIAS, OBJECT_SHIFT, SHARED_WINDOW, pointer};
use crate::machine::prepared_kernel::{PreparedKernel, Target};
use rustc_hash::{FxHashMap, FxHashSet};

/// For each of [`PreparedKernel::objects`], whether the kernel may write it.
pub(crate) fn written(prepared: &PreparedKernel<'_>) -> Vec<bool> {
    let stores =
        |inst: &Inst| matches!(inst, Inst::BulkTensor { direction: BulkDirection::ToGlobal, .. });
    // A tensor map says where its array is.
    if prepared.kernel.code.iter().any(stores) {
        return vec![true; prepared.objects.len()];
    }
    led_to(prepared, |inst| {
        inst.address().filter(|_| inst.writes_memory()).or_else(|| bulk_target(inst))
    })
}

/// For each of them, whether the kernel may read or write it.
pub(crate) fn reached(prepared: &PreparedKernel<'_>) -> Vec<bool> {
    // A string that is printed may be anywhere, and so may the array of a tensor map.
    let maps = |inst: &Inst| matches!(inst, Inst::BulkTensor { .. });
    if !prepared.kernel.prints.is_empty() || prepared.kernel.code.iter().any(maps) {
        return vec![true; prepared.objects.len()];
    }
    let of = |inst: &Inst| {
        let access = match *inst {
            Inst::LoadMatrix { addr, .. } | Inst::StoreMatrix { addr, .. } => Some(addr),
            _ => access::of(inst).map(|(_, addr)| addr),
        };
        access.or_else(|| bulk_target(inst)).or_else(|| source(inst))
    };
    led_to(prepared, of)
}

/// The global memory that the copy engine writes.
fn bulk_target(inst: &Inst) -> Option<Addr> {
    match *inst {
        Inst::BulkCopy { direction: BulkDirection::ToGlobal, to, .. }
        | Inst::BulkReduce { direction: BulkDirection::ToGlobal, to, .. } => Some(plain(to)),
        _ => None,
    }
}

/// The global memory that an asynchronous copy reads.
fn source(inst: &Inst) -> Option<Addr> {
    match *inst {
        Inst::CopyAsync { from, .. }
        | Inst::BulkCopy {
            direction: BulkDirection::ToShared | BulkDirection::Multicast,
            from,
            ..
        } => Some(plain(from)),
        _ => None,
    }
}

/// The address in a pair of registers.
fn plain(base: Reg) -> Addr {
    Addr { base, index: Index::None, scale: 1, offset: 0 }
}

/// For each object, whether one of these accesses may lead there.
fn led_to(prepared: &PreparedKernel<'_>, accesses: impl Fn(&Inst) -> Option<Addr>) -> Vec<bool> {
    let mut pointers = Pointers::new(prepared);
    let mut out = vec![false; prepared.objects.len()];
    for (pc, inst) in prepared.kernel.code.iter().enumerate() {
        let Some(addr) = accesses(inst) else { continue };
        let Some(origin) = pointers.leads(pc, &addr) else { return vec![true; out.len()] };
        for object in origin.objects {
            if let Some(Target::Global(at, _) | Target::Heap(at, ..)) = prepared.target(object) {
                out[at as usize] = true;
            }
        }
    }
    out
}

/// Where the pointers of a register lead.
#[derive(Debug, Clone, PartialEq)]
struct Origin {
    /// The objects that they are computed from.
    objects: Vec<u64>,
    /// How far they may be from where those were pointed to, in bytes.
    reach: u64,
}

impl Origin {
    fn of(pointer: u64) -> Origin {
        Origin { objects: vec![pointer >> OBJECT_SHIFT], reach: 0 }
    }

    /// After a step: `None` if it may leave the address range of the object. Its indices have 32 bits.
    fn step(mut self, addr: &Addr) -> Option<Origin> {
        self.reach += u64::from(addr.offset.unsigned_abs());
        self.reach += match addr.index {
            Index::None => 0,
            // One without a sign goes twice as far, but forward only, where there is room.
            Index::I32(_) | Index::U32(_) => u64::from(addr.scale) << 31,
            Index::I64(_) => return None,
        };
        (self.reach < BIAS).then_some(self)
    }
}

/// The pointers of a kernel.
struct Pointers<'p> {
    prepared: &'p PreparedKernel<'p>,
    known: ConstantRegisters<'p>,
    /// Target and source of each jump, by target. Most kernels need none of it.
    jumps: Option<Vec<(usize, usize)>>,
    /// Where the pointer leads that an instruction leaves in a register. What is not known yet counts as
    /// unknown, and so does what is made from itself.
    made: FxHashMap<(usize, Reg), Option<Origin>>,
    /// Instructions that may still be looked at.
    left: usize,
    /// How many definitions deep it is in a chain.
    depth: usize,
}

impl<'p> Pointers<'p> {
    fn new(prepared: &'p PreparedKernel<'_>) -> Pointers<'p> {
        let left = MOST + 4 * prepared.kernel.code.len();
        let known = ConstantRegisters::new(prepared);
        Pointers { prepared, known, jumps: None, made: FxHashMap::default(), left, depth: 0 }
    }

    /// Where an address of the instruction at `pc` leads, if that is certainly in the address range of an
    /// object, inside the object or not.
    fn leads(&mut self, pc: usize, addr: &Addr) -> Option<Origin> {
        match self.known.pointer(addr.base) {
            Some(pointer) => Origin::of(pointer),
            None => self.held(pc, addr.base)?,
        }
        .step(addr)
    }

    /// Where the pointer leads that a register holds before the instruction at `pc`.
    fn held(&mut self, pc: usize, register: Reg) -> Option<Origin> {
        let mut sum: Option<Origin> = None;
        for definition in self.definitions(pc, register)? {
            let one = match definition {
                Some(at) => self.made(at, register)?,
                None => self.at_start(register)?,
            };
            sum = Some(match sum {
                Some(mut sum) => {
                    sum.objects.extend(one.objects);
                    sum.reach = sum.reach.max(one.reach);
                    sum
                }
                None => one,
            });
        }
        sum
    }

    fn at_start(&self, register: Reg) -> Option<Origin> {
        let mut preloads = self.prepared.kernel.preloads.iter();
        let (_, preload) = preloads.find(|(to, _)| *to == register)?;
        self.known.preloaded(*preload).map(Origin::of)
    }

    fn made(&mut self, at: usize, register: Reg) -> Option<Origin> {
        if let Some(known) = self.made.get(&(at, register)) {
            return known.clone();
        }
        self.made.insert((at, register), None);
        if self.depth == DEEPEST {
            return None;
        }
        self.depth += 1;
        let origin = match self.prepared.kernel.code[at] {
            Inst::Lea { d, addr } if d == register => self.leads(at, &addr),
            Inst::Mov { wide: true, d, a } if d == register => self.leads(at, &plain(a)),
            Inst::SharedPointer { d, .. } if d == register => {
                Some(Origin::of(pointer(SHARED_WINDOW)))
            }
            _ => None,
        };
        self.depth -= 1;
        self.made.insert((at, register), origin.clone());
        origin
    }

    /// The instructions that may have written the pair last, before `pc`; `None` of them: its value from
    /// the start. No answer, if that takes too long.
    fn definitions(&mut self, pc: usize, register: Reg) -> Option<Vec<Option<usize>>> {
        let code = &self.prepared.kernel.code;
        let jumps = self.jumps.get_or_insert_with(|| jumps(code));
        let (mut todo, mut seen, mut out) = (vec![pc], FxHashSet::default(), Vec::new());
        while let Some(at) = todo.pop() {
            let before =
                at.checked_sub(1).filter(|from| code[*from].successors(*from).any(|to| to == at));
            if at == 0 {
                out.push(None);
            }
            let from = jumps.partition_point(|(to, _)| *to < at);
            let sources =
                jumps[from..].iter().take_while(|(to, _)| *to == at).map(|(_, from)| *from);
            for source in before.into_iter().chain(sources) {
                if !seen.insert(source) {
                    continue;
                }
                self.left = self.left.checked_sub(1)?;
                match writes(&code[source], register) {
                    true => out.push(Some(source)),
                    false => todo.push(source),
                }
            }
        }
        Some(out)
    }
}

/// Instructions that are looked at in any kernel.
const MOST: usize = 1 << 12;

/// The longest chain of definitions that is followed.
const DEEPEST: usize = 32;

/// Target and source of each jump, by target.
fn jumps(code: &[Inst]) -> Vec<(usize, usize)> {
    let mut all = Vec::new();
    for (at, inst) in code.iter().enumerate() {
        all.extend(inst.successors(at).filter(|to| *to != at + 1).map(|to| (to, at)));
    }
    all.sort_unstable();
    all
}

/// Whether an instruction writes a part of a pair.
fn writes(inst: &Inst, pair: Reg) -> bool {
    let mut writes = false;
    inst.for_each_operand(&mut |reg, slots, role| {
        writes |= role == Role::Write && reg < pair + 2 && pair < reg + slots;
    });
    writes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::isa::MemTy;
    use crate::machine::{Execution, Memory, test_kernel};

    const NONE: Addr = Addr { base: 0, index: Index::None, scale: 1, offset: 0 };

    fn at(base: Reg) -> Addr {
        Addr { base, index: Index::I32(6), scale: 4, ..NONE }
    }

    fn store(addr: Addr) -> Inst {
        Inst::Store { ty: MemTy::B32, n: 1, volatile: false, a: 7, addr }
    }

    fn load(d: Reg, addr: Addr) -> Inst {
        Inst::Load { ty: MemTy::B64, n: 1, volatile: false, d, addr }
    }

    /// Which of three arrays may be written.
    fn of(code: Vec<Inst>) -> Vec<bool> {
        both(code).0
    }

    /// Which of three arrays may be written, and which accessed.
    fn both(code: Vec<Inst>) -> (Vec<bool>, Vec<bool>) {
        let module = test_kernel::module(3, code);
        let mut memory = Memory::new();
        let args = test_kernel::arrays(&mut memory, &[1024; 3]);
        let launch = test_kernel::launch(&module, &args);
        let prepared =
            PreparedKernel::new(&module, &launch, &memory, &Execution::default()).unwrap();
        (written(&prepared), reached(&prepared))
    }

    #[test]
    fn matrices_are_loaded_and_stored() {
        let (count, transpose, rows, mask) = (1, false, 8, 12);
        let load = Inst::LoadMatrix { count, transpose, d: 12, rows, addr: at(0), mask };
        let store = Inst::StoreMatrix { count, transpose, a: 12, rows, addr: at(4), mask };
        let found = both(vec![load, store]);
        assert_eq!(found, (vec![false, false, true], vec![true, false, true]));
    }

    #[test]
    fn a_store_leads_where_its_pointer_is_made_from() {
        assert_eq!(of(vec![load(8, at(0))]), [false; 3]);
        assert_eq!(of(vec![load(8, at(0)), store(at(2))]), [false, true, false]);
        assert_eq!(of(vec![Inst::Lea { d: 8, addr: at(2) }, store(at(8))]), [false, true, false]);
        // One of two.
        let branch = Inst::Branch { cond: 6, when: true, target: 2 };
        let two = [0, 4].map(|base| Inst::Lea { d: 8, addr: at(base) });
        let either = vec![two[0], branch, store(at(8))];
        assert_eq!(of(either), [true, false, false]);
        let branch = Inst::Branch { cond: 6, when: true, target: 3 };
        assert_eq!(of(vec![two[0], branch, two[1], store(at(8))]), [true, false, true]);
    }

    #[test]
    fn a_store_through_another_pointer_leads_anywhere() {
        assert_eq!(of(vec![load(8, at(4)), store(at(8))]), [true; 3]);
        assert_eq!(of(vec![store(Addr { index: Index::I64(6), ..at(0) })]), [true; 3]);
        // Half of a pointer is replaced.
        let lea = Inst::Lea { d: 8, addr: at(2) };
        assert_eq!(of(vec![lea, Inst::Mov { wide: false, d: 9, a: 7 }, store(at(8))]), [true; 3]);
        // Two steps from an argument.
        let steps = [Inst::Lea { d: 8, addr: at(2) }, Inst::Lea { d: 10, addr: at(8) }];
        let copy = Inst::Mov { wide: true, d: 12, a: 10 };
        let chain = [&steps[..], &[copy, store(at(12))]].concat();
        assert_eq!(of(chain), [false, true, false]);
        // So many steps could lead from one array to the next.
        let far = |base| Addr { scale: 64, ..at(base) };
        let leas = [(8, 2), (10, 8)].map(|(d, base)| Inst::Lea { d, addr: far(base) });
        assert_eq!(of([leas.to_vec(), vec![store(far(10))]].concat()), [true; 3]);
        // A register is used again, and an argument is replaced.
        let again = [at(0), at(4)].map(|from| [Inst::Lea { d: 8, addr: from }, load(10, at(8))]);
        let again = [again.concat(), vec![Inst::Lea { d: 8, addr: at(2) }, store(at(8))]].concat();
        assert_eq!(of(again), [false, true, false]);
        let replaced = vec![store(at(4)), Inst::Lea { d: 4, addr: at(2) }, store(at(4))];
        assert_eq!(of(replaced), [false, true, true]);
        // A pointer is advanced from its own value, once and in a loop.
        let advance = Inst::Lea { d: 8, addr: at(8) };
        assert_eq!(of(vec![lea, advance, store(at(8))]), [false, true, false]);
        let back = Inst::Branch { cond: 6, when: true, target: 1 };
        assert_eq!(of(vec![lea, advance, store(at(8)), back]), [true; 3]);
    }
}
