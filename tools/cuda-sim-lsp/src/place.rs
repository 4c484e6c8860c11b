//! Places and addresses, from the protocol's to the project's and back.
//!
//! The project counts lines, and characters in them, from 1, and 0 is the whole. The protocol counts
//! from 0, and in code units of UTF-16.

use lsp_types::{Position, Range, Uri};
use std::path::PathBuf;

/// The length of characters in UTF-16.
fn units(text: &str) -> u32 {
    text.encode_utf16().count() as u32
}

/// The line, as the protocol counts.
pub(crate) fn line(text: &str, line: u32) -> &str {
    text.lines().nth(line as usize).unwrap_or_default()
}

/// From this column of a line, as the project counts, to the end of the word there; the whole line
/// without its blanks if the column is 0.
pub(crate) fn of_word(text: &str, at: u32, column: u32) -> Range {
    let number = at.saturating_sub(1);
    let line = line(text, number);
    let (start, end) = match (column as usize).checked_sub(1) {
        None => (line.len() - line.trim_start().len(), line.trim_end().len()),
        Some(before) => {
            let start = byte(line, before);
            let rest = &line[start..];
            let word = rest.find(|c: char| !c.is_alphanumeric() && c != '_');
            let one = rest.chars().next().map_or(0, char::len_utf8);
            (start, start + word.unwrap_or(rest.len()).max(one))
        }
    };
    let end = end.max(start);
    Range {
        start: Position::new(number, units(&line[..start])),
        end: Position::new(number, units(&line[..end])),
    }
}

/// The byte behind this number of characters.
fn byte(line: &str, characters: usize) -> usize {
    line.char_indices().nth(characters).map_or(line.len(), |(byte, _)| byte)
}

/// The column of a position, from 1.
pub(crate) fn column(text: &str, position: Position) -> u32 {
    let mut before = 0;
    let mut column = 1;
    for c in line(text, position.line).chars() {
        before += c.len_utf16() as u32;
        if before > position.character {
            break;
        }
        column += 1;
    }
    column
}

/// The position of a column, from 1, in a line of the protocol.
pub(crate) fn position(text: &str, number: u32, column: u32) -> Position {
    let line = line(text, number);
    Position::new(number, units(&line[..byte(line, (column as usize).saturating_sub(1))]))
}

/// The path of an address with the scheme `file`.
pub(crate) fn path(uri: &Uri) -> Option<PathBuf> {
    if uri.scheme().is_none_or(|scheme| !scheme.as_str().eq_ignore_ascii_case("file")) {
        return None;
    }
    let path = uri.path().as_estr().decode().into_string_lossy();
    // A drive of Windows stands behind a slash: `/c:/a.cu`.
    let drive = path.strip_prefix('/').filter(|rest| rest.as_bytes().get(1) == Some(&b':'));
    Some(PathBuf::from(drive.unwrap_or(&path)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_counted_in_utf16() {
        let text = "a\n𝕏é = word;\n  x";
        let range = of_word(text, 2, 6);
        assert_eq!((range.start.character, range.end.character), (6, 10));
        assert_eq!(column(text, Position::new(1, 6)), 6);
        assert_eq!(column(text, Position::new(1, 2)), 2);
        assert_eq!(position(text, 1, 6), Position::new(1, 6));
        let whole = of_word(text, 3, 0);
        assert_eq!((whole.start.character, whole.end.character), (2, 3));
        assert_eq!(of_word(text, 9, 4).start, Position::new(8, 0), "no such line");
        assert_eq!(of_word(text, 2, 40).start, Position::new(1, 11), "behind its end");
    }

    #[test]
    fn addresses_are_paths() {
        let of = |uri: &str| path(&uri.parse().unwrap());
        assert_eq!(of("file:///home/a%20b/%C3%A9.cu"), Some("/home/a b/é.cu".into()));
        assert_eq!(of("file:///c%3A/a.cu"), Some("c:/a.cu".into()));
        assert_eq!(of("untitled:Untitled-1"), None);
    }
}
