//! Objects and executables: files that say where the sources are, and how to read them.

use super::arguments::is_object;
use crate::complaint::Complaint;
use crate::program::Part;
use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The version of both.
const VERSION: u64 = 1;

/// How an object begins.
const MAGIC: &str = "cuda-sim object\n";

/// How the line of an executable begins that has its object.
const LINE: &str = "#@ ";

/// What stands in an object.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Object {
    version: u64,
    pub(super) parts: Vec<Part>,
}

impl Object {
    pub(super) fn new(parts: Vec<Part>) -> Object {
        Object { version: VERSION, parts }
    }

    /// The text of an object file.
    pub(super) fn text(&self) -> Result<String> {
        Ok(format!("{MAGIC}{}\n", serde_json::to_string(self).context("writing an object")?))
    }

    /// Reads an object file.
    pub(super) fn read(path: &Path) -> Result<Object> {
        let name = path.display();
        if !path.exists() {
            let help = match is_object(path) {
                true => "compile it first, with `-c`",
                false => "a source ends in .cu, .cpp, .cc, .cxx or .c, and an object in .o or .obj",
            };
            return Err(crate::complaint::missing(path, help));
        }
        let bytes = std::fs::read(path).with_context(|| format!("reading `{name}`"))?;
        Object::of_bytes(&bytes, path)
    }

    /// The object in the bytes of a file, or of a member of an archive.
    pub(super) fn of_bytes(bytes: &[u8], path: &Path) -> Result<Object> {
        let text = String::from_utf8_lossy(bytes);
        let Some(json) = text.strip_prefix(MAGIC) else {
            // A member of an archive is an object, whatever it is called.
            let is_binary = bytes.iter().take(MAGIC.len()).any(|byte| !byte.is_ascii());
            let is_text =
                !is_binary && !bytes.starts_with(b"\x7fELF") && !super::arguments::is_object(path);
            if is_text {
                let message = format!("`{}` is neither a source nor an object", path.display());
                let help =
                    "a source ends in .cu, .cpp, .cc, .cxx or .c; `-x cu` takes any file as one";
                return Err(Complaint::error(message, help));
            }
            let message = format!("`{}` is of another compiler", path.display());
            let help = "remove it, and compile its sources with this command, too: `-c FILE.cpp`, or put `cuda-sim launch` before their compiler";
            return Err(Complaint::error(message, help));
        };
        Object::parse(json, path)
    }

    /// The object that a file is or, if it is an executable, has; `None` if it is something else.
    pub(super) fn of_any(path: &Path) -> Result<Option<Object>> {
        let Ok(text) = source_files::read_text(path) else { return Ok(None) };
        if let Some(json) = text.strip_prefix(MAGIC) {
            return Object::parse(json, path).map(Some);
        }
        let line = text.lines().find_map(|line| line.strip_prefix(LINE));
        line.filter(|_| text.starts_with("#!")).map(|json| Object::parse(json, path)).transpose()
    }

    /// The object in an executable.
    pub(super) fn of_executable(path: &Path) -> Result<Object> {
        let name = path.display();
        Object::of_any(path)?.with_context(|| format!("`{name}` is no executable of cuda-sim"))
    }

    fn parse(json: &str, path: &Path) -> Result<Object> {
        let name = path.display();
        let help = "build it again";
        let object: Object = serde_json::from_str(json)
            .map_err(|error| Complaint::error(format!("`{name}` is damaged: {error}"), help))?;
        if object.version != VERSION {
            let version = object.version;
            let message = format!("`{name}` is of version {version}, and this reads {VERSION}");
            return Err(Complaint::error(message, help));
        }
        Ok(object)
    }
}

/// Writes a script for a POSIX shell that runs the program of these parts on this simulator.
pub(super) fn write_executable(path: &Path, parts: Vec<Part>) -> Result<()> {
    let simulator = std::env::current_exe().context("finding this command's own file")?;
    let simulator = simulator.display().to_string().replace('\'', "'\\''");
    let files: Vec<&Path> = parts.iter().map(|part| part.file.as_path()).collect();
    let strings = super::cmake::strings(&files);
    let object = Object::new(parts);
    let json = serde_json::to_string(&object).context("writing an executable")?;
    let linked = super::LINKED;
    let text = format!(
        "#!/bin/sh\n\
         # A CUDA program on the simulator cuda-sim. It reads its sources when it runs.\n\
         simulator=${{CUDA_SIM:-'{simulator}'}}\n\
         if [ ! -x \"$simulator\" ]; then\n    \
         echo \"$0: the simulator '$simulator' is gone: install cuda-sim again, or name it by the \
         variable CUDA_SIM\" >&2\n    \
         exit 127\n\
         fi\n\
         exec \"$simulator\" {linked} \"$0\" \"$@\"\n\
         {strings}{LINE}{json}\n"
    );
    super::write(path, &text)?;
    make_executable(path).with_context(|| format!("making `{}` executable", path.display()))
}

#[cfg(unix)]
pub(crate) fn make_executable(path: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755))
}

/// No such bit is there.
#[cfg(not(unix))]
pub(crate) fn make_executable(_path: &Path) -> std::io::Result<()> {
    Ok(())
}
