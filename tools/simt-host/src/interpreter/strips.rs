//! Runs several iterations of a loop at once, one lane each ([`crate::strips`]).
//!
//! All lanes execute each instruction of the path. Where a lane leaves the path, or an access of it is
//! not in the host's own memory, it and those behind it are not done: the loop goes on there, one
//! iteration at a time. Stores wait until all is known. They are not done at all if an iteration may
//! read what an earlier one of the strip writes.

mod lanes;
mod memory;

use super::generic::{element, store};
use crate::bytecode::{Inst, Reg};
use crate::host_memory::{Allocation, STACK};
use crate::runtime::Random;
use crate::strips::{Address, Begins, Op, Strip};
use lanes::value_of;
use memory::{Access, Store, loaded, writable};
use simt::machine::memory::pointer;

/// Iterations at once.
const LANES: usize = 64;

/// Iterations until the next attempt after one that did little, and the most of them.
const PAUSE: u32 = 64;
const LONGEST_PAUSE: u32 = 1 << 16;

type Lanes = [u64; LANES];

/// What the lanes of an interpreter work with.
#[derive(Debug, Default)]
pub(super) struct Strips {
    slots: Vec<Lanes>,
    accesses: Vec<Access>,
    stores: Vec<Store>,
    draws: Vec<Lanes>,
    /// Per strip of the program: how many iterations run one by one, and the next pause.
    pauses: Vec<[u32; 2]>,
}

/// The state of the function that runs.
pub(super) struct Running<'a> {
    pub(super) regs: &'a mut [u64],
    pub(super) allocations: &'a mut [Allocation],
    pub(super) globals: &'a [u64],
    pub(super) frame: u64,
    pub(super) random: &'a mut Random,
}

impl Strips {
    pub(super) fn new(count: usize) -> Strips {
        Strips { pauses: vec![[0, PAUSE]; count], ..Strips::default() }
    }

    /// Whether an attempt is due. Each question counts as an iteration.
    #[inline(always)]
    pub(super) fn is_due(&mut self, strip: &Strip) -> bool {
        let [pause, _] = &mut self.pauses[strip.number];
        let due = *pause == 0;
        *pause = pause.saturating_sub(1);
        due
    }

    /// Runs iterations, from the start of the loop to its start again. `steps` is the budget's rest;
    /// returns what is left of it.
    #[inline(never)]
    pub(super) fn run(&mut self, strip: &Strip, running: &mut Running<'_>, mut steps: u64) -> u64 {
        let [_, mut next] = self.pauses[strip.number];
        let mut pause = 0;
        let most = LANES as u64 * strip.steps;
        while steps > most + 1 {
            let done = self.iterations(strip, running);
            steps -= done as u64 * strip.steps;
            if done < LANES {
                // A few iterations per attempt are slower than one by one.
                if done < LANES / 4 {
                    pause = next;
                    next = (2 * next).min(LONGEST_PAUSE);
                }
                break;
            }
            next = PAUSE;
        }
        self.pauses[strip.number] = [pause, next];
        steps
    }

    /// Runs as many iterations as the lanes can; returns how many.
    fn iterations(&mut self, strip: &Strip, running: &mut Running<'_>) -> usize {
        self.begin(strip, running);
        let before = (strip.draws > 0).then(|| running.random.clone());
        self.draw(strip, running.random, LANES);
        let mut width = LANES;
        let mut drawn = 0;
        for (order, op) in strip.path.iter().enumerate() {
            match *op {
                Op::Lanes(specialised) => self.lanes(specialised, running, &mut width),
                Op::Guard(branch, taken) => {
                    let leaves = self.first_lane(branch, !taken);
                    width = width.min(leaves);
                }
                Op::Generic(inst) => {
                    let mut values = [0; LANES];
                    for (lane, value) in values.iter_mut().enumerate() {
                        let register = |slot: Reg| self.slots[usize::from(slot)][lane];
                        match value_of(inst, register) {
                            Some(result) => *value = result,
                            None => width = width.min(lane),
                        }
                    }
                    self.write(inst, values);
                }
                Op::Sequential(inst, own) => {
                    let mut last = self.slots[usize::from(own)][0];
                    let mut values = [0; LANES];
                    for (lane, value) in values.iter_mut().enumerate() {
                        let register = |slot: Reg| match slot == own {
                            true => last,
                            false => self.slots[usize::from(slot)][lane],
                        };
                        match value_of(inst, register) {
                            Some(result) => last = result,
                            None => width = width.min(lane),
                        }
                        *value = last;
                    }
                    self.slots[usize::from(own)] = values;
                }
                Op::Load { ty, d, at } => {
                    let addresses = self.addresses(at, running.frame);
                    let access = Access::new(order, false, ty, &addresses);
                    let values =
                        loaded(running.allocations, &addresses, access.stride, ty, &mut width);
                    self.slots[usize::from(d)] = values;
                    self.accesses.push(access);
                }
                Op::Store { ty, a, at } => {
                    let addresses = self.addresses(at, running.frame);
                    let access = Access::new(order, true, ty, &addresses);
                    let may = writable(running.allocations, &addresses, access.stride, ty);
                    width = width.min(may);
                    self.accesses.push(access);
                    let values = self.slots[usize::from(a)];
                    self.stores.push(Store { ty, addresses, values });
                }
                Op::Address { d, at } => {
                    self.slots[usize::from(d)] = self.addresses(at, running.frame);
                }
                Op::Draw(d) => {
                    self.slots[usize::from(d)] = self.draws[drawn];
                    drawn += 1;
                }
            }
            if width == 0 {
                break;
            }
        }
        let in_turn = self.may_store();
        if in_turn.is_none() {
            width = 0;
        }
        if let Some(before) = before
            && width < LANES
        {
            *running.random = before;
            self.draw(strip, running.random, width);
        }
        if width > 0 {
            self.finish(strip, running, width, in_turn == Some(true));
        }
        width
    }

    /// Gives each slot what its register holds as each iteration begins.
    fn begin(&mut self, strip: &Strip, running: &Running<'_>) {
        self.accesses.clear();
        self.stores.clear();
        self.slots.resize(strip.slots.len().max(self.slots.len()), [0; LANES]);
        for (slot, lanes) in strip.slots.iter().zip(&mut self.slots) {
            let now = running.regs[usize::from(slot.register)];
            match slot.begins {
                Begins::Same => *lanes = [now; LANES],
                Begins::Counter32(by) => {
                    for (lane, value) in lanes.iter_mut().enumerate() {
                        let steps = (lane as u32).wrapping_mul(by as u32);
                        *value = u64::from((now as u32).wrapping_add(steps));
                    }
                }
                Begins::Counter64(by) => {
                    for (lane, value) in lanes.iter_mut().enumerate() {
                        *value = now.wrapping_add((lane as u64).wrapping_mul(by as u64));
                    }
                }
                Begins::Unused => {}
            }
        }
    }

    /// Draws the numbers of `rand` for some iterations, in the order of the program.
    fn draw(&mut self, strip: &Strip, random: &mut Random, iterations: usize) {
        self.draws.resize(strip.draws, [0; LANES]);
        for lane in 0..iterations {
            for draws in &mut self.draws {
                draws[lane] = u64::from(random.next());
            }
        }
    }

    fn write(&mut self, mut inst: Inst, values: Lanes) {
        inst.for_each_register(|slot, write| {
            if write {
                self.slots[usize::from(*slot)] = values;
            }
        });
    }

    fn addresses(&self, at: Address, frame: u64) -> Lanes {
        let slot = |slot: Reg| &self.slots[usize::from(slot)];
        match at {
            Address::Element(at) => {
                let (p, index) = (slot(at.p), slot(at.index));
                std::array::from_fn(|lane| element(p[lane], index[lane], at))
            }
            Address::Pointer(p, offset) => {
                let p = slot(p);
                std::array::from_fn(|lane| p[lane].wrapping_add(i64::from(offset) as u64))
            }
            Address::Frame(at) => [pointer(STACK) + frame + u64::from(at); LANES],
        }
    }

    /// Whether the stores can be done after all loads: `None` if a load may read what an earlier
    /// iteration writes, else whether they must be done iteration by iteration.
    fn may_store(&self) -> Option<bool> {
        let mut in_turn = false;
        for store in self.accesses.iter().filter(|access| access.is_store) {
            for other in self.accesses.iter().filter(|other| other.order != store.order) {
                if !store.meets(other) {
                    continue;
                }
                if !other.is_store && !store.is_own(other) {
                    return None;
                }
                in_turn |= other.is_store;
            }
        }
        Some(in_turn)
    }

    /// Does the stores of the first lanes, and leaves the registers as the last of these left them.
    fn finish(&mut self, strip: &Strip, running: &mut Running<'_>, width: usize, in_turn: bool) {
        let Running { regs, allocations, .. } = running;
        if in_turn {
            for lane in 0..width {
                for waiting in &self.stores {
                    let (at, value) = (waiting.addresses[lane], waiting.values[lane]);
                    store(allocations, at, waiting.ty, value);
                }
            }
        } else {
            self.stores.iter().for_each(|waiting| waiting.write(allocations, width));
        }
        for (slot, lanes) in strip.slots.iter().zip(&self.slots) {
            if slot.written {
                regs[usize::from(slot.register)] = lanes[width - 1];
            }
        }
    }
}
