//! Memoization of kernel launches.
//!
//! Programs that measure launch the same kernels hundreds of times, on the same arrays or on arrays
//! that they refill. The simulator is deterministic: the same launch on the same memory has the same
//! results, counters, findings and output. So a recorded launch is not run again if memory has the same
//! contents as then: its results are copied.
//!
//! Contents are compared, never hashed. A record keeps the contents, before and after, of each object
//! that the kernel can reach. Before a record is used, memory is compared with it word for word, except
//! objects whose version has not changed since they were known to be equal. Not cached: kernels that
//! use the device's heap.
//!
//! Time and memory are bounded. Each executed warp-instruction earns a budget of bytes that may be
//! compared and copied. A launch is recorded the second time, the fourth, the eighth (each time, once a
//! record has been used). The least recently used records are evicted.

use super::launch::Shape;
use simt::Report;
use simt::isa::Kernel;
use simt::machine::memory::Foreign;
use simt::machine::memory::version::Content;
use simt::machine::{Memory, Outcome};
use simt::observe::Noted;
use std::collections::HashMap;
use std::rc::{Rc, Weak};

/// The most bytes of all records.
const MOST: u64 = if cfg!(target_pointer_width = "32") { 64 << 20 } else { 512 << 20 };

/// The most records.
const RECORDS: usize = 1024;

/// The most keys.
const KINDS: usize = 4096;

/// The budget that each warp-instruction earns, in bytes: a small part of its time.
const BYTES_PER_INSTRUCTION: u64 = 32;

/// The budget before anything has run.
const FREE: u64 = 1 << 20;

/// The key of a launch: everything that it depends on, except the contents of memory.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Key {
    kernel: usize,
    shape: Shape,
    shared: u64,
    args: Vec<Vec<u8>>,
    /// Host pointers among its arguments, which it must not access.
    foreign: Vec<(u64, Foreign)>,
    /// The objects whose bytes its footprint has.
    noted: Noted,
}

impl Key {
    pub(super) fn new(
        kernel: &Kernel,
        shape: Shape,
        shared: u64,
        args: &[Vec<u8>],
        foreign: &[(u64, Foreign)],
        noted: Noted,
    ) -> Key {
        let kernel = std::ptr::from_ref(kernel).addr();
        Key { kernel, shape, shared, args: args.to_vec(), foreign: foreign.to_vec(), noted }
    }
}

/// A recorded launch.
#[derive(Debug)]
struct Record {
    /// How many objects memory had.
    objects: usize,
    /// The contents of the objects that it can access, before, and of those that it changed, after.
    before: Vec<(u32, Rc<Content>)>,
    after: Vec<(u32, Rc<Content>)>,
    report: Report,
    /// When it was last used.
    used: u64,
}

/// The launches of one key.
#[derive(Debug, Default)]
struct Kind {
    /// How many have run.
    runs: u32,
    /// When the last one ran.
    last: u64,
    /// The objects that they can access, and how many objects memory had then.
    reached: Vec<u32>,
    objects: usize,
    records: Vec<Record>,
    /// The record after the one that was used last: the first one to try.
    next: usize,
    /// Whether a record has been used.
    returns: bool,
}

/// The cache.
#[derive(Debug)]
pub(super) struct LaunchCache {
    kinds: HashMap<Key, Kind>,
    /// The last known contents of objects, and the version.
    known: HashMap<u32, (u64, Weak<Content>)>,
    /// The contents that records share.
    kept: Vec<Weak<Content>>,
    /// The most bytes of all records.
    most: u64,
    /// The budget that is left, in bytes.
    credit: u64,
    launches: u64,
}

impl Default for LaunchCache {
    fn default() -> LaunchCache {
        LaunchCache {
            kinds: HashMap::new(),
            known: HashMap::new(),
            kept: Vec::new(),
            most: MOST,
            credit: FREE,
            launches: 0,
        }
    }
}

impl LaunchCache {
    /// The result of a launch, and whether it was cached. If it was not, `run` runs the launch.
    pub(super) fn launch<E>(
        &mut self,
        key: &Key,
        memory: &mut Memory,
        run: impl FnOnce(&mut Memory) -> Result<Report, E>,
    ) -> Result<(Report, bool), E> {
        self.launches += 1;
        if memory.has_heap() {
            return Ok((run(memory)?, false));
        }
        let mut kind = self.kinds.remove(key).unwrap_or_default();
        if let Some(found) = self.find(&kind, memory) {
            let record = &mut kind.records[found];
            record.used = self.launches;
            let report = record.report.clone();
            for (number, content) in &record.after {
                if !self.is_known(*number, memory, content) {
                    memory.put(*number, content);
                    self.know(*number, memory, content);
                }
            }
            (kind.next, kind.returns) = (found + 1, true);
            self.kinds.insert(key.clone(), kind);
            return Ok((report, true));
        }
        let before = self.before(&kind, memory);
        let report = run(memory)?;
        let warps = key.shape.grid.count().saturating_mul(key.shape.block.count().div_ceil(32));
        let work = report.counters.instructions.max(warps);
        self.credit = self.credit.saturating_add(work.saturating_mul(BYTES_PER_INSTRUCTION));
        (kind.runs, kind.last) = (kind.runs.saturating_add(1), self.launches);
        (kind.reached, kind.objects) = (memory.reached().to_vec(), memory.count());
        if let Some(before) = before
            && report.outcome == Outcome::Completed
            && !memory.has_heap()
        {
            let after = self.after(&before, memory);
            let (objects, used, report) = (memory.count(), self.launches, report.clone());
            kind.records.push(Record { objects, before, after, report, used });
            self.kinds.insert(key.clone(), kind);
            self.forget();
        } else {
            self.kinds.insert(key.clone(), kind);
        }
        if self.kinds.len() > KINDS {
            let recent = self.launches - KINDS as u64 / 2;
            self.kinds.retain(|_, kind| kind.last > recent || !kind.records.is_empty());
        }
        Ok((report, false))
    }

    /// The record of a launch whose contents equal those of memory now.
    fn find(&mut self, kind: &Kind, memory: &Memory) -> Option<usize> {
        let all = kind.records.len();
        (0..all).map(|at| (kind.next + at) % all).find(|at| {
            let record = &kind.records[*at];
            let mut before = record.before.iter();
            record.objects == memory.count()
                && before.all(|(number, content)| self.holds(*number, memory, content))
        })
    }

    /// Whether an object has these contents; false if the budget does not allow the comparison.
    fn holds(&mut self, number: u32, memory: &Memory, content: &Rc<Content>) -> bool {
        if self.is_known(number, memory, content) {
            return true;
        }
        if self.credit == 0 {
            return false;
        }
        let (same, bytes) = memory.holds(number, content);
        if same {
            self.know(number, memory, content);
        } else {
            self.credit = self.credit.saturating_sub(bytes);
        }
        same
    }

    /// The contents before this launch, if the launch is to be recorded.
    fn before(&mut self, kind: &Kind, memory: &Memory) -> Option<Vec<(u32, Rc<Content>)>> {
        let due = kind.runs.is_power_of_two() || kind.returns;
        let bytes: u64 = kind.reached.iter().map(|number| memory.size(*number)).sum();
        if !due || kind.objects != memory.count() || bytes > self.credit.min(self.most / 2) {
            return None;
        }
        Some(kind.reached.iter().map(|number| (*number, self.content(*number, memory))).collect())
    }

    /// The contents of the objects that the launch changed.
    fn after(&mut self, before: &[(u32, Rc<Content>)], memory: &Memory) -> Vec<(u32, Rc<Content>)> {
        let mut after = Vec::new();
        for (number, content) in before {
            // Most often a launch leaves the contents that it found.
            if !self.holds(*number, memory, content) {
                after.push((*number, self.content(*number, memory)));
            }
        }
        after
    }

    /// The contents of an object: a copy, unless a record already has one.
    fn content(&mut self, number: u32, memory: &Memory) -> Rc<Content> {
        let known = self.known.get(&number).filter(|(of, _)| *of == memory.version(number));
        if let Some(content) = known.and_then(|(_, content)| content.upgrade()) {
            return content;
        }
        let content = Rc::new(memory.content(number));
        self.credit = self.credit.saturating_sub(content.bytes());
        self.kept.push(Rc::downgrade(&content));
        self.know(number, memory, &content);
        content
    }

    fn is_known(&self, number: u32, memory: &Memory, content: &Rc<Content>) -> bool {
        self.known.get(&number).is_some_and(|(of, known)| {
            *of == memory.version(number) && std::ptr::eq(known.as_ptr(), Rc::as_ptr(content))
        })
    }

    fn know(&mut self, number: u32, memory: &Memory, content: &Rc<Content>) {
        self.known.insert(number, (memory.version(number), Rc::downgrade(content)));
    }

    /// The bytes of all records.
    fn bytes(&self) -> u64 {
        self.kept.iter().filter_map(Weak::upgrade).map(|content| content.bytes()).sum()
    }

    /// Evicts the least recently used records while there are too many.
    fn forget(&mut self) {
        loop {
            self.kept.retain(|content| content.strong_count() > 0);
            let bytes = self.bytes();
            let records: usize = self.kinds.values().map(|kind| kind.records.len()).sum();
            if bytes <= self.most && records <= RECORDS {
                break;
            }
            let oldest = |kind: &Kind| kind.records.iter().map(|r| r.used).min();
            let with = self.kinds.values_mut().filter(|kind| !kind.records.is_empty());
            let Some(kind) = with.min_by_key(|kind| oldest(kind)) else { break };
            let oldest = oldest(kind);
            kind.records.retain(|record| Some(record.used) != oldest);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use simt::{Arg, Config, Launch, Sources};

    #[test]
    fn the_oldest_records_go_first() {
        let text = "__global__ void f(int *a) { a[threadIdx.x] = 1 - a[threadIdx.x]; }";
        let module = simt::compile(Sources::single("f.cu", text)).unwrap();
        let kernel = module.kernel("f").unwrap();
        let mut memory = Memory::new();
        let arrays: Vec<_> = (0..8).map(|_| memory.alloc("a", "int", 4, 4096)).collect();
        arrays.iter().for_each(|array| memory.upload(*array, &[0; 4096]));
        // Room for three arrays, three times each.
        let mut again = LaunchCache { most: 9 * 4096, ..LaunchCache::default() };
        let mut step = |array: usize| {
            let key = Key::new(
                kernel,
                Shape { grid: 1.into(), block: 32.into(), cluster: None, cooperative: false },
                0,
                &[vec![array as u8]],
                &[],
                Noted::Nothing,
            );
            let args = [Arg::Buffer(arrays[array])];
            let (grid, block) = (1.into(), 32.into());
            let launch = Launch { kernel, grid, block, dynamic_shared: 0, args: &args };
            let config = Config::default();
            let run = |memory: &mut Memory| simt::launch(&module, &launch, memory, &config);
            let (_, known) = again.launch(&key, &mut memory, run).unwrap();
            assert!(again.bytes() <= again.most);
            known
        };
        // Back and forth: the second is recorded and the third.
        let all: Vec<bool> = (0..6).map(|_| step(0)).collect();
        assert_eq!(all, [false, false, false, true, true, true]);
        // Two others of its size leave it; then it goes.
        let known = |array, step: &mut dyn FnMut(usize) -> bool| {
            (0..4).map(|_| step(array)).collect::<Vec<_>>()
        };
        assert_eq!(known(1, &mut step), [false, false, false, true]);
        assert!(step(0));
        assert_eq!(known(2, &mut step), [false, false, false, true]);
        assert!(step(0) && step(1));
        for array in 3..8 {
            assert_eq!(known(array, &mut step), [false, false, false, true]);
        }
        assert!(!step(0) && !step(1));
        assert_eq!(memory.download(arrays[0])[..4], [1, 0, 0, 0], "nine times");
    }
}
