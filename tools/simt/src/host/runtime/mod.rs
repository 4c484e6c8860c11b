//! The functions at the bottom, carried out: one family a file.

mod c;
mod error;
mod launch;
mod memory;
mod text;

use super::machine::{Machine, Ran, Stop};
use super::memory::Maker;
use super::{Launched, Library};
use crate::syntax::ast::Prim;
use error::Error;
use std::collections::HashMap;

/// What the CUDA runtime and the C library know between calls.
#[derive(Debug, Default)]
pub(super) struct Runtime {
    /// Of all launches.
    pub(super) launches: Vec<Launched>,
    /// The last call that failed.
    last: Error,
    /// What a kernel did, until somebody waits for it.
    pending: Error,
    /// After a fault nothing works any more.
    sticky: Error,
    /// What kernels printed and nobody has waited for.
    printed: String,
    random: c::Random,
    /// Texts that were asked for.
    texts: HashMap<&'static str, u64>,
    /// Bytes that are allocated on the device.
    device_bytes: u64,
    /// What `cudaFuncSetAttribute` allowed: bytes of dynamic shared memory, by kernel.
    shared_limits: HashMap<String, u32>,
}

impl Machine<'_> {
    /// One function of the library: `args` are its arguments, `extra` those behind them.
    pub(super) fn library(
        &mut self,
        function: Library,
        args: &[u64; 8],
        extra: &[(Prim, u64)],
    ) -> Ran<u64> {
        let [a, b, c, d, ..] = *args;
        Ok(match function {
            Library::Malloc => self.malloc(a),
            Library::Free => {
                self.free(a, Maker::Malloc)?;
                0
            }
            Library::Realloc => self.realloc(a, b)?,
            Library::Printf => self.print(1, a, extra)?,
            Library::Fprintf => self.print(a as i32, b, extra)?,
            Library::Snprintf => self.print_into(a, b, c, extra)?,
            Library::Exit => return Err(Stop::Exit(a as i32 & 0xFF)),
            Library::Abort => return Err(Stop::Exit(super::machine::ABORTED)),
            Library::Memmove => {
                self.copy(a, b, c)?;
                0
            }
            Library::Memset => {
                let bytes = vec![b as u8; self.sensible(a, c)?];
                self.write_bytes(a, &bytes)?;
                0
            }
            Library::Memcmp => {
                let (x, y) = (self.read_bytes(a, c)?, self.read_bytes(b, c)?);
                c::difference(&x, &y)
            }
            Library::Strlen => self.text_at(a)?.len() as u64,
            Library::Strcmp => {
                let (x, y) = (self.text_at(a)?, self.text_at(b)?);
                c::difference(&[&x[..], &[0]].concat(), &[&y[..], &[0]].concat())
            }
            Library::Now => self.outside.now_ns() as u64,
            Library::Rand => u64::from(self.runtime.random.next()),
            Library::Srand => {
                self.runtime.random = c::Random::new(a as u32);
                0
            }
            Library::CudaMalloc => self.cuda_malloc(a, b)?,
            Library::CudaMemcpy => self.cuda_memcpy(a, b, c, d as i32)?,
            Library::CudaSynchronise => {
                let error = self.synchronise();
                self.answer(error)
            }
            Library::CudaLastError => self.last_error(a != 0),
            Library::CudaErrorText => self.error_text(a as i32, b != 0),
            Library::CudaFree => self.cuda_free(a)?,
            other => {
                let name = other.row().1;
                self.complain("unsupported", format!("`{name}` is not there yet"), None);
                return Err(Stop::Exit(super::machine::ABORTED));
            }
        })
    }

    /// A pointer to a text of the library's own, the same each time.
    fn constant_text(&mut self, text: &'static str) -> u64 {
        if let Some(at) = self.runtime.texts.get(text) {
            return *at;
        }
        let at = self.heap.text(text);
        self.runtime.texts.insert(text, at);
        at
    }

    /// A number of bytes that can be there at all.
    fn sensible(&mut self, at: u64, count: u64) -> Ran<usize> {
        if count > super::MEMORY {
            return Err(self.refused(at, "write"));
        }
        Ok(count as usize)
    }

    /// The end of the program: nothing that was printed is lost.
    pub(super) fn finish(&mut self) {
        self.flush();
    }

    fn flush(&mut self) {
        let printed = std::mem::take(&mut self.runtime.printed);
        self.outside.write(1, printed.as_bytes());
    }
}
