//! NVRTC: programs that are compiled while a program runs.

use super::compile;
use super::image::{self, Compiler};
use super::options::Options;
use crate::interpreter::{Executed, Interpreter};
use crate::runtime::error::Error;
use crate::{Opened, Os};
use simt::diagnostic::decode;
use simt::isa::MemTy;
use simt::{Files, Found, Include, Sources};

/// The handle of the first program; they are 16 apart.
const FIRST: u64 = 0x20_0000;

/// The most headers of a program.
const HEADERS: u64 = 10_000;

const SUCCESS: Error = 0;
const INVALID_INPUT: Error = 3;
const INVALID_PROGRAM: Error = 4;
const INVALID_OPTION: Error = 5;
const COMPILATION: Error = 6;
const TOO_LATE: Error = 8;

/// The programs that were created; none where one was destroyed.
#[derive(Debug, Default)]
pub(super) struct Programs(Vec<Option<Program>>);

#[derive(Debug)]
struct Program {
    name: String,
    text: String,
    /// Headers by their names.
    headers: Vec<(String, String)>,
    expressions: Vec<String>,
    compiled: Option<Compiled>,
}

/// What came of a compilation.
#[derive(Debug)]
struct Compiled {
    log: String,
    /// None after an error.
    image: Option<String>,
    /// Whether the architecture is a real one.
    for_a_chip: bool,
    /// By name expression.
    lowered: Vec<String>,
}

impl Interpreter<'_> {
    fn nvrtc_program(&mut self, handle: u64) -> Option<&mut Program> {
        let number = handle.checked_sub(FIRST).filter(|rest| rest.is_multiple_of(16))? / 16;
        self.runtime.compiler.programs.0.get_mut(number as usize)?.as_mut()
    }

    fn string_at(&mut self, at: u64) -> Executed<String> {
        self.text_at(at).map(|text| decode(&text))
    }

    /// The strings to which the elements of an array point.
    fn strings_at(&mut self, at: u64, count: u64) -> Executed<Vec<String>> {
        let mut all = Vec::new();
        for number in 0..count {
            let text = self.load(at.wrapping_add(8 * number), MemTy::B64)?;
            all.push(self.string_at(text)?);
        }
        Ok(all)
    }

    /// `nvrtcCreateProgram`; 0 if the input is invalid.
    pub(super) fn nvrtc_create(
        &mut self,
        text: u64,
        name: u64,
        count: u64,
        [texts, names]: [u64; 2],
    ) -> Executed<u64> {
        if text == 0 || count > HEADERS || count > 0 && (texts == 0 || names == 0) {
            return Ok(0);
        }
        let text = self.string_at(text)?;
        let name = match name {
            0 => String::new(),
            name => self.string_at(name)?,
        };
        let name = if name.is_empty() { "default_program".to_owned() } else { name };
        let texts = self.strings_at(texts, count)?;
        let names = self.strings_at(names, count)?;
        let headers = names.into_iter().zip(texts).collect();
        let program = Program { name, text, headers, expressions: Vec::new(), compiled: None };
        let programs = &mut self.runtime.compiler.programs.0;
        programs.push(Some(program));
        Ok(FIRST + 16 * (programs.len() as u64 - 1))
    }

    /// `nvrtcDestroyProgram`.
    pub(super) fn nvrtc_destroy(&mut self, handle: u64) -> u64 {
        if self.nvrtc_program(handle).is_none() {
            return INVALID_PROGRAM as u64;
        }
        let number = (handle - FIRST) / 16;
        self.runtime.compiler.programs.0[number as usize] = None;
        SUCCESS as u64
    }

    /// `nvrtcAddNameExpression`.
    pub(super) fn nvrtc_name(&mut self, handle: u64, expression: u64) -> Executed<u64> {
        let Some(program) = self.nvrtc_program(handle) else { return Ok(INVALID_PROGRAM as u64) };
        if program.compiled.is_some() {
            return Ok(TOO_LATE as u64);
        }
        let expression = self.string_at(expression)?;
        let Some(program) = self.nvrtc_program(handle) else { return Ok(INVALID_PROGRAM as u64) };
        if expression.trim().is_empty() || expression.contains('\n') {
            return Ok(INVALID_INPUT as u64);
        }
        if !program.expressions.contains(&expression) {
            program.expressions.push(expression);
        }
        Ok(SUCCESS as u64)
    }

    /// Of a program: its log (0), its image (1), that for a chip (3), or the lowered name of an expression
    /// (2); null if there is none.
    pub(super) fn nvrtc_text(&mut self, handle: u64, what: i32, name: u64) -> Executed<u64> {
        let name = if what == 2 { self.string_at(name)? } else { String::new() };
        let Some(program) = self.nvrtc_program(handle) else { return Ok(0) };
        let Some(compiled) = &program.compiled else { return Ok(0) };
        let text = match what {
            0 => Some(&compiled.log),
            1 => compiled.image.as_ref(),
            2 => {
                let at = program.expressions.iter().position(|expression| *expression == name);
                at.and_then(|at| compiled.lowered.get(at)).filter(|name| !name.is_empty())
            }
            _ => compiled.image.as_ref().filter(|_| compiled.for_a_chip),
        };
        let text = text.cloned();
        Ok(text.map_or(0, |text| self.text_of(&text)))
    }

    /// `nvrtcCompileProgram`.
    pub(super) fn nvrtc_compile(&mut self, handle: u64, count: u64, options: u64) -> Executed<u64> {
        if self.nvrtc_program(handle).is_none() {
            return Ok(INVALID_PROGRAM as u64);
        }
        if count > HEADERS || count > 0 && options == 0 {
            return Ok(INVALID_INPUT as u64);
        }
        let words = self.strings_at(options, count)?;
        let options = match Options::parse(&words) {
            Ok(options) => options,
            Err(why) => {
                let log = format!("nvrtc: error: {why}\n");
                return Ok(self.compiled(handle, log, None, INVALID_OPTION));
            }
        };
        let Some(program) = self.nvrtc_program(handle) else { return Ok(INVALID_PROGRAM as u64) };
        let (headers, expressions) = (program.headers.clone(), program.expressions.len());
        let files = [program.name.clone(), program.text.clone(), named(&program.expressions)];
        let compiler = match options.default_device {
            true => Compiler::NvrtcForBothSides,
            false => Compiler::Nvrtc,
        };
        let unit = unit(&self.sources, &options, files);
        let folders = options.folders.clone();
        let mut search =
            Search { headers, folders, beside: !options.not_beside, os: &mut *self.os };
        let sources = simt::load(unit, Some(compile::environment(compiler)), &mut search);
        let mut log = match options.inexact.is_empty() {
            true => String::new(),
            false => format!("without effect here: {}\n", options.inexact.join(", ")),
        };
        match compile::compile(compiler, expressions, sources) {
            Ok(unit) => {
                for said in &unit.module.diagnostics {
                    log += &said.render(&unit.module.sources);
                }
                let image = image::written(&unit.module.sources, compiler, expressions);
                let unit = self.keep_unit(image.clone(), unit);
                let lowered = unit.lowered.clone();
                let made = Some((image, !options.is_virtual, lowered));
                Ok(self.compiled(handle, log, made, SUCCESS))
            }
            Err(failure) => {
                for said in &failure.diagnostics {
                    log += &said.render(&failure.sources);
                }
                Ok(self.compiled(handle, log, None, COMPILATION))
            }
        }
    }

    /// Keeps what came of a compilation, and answers with the error.
    fn compiled(
        &mut self,
        handle: u64,
        log: String,
        made: Option<(String, bool, Vec<String>)>,
        error: Error,
    ) -> u64 {
        if let Some(program) = self.nvrtc_program(handle) {
            let (image, for_a_chip, lowered) = match made {
                Some((image, chip, lowered)) => (Some(image), chip, lowered),
                None => (None, false, Vec::new()),
            };
            program.compiled = Some(Compiled { log, image, for_a_chip, lowered });
        }
        error as u64
    }
}

/// The lines of name expressions, in a `main` of their own.
fn named(expressions: &[String]) -> String {
    expressions.iter().map(|expression| format!("__nvrtc_name({expression});\n")).collect()
}

/// The unit of a program with this name, text and lines of name expressions, behind other texts.
fn unit(sources: &Sources, options: &Options, [name, text, names]: [String; 3]) -> Sources {
    let before = &options.before;
    let root = format!(
        "{before}#include \"program\"\n__host__ int main() {{\n#include \"names\"\nreturn 0;\n}}\n"
    );
    let mut unit = sources.with_unit(format!("the options of `{name}`"), root);
    let root = unit.root();
    let of_names = format!("the name expressions of `{name}`");
    for (written, name, text) in [("\"program\"", name, text), ("\"names\"", of_names, names)] {
        let file = unit.push(name, text);
        unit.resolve(root, written.to_owned(), Ok(Some(file)));
    }
    unit
}

/// Where NVRTC looks for headers: among those that the program was given, then on the disk.
struct Search<'a> {
    headers: Vec<(String, String)>,
    folders: Vec<String>,
    /// Whether beside the including file, too.
    beside: bool,
    os: &'a mut dyn Os,
}

/// Before the identity of a header that the program was given.
const GIVEN: &str = "given: ";

impl Files for Search<'_> {
    fn find(&mut self, include: &Include<'_>) -> Result<Option<Found>, String> {
        let name = include.name.to_owned();
        if self.headers.iter().any(|(given, _)| *given == name) {
            let identity = format!("{GIVEN}{name}");
            return Ok(Some(Found { name, identity }));
        }
        let beside = include.from.rsplit_once('/').map_or("", |(folder, _)| folder);
        let beside = (include.quoted && self.beside).then_some(beside);
        let folders = beside.into_iter().chain(self.folders.iter().map(String::as_str));
        for folder in folders {
            let path = match folder.trim_end_matches('/') {
                _ if name.starts_with('/') => name.clone(),
                "" if folder.is_empty() => name.clone(),
                folder => format!("{folder}/{name}"),
            };
            if matches!(self.os.find(&path), crate::Found::File(_)) {
                return Ok(Some(Found { name: path.clone(), identity: path }));
            }
        }
        Ok(None)
    }

    fn read(&mut self, found: &Found) -> Result<String, String> {
        if let Some(name) = found.identity.strip_prefix(GIVEN) {
            let given = self.headers.iter().find(|(given, _)| given == name);
            return given.map(|(_, text)| text.clone()).ok_or_else(|| "it is gone".to_owned());
        }
        match self.os.open(&found.identity) {
            Opened::Contents(bytes) => Ok(decode(&bytes)),
            Opened::Missing => Err("there is no such file".to_owned()),
            Opened::Refused(why) => Err(why),
        }
    }
}
