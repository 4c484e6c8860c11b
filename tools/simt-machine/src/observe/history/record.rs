//! The recorder of the history. The machine emits an event before each instruction; the recorder reads
//! its results at the next event, or at the end of the warp's turn.
//!
//! Only what can be shown is kept: the registers of variables, their words of local memory, and all of
//! shared memory. Temporary registers, which are most, cost nothing.

use super::column::{Column, LaneRow};
use super::{
    History, InstructionInfo, Key, Names, Part, Standing, Taken, Touch, Track, shared_arrays,
};
use crate::event::{
    Access, AccessKind, Awaited, BarrierId, Interests, Issue, Observer, Space, SplitState,
    WarpContext, WarpView,
};
use crate::isa::operands::Role;
use crate::isa::{BarrierKind, Category, Home, Inst, Kernel};
use crate::lanes::lanes_of;
use crate::machine::interrupt::Interrupt;
use crate::machine::prepared_kernel::PreparedKernel;
use crate::observe::counters::warp_aggregation::{WarpAggregation, aggregations};
use crate::observe::counters::{bank_conflicts, coalescing};
use crate::observe::{ArraySpace, Work};

/// Bytes of values at most; later steps are not recorded.
const MOST_BYTES: usize = 512 << 20;

/// Records a block, or one warp of it.
#[derive(Debug)]
pub(crate) struct Recorder<'a> {
    prepared: &'a PreparedKernel<'a>,
    /// For each instruction, when it is a warp-aggregated atomic.
    aggregations: Vec<WarpAggregation>,
    block: u32,
    warp: Option<u32>,
    most: usize,
    /// What stops the launch when the recording is full.
    ends: Option<Interrupt>,
    /// Whether the warp whose turn it is is recorded.
    on: bool,
    history: History,
    /// What each instruction does to which column, by instruction.
    effects: Vec<(u32, Effect)>,
    /// The column of each word of local memory, if it has one.
    local: Vec<Option<u32>>,
    /// The step whose results are not read yet.
    pending: Option<Pending>,
    /// For each warp, the barriers at which it waits and that write registers: instruction and lanes.
    arrived: Vec<Vec<(u32, u32)>>,
}

/// What an instruction does to a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Effect {
    /// A variable begins, without a value.
    Begin(u32),
    Write(u32),
}

#[derive(Debug, Default)]
struct Pending {
    /// The time after the step.
    time: u32,
    pc: u32,
    lanes: u32,
    /// Words written: the space, the column, and for each byte the lanes.
    words: Vec<(Space, u32, [u32; 4])>,
}

impl<'a> Recorder<'a> {
    /// Records a block, or one warp of it, for so many steps.
    pub(crate) fn new(
        prepared: &'a PreparedKernel<'a>,
        block: u32,
        warp: Option<u32>,
        most: usize,
    ) -> Self {
        let kernel = prepared.kernel;
        let position = |span| prepared.module.sources.position(span);
        let sites = kernel.code.iter().zip(&kernel.spans).map(|(inst, span)| InstructionInfo {
            span: *span,
            line: if span.file == 0 { position(*span).line } else { 0 },
            work: work(inst),
        });
        let mut history = History {
            sites: sites.collect(),
            threads: prepared.threads,
            tracks: vec![Track::default(); prepared.warps as usize],
            debug: kernel.debug.clone(),
            names: Names::new(prepared),
            sources: prepared.module.sources.clone(),
            ..History::default()
        };
        let mut local = Vec::new();
        if warp.is_none() {
            local = columns(prepared, &mut history);
            history.shared = vec![Column::default(); prepared.shared_words];
            history.tiles = shared_arrays::of(prepared, &history.debug);
        }
        let effects = effects(kernel, &history);
        let arrived = vec![Vec::new(); prepared.warps as usize];
        let (on, pending) = (false, None);
        let aggregations = aggregations(kernel);
        Recorder {
            prepared,
            aggregations,
            block,
            warp,
            most,
            ends: None,
            on,
            history,
            effects,
            local,
            pending,
            arrived,
        }
    }

    /// The same, which stops the launch when the recording is full.
    pub(crate) fn ending(self, ends: Option<Interrupt>) -> Self {
        Recorder { ends, ..self }
    }

    /// What was recorded.
    pub(crate) fn into_history(self) -> History {
        self.history
    }

    /// The state of a warp before its first step.
    fn begin(&mut self, warp: &WarpView<'_>) {
        let history = &mut self.history;
        let track = &mut history.tracks[warp.number as usize];
        track.columns = vec![Column::default(); history.keys.len()];
        for (column, key) in track.columns.iter_mut().zip(&history.keys) {
            if let Key::Register { reg, wide, preloaded: true } = *key {
                let values = warp.registers.values(reg, wide);
                let row = LaneRow { valid: [u32::MAX; 4], values };
                column.push(0, &row, wide, &mut history.pool);
            }
        }
    }

    /// Reads the results of the last step.
    fn settle(&mut self, warp: &WarpView<'_>) {
        let Some(pending) = self.pending.take() else { return };
        let inst = self.history.sites[pending.pc as usize].work;
        let first = self.effects.partition_point(|(pc, _)| *pc < pending.pc);
        if inst == Work::Barrier && self.writes(first, pending.pc) {
            self.arrived[warp.number as usize].push((pending.pc, pending.lanes));
            return;
        }
        self.registers(warp, pending.time, pending.pc, pending.lanes);
        self.moved(warp, &pending);
        for (space, column, bytes) in &pending.words {
            self.word(warp, pending.time, *space, *column, *bytes);
        }
    }

    /// Keeps what a load or store of one number moved between registers and global memory.
    fn moved(&mut self, warp: &WarpView<'_>, pending: &Pending) {
        let (Inst::Load { ty, n: 1, d: register, .. } | Inst::Store { ty, n: 1, a: register, .. }) =
            self.prepared.kernel.code[pending.pc as usize]
        else {
            return;
        };
        let history = &mut self.history;
        let is_own = |touch: &&mut Touch| {
            touch.step == pending.time - 1
                && matches!(touch.space, ArraySpace::Global | ArraySpace::Constant)
        };
        let own = history.touches.iter_mut().rev().take_while(|t| t.step == pending.time - 1);
        for touch in own.filter(is_own) {
            let wide = ty.bytes() == 8;
            let values = warp.registers.values(register, wide);
            let row = LaneRow { valid: [pending.lanes; 4], values };
            touch.values = Some(history.pool.put(&row, wide));
        }
    }

    fn writes(&self, first: usize, pc: u32) -> bool {
        let own = self.effects[first..].iter().take_while(|(at, _)| *at == pc);
        own.into_iter().any(|(_, e)| matches!(e, Effect::Write(_)))
    }

    /// Reads the registers that an instruction wrote.
    fn registers(&mut self, warp: &WarpView<'_>, time: u32, pc: u32, lanes: u32) {
        let history = &mut self.history;
        let track = &mut history.tracks[warp.number as usize];
        let first = self.effects.partition_point(|(at, _)| *at < pc);
        for (at, effect) in &self.effects[first..] {
            if *at != pc {
                break;
            }
            let (Effect::Begin(column) | Effect::Write(column)) = *effect;
            let key = history.keys[column as usize];
            let column = &mut track.columns[column as usize];
            let old = column.newest(&history.pool);
            let mut row = old;
            match (effect, key) {
                (Effect::Begin(_), _) => row.valid = row.valid.map(|v| v & !lanes),
                (Effect::Write(_), Key::Register { reg, wide, .. }) => {
                    row.valid = row.valid.map(|v| v | lanes);
                    row.values = warp.registers.values(reg, wide);
                }
                (Effect::Write(_), Key::Local(_)) => {}
            }
            let wide = matches!(key, Key::Register { wide: true, .. });
            if !row.same(&old) {
                column.push(time, &row, wide, &mut history.pool);
            }
        }
    }

    /// Reads a word of local or shared memory.
    fn word(&mut self, warp: &WarpView<'_>, time: u32, space: Space, at: u32, bytes: [u32; 4]) {
        let history = &mut self.history;
        let (column, values) = match (space, history.keys.get(at as usize)) {
            (Space::Local, Some(Key::Local(word))) => {
                let word = *word as usize * 32;
                let values = std::array::from_fn(|l| u64::from(warp.local[word + l]));
                (&mut history.tracks[warp.number as usize].columns[at as usize], values)
            }
            (Space::Shared, _) => {
                (&mut history.shared[at as usize], [u64::from(warp.shared[at as usize]); 32])
            }
            _ => return,
        };
        let old = column.newest(&history.pool);
        let mut row = LaneRow { values, ..old };
        for (valid, new) in row.valid.iter_mut().zip(bytes) {
            *valid |= if space == Space::Shared && new != 0 { u32::MAX } else { new };
        }
        if !row.same(&old) {
            column.push(time, &row, false, &mut history.pool);
        }
    }

    /// Notes where a warp's lanes are from now on.
    fn stand(&mut self, warp: &WarpView<'_>, running: bool) {
        let time = self.history.steps.len() as u32;
        let parts = warp.splits.iter().map(|s| Part {
            pc: s.pc,
            lanes: s.mask,
            waits: match s.state {
                SplitState::Ready => None,
                SplitState::Converge(_) => Some(super::Waiting::Meeting),
                SplitState::Block
                | SplitState::Named(_)
                | SplitState::Cluster
                | SplitState::WarpGroup => Some(super::Waiting::Barrier),
                SplitState::Sync => Some(super::Waiting::Lanes),
            },
        });
        let now = Standing { time, running, live: warp.live, parts: parts.collect() };
        let standing = &mut self.history.tracks[warp.number as usize].standing;
        match standing.last_mut() {
            Some(last) if last.same(&now) => {}
            Some(last) if last.time == time => *last = now,
            _ => standing.push(now),
        }
    }
}

impl Observer for Recorder<'_> {
    fn interests(&self) -> Interests {
        Interests { global: true, on_chip: true, steps: true, ..Interests::default() }
    }

    fn turn_started(&mut self, block: u32, warp: u32) {
        let own = block == self.block && self.warp.is_none_or(|one| one == warp);
        self.on = own && !self.history.cut;
    }

    fn step(&mut self, warp: &WarpView<'_>, pc: u32, mask: u32) {
        if !self.on {
            return;
        }
        self.settle(warp);
        let time = self.history.steps.len();
        if time >= self.most || self.history.pool.bytes() > MOST_BYTES {
            self.history.cut = true;
            if let Some(ends) = &self.ends {
                ends.request("the recording is full");
            }
            self.on = false;
            return;
        }
        if self.history.tracks[warp.number as usize].columns.len() != self.history.keys.len() {
            self.begin(warp);
        }
        self.stand(warp, true);
        self.history.steps.push(Taken { pc, lanes: mask, warp: warp.number as u16 });
        let words = Vec::new();
        self.pending = Some(Pending { time: time as u32 + 1, pc, lanes: mask, words });
    }

    fn step_deferred(&mut self) {
        if self.on {
            self.history.steps.pop();
            self.pending = None;
        }
    }

    fn turn_ended(&mut self, warp: &WarpView<'_>) {
        if self.on {
            self.settle(warp);
            self.stand(warp, false);
        }
    }

    fn barrier_passed(&mut self, warp: &WarpView<'_>) {
        let own = warp.block == self.block && self.warp.is_none_or(|one| one == warp.number);
        if !own || self.history.cut {
            return;
        }
        let time = self.history.steps.len() as u32;
        for (pc, lanes) in std::mem::take(&mut self.arrived[warp.number as usize]) {
            self.registers(warp, time, pc, lanes);
        }
        self.stand(warp, false);
    }

    fn access(&mut self, _: &WarpContext<'_>, access: &Access<'_>) {
        let Some(pending) = self.pending.as_mut().filter(|_| self.on) else { return };
        let prepared = self.prepared;
        let first = access.offsets[(access.lanes.trailing_zeros() & 31) as usize];
        let within = |objects: &[crate::isa::Object]| {
            // The last object that starts at or before the offset: objects do not overlap, and an empty one
            // comes before the one that starts at the same offset.
            let found = objects.iter().enumerate().filter(|(_, o)| o.offset <= first);
            found.max_by_key(|(_, o)| o.offset).map(|(at, _)| at as u32)
        };
        let (space, object, transactions) = match access.space {
            Space::Global => {
                let constant = prepared.objects[access.object as usize].constant;
                let space = if constant { ArraySpace::Constant } else { ArraySpace::Global };
                (space, Some(access.object), coalescing::sectors(&self.aggregations, access))
            }
            Space::Shared => {
                let passes = bank_conflicts::wavefronts(access).0;
                (ArraySpace::Shared, within(&prepared.kernel.shared), passes)
            }
            Space::Local => (ArraySpace::Local, within(&prepared.kernel.locals), 0),
        };
        let values = access.offsets.map(u64::from);
        let offsets = LaneRow { valid: [access.lanes; 4], values };
        self.history.touches.push(Touch {
            step: pending.time - 1,
            space,
            verb: access.kind.word(),
            object,
            width: access.width,
            transactions,
            offsets: self.history.pool.put(&offsets, false),
            values: None,
        });
        let column_of = |word: u32| match access.space {
            Space::Local => self.local.get(word as usize).copied().flatten(),
            Space::Shared => Some(word).filter(|w| (*w as usize) < self.history.shared.len()),
            Space::Global => None,
        };
        let own = access.space != Space::Shared || access.object == 0;
        if access.kind == AccessKind::Load || access.space == Space::Global || !own {
            return;
        }
        for lane in lanes_of(access.lanes) {
            for byte in access.offsets[lane]..access.offsets[lane] + access.width {
                let Some(column) = column_of(byte / 4) else { continue };
                let known = pending.words.iter_mut().find(|w| w.1 == column);
                let at = byte as usize % 4;
                match known {
                    Some(word) => word.2[at] |= 1 << lane,
                    None => {
                        let mut bytes = [0; 4];
                        bytes[at] = 1 << lane;
                        pending.words.push((access.space, column, bytes));
                    }
                }
            }
        }
    }

    fn issued(&mut self, _: &WarpContext<'_>, issue: &Issue<'_>) {
        if !self.history.cut {
            let time = self.history.steps.len();
            self.history.phases.issue(self.block, issue, time);
        }
    }

    fn completed(&mut self, id: u32, _: u32) {
        let time = self.history.steps.len();
        self.history.phases.complete(id, time);
    }

    fn awaited(&mut self, context: &WarpContext<'_>, _: u32, awaited: Awaited) {
        if self.on {
            let time = self.history.steps.len();
            self.history.phases.awaited(context, awaited, time);
        }
    }

    fn phase_ended(&mut self, barrier: BarrierId, phase: u32) {
        // Barriers of the hardware have numbers where mbarriers have addresses.
        let is_mbarrier = (barrier.offset as usize) < self.prepared.shared_words * 4;
        if is_mbarrier && barrier.block == self.block && !self.history.cut {
            let time = self.history.steps.len();
            self.history.phases.end(barrier, phase, time);
        }
    }

    fn merge(&mut self, other: Self) -> bool {
        // The block ran on one of the two workers.
        if !other.history.steps.is_empty() {
            self.history = other.history;
        }
        true
    }
}

/// The kind of an instruction.
fn work(inst: &Inst) -> Work {
    match inst.category() {
        Category::Load | Category::Store | Category::Atomic => Work::Access,
        Category::Control if matches!(inst, Inst::Branch { .. }) => Work::Branch,
        Category::BlockBarrier => Work::Barrier,
        Category::WarpCollective => Work::Exchange,
        Category::Control | Category::Definedness => Work::Bookkeeping,
        _ => Work::Compute,
    }
}

/// Makes a column for every register and word of local memory that a variable can show. Returns the
/// column of each of those words.
fn columns(prepared: &PreparedKernel<'_>, history: &mut History) -> Vec<Option<u32>> {
    let kernel = prepared.kernel;
    let preloaded: Vec<u16> = kernel.preloads.iter().map(|(reg, _)| *reg).collect();
    let mut local = vec![None; prepared.local_words];
    let debug = std::mem::take(&mut history.debug);
    for life in &debug.lives {
        let variable = debug.variables.get(life.variable as usize);
        let Some(layout) = variable.and_then(|v| v.layout.as_ref()) else { continue };
        if let Home::Address(reg) = life.home {
            history.register(kernel, reg, true, &preloaded);
            continue;
        }
        layout.scalars(&mut |scalar, slot, offset| match life.home {
            Home::Registers(reg) => {
                let wide = scalar.bytes() == 8;
                history.register(kernel, reg.saturating_add(slot), wide, &preloaded);
            }
            Home::Local(object) => {
                let Some(object) = kernel.locals.get(usize::from(object)) else { return };
                let from = object.offset + offset;
                for word in from / 4..(from + scalar.bytes()).div_ceil(4) {
                    let Some(known) = local.get_mut(word as usize) else { continue };
                    known.get_or_insert_with(|| history.key(Key::Local(word)));
                }
            }
            Home::Shared(_) | Home::Address(_) | Home::Nowhere => {}
        });
    }
    history.debug = debug;
    local
}

/// What each instruction does to which column.
fn effects(kernel: &Kernel, history: &History) -> Vec<(u32, Effect)> {
    let mut out = Vec::new();
    // By register: a 64-bit one is listed at both of its rows.
    let mut by_row: Vec<Vec<u32>> = vec![Vec::new(); usize::from(kernel.registers) + 2];
    for (number, key) in history.keys.iter().enumerate() {
        if let Key::Register { reg, wide, .. } = *key {
            for row in 0..=u16::from(wide) {
                by_row[usize::from(reg + row)].push(number as u32);
            }
        }
    }
    for life in history.debug.lives.iter().filter(|l| l.fresh) {
        let variable = history.debug.variables.get(life.variable as usize);
        let Some(layout) = variable.and_then(|v| v.layout.as_ref()) else { continue };
        layout.scalars(&mut |scalar, slot, offset| {
            history.keys_of(life.home, scalar, slot, offset, &mut |number| {
                out.push((life.scope.start, Effect::Begin(number)));
            });
        });
    }
    for (pc, inst) in kernel.code.iter().enumerate() {
        if matches!(inst, Inst::Barrier { kind: BarrierKind::Plain, .. }) {
            continue;
        }
        inst.for_each_operand(&mut |reg, slots, role| {
            if role == Role::Write {
                for row in reg..reg + slots {
                    let all = by_row.get(usize::from(row)).map_or(&[][..], Vec::as_slice);
                    out.extend(all.iter().map(|n| (pc as u32, Effect::Write(*n))));
                }
            }
        });
    }
    out.sort_unstable();
    out.dedup();
    out
}
