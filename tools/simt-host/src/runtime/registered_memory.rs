//! Host memory that `cudaHostRegister` makes accessible to kernels.

use super::cuda_memory::UNREGISTERS;
use super::error::{ALREADY_REGISTERED, INVALID_VALUE, NOT_REGISTERED, SUCCESS};
use crate::host_memory::{STACK, parts};
use crate::interpreter::{Executed, Interpreter};
use simt::machine::memory::Side;
use simt::observe::Noted;

impl Interpreter<'_> {
    /// `cudaHostRegister`: the device gets a copy, which is synchronised before and after each launch.
    pub(super) fn cuda_register(&mut self, pointer: u64, bytes: u64) -> u64 {
        if self.range(pointer, bytes, false).is_none() || bytes == 0 {
            return self.answer(INVALID_VALUE);
        }
        if self.mirrored(pointer).is_some() {
            return self.answer(ALREADY_REGISTERED);
        }
        let name = self.registered_name(pointer);
        let (error, mirror) = self.allocate_named(&name, bytes, Side::Pinned);
        if error == SUCCESS {
            self.runtime.pending_work.note(Noted::Shared);
            self.runtime.registered.push([pointer, mirror, bytes]);
        }
        self.answer(error)
    }

    /// What findings call the memory.
    fn registered_name(&self, pointer: u64) -> String {
        match self.heap.get(parts(pointer).0) {
            Some(found) if parts(pointer).0 != STACK => self.called(found),
            _ => "registered memory".to_owned(),
        }
    }

    pub(super) fn cuda_unregister(&mut self, pointer: u64) -> Executed<u64> {
        let found = self.runtime.registered.iter().position(|r| r[0] == pointer);
        let Some(at) = found else { return Ok(self.answer(NOT_REGISTERED)) };
        let [_, mirror, _] = self.runtime.registered.remove(at);
        self.cuda_free(mirror, UNREGISTERS, 0)
    }

    /// The device address of registered memory.
    pub(super) fn mirrored(&self, pointer: u64) -> Option<u64> {
        let found = |r: &&[u64; 3]| (r[0]..r[0] + r[2]).contains(&pointer);
        self.runtime.registered.iter().find(found).map(|r| r[1] + (pointer - r[0]))
    }

    /// Synchronises registered memory: the device's copy, or the host's.
    pub(super) fn mirror(&mut self, to_device: bool) -> Executed<()> {
        for [host, device, bytes] in self.runtime.registered.clone() {
            let (to, from) = if to_device { (device, host) } else { (host, device) };
            self.runtime.pending_work.paused = true;
            let copied = self.copy(to, from, bytes);
            self.runtime.pending_work.paused = false;
            copied?;
        }
        Ok(())
    }
}
