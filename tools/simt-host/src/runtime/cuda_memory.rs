//! `cudaMalloc`, `cudaMemcpy`, `cudaMemset`, `cudaFree` and their variants.

use super::error::{
    Error, INVALID_DIRECTION, INVALID_PITCH, INVALID_VALUE, MEMORY_ALLOCATION, SUCCESS,
};
use super::stream_races::{Wait, Work};
use crate::host_memory::{HOST, Origin, STACK, copied_variable, further, parts};
use crate::interpreter::{Executed, Interpreter};
use simt::isa::MemTy;
use simt::machine::memory::{GLOBALS, Global, MAX_BYTES, Side};
use simt::observe::Noted;
use simt::{Diagnostic, Span};

/// Bytes that are copied or filled at once, so that they fit the caches.
const PIECE: u64 = 1 << 16;

/// The variants that are ordered by a stream.
pub(super) const ASYNC: u64 = 3;

/// `cudaHostUnregister`, of the device's copy.
pub(super) const UNREGISTERS: u64 = 4;

/// In the place of a copy's stream: the default stream, and the host waits.
pub(super) const WAITS: u64 = u64::MAX;

impl Interpreter<'_> {
    /// `cudaMalloc` and its variants: where to store the pointer, bytes, which variant, its stream.
    pub(super) fn cuda_malloc(
        &mut self,
        to: u64,
        bytes: u64,
        variant: i32,
        stream: u64,
    ) -> Executed<u64> {
        let side = match variant {
            1 => Side::Pinned,
            2 => Side::Managed,
            _ => Side::Device,
        };
        // A failed call leaves a null pointer, as on an H200.
        let (error, pointer) = match self.runtime.sticky {
            SUCCESS => self.allocate(bytes, side),
            sticky => (sticky, 0),
        };
        self.store(to, MemTy::B64, pointer)?;
        if side != Side::Device {
            self.runtime.pending_work.note(Noted::Shared);
        }
        if variant as u64 == ASYNC && pointer != 0 {
            self.runtime.ordered_by_stream.insert(parts(pointer).0);
            let whole = self.used(pointer, bytes, true).into_iter().collect();
            self.operation(stream, Work::Allocation, whole, false);
        }
        Ok(self.answer(error))
    }

    /// Allocates device memory, with the name that the call gives it.
    pub(super) fn allocate(&mut self, bytes: u64, side: Side) -> (Error, u64) {
        if bytes == 0 {
            return (SUCCESS, 0);
        }
        let name = name_of(self.sources.text(self.span()));
        self.allocate_named(&name, bytes, side)
    }

    /// Allocates device memory of this name.
    pub(super) fn allocate_named(&mut self, name: &str, bytes: u64, side: Side) -> (Error, u64) {
        let used = self.runtime.device_bytes;
        let left = crate::DEVICE_MEMORY.saturating_sub(used);
        let span = self.span();
        let made = if bytes > left {
            Err(format!("{used} of the device's {} bytes are in use", crate::DEVICE_MEMORY))
        } else if bytes > MAX_BYTES as u64 {
            Err("the simulator's arrays are smaller than 4 GiB".to_owned())
        } else {
            let made = self.memory.allocate(name, "byte", 1, bytes as usize, side, span);
            made.ok_or_else(|| "this computer has no such amount of memory".to_owned())
        };
        match made {
            Ok(pointer) => {
                self.runtime.device_bytes += bytes;
                (SUCCESS, pointer)
            }
            Err(why) => {
                let message = format!("{bytes} bytes of device memory cannot be allocated: {why}");
                let help = format!("{}: the pointer is null", super::refused::LOOK);
                self.refused(Diagnostic::error("memory", span, message).with_help(help));
                (MEMORY_ALLOCATION, 0)
            }
        }
    }

    /// `cudaFree`, `cudaFreeHost` (1), `cudaFreeAsync` (3), the end of registered memory's copy (4).
    pub(super) fn cuda_free(&mut self, pointer: u64, variant: u64, stream: u64) -> Executed<u64> {
        let host = variant == 1 || variant == UNREGISTERS;
        let error = self.synchronise();
        if error != SUCCESS || pointer == 0 {
            self.runtime.frees_refused.insert(parts(pointer).0);
            return Ok(self.answer(error));
        }
        let (object, offset) = parts(pointer);
        let span = self.span();
        let array = self.memory.global(object).filter(|_| object < GLOBALS);
        let (message, labels) = match array {
            Some(array) if array.owner.freed.is_some() => {
                let freed = array.owner.freed.unwrap_or_default();
                let labels = vec![
                    (array.owner.made, "allocated here".to_owned()),
                    (freed, "freed here first".to_owned()),
                ];
                (format!("`{}` is freed twice", array.name), labels)
            }
            Some(array) if offset != 0 => {
                let labels = vec![(array.owner.made, "allocated here".to_owned())];
                let name = &array.name;
                (format!("the pointer is {offset} bytes into `{name}`, not its start"), labels)
            }
            Some(array) if (array.owner.side == Side::Pinned) != host => {
                let labels = vec![(array.owner.made, "allocated here".to_owned())];
                let call = self.free_called(host);
                (format!("`{call}` of `{}`, which is not its memory", array.name), labels)
            }
            Some(array) => {
                let bytes = array.bytes as u64;
                self.runtime.device_bytes -= bytes;
                self.freed(pointer, bytes, variant, stream);
                self.memory.release(pointer, span);
                if !self.runtime.graph_memory.freed(pointer) {
                    self.memory.recycle(pointer);
                }
                return Ok(self.answer(SUCCESS));
            }
            None => self.not_of_the_device(pointer, host),
        };
        let mut diagnostic = Diagnostic::error("free", span, message);
        diagnostic.labels = labels;
        self.report(diagnostic);
        Ok(self.answer(INVALID_VALUE))
    }

    /// Why `cudaFree` or `cudaFreeHost` cannot free what is no memory of the device.
    fn not_of_the_device(&self, pointer: u64, host: bool) -> (String, Vec<(Span, String)>) {
        let call = self.free_called(host);
        match self.heap.get(parts(pointer).0) {
            Some(_) if parts(pointer).0 == STACK => (
                format!("`{call}` of the address of a variable of the host: is an `&` too many?"),
                Vec::new(),
            ),
            Some(found) => {
                let message = format!(
                    "`{call}` of `{}`, which no call of CUDA allocated",
                    self.called(found)
                );
                let made = Some(found.made).filter(|made| *made != Span::default());
                let labels = made.map(|made| (made, "allocated here".to_owned()));
                (message, labels.into_iter().collect())
            }
            None => (format!("`{call}` of a pointer to no memory of the device"), Vec::new()),
        }
    }

    /// What frees memory of the device, or pinned memory, in the interface that the program uses.
    fn free_called(&self, host: bool) -> &'static str {
        match host {
            true => self.called_as("cudaFreeHost", "cuMemFreeHost"),
            false => self.called_as("cudaFree", "cuMemFree"),
        }
    }

    /// Before memory is freed: whether work may still use it.
    fn freed(&mut self, pointer: u64, bytes: u64, variant: u64, stream: u64) {
        let (object, _) = parts(pointer);
        let by_stream = self.runtime.ordered_by_stream.remove(&object);
        if variant == ASYNC {
            let whole = self.used(pointer, bytes, true).into_iter().collect();
            self.operation(stream, Work::Free, whole, false);
        } else if variant == UNREGISTERS {
            self.freed_early(object, "unregistered");
        } else if variant == 1 || by_stream {
            // Neither waits: a `cudaFree` of what `cudaMallocAsync` made takes it that all is done.
            self.freed_early(object, "freed");
        } else {
            self.host_waits(Wait::Everything);
        }
        self.runtime.copied_unwritten.remove(&object);
        self.forget_array(object);
    }

    /// `cudaMemcpy2D`: to and from, their pitches, width and height, and the stream. One row is
    /// `cudaMemcpy`.
    pub(super) fn cuda_memcpy(
        &mut self,
        [to, from]: [u64; 2],
        pitches: [u64; 2],
        [width, height]: [u64; 2],
        kind: i32,
        stream: u64,
    ) -> Executed<u64> {
        let wait = stream == WAITS;
        let error = if wait { self.synchronise() } else { self.runtime.sticky };
        if error != SUCCESS {
            return Ok(self.answer(error));
        }
        if height > 1 && pitches.iter().any(|pitch| *pitch < width) {
            let pitch = pitches[0].min(pitches[1]);
            let message = format!(
                "nothing is copied: a pitch of {pitch} bytes is less than the width, {width} bytes"
            );
            let help =
                "a pitch is the bytes from one row to the next, as `cudaMallocPitch` gives it";
            self.report_error("memcpy", message, Some(help));
            return Ok(self.answer(INVALID_PITCH));
        }
        let mut error = SUCCESS;
        for row in 0..height {
            let (to, from) = (further(to, row, pitches[0]), further(from, row, pitches[1]));
            error = self.transfer(to, from, width, kind)?;
            if error != SUCCESS {
                break;
            }
        }
        if error == SUCCESS {
            self.note_copy(
                [to, from],
                pitches,
                [width, height],
                if wait { 0 } else { stream },
                wait,
            );
        }
        Ok(self.answer(error))
    }

    /// Whether the host waits for a copy: for one that says so, unless it is between two arrays of the
    /// device, and for one to its ordinary memory.
    pub(super) fn copy_waits(&self, [to, from]: [u64; 2], says_so: bool) -> bool {
        match says_so {
            true => !(self.on_device(to) && self.on_device(from)),
            false => self.memory.global(parts(to).0).is_none() && self.mirrored(to).is_none(),
        }
    }

    /// A copy is an operation of its stream.
    fn note_copy(
        &mut self,
        [to, from]: [u64; 2],
        pitches: [u64; 2],
        extent: [u64; 2],
        stream: u64,
        wait: bool,
    ) {
        if !self.notes_operations() {
            return;
        }
        let written = self.rows(to, pitches[0], extent, true);
        let read = self.rows(from, pitches[1], extent, false);
        let waits = self.copy_waits([to, from], wait);
        let uses = match (written, read) {
            (Some((object, mut to)), Some((other, from))) if object == other => {
                to.read = from.read;
                vec![(object, to)]
            }
            (to, from) => to.into_iter().chain(from).collect(),
        };
        self.operation(stream, Work::Copy, uses, waits);
    }

    /// `cudaMemset2D`: address, pitch, the value and its bytes, width and height, the stream or [`WAITS`].
    pub(super) fn cuda_memset(
        &mut self,
        to: u64,
        pitch: u64,
        [value, size]: [u64; 2],
        [width, height]: [u64; 2],
        stream: u64,
    ) -> Executed<u64> {
        if self.runtime.sticky != SUCCESS || width == 0 {
            return Ok(self.answer(SUCCESS));
        }
        if self.memory.global(parts(to).0).is_none() {
            self.bad_range(to, width, "write");
            return Ok(self.answer(INVALID_VALUE));
        }
        if width > crate::DEVICE_MEMORY {
            self.bad_range(to, width, "write");
            return Ok(self.answer(INVALID_VALUE));
        }
        let value = value.to_le_bytes();
        let value = value.iter().take(size as usize).copied().cycle();
        let piece: Vec<u8> = value.take(width.min(PIECE) as usize).collect();
        for row in 0..height {
            let at = further(to, row, pitch);
            let (object, offset) = parts(at);
            let Some(array) = self.memory.global(object).filter(|a| inside(a, offset, width))
            else {
                self.bad_range(at, width, "write");
                return Ok(self.answer(INVALID_VALUE));
            };
            for done in (0..width).step_by(piece.len()) {
                array.write(offset + done, &piece[..(width - done).min(PIECE) as usize]);
            }
        }
        if self.notes_operations() {
            // The host waits for a fill of memory that it shares.
            let wait = stream == WAITS && self.is_shared(parts(to).0);
            let stream = if stream == WAITS { 0 } else { stream };
            let uses = self.rows(to, pitch, [width, height], true).into_iter().collect();
            self.operation(stream, Work::Fill, uses, wait);
        }
        Ok(self.answer(SUCCESS))
    }

    /// Attributes of a pointer: its `cudaMemoryType`, its device address, its host address.
    pub(super) fn cuda_pointer(&self, pointer: u64, what: i32) -> u64 {
        let (object, offset) = parts(pointer);
        let array = self.memory.global(object).filter(|a| a.owner.freed.is_none());
        let side = array.map(|a| a.owner.side);
        let mirror = self.mirrored(pointer);
        match (what, side) {
            (0, None) => u64::from(mirror.is_some()),
            (0, Some(Side::Pinned)) => 1,
            (0, Some(Side::Device)) => 2,
            (0, Some(Side::Managed)) => 3,
            (1, None) => mirror.unwrap_or(0),
            (1, Some(_)) => pointer,
            (3, _) => array.map_or(0, |_| pointer - offset),
            (4, _) => array.map_or(0, |a| a.bytes as u64),
            (_, Some(Side::Device)) => 0,
            (_, Some(_)) => pointer,
            (_, None) => mirror.map_or(0, |_| pointer),
        }
    }

    /// Bytes of device memory: all of it, or the free part, of which no more counts than one array
    /// may have. As on an H200, it falls in steps of 2 MiB.
    pub(super) fn cuda_memory(&self, all: bool) -> u64 {
        const STEP: u64 = 2 << 20;
        let of_one_array = MAX_BYTES as u64 / STEP * STEP;
        let used = self.runtime.device_bytes.next_multiple_of(STEP);
        match all {
            true => crate::DEVICE_MEMORY,
            false => crate::DEVICE_MEMORY.min(of_one_array).saturating_sub(used),
        }
    }

    /// Copies between two addresses; the kind of copy must agree with them.
    pub(super) fn transfer(
        &mut self,
        to: u64,
        from: u64,
        bytes: u64,
        kind: i32,
    ) -> Executed<Error> {
        if bytes == 0 {
            return Ok(SUCCESS);
        }
        if !(0..=4).contains(&kind) {
            return Ok(INVALID_DIRECTION);
        }
        let wrong = match kind {
            0 | 1 if self.on_device(from) => Some(("source", "device")),
            0 | 2 if self.on_device(to) => Some(("destination", "device")),
            1 | 3 if self.only_host(to) => Some(("destination", "host")),
            2 | 3 if self.only_host(from) => Some(("source", "host")),
            _ => None,
        };
        if let Some((end, side)) = wrong {
            let name = match kind {
                0 => self.called_as("cudaMemcpyHostToHost", "cuMemcpy2D"),
                1 => self.called_as("cudaMemcpyHostToDevice", "cuMemcpyHtoD"),
                2 => self.called_as("cudaMemcpyDeviceToHost", "cuMemcpyDtoH"),
                _ => self.called_as("cudaMemcpyDeviceToDevice", "cuMemcpyDtoD"),
            };
            let message = format!("`{name}`, but the {end} is {side} memory");
            let by_itself = self.called_as("cudaMemcpyDefault", "cuMemcpy");
            let help = match (self.on_device(from), self.on_device(to)) {
                (true, false) if self.only_host(to) => {
                    self.called_as("cudaMemcpyDeviceToHost", "cuMemcpyDtoH")
                }
                (false, true) if self.only_host(from) => {
                    self.called_as("cudaMemcpyHostToDevice", "cuMemcpyHtoD")
                }
                (true, true) => self.called_as("cudaMemcpyDeviceToDevice", "cuMemcpyDtoD"),
                _ => "",
            };
            let help = match help {
                "" => format!("`{by_itself}` finds out by itself"),
                help => format!("write `{help}`, or `{by_itself}`, which finds out by itself"),
            };
            self.report_error("memcpy", message, Some(&help));
            return Ok(INVALID_VALUE);
        }
        self.heap.unwatch(parts(to).0);
        self.heap.unwatch(parts(from).0);
        // Ranges that may overlap, or that are not inside their arrays, are copied as a whole.
        let apart = parts(to).0 != parts(from).0
            && self.fits(to, bytes, true)
            && self.fits(from, bytes, false);
        // CUDA looks at the device's range before it touches the host's memory.
        for (at, what) in [(from, "read"), (to, "write")] {
            if self.memory.global(parts(at).0).is_some() && !self.fits(at, bytes, false) {
                self.bad_range(at, bytes, what);
                return Ok(INVALID_VALUE);
            }
        }
        self.check_local(from, bytes, "read")?;
        self.check_local(to, bytes, "write")?;
        if parts(to).0 == parts(from).0 && to != from && to.abs_diff(from) < bytes {
            let message = format!(
                "the source and the destination of the copy have {} bytes in common, and CUDA leaves the result undefined",
                bytes - to.abs_diff(from)
            );
            let help = "copy to an array of its own first, or in parts that do not overlap";
            self.report_error("memcpy", message, Some(help));
        }
        let piece = if apart { PIECE } else { bytes };
        let (whole, mut lacking) = ([to, from], Vec::new());
        for done in (0..bytes).step_by(piece as usize) {
            let (to, from) = (to.wrapping_add(done), from.wrapping_add(done));
            let Some((data, held)) = self.device_or_host(from, piece.min(bytes - done), "read")?
            else {
                return Ok(INVALID_VALUE);
            };
            let error = self.put(to, &data, &held)?;
            if error != SUCCESS {
                return Ok(error);
            }
            if !held.is_empty() {
                lacking.resize(done as usize, true);
                lacking.extend(held);
            }
        }
        if !lacking.is_empty() {
            self.watch_copy(whole, &lacking);
        }
        Ok(SUCCESS)
    }

    /// Watches what a copy from the device brought to the host without a value.
    #[cold]
    fn watch_copy(&mut self, [to, from]: [u64; 2], held: &[bool]) {
        let (copied, object) = (self.span(), parts(to).0);
        let Some(array) = self.memory.global(parts(from).0) else { return };
        if array.owner.side != Side::Device {
            return;
        }
        let made = array.owner.made;
        let origin = || Origin { array: array.name.clone(), made, copied };
        match self.memory.global(object) {
            None => self.heap.watch(to, held, origin),
            Some(shared) if shared.owner.side == Side::Pinned => {
                self.runtime.copied_unwritten.insert(object, origin());
            }
            Some(_) => {}
        }
    }

    /// Whether a range of bytes is inside an object, of the host or the device.
    fn fits(&self, at: u64, count: u64, write: bool) -> bool {
        let (object, offset) = parts(at);
        match self.memory.global(object) {
            Some(array) => inside(array, offset, count),
            None => self.range(at, count, write).is_some(),
        }
    }

    /// Whether an address is host memory that the device cannot access.
    fn only_host(&self, pointer: u64) -> bool {
        let (object, _) = parts(pointer);
        (HOST..GLOBALS).contains(&object) && self.mirrored(pointer).is_none()
    }

    fn on_device(&self, pointer: u64) -> bool {
        let (object, _) = parts(pointer);
        self.memory.global(object).is_some_and(|a| a.owner.side == Side::Device)
    }

    /// Reads bytes of the host or the device, and which of them are initialised.
    fn device_or_host(
        &mut self,
        at: u64,
        count: u64,
        what: &'static str,
    ) -> Executed<Option<(Vec<u8>, Vec<bool>)>> {
        let (object, offset) = parts(at);
        if (HOST..GLOBALS).contains(&object) {
            return Ok(Some((self.bytes(at, count)?.to_vec(), Vec::new())));
        }
        let Some(array) = self.memory.global(object).filter(|a| inside(a, offset, count)) else {
            self.bad_range(at, count, what);
            return Ok(None);
        };
        let mut out = vec![0; count as usize];
        array.read(offset, &mut out);
        let held = array.initialised(offset, count);
        Ok(Some((out, held)))
    }

    /// Writes bytes of the host or the device.
    pub(super) fn put(&mut self, at: u64, data: &[u8], held: &[bool]) -> Executed<Error> {
        let (object, offset) = parts(at);
        let count = data.len() as u64;
        if (HOST..GLOBALS).contains(&object) {
            self.bytes_mut(at, count)?.copy_from_slice(data);
            return Ok(SUCCESS);
        }
        let Some(array) = self.memory.global(object).filter(|a| inside(a, offset, count)) else {
            self.bad_range(at, count, "write");
            return Ok(INVALID_VALUE);
        };
        array.write(offset, data);
        self.memory.set_initialised(object, offset, held);
        Ok(SUCCESS)
    }

    /// The error of a call on the device's memory that is given another pointer.
    fn not_device_memory(&self, at: u64, what: &'static str) -> Diagnostic {
        let (object, _) = parts(at);
        let found = self.heap.get(object).filter(|_| (HOST..GLOBALS).contains(&object));
        let message = match found {
            _ if object == 0 => format!("the call {what}s through a null pointer"),
            Some(_) if object == STACK => format!("the call {what}s a local variable of the host"),
            Some(found) => {
                format!("the call {what}s `{}`, which is host memory", self.called(found))
            }
            None => format!("the call {what}s through a pointer to nothing"),
        };
        let diagnostic = Diagnostic::error("memcpy", self.span(), message);
        match found {
            Some(found) => diagnostic
                .with_label(found.made, "allocated here")
                .with_help("`memset` fills host memory; this call is for memory of `cudaMalloc`, `cudaMallocManaged` and `cudaMallocHost`"),
            None => diagnostic,
        }
    }

    /// The error of a copy or a fill that is not inside its array.
    fn bad_range(&mut self, at: u64, count: u64, what: &'static str) {
        let (object, offset) = parts(at);
        let span = self.span();
        let variable = copied_variable(object).and_then(|variable| self.memory.global(variable));
        let diagnostic = match (self.memory.global(object), variable) {
            (None, Some(variable)) => {
                let message = format!(
                    "the call {what}s `{}` by its address in host code, which is not the device's",
                    variable.name
                );
                Diagnostic::error("memcpy", span, message).with_help(
                    "use `cudaMemcpyToSymbol` or `cudaMemcpyFromSymbol`, or get the address with `cudaGetSymbolAddress`",
                )
            }
            (None, None) => self.not_device_memory(at, what),
            (Some(array), _) => match array.owner.freed {
                Some(freed) => Diagnostic::error(
                    "freed",
                    span,
                    format!("the call {what}s `{}`, which has been freed", array.name),
                )
                .with_label(array.owner.made, "allocated here")
                .with_label(freed, "freed here"),
                None => Diagnostic::error(
                    "bounds",
                    span,
                    format!(
                        "the call {what}s {count} bytes from byte {} of `{}` on, which has {}",
                        offset as i64, array.name, array.bytes
                    ),
                )
                .with_label(
                    array.owner.made,
                    if object < GLOBALS { "allocated here" } else { "declared here" },
                ),
            },
        };
        self.report(diagnostic);
    }
}

/// Whether a range of bytes is inside an array.
fn inside(array: &Global, offset: u64, count: u64) -> bool {
    offset.checked_add(count).is_some_and(|end| end <= array.bytes as u64)
}

/// The name of an allocation: `d_a` of `cudaMalloc((void**)&d_a, ..)`.
pub(super) fn name_of(call: &str) -> String {
    let inside = call.split_once('(').map_or(call, |(_, rest)| rest);
    let first = match inside.find('&') {
        Some(at) => &inside[at + 1..],
        None => inside.rsplit_once(")").map_or(inside, |_| inside),
    };
    let name: String = first
        .trim_start()
        .chars()
        .take_while(|c| c.is_alphanumeric() || "_.[]->:".contains(*c))
        .collect();
    if name.is_empty() { "an array".to_owned() } else { name }
}
