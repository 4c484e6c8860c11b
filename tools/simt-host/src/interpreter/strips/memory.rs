//! Loads and stores of a strip: addresses, bounds, and which accesses meet.

use super::{LANES, Lanes};
use crate::host_memory::{self, Allocation, allocation, allocation_mut};
use crate::interpreter::generic::{load, store};
use simt::isa::MemTy;
use simt::machine::memory::OBJECT_SHIFT;

/// The addresses of an access by all lanes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Access {
    /// Its place in the path.
    pub(super) order: usize,
    pub(super) is_store: bool,
    bytes: u64,
    first: u64,
    /// The distance between neighbours, if it is the same for all.
    pub(super) stride: Option<u64>,
    /// The lowest address, and the highest one.
    range: [u64; 2],
}

/// A store that waits.
#[derive(Debug)]
pub(super) struct Store {
    pub(super) ty: MemTy,
    pub(super) addresses: Lanes,
    pub(super) values: Lanes,
}

impl Access {
    pub(super) fn new(order: usize, is_store: bool, ty: MemTy, addresses: &Lanes) -> Access {
        let [first, .., last] = *addresses;
        let stride = stride_of(addresses);
        let range = match stride {
            Some(_) => [first.min(last), first.max(last)],
            None => {
                addresses.iter().fold([first; 2], |[low, high], at| [low.min(*at), high.max(*at)])
            }
        };
        Access { order, is_store, bytes: u64::from(ty.bytes()), first, stride, range }
    }

    /// Whether the two may touch the same byte.
    pub(super) fn meets(&self, other: &Access) -> bool {
        let [a, b] = [self, other].map(|access| access.range[1].wrapping_add(access.bytes));
        if self.range[0] >= b || other.range[0] >= a {
            return false;
        }
        // Members of neighbouring structs: the bytes of one lie between those of the other.
        let (Some(stride), true) = (self.stride, self.stride == other.stride) else {
            return true;
        };
        let stride = (stride as i64).unsigned_abs();
        if stride < self.bytes + other.bytes {
            return true;
        }
        let apart = other.first.wrapping_sub(self.first) as i64;
        let apart = apart.rem_euclid(stride as i64) as u64;
        apart < self.bytes || apart + other.bytes > stride
    }

    /// Whether a load that meets this store is of the same iteration's element, and before it.
    pub(super) fn is_own(&self, load: &Access) -> bool {
        let spread = self.stride.is_some_and(|stride| (stride as i64).unsigned_abs() >= self.bytes);
        spread
            && load.order < self.order
            && (load.first, load.stride, load.bytes) == (self.first, self.stride, self.bytes)
    }
}

impl Store {
    /// Stores what the first lanes store.
    pub(super) fn write(&self, allocations: &mut [Allocation], width: usize) {
        let bytes = self.ty.bytes() as usize;
        let first = self.addresses[0];
        if stride_of(&self.addresses) == Some(bytes as u64)
            && let Some((target, offset)) = allocation_mut(allocations, first)
            && let Some(target) = target.get_mut(offset as usize..offset as usize + bytes * width)
        {
            let values = self.values.iter();
            match bytes {
                4 => {
                    for (to, value) in target.as_chunks_mut::<4>().0.iter_mut().zip(values) {
                        *to = (*value as u32).to_le_bytes();
                    }
                }
                8 => {
                    for (to, value) in target.as_chunks_mut::<8>().0.iter_mut().zip(values) {
                        *to = value.to_le_bytes();
                    }
                }
                _ => {
                    for (to, value) in target.chunks_exact_mut(bytes).zip(values) {
                        to.copy_from_slice(&value.to_le_bytes()[..bytes]);
                    }
                }
            }
            return;
        }
        for (at, value) in self.addresses.iter().zip(&self.values).take(width) {
            store(allocations, *at, self.ty, *value);
        }
    }
}

/// The distance between the addresses of neighbouring lanes, if it is the same for all.
fn stride_of(addresses: &Lanes) -> Option<u64> {
    let stride = addresses[1].wrapping_sub(addresses[0]);
    let mut differs = 0;
    for pair in addresses.windows(2) {
        differs |= pair[1].wrapping_sub(pair[0]) ^ stride;
    }
    // Within one object, without wrapping.
    let same = addresses[0] >> OBJECT_SHIFT == addresses[LANES - 1] >> OBJECT_SHIFT;
    let is_small = (stride as i64).unsigned_abs() < 1 << 32;
    (differs == 0 && same && is_small).then_some(stride)
}

/// What the lanes load. The first lane whose address is not in the host's own memory
/// ends the strip.
pub(super) fn loaded(
    allocations: &[Allocation],
    addresses: &Lanes,
    stride: Option<u64>,
    ty: MemTy,
    width: &mut usize,
) -> Lanes {
    let mut values = [0; LANES];
    let bytes = ty.bytes() as usize;
    if stride == Some(bytes as u64)
        && matches!(ty, MemTy::B32 | MemTy::B64)
        && let Some((from, offset)) = allocation(allocations, addresses[0])
        && let Some(end) = offset.checked_add((bytes * LANES) as u64)
        && let Some(from) = from.get(offset as usize..end as usize)
    {
        if bytes == 4 {
            for (value, from) in values.iter_mut().zip(from.as_chunks::<4>().0) {
                *value = u64::from(u32::from_le_bytes(*from));
            }
        } else {
            for (value, from) in values.iter_mut().zip(from.as_chunks::<8>().0) {
                *value = u64::from_le_bytes(*from);
            }
        }
        return values;
    }
    if stride == Some(0) {
        match load(allocations, addresses[0], ty) {
            Some(value) => values = [value; LANES],
            None => *width = 0,
        }
        return values;
    }
    for (lane, (value, at)) in values.iter_mut().zip(addresses).enumerate() {
        match load(allocations, *at, ty) {
            Some(loaded) => *value = loaded,
            None => {
                *width = (*width).min(lane);
                break;
            }
        }
    }
    values
}

/// How many lanes may write.
pub(super) fn writable(
    allocations: &mut [Allocation],
    addresses: &Lanes,
    stride: Option<u64>,
    ty: MemTy,
) -> usize {
    let mut may = |at: u64| {
        let found = allocation_mut(allocations, at);
        found.is_some_and(|(bytes, at)| host_memory::read(bytes, at, ty).is_some())
    };
    // Both ends of a straight line are in the same object.
    if stride.is_some() && may(addresses[0]) && may(addresses[LANES - 1]) {
        return LANES;
    }
    addresses.iter().position(|at| !may(*at)).unwrap_or(LANES)
}
