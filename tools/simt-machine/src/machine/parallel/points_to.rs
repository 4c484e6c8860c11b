//! Points-to analysis: which global objects a kernel may write, and which it may access at all.
//!
//! An object that is never written needs no undo log and no race detection. A pointer leads to the
//! object that it is computed from: an argument or a variable that never changes, or one instruction's
//! result from such a pointer. Any other pointer may lead anywhere.

use crate::isa::operands::Role;
use crate::isa::{Addr, BulkDirection, Index, Inst, Reg};
use crate::machine::access;
use crate::machine::access::plan::ConstantRegisters;
use crate::machine::memory::{OBJECT_SHIFT, SHARED_WINDOW, pointer};
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
    let all = vec![true; prepared.objects.len()];
    let known = ConstantRegisters::new(prepared);
    let origins = origins(prepared, &known);
    let mut out = vec![false; prepared.objects.len()];
    for addr in prepared.kernel.code.iter().filter_map(accesses) {
        if !stays(&addr) {
            return all;
        }
        let pointer = known.pointer(addr.base).map(|p| vec![p >> OBJECT_SHIFT]);
        let Some(objects) = pointer.or_else(|| origins[usize::from(addr.base)].clone()) else {
            return all;
        };
        for object in objects {
            if let Some(Target::Global(at, _) | Target::Heap(at, ..)) = prepared.target(object) {
                out[at as usize] = true;
            }
        }
    }
    out
}

/// For each register the objects that its pointers lead to, if all of them are computed from known
/// pointers.
fn origins(prepared: &PreparedKernel<'_>, known: &ConstantRegisters<'_>) -> Vec<Option<Vec<u64>>> {
    let mut out = vec![None; usize::from(prepared.kernel.registers) + 3];
    let mut other = vec![false; out.len()];
    for inst in &prepared.kernel.code {
        let from = match inst {
            Inst::Lea { addr, .. } if stays(addr) => known.pointer(addr.base),
            Inst::SharedPointer { .. } => Some(pointer(SHARED_WINDOW)),
            _ => None,
        };
        inst.for_each_operand(&mut |reg, slots, role| {
            if role != Role::Write {
                return;
            }
            // A pair that begins one register before is overwritten, too, and one that begins within.
            let at = usize::from(reg);
            let end = at + usize::from(slots);
            match from {
                Some(pointer) => {
                    out[at].get_or_insert_with(Vec::new).push(pointer >> OBJECT_SHIFT);
                    other[at.saturating_sub(1)..at].fill(true);
                    other[at + 1..end].fill(true);
                }
                None => other[at.saturating_sub(1)..end].fill(true),
            }
        });
    }
    for (objects, _) in out.iter_mut().zip(other).filter(|(_, other)| *other) {
        *objects = None;
    }
    out
}

/// Whether an address is certainly in the address range of its base's object, inside the object or not:
/// the index has 32 bits, and the scale is small.
fn stays(addr: &Addr) -> bool {
    !matches!(addr.index, Index::I64(_)) && addr.scale <= 64
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
        // A pointer is advanced from its own value.
        let lea = Inst::Lea { d: 8, addr: at(2) };
        assert_eq!(of(vec![lea, Inst::Lea { d: 8, addr: at(8) }, store(at(8))]), [true; 3]);
    }
}
