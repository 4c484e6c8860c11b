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
        let access = access::of(inst).map(|(_, addr)| addr);
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
    for addr in prepared.kernel.code.iter().filter_map(accesses) {
        let Some(origin) = pointers.leads(&addr) else { return vec![true; out.len()] };
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

/// What a register is made from.
#[derive(Debug, Clone, Copy)]
enum Source {
    Address(Addr),
    Shared,
    Other,
}

/// The pointers of a kernel.
struct Pointers<'p> {
    prepared: &'p PreparedKernel<'p>,
    known: ConstantRegisters<'p>,
    /// For each register that changes where its pointers lead, if all of them are computed from known
    /// pointers. Most kernels need none of it.
    origins: Option<Vec<Option<Origin>>>,
}

impl<'p> Pointers<'p> {
    fn new(prepared: &'p PreparedKernel<'_>) -> Pointers<'p> {
        Pointers { prepared, known: ConstantRegisters::new(prepared), origins: None }
    }

    /// Where an address leads, if that is certainly in the address range of an object, inside the object
    /// or not.
    fn leads(&mut self, addr: &Addr) -> Option<Origin> {
        if let Some(pointer) = self.known.pointer(addr.base) {
            return Origin::of(pointer).step(addr);
        }
        if self.origins.is_none() {
            self.origins = Some(self.origins());
        }
        let origins = self.origins.as_ref()?;
        origins[usize::from(addr.base)].clone()?.step(addr)
    }

    /// [`Pointers::origins`], step by step: a register is known once all that it is made from is. One
    /// that is made from itself never is.
    fn origins(&self) -> Vec<Option<Origin>> {
        let sources = self.sources();
        let mut out: Vec<Option<Origin>> = vec![None; sources.len()];
        for _ in 0..STEPS {
            let before = out.clone();
            let origin = |source: &Source| match source {
                Source::Address(addr) => match self.known.pointer(addr.base) {
                    Some(pointer) => Origin::of(pointer).step(addr),
                    None => before[usize::from(addr.base)].clone()?.step(addr),
                },
                Source::Shared => Some(Origin::of(pointer(SHARED_WINDOW))),
                Source::Other => None,
            };
            for (to, sources) in out.iter_mut().zip(&sources).filter(|(_, all)| !all.is_empty()) {
                let all: Option<Vec<Origin>> = sources.iter().map(origin).collect();
                *to = all.map(|all| Origin {
                    reach: all.iter().fold(0, |most, one| most.max(one.reach)),
                    objects: all.into_iter().flat_map(|one| one.objects).collect(),
                });
            }
            if out == before {
                break;
            }
        }
        out
    }

    /// For each register what it is made from; nothing, if it never changes.
    fn sources(&self) -> Vec<Vec<Source>> {
        let kernel = self.prepared.kernel;
        let mut sources = vec![Vec::new(); usize::from(kernel.registers) + 3];
        for inst in &kernel.code {
            let source = match *inst {
                Inst::Lea { addr, .. } => Source::Address(addr),
                Inst::Mov { wide: true, a, .. } => Source::Address(plain(a)),
                Inst::SharedPointer { .. } => Source::Shared,
                _ => Source::Other,
            };
            inst.for_each_operand(&mut |reg, slots, role| {
                if role != Role::Write {
                    return;
                }
                // A pair that begins one register before is overwritten, too, and one that begins within.
                let (at, end) = (usize::from(reg), usize::from(reg) + usize::from(slots));
                (at.saturating_sub(1)..end).for_each(|r| sources[r].push(Source::Other));
                sources[at].pop();
                sources[at].push(source);
            });
        }
        for &(register, _) in &kernel.preloads {
            let sources = &mut sources[usize::from(register)];
            if !sources.is_empty() {
                // What it holds from the start.
                sources.push(Source::Other);
            }
        }
        sources
    }
}

/// The most instructions between a known pointer and one that is computed from it.
const STEPS: usize = 8;

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
        let module = test_kernel::module(3, code);
        let mut memory = Memory::new();
        let args = test_kernel::arrays(&mut memory, &[1024; 3]);
        let launch = test_kernel::launch(&module, &args);
        let prepared =
            PreparedKernel::new(&module, &launch, &memory, &Execution::default()).unwrap();
        written(&prepared)
    }

    #[test]
    fn a_store_leads_where_its_pointer_is_made_from() {
        assert_eq!(of(vec![load(8, at(0))]), [false; 3]);
        assert_eq!(of(vec![load(8, at(0)), store(at(2))]), [false, true, false]);
        assert_eq!(of(vec![Inst::Lea { d: 8, addr: at(2) }, store(at(8))]), [false, true, false]);
        let both = [0, 4].map(|base| Inst::Lea { d: 8, addr: at(base) });
        assert_eq!(of([both.to_vec(), vec![store(at(8))]].concat()), [true, false, true]);
    }

    #[test]
    fn a_store_through_another_pointer_leads_anywhere() {
        assert_eq!(of(vec![load(8, at(4)), store(at(8))]), [true; 3]);
        assert_eq!(of(vec![store(Addr { index: Index::I64(6), ..at(0) })]), [true; 3]);
        assert_eq!(of(vec![Inst::Mov { wide: true, d: 0, a: 2 }, store(at(0))]), [true; 3]);
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
        // An argument is replaced after it was used.
        let replaced = vec![store(at(4)), Inst::Lea { d: 4, addr: at(2) }];
        assert_eq!(of(replaced), [true; 3]);
        // A pointer is advanced from its own value.
        let lea = Inst::Lea { d: 8, addr: at(2) };
        assert_eq!(of(vec![lea, Inst::Lea { d: 8, addr: at(8) }, store(at(8))]), [true; 3]);
    }
}
