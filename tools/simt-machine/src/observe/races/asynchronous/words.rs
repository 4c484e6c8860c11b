//! For each word, the last operation that writes it and the last one that reads it.

/// Words per page.
const PAGE: usize = 256;

/// An operation, and the lane that asked for it. Number 0: none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Touch {
    pub(super) id: u32,
    pub(super) lane: u8,
}

/// The operations on one word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Word {
    pub(super) write: Touch,
    pub(super) read: Touch,
    /// Whether the write is a reduction: others may be done at the same time.
    pub(super) reduces: bool,
}

impl Word {
    pub(super) fn is_empty(&self) -> bool {
        self.write.id == 0 && self.read.id == 0
    }
}

/// The words of an object, or of a block's shared memory.
#[derive(Debug, Default)]
pub(super) struct Words {
    pages: Vec<Option<Box<[Word; PAGE]>>>,
}

impl Words {
    /// Whether no operation has accessed any.
    pub(super) fn is_empty(&self) -> bool {
        self.pages.is_empty()
    }

    /// The operations on a word.
    pub(super) fn at(&self, at: u32) -> Word {
        let at = at as usize;
        let page = self.pages.get(at / PAGE).and_then(Option::as_ref);
        page.map_or(Word::default(), |page| page[at % PAGE])
    }

    /// An operation reads a word, or writes it.
    pub(super) fn note(&mut self, at: u32, touch: Touch, writes: bool, reduces: bool) {
        let word = self.at_mut(at);
        if !writes {
            word.read = touch;
        } else if word.read.id != touch.id {
            *word = Word { write: touch, read: Touch::default(), reduces };
        } else {
            (word.write, word.reduces) = (touch, reduces);
        }
    }

    /// A thread has written a word, after all operations on it.
    pub(super) fn clear(&mut self, at: u32) {
        *self.at_mut(at) = Word::default();
    }

    fn at_mut(&mut self, at: u32) -> &mut Word {
        let at = at as usize;
        if at / PAGE >= self.pages.len() {
            self.pages.resize_with(at / PAGE + 1, || None);
        }
        let page = self.pages[at / PAGE].get_or_insert_with(|| Box::new([Word::default(); PAGE]));
        &mut page[at % PAGE]
    }
}
