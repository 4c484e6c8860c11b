//! Loads, stores and atomics.
//!
//! Every access is checked, with any observers and none: an address that is outside its object or
//! not aligned is not accessed (a load gives 0), and reported. Lanes of one instruction may point
//! into different objects; they are served object by object.

use super::block::Block;
use super::core::Core;
use super::memory::{BIAS, OBJECT_SHIFT, Space};
use super::program::{Program, Target, widen};
use super::simd::{Mask, Registers, lanes_of};
use super::warp::Warp;
use crate::isa::{Addr, AtomicOp, Index, MemTy, Reg, Scope, Ty};
use crate::observe::{Access, AccessKind, Observer, bounds, initialisation};
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// An access, without its address.
#[derive(Debug, Clone, Copy)]
pub(super) enum What {
    Load { ty: MemTy, n: u8, volatile: bool, d: Reg },
    Store { ty: MemTy, n: u8, volatile: bool, a: Reg },
    Atomic { op: AtomicOp, ty: Ty, scope: Scope, d: Option<Reg>, a: Reg, b: Reg },
}

impl What {
    fn ty(&self) -> MemTy {
        match *self {
            What::Load { ty, .. } | What::Store { ty, .. } => ty,
            What::Atomic { ty, .. } if ty.slots() == 2 => MemTy::B64,
            What::Atomic { .. } => MemTy::B32,
        }
    }

    fn components(&self) -> u32 {
        match *self {
            What::Load { n, .. } | What::Store { n, .. } => u32::from(n),
            What::Atomic { .. } => 1,
        }
    }

    fn kind(&self) -> AccessKind {
        match *self {
            What::Load { .. } => AccessKind::Load,
            What::Store { .. } => AccessKind::Store,
            What::Atomic { d: Some(_), .. } => AccessKind::Atomic,
            What::Atomic { .. } => AccessKind::Reduction,
        }
    }

    fn volatile(&self) -> bool {
        matches!(self, What::Load { volatile: true, .. } | What::Store { volatile: true, .. })
    }

    fn scope(&self) -> Scope {
        if let What::Atomic { scope, .. } = self { *scope } else { Scope::Device }
    }
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

/// Where the lanes of one object access it.
struct Group {
    space: Space,
    /// Index into [`super::program::Program::objects`] for global ones.
    object: u32,
    lanes: u32,
    /// Whether no other group of the instruction came before.
    first: bool,
    /// Bytes from the start of the object, or of shared or local memory.
    offsets: [u32; 32],
}

/// Does what an instruction asks, in the active lanes.
#[inline(never)]
pub(super) fn run<O: Observer>(
    core: &mut Core<'_, O>,
    block: &mut Block,
    warp: &mut Warp,
    pc: u32,
    m: &Mask,
    what: &What,
    addr: &Addr,
) {
    if what.volatile() {
        warp.polled = true;
    }
    let pointers = addresses(&warp.registers, addr);
    let width = what.ty().bytes() * what.components();
    let mut left = m.bits;
    let mut bad = 0;
    let mut first = true;
    while left != 0 {
        let Some(mut group) = next_group(core, &pointers, &mut left, &mut bad, width) else {
            break;
        };
        group.first = first && group.lanes != 0;
        first &= group.lanes == 0;
        serve(core, block, warp, pc, what, &group);
    }
    if bad != 0 {
        core.faulted = true;
        bounds::report(
            core.program,
            &mut core.findings,
            pc,
            what.kind(),
            bad,
            &pointers,
            width,
            block.linear,
            warp.number,
        );
        if let What::Load { ty, n, d, .. } = *what {
            for part in 0..u16::from(n) {
                for lane in lanes_of(bad) {
                    warp.registers.set_lane(d + part * ty.slots(), ty.slots() == 2, lane, 0);
                }
            }
        }
        if let What::Atomic { ty, d: Some(d), .. } = *what {
            for lane in lanes_of(bad) {
                warp.registers.set_lane(d, ty.slots() == 2, lane, 0);
            }
        }
    }
}

/// Takes out of `left` the lanes that go where its first lane goes.
fn next_group<O: Observer>(
    core: &Core<'_, O>,
    pointers: &[u64; 32],
    left: &mut u32,
    bad: &mut u32,
    width: u32,
) -> Option<Group> {
    let mut group: Option<Group> = None;
    for lane in lanes_of(*left) {
        let object = pointers[lane] >> OBJECT_SHIFT;
        let target = core.program.target(object);
        let rel = pointers[lane].wrapping_sub((object << OBJECT_SHIFT) | BIAS);
        let (space, index, base, size) = match target {
            Some(Target::Global(index, size)) => (Space::Global, index, 0, size),
            Some(Target::Shared(base, size)) => (Space::Shared, 0, base, size),
            Some(Target::Local(base, size)) => (Space::Local, 0, base, size),
            None => {
                *bad |= 1 << lane;
                *left &= !(1 << lane);
                continue;
            }
        };
        let g = group.get_or_insert(Group {
            space,
            object: index,
            lanes: 0,
            first: false,
            offsets: [0; 32],
        });
        if (g.space, g.object) != (space, index) {
            continue;
        }
        *left &= !(1 << lane);
        if rel > u64::from(size)
            || u64::from(size) - rel < u64::from(width)
            || rel % u64::from(width) != 0
        {
            *bad |= 1 << lane;
            continue;
        }
        g.lanes |= 1 << lane;
        g.offsets[lane] = base + rel as u32;
    }
    group
}

fn serve<O: Observer>(
    core: &mut Core<'_, O>,
    block: &mut Block,
    warp: &mut Warp,
    pc: u32,
    what: &What,
    g: &Group,
) {
    if g.lanes == 0 {
        return;
    }
    let program = core.program;
    if g.space == Space::Global
        && program.objects[g.object as usize].constant
        && what.kind() != AccessKind::Load
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
    let (ty, n) = (what.ty(), what.components());
    if O::MEMORY {
        let here = core.here(block, warp);
        let access = Access {
            pc,
            kind: what.kind(),
            scope: what.scope(),
            volatile: what.volatile(),
            whole: g.first,
            space: g.space,
            object: g.object,
            lanes: g.lanes,
            offsets: &g.offsets,
            width: ty.bytes() * n,
            stored: match *what {
                What::Store { a, .. } => Some((&warp.registers, a, ty)),
                _ => None,
            },
            shared: &block.shared,
        };
        if O::CHECKS && what.kind() != AccessKind::Store {
            let empty = unwritten(program, block, warp, g, access.width);
            if empty != 0 {
                initialisation::report(&here, &access, &mut core.findings, empty);
            }
        }
        core.observer.access(&here, &access, &mut core.findings);
    }
    if what.kind() != AccessKind::Load {
        mark_written::<O>(program, block, warp, g, ty.bytes() * n);
    }
    let words =
        if g.space == Space::Global { &program.objects[g.object as usize].words[..] } else { &[] };
    let Warp { registers, local, .. } = warp;
    let mut place = Place { space: g.space, words, shared: &mut block.shared, local };
    match *what {
        What::Load { d, .. } => {
            for part in 0..n {
                let to = d + part as u16 * ty.slots();
                for lane in lanes_of(g.lanes) {
                    let bits = place.read(lane, g.offsets[lane] + part * ty.bytes(), ty.bytes());
                    registers.set_lane(to, ty.slots() == 2, lane, widen(bits, ty));
                }
            }
        }
        What::Store { a, .. } => {
            for lane in lanes_of(g.lanes) {
                for part in 0..n {
                    let bits = registers.lane(a + part as u16 * ty.slots(), ty.slots() == 2, lane);
                    place.write(lane, g.offsets[lane] + part * ty.bytes(), ty.bytes(), bits);
                }
            }
        }
        What::Atomic { op, ty, d, a, b, .. } => {
            let wide = ty.slots() == 2;
            for lane in lanes_of(g.lanes) {
                let (x, y) = (registers.lane(a, wide, lane), registers.lane(b, wide, lane));
                let old = place.update(lane, g.offsets[lane], wide, |old| {
                    super::atomic::apply(op, ty, old, x, y)
                });
                if let Some(d) = d {
                    registers.set_lane(d, wide, lane, old);
                }
            }
        }
    }
}

/// The bits of a word's bytes that an access of `width` bytes covers.
fn nibble(offset: u32, width: u32) -> u8 {
    if width >= 4 { 0xF } else { ((1u8 << width) - 1) << (offset % 4) }
}

/// Lanes that would read bytes which hold nothing.
fn unwritten(program: &Program<'_>, block: &Block, warp: &Warp, g: &Group, width: u32) -> u32 {
    let valid: &dyn Fn(usize, usize) -> u8 = match g.space {
        Space::Global => {
            let valid = &program.objects[g.object as usize].valid;
            if valid.is_empty() {
                return 0;
            }
            &|_, at| valid[at].load(Relaxed)
        }
        Space::Shared => &|_, at| block.shared_valid[at],
        Space::Local => &|lane, at| warp.local_valid[at * 32 + lane],
    };
    let mut empty = 0;
    for lane in lanes_of(g.lanes) {
        let need = nibble(g.offsets[lane], width);
        for at in g.offsets[lane] / 4..(g.offsets[lane] + width).div_ceil(4) {
            if valid(lane, at as usize) & need != need {
                empty |= 1 << lane;
            }
        }
    }
    empty
}

/// Notes that bytes hold something now.
fn mark_written<O: Observer>(
    program: &Program<'_>,
    block: &mut Block,
    warp: &mut Warp,
    g: &Group,
    width: u32,
) {
    let global = match g.space {
        Space::Global => &program.objects[g.object as usize].valid[..],
        _ => &[],
    };
    if (g.space == Space::Global && global.is_empty()) || (g.space != Space::Global && !O::CHECKS) {
        return;
    }
    for lane in lanes_of(g.lanes) {
        let have = nibble(g.offsets[lane], width);
        for at in g.offsets[lane] / 4..(g.offsets[lane] + width).div_ceil(4) {
            let at = at as usize;
            match g.space {
                Space::Global if global[at].load(Relaxed) & have == have => {}
                Space::Global => {
                    global[at].fetch_or(have, Relaxed);
                }
                Space::Shared => block.shared_valid[at] |= have,
                Space::Local => warp.local_valid[at * 32 + lane] |= have,
            }
        }
    }
}

/// One of the three spaces, as bytes.
struct Place<'a> {
    space: Space,
    words: &'a [AtomicU32],
    shared: &'a mut [u32],
    local: &'a mut [u32],
}

impl Place<'_> {
    #[inline(always)]
    fn word(&self, lane: usize, at: usize) -> u32 {
        match self.space {
            Space::Global => self.words[at].load(Relaxed),
            Space::Shared => self.shared[at],
            Space::Local => self.local[at * 32 + lane],
        }
    }

    #[inline(always)]
    fn set_word(&mut self, lane: usize, at: usize, value: u32) {
        match self.space {
            Space::Global => self.words[at].store(value, Relaxed),
            Space::Shared => self.shared[at] = value,
            Space::Local => self.local[at * 32 + lane] = value,
        }
    }

    #[inline(always)]
    fn read(&self, lane: usize, offset: u32, bytes: u32) -> u64 {
        let at = (offset / 4) as usize;
        match bytes {
            8 => u64::from(self.word(lane, at)) | u64::from(self.word(lane, at + 1)) << 32,
            4 => u64::from(self.word(lane, at)),
            _ => u64::from(self.word(lane, at) >> (offset % 4 * 8)),
        }
    }

    #[inline(always)]
    fn write(&mut self, lane: usize, offset: u32, bytes: u32, value: u64) {
        let at = (offset / 4) as usize;
        match bytes {
            8 => {
                self.set_word(lane, at, value as u32);
                self.set_word(lane, at + 1, (value >> 32) as u32);
            }
            4 => self.set_word(lane, at, value as u32),
            _ => {
                let keep = !(((1u32 << (bytes * 8)) - 1) << (offset % 4 * 8));
                let new = ((value as u32) << (offset % 4 * 8)) & !keep;
                if self.space == Space::Global {
                    // Another thread of this computer may write the word's other bytes.
                    let _ =
                        self.words[at].fetch_update(Relaxed, Relaxed, |old| Some(old & keep | new));
                } else {
                    let old = self.word(lane, at);
                    self.set_word(lane, at, old & keep | new);
                }
            }
        }
    }

    /// Replaces the value at `offset`; the old one is returned.
    #[inline(always)]
    fn update(&mut self, lane: usize, offset: u32, wide: bool, f: impl Fn(u64) -> u64) -> u64 {
        let at = (offset / 4) as usize;
        if self.space == Space::Global && !wide {
            let result =
                self.words[at].fetch_update(Relaxed, Relaxed, |old| Some(f(u64::from(old)) as u32));
            return u64::from(result.unwrap_or_else(|old| old));
        }
        let bytes = if wide { 8 } else { 4 };
        let old = self.read(lane, offset, bytes);
        self.write(lane, offset, bytes, f(old));
        old
    }
}
