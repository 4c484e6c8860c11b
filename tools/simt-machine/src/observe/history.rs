//! One block, step by step: where every warp stood and what every variable held, at any time.
//!
//! A debugger that goes backwards would have to undo what a step did. Here nothing is undone: a
//! recording holds, for each register and each word that a variable of the source can show, every
//! row of lanes that it ever held, with the time from which on it did ([`column`]). The state after
//! any step is looked up, in the same time wherever the step lies and whichever came before.
//!
//! Time is counted in steps: a step is one instruction of one warp, in the order in which the
//! machine took them, and what is asked for is always what holds *after* it. A variable is shown
//! in the lanes that are inside its scope and in which it was written; in no other lane, and not
//! at all where the compiler gave it no place ([`crate::isa::Home::Nowhere`]). A barrier opens with
//! the step of the warp that comes last.
//!
//! A launch that is recorded is neither counted nor judged. What it does is the same, and so are
//! its results.
//!
//! A step takes 12 bytes; an access 48, and 16 to 136 more for its lanes' places; a register that a
//! variable has and that is written 24 where its lanes hold the same or lie equally far apart, and
//! at most 272; a warp that begins to wait, parts or goes on about 60. Together that is 30 to 150
//! bytes a step of the book's kernels.

mod column;
mod record;
mod shared_arrays;
mod show;
pub(crate) mod trace;

use crate::diagnostic::{Sources, Span};
use crate::isa::{Debug, Home, Kernel, Object, Reg, Scalar, Variable};
use crate::machine::memory::{BIAS, OBJECT_SHIFT};
use crate::machine::program::Program;
use crate::observe::history::trace::{Place, Step, Touched, Trace, Work};
use column::{Column, Pool};
pub(crate) use record::Recorder;
pub use shared_arrays::Tile;
use std::collections::HashMap;

/// Which block is recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Record {
    /// The block's number in the grid, x fastest.
    pub block: u32,
    /// Instructions of its warps, all together, after which nothing more is recorded.
    pub steps: usize,
}

/// What the warps of one block did.
#[derive(Debug, Clone, Default)]
pub struct History {
    steps: Vec<Taken>,
    cut: bool,
    threads: u32,
    /// Of each instruction.
    sites: Vec<InstructionInfo>,
    tracks: Vec<Track>,
    /// Of each word of shared memory.
    shared: Vec<Column>,
    tiles: Vec<Tile>,
    /// What the columns of each warp are of.
    keys: Vec<Key>,
    known: HashMap<Key, u32>,
    touches: Vec<Touch>,
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
    /// The text of the instruction.
    pub span: Span,
    /// Its line of the translation unit, from 1; 0 where it stands in a header.
    pub line: u32,
    /// What sort of work it was.
    pub work: Work,
    /// The lanes that worked, a bit each.
    pub lanes: u32,
}

/// What holds after a step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snapshot {
    /// The step itself.
    pub moment: Moment,
    /// Every warp of the block, by number.
    pub warps: Vec<WarpState>,
    /// The variables in scope at the step, in its warp: outer scopes first.
    pub variables: Vec<Shown>,
    /// The arrays that the step went to.
    pub touched: Vec<Touched>,
}

/// Where a warp stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WarpState {
    /// Lanes that go their own way: those that can go on first. Empty: all have returned.
    pub parts: Vec<Group>,
}

/// Lanes of a warp that stand at one place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    /// The lanes, a bit each.
    pub lanes: u32,
    /// The instruction that comes next, or at which they wait.
    pub span: Span,
    /// Its line of the translation unit, from 1; 0 where it stands in a header.
    pub line: u32,
    /// What for, if they wait.
    pub waits: Option<Waiting>,
}

/// What lanes wait for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Waiting {
    /// At a barrier, for the other threads of the block.
    Barrier,
    /// At an exchange, for the lanes that its mask names.
    Lanes,
    /// Behind a branch, for the lanes that went the other way.
    Meeting,
}

/// A variable and what it holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shown {
    /// Index into [`History::variables`].
    pub variable: usize,
    /// For each lane the value as its type is written: `7`, `0.5`, `in + 3` (a pointer: the array,
    /// and how many of its elements further), `{x: 1.0, y: ?}`, `[1, 2]`. A part that was never
    /// written is `?`; a reference to memory is `at` a place. `None`: not here.
    pub values: Vec<Option<String>>,
    /// Whether this step gave it another value, in some lane of its warp.
    pub changed: bool,
}

/// An instruction that was taken.
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

/// What a column is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Key {
    /// `preloaded`: it holds the same from the start.
    Register { reg: Reg, wide: bool, preloaded: bool },
    /// A word of local memory.
    Local(u32),
}

/// A warp over time.
#[derive(Debug, Clone, Default)]
struct Track {
    /// By [`History::keys`], once it has begun.
    columns: Vec<Column>,
    standing: Vec<Standing>,
}

/// Where the lanes of a warp are, from some time on.
#[derive(Debug, Clone)]
struct Standing {
    time: u32,
    /// Whether it is in the midst of its turn: then one more part, of the lanes that work, is where
    /// the warp's next step is.
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

/// An array that a step went to; see [`Touched`].
#[derive(Debug, Clone)]
struct Touch {
    step: u32,
    place: Place,
    verb: &'static str,
    object: Option<u32>,
    width: u32,
    transactions: u32,
    /// In the pool.
    offsets: u32,
}

/// What objects are called: name, bytes of an element, start.
#[derive(Debug, Clone, Default)]
struct Names {
    /// Arrays, variables of the module, the heap.
    global: Vec<(String, u32, u32)>,
    /// How many of them are arrays.
    buffers: usize,
    shared: Vec<(String, u32, u32)>,
    local: Vec<(String, u32, u32)>,
}

impl Names {
    fn new(program: &Program<'_>) -> Names {
        let of = |all: &[Object]| {
            all.iter().map(|o| (o.name.clone(), o.element.size, o.offset)).collect()
        };
        Names {
            global: program.objects.iter().map(|o| (o.name.clone(), o.element.size, 0)).collect(),
            buffers: program.buffers(),
            shared: of(&program.kernel.shared),
            local: of(&program.kernel.locals),
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

    /// Whether there were more steps than [`Record::steps`], or more values than 512 MiB hold.
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

    /// Bytes that the recording takes, about.
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

    /// What a step was, the first being 0; `None` behind the last.
    pub fn moment(&self, step: usize) -> Option<Moment> {
        let taken = self.steps.get(step)?;
        let InstructionInfo { span, line, work } = self.sites[taken.pc as usize];
        Some(Moment { warp: u32::from(taken.warp), span, line, work, lanes: taken.lanes })
    }

    /// What holds after a step, the first being 0; `None` behind the last.
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

    /// The same of one warp, as figures draw it.
    pub(crate) fn trace(&self) -> Trace {
        let steps = self.steps.iter().enumerate().map(|(at, taken)| {
            let InstructionInfo { line, work, .. } = self.sites[taken.pc as usize];
            Step { line, lanes: taken.lanes, work, touched: self.touched(at).collect() }
        });
        Trace { steps: steps.collect(), cut: self.cut }
    }

    fn touched(&self, step: usize) -> impl Iterator<Item = Touched> + '_ {
        let first = self.touches.partition_point(|t| (t.step as usize) < step);
        let own = self.touches[first..].iter().take_while(move |t| t.step as usize == step);
        own.map(|t| {
            let names = match t.place {
                Place::Global | Place::Constant => &self.names.global,
                Place::Shared => &self.names.shared,
                Place::Local => &self.names.local,
            };
            let named = t.object.and_then(|object| names.get(object as usize));
            let (array, element, start) = named.cloned().unwrap_or_default();
            let row = self.pool.get(t.offsets);
            Touched {
                place: t.place,
                verb: t.verb,
                array,
                element,
                width: t.width,
                lanes: row.valid[0],
                offsets: row.values.map(|v| v as u32),
                start,
                transactions: t.transactions,
            }
        })
    }

    /// Where the lanes of a warp are after a step: those that can go on first.
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
            // Where they go on is where they are seen next; at the end of a recording that is cut,
            // where they were last.
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

    /// The number of a column, made if there is none.
    fn key(&mut self, key: Key) -> u32 {
        let next = self.keys.len() as u32;
        let number = *self.known.entry(key).or_insert(next);
        if number == next {
            self.keys.push(key);
        }
        number
    }

    fn register(&mut self, kernel: &Kernel, reg: Reg, wide: bool, preloaded: &[Reg]) {
        // A kernel written by hand may say what it likes.
        if reg.saturating_add(u16::from(wide)) < kernel.registers {
            self.key(Key::Register { reg, wide, preloaded: preloaded.contains(&reg) });
        }
    }

    fn register_column(&self, reg: Reg, wide: bool) -> Option<u32> {
        let find = |preloaded| self.known.get(&Key::Register { reg, wide, preloaded });
        find(true).or_else(|| find(false)).copied()
    }

    /// The columns of its warp in which a scalar of a variable is.
    fn keys_of(&self, home: Home, scalar: Scalar, slot: u16, offset: u32, f: &mut dyn FnMut(u32)) {
        match home {
            Home::Registers(reg) => {
                let column = self.register_column(reg.saturating_add(slot), scalar.bytes() == 8);
                column.into_iter().for_each(f);
            }
            Home::Local(object) => {
                let start = self.names.local.get(usize::from(object)).map_or(0, |o| o.2);
                for word in words(start + offset, scalar) {
                    self.known.get(&Key::Local(word)).copied().into_iter().for_each(&mut *f);
                }
            }
            Home::Shared(_) | Home::Address(_) | Home::Nowhere => {}
        }
    }
}

/// The words in which a scalar at this place is.
fn words(at: u32, scalar: Scalar) -> std::ops::Range<u32> {
    at / 4..(at + scalar.bytes()).div_ceil(4)
}

/// A pointer's object and the bytes from its start.
fn place_of(pointer: u64) -> (u64, i64) {
    let within = pointer & ((1 << OBJECT_SHIFT) - 1);
    (pointer >> OBJECT_SHIFT, within as i64 - BIAS as i64)
}
