//! Strings in memory that a kernel prints.
//!
//! The reads are no accesses of the program's own, so nothing counts them; but one outside its array is
//! reported like any other.

use crate::event::{AccessKind, RefusedAccess, Space};
use crate::isa::{Print, PrintArg};
use crate::machine::access::parts;
use crate::machine::interpreter::Interpreter;
use crate::machine::memory::storage::SpaceView;
use crate::machine::memory::{BIAS, OBJECT_SHIFT};
use crate::machine::schedule::block::Block;
use crate::machine::schedule::warp::Warp;

/// Bytes of one string at most.
const MOST: u32 = 1 << 16;

/// The strings that one lane prints, in the order of the arguments.
pub(super) fn read(
    vm: &mut Interpreter<'_>,
    block: &mut Block,
    warp: &mut Warp,
    pc: u32,
    print: &Print,
    lane: usize,
) -> Vec<Vec<u8>> {
    let mut texts = Vec::new();
    for arg in &print.args {
        if let PrintArg::Address(register) = arg {
            let pointer = warp.registers.lane(*register, true, lane);
            texts.push(text_at(vm, block, warp, pc, lane, pointer));
        }
    }
    texts
}

/// The bytes up to a zero, or up to the end of the array.
fn text_at(
    vm: &mut Interpreter<'_>,
    block: &mut Block,
    warp: &mut Warp,
    pc: u32,
    lane: usize,
    pointer: u64,
) -> Vec<u8> {
    if pointer == 0 {
        return b"(null)".to_vec();
    }
    let object = pointer >> OBJECT_SHIFT;
    let from = pointer.wrapping_sub((object << OBJECT_SHIFT) | BIAS);
    let mut text = Vec::new();
    if let Some((space, index, base, size)) = vm.prepared.target(object).map(parts) {
        let words = match space {
            Space::Global => &vm.prepared.objects[index as usize].words[..],
            Space::Shared | Space::Local => &[],
        };
        let (shared, local) = (&mut block.shared[..], &mut warp.local[..]);
        let place = SpaceView { space, words, shared, local };
        let from = u32::try_from(from).unwrap_or(size).min(size);
        for at in (from..size).take(MOST as usize) {
            let byte = place.read(lane, base + at, 1) as u8;
            if byte == 0 {
                return text;
            }
            text.push(byte);
        }
        if text.len() == MOST as usize {
            return text;
        }
    }
    vm.faulted = true;
    let mut pointers = [0; 32];
    pointers[lane] = pointer.wrapping_add(text.len() as u64);
    let at = warp.at(block, pc, 1 << lane);
    let kind = AccessKind::Load;
    let refused = RefusedAccess { at, kind, pointers: &pointers, width: 1, wrapped: false };
    vm.observer.access_refused(&refused);
    text
}
