//! Texture and surface objects: tables in device memory, which a fetch reads.
//!
//! The headers say what stands in a table and what a fetch makes of it. An object that is destroyed is
//! memory that was freed, and a fetch through it a finding.

use crate::host_memory::parts;
use crate::interpreter::{Executed, Interpreter};
use simt::machine::memory::Side;

/// What the tables' elements are called, which tells them from arrays.
const ELEMENT: &str = "object";

impl Interpreter<'_> {
    /// Makes an object of a table, and returns its number; or destroys an object, if the table has no
    /// bytes, and returns whether there was one.
    pub(super) fn cuda_object(&mut self, at: u64, bytes: u64) -> Executed<u64> {
        let span = self.span();
        if bytes == 0 {
            let (object, offset) = parts(at);
            let table = self.memory.global(object).filter(|a| a.element.name == ELEMENT);
            let known = offset == 0 && table.is_some_and(|table| table.owner.freed.is_none());
            if known {
                self.memory.release(at, span);
                self.memory.recycle(at);
            }
            return Ok(u64::from(known));
        }
        let table = self.read_bytes(at, bytes)?;
        let name = super::cuda_memory::name_of(self.sources.text(span));
        let made = self.memory.allocate(&name, ELEMENT, 1, table.len(), Side::Device, span);
        let Some(object) = made else { return Ok(0) };
        self.put(object, &table, &[])?;
        self.memory.seal(object);
        Ok(object)
    }
}
