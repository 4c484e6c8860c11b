//! Modules that are loaded while the program runs: the driver API's, and NVRTC, which compiles them.
//!
//! ```text
//! image      the file that stands for PTX and machine code: the source of a module
//! compile    an image to kernels, with the names that they have in it
//! nvrtc      programs of NVRTC: texts, options, logs
//! options    the options of NVRTC
//! modules    load, find, unload
//! errors     the names of the errors of both
//! ```

mod compile;
mod errors;
mod image;
mod modules;
mod nvrtc;
mod options;

pub(super) use errors::name_of;
pub(crate) use image::of_sources as module_image;

use crate::Library;
use crate::interpreter::{Executed, Interpreter};
use compile::Unit;
use std::collections::HashMap;
use std::rc::Rc;

/// What was compiled so far, and the programs of NVRTC.
#[derive(Debug, Default)]
pub(super) struct Compiler {
    /// The units by the texts of their images: a program may load one often.
    units: HashMap<String, Rc<Unit>>,
    /// Strings that were returned, and their addresses.
    texts: HashMap<String, u64>,
    programs: nvrtc::Programs,
}

impl Interpreter<'_> {
    /// A function of the driver or of NVRTC; `None` if it is none of theirs.
    pub(super) fn driver_function(
        &mut self,
        function: Library,
        args: &[u64; 8],
    ) -> Executed<Option<u64>> {
        let [a, b, c, ..] = *args;
        Ok(Some(match function {
            Library::DriverErrorText => self.driver_error_text(a as i32, b as i32),
            Library::ModuleLoad => self.module_load(a, b != 0, c)?,
            Library::ModuleUnload => self.module_unload(a),
            Library::ModuleFind => self.module_find(a, b, c as i32)?,
            Library::ModuleFunction => self.module_function(a, b as i64),
            Library::KernelAsk => self.kernel_ask(a, b as i64),
            Library::NvrtcCreate => self.nvrtc_create(a, b, c, [args[3], args[4]])?,
            Library::NvrtcCompile => self.nvrtc_compile(a, b, c)?,
            Library::NvrtcName => self.nvrtc_name(a, b)?,
            Library::NvrtcText => self.nvrtc_text(a, b as i32, c)?,
            Library::NvrtcDestroy => self.nvrtc_destroy(a),
            _ => return Ok(None),
        }))
    }
}
