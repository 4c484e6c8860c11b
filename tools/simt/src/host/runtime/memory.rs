//! Memory of the device: allocated, copied, taken back.

use super::super::machine::{Machine, Ran};
use super::super::memory::{HOST, parts};
use super::error::{Error, INVALID_DIRECTION, INVALID_VALUE, MEMORY_ALLOCATION, SUCCESS};
use crate::isa::MemTy;
use crate::machine::memory::{GLOBALS, MAX_BYTES, Side};

impl Machine<'_> {
    /// `cudaMalloc`: where the pointer goes, bytes.
    pub(super) fn cuda_malloc(&mut self, to: u64, bytes: u64) -> Ran<u64> {
        let (error, pointer) = self.allocate(bytes, Side::Device);
        if error == SUCCESS {
            self.store(to, MemTy::B64, pointer)?;
        }
        Ok(self.answer(error))
    }

    /// An array that kernels see, named as the call names it.
    pub(super) fn allocate(&mut self, bytes: u64, side: Side) -> (Error, u64) {
        if bytes == 0 {
            return (SUCCESS, 0);
        }
        let left = super::super::MEMORY.saturating_sub(self.runtime.device_bytes);
        if bytes > left || bytes > MAX_BYTES as u64 {
            return (MEMORY_ALLOCATION, 0);
        }
        let span = self.span();
        let name = name_of(self.program.module.sources.text(span));
        let pointer = self.memory.allocate(&name, "byte", 1, bytes as usize, side, span);
        self.runtime.device_bytes += bytes;
        (SUCCESS, pointer)
    }

    pub(super) fn cuda_free(&mut self, pointer: u64) -> Ran<u64> {
        let error = self.synchronise();
        if error != SUCCESS || pointer == 0 {
            return Ok(self.answer(error));
        }
        let (object, offset) = parts(pointer);
        let span = self.span();
        let error = match self.memory.global(object) {
            Some(array) if object < GLOBALS && array.owner.freed.is_some() => {
                let message = format!("`{}` is freed twice", array.name);
                let (made, freed) = (array.owner.made, array.owner.freed.unwrap_or_default());
                let diagnostic = crate::Diagnostic::error("free", span, message)
                    .with_label(made, "allocated here")
                    .with_label(freed, "freed here first");
                self.report(diagnostic);
                INVALID_VALUE
            }
            Some(array) if object < GLOBALS && offset == 0 => {
                self.runtime.device_bytes -= array.bytes as u64;
                self.memory.release(pointer, span);
                SUCCESS
            }
            _ => INVALID_VALUE,
        };
        Ok(self.answer(error))
    }

    /// `cudaMemcpy`: to, from, bytes, kind.
    pub(super) fn cuda_memcpy(&mut self, to: u64, from: u64, bytes: u64, kind: i32) -> Ran<u64> {
        let error = self.synchronise();
        if error != SUCCESS {
            return Ok(self.answer(error));
        }
        let error = self.transfer(to, from, bytes, kind)?;
        Ok(self.answer(error))
    }

    /// Copies between any two places; the kind must agree with them.
    pub(super) fn transfer(&mut self, to: u64, from: u64, bytes: u64, kind: i32) -> Ran<Error> {
        if bytes == 0 {
            return Ok(SUCCESS);
        }
        let (device_to, device_from) = (self.on_device(to), self.on_device(from));
        let agrees = match kind {
            0 => !device_to && !device_from,
            1 => !device_from,
            2 => !device_to,
            3 => true,
            4 => true,
            _ => return Ok(INVALID_DIRECTION),
        };
        if !agrees {
            let names =
                ["cudaMemcpyHostToHost", "cudaMemcpyHostToDevice", "cudaMemcpyDeviceToHost"];
            let wrong =
                if kind == 1 || (kind == 0 && device_from) { "source" } else { "destination" };
            let message = format!(
                "`{}`, but the {wrong} is device memory",
                names.get(kind as usize).unwrap_or(&"?")
            );
            self.complain("memcpy", message, Some("`cudaMemcpyDefault` finds out by itself"));
            return Ok(INVALID_VALUE);
        }
        let Some((data, held)) = self.device_or_host(from, bytes, "read")? else {
            return Ok(INVALID_VALUE);
        };
        self.put(to, &data, &held)
    }

    fn on_device(&self, pointer: u64) -> bool {
        let (object, _) = parts(pointer);
        self.memory.global(object).is_some_and(|a| a.owner.side == Side::Device)
    }

    /// Bytes of either side, and which of them hold something.
    fn device_or_host(
        &mut self,
        at: u64,
        count: u64,
        what: &'static str,
    ) -> Ran<Option<(Vec<u8>, Vec<bool>)>> {
        let (object, offset) = parts(at);
        if object >= HOST && object < GLOBALS {
            return Ok(Some((self.bytes(at, count)?.to_vec(), Vec::new())));
        }
        let inside = self
            .memory
            .global(object)
            .filter(|a| offset.checked_add(count).is_some_and(|end| end <= a.bytes as u64));
        let Some(array) = inside else {
            self.bad_range(at, count, what);
            return Ok(None);
        };
        let mut out = vec![0; count as usize];
        array.read(offset, &mut out);
        let held =
            if array.valid.is_empty() { Vec::new() } else { array.initialised(offset, count) };
        Ok(Some((out, held)))
    }

    /// Writes bytes on either side.
    pub(super) fn put(&mut self, at: u64, data: &[u8], held: &[bool]) -> Ran<Error> {
        let (object, offset) = parts(at);
        let count = data.len() as u64;
        if object >= HOST && object < GLOBALS {
            self.bytes_mut(at, count)?.copy_from_slice(data);
            return Ok(SUCCESS);
        }
        let inside = self
            .memory
            .global(object)
            .filter(|a| offset.checked_add(count).is_some_and(|end| end <= a.bytes as u64));
        let Some(array) = inside else {
            self.bad_range(at, count, "write");
            return Ok(INVALID_VALUE);
        };
        array.write(offset, data);
        self.memory.set_initialised(object, offset, held);
        Ok(SUCCESS)
    }

    /// A copy or a fill that is not all inside its array: CUDA refuses it.
    fn bad_range(&mut self, at: u64, count: u64, what: &'static str) {
        let (object, offset) = parts(at);
        let span = self.span();
        let diagnostic = match self.memory.global(object) {
            None => crate::Diagnostic::error(
                "memcpy",
                span,
                format!("the call {what}s through a pointer to nothing"),
            ),
            Some(array) => match array.owner.freed {
                Some(freed) => crate::Diagnostic::error(
                    "freed",
                    span,
                    format!("the call {what}s `{}`, which has been freed", array.name),
                )
                .with_label(array.owner.made, "allocated here")
                .with_label(freed, "freed here"),
                None => crate::Diagnostic::error(
                    "bounds",
                    span,
                    format!(
                        "the call {what}s {count} bytes from byte {} of `{}` on, which has {}",
                        offset as i64, array.name, array.bytes
                    ),
                )
                .with_label(array.owner.made, "allocated here"),
            },
        };
        self.report(diagnostic);
    }
}

/// `cudaMalloc((void**)&d_a, ..)` makes `d_a`.
fn name_of(call: &str) -> String {
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
