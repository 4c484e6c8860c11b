//! The command line of `nvcc`, as the driver reads it.

use crate::complaint::Complaint;
use crate::nvcc;
use crate::program::Part;
use anyhow::{Context, Result};
use source_files::tidy;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// What is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Action {
    /// An executable.
    Link,
    /// `-c`, `-dc`: objects.
    Compile,
    /// `-M`, `-MM`: rules for `make`.
    Dependencies,
    /// `--version`.
    Version,
    /// `-run`: an executable, which is run.
    Run,
    /// `-lib`, `-shared`: a library.
    Library,
    /// `-dlink`: the object of a device link.
    DeviceLink,
    /// `-ptx`, `-cubin`, `-fatbin`: images of modules, with this ending.
    Image(&'static str),
}

/// A command line.
#[derive(Debug)]
pub(super) struct Request {
    pub(super) action: Action,
    /// Sources and objects, in order.
    pub(super) inputs: Vec<PathBuf>,
    pub(super) output: Option<PathBuf>,
    /// `-MD`, `-MMD`: whether a file of rules is written, and its name if `-MF` gives one.
    pub(super) dependency_file: Option<Option<PathBuf>>,
    /// `-MT`: what the rules say how to make.
    pub(super) target: Option<PathBuf>,
    /// `-MP`: each header is a target, too.
    pub(super) phony: bool,
    /// `-odir`: where objects without a name of their own are.
    object_folder: PathBuf,
    /// `-dryrun`: say what would be done.
    pub(super) dry: bool,
    /// `-run-args`: what a program that is run is given.
    pub(super) run_arguments: Vec<OsString>,
    /// `-x cu`: every input is a source.
    all_sources: bool,
    /// `-l`, `-L`: libraries, and where they are.
    pub(super) library_names: Vec<String>,
    pub(super) library_folders: Vec<PathBuf>,
    include: Vec<PathBuf>,
    /// Lines that define and undefine macros, and those that take it back.
    before: String,
    after: String,
    /// Options without effect here.
    ignored: Vec<String>,
    /// Those among them that would make arithmetic less exact.
    inexact: Vec<String>,
    pub(super) verbose: bool,
    /// `-forward-unknown-to-host-compiler`: what is unknown is an option of that one.
    lenient: bool,
    /// The command line is nvcc's, in which an option may have a list of values.
    lists: bool,
}

/// What is unknown is an option of the host's compiler.
const FORWARD: [&str; 2] = ["forward-unknown-to-host-compiler", "forward-unknown-opts"];

/// Whether a file is a source, by its name.
pub fn is_source(path: &Path) -> bool {
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    ["cu", "cpp", "cc", "cxx", "c++", "c"].contains(&ending)
}

/// Whether a file is an object or a library, by its name.
pub(super) fn is_object(path: &Path) -> bool {
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    ["o", "obj", "a", "so"].contains(&ending)
}

/// Whether a file is a shared library, by its name: `libgomp.so`, `libgomp.so.1`.
pub(super) fn is_shared_library(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.ends_with(".so") || name.contains(".so.")
}

impl Request {
    /// The command line of the host's compiler, of whose other options nothing is known.
    pub(super) fn of_host_compiler(words: &[OsString]) -> Result<Request> {
        Request::parsed(words, true)
    }

    pub(super) fn parse(words: &[OsString]) -> Result<Request> {
        Request::parsed(words, false)
    }

    fn parsed(words: &[OsString], lenient: bool) -> Result<Request> {
        let mut request = Request {
            action: Action::Link,
            inputs: Vec::new(),
            output: None,
            dependency_file: None,
            target: None,
            phony: false,
            object_folder: PathBuf::new(),
            dry: false,
            run_arguments: Vec::new(),
            all_sources: false,
            library_names: Vec::new(),
            library_folders: Vec::new(),
            include: Vec::new(),
            before: String::new(),
            after: String::new(),
            ignored: Vec::new(),
            inexact: Vec::new(),
            verbose: false,
            lists: !lenient,
            lenient,
        };
        let words = words.iter().map(|word| word.to_string_lossy().into_owned());
        let words = with_files(words, Path::new(""))?;
        // Objects are linked by the host's compiler, so its options may stand here.
        let is_plain = |word: &&String| !word.starts_with('-');
        let inputs = || words.iter().filter(is_plain);
        request.lenient |= inputs().any(|word| is_object(Path::new(word)))
            && !inputs().any(|word| is_source(Path::new(word)));
        request.lenient |= words.iter().any(|word| FORWARD.contains(&word.trim_start_matches('-')));
        let mut words = words.into_iter().peekable();
        while let Some(word) = words.next() {
            if !word.starts_with('-') || word == "-" {
                request.inputs.push(PathBuf::from(word));
                continue;
            }
            if request.flag(&word) {
                continue;
            }
            let next = words.peek().cloned();
            let Some((option, value)) = valued(&word) else {
                let mut option = nvcc::option(&word, next.as_deref());
                if let Some(theirs) = option.as_mut()
                    && theirs.has_wrong_value
                    && request.lenient
                {
                    theirs.rewritten = format!("--ignored={word}");
                }
                let refused = |text: &str| text.contains(nvcc::UNKNOWN);
                let is_unknown = option.as_ref().is_none_or(|option| refused(&option.rewritten));
                if is_unknown && request.lenient && nvcc::asks_for_openmp(&word) {
                    request.rewritten(nvcc::OPENMP)?;
                    continue;
                }
                if is_unknown && request.lenient {
                    request.ignored.push(word);
                    continue;
                }
                let Some(option) = option else {
                    let unknown = format!("{word} ({})", nvcc::UNKNOWN);
                    return Err(Complaint::error(nvcc::refusal(&unknown), nvcc::instead(&unknown)));
                };
                let value = if option.takes_next { words.next() } else { None };
                if nvcc::names_compiler(&word) {
                    let joined = word.split_once('=').map(|(_, value)| value.to_owned());
                    skip_compiler(value.or(joined), &mut words);
                }
                request.rewritten(&option.rewritten)?;
                continue;
            };
            let value = match value {
                Some(value) => value,
                None => {
                    words.next().with_context(|| format!("`{option}` needs a value behind it"))?
                }
            };
            request.value(option, value);
        }
        if request.inputs.is_empty() && request.action != Action::Version {
            return Err(Complaint::error("no input file is named", "name a `.cu` file"));
        }
        Ok(request)
    }

    /// Takes an option without a value; `false` if it is none of these.
    fn flag(&mut self, word: &str) -> bool {
        match word.trim_start_matches('-') {
            // `-M` asks for the rules alone.
            "c" | "compile" | "dc" | "device-c" if self.action == Action::Dependencies => {}
            "c" | "compile" | "dc" | "device-c" => self.action = Action::Compile,
            "M" | "generate-dependencies" | "MM" | "generate-nonsystem-dependencies" => {
                self.action = Action::Dependencies;
            }
            "MD"
            | "generate-dependencies-with-compile"
            | "MMD"
            | "generate-nonsystem-dependencies-with-compile" => {
                self.dependency_file.get_or_insert_default();
            }
            "MP" | "generate-dependency-targets" => self.phony = true,
            "run" => self.action = Action::Run,
            "ptx" => self.action = Action::Image("ptx"),
            "cubin" => self.action = Action::Image("cubin"),
            "fatbin" => self.action = Action::Image("fatbin"),
            "lib" => self.action = Action::Library,
            // A device link may say `-shared`, too.
            "shared" if self.action != Action::DeviceLink => self.action = Action::Library,
            "shared" => {}
            "dlink" | "device-link" => self.action = Action::DeviceLink,
            "V" | "version" => self.action = Action::Version,
            "dryrun" => self.dry = true,
            "v" | "verbose" => self.verbose = true,
            word => return FORWARD.contains(&word),
        }
        true
    }

    fn value(&mut self, option: &str, value: String) {
        match option {
            "-o" => self.output = Some(value.into()),
            "-MF" => self.dependency_file = Some(Some(value.into())),
            "-MT" => self.target = Some(value.into()),
            "-odir" => self.object_folder = value.into(),
            "-run-args" => self.run_arguments.extend(value.split(' ').map(OsString::from)),
            "-x" => self.all_sources = true,
            "-include" => {
                let file = std::path::absolute(&value).unwrap_or_else(|_| value.into());
                self.before += &format!("#include \"{}\"\n", file.display());
            }
            "-l" => self.library_names.push(value),
            "-L" => self.library_folders.push(value.into()),
            "-I" => self.include.push(value.into()),
            "-D" => {
                let all = if self.lists { listed(&value) } else { vec![value] };
                for define in all {
                    self.before += &crate::run::define(&define);
                    self.after += &format!("#undef {}\n", value_name(&self.before));
                }
            }
            _ => self.before += &format!("#undef {value}\n"),
        }
    }

    /// An option in this command's own words ([`nvcc::option`]).
    fn rewritten(&mut self, text: &str) -> Result<()> {
        if let Some(refused) = text.strip_prefix("--refused=") {
            let help = match refused.contains(nvcc::UNKNOWN) {
                true => nvcc::instead(refused),
                false => nvcc::remedy(refused).to_owned(),
            };
            return Err(Complaint::error(nvcc::refusal(refused), help));
        }
        if let Some(ignored) = text.strip_prefix("--ignored=") {
            self.ignored.push(ignored.to_owned());
        } else if let Some(inexact) = text.strip_prefix("--inexact=") {
            self.inexact.push(inexact.to_owned());
        } else if let Some((option, Some(value))) = valued(text) {
            self.value(option, value);
        }
        Ok(())
    }

    /// Names the options without effect: those of arithmetic always, the others where more is asked
    /// for.
    pub(super) fn say_ignored(&self) {
        let all = self.inexact.iter();
        let all = all.chain(self.ignored.iter().filter(|_| self.verbose || self.dry));
        let all: Vec<&str> = all.map(String::as_str).collect();
        if !all.is_empty() {
            crate::tell!("without effect here: {}", all.join(", "));
        }
    }

    /// The file of `-MF`.
    pub(super) fn rules_file(&self) -> Option<&Path> {
        self.dependency_file.as_ref().and_then(Option::as_deref)
    }

    /// The object or the image of a source: `-o` or, without it, its own name in the folder of `-odir`.
    pub(super) fn object(&self, input: &Path) -> PathBuf {
        let ending = if let Action::Image(ending) = self.action { ending } else { "o" };
        let stem = PathBuf::from(input.file_name().unwrap_or_default()).with_extension(ending);
        let makes_one = matches!(self.action, Action::Compile | Action::Image(_));
        let named = self.output.clone().filter(|_| makes_one);
        named.unwrap_or_else(|| self.object_folder.join(stem))
    }

    /// Whether an input is a source.
    pub(super) fn is_source(&self, input: &Path) -> bool {
        self.all_sources || is_source(input)
    }

    /// A source with the macros and folders of this command line.
    pub(super) fn part(&self, input: &Path) -> Result<Part> {
        if !self.is_source(input) {
            let message = format!("`{}` is no source", input.display());
            return Err(Complaint::error(message, "a source ends in .cu, .cpp, .cc, .cxx or .c"));
        }
        if !input.exists() {
            return Err(crate::complaint::missing(input, "name a source file"));
        }
        let absolute = |path: &Path| {
            std::path::absolute(path).map(|path| tidy(&path)).context("finding this folder")
        };
        let file = absolute(input)?;
        let include: Vec<PathBuf> =
            self.include.iter().map(|folder| absolute(folder)).collect::<Result<_>>()?;
        let beside = |path: &Path| path.parent().unwrap_or(Path::new("")).to_path_buf();
        let mut given = vec![(file.clone(), input.to_path_buf()), (beside(&file), beside(input))];
        given.extend(include.iter().cloned().zip(self.include.iter().cloned()));
        Ok(Part { file, before: self.before.clone(), after: self.after.clone(), include, given })
    }
}

/// Commands that stand before a compiler and take it as their next word.
const LAUNCHERS: [&str; 5] = ["ccache", "sccache", "distcc", "icecc", super::LAUNCH];

/// Passes over the rest of a compiler that is named in several words: a build that says `-ccbin $(CXX)`
/// has such, where `CXX` is `cuda-sim launch g++`.
fn skip_compiler(
    value: Option<String>,
    words: &mut std::iter::Peekable<impl Iterator<Item = String>>,
) {
    let mut last = value.unwrap_or_default();
    loop {
        let name = Path::new(&last).file_stem().and_then(|name| name.to_str()).unwrap_or_default();
        let is_ours = name == "cuda-sim" && words.peek().is_some_and(|next| next == super::LAUNCH);
        if !is_ours && !LAUNCHERS.contains(&name) {
            return;
        }
        let is_word = |next: &String| !next.starts_with('-') && !is_source(Path::new(next));
        let Some(next) = words.next_if(is_word) else { return };
        last = next;
    }
}

/// The words with those that stand in files, seen from a folder: `-optf FILE`, `--options-file FILE`,
/// `@FILE`.
pub(crate) fn with_files(
    words: impl Iterator<Item = String>,
    folder: &Path,
) -> Result<Vec<String>> {
    let mut all = Vec::new();
    let mut words = words;
    while let Some(word) = words.next() {
        let name = word.trim_start_matches('-');
        let file = match name.split_once('=').unwrap_or((name, "")) {
            ("optf" | "options-file", "") => words.next().unwrap_or_default(),
            ("optf" | "options-file", file) => file.to_owned(),
            _ => match word.strip_prefix('@') {
                Some(file) => file.to_owned(),
                None => {
                    all.push(word);
                    continue;
                }
            },
        };
        let text = source_files::read_text(&folder.join(&file)).map_err(|reason| {
            let message = format!("the file of options `{file}` is not read: {reason}");
            Complaint::error(message, "name a text file with options of nvcc")
        })?;
        let words = shlex::split(&text).with_context(|| format!("a quote in `{file}` is open"))?;
        all.extend(words);
    }
    Ok(all)
}

/// An option that has a value, with the value if it stands in the same word.
fn valued(word: &str) -> Option<(&'static str, Option<String>)> {
    for (long, short) in [
        ("output-file", "-o"),
        ("dependency-output", "-MF"),
        ("dependency-target-name", "-MT"),
        ("output-directory", "-odir"),
        ("include", "-include"),
        ("pre-include", "-include"),
        ("run-args", "-run-args"),
        ("library", "-l"),
        ("library-path", "-L"),
    ] {
        let name = word.trim_start_matches('-');
        if name == long {
            return Some((short, None));
        }
        if let Some(value) = name.strip_prefix(long).and_then(|rest| rest.strip_prefix('=')) {
            return Some((short, Some(value.to_owned())));
        }
    }
    for option in ["-MF", "-MT", "-odir", "-x"] {
        match word.strip_prefix(option) {
            Some("") => return Some((option, None)),
            Some(rest) if rest.starts_with('=') => {
                return Some((option, Some(rest[1..].to_owned())));
            }
            _ => {}
        }
    }
    let options = ["-o", "-I", "-D", "-U", "-l", "-L"];
    let option = options.into_iter().find(|option| word.starts_with(option))?;
    let value = &word[option.len()..];
    // `-optix-ir`, `-lineinfo` and the like are other options.
    if ["-optix", "-opt-info", "-objtemp", "-lineinfo", "-ldir"]
        .iter()
        .any(|other| word.starts_with(other))
    {
        return None;
    }
    let value = value.strip_prefix('=').unwrap_or(value);
    Some((option, Some(value.to_owned()).filter(|value| !value.is_empty())))
}

/// The values that nvcc takes an option's value for: commas outside of quotes separate them, and a backslash
/// outside of quotes stands for the character behind it.
fn listed(value: &str) -> Vec<String> {
    let (mut all, mut quoted) = (vec![String::new()], false);
    let mut rest = value.chars();
    while let (Some(one), Some(last)) = (rest.next(), all.last_mut()) {
        quoted ^= one == '"';
        match one {
            ',' if !quoted => all.push(String::new()),
            '\\' => {
                last.extend(quoted.then_some(one));
                last.extend(rest.next());
            }
            _ => last.push(one),
        }
    }
    all
}

/// The name that the last `#define` of a text defines.
fn value_name(before: &str) -> &str {
    let last = before.lines().last().unwrap_or_default();
    let rest = last.strip_prefix("#define ").unwrap_or_default();
    rest.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default()
}
