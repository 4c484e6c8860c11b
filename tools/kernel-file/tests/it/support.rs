//! Kernel files from folders, compiled and run with everything that a run found.

use kernel_file::simulator::{Limits, Program, Ran, Settings};
use kernel_file::{Header, KernelFile, Problem, Unit};
use sha2::{Digest, Sha256};
use simt::{Checks, Dim3, Finding, Model};
use std::path::{Path, PathBuf};

/// The package's folder. At run time, since the executable may have been moved.
pub(crate) fn package() -> PathBuf {
    let at_run_time = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    at_run_time.unwrap_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")))
}

/// A kernel file in a folder that is named for what it shows.
pub(crate) struct Case {
    pub(crate) path: PathBuf,
    /// The folder's name.
    pub(crate) folder: String,
    pub(crate) file: KernelFile,
}

/// The kernel files in the folders of `tests/<root>`, sorted by path.
pub(crate) fn cases(root: &str) -> Vec<Case> {
    let folders = std::fs::read_dir(package().join("tests").join(root)).unwrap();
    let folders = folders.map(|entry| entry.unwrap().path()).filter(|path| path.is_dir());
    let files = folders.flat_map(|folder| std::fs::read_dir(folder).unwrap());
    let mut paths: Vec<PathBuf> = files.map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|e| e == "cu"));
    paths.sort();
    paths.iter().map(|path| Case::read(path)).collect()
}

impl Case {
    fn read(path: &Path) -> Case {
        let name = |path: &Path| path.file_name().unwrap().to_string_lossy().into_owned();
        let text = std::fs::read_to_string(path).unwrap();
        let file = KernelFile::parse(&name(path), text)
            .unwrap_or_else(|problems| panic!("{}\n{}", path.display(), rendered(&problems)));
        Case { path: path.to_owned(), folder: name(path.parent().unwrap()), file }
    }

    /// The sizes of `//@ test` and `//@ page`.
    pub(crate) fn sizes(&self) -> impl Iterator<Item = u64> {
        let directives = &self.file.directives;
        directives.test.iter().copied().chain(directives.page)
    }

    pub(crate) fn compile(&self, headers: &[Header], settings: Settings) -> Program<'_> {
        let name = self.file.relative.clone();
        let unit = Unit {
            name,
            text: self.file.text.clone(),
            headers: headers.to_vec(),
            ..Unit::default()
        };
        Program::compile(&self.file, &unit, settings)
            .unwrap_or_else(|problems| panic!("{}\n{}", self.path.display(), rendered(&problems)))
    }
}

/// Runs one size, which must start.
pub(crate) fn run(program: &Program, n: u64) -> Ran {
    let ran = program.run(n);
    assert!(!ran.reports.is_empty(), "n = {n}: {}", rendered(&ran.run.problems));
    ran
}

/// The findings of all launches.
pub(crate) fn findings(ran: &Ran) -> impl Iterator<Item = &Finding> {
    ran.reports.iter().flat_map(|report| &report.findings)
}

/// All checks, and at most `steps` warp-instructions.
pub(crate) fn settings(model: Model, threads: usize, steps: u64) -> Settings {
    let limits = Limits { steps, ..Limits::default() };
    Settings { checks: Checks::All, model, threads, limits }
}

fn rendered(problems: &[Problem]) -> String {
    problems.iter().map(|problem| problem.rendered.as_str()).collect()
}

/// The first 16 hexadecimal digits of the SHA-256.
pub(crate) fn digest(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().take(8).map(|b| format!("{b:02x}")).collect()
}

/// Up to three axes of a recorded launch.
pub(crate) fn extent(axes: &serde_json::Value) -> Dim3 {
    let at = |i: usize| axes.get(i).and_then(serde_json::Value::as_u64).unwrap_or(1) as u32;
    Dim3 { x: at(0), y: at(1), z: at(2) }
}

/// The bytes of an array of a recorded launch, and the size of one element.
pub(crate) fn filled(ty: &str, count: u64, fill: &str) -> (Vec<u8>, u32) {
    use kernel_file::fill::{ElementType, Fill};
    let element = match ty {
        "i8" => ElementType::I8,
        "i16" => ElementType::I16,
        "i32" => ElementType::I32,
        "i64" => ElementType::I64,
        "f32" => ElementType::F32,
        "f64" => ElementType::F64,
        other => panic!("unknown type {other}"),
    };
    let fill = Fill::parse(fill).unwrap_or_else(|| panic!("unknown fill {fill}"));
    (fill.bytes(element, count as usize), element.bytes() as u32)
}
