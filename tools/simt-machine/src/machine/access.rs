//! Loads, stores and atomics.
//!
//! Every access is bounds-checked, with any observer and none. An address that is outside its object
//! or misaligned is not accessed (a load gives 0), and the observer is told. Lanes of one instruction
//! may point into different objects; they are served object by object.

#![allow(clippy::needless_range_loop, reason = "a lane's number indexes several rows")]

pub(crate) mod address_pattern;
pub(crate) mod fast_path;
pub(crate) mod plan;
mod slow_path;

use super::memory::{BIAS, OBJECT_SHIFT};
use super::prepared_kernel::{PreparedKernel, Target};
use super::simd::{Mask, Registers, lanes_of};
use crate::event::{Access, AccessKind, Shape, Space};
use crate::isa::{Addr, AtomicOp, Index, Inst, MemTy, Reg, Scope, Ty};
use crate::machine::interpreter::Interpreter;
use crate::machine::memory::definedness;
use crate::machine::memory::storage::SpaceView;
use crate::machine::schedule::block::Block;
use crate::machine::schedule::warp::Warp;
use slow_path::slow_path;
use std::hint::black_box;
use std::sync::atomic::Ordering::Relaxed;

/// An access, without its address.
#[derive(Debug, Clone, Copy)]
pub(crate) enum AccessOp {
    Load { ty: MemTy, n: u8, volatile: bool, d: Reg },
    Store { ty: MemTy, n: u8, volatile: bool, a: Reg },
    Atomic { op: AtomicOp, ty: Ty, scope: Scope, d: Option<Reg>, a: Reg, b: Reg },
}

impl AccessOp {
    #[inline(always)]
    fn ty(&self) -> MemTy {
        match *self {
            AccessOp::Load { ty, .. } | AccessOp::Store { ty, .. } => ty,
            AccessOp::Atomic { ty, .. } if ty.slots() == 2 => MemTy::B64,
            AccessOp::Atomic { ty: Ty::F16 | Ty::Bf16, .. } => MemTy::U16,
            AccessOp::Atomic { .. } => MemTy::B32,
        }
    }

    #[inline(always)]
    fn components(&self) -> u32 {
        match *self {
            AccessOp::Load { n, .. } | AccessOp::Store { n, .. } => u32::from(n),
            AccessOp::Atomic { .. } => 1,
        }
    }

    #[inline(always)]
    pub(crate) fn width(&self) -> u32 {
        self.ty().bytes() * self.components()
    }

    #[inline(always)]
    pub(crate) fn kind(&self) -> AccessKind {
        match *self {
            AccessOp::Load { .. } => AccessKind::Load,
            AccessOp::Store { .. } => AccessKind::Store,
            AccessOp::Atomic { d: Some(_), .. } => AccessKind::Atomic,
            AccessOp::Atomic { .. } => AccessKind::Reduction,
        }
    }

    pub(crate) fn volatile(&self) -> bool {
        matches!(
            self,
            AccessOp::Load { volatile: true, .. } | AccessOp::Store { volatile: true, .. }
        )
    }

    /// Whether it may be a poll: a look at what other threads change.
    pub(crate) fn polls(&self) -> bool {
        self.volatile() || matches!(self, AccessOp::Atomic { .. })
    }

    /// Whether it reads the old value. (An exchange whose result is dropped only writes.)
    fn asks(&self) -> bool {
        !matches!(
            self,
            AccessOp::Store { .. } | AccessOp::Atomic { op: AtomicOp::Exch, d: None, .. }
        )
    }

    fn scope(&self) -> Scope {
        if let AccessOp::Atomic { scope, .. } = self { *scope } else { Scope::Device }
    }
}

/// An access, and its address.
#[inline(always)]
pub(crate) fn of(inst: &Inst) -> Option<(AccessOp, Addr)> {
    Some(match *inst {
        Inst::Load { ty, n, volatile, d, addr } => (AccessOp::Load { ty, n, volatile, d }, addr),
        Inst::Store { ty, n, volatile, a, addr } => (AccessOp::Store { ty, n, volatile, a }, addr),
        Inst::Atomic { op, ty, scope, d, a, b, addr } => {
            (AccessOp::Atomic { op, ty, scope, d, a, b }, addr)
        }
        _ => return None,
    })
}

/// The pointers of all lanes.
#[inline(always)]
pub(crate) fn addresses(r: &Registers, addr: &Addr) -> [u64; 32] {
    let base = r.pair(addr.base);
    let offset = i64::from(addr.offset) as u64;
    let scale = u64::from(addr.scale);
    let mut out = [0; 32];
    match addr.index {
        Index::None => {
            for l in 0..32 {
                out[l] = base[l].wrapping_add(offset);
            }
        }
        Index::I32(index) => {
            let index = r.row(index);
            for l in 0..32 {
                let step = i64::from(index[l] as i32) * i64::from(addr.scale);
                out[l] = base[l].wrapping_add(step as u64).wrapping_add(offset);
            }
        }
        Index::U32(index) => {
            let index = r.row(index);
            for l in 0..32 {
                out[l] = base[l].wrapping_add(u64::from(index[l]) * scale).wrapping_add(offset);
            }
        }
        Index::I64(index) => {
            let index = r.pair(index);
            for l in 0..32 {
                out[l] = base[l].wrapping_add(index[l].wrapping_mul(scale)).wrapping_add(offset);
            }
        }
    }
    out
}

/// The lanes of one instruction that access one object.
pub(crate) struct ObjectAccess {
    pub(crate) space: Space,
    /// As in [`Access::object`].
    pub(crate) object: u32,
    pub(crate) lanes: u32,
    /// Whether this is the first object of the instruction.
    pub(crate) first: bool,
    /// How the offsets relate to each other.
    pub(crate) shape: Shape,
    /// The number of their pattern; 0: none.
    pub(crate) pattern: u64,
    /// The lowest and the highest offset, if there is a pattern.
    pub(crate) extent: (u32, u32),
    /// Bytes from the start of the object, or of shared or local memory. Inactive lanes repeat the offset
    /// of an active one.
    pub(crate) offsets: [u32; 32],
}

/// Performs an access in the active lanes.
#[inline(always)]
pub(crate) fn run(
    vm: &mut Interpreter<'_>,
    block: &mut Block,
    warp: &mut Warp,
    pc: u32,
    m: &Mask,
    what: &AccessOp,
    addr: &Addr,
) {
    warp.polled |= what.polls();
    let pointers = addresses(&warp.registers, addr);
    match one_object(vm.prepared, &pointers, m, what.width()) {
        Some(mut group) => {
            let observed = vm.interests.accesses(group.space);
            if observed {
                let cache = &mut vm.unplanned[pc as usize];
                address_pattern::recognise(cache, &mut group, &mut vm.last_pattern);
            }
            perform(vm, block, warp, pc, what, &group, observed);
        }
        None => slow_path(vm, block, warp, pc, m, what, &pointers),
    }
}

impl ObjectAccess {
    /// The lowest and the highest offset.
    #[inline(always)]
    pub(crate) fn extent(&self) -> (u32, u32) {
        match self.shape {
            Shape::Uniform => (self.offsets[0], self.offsets[0]),
            _ if self.pattern != 0 => self.extent,
            _ => self.offsets.iter().fold((u32::MAX, 0), |(l, h), &at| (l.min(at), h.max(at))),
        }
    }
}

/// Fast path: all lanes are inside one object, and aligned.
#[inline(always)]
fn one_object(
    prepared: &PreparedKernel<'_>,
    pointers: &[u64; 32],
    m: &Mask,
    width: u32,
) -> Option<ObjectAccess> {
    let p = pointers[m.first()];
    let object = p >> OBJECT_SHIFT;
    let (space, index, base, size) = parts(prepared.target(object)?);
    let origin = (object << OBJECT_SHIFT) | BIAS;
    let limit = size.checked_sub(width)?;
    let p = p.wrapping_sub(origin);
    let (mut high, mut most, mut offsets) = (0u64, 0u32, [0u32; 32]);
    for lane in 0..32 {
        let active = i64::from(m.lanes.0[lane] as i32) as u64;
        let rel = (pointers[lane].wrapping_sub(origin) & active) | (p & !active);
        high |= rel;
        most = most.max(rel as u32);
        offsets[lane] = rel as u32;
    }
    if high >> 32 != 0 || most > limit || high as u32 & (width - 1) != 0 {
        return None;
    }
    // Opaque, or the compiler computes all that follows from it before each run of instructions.
    let lowest = black_box(m.first());
    let first = offsets[lowest];
    let start = first.wrapping_sub(lowest as u32 * width);
    let (mut row, mut one) = (0, 0);
    for lane in 0..32 {
        let active = m.lanes.0[lane];
        row |= (offsets[lane] ^ start.wrapping_add(lane as u32 * width)) & active;
        one |= offsets[lane] ^ first;
        offsets[lane] = offsets[lane].wrapping_add(base);
    }
    let shape = if row == 0 {
        Shape::Contiguous
    } else if one == 0 {
        Shape::Uniform
    } else {
        Shape::Scattered
    };
    Some(ObjectAccess {
        space,
        object: index,
        lanes: m.bits,
        first: true,
        shape,
        pattern: 0,
        extent: (0, 0),
        offsets,
    })
}

/// Space, index, start and size of an object.
#[inline(always)]
pub(crate) fn parts(target: Target) -> (Space, u32, u32, u32) {
    match target {
        Target::Global(index, size) => (Space::Global, index, 0, size),
        Target::Heap(index, start, size) => (Space::Global, index, start, size),
        Target::Shared(base, size) => (Space::Shared, 0, base, size),
        Target::Local(base, size) => (Space::Local, 0, base, size),
    }
}

/// Performs the access to one object, and notifies the observer if it is `observed`. Wide vectors do
/// not speed up moving words lane by lane, so this is compiled once.
#[inline(never)]
pub(crate) fn perform(
    vm: &mut Interpreter<'_>,
    block: &mut Block,
    warp: &mut Warp,
    pc: u32,
    what: &AccessOp,
    g: &ObjectAccess,
    observed: bool,
) {
    let prepared = vm.prepared;
    let kind = what.kind();
    if g.space == Space::Global
        && kind != AccessKind::Load
        && prepared.objects[g.object as usize].constant
    {
        vm.faulted = true;
        vm.observer.constant_written(warp.at(block, pc, g.lanes), g.object);
        return;
    }
    if observed {
        notify_any(vm, block, warp, pc, what, g);
    }
    if kind != AccessKind::Load {
        definedness::mark_written(prepared, block, warp, g, what.width(), vm.interests.checks);
        if !warp.unwritten_copies.is_empty() && kind == AccessKind::Store {
            definedness::store_unwritten(prepared, block, warp, pc, g);
        }
    }
    let words =
        if g.space == Space::Global { &prepared.objects[g.object as usize].words[..] } else { &[] };
    let Warp { registers, local, .. } = warp;
    let mut place = SpaceView { space: g.space, words, shared: &mut block.shared, local };
    match *what {
        AccessOp::Load { ty, n, d, .. } => {
            for part in 0..n {
                place.load(
                    registers,
                    g,
                    ty,
                    n,
                    d + u16::from(part) * ty.slots(),
                    u32::from(part) * ty.bytes(),
                );
            }
        }
        AccessOp::Store { ty, n, a, .. } => {
            vm.changed |= g.space != Space::Local;
            place.store(registers, g, ty, u32::from(n), a);
        }
        AccessOp::Atomic { .. } => vm.changed |= atomic(&mut place, registers, what, g),
    }
}

/// An atomic, lane by lane. Returns whether it changed memory.
#[inline(never)]
fn atomic(
    place: &mut SpaceView<'_>,
    registers: &mut Registers,
    what: &AccessOp,
    g: &ObjectAccess,
) -> bool {
    let AccessOp::Atomic { op, ty, d, a, b, .. } = *what else { return false };
    let wide = ty.slots() == 2;
    let bytes = what.ty().bytes();
    let mut changed = false;
    if g.space == Space::Global && g.shape == Shape::Scattered {
        // Atomics of this computer wait for each other: look at all words first, so that the cache misses
        // overlap.
        let word = |offset: &u32| place.words[*offset as usize / 4].load(Relaxed);
        black_box(g.offsets.iter().fold(0, |all, offset| all | word(offset)));
    }
    for lane in lanes_of(g.lanes) {
        let x = registers.lane(a, wide, lane);
        let y = if op == AtomicOp::Cas { registers.lane(b, wide, lane) } else { 0 };
        let new = |old| crate::machine::memory::atomic::apply(op, ty, old, x, y);
        let old = place.update(lane, g.offsets[lane], bytes, new);
        changed |= new(old) != old;
        if let Some(d) = d {
            registers.set_lane(d, wide, lane, old);
        }
    }
    changed
}

/// Notifies the observer of an access of any kind.
#[inline(never)]
fn notify_any(
    vm: &mut Interpreter<'_>,
    block: &Block,
    warp: &mut Warp,
    pc: u32,
    what: &AccessOp,
    g: &ObjectAccess,
) {
    notify(vm, block, warp, pc, what, g);
}

/// Notifies the observer.
#[inline(always)]
fn notify(
    vm: &mut Interpreter<'_>,
    block: &Block,
    warp: &mut Warp,
    pc: u32,
    what: &AccessOp,
    g: &ObjectAccess,
) {
    let mut unwritten = if vm.interests.checks && what.asks() {
        definedness::unwritten(vm.prepared, block, warp, g, what.width())
    } else {
        0
    };
    if unwritten != 0 {
        unwritten = definedness::of_copy(vm.prepared, block, warp, pc, g, what.width(), unwritten);
    }
    let access = Access {
        pc,
        kind: what.kind(),
        scope: what.scope(),
        volatile: what.volatile(),
        compares: match *what {
            AccessOp::Atomic { op: AtomicOp::Cas, d: Some(_), a, ty, .. } => {
                Some(warp.registers.operand(a, ty.slots() == 2))
            }
            _ => None,
        },
        first: g.first,
        space: g.space,
        object: g.object,
        lanes: g.lanes,
        shape: g.shape,
        pattern: g.pattern,
        offsets: &g.offsets,
        width: what.width(),
        stored: match *what {
            AccessOp::Store { a, ty, .. } => Some((warp.registers.operand(a, ty.slots() == 2), ty)),
            _ => None,
        },
        unwritten,
        shared: &block.shared,
    };
    vm.observer.access(&warp.context(block), &access);
}
