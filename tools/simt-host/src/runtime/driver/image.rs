//! The image of a module, in the place of PTX and machine code: the simulator generates neither. It is a
//! text, the source of the module and all files that it includes.
//!
//! ```text
//! // cuda-sim module: ...        what it is
//! nvrtc 2                        who compiles it, and how many name expressions it has
//! file 12 345                    the bytes of a file's name and of its text, which follow; the unit first
//! include 1 2 9                  in file 1: what it means (a file, or -), the bytes of the name that follows
//! end
//! ```

use simt::Sources;

/// How an image begins. It holds no zero byte, so it may be passed as a string.
const MAGIC: &str =
    "// cuda-sim module: CUDA C++ source for the simulator cuda-sim. No PTX, no machine code.\n";

/// What compiles a module, and so what its text may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Compiler {
    Nvcc,
    Nvrtc,
    /// With `-default-device`.
    NvrtcForBothSides,
}

impl Compiler {
    fn name(self) -> &'static str {
        match self {
            Compiler::Nvcc => "nvcc",
            Compiler::Nvrtc => "nvrtc",
            Compiler::NvrtcForBothSides => "nvrtc-default-device",
        }
    }
}

/// An image that was read.
#[derive(Debug)]
pub(super) struct Image {
    pub(super) compiler: Compiler,
    /// The name expressions of its unit.
    pub(super) expressions: usize,
    files: Vec<(String, String)>,
    includes: Vec<(u32, String, Option<u32>)>,
}

/// Why bytes are no image.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum NoImage {
    Ptx,
    MachineCode,
    Unknown,
    /// It begins as one.
    Damaged,
}

/// The image of what `nvcc -ptx` compiles: a translation unit with its files.
pub(crate) fn of_sources(sources: &Sources) -> String {
    written(sources, Compiler::Nvcc, 0)
}

/// The image of the files of a translation unit.
pub(super) fn written(sources: &Sources, compiler: Compiler, expressions: usize) -> String {
    let root = sources.root();
    let mut text = format!("{MAGIC}{} {expressions}\n", compiler.name());
    for (name, of) in &sources.files()[root as usize..] {
        text += &format!("file {} {}\n{name}\n{of}\n", name.len(), of.len());
    }
    // Headers that are built in include some, too.
    let own = root..sources.files().len() as u32;
    let mut includes: Vec<_> =
        sources.resolutions().filter(|(file, ..)| own.contains(file)).collect();
    includes.sort_by_key(|(file, written, _)| (*file, *written));
    for (file, written, meant) in includes {
        let to = meant.as_ref().ok().copied().flatten().and_then(|to| to.checked_sub(root));
        let to = to.map_or_else(|| "-".to_owned(), |to| to.to_string());
        text += &format!("include {} {to} {}\n{written}\n", file - root, written.len());
    }
    text + "end\n"
}

/// The text of an image at the start of bytes, and what it says.
pub(super) fn read(bytes: &[u8]) -> Result<(String, Image), NoImage> {
    if !bytes.starts_with(MAGIC.as_bytes()) {
        return Err(foreign(bytes));
    }
    let end = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
    let text = String::from_utf8_lossy(&bytes[..end]);
    let (image, length) = parsed(&text).ok_or(NoImage::Damaged)?;
    Ok((text[..length].to_owned(), image))
}

/// What bytes are that are no image.
fn foreign(bytes: &[u8]) -> NoImage {
    // A fat binary begins with one of these.
    const FAT: [[u8; 4]; 2] = [[0x50, 0xed, 0x55, 0xba], [0xb1, 0x43, 0x62, 0x46]];
    let start = String::from_utf8_lossy(&bytes[..bytes.len().min(4096)]);
    let is_machine_code =
        bytes.starts_with(b"\x7fELF") || FAT.iter().any(|magic| bytes.starts_with(magic));
    let mut lines = start.lines().map(str::trim_start);
    if is_machine_code {
        NoImage::MachineCode
    } else if lines.any(|line| line.starts_with(".version") || line.starts_with(".target")) {
        NoImage::Ptx
    } else {
        NoImage::Unknown
    }
}

/// An image, and its length.
fn parsed(text: &str) -> Option<(Image, usize)> {
    let mut rest = text.strip_prefix(MAGIC)?;
    let (name, expressions) = line(&mut rest)?.split_once(' ')?;
    let all = [Compiler::Nvcc, Compiler::Nvrtc, Compiler::NvrtcForBothSides];
    let compiler = all.into_iter().find(|one| one.name() == name)?;
    let expressions = expressions.parse().ok()?;
    let mut image = Image { compiler, expressions, files: Vec::new(), includes: Vec::new() };
    loop {
        let words: Vec<&str> = line(&mut rest)?.split(' ').collect();
        match words[..] {
            ["file", name, bytes] => {
                let name = part(&mut rest, name)?;
                image.files.push((name, part(&mut rest, bytes)?));
            }
            ["include", file, to, bytes] => {
                let to = if to == "-" { None } else { Some(to.parse().ok()?) };
                image.includes.push((file.parse().ok()?, part(&mut rest, bytes)?, to));
            }
            ["end"] => break,
            _ => return None,
        }
    }
    let files = image.files.len() as u32;
    let is_there =
        |(file, _, to): &(u32, String, Option<u32>)| *file < files && to.unwrap_or(0) < files;
    (files > 0 && image.includes.iter().all(is_there)).then_some((image, text.len() - rest.len()))
}

fn line<'a>(rest: &mut &'a str) -> Option<&'a str> {
    let (line, after) = rest.split_once('\n')?;
    *rest = after;
    Some(line)
}

/// A text of so many bytes, and the end of its line.
fn part(rest: &mut &str, bytes: &str) -> Option<String> {
    let (text, after) = rest.split_at_checked(bytes.parse().ok()?)?;
    *rest = after.strip_prefix('\n')?;
    Some(text.to_owned())
}

impl Image {
    /// Its files as a translation unit behind others.
    pub(super) fn behind(&self, sources: &Sources) -> Sources {
        let mut files = self.files.iter().cloned();
        let (name, text) = files.next().unwrap_or_default();
        let mut all = sources.with_unit(name, text);
        for (name, text) in files {
            all.push(name, text);
        }
        let root = all.root();
        for (file, written, to) in &self.includes {
            all.resolve(root + file, written.clone(), Ok(to.map(|to| root + to)));
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn image() -> String {
        let mut sources = Sources::single("unit", "#include \"a\nb.cu\"\n#include <x>\n");
        let file = sources.push("a\nb.cu".to_owned(), "ä\n\n".to_owned());
        sources.resolve(0, "\"a\nb.cu\"".to_owned(), Ok(Some(file)));
        sources.resolve(0, "<x>".to_owned(), Ok(None));
        written(&sources, Compiler::Nvrtc, 2)
    }

    #[test]
    fn what_is_read_was_written() {
        let text = image();
        let (again, read) = read(format!("{text}\0behind it").as_bytes()).unwrap();
        assert_eq!(again, text);
        assert_eq!((read.compiler, read.expressions), (Compiler::Nvrtc, 2));
        let all = read.behind(&Sources::single("before", ""));
        assert_eq!((all.root(), all.name(2), all.files()[2].1.as_str()), (1, "a\nb.cu", "ä\n\n"));
        assert_eq!(all.included(1, "\"a\nb.cu\""), Ok(Some(2)));
    }

    #[test]
    fn what_is_no_image_is_told_apart() {
        let why = |bytes: &[u8]| read(bytes).unwrap_err();
        assert_eq!(why(b"//\n// Generated\n.version 8.0\n.target sm_90\n"), NoImage::Ptx);
        assert_eq!(why(b"\x7fELF\x02"), NoImage::MachineCode);
        assert_eq!(why(b"\x50\xed\x55\xba\x01"), NoImage::MachineCode);
        assert_eq!(why(b""), NoImage::Unknown);
        assert_eq!(why(b"int main() {}"), NoImage::Unknown);
        let text = image();
        for end in MAGIC.len()..text.len() {
            let cut = text.as_bytes().get(..end).unwrap();
            assert_eq!(why(cut), NoImage::Damaged, "{end}");
        }
        let other = text.replace("include 0 1", "include 0 9");
        assert_eq!(why(other.as_bytes()), NoImage::Damaged);
        let other = text.replace("file 4 ", "file 99999999999999999999 ");
        assert_eq!(why(other.as_bytes()), NoImage::Damaged);
    }
}
