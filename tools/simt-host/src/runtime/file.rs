//! Files of the C library. `fopen` reads a file as a whole; `fclose` and the end of the program write
//! it back.

use crate::interpreter::{Executed, Interpreter};
use crate::runtime::errno::Errno;
use crate::{FILE_BYTES, Opened};
use std::collections::BTreeMap;

/// What is always empty, and takes all that is written to it.
const NOTHING: &str = "/dev/null";

/// The most files that are open at once.
const MAX_OPEN: usize = 1000;

/// The open files, by number. 0 is standard input.
#[derive(Debug, Default)]
pub(super) struct Files {
    open: BTreeMap<i32, File>,
    input: File,
    /// Bytes of the open files.
    bytes: u64,
}

#[derive(Debug, Default)]
pub(super) struct File {
    path: String,
    data: Vec<u8>,
    at: usize,
    /// Append mode: each write goes to the end.
    append: bool,
    written: bool,
    writable: bool,
    /// The end-of-file indicator: a read has reached the end.
    ended: bool,
}

impl Files {
    fn get(&mut self, number: i32) -> Option<&mut File> {
        if number == 0 { Some(&mut self.input) } else { self.open.get_mut(&number) }
    }

    pub(super) fn ended(&self, number: i32) -> bool {
        let file = if number == 0 { Some(&self.input) } else { self.open.get(&number) };
        file.is_some_and(|f| f.ended)
    }
}

impl Interpreter<'_> {
    /// `fopen`: path, mode.
    pub(super) fn file_open(&mut self, path: u64, mode: u64) -> Executed<u64> {
        let path = String::from_utf8_lossy(&self.text_at(path)?).into_owned();
        let mode = String::from_utf8_lossy(&self.text_at(mode)?).into_owned();
        let failed = u64::from(u32::MAX);
        if self.runtime.files.open.len() >= MAX_OPEN {
            self.set_errno(Errno::TooManyOpenFiles);
            return Ok(failed);
        }
        let mut file = File { path: path.clone(), ..File::default() };
        let update = mode.contains('+');
        match mode.chars().next() {
            Some('r') => match self.contents(&path) {
                Some(data) => (file.data, file.writable) = (data, update),
                None => return Ok(failed),
            },
            Some('w') => {
                if path != NOTHING && !self.os.save(&path, &[]) {
                    self.set_errno(Errno::PermissionDenied);
                    return Ok(failed);
                }
                (file.written, file.writable) = (true, true);
            }
            Some('a') => {
                file.data = self.contents(&path).unwrap_or_default();
                (file.append, file.writable, file.at) = (true, true, file.data.len());
            }
            _ => {
                self.set_errno(Errno::InvalidArgument);
                return Ok(failed);
            }
        }
        self.runtime.files.bytes += file.data.len() as u64;
        let open = &mut self.runtime.files.open;
        let number = (3..).find(|n| !open.contains_key(n)).unwrap_or(3);
        open.insert(number, file);
        Ok(number as u64)
    }

    /// The bytes of a file that is opened.
    fn contents(&mut self, path: &str) -> Option<Vec<u8>> {
        if path == NOTHING {
            return Some(Vec::new());
        }
        let left = FILE_BYTES.saturating_sub(self.runtime.files.bytes);
        let refused = match self.os.open(path) {
            Opened::Contents(data) if data.len() as u64 <= left => return Some(data),
            Opened::Missing => {
                self.set_errno(Errno::NoSuchFile);
                return None;
            }
            Opened::Refused(why) => why,
            Opened::Contents(_) => full(),
        };
        self.set_errno(Errno::PermissionDenied);
        self.warn("file", &format!("`{path}` is not opened: {refused}"), "");
        None
    }

    pub(super) fn file_close(&mut self, number: i32) -> u64 {
        let closed = self.runtime.files.open.remove(&number);
        self.runtime.files.bytes -= closed.as_ref().map_or(0, |file| file.data.len() as u64);
        match closed {
            Some(file) if file.written && file.path != NOTHING => {
                let saved = self.os.save(&file.path, &file.data);
                if saved { 0 } else { u64::from(u32::MAX) }
            }
            Some(_) => 0,
            None => u64::from(u32::MAX),
        }
    }

    /// Writes back the files that are still open.
    pub(super) fn close_files(&mut self) {
        let numbers: Vec<i32> = self.runtime.files.open.keys().copied().collect();
        for number in numbers {
            self.file_close(number);
        }
    }

    /// Reads another line of standard input if its buffer is empty.
    fn fill_input(&mut self, number: i32) {
        let input = &mut self.runtime.files.input;
        if number == 0 && input.at >= input.data.len() {
            // The last byte may be put back.
            let used = input.data.len().saturating_sub(1);
            input.data.drain(..used);
            input.at = input.data.len();
            input.data.extend(self.os.read_line());
        }
    }

    /// The next byte, without consuming it; sets the end-of-file indicator if there is none.
    pub(super) fn file_peek(&mut self, number: i32) -> Option<u8> {
        self.fill_input(number);
        let file = self.runtime.files.get(number)?;
        let byte = file.data.get(file.at).copied();
        file.ended |= byte.is_none();
        byte
    }

    /// Consumes the byte that `file_peek` returned.
    pub(super) fn file_take(&mut self, number: i32) {
        if let Some(file) = self.runtime.files.get(number) {
            file.at += 1;
        }
    }

    pub(super) fn file_get(&mut self, number: i32) -> u64 {
        match self.file_peek(number) {
            Some(byte) => {
                self.file_take(number);
                u64::from(byte)
            }
            None => u64::from(u32::MAX),
        }
    }

    /// `ungetc`.
    pub(super) fn file_back(&mut self, byte: i32, number: i32) -> u64 {
        match self.runtime.files.get(number).filter(|f| f.at > 0 && byte >= 0) {
            Some(file) => {
                (file.at, file.ended) = (file.at - 1, false);
                u64::from(byte as u32)
            }
            None => u64::from(u32::MAX),
        }
    }

    pub(super) fn file_read(&mut self, to: u64, count: u64, number: i32) -> Executed<u64> {
        let mut bytes = Vec::new();
        while (bytes.len() as u64) < count {
            self.fill_input(number);
            let Some(file) = self.runtime.files.get(number) else { return Ok(0) };
            let rest = file.data.get(file.at..).unwrap_or_default();
            if rest.is_empty() {
                file.ended = true;
                break;
            }
            let part = rest.len().min((count - bytes.len() as u64) as usize);
            bytes.extend_from_slice(&rest[..part]);
            file.at += part;
        }
        self.write_bytes(to, &bytes)?;
        Ok(bytes.len() as u64)
    }

    pub(super) fn file_write(&mut self, from: u64, count: u64, number: i32) -> Executed<u64> {
        let bytes = self.read_bytes(from, count)?;
        Ok(if self.put_out(number, &bytes) { count } else { 0 })
    }

    /// Writes to a file or a standard stream. Returns whether that was possible.
    pub(super) fn put_out(&mut self, number: i32, bytes: &[u8]) -> bool {
        if matches!(number, 1 | 2) {
            self.write_stream(number, bytes);
            return true;
        }
        let left = FILE_BYTES.saturating_sub(self.runtime.files.bytes);
        let Some(file) = self.runtime.files.get(number).filter(|f| f.writable) else {
            return false;
        };
        if file.path == NOTHING {
            return true;
        }
        if file.append {
            file.at = file.data.len();
        }
        let end = file.at + bytes.len();
        let more = end.saturating_sub(file.data.len());
        if more as u64 > left {
            let message = format!("`{}` is not written: {}", file.path, full());
            self.warn("file", &message, "");
            return false;
        }
        file.data.resize(file.data.len() + more, 0);
        file.data[file.at..end].copy_from_slice(bytes);
        (file.at, file.written) = (end, true);
        self.runtime.files.bytes += more as u64;
        true
    }

    /// `fseek`: the offset, and what it is relative to.
    pub(super) fn file_seek(&mut self, number: i32, distance: i64, from: i32) -> u64 {
        let Some(file) = self.runtime.files.get(number) else { return u64::from(u32::MAX) };
        let base = match from {
            0 => 0,
            1 => file.at as i64,
            _ => file.data.len() as i64,
        };
        match usize::try_from(base.saturating_add(distance))
            .ok()
            .filter(|at| *at as u64 <= FILE_BYTES)
        {
            Some(at) => {
                (file.at, file.ended) = (at, false);
                0
            }
            None => u64::from(u32::MAX),
        }
    }

    pub(super) fn file_tell(&mut self, number: i32) -> u64 {
        self.runtime.files.get(number).map_or(u64::MAX, |f| f.at as u64)
    }
}

/// Why a file does not grow.
fn full() -> String {
    format!("all open files together may have {} MiB", FILE_BYTES >> 20)
}
