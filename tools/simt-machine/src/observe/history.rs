//! History: one block, step by step. Where every warp was and what every variable held, at any time.
//!
//! A reverse debugger would have to undo steps. Here a recording is a *column store*: for each register
//! and each word that a variable of the source can show, every row of lanes that it ever held, with the
//! time of the change ([`column`]). The state after any step is found by binary search.
//!
//! Time is counted in steps: a step is one instruction of one warp, in the order of execution, and every
//! query is for the state *after* it. A variable is shown in the lanes that are inside its scope and have
//! written it, and not at all if the compiler gave it no location ([`crate::isa::Home::Nowhere`]). A
//! barrier opens with the step of the last warp that arrives.
//!
//! A launch that is recorded is neither counted nor checked; its results are the same.
//!
//! A step takes 12 bytes; an access 56, and 16 to 136 more for the lanes' offsets, and as much again
//! for the values of one in global memory; a write to a register
//! of a variable 24 if its lanes are equal or equally spaced, and 272 at most; a warp that starts to
//! wait, diverges or goes on about 60. For the book's kernels that is 30 to 150 bytes per step.

mod column;
mod phases;
mod places;
mod record;
mod shared_arrays;
mod show;
pub(crate) mod trace;

use crate::diagnostic::{Sources, Span};
use crate::isa::{Debug, Element, Home, Kernel, Object, Reg, Scalar, Variable};
use crate::machine::memory::{BIAS, OBJECT_SHIFT};
use crate::machine::prepared_kernel::PreparedKernel;
use crate::observe::history::trace::{ArraySpace, Step, Touched, Trace, Work};
use column::{Column, Pool};
pub use phases::{CountedCopy, EndedWait, PhaseEnd, Phases};
pub use places::{ArrayId, ArrayInfo, Place};
pub(crate) use record::Recorder;
pub use shared_arrays::Tile;
use std::collections::HashMap;

/// Which block is recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Record {
    /// The block's number in the grid, x fastest.
    pub block: u32,
    /// Instructions of all its warps after which nothing more is recorded.
    pub steps: usize,
}

/// What the warps of one block did.
#[derive(Debug, Clone, Default)]
pub struct History {
    steps: Vec<Taken>,
    cut: bool,
    threads: u32,
    /// For each instruction.
    sites: Vec<InstructionInfo>,
    tracks: Vec<Track>,
    /// For each word of shared memory.
    shared: Vec<Column>,
    tiles: Vec<Tile>,
    /// What the columns of each warp hold.
    keys: Vec<Key>,
    known: HashMap<Key, u32>,
    touches: Vec<Touch>,
    phases: Phases,
    pool: Pool,
    debug: Debug,
    names: Names,
    sources: Sources,
}

/// What a step was.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Moment {
    /// The warp's number in the block.
    pub warp: u32,
    /// The source position of the instruction.
    pub span: Span,
    /// Its line of the translation unit, from 1; 0 if it is in a header.
    pub line: u32,
    /// The kind of instruction.
    pub work: Work,
    /// The active lanes, a bit each.
    pub lanes: u32,
}

/// The state after a step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snapshot {
    /// The step itself.
    pub moment: Moment,
    /// Every warp of the block, by number.
    pub warps: Vec<WarpState>,
    /// The variables in scope at the step, in its warp: outer scopes first.
    pub variables: Vec<Shown>,
    /// The arrays that the step accessed.
    pub touched: Vec<Touched>,
}

/// Where the lanes of a warp are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WarpState {
    /// Its splits: those that can go on first. Empty: all lanes have returned.
    pub parts: Vec<Group>,
}

/// Lanes of a warp at one instruction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    /// The lanes, a bit each.
    pub lanes: u32,
    /// The next instruction, or the one that waits.
    pub span: Span,
    /// Its line of the translation unit, from 1; 0 if it is in a header.
    pub line: u32,
    /// What they wait for, if they wait.
    pub waits: Option<Waiting>,
}

/// What lanes wait for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Waiting {
    /// A barrier, or the products of a warp group: other threads of the block.
    Barrier,
    /// A `*_sync` operation: the lanes that its mask names.
    Lanes,
    /// The end of a divergent branch: the lanes that went the other way.
    Meeting,
}

/// A variable and its values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shown {
    /// Index into [`History::variables`].
    pub variable: usize,
    /// For each lane the value as its type is written: `7`, `0.5`, `in + 3` (a pointer: the array and the
    /// number of elements), `{x: 1.0, y: ?}`, `[1, 2]`. A part that was never written is `?`; a reference
    /// to memory is `at` an address. `None`: the lane does not have it.
    pub values: Vec<Option<String>>,
    /// Whether this step changed it, in some lane of its warp.
    pub changed: bool,
}

/// A step.
#[derive(Debug, Clone, Copy)]
struct Taken {
    pc: u32,
    lanes: u32,
    warp: u16,
}

#[derive(Debug, Clone, Copy)]
struct InstructionInfo {
    span: Span,
    line: u32,
    work: Work,
}

/// What a column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Key {
    /// `preloaded`: it has its value from the start.
    Register { reg: Reg, wide: bool, preloaded: bool },
    /// A word of local memory.
    Local(u32),
}

/// A warp over time.
#[derive(Debug, Clone, Default)]
struct Track {
    /// By [`History::keys`], from the warp's first step on.
    columns: Vec<Column>,
    standing: Vec<Standing>,
}

/// Where the lanes of a warp are, from some time on.
#[derive(Debug, Clone)]
struct Standing {
    time: u32,
    /// Whether it is within its turn: then the running lanes are one more part, at the warp's next step.
    running: bool,
    live: u32,
    parts: Vec<Part>,
}

impl Standing {
    fn same(&self, other: &Standing) -> bool {
        (self.running, self.live, &self.parts) == (other.running, other.live, &other.parts)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Part {
    pc: u32,
    lanes: u32,
    waits: Option<Waiting>,
}

/// An array that a step accessed; see [`Touched`].
#[derive(Debug, Clone)]
struct Touch {
    step: u32,
    space: ArraySpace,
    verb: &'static str,
    object: Option<u32>,
    width: u32,
    transactions: u32,
    /// Index into the pool.
    offsets: u32,
    /// Index into the pool of what was read or written, if that is known: one value per lane of
    /// global memory, and no atomic.
    values: Option<u32>,
}

/// The objects of a launch.
#[derive(Debug, Clone, Default)]
struct Names {
    /// Arrays, variables of the module, the heap.
    global: Vec<Named>,
    /// How many of them are arrays.
    buffers: usize,
    shared: Vec<Named>,
    local: Vec<Named>,
}

#[derive(Debug, Clone)]
struct Named {
    name: String,
    /// The type of its elements, as C++ spells it, and its bytes.
    ty: String,
    element: u32,
    /// Bytes from the start of its memory.
    start: u32,
    bytes: u32,
}

impl Names {
    fn new(prepared: &PreparedKernel<'_>) -> Names {
        let named = |name: &str, element: &Element, start: u32, bytes: u32| Named {
            name: name.to_owned(),
            ty: element.name.clone(),
            element: element.size,
            start,
            bytes,
        };
        let size = |o: &Object| match o.dynamic {
            true => prepared.shared_bytes.saturating_sub(o.offset),
            false => o.size,
        };
        let of = |all: &[Object]| {
            all.iter().map(|o| named(&o.name, &o.element, o.offset, size(o))).collect()
        };
        let global = prepared.objects.iter().map(|o| named(&o.name, &o.element, 0, o.bytes as u32));
        Names {
            global: global.collect(),
            buffers: prepared.buffers(),
            shared: of(&prepared.kernel.shared),
            local: of(&prepared.kernel.locals),
        }
    }

    fn of(&self, space: ArraySpace) -> &[Named] {
        match space {
            ArraySpace::Global | ArraySpace::Constant => &self.global,
            ArraySpace::Shared => &self.shared,
            ArraySpace::Local => &self.local,
        }
    }
}

impl History {
    /// How many steps were recorded.
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// Whether there is no such block.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// Whether there were more steps than [`Record::steps`], or more than 512 MiB of values.
    pub fn cut(&self) -> bool {
        self.cut
    }

    /// How many warps the block has.
    pub fn warps(&self) -> usize {
        self.tracks.len()
    }

    /// Every variable of the kernel and of the functions inlined in it.
    pub fn variables(&self) -> &[Variable] {
        &self.debug.variables
    }

    /// The text that the spans point to.
    pub fn sources(&self) -> &Sources {
        &self.sources
    }

    /// The size of the recording, about.
    pub fn bytes(&self) -> usize {
        let track = |t: &Track| {
            let parts = |s: &Standing| size_of::<Standing>() + s.parts.len() * size_of::<Part>();
            t.columns.iter().map(Column::bytes).sum::<usize>()
                + t.standing.iter().map(parts).sum::<usize>()
        };
        self.steps.len() * size_of::<Taken>()
            + self.touches.len() * size_of::<Touch>()
            + self.pool.bytes()
            + self.shared.iter().map(Column::bytes).sum::<usize>()
            + self.tracks.iter().map(track).sum::<usize>()
    }

    /// A step, the first being 0; `None` after the last.
    pub fn moment(&self, step: usize) -> Option<Moment> {
        let taken = self.steps.get(step)?;
        let InstructionInfo { span, line, work } = self.sites[taken.pc as usize];
        Some(Moment { warp: u32::from(taken.warp), span, line, work, lanes: taken.lanes })
    }

    /// The state after a step, the first being 0; `None` after the last.
    pub fn after(&self, step: usize) -> Option<Snapshot> {
        let moment = self.moment(step)?;
        let warps = (0..self.tracks.len()).map(|w| self.warp(w, step)).collect();
        Some(Snapshot {
            moment,
            warps,
            variables: self.shown(step),
            touched: self.touched(step).collect(),
        })
    }

    /// The same for one warp, as figures draw it.
    pub(crate) fn trace(&self) -> Trace {
        let steps = self.steps.iter().enumerate().map(|(at, taken)| {
            let InstructionInfo { line, work, .. } = self.sites[taken.pc as usize];
            Step { line, lanes: taken.lanes, work, touched: self.touched(at).collect() }
        });
        Trace { steps: steps.collect(), cut: self.cut }
    }

    /// The accesses of a step, with the values if they are known: of one number per lane in global
    /// memory, and not of atomics.
    pub fn accesses(&self, step: usize) -> impl Iterator<Item = (Touched, Option<[u64; 32]>)> + '_ {
        let first = self.touches.partition_point(|t| (t.step as usize) < step);
        let values = self.touches[first..].iter().map(|touch| touch.values);
        let values = values.map(|at| at.map(|at| self.pool.get(at).values));
        self.touched(step).zip(values)
    }

    /// The phases of its mbarriers, and the copies that count at them.
    pub fn phases(&self) -> &Phases {
        &self.phases
    }

    fn touched(&self, step: usize) -> impl Iterator<Item = Touched> + '_ {
        let first = self.touches.partition_point(|t| (t.step as usize) < step);
        let own = self.touches[first..].iter().take_while(move |t| t.step as usize == step);
        own.map(|t| {
            let names = self.names.of(t.space);
            let named = t.object.and_then(|object| names.get(object as usize));
            let row = self.pool.get(t.offsets);
            Touched {
                space: t.space,
                verb: t.verb,
                object: t.object,
                array: named.map_or_else(String::new, |named| named.name.clone()),
                element: named.map_or(0, |named| named.element),
                width: t.width,
                lanes: row.valid[0],
                offsets: row.values.map(|v| v as u32),
                start: named.map_or(0, |named| named.start),
                transactions: t.transactions,
            }
        })
    }

    /// The splits of a warp after a step: those that can go on first.
    fn parts(&self, warp: usize, step: usize) -> Vec<Part> {
        let time = step + 1;
        let track = &self.tracks[warp];
        let next = track.standing.partition_point(|s| s.time as usize <= time);
        let Some(now) = next.checked_sub(1).map(|i| &track.standing[i]) else {
            // It has not begun.
            let threads = self.threads.saturating_sub(warp as u32 * 32).min(32);
            let lanes = u32::MAX.checked_shr(32 - threads).unwrap_or(0);
            return vec![Part { pc: 0, lanes, waits: None }];
        };
        let mut parts = now.parts.clone();
        parts.sort_by_key(|p| (p.waits.is_some(), p.pc));
        if now.running {
            let others = parts.iter().fold(0, |all, p| all | p.lanes);
            let lanes = now.live & !others;
            // The running lanes are at the warp's next step; at the end of a recording that is cut, at the last
            // one.
            let ahead = self.steps.get(time).filter(|s| usize::from(s.warp) == warp);
            let at = ahead.or_else(|| self.steps.get(step)).map_or(0, |s| s.pc);
            if lanes != 0 {
                parts.insert(0, Part { pc: at, lanes, waits: None });
            }
        }
        parts
    }

    fn warp(&self, warp: usize, step: usize) -> WarpState {
        let parts = self.parts(warp, step).into_iter().map(|p| {
            let InstructionInfo { span, line, .. } = self.sites[p.pc as usize];
            Group { lanes: p.lanes, span, line, waits: p.waits }
        });
        WarpState { parts: parts.collect() }
    }

    /// The number of a column, which is made if there is none.
    fn key(&mut self, key: Key) -> u32 {
        let next = self.keys.len() as u32;
        let number = *self.known.entry(key).or_insert(next);
        if number == next {
            self.keys.push(key);
        }
        number
    }

    fn register(&mut self, kernel: &Kernel, reg: Reg, wide: bool, preloaded: &[Reg]) {
        // A kernel that no compiler made may name any register.
        if reg.saturating_add(u16::from(wide)) < kernel.registers {
            self.key(Key::Register { reg, wide, preloaded: preloaded.contains(&reg) });
        }
    }

    fn register_column(&self, reg: Reg, wide: bool) -> Option<u32> {
        let find = |preloaded| self.known.get(&Key::Register { reg, wide, preloaded });
        find(true).or_else(|| find(false)).copied()
    }

    /// The columns of its warp that hold a scalar of a variable.
    fn keys_of(&self, home: Home, scalar: Scalar, slot: u16, offset: u32, f: &mut dyn FnMut(u32)) {
        match home {
            Home::Registers(reg) => {
                let column = self.register_column(reg.saturating_add(slot), scalar.bytes() == 8);
                column.into_iter().for_each(f);
            }
            Home::Local(object) => {
                let start = self.names.local.get(usize::from(object)).map_or(0, |o| o.start);
                for word in words(start + offset, scalar) {
                    self.known.get(&Key::Local(word)).copied().into_iter().for_each(&mut *f);
                }
            }
            Home::Shared(_) | Home::Address(_) | Home::Nowhere => {}
        }
    }
}

/// The words of a scalar at this offset.
fn words(at: u32, scalar: Scalar) -> std::ops::Range<u32> {
    at / 4..(at + scalar.bytes()).div_ceil(4)
}

/// The number in a pointer, of its space and object, and the bytes from the object's start.
fn place_of(pointer: u64) -> (u64, i64) {
    let within = pointer & ((1 << OBJECT_SHIFT) - 1);
    (pointer >> OBJECT_SHIFT, within as i64 - BIAS as i64)
}
