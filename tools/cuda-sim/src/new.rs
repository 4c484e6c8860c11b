//! `new kernel FILE.cu` and `new program FILE.cu`: a file that passes `check` as it is made; and
//! `new toolkit FOLDER`.

pub(crate) mod toolkit;

use crate::complaint::Complaint;
use crate::{Outcome, say};
use anyhow::Result;
use clap::ValueEnum;
use std::fs::File;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

/// Write a file to begin with, or a folder in place of a CUDA toolkit
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// What the file is
    kind: Template,
    /// The file, or the toolkit's folder; it must not exist. The file's name is the kernel's
    #[arg(value_name = "FILE.cu")]
    file: PathBuf,
}

/// What can be made.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum Template {
    /// A kernel with directives: how it is launched, and what it must compute
    Kernel,
    /// A program with `main`, which checks its own result
    Program,
    /// A folder for builds that look for a CUDA toolkit, with `bin/nvcc`
    Toolkit,
}

/// A kernel file to begin with: each thread doubles one number.
pub const KERNEL: &str = include_str!("new/kernel.cu");

/// What the templates call the kernel.
const PLACEHOLDER: &str = "KERNEL";

/// Writes the file.
///
/// # Errors
/// If its name is no identifier of C++, or it cannot be written.
pub fn execute(arguments: &Arguments) -> Result<Outcome> {
    let file = &arguments.file;
    let template = match arguments.kind {
        Template::Kernel => KERNEL,
        Template::Program => include_str!("new/program.cu"),
        Template::Toolkit => {
            toolkit::write(file)?;
            let nvcc = file.join("bin/nvcc");
            say!("{} is written. Its compiler is {}", file.display(), nvcc.display());
            return Ok(Outcome::Kept);
        }
    };
    write(file, template)?;
    let name = file.display();
    say!("{name} is written. Check it: cuda-sim check {name}");
    Ok(Outcome::Kept)
}

/// Writes a new file from a template, with the file's name as the name of the kernel.
///
/// # Errors
/// If the name is no identifier of C++, or the file exists or cannot be written.
pub fn write(file: &Path, template: &str) -> Result<()> {
    let text = template.replace(PLACEHOLDER, kernel_name(file)?);
    let written = File::create_new(file).and_then(|mut file| file.write_all(text.as_bytes()));
    written.map_err(|error| {
        let help = match error.kind() {
            ErrorKind::AlreadyExists => "choose another name, or move the file away",
            _ => "name a file in a folder that exists",
        };
        Complaint::error(format!("`{}` is not written: {error}", file.display()), help)
    })
}

/// The kernel's name: that of the file, without the number that orders files.
fn kernel_name(file: &Path) -> Result<&str> {
    let stem = file.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    let name = stem.trim_start_matches(|c: char| c.is_ascii_digit() || c == '_');
    let is_identifier = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    let is_cuda = file.extension().is_some_and(|ending| ending == "cu");
    let shown = file.display();
    if !is_cuda {
        let message = format!("`{shown}` is no name of a `.cu` file");
        let help = format!("name it `{}`", file.with_extension("cu").display());
        return Err(Complaint::error(message, help));
    }
    if TAKEN.split_whitespace().any(|taken| taken == name) {
        let message = format!("`{shown}` cannot name a kernel: `{name}` has a meaning already");
        return Err(Complaint::error(message, "choose another name, as `1_scale.cu`"));
    }
    match is_identifier && !name.is_empty() {
        true => Ok(name),
        false => {
            let message = format!("`{shown}` cannot name a kernel, which has the name of its file");
            let help = "use letters, digits and `_`, with a letter behind the number, as in \
                        `1_scale.cu`";
            Err(Complaint::error(message, help))
        }
    }
}

/// Names that no kernel can have: the words of C++, CUDA's own variables, and what the templates define.
const TAKEN: &str = "
    alignas alignof and and_eq asm auto bitand bitor bool break case catch char char8_t char16_t
    char32_t class compl concept const const_cast consteval constexpr constinit continue co_await
    co_return co_yield decltype default delete do double dynamic_cast else enum explicit export extern
    false float for friend goto if inline int long mutable namespace new noexcept not not_eq nullptr
    operator or or_eq private protected public register reinterpret_cast requires return short signed
    sizeof static static_assert static_cast struct switch template this thread_local throw true try
    typedef typeid typename union unsigned using virtual void volatile wchar_t while xor xor_eq
    threadIdx blockIdx blockDim gridDim warpSize dim3 size_t std CHECK main
    expected in out n i bytes error device_in device_out";
