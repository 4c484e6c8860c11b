//! A launch like an earlier one.
//!
//! Programs that measure launch the same kernels hundreds of times, on the same arrays or on arrays
//! that they fill anew each time. The machine is deterministic: the same launch on the same memory
//! leaves the same, counts the same, finds and prints the same. So a launch that was watched need
//! not be run where memory is again as it was then: what it left is put there, and what came of it
//! is known.
//!
//! Nothing is guessed, and nothing hashed. A record of a launch keeps what each object held, before
//! and after, that the kernel's code can lead to; before it is used, memory is compared with it word
//! for word, but for objects that nobody has touched since they were known to hold that. Launches of
//! kernels that use the device's heap are run each time.
//!
//! To look costs time and to keep costs memory, so both are bounded: each warp-instruction that was
//! run pays for some bytes, launches are recorded the second time, the fourth, the eighth (all of
//! them only once a record has been of use), and the oldest records go first.

use simt::Report;
use simt::isa::Kernel;
use simt::machine::memory::version::Content;
use simt::machine::{Dim3, Memory, Outcome};
use std::collections::HashMap;
use std::rc::{Rc, Weak};

/// Bytes that records may hold.
const MOST: u64 = if cfg!(target_pointer_width = "32") { 64 << 20 } else { 512 << 20 };

/// How many records there may be.
const RECORDS: usize = 1024;

/// How many kinds of launches are kept in mind.
const KINDS: usize = 4096;

/// Bytes that may be compared and copied for each warp-instruction: a small part of its time.
const BYTES_PER_INSTRUCTION: u64 = 32;

/// And before anything was run.
const FREE: u64 = 1 << 20;

/// What makes two launches the same, but for the memory that they find.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Key {
    kernel: usize,
    shape: [Dim3; 2],
    shared: u64,
    args: Vec<Vec<u8>>,
    /// What of the host it is given, though it may not access it.
    foreign: Vec<(u64, String)>,
}

impl Key {
    pub(super) fn new(
        kernel: &Kernel,
        shape: [Dim3; 2],
        shared: u64,
        args: &[Vec<u8>],
        foreign: &[(u64, String)],
    ) -> Key {
        let kernel = std::ptr::from_ref(kernel).addr();
        Key { kernel, shape, shared, args: args.to_vec(), foreign: foreign.to_vec() }
    }
}

/// A launch that was watched.
#[derive(Debug)]
struct Record {
    /// How many objects there were.
    objects: usize,
    /// What those held that it may access, and those that it changed hold now.
    before: Vec<(u32, Rc<Content>)>,
    after: Vec<(u32, Rc<Content>)>,
    report: Report,
    /// When it was last of use.
    used: u64,
}

/// Launches of one key.
#[derive(Debug, Default)]
struct Kind {
    /// How many were run.
    runs: u32,
    /// When the last one was.
    last: u64,
    /// What they may access, and how many objects there were then.
    reached: Vec<u32>,
    objects: usize,
    records: Vec<Record>,
    /// The record after the one that was last of use: the first one to try.
    next: usize,
    /// Whether one has been of use.
    returns: bool,
}

/// All of them.
#[derive(Debug)]
pub(super) struct LaunchCache {
    kinds: HashMap<Key, Kind>,
    /// What objects were last known to hold, and in which edition.
    known: HashMap<u32, (u64, Weak<Content>)>,
    /// All that records hold.
    kept: Vec<Weak<Content>>,
    /// Bytes that they may hold.
    most: u64,
    /// Bytes that may still be looked at.
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
    /// What comes of this launch, and whether that was known; otherwise `run` finds out.
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
        let warps = key.shape[0].count().saturating_mul(key.shape[1].count().div_ceil(32));
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

    /// The record of a launch on memory as it is now.
    fn find(&mut self, kind: &Kind, memory: &Memory) -> Option<usize> {
        let all = kind.records.len();
        (0..all).map(|at| (kind.next + at) % all).find(|at| {
            let record = &kind.records[*at];
            let mut before = record.before.iter();
            record.objects == memory.count()
                && before.all(|(number, content)| self.holds(*number, memory, content))
        })
    }

    /// Whether an object holds that, as far as there is time to look.
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

    /// What this launch finds, if it is worth a record.
    fn before(&mut self, kind: &Kind, memory: &Memory) -> Option<Vec<(u32, Rc<Content>)>> {
        let due = kind.runs.is_power_of_two() || kind.returns;
        let bytes: u64 = kind.reached.iter().map(|number| memory.size(*number)).sum();
        if !due || kind.objects != memory.count() || bytes > self.credit.min(self.most / 2) {
            return None;
        }
        Some(kind.reached.iter().map(|number| (*number, self.content(*number, memory))).collect())
    }

    /// What those hold now that were changed.
    fn after(&mut self, before: &[(u32, Rc<Content>)], memory: &Memory) -> Vec<(u32, Rc<Content>)> {
        let mut after = Vec::new();
        for (number, content) in before {
            // A launch that leaves what it found is the most frequent case.
            if !self.holds(*number, memory, content) {
                after.push((*number, self.content(*number, memory)));
            }
        }
        after
    }

    /// What an object holds: a copy, unless there is one.
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

    /// What all records hold.
    fn bytes(&self) -> u64 {
        self.kept.iter().filter_map(Weak::upgrade).map(|content| content.bytes()).sum()
    }

    /// Drops the oldest records, while there are too many.
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
        // Allocation for three arrays, three times each.
        let mut again = LaunchCache { most: 9 * 4096, ..LaunchCache::default() };
        let mut step = |array: usize| {
            let key = Key::new(kernel, [1.into(), 32.into()], 0, &[vec![array as u8]], &[]);
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
