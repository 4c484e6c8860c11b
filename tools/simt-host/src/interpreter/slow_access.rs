//! Memory accesses of host code off the fast path: ranges of bytes, device memory that the host may
//! access, faults with their diagnostics; and `new`, `delete` and `free`.

use crate::host_memory::{Allocator, HOST, Looked, Origin, copied_variable, parts};
use crate::interpreter::{Executed, Interpreter, SEGMENTATION, Termination};
use simt::diagnostic::{Diagnostic, Span};
use simt::isa::{Element, MemTy};
use simt::machine::memory::{GLOBALS, Side};
use simt::observe::bounds::plural;

/// Bytes beyond an object where a machine has other memory.
const BEYOND: u64 = 4096;

impl Interpreter<'_> {
    fn shared_bytes(&mut self, at: u64, count: u64) -> Option<Vec<u8>> {
        self.notice(at, count, false);
        let (array, offset) = self.shared(at, count)?;
        let mut out = vec![0; count as usize];
        array.read(offset, &mut out);
        Some(out)
    }

    fn set_shared_bytes(&mut self, at: u64, bytes: &[u8]) -> Option<()> {
        self.notice(at, bytes.len() as u64, true);
        let (array, offset) = self.shared(at, bytes.len() as u64)?;
        array.write(offset, bytes);
        Some(())
    }

    /// Compares an access to managed or pinned memory with the work of streams.
    #[inline]
    fn notice(&mut self, at: u64, count: u64, write: bool) {
        if self.host_may_race() && self.shared(at, count).is_some() {
            let (object, offset) = parts(at);
            self.host_accesses(object, offset, count, write);
        }
    }

    /// Managed or pinned memory, if `count` bytes are there.
    #[inline]
    fn shared(&self, at: u64, count: u64) -> Option<(&simt::machine::memory::Global, u64)> {
        let (object, offset) = parts(at);
        let array = self.memory.global(object).filter(|a| a.owner.side != Side::Device)?;
        (offset.checked_add(count)? <= array.bytes as u64).then_some((array, offset))
    }

    pub(crate) fn load_slow(&mut self, at: u64, ty: MemTy) -> Executed<u64> {
        match self.heap.look(at, ty) {
            Some(Looked::Value(value)) => return Ok(value),
            Some(Looked::Unwritten(value, origin)) => {
                self.report_unwritten(at, &origin);
                return Ok(value);
            }
            None => {}
        }
        let mut bytes = [0; 8];
        let count = ty.bytes();
        self.notice(at, u64::from(count), false);
        match self.shared(at, u64::from(count)) {
            Some((array, offset)) => {
                array.read(offset, &mut bytes[..count as usize]);
                self.look_at_shared(at, u64::from(count));
                Ok(crate::host_memory::read(&bytes, 0, ty).unwrap_or(0))
            }
            None if self.range(at, u64::from(count), false).is_some() => {
                let part = self.bytes(at, u64::from(count))?;
                bytes[..count as usize].copy_from_slice(part);
                Ok(crate::host_memory::read(&bytes, 0, ty).unwrap_or(0))
            }
            None if self.reads_beyond(at, u64::from(count)) => {
                let part = self.beyond(at, u64::from(count));
                bytes[..count as usize].copy_from_slice(&part);
                Ok(crate::host_memory::read(&bytes, 0, ty).unwrap_or(0))
            }
            None => Err(self.access_fault(at, "read")),
        }
    }

    pub(crate) fn store_slow(&mut self, at: u64, ty: MemTy, value: u64) -> Executed<()> {
        let count = ty.bytes();
        if self.heap.put_watched(at, ty, value).is_some() {
            return Ok(());
        }
        self.notice(at, u64::from(count), true);
        match self.shared(at, u64::from(count)) {
            Some((array, offset)) => {
                array.write(offset, &value.to_le_bytes()[..count as usize]);
                Ok(())
            }
            None if self.range(at, u64::from(count), true).is_some() => {
                self.write_bytes(at, &value.to_le_bytes()[..count as usize])
            }
            None => Err(self.access_fault(at, "write")),
        }
    }

    /// Bytes that the host may read, in its own memory or in the device's.
    pub(crate) fn read_bytes(&mut self, at: u64, count: u64) -> Executed<Vec<u8>> {
        if count == 0 {
            return Ok(Vec::new());
        }
        self.heap.unwatch(parts(at).0);
        match self.shared_bytes(at, count) {
            Some(bytes) => Ok(bytes),
            None if self.range(at, count, false).is_none() && self.reads_beyond(at, count) => {
                Ok(self.beyond(at, count))
            }
            None => Ok(self.bytes(at, count)?.to_vec()),
        }
    }

    pub(crate) fn write_bytes(&mut self, at: u64, bytes: &[u8]) -> Executed<()> {
        if bytes.is_empty() || self.set_shared_bytes(at, bytes).is_some() {
            return Ok(());
        }
        self.bytes_mut(at, bytes.len() as u64)?.copy_from_slice(bytes);
        Ok(())
    }

    /// Whether a read ends a little beyond a live host object. On a real machine other memory is there:
    /// the program continues, with a finding.
    #[cold]
    fn reads_beyond(&self, at: u64, count: u64) -> bool {
        let (object, offset) = parts(at);
        let live = self.heap.get(object).is_some_and(|found| found.freed.is_none());
        let end = self.heap.size(object) + BEYOND;
        live && object != HOST && offset.checked_add(count).is_some_and(|to| to <= end)
    }

    /// Bytes of an object, with zeros beyond its end; reports them.
    #[cold]
    fn beyond(&mut self, at: u64, count: u64) -> Vec<u8> {
        let (object, offset) = parts(at);
        let there = self.heap.size(object).saturating_sub(offset).min(count);
        let mut bytes = self.bytes(at, there).map(<[u8]>::to_vec).unwrap_or_default();
        self.report_access(at.wrapping_add(there), "read");
        bytes.resize(count as usize, 0);
        bytes
    }

    /// `memmove`.
    pub(crate) fn copy(&mut self, to: u64, from: u64, count: u64) -> Executed<()> {
        let bytes = self.read_bytes(from, count)?;
        self.write_bytes(to, &bytes)
    }

    /// A string that ends in a zero byte, without that byte.
    pub(crate) fn text_at(&mut self, at: u64) -> Executed<Vec<u8>> {
        let (object, offset) = parts(at);
        let size = match self.memory.global(object) {
            Some(array) => array.bytes as u64,
            None => self.heap.size(object),
        };
        let mut out = Vec::new();
        let mut offset = offset;
        while offset < size {
            let part =
                self.read_bytes(at.wrapping_add(out.len() as u64), (size - offset).min(64))?;
            match part.iter().position(|b| *b == 0) {
                Some(end) => {
                    out.extend_from_slice(&part[..end]);
                    return Ok(out);
                }
                None => {
                    out.extend_from_slice(&part);
                    offset += part.len() as u64;
                }
            }
        }
        let end = at.wrapping_add(out.len() as u64);
        if self.reads_beyond(end, 1) {
            self.beyond(end, 1);
            return Ok(out);
        }
        Err(self.access_fault(end, "read"))
    }

    /// Reports an access that is not allowed, and ends the program as the operating system would.
    #[cold]
    pub(crate) fn access_fault(&mut self, at: u64, what: &'static str) -> Termination {
        self.report_access(at, what);
        Termination::Killed(SEGMENTATION)
    }

    /// The same of bytes that a call uses, which begin in an object and may end behind it.
    #[cold]
    pub(crate) fn range_fault(&mut self, at: u64, count: u64, what: &'static str) -> Termination {
        let (object, offset) = parts(at);
        let size = self.heap.size(object);
        let live = self.heap.get(object).filter(|found| found.freed.is_none() && object != HOST);
        let Some(found) = live.filter(|_| offset < size && count > size - offset) else {
            return self.access_fault(at, what);
        };
        let name = self.called(found);
        let message = format!(
            "the call {what}s {count} bytes from byte {offset} of `{name}` on, which has {size}"
        );
        let mut diagnostic = Diagnostic::error("bounds", self.span(), message);
        if found.made != Span::default() {
            diagnostic = diagnostic.with_label(found.made, "allocated here");
        }
        self.report(diagnostic);
        Termination::Killed(SEGMENTATION)
    }

    /// Ends the program where a call uses bytes beyond a variable on the stack.
    pub(crate) fn check_local(&mut self, at: u64, count: u64, what: &'static str) -> Executed<()> {
        let Some((local, offset)) = self.passed_local(at, count) else { return Ok(()) };
        let (name, bytes) = (&local.name, local.bytes);
        let message = format!(
            "the call {what}s {count} bytes from byte {offset} of `{name}` on, which has {bytes}"
        );
        let mut diagnostic = Diagnostic::error("bounds", self.span(), message)
            .with_label(local.span, "declared here");
        if local.vector {
            diagnostic = diagnostic.with_help(format!("its elements begin at `{name}.data()`"));
        }
        self.report(diagnostic);
        Err(Termination::Killed(SEGMENTATION))
    }

    /// A read of memory that host and device share: whether it holds what nothing wrote on the device.
    fn look_at_shared(&mut self, at: u64, count: u64) {
        let (object, offset) = parts(at);
        if !self.runtime.copied_unwritten.contains_key(&object) {
            return;
        }
        let held = self.memory.global(object).map(|array| array.initialised(offset, count));
        let lacks = held.is_some_and(|held| !held.is_empty() && !held.contains(&true));
        if lacks && let Some(origin) = self.runtime.copied_unwritten.remove(&object) {
            self.report_unwritten(at, &origin);
        }
    }

    /// Reports a use of bytes that were copied from device memory to which nothing was written.
    #[cold]
    fn report_unwritten(&mut self, at: u64, origin: &Origin) {
        let (object, offset) = parts(at);
        let (name, element) = match (self.memory.global(object), self.heap.get(object)) {
            (Some(array), _) => (array.name.clone(), &array.element),
            (None, Some(found)) => (self.called(found), &found.element),
            (None, None) => return,
        };
        let size = u64::from(element.size.max(1));
        let (what, array) = (if size == 1 { "byte" } else { "element" }, &origin.array);
        let message = format!(
            "the host reads {what} {} of `{name}`, a copy of memory of `{array}` to which nothing was written",
            offset / size
        );
        // It may be a launch that never started.
        self.tell_unchecked();
        let diagnostic = Diagnostic::error("unwritten-memory", self.span(), message)
            .with_label(origin.copied, "copied here")
            .with_label(origin.made, format!("`{array}` is allocated here"))
            .with_help(format!("write every element of `{array}` that the host uses, or fill it"));
        self.report(diagnostic);
    }

    /// Reports an access that is not allowed.
    fn report_access(&mut self, at: u64, what: &'static str) {
        let (object, offset) = parts(at);
        let object = copied_variable(object).unwrap_or(object);
        let offset = offset as i64;
        let span = self.span();
        let mut labels = Vec::new();
        let mut help = None;
        let (code, message) = if at < 4096 || object == 0 {
            help = (1..4096).contains(&at).then_some(
                "its address is small: a member behind a null pointer, or a number where a pointer is \
                 meant, as for `%s`",
            );
            ("segmentation", format!("the host {what}s through a null pointer"))
        } else if let Some(array) = self.memory.global(object) {
            labels.push((array.owner.made, "allocated here".to_owned()));
            if let Some(freed) = array.owner.freed {
                labels.push((freed, "freed here".to_owned()));
                ("freed", format!("the host {what}s `{}`, which has been freed", array.name))
            } else if array.owner.side == Side::Device {
                help = Some("copy it with `cudaMemcpy`, or allocate it with `cudaMallocManaged`");
                if object >= GLOBALS {
                    help = Some("copy it with `cudaMemcpyFromSymbol` and `cudaMemcpyToSymbol`");
                }
                let message = format!("the host {what}s `{}`, which is device memory", array.name);
                ("device-memory", message)
            } else {
                let (size, element) = (array.bytes as u64, &array.element);
                ("bounds", outside(&array.name, element, size, offset))
            }
        } else if let Some(found) = self.heap.get(object) {
            if found.made != Span::default() {
                labels.push((found.made, "allocated here".to_owned()));
            }
            if let Some(freed) = found.freed {
                labels.push((freed, "freed here".to_owned()));
                (
                    "freed",
                    format!("the host {what}s `{}`, which has been freed", self.called(found)),
                )
            } else if object == HOST {
                ("segmentation", format!("the host {what}s a function's code"))
            } else if found.allocator == Allocator::Text && what == "write" {
                ("segmentation", "the host writes to a string literal".to_owned())
            } else {
                let size = self.heap.size(object);
                ("bounds", outside(&self.called(found), &found.element, size, offset))
            }
        } else {
            ("segmentation", format!("the host {what}s through a pointer to nothing"))
        };
        let mut diagnostic = Diagnostic::error(code, span, message);
        labels.retain(|(at, _)| *at != Span::default());
        diagnostic.labels = labels;
        diagnostic.help = help.map(str::to_owned);
        self.report(diagnostic);
    }

    /// Allocates objects for `new`.
    pub(crate) fn new_objects(&mut self, element: u32, array: bool, count: u64) -> Executed<u64> {
        let ty = &self.program.code.object_types[element as usize];
        let span = self.span();
        let name = format!("new {}{}", ty.name, if array { "[]" } else { "" });
        let allocator = if array { Allocator::NewArray } else { Allocator::New };
        let bytes = count.checked_mul(ty.bytes.max(1));
        let of = Element { name: ty.name.clone(), size: ty.bytes.max(1) as u32 };
        let made = bytes.and_then(|bytes| self.heap.allocate(name, of, bytes, allocator, span));
        let Some(made) = made else {
            return Err(self.out_of_memory(format!("`new` of {count} times {} bytes", ty.bytes)));
        };
        if let Some(object) = self.heap.get_mut(parts(made).0) {
            object.count = count;
        }
        Ok(made)
    }

    /// The end of a program that needs more memory than there is.
    #[cold]
    pub(crate) fn out_of_memory(&mut self, what: String) -> Termination {
        let (used, limit) = (self.heap.used >> 20, self.heap.limit >> 20);
        let [objects, most] = self.heap.objects();
        let message = format!(
            "{what}: out of memory; {used} of the host's {limit} MiB are in use, by {objects} of {most} objects"
        );
        self.report_error("memory", message, None);
        Termination::Killed(crate::interpreter::ABORTED)
    }

    /// `free`, `delete`, `delete[]`: each takes back what its counterpart made.
    pub(crate) fn free(&mut self, at: u64, allocator: Allocator) -> Executed<()> {
        if at == 0 {
            return Ok(());
        }
        let (object, offset) = parts(at);
        let span = self.span();
        let word = |allocator| match allocator {
            Allocator::Malloc => "free",
            Allocator::New => "delete",
            _ => "delete[]",
        };
        let mut labels = Vec::new();
        let mut goes_on = false;
        let message = match self.heap.get(object) {
            Some(found) if found.freed.is_some() => {
                labels.push((found.made, "allocated here".to_owned()));
                labels.extend(found.freed.map(|at| (at, "freed here first".to_owned())));
                format!("`{}` is freed twice", self.called(found))
            }
            Some(found) if found.allocator == allocator && offset == 0 => {
                self.heap.free(object, span);
                return Ok(());
            }
            Some(found) if matches!(found.allocator, Allocator::Program | Allocator::Text) => {
                format!("`{}` of `{}`, which nobody allocated", word(allocator), self.called(found))
            }
            Some(found) if found.allocator == allocator => {
                labels.push((found.made, "allocated here".to_owned()));
                format!(
                    "`{}` of a pointer {offset} bytes into `{}`, not to its start",
                    word(allocator),
                    self.called(found)
                )
            }
            Some(found) => {
                labels.push((found.made, "allocated here".to_owned()));
                let (called, right) = (word(allocator), word(found.allocator));
                let message =
                    format!("`{called}` of `{}`, which `{right}` takes back", self.called(found));
                // Usual allocators accept it.
                goes_on = offset == 0;
                message
            }
            None => match self.memory.global(object) {
                Some(array) => {
                    labels.push((array.owner.made, "allocated here".to_owned()));
                    let right = match array.owner.side {
                        Side::Pinned => "cudaFreeHost",
                        Side::Device | Side::Managed => "cudaFree",
                    };
                    format!("`{}` of `{}`, which is for `{right}`", word(allocator), array.name)
                }
                None => format!("`{}` of a pointer to nothing", word(allocator)),
            },
        };
        let mut diagnostic = Diagnostic::error("free", span, message);
        labels.retain(|(at, _)| *at != Span::default());
        diagnostic.labels = labels;
        self.report(diagnostic);
        if goes_on {
            self.heap.free(object, span);
            return Ok(());
        }
        Err(Termination::Killed(crate::interpreter::ABORTED))
    }
}

/// The message about an access out of bounds.
fn outside(name: &str, element: &Element, size: u64, offset: i64) -> String {
    let step = i64::from(element.size.max(1));
    let made_of = plural(size / step as u64, &element.name);
    let index = offset.div_euclid(step);
    let place = if offset < 0 {
        format!("{} before the start", plural(offset.unsigned_abs(), "byte"))
    } else if offset as u64 >= size {
        match offset as u64 - size {
            0 => "just past the end".to_owned(),
            past => format!("{} past the end", plural(past, "byte")),
        }
    } else {
        "across the end".to_owned()
    };
    let what = if step == 1 && element.name == "byte" { "byte" } else { "index" };
    format!("{what} {index} of `{name}` is out of bounds: it has {made_of}, and this is {place}")
}
