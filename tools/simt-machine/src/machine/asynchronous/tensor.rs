//! `cp.async.bulk.tensor`: the copy engine moves a box of an array, as a tensor map describes it.
//!
//! Elements of the box that lie outside of the array are zero, or NaN, in shared memory, and are not changed
//! in global memory, but for those in the last piece of 16 bytes of a row that begins inside: an H100 stores
//! and reduces whole pieces. They count among the bytes that come. A box may begin before the array only on
//! its way to shared memory: an H100 stops at the other way.

use super::operation::Work;
use super::transfer::{Change, Place, Transfer, generic, read_bytes};
use super::{Turn, queue};
use crate::event::{AccessKind, Agent, MapMisuse, Portion};
use crate::isa::{AtomicOp, BulkDirection, Reg, Ty};
use crate::lanes::lanes_of;
use crate::machine::tensor_map::{TensorElement, TensorMap};

/// Shared memory begins a box at a multiple of these bytes.
const ALIGN: u32 = 128;

/// Bytes that the copy engine moves together: rows begin at a multiple, and the swizzle exchanges them.
const PIECE: u32 = 16;

/// The operands of a tensor copy.
pub(super) struct TensorOperands {
    pub(super) direction: BulkDirection,
    pub(super) map: Reg,
    pub(super) shared: Reg,
    pub(super) coordinates: [Reg; 5],
    pub(super) rank: u8,
    pub(super) barrier: Reg,
    pub(super) reduce: Option<AtomicOp>,
}

/// What a box consists of.
#[derive(Default)]
struct Pieces {
    transfers: Vec<Transfer>,
    /// The side in global memory.
    portions: Vec<Portion>,
}

impl Turn<'_, '_> {
    /// Each lane issues a copy of a box.
    pub(super) fn tensor(&mut self, o: &TensorOperands) {
        for lane in lanes_of(self.lanes) {
            if let Err(misuse) = self.copy_box(o, lane) {
                self.vm.faulted = true;
                self.vm.observer.map_misused(self.at(lane), misuse);
            }
        }
    }

    fn copy_box(&mut self, o: &TensorOperands, lane: usize) -> Result<(), MapMisuse> {
        let map = self.map_at(o.map, lane).ok_or(MapMisuse::NoMap)?;
        if map.rank != u32::from(o.rank) {
            return Err(MapMisuse::Rank { map: map.rank, copy: o.rank.into() });
        }
        let start = o.coordinates.map(|register| self.word(register, lane) as i32);
        if i64::from(start[0]) * i64::from(map.unit()) % i64::from(PIECE) != 0 {
            return Err(MapMisuse::Coordinate { at: start[0] });
        }
        let loads = o.direction != BulkDirection::ToGlobal;
        let before = start.iter().take(o.rank.into()).position(|at| *at < 0);
        if let Some(axis) = before.filter(|_| !loads) {
            return Err(MapMisuse::Before { axis, at: start[axis] });
        }
        let change = match o.reduce {
            Some(op) => Change::Reduce {
                op,
                ty: reducible(op, map.element).ok_or(MapMisuse::Reduction)?,
                flush: map.element.flushes(),
            },
            None if loads && map.element.rounds() => Change::RoundToTf32,
            None => Change::Nothing,
        };
        let address = self.word(o.shared, lane);
        if !address.is_multiple_of(ALIGN) {
            return Err(MapMisuse::Shared { address });
        }
        let bytes = map.shared_bytes();
        let kind = if loads { AccessKind::Store } else { AccessKind::Load };
        let Some(shared) = Place::shared(self.vm.prepared, self.block.linear, address, bytes)
        else {
            self.refuse(1 << lane, kind, bytes, |turn, lane| {
                generic(turn.vm.prepared, turn.word(o.shared, lane))
            });
            return Ok(());
        };
        for (shared, channel) in self.targets(o.direction, shared, o.barrier, lane) {
            let pieces = self.pieces(&map, (shared, start), (loads, change), lane)?;
            let own = shared.portion((self.vm.prepared, self.block), lane, kind, bytes);
            let mut portions = pieces.portions;
            if loads {
                portions.push(own)
            } else {
                portions.insert(0, own)
            }
            let work = Work::Copy(pieces.transfers);
            let operation = self.operation(Agent::BulkCopy, 1 << lane, channel, work);
            queue::issue(self.vm, self.block, self.warp, operation, &portions);
        }
        Ok(())
    }

    /// The map to which a lane's pointer leads.
    fn map_at(&self, register: Reg, lane: usize) -> Option<TensorMap> {
        let pointer = self.pair(register, lane);
        let place = Place::global(self.vm.prepared, pointer, 128)?;
        pointer.is_multiple_of(64).then_some(())?;
        TensorMap::decode(&read_bytes(self.vm, self.block, place))
    }

    /// The transfers of a box that begins at these coordinates, row by row.
    fn pieces(
        &self,
        map: &TensorMap,
        (to, start): (Place, [i32; 5]),
        (loads, change): (bool, Change),
        lane: usize,
    ) -> Result<Pieces, MapMisuse> {
        let mut out = Pieces::default();
        let ((count, apart), each) = (map.contiguous(), map.unit());
        let [whole_row, outer @ ..] = map.taken();
        let rows: u32 = outer.iter().product();
        let (row, runs) = (count * each, whole_row / count);
        for (number, run) in (0..rows).flat_map(|number| (0..runs).map(move |run| (number, run))) {
            let inside = row_offset(map, start, number);
            // The bytes of the row, or of what is contiguous of it, that are inside of the array.
            let first = i64::from(start[0]) + i64::from(run * apart);
            let from = (-first).clamp(0, i64::from(count)) as u32 * each;
            let end = (map.sizes[0] as i64 - first).clamp(0, i64::from(count)) as u32 * each;
            let (from, end) = if inside.is_some() && from < end { (from, end) } else { (0, 0) };
            let x = (first * i64::from(each)) as u64;
            let global = map.address.wrapping_add(inside.unwrap_or(0)).wrapping_add(x);
            // What a whole last piece changes must be there.
            let whole = end.next_multiple_of(PIECE).min(row);
            let end = match Place::global(self.vm.prepared, global, whole) {
                Some(_) if !loads && from < end => whole,
                _ => end,
            };
            if from < end {
                let bytes = end - from;
                let pointer = global.wrapping_add(from.into());
                let place =
                    Place::global(self.vm.prepared, pointer, bytes).ok_or(MapMisuse::Outside)?;
                let kind = match (loads, change) {
                    (true, _) => AccessKind::Load,
                    (false, Change::Reduce { .. }) => AccessKind::Reduction,
                    (false, _) => AccessKind::Store,
                };
                out.portions.push(place.portion((self.vm.prepared, self.block), lane, kind, bytes));
            }
            let step = if map.swizzle == 0 { row } else { PIECE };
            let base = to.offset() + number * map.pitch() + run * row;
            for at in (0..row).step_by(step as usize) {
                let shared = |at: u32| to.at(map.swizzled(base + at));
                let (low, high) = (from.clamp(at, at + step), end.clamp(at, at + step));
                if low < high {
                    let pointer = global.wrapping_add(low.into());
                    let place = Place::global(self.vm.prepared, pointer, high - low)
                        .ok_or(MapMisuse::Outside)?;
                    let here = shared(at).plus(low - at);
                    let (from, to) = if loads { (place, here) } else { (here, place) };
                    out.transfers.push(Transfer::whole(from, to, high - low, change));
                }
                let (low, high) = if low < high { (low, high) } else { (at, at) };
                for (gap, end) in [(at, low), (high, at + step)] {
                    if loads && gap < end {
                        let to = shared(at).plus(gap - at);
                        out.transfers.push(Transfer::filled(to, end - gap, map.fill()));
                    }
                }
            }
        }
        Ok(out)
    }
}

/// Bytes from the array's start to the row of that number of a box; `None` if the row is outside.
fn row_offset(map: &TensorMap, start: [i32; 5], number: u32) -> Option<u64> {
    let (mut rest, mut offset) = (number, 0u64);
    let extents = map.taken();
    for axis in 1..map.rank as usize {
        let (extent, size, stride) = (extents[axis], map.sizes[axis], map.strides[axis - 1]);
        let at = i64::from(start[axis]) + i64::from(rest % extent * map.steps[axis]);
        rest /= extent;
        let at = u64::try_from(at).ok().filter(|at| *at < size)?;
        offset = offset.wrapping_add(at.wrapping_mul(stride));
    }
    Some(offset)
}

/// The type of a reduction; `None` if an H100 has none such, and stops with an illegal instruction.
fn reducible(op: AtomicOp, element: TensorElement) -> Option<Ty> {
    use AtomicOp::{Add, And, Dec, Inc, Max, Min, Or, Xor};
    let (ty, all): (Ty, &[AtomicOp]) = match element {
        TensorElement::U8 | TensorElement::U16 => return None,
        TensorElement::U32 => (Ty::U32, &[Add, Min, Max, And, Or, Xor, Inc, Dec]),
        TensorElement::I32 => (Ty::I32, &[Add, Min, Max, And, Or, Xor]),
        TensorElement::U64 => (Ty::U64, &[Add, Min, Max, And, Or, Xor]),
        TensorElement::I64 => (Ty::I64, &[Min, Max]),
        TensorElement::F16 => (Ty::F16, &[Add, Min, Max]),
        TensorElement::Bf16 => (Ty::Bf16, &[Add, Min, Max]),
        TensorElement::F64 => (Ty::F64, &[Add]),
        TensorElement::F32
        | TensorElement::F32Ftz
        | TensorElement::Tf32
        | TensorElement::Tf32Ftz => (Ty::F32, &[Add]),
    };
    all.contains(&op).then_some(ty)
}
