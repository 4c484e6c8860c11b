//! The files of a project, and what they include: [`source_files`] within its folder.

use crate::project::Project;
use kernel_file::{Exercise, Header, KernelFile, Problem, Unit};
use source_files::{Search, read_text, unit};
use std::io;
use std::path::Path;

/// The most bytes of a file that is read as a whole.
const MOST_BYTES: u64 = 1 << 26;

/// The text of a file of the book that is not CUDA: a page, recorded results, a list of claims.
///
/// # Errors
/// If it is no regular file (a device or a pipe has no end), too long, not UTF-8, or cannot be read.
pub fn file_text(path: impl AsRef<Path>) -> io::Result<String> {
    let path = path.as_ref();
    let about = std::fs::metadata(path)?;
    if !about.is_file() {
        return Err(io::Error::other("it is not a regular file"));
    }
    if about.len() > MOST_BYTES {
        return Err(io::Error::other(format!("it has more than {} MiB", MOST_BYTES >> 20)));
    }
    std::fs::read_to_string(path)
}

impl Project {
    /// The text of a regular file of the project; a symbolic link is what it leads to.
    ///
    /// # Errors
    /// If it is none, or cannot be read.
    pub fn text(&self, path: &Path) -> io::Result<String> {
        let real = path.canonicalize()?;
        if !real.starts_with(self.root.canonicalize()?) {
            return Err(io::Error::other("it is outside the book's folder"));
        }
        read_text(&real).map_err(io::Error::other)
    }

    /// Reads a kernel file.
    ///
    /// # Errors
    /// If it cannot be read, or has bad lines.
    pub fn read(&self, path: &Path) -> Result<KernelFile, Vec<Problem>> {
        let relative = self.relative(path);
        match self.text(path) {
            Ok(text) => {
                let file = KernelFile::parse(&relative, text)?;
                Ok(KernelFile { path: path.to_path_buf(), ..file })
            }
            Err(error) => {
                let message = format!("cannot read `{relative}`: {error}");
                Err(vec![Problem::new(&relative, "", (0, 0), "file", message)])
            }
        }
    }

    /// Reads an exercise, and the headers that its solution includes.
    ///
    /// # Errors
    /// If it cannot be read, or has bad lines.
    pub fn exercise(&self, path: &Path) -> Result<(Exercise, Vec<Header>), Vec<Problem>> {
        let relative = self.relative(path);
        let text = self.text(path).map_err(|error| {
            let message = format!("cannot read `{relative}`: {error}");
            vec![Problem::new(&relative, "", (0, 0), "file", message)]
        })?;
        let mut exercise = Exercise::parse(&relative, text)?;
        exercise.solution.path = path.to_path_buf();
        let Unit { headers, refused, .. } = self.unit(&exercise.solution);
        let problems = refused.into_iter().map(|(name, why)| {
            let text = &exercise.solution.text;
            let includes = |line: &str| line.trim_start().starts_with('#') && line.contains(&name);
            let line = text.lines().position(includes).map_or(0, |line| line as u32 + 1);
            exercise.solution.problem((line, 0), "include", format!("`{name}` is not read: {why}"))
        });
        let problems: Vec<Problem> = problems.collect();
        if problems.is_empty() { Ok((exercise, headers)) } else { Err(problems) }
    }

    /// A kernel file with its headers.
    pub fn unit(&self, file: &KernelFile) -> Unit {
        self.unit_of(&file.relative, file.path.parent(), file.text.clone())
    }

    /// Any text with its headers; `folder` is searched first, the project's `kernels/include/` last.
    /// A missing header is left to the compiler, which reports it.
    pub fn unit_of(&self, name: &str, folder: Option<&Path>, text: String) -> Unit {
        let shared = self.root.join("kernels/include");
        let search = Search::new(&self.root, vec![shared], std::slice::from_ref(&self.root));
        let mut search = search.with_remedy(
            "copy it into `kernels/include`, or run the file with `cuda-sim -I FOLDER`",
        );
        if let Some(folder) = folder {
            search.lies_in(name, folder);
        }
        unit(name, text, &mut search)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    /// A project with one header beside a kernel, one shared, and a secret outside.
    #[test]
    fn only_files_of_the_project_that_are_included_are_in_a_unit() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        write("secret", "secret");
        write("book/kernels/include/shared.cuh", "#include \"both.cuh\"\n");
        write("book/kernels/include/both.cuh", "");
        write("book/ch/beside.cuh", "#pragma once\n");
        let project = Project { root: folder.path().join("book") };
        let headers = |text: &str| -> Vec<String> {
            let beside = project.root.join("ch");
            let unit = project.unit_of("ch/README.md", Some(&beside), text.to_owned());
            unit.headers.into_iter().map(|header| header.relative).collect()
        };
        assert_eq!(
            headers("#include \"beside.cuh\"\n#include \"shared.cuh\"\n"),
            ["ch/beside.cuh", "kernels/include/both.cuh", "kernels/include/shared.cuh"]
        );
        let secret = folder.path().join("secret");
        let secret = secret.display();
        for text in [
            format!("// #include \"{secret}\""),
            format!("/*\n#include \"{secret}\"\n*/"),
            format!("#if 0\n#include \"{secret}\"\n#endif"),
            format!("#include \"{secret}\""),
            "#include \"../../secret\"".to_owned(),
        ] {
            assert!(headers(&text).is_empty(), "{text}");
        }
        // A header that is a link to it is no file of the project either.
        #[cfg(unix)]
        {
            let link = project.root.join("ch/link.cuh");
            std::os::unix::fs::symlink(folder.path().join("secret"), link).unwrap();
            assert!(headers("#include \"link.cuh\"").is_empty());
        }
    }

    #[test]
    fn a_header_outside_is_said_to_be_outside() {
        let folder = tempfile::tempdir().unwrap();
        let book = folder.path().join("book");
        fs::create_dir(&book).unwrap();
        fs::write(folder.path().join("far.cuh"), "").unwrap();
        let project = Project { root: book.clone() };
        let said = |name: &str| {
            let text = format!("#include \"{name}\"\n__global__ void k() {{}}\n");
            let unit = project.unit_of("a.cu", Some(&book), text);
            let problems = kernel_file::simulator::compile(&unit).unwrap_err();
            format!("{}: {}", problems[0].line, problems[0].message)
        };
        assert_eq!(
            said("../far.cuh"),
            "1: `../far.cuh` is not read: it is outside of the project; copy it into \
             `kernels/include`, or run the file with `cuda-sim -I FOLDER`"
        );
        assert_eq!(said("../none.cuh"), "1: no file `../none.cuh` is found");
    }
}
