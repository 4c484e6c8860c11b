//! A book with one chapter and one kernel, in a temporary folder, and the command run in it.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use tempfile::TempDir;

const BOOK: &str = r#"
[book]
title = "Tiny"
src = "chapters"

[build]
build-dir = "target/book"
create-missing = false

# In process this command is replaced; a test that calls it fails.
[preprocessor.cuda]
command = "the-command-must-not-be-started"

[output.html.playground]
runnable = false
"#;

/// `2 * in[i]`, in a form whose lines the tests can rely on: the store is line 10.
pub(crate) const TWICE: &str = r#"//! Doubles every number.
//@ input  in: int[n] = iota
//@ output out: int[n] = poison
//@ launch twice(in, out, n) grid = (n + 63) / 64, block = 64
//@ test 1, 31, 65
//@ page 100

extern "C" __global__ void twice(const int* in, int* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i] * 2;
}

__host__ __device__ int expected(const int* in, int i) {
    return in[i] * 2;
}
"#;

/// Where the kernel of the tiny book is.
pub(crate) const KERNEL: &str = "chapters/ch01-tiny/kernels/1_twice.cu";
/// Where its page is.
pub(crate) const PAGE: &str = "chapters/ch01-tiny/README.md";

/// The book.
pub(crate) struct Tiny {
    folder: TempDir,
}

/// What the command said.
#[derive(Debug)]
pub(crate) struct Said {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Tiny {
    /// A book that keeps its promises.
    pub(crate) fn new() -> Tiny {
        let tiny = Tiny { folder: tempfile::tempdir().unwrap() };
        tiny.write("book.toml", BOOK);
        tiny.write(
            "chapters/SUMMARY.md",
            "# Summary\n\n- [Other](other.md)\n- [Tiny](ch01-tiny/README.md)\n",
        );
        tiny.write(PAGE, "# Tiny\n\n{{#kernel kernels/1_twice.cu}}\n");
        tiny.write(
            "chapters/other.md",
            "# Another page\n\nBack to [the first](ch01-tiny/index.html#tiny).\n",
        );
        tiny.write(KERNEL, TWICE);
        tiny
    }

    /// The same with another kernel.
    pub(crate) fn with_kernel(text: &str) -> Tiny {
        let tiny = Tiny::new();
        tiny.write(KERNEL, text);
        tiny
    }

    pub(crate) fn path(&self, relative: &str) -> PathBuf {
        self.folder.path().join(relative)
    }

    pub(crate) fn write(&self, relative: &str, text: &str) {
        let path = self.path(relative);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// Every file in its folder, sorted.
    pub(crate) fn files(&self) -> Vec<PathBuf> {
        let walk = walkdir::WalkDir::new(self.folder.path()).sort_by_file_name().into_iter();
        let files = walk.filter_map(Result::ok).filter(|entry| entry.file_type().is_file());
        files.map(walkdir::DirEntry::into_path).collect()
    }

    pub(crate) fn read(&self, relative: &str) -> String {
        fs::read_to_string(self.path(relative))
            .unwrap_or_else(|error| panic!("{relative}: {error}"))
    }

    /// Runs the command in the book's folder.
    pub(crate) fn run(&self, arguments: &[&str]) -> Said {
        run_in(self.folder.path(), arguments)
    }

    /// The same with so many kilobytes of memory per process.
    #[cfg(unix)]
    pub(crate) fn run_with_memory(&self, kilobytes: u64, arguments: &[&str]) -> Said {
        said(self.with_memory(kilobytes, arguments).output().unwrap())
    }

    /// The same after these words of a shell.
    #[cfg(unix)]
    pub(crate) fn run_after(&self, words: &str, arguments: &[&str]) -> Said {
        said(self.after(words, arguments).output().unwrap())
    }

    /// The command, which may take so many kilobytes of memory per process.
    #[cfg(unix)]
    pub(crate) fn with_memory(&self, kilobytes: u64, arguments: &[&str]) -> Command {
        self.after(&format!("ulimit -v {kilobytes}"), arguments)
    }

    /// The command, started by a shell after these words.
    #[cfg(unix)]
    pub(crate) fn after(&self, words: &str, arguments: &[&str]) -> Command {
        let mut command = Command::new("sh");
        let limited = format!("{words} && exec \"$0\" \"$@\"");
        command.current_dir(self.folder.path()).env_remove("WARPBOOK_REQUIRE");
        command.args(["-c", &limited]).arg(executable()).args(arguments).stdin(Stdio::null());
        command
    }

    /// The same with something on its standard input.
    pub(crate) fn run_with_input(&self, arguments: &[&str], input: &str) -> Said {
        let mut command = warpbook(self.folder.path());
        command.args(arguments).stdin(Stdio::piped());
        let mut child =
            command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
        // It may stop reading at the first word that it does not understand.
        let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
        said(child.wait_with_output().unwrap())
    }

    /// Starts `serve` on a free port.
    pub(crate) fn serve(&self) -> Child {
        warpbook(self.folder.path())
            .args(["serve", "--port", "0"])
            .stdout(Stdio::piped())
            .spawn()
            .unwrap()
    }
}

/// Runs the command anywhere.
pub(crate) fn run_in(folder: &Path, arguments: &[&str]) -> Said {
    said(warpbook(folder).args(arguments).output().unwrap())
}

fn said(output: Output) -> Said {
    Said {
        code: output.status.code(),
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

pub(crate) fn warpbook(folder: &Path) -> Command {
    let mut command = Command::new(executable());
    // The tests say what they need: the simulator, which is everywhere.
    command.current_dir(folder).env_remove("WARPBOOK_REQUIRE").stdin(Stdio::null());
    command
}

/// The command that was built with these tests. They may have been carried to another machine, so
/// the path at which cargo built it is the last guess.
pub(crate) fn executable() -> PathBuf {
    let name = format!("warpbook{}", std::env::consts::EXE_SUFFIX);
    let beside = std::env::current_exe().ok().and_then(|tests| {
        let folders = tests.ancestors().skip(1).take(2);
        folders.map(|folder| folder.join(&name)).find(|file| file.is_file())
    });
    std::env::var_os("NEXTEST_BIN_EXE_warpbook")
        .map(PathBuf::from)
        .or(beside)
        .unwrap_or_else(|| PathBuf::from(env!("CARGO_BIN_EXE_warpbook")))
}
