//! Global memory as it was before a launch, for a launch that must be run again.
//!
//! A page is copied by whoever is the first to write there; who comes second waits for it. So a
//! launch pays for what it writes and not for its arrays, and its threads share the work. The pages
//! serve the next launch again: to ask the system for memory costs as much as the copy.

use crate::machine::memory::Global;
use crate::machine::program::Program;
use crate::machine::simd::{Wide, copy};
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Mutex, OnceLock, PoisonError};

/// Words in a page.
const PAGE: usize = 1024;

/// What a launch may have to put back.
#[derive(Debug)]
pub(crate) struct UndoLog<'a> {
    /// Every object, and its pages, if it may have to be put back.
    objects: Vec<(&'a Global, Vec<OnceLock<Page>>)>,
    wide: Option<Wide>,
    spare: Mutex<Vec<Page>>,
}

/// Words and validity.
#[derive(Debug)]
pub(crate) struct Page {
    words: Box<[u32; PAGE]>,
    valid: Vec<u8>,
}

/// Pages that are put by: 16 MiB.
const SPARE: usize = 4096;

impl<'a> UndoLog<'a> {
    /// Nothing yet, of the objects that are `doubtful`; into `spare` pages of earlier launches.
    pub(crate) fn new(program: &Program<'a>, doubtful: &[bool], spare: Vec<Page>) -> UndoLog<'a> {
        let pages = |(object, doubtful): (&&'a Global, &bool)| {
            let count = if *doubtful { object.words.len().div_ceil(PAGE) } else { 0 };
            (*object, (0..count).map(|_| OnceLock::new()).collect())
        };
        let objects = program.objects.iter().zip(doubtful).map(pages).collect();
        UndoLog { objects, wide: Wide::detect(), spare: Mutex::new(spare) }
    }

    /// Words from one to another of an object are about to be written.
    #[inline(always)]
    pub(crate) fn keep(&self, object: u32, from: usize, to: usize) {
        let (object, pages) = &self.objects[object as usize];
        for at in from / PAGE..to / PAGE + 1 {
            // What the kernel does not write has none.
            let Some(page) = pages.get(at) else { return };
            if page.get().is_none() {
                page.get_or_init(|| self.copied(object, at * PAGE));
            }
        }
    }

    #[cold]
    fn copied(&self, object: &Global, start: usize) -> Page {
        let spare = self.spare.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let fresh = || Page { words: Box::new([0; PAGE]), valid: Vec::new() };
        let mut page = spare.unwrap_or_else(fresh);
        let words = &object.words[start..];
        if words.len() >= PAGE {
            copy(self.wide, words, 0, &mut page.words);
        } else {
            page.words.iter_mut().zip(words).for_each(|(to, from)| *to = from.load(Relaxed));
        }
        page.valid.clear();
        page.valid.extend(object.valid.iter().skip(start).take(PAGE).map(|v| v.load(Relaxed)));
        page
    }

    /// The pages, for the next launch.
    pub(crate) fn into_spare(self) -> Vec<Page> {
        let mut spare = self.spare.into_inner().unwrap_or_else(PoisonError::into_inner);
        let pages = self.objects.into_iter().flat_map(|(_, pages)| pages);
        let room = SPARE.saturating_sub(spare.len());
        spare.extend(pages.filter_map(OnceLock::into_inner).take(room));
        spare
    }

    /// Goes back to it.
    pub(crate) fn restore(&self) {
        for (object, pages) in &self.objects {
            for (page, words) in pages.iter().zip(object.words.chunks(PAGE)) {
                let Some(saved) = page.get() else { continue };
                words.iter().zip(&saved.words[..]).for_each(|(to, from)| to.store(*from, Relaxed));
            }
            for (page, valid) in pages.iter().zip(object.valid.chunks(PAGE)) {
                let Some(saved) = page.get() else { continue };
                valid.iter().zip(&saved.valid).for_each(|(to, from)| to.store(*from, Relaxed));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::isa::{Addr, Index, Inst, MemTy};
    use crate::machine::{Arg, Buffer, Config, Memory, test_kernel};

    #[test]
    fn what_was_kept_comes_back() {
        let addr = |base| Addr { base, index: Index::None, scale: 1, offset: 0 };
        let store =
            |base| Inst::Store { ty: MemTy::U8, n: 1, volatile: false, a: 6, addr: addr(base) };
        let module = test_kernel::module(3, vec![store(0), store(2)]);
        let mut memory = Memory::new();
        // A page and a piece; no whole word; and what no kernel writes.
        let args = test_kernel::arrays(&mut memory, &[4 * 1100, 3, 4]);
        let arrays: Vec<Buffer> = args
            .iter()
            .filter_map(|arg| if let Arg::Buffer(b) = arg { Some(*b) } else { None })
            .collect();
        memory.upload(arrays[0], &[7; 4 * 1100]);
        memory.upload(arrays[1], &[9; 2]);
        let launch = test_kernel::launch(&module, &args);
        let mut spare = Vec::new();
        for round in 0..2 {
            let program = Program::new(&module, &launch, &memory, &Config::default()).unwrap();
            let saved = UndoLog::new(&program, &program.written, std::mem::take(&mut spare));
            saved.keep(0, 1000, 1050);
            saved.keep(1, 0, 0);
            saved.keep(2, 0, 0);
            for object in &program.objects[..2] {
                object.words.iter().for_each(|word| word.store(round, Relaxed));
                object.valid.iter().for_each(|valid| valid.store(0xF, Relaxed));
            }
            // Who comes second finds it done.
            saved.keep(0, 1050, 1050);
            saved.restore();
            assert_eq!(program.objects[1].valid[0].load(Relaxed), 0xB);
            spare = saved.into_spare();
            assert_eq!(spare.len(), 3);
        }
        assert_eq!(memory.download(arrays[0]), [7; 4 * 1100]);
        assert_eq!(memory.download(arrays[1])[..2], [9; 2]);
    }
}
