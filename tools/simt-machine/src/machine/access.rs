//! Loads, stores and atomics.
//!
//! Every access is checked, with any observers and none: an address that is outside its object or
//! not aligned is not accessed (a load gives 0), and reported. Lanes of one instruction may point
//! into different objects; they are served object by object.

#![allow(clippy::needless_range_loop, reason = "a lane's number indexes several rows")]

use super::block::Block;
use super::core::Core;
use super::memory::{BIAS, OBJECT_SHIFT, Space};
use super::near;
use super::pattern::{self, Pattern, Way};
use super::place::Place;
use super::program::{Program, Target};
use super::several::several;
use super::simd::{FULL, Mask, Registers, copy, copy_own, lanes_of};
use super::validity;
use super::warp::Warp;
use crate::isa::{Addr, AtomicOp, Index, Inst, MemTy, Reg, Scope, Ty};
use crate::observe::{Access, AccessKind, Shape, bounds, initialisation};
use std::sync::atomic::Ordering::Relaxed;

/// An access, without its address.
#[derive(Debug, Clone, Copy)]
pub(super) enum What {
    Load { ty: MemTy, n: u8, volatile: bool, d: Reg },
    Store { ty: MemTy, n: u8, volatile: bool, a: Reg },
    Atomic { op: AtomicOp, ty: Ty, scope: Scope, d: Option<Reg>, a: Reg, b: Reg },
}

impl What {
    #[inline(always)]
    fn ty(&self) -> MemTy {
        match *self {
            What::Load { ty, .. } | What::Store { ty, .. } => ty,
            What::Atomic { ty, .. } if ty.slots() == 2 => MemTy::B64,
            What::Atomic { ty: Ty::F16 | Ty::Bf16, .. } => MemTy::U16,
            What::Atomic { .. } => MemTy::B32,
        }
    }

    #[inline(always)]
    fn components(&self) -> u32 {
        match *self {
            What::Load { n, .. } | What::Store { n, .. } => u32::from(n),
            What::Atomic { .. } => 1,
        }
    }

    #[inline(always)]
    pub(super) fn width(&self) -> u32 {
        self.ty().bytes() * self.components()
    }

    #[inline(always)]
    pub(super) fn kind(&self) -> AccessKind {
        match *self {
            What::Load { .. } => AccessKind::Load,
            What::Store { .. } => AccessKind::Store,
            What::Atomic { d: Some(_), .. } => AccessKind::Atomic,
            What::Atomic { .. } => AccessKind::Reduction,
        }
    }

    pub(super) fn volatile(&self) -> bool {
        matches!(self, What::Load { volatile: true, .. } | What::Store { volatile: true, .. })
    }

    /// Whether it is a look at what others may change.
    pub(super) fn polls(&self) -> bool {
        self.volatile() || matches!(self, What::Atomic { .. })
    }

    /// Whether it matters what was there. (Of an exchange whose result is dropped only the write is
    /// left.)
    fn asks(&self) -> bool {
        !matches!(self, What::Store { .. } | What::Atomic { op: AtomicOp::Exch, d: None, .. })
    }

    fn scope(&self) -> Scope {
        if let What::Atomic { scope, .. } = self { *scope } else { Scope::Device }
    }
}

/// An access, and its address.
#[inline(always)]
pub(super) fn of(inst: &Inst) -> Option<(What, Addr)> {
    Some(match *inst {
        Inst::Load { ty, n, volatile, d, addr } => (What::Load { ty, n, volatile, d }, addr),
        Inst::Store { ty, n, volatile, a, addr } => (What::Store { ty, n, volatile, a }, addr),
        Inst::Atomic { op, ty, scope, d, a, b, addr } => {
            (What::Atomic { op, ty, scope, d, a, b }, addr)
        }
        _ => return None,
    })
}

/// The pointers of all lanes.
#[inline(always)]
pub(super) fn addresses(r: &Registers, addr: &Addr) -> [u64; 32] {
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

/// Where lanes of one instruction access one object.
pub(super) struct Group {
    pub(super) space: Space,
    /// Index into [`Program::objects`] for global ones.
    pub(super) object: u32,
    pub(super) lanes: u32,
    /// Whether no other group of the instruction came before.
    pub(super) first: bool,
    /// How the offsets lie.
    pub(super) shape: Shape,
    /// The number of the pattern in which they lie; 0: of none that is known.
    pub(super) pattern: u64,
    /// The lowest and the highest offset, where there is a pattern.
    pub(super) extent: (u32, u32),
    /// Bytes from the start of the object, or of shared or local memory. Those of other lanes are
    /// harmless.
    pub(super) offsets: [u32; 32],
}

/// Does what an instruction asks, in the active lanes.
#[inline(always)]
pub(super) fn run(
    core: &mut Core<'_>,
    block: &mut Block,
    warp: &mut Warp,
    pc: u32,
    m: &Mask,
    what: &What,
    addr: &Addr,
) {
    warp.polled |= what.polls();
    let pointers = addresses(&warp.registers, addr);
    match one_object(core.program, &pointers, m, what.width()) {
        Some(mut group) => {
            let told = core.wants.accesses(group.space);
            if told {
                near::recognise(&mut core.near[pc as usize], &mut group, &mut core.pattern);
            }
            serve(core, block, warp, pc, what, &group, told);
        }
        None => several(core, block, warp, pc, m, what, &pointers),
    }
}

impl Group {
    /// The lowest and the highest offset.
    #[inline(always)]
    pub(super) fn extent(&self) -> (u32, u32) {
        match self.shape {
            Shape::One => (self.offsets[0], self.offsets[0]),
            _ if self.pattern != 0 => self.extent,
            _ => self.offsets.iter().fold((u32::MAX, 0), |(l, h), &at| (l.min(at), h.max(at))),
        }
    }
}

/// Does what a planned access asks, in the active lanes: how many instructions that were. `None`: it
/// is not as usual, and nothing has been done.
#[inline(always)]
pub(super) fn planned(
    core: &mut Core<'_>,
    block: &mut Block,
    warp: &mut Warp,
    pc: u32,
    m: &Mask,
    number: u32,
) -> Option<u32> {
    let pattern = &mut core.patterns[number as usize];
    let before = pattern.plan.before;
    let pc = pc + before;
    let mut told = pattern.told;
    let group = match pattern.matches(&warp.registers, m) {
        Some(first) => {
            pattern.again();
            if let (Some(to), true) = (pattern.plan.words_to, pattern.way != Way::Any) {
                if pattern.told {
                    hear(core, block, warp, pc, number, first);
                }
                load(core, block, warp, &core.patterns[number as usize], to, first);
                return Some(1 + before);
            }
            if told && let What::Store { volatile: false, .. } = pattern.plan.what {
                let place = (pattern.plan.space, pattern.plan.object);
                told = !core.observer.again(pc, place, pattern.number, first);
            }
            pattern.group(first)
        }
        None => {
            let width = pattern.plan.what.width();
            let mut group = pattern::resolve(&pattern.plan, &warp.registers, m, width)?;
            if m.bits == FULL {
                pattern.learn(&warp.registers, &mut group, &mut core.pattern);
            }
            group
        }
    };
    warp.polled |= pattern.plan.polls;
    let what = pattern.plan.what;
    serve(core, block, warp, pc, &what, &group, told);
    Some(1 + before)
}

/// Tells the observers of a load whose pattern is known, in as few words as they need.
#[inline(never)]
fn hear(core: &mut Core<'_>, block: &Block, warp: &Warp, pc: u32, number: u32, first: u32) {
    let pattern = &core.patterns[number as usize];
    let place = (pattern.plan.space, pattern.plan.object);
    // Whether what is read holds something is asked lane by lane.
    let doubtful = core.wants.checks
        && (place.0 != Space::Global || !core.program.objects[place.1 as usize].valid.is_empty());
    if !doubtful && core.observer.again(pc, place, pattern.number, first) {
        return;
    }
    let (what, group) = (pattern.plan.what, pattern.group(first));
    tell(core, block, warp, pc, &what, &group);
}

/// A load of words in a [`Way`], for all lanes.
#[inline(always)]
fn load(core: &Core<'_>, block: &Block, warp: &mut Warp, pattern: &Pattern, d: Reg, first: u32) {
    let to = warp.registers.row_mut(d);
    match pattern.plan.space {
        Space::Global => {
            let words = &core.program.objects[pattern.plan.object as usize].words[..];
            let wide = core.wide;
            match pattern.way {
                Way::One => warp.registers.fill(d, words[first as usize / 4].load(Relaxed)),
                Way::Row => copy(wide, words, first as usize / 4, to),
                Way::Sixteens(rows) => spread::<16>(
                    pattern,
                    rows,
                    first,
                    to,
                    |at| words[at].load(Relaxed),
                    |at, to| copy(wide, words, at, to),
                ),
                Way::Eights(rows) => spread::<8>(
                    pattern,
                    rows,
                    first,
                    to,
                    |at| words[at].load(Relaxed),
                    |at, to| copy(wide, words, at, to),
                ),
                Way::Any => {}
            }
        }
        Space::Shared => {
            let words = &block.shared[..];
            match pattern.way {
                Way::One => warp.registers.fill(d, words[first as usize / 4]),
                Way::Row => copy_own(words, first as usize / 4, to),
                Way::Sixteens(rows) => spread::<16>(
                    pattern,
                    rows,
                    first,
                    to,
                    |at| words[at],
                    |at, to| copy_own(words, at, to),
                ),
                Way::Eights(rows) => spread::<8>(
                    pattern,
                    rows,
                    first,
                    to,
                    |at| words[at],
                    |at, to| copy_own(words, at, to),
                ),
                Way::Any => {}
            }
        }
        // Planned otherwise.
        Space::Local => {}
    }
}

/// A load whose lanes lie part by part: a word for all of a part, or as many as it has lanes.
#[inline(always)]
fn spread<const N: usize>(
    pattern: &Pattern,
    rows: u8,
    first: u32,
    to: &mut [u32; 32],
    word: impl Fn(usize) -> u32,
    copy: impl Fn(usize, &mut [u32; N]),
) {
    for (part, to) in to.as_chunks_mut::<N>().0.iter_mut().enumerate() {
        let at = first.wrapping_add(pattern.places.0[part * N]) as usize / 4;
        match rows >> part & 1 {
            0 => *to = [word(at); N],
            _ => copy(at, to),
        }
    }
}

/// The usual case: all lanes are inside one object, and aligned.
#[inline(always)]
fn one_object(program: &Program<'_>, pointers: &[u64; 32], m: &Mask, width: u32) -> Option<Group> {
    let p = pointers[m.first()];
    let object = p >> OBJECT_SHIFT;
    let (space, index, base, size) = parts(program.target(object)?);
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
    let first = offsets[m.first()];
    let start = first.wrapping_sub(m.first() as u32 * width);
    let (mut row, mut one) = (0, 0);
    for lane in 0..32 {
        let active = m.lanes.0[lane];
        row |= (offsets[lane] ^ start.wrapping_add(lane as u32 * width)) & active;
        one |= offsets[lane] ^ first;
        offsets[lane] = offsets[lane].wrapping_add(base);
    }
    let shape = if row == 0 {
        Shape::Row
    } else if one == 0 {
        Shape::One
    } else {
        Shape::Any
    };
    Some(Group {
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
pub(super) fn parts(target: Target) -> (Space, u32, u32, u32) {
    match target {
        Target::Global(index, size) => (Space::Global, index, 0, size),
        Target::Heap(index, start, size) => (Space::Global, index, start, size),
        Target::Shared(base, size) => (Space::Shared, 0, base, size),
        Target::Local(base, size) => (Space::Local, 0, base, size),
    }
}

/// Accesses one object, and tells of it if anybody has to be `told`. Moving words lane by lane gains
/// nothing from wide vectors, so there is one copy of this for all.
#[inline(never)]
pub(super) fn serve(
    core: &mut Core<'_>,
    block: &mut Block,
    warp: &mut Warp,
    pc: u32,
    what: &What,
    g: &Group,
    told: bool,
) {
    let program = core.program;
    let kind = what.kind();
    if g.space == Space::Global
        && kind != AccessKind::Load
        && program.objects[g.object as usize].constant
    {
        core.faulted = true;
        bounds::report_constant(
            program,
            &mut core.findings,
            pc,
            g.lanes,
            g.object,
            block.linear,
            warp.number,
        );
        return;
    }
    if told {
        tell(core, block, warp, pc, what, g);
    }
    if kind != AccessKind::Load {
        validity::mark_written(program, block, warp, g, what.width(), core.wants.checks);
    }
    let words =
        if g.space == Space::Global { &program.objects[g.object as usize].words[..] } else { &[] };
    let Warp { registers, local, .. } = warp;
    let mut place = Place { space: g.space, words, shared: &mut block.shared, local };
    match *what {
        What::Load { ty, n, d, .. } => {
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
        What::Store { ty, n, a, .. } => {
            core.changed |= g.space != Space::Local;
            place.store(registers, g, ty, u32::from(n), a);
        }
        What::Atomic { .. } => core.changed |= atomic(&mut place, registers, what, g),
    }
}

/// An atomic, lane by lane; whether it changed anything.
#[inline(never)]
fn atomic(place: &mut Place<'_>, registers: &mut Registers, what: &What, g: &Group) -> bool {
    let What::Atomic { op, ty, d, a, b, .. } = *what else { return false };
    let wide = ty.slots() == 2;
    let bytes = what.ty().bytes();
    let mut changed = false;
    for lane in lanes_of(g.lanes) {
        let x = registers.lane(a, wide, lane);
        let y = if op == AtomicOp::Cas { registers.lane(b, wide, lane) } else { 0 };
        let new = |old| super::atomic::apply(op, ty, old, x, y);
        let old = place.update(lane, g.offsets[lane], bytes, new);
        changed |= new(old) != old;
        if let Some(d) = d {
            registers.set_lane(d, wide, lane, old);
        }
    }
    changed
}

/// Tells the observers.
#[inline(never)]
fn tell(core: &mut Core<'_>, block: &Block, warp: &Warp, pc: u32, what: &What, g: &Group) {
    let here = core.here(block, warp);
    let access = Access {
        pc,
        kind: what.kind(),
        scope: what.scope(),
        volatile: what.volatile(),
        compares: match *what {
            What::Atomic { op: AtomicOp::Cas, d: Some(_), a, ty, .. } => {
                Some((&warp.registers, a, ty.slots() == 2))
            }
            _ => None,
        },
        whole: g.first,
        space: g.space,
        object: g.object,
        lanes: g.lanes,
        shape: g.shape,
        pattern: g.pattern,
        offsets: &g.offsets,
        width: what.width(),
        stored: match *what {
            What::Store { a, ty, .. } => Some((&warp.registers, a, ty)),
            _ => None,
        },
        shared: &block.shared,
    };
    if core.wants.checks && what.asks() {
        let empty = validity::unwritten(core.program, block, warp, g, access.width);
        if empty != 0 {
            initialisation::report(&here, &access, &mut core.findings, empty);
        }
    }
    core.observer.access(&here, &access, &mut core.findings);
}
