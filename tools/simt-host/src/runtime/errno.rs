//! `errno`: an `int` of the host's memory, which functions that fail write.

use crate::host_memory::Allocator;
use crate::interpreter::Interpreter;
use simt::diagnostic::Span;
use simt::isa::Element;

/// The numbers that the runtime sets, as Linux has them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Errno {
    NoSuchFile = 2,
    PermissionDenied = 13,
    InvalidArgument = 22,
    TooManyOpenFiles = 24,
    OutOfRange = 34,
}

impl Interpreter<'_> {
    /// The address of `errno`; 0 if there is no memory for it.
    pub(super) fn errno_location(&mut self) -> u64 {
        if self.runtime.errno == 0 {
            let element = Element { name: "int".to_owned(), size: 4 };
            let made = Span::default();
            let at = self.heap.allocate("errno".to_owned(), element, 4, Allocator::Program, made);
            self.runtime.errno = at.unwrap_or(0);
        }
        self.runtime.errno
    }

    pub(super) fn set_errno(&mut self, number: Errno) {
        self.set_error_number(number as i32);
    }

    pub(super) fn set_error_number(&mut self, number: i32) {
        let at = self.errno_location();
        if at != 0 {
            self.heap.fill(at, &number.to_le_bytes());
        }
    }
}
