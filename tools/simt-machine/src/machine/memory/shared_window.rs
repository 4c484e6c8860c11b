//! 32-bit addresses of shared memory, as inline PTX uses them.
//!
//! The low 24 bits are bytes from the start of a block's shared memory. The upper 8 bits are 0 for the
//! block itself, and 1 + the rank for a block of its cluster.

use crate::event::Space;
use crate::machine::memory::{BIAS, OBJECT_SHIFT, SHARED, SHARED_WINDOW, pointer};
use crate::machine::prepared_kernel::{PreparedKernel, Target};

/// Bits of an address below the block.
const OFFSET_BITS: u32 = 24;

/// The address that a pointer leads to. A pointer that leads elsewhere has the address of its low bits:
/// what it is used for is refused as outside of shared memory, or finds other data, as on a GPU.
pub(crate) fn address(prepared: &PreparedKernel<'_>, generic: u64) -> u32 {
    let number = generic >> OBJECT_SHIFT;
    let offset = generic.wrapping_sub(pointer(number)) as u32;
    if (SHARED_WINDOW..SHARED_WINDOW + 256).contains(&number) {
        let block = (number - SHARED_WINDOW) as u32;
        return block << OFFSET_BITS | offset & ((1 << OFFSET_BITS) - 1);
    }
    match prepared.target(number) {
        Some(Target::Shared(start, _)) => start.wrapping_add(offset),
        _ => generic as u32 | 0xFF << OFFSET_BITS,
    }
}

/// The pointer to an address: into the object there, or else into the block's whole shared memory.
pub(crate) fn generic(prepared: &PreparedKernel<'_>, address: u32) -> u64 {
    let (block, offset) = (address >> OFFSET_BITS, address & ((1 << OFFSET_BITS) - 1));
    let objects = (0..).zip(&prepared.kernel.shared);
    let inside = |start: u32, size: u32| block == 0 && offset >= start && offset - start < size;
    let mut found = objects.filter(|(_, o)| inside(o.offset, prepared.size(o)));
    let (number, start) = match found.next() {
        Some((at, object)) => (SHARED + at, object.offset),
        None => (SHARED_WINDOW + u64::from(block), 0),
    };
    (number << OBJECT_SHIFT | BIAS) + u64::from(offset - start)
}

/// The block of the running one's cluster that an address leads to, and the offset, if so many bytes lie
/// there.
pub(crate) fn owner(
    prepared: &PreparedKernel<'_>,
    block: u32,
    address: u32,
    bytes: u32,
) -> Option<(u32, u32)> {
    let (high, offset) = (address >> OFFSET_BITS, address & ((1 << OFFSET_BITS) - 1));
    let owner = match high.checked_sub(1) {
        None => block,
        Some(rank) => prepared.cluster.peer(block, rank)?,
    };
    let end = u64::from(offset) + u64::from(bytes);
    (end <= u64::from(prepared.shared_bytes)).then_some((owner, offset))
}

/// The number of a block's shared memory in events: 0 for the running block's own, or 1 + the rank.
pub(crate) fn number(prepared: &PreparedKernel<'_>, block: u32, owner: u32) -> u32 {
    if owner == block { 0 } else { prepared.cluster.rank(owner) + 1 }
}

/// The whole shared memory of a block of the cluster, as the machine's object: space, number, start and
/// size.
pub(crate) fn whole(
    prepared: &PreparedKernel<'_>,
    block: u32,
    object: u64,
) -> Option<(Space, u32, u32, u32)> {
    let rank = object.checked_sub(SHARED_WINDOW + 1).filter(|rank| *rank < 255)? as u32;
    let owner = prepared.cluster.peer(block, rank)?;
    Some((Space::Shared, number(prepared, block, owner), 0, prepared.shared_bytes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Span;
    use crate::isa::{Element, Object};
    use crate::machine::{Execution, Memory, test_kernel};

    #[test]
    fn an_address_leads_back_to_its_object() {
        let object = |name: &str, offset: u32, size: u32| Object {
            name: name.to_owned(),
            element: Element { name: "int".to_owned(), size: 4 },
            scalar: false,
            size,
            offset,
            dynamic: false,
            initial: Vec::new(),
            constant: false,
            managed: false,
            span: Span::default(),
        };
        let mut module = test_kernel::module(1, Vec::new());
        module.kernels[0].shared = vec![object("a", 0, 8), object("b", 16, 32)];
        module.kernels[0].shared_bytes = 48;
        let mut memory = Memory::new();
        let args = test_kernel::arrays(&mut memory, &[64]);
        let launch = test_kernel::launch(&module, &args);
        let prepared =
            PreparedKernel::new(&module, &launch, &memory, &Execution::default()).unwrap();
        let there = |address| generic(&prepared, address);
        assert_eq!(there(4), pointer(SHARED) + 4);
        assert_eq!(there(20), pointer(SHARED + 1) + 4);
        // Between the two, and behind them, there is shared memory, but no object.
        assert_eq!(there(8), pointer(SHARED_WINDOW) + 8);
        assert_eq!(there(48), pointer(SHARED_WINDOW) + 48);
        assert_eq!(prepared.target(SHARED_WINDOW), Some(Target::Shared(0, 48)));
        for at in [0, 4, 8, 20, 47, 1 << 20, 3 << OFFSET_BITS | 20] {
            assert_eq!(address(&prepared, there(at)), at);
        }
        // A pointer to global memory is outside of every block's shared memory.
        assert_eq!(prepared.target(there(address(&prepared, pointer(1))) >> OBJECT_SHIFT), None);
    }
}
