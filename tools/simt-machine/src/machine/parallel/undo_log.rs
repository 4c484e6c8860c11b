//! The undo log: global memory as it was before a launch that may have to run again.
//!
//! Copy-on-write by pages: the first worker that writes to a page copies it, and a worker that comes
//! second waits for the copy. So a launch pays for what it writes, not for the size of its arrays, and
//! its workers share the cost. The next launch uses the pages again: allocating a page costs as much
//! as copying it.

use crate::machine::memory::Global;
use crate::machine::prepared_kernel::PreparedKernel;
use crate::machine::simd::{Wide, copy};
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Mutex, OnceLock, PoisonError};

/// Words per page.
const PAGE: usize = 1024;

/// Pages that are kept for the next launch: 16 MiB.
const MAX_PAGES: usize = 4096;

/// What a launch may have to put back.
#[derive(Debug)]
pub(crate) struct UndoLog<'a> {
    /// Every object, and its pages if it is tracked.
    objects: Vec<(&'a Global, Vec<OnceLock<Page>>)>,
    wide: Option<Wide>,
    /// Pages that no copy uses yet.
    free: Mutex<Vec<Page>>,
}

/// Words and their definedness.
#[derive(Debug)]
pub(crate) struct Page {
    words: Box<[u32; PAGE]>,
    valid: Vec<u8>,
}

impl<'a> UndoLog<'a> {
    /// An empty log of the `tracked` objects. `free`: pages of earlier launches.
    pub(crate) fn new(
        prepared: &PreparedKernel<'a>,
        tracked: &[bool],
        free: Vec<Page>,
    ) -> UndoLog<'a> {
        let pages = |(object, tracked): (&&'a Global, &bool)| {
            let count = if *tracked { object.words.len().div_ceil(PAGE) } else { 0 };
            (*object, (0..count).map(|_| OnceLock::new()).collect())
        };
        let objects = prepared.objects.iter().zip(tracked).map(pages).collect();
        UndoLog { objects, wide: Wide::detect(), free: Mutex::new(free) }
    }

    /// Call before words `from..=to` of an object are written.
    #[inline(always)]
    pub(crate) fn save(&self, object: u32, from: usize, to: usize) {
        let (object, pages) = &self.objects[object as usize];
        for at in from / PAGE..to / PAGE + 1 {
            // An object that is not tracked has no pages.
            let Some(page) = pages.get(at) else { return };
            if page.get().is_none() {
                page.get_or_init(|| self.copy(object, at * PAGE));
            }
        }
    }

    #[cold]
    fn copy(&self, object: &Global, start: usize) -> Page {
        let free = self.free.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let new = || Page { words: Box::new([0; PAGE]), valid: Vec::new() };
        let mut page = free.unwrap_or_else(new);
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
    pub(crate) fn into_pages(self) -> Vec<Page> {
        let mut free = self.free.into_inner().unwrap_or_else(PoisonError::into_inner);
        let used = self.objects.into_iter().flat_map(|(_, pages)| pages);
        let room = MAX_PAGES.saturating_sub(free.len());
        free.extend(used.filter_map(OnceLock::into_inner).take(room));
        free
    }

    /// Puts everything back.
    pub(crate) fn restore(&self) {
        for (object, pages) in &self.objects {
            for (page, words) in pages.iter().zip(object.words.chunks(PAGE)) {
                let Some(page) = page.get() else { continue };
                words.iter().zip(&page.words[..]).for_each(|(to, from)| to.store(*from, Relaxed));
            }
            for (page, valid) in pages.iter().zip(object.valid.chunks(PAGE)) {
                let Some(page) = page.get() else { continue };
                valid.iter().zip(&page.valid).for_each(|(to, from)| to.store(*from, Relaxed));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::isa::{Addr, Index, Inst, MemTy};
    use crate::machine::{Arg, Buffer, Execution, Memory, test_kernel};

    #[test]
    fn restores_what_was_saved() {
        let addr = |base| Addr { base, index: Index::None, scale: 1, offset: 0 };
        let store =
            |base| Inst::Store { ty: MemTy::U8, n: 1, volatile: false, a: 6, addr: addr(base) };
        let module = test_kernel::module(3, vec![store(0), store(2)]);
        let mut memory = Memory::new();
        // More than a page; less than a word; and an array that the kernel does not write.
        let args = test_kernel::arrays(&mut memory, &[4 * 1100, 3, 4]);
        let arrays: Vec<Buffer> = args
            .iter()
            .filter_map(|arg| if let Arg::Buffer(b) = arg { Some(*b) } else { None })
            .collect();
        memory.upload(arrays[0], &[7; 4 * 1100]);
        memory.upload(arrays[1], &[9; 2]);
        let launch = test_kernel::launch(&module, &args);
        let mut free = Vec::new();
        for round in 0..2 {
            let prepared =
                PreparedKernel::new(&module, &launch, &memory, &Execution::default()).unwrap();
            let log = UndoLog::new(&prepared, &prepared.written, std::mem::take(&mut free));
            log.save(0, 1000, 1050);
            log.save(1, 0, 0);
            log.save(2, 0, 0);
            for object in &prepared.objects[..2] {
                object.words.iter().for_each(|word| word.store(round, Relaxed));
                object.valid.iter().for_each(|valid| valid.store(0xF, Relaxed));
            }
            // A second save changes nothing.
            log.save(0, 1050, 1050);
            log.restore();
            assert_eq!(prepared.objects[1].valid[0].load(Relaxed), 0xB);
            free = log.into_pages();
            assert_eq!(free.len(), 3);
        }
        assert_eq!(memory.download(arrays[0]), [7; 4 * 1100]);
        assert_eq!(memory.download(arrays[1])[..2], [9; 2]);
    }
}
