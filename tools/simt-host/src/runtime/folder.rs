//! Folders, for `<sys/stat.h>`, `<dirent.h>`, `<unistd.h>` and `<filesystem>`. The caller of the
//! program has them ([`crate::Os`]); the headers make the rest of three questions.

use crate::interpreter::{Executed, Interpreter};
use crate::runtime::errno::Errno;
use crate::{Change, Found};

impl Interpreter<'_> {
    fn path_at(&mut self, at: u64) -> Executed<String> {
        Ok(String::from_utf8_lossy(&self.text_at(at)?).into_owned())
    }

    /// A file's bytes, or what else lies there.
    pub(super) fn file_find(&mut self, path: u64) -> Executed<u64> {
        let path = self.path_at(path)?;
        Ok(match self.os.find(&path) {
            Found::File(bytes) => bytes,
            Found::Nothing => {
                self.set_errno(Errno::NoSuchFile);
                -1_i64 as u64
            }
            Found::Folder => -2_i64 as u64,
        })
    }

    /// 0, or -1 with `errno`.
    pub(super) fn file_change(&mut self, what: u64, path: u64, to: u64) -> Executed<u64> {
        let path = self.path_at(path)?;
        let error = match what {
            0 => self.os.change(Change::Make(&path)),
            1 => self.os.change(Change::Remove(&path)),
            _ => {
                let to = self.path_at(to)?;
                self.os.change(Change::Rename(&path, &to))
            }
        };
        if error == 0 {
            return Ok(0);
        }
        self.set_error_number(error);
        Ok(u64::from(u32::MAX))
    }

    /// A text that the caller frees; a null pointer if there is no such folder.
    pub(super) fn file_names(&mut self, folder: u64) -> Executed<u64> {
        let text = if folder == 0 {
            self.os.folder()
        } else {
            let path = self.path_at(folder)?;
            let Some(mut names) = self.os.names(&path) else {
                self.set_errno(Errno::NoSuchFile);
                return Ok(0);
            };
            names.sort();
            names.iter().map(|name| format!("{name}/")).collect()
        };
        let mut bytes = text.into_bytes();
        bytes.push(0);
        let at = self.malloc(bytes.len() as u64);
        if at != 0 {
            self.heap.fill(at, &bytes);
        }
        Ok(at)
    }
}
