//! `cuModuleLoad` and its kin: modules, their functions and their variables.

use super::compile::{self, Unit};
use super::image::{self, NoImage};
use crate::Opened;
use crate::host_memory::{function_pointer, parts};
use crate::interpreter::{Executed, Interpreter};
use crate::lower::KERNELS;
use crate::runtime::error::{Error, INVALID_HANDLE, INVALID_VALUE, MEMORY_ALLOCATION, SUCCESS};
use crate::runtime::loaded_modules;
use simt::Diagnostic;
use simt::isa::MemTy;
use simt::machine::memory::{GLOBALS, pointer};
use std::rc::Rc;

/// The handle of the first module; they are 16 apart.
const FIRST: u64 = 0x10_0000;

const INVALID_IMAGE: Error = 200;
const NO_BINARY: Error = 209;
const INVALID_PTX: Error = 218;
const FILE_NOT_FOUND: Error = 301;

/// No module.
const NONE: u64 = u64::MAX;

impl Interpreter<'_> {
    /// Loads an image, or one in a file, and stores the module.
    pub(super) fn module_load(&mut self, image: u64, file: bool, to: u64) -> Executed<u64> {
        let bytes = match file {
            true => self.image_in_file(image)?,
            false => self.image_at(image)?,
        };
        let done =
            bytes.and_then(|bytes| self.unit_of(&bytes)).and_then(|unit| self.instance(&unit));
        Ok(match done {
            Ok(module) => {
                self.store(to, MemTy::B64, FIRST + 16 * module as u64)?;
                SUCCESS as u64
            }
            Err(error) => error as u64,
        })
    }

    fn image_in_file(&mut self, path: u64) -> Executed<Result<Vec<u8>, Error>> {
        if path == 0 {
            return Ok(Err(INVALID_VALUE));
        }
        let path = String::from_utf8_lossy(&self.text_at(path)?).into_owned();
        let why = match self.os.open(&path) {
            Opened::Contents(bytes) => return Ok(Ok(bytes)),
            Opened::Missing => format!("there is no file `{path}`"),
            Opened::Refused(why) => format!("`{path}` is not read: {why}"),
        };
        let help = "make it with `cuda-sim nvcc -ptx FILE.cu`, `-cubin` or `-fatbin`";
        self.no_module(why, help);
        Ok(Err(FILE_NOT_FOUND))
    }

    /// The bytes from an address to the end of its object: `cuModuleLoadData` is not given a size.
    fn image_at(&mut self, at: u64) -> Executed<Result<Vec<u8>, Error>> {
        if at == 0 {
            return Ok(Err(INVALID_VALUE));
        }
        let (object, offset) = parts(at);
        let rest = self.heap.size(object).saturating_sub(offset).max(1);
        self.read_bytes(at, rest).map(Ok)
    }

    fn unit_of(&mut self, bytes: &[u8]) -> Result<Rc<Unit>, Error> {
        let (text, image) = image::read(bytes).map_err(|why| self.tell_no_image(why))?;
        if let Some(known) = self.runtime.compiler.units.get(&text) {
            return Ok(known.clone());
        }
        let unit = Unit::of(&image, &self.sources).map_err(|failure| {
            let said = failure.diagnostics.iter().map(|said| said.render(&failure.sources));
            let said = said.collect::<Vec<_>>().join("\n");
            self.no_module(format!("the image does not compile\n{said}"), "make it again");
            INVALID_IMAGE
        })?;
        Ok(self.keep_unit(text, unit))
    }

    /// Keeps a unit that was compiled behind the texts of the program.
    pub(super) fn keep_unit(&mut self, image: String, unit: Unit) -> Rc<Unit> {
        self.sources = unit.module.sources.clone();
        let unit = Rc::new(unit);
        self.runtime.compiler.units.insert(image, unit.clone());
        unit
    }

    fn instance(&mut self, unit: &Unit) -> Result<usize, Error> {
        let (names, sources) = (unit.names.clone(), self.sources.clone());
        self.load_module(&unit.module, names, sources).ok_or(MEMORY_ALLOCATION)
    }

    fn tell_no_image(&mut self, why: NoImage) -> Error {
        let made = "give it what `cuda-sim nvcc -ptx` or NVRTC of the simulator made";
        let (what, error) = match why {
            NoImage::Ptx => ("PTX", INVALID_PTX),
            NoImage::MachineCode => ("machine code", NO_BINARY),
            NoImage::Unknown => {
                self.no_module("this is no image of a module".to_owned(), made);
                return INVALID_IMAGE;
            }
            NoImage::Damaged => {
                self.no_module("the image is cut off or changed".to_owned(), made);
                return INVALID_IMAGE;
            }
        };
        let message = format!("not supported by the simulator: {what} of another compiler");
        let help = "build the module with `cuda-sim nvcc` in the place of `nvcc`";
        self.report_error("unsupported", message, Some(help));
        error
    }

    /// Why a call that asks for a module, or for a part of one, is refused.
    fn no_module(&mut self, why: String, help: &str) {
        let diagnostic = Diagnostic::error("module", self.span(), why).with_help(help);
        self.refused(diagnostic);
    }

    /// The number of a module; one that was unloaded is reported.
    fn module_number(&mut self, handle: u64) -> Option<usize> {
        let number =
            handle.checked_sub(FIRST).filter(|rest| rest.is_multiple_of(16))? as usize / 16;
        let loaded = self.loaded.all.get(number)?;
        let Some(unloaded) = loaded.unloaded else { return Some(number) };
        let diagnostic = Diagnostic::error("module", self.span(), "the module was unloaded")
            .with_label(loaded.made, "loaded here")
            .with_label(unloaded, "unloaded here");
        self.report(diagnostic);
        None
    }

    /// `cuModuleUnload`.
    pub(super) fn module_unload(&mut self, handle: u64) -> u64 {
        let Some(number) = self.module_number(handle) else { return INVALID_HANDLE as u64 };
        let span = self.span();
        loaded_modules::free(&mut self.loaded.all[number], &mut self.memory, span);
        SUCCESS as u64
    }

    /// The function of that name (0), the variable's address (1) or bytes (2); 0 if there is none.
    pub(super) fn module_find(&mut self, handle: u64, name: u64, what: i32) -> Executed<u64> {
        let name = String::from_utf8_lossy(&self.text_at(name)?).into_owned();
        let Some(number) = self.module_number(handle) else { return Ok(0) };
        let loaded = &self.loaded.all[number];
        if what == 0 {
            let found = compile::kernel_named(&name, loaded.module, &loaded.names);
            let first = loaded.first;
            if found.is_none() {
                let (why, help) = self.no_kernel(number, &name);
                self.no_module(why, &help);
            }
            return Ok(found.map_or(0, |at| function_pointer(KERNELS + (first + at) as u32)));
        }
        let own = &loaded.module.globals[loaded.variables.clone()];
        let found = own.iter().position(|variable| variable.name == name);
        let Some(found) = found else {
            let why = format!("the module has no variable `{name}`");
            let all = listed(own.iter().map(|variable| &variable.name[..]));
            let help = format!("its variables: {all}");
            self.no_module(why, &help);
            return Ok(0);
        };
        Ok(match what {
            1 => pointer(GLOBALS + (loaded.variables.start + found) as u64),
            _ => u64::from(own[found].size),
        })
    }

    /// Why a module has no kernel of that name, and what to do.
    fn no_kernel(&self, number: usize, name: &str) -> (String, String) {
        let loaded = &self.loaded.all[number];
        let mut kernels = loaded.module.kernels.iter();
        let why = format!("the module has no kernel `{name}`");
        if kernels.clone().any(|kernel| kernel.name == name) {
            let why = format!("{why}: its name there is mangled");
            let help = format!(
                "declare `{name}` as `extern \"C\"`, or ask NVRTC for its name: \
                 `nvrtcAddNameExpression`, `nvrtcGetLoweredName`"
            );
            return (why, help);
        }
        if kernels.clone().next().is_none() {
            return (why, "it has none; a template needs a name expression".to_owned());
        }
        (why, format!("its kernels: {}", listed(kernels.by_ref().map(|kernel| &kernel.name[..]))))
    }

    /// How many functions a module has (-1), or the address of one by its number; [`NONE`] if there is no
    /// such module.
    pub(super) fn module_function(&mut self, handle: u64, which: i64) -> u64 {
        let Some(number) = self.module_number(handle) else { return NONE };
        let loaded = &self.loaded.all[number];
        match usize::try_from(which) {
            Ok(at) if at < loaded.names.len() => {
                function_pointer(KERNELS + (loaded.first + at) as u32)
            }
            Ok(_) => 0,
            Err(_) => loaded.names.len() as u64,
        }
    }

    /// Of a kernel: its name (-2), how many parameters it has (-1), the offset (2 n) and the bytes
    /// (2 n + 1) of one; -1 if it is none, or has no such parameter.
    pub(super) fn kernel_ask(&mut self, function: u64, what: i64) -> u64 {
        let Some(kernel) = self.kernel_at(function) else { return NONE };
        match usize::try_from(what) {
            Ok(what) => kernel.params.get(what / 2).map_or(NONE, |param| {
                u64::from(if what % 2 == 0 { param.offset } else { param.size })
            }),
            Err(_) if what == -1 => kernel.params.len() as u64,
            Err(_) => {
                let number = self.number_of(kernel);
                let loaded = self.module_with(number);
                let name = loaded.and_then(|loaded| loaded.names.get(number - loaded.first));
                let name = name.unwrap_or(&kernel.name).clone();
                self.text_of(&name)
            }
        }
    }

    /// A pointer to a string, the same for each call.
    pub(super) fn text_of(&mut self, text: &str) -> u64 {
        if let Some(at) = self.runtime.compiler.texts.get(text) {
            return *at;
        }
        let at = self.heap.text(text.as_bytes());
        self.runtime.compiler.texts.insert(text.to_owned(), at);
        at
    }
}

/// Some names, for a help.
fn listed<'a>(names: impl Iterator<Item = &'a str>) -> String {
    const MOST: usize = 8;
    let mut names: Vec<String> = names.map(|name| format!("`{name}`")).collect();
    let more = names.len() > MOST;
    names.truncate(MOST);
    match names.len() {
        0 => "none".to_owned(),
        _ => names.join(", ") + if more { ", .." } else { "" },
    }
}
