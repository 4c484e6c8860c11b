//! Lines and columns of a text by an index, so that a hundred thousand places cost no more than one
//! pass: each instruction of a kernel has one.
//!
//! Lines and columns count from 1, columns in characters. A line may be as long as the text, so the
//! index holds a place every few hundred bytes, not every line.

/// Some places of a text, from which the others are counted.
#[derive(Debug, Clone)]
pub struct Index {
    /// Some bytes at which a character begins, with line and column, in order.
    known: Vec<(usize, u32, u32)>,
}

/// How many bytes lie between two known places.
const STEP: usize = 512;

impl Index {
    /// Reads the text once.
    pub fn new(text: &str) -> Index {
        let mut known = vec![(0, 1, 1)];
        let (mut last, mut line, mut column) = (0, 1, 1);
        for (at, c) in text.char_indices() {
            if at - last >= STEP {
                known.push((at, line, column));
                last = at;
            }
            (line, column) = after(c, line, column);
        }
        Index { known }
    }

    /// Line and column of a byte of the text; of the end for a byte behind it. A byte inside a
    /// character has the place of the character.
    pub fn of(&self, text: &str, at: usize) -> (u32, u32) {
        let first = self.known.partition_point(|(known, ..)| *known <= at) - 1;
        let (start, mut line, mut column) = self.known[first];
        for (i, c) in text.get(start..).unwrap_or("").char_indices() {
            if start + i + c.len_utf8() > at {
                break;
            }
            (line, column) = after(c, line, column);
        }
        (line, column)
    }

    /// A line of the text by its number, without its end.
    pub fn line<'t>(&self, text: &'t str, number: u32) -> Option<&'t str> {
        if number == 0 {
            return None;
        }
        // The last place on an earlier line, or the start of the text.
        let later = self.known.partition_point(|(_, line, _)| *line < number);
        let (start, line, _) = self.known[later.saturating_sub(1)];
        let mut rest = text.get(start..)?;
        for _ in line..number {
            rest = rest.split_once('\n')?.1;
        }
        rest.lines().next()
    }
}

/// The place of the character that follows `c`.
fn after(c: char, line: u32, column: u32) -> (u32, u32) {
    if c == '\n' { (line + 1, 1) } else { (line, column + 1) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_has_the_place_that_counting_gives() {
        for unit in ["a\n", "é\n\nxyz", "x", "\r\n", "äöü"] {
            let text = unit.repeat(900);
            let index = Index::new(&text);
            let mut begun = 0;
            for at in 0..=text.len() {
                begun = if text.is_char_boundary(at) { at } else { begun };
                let before = &text[..begun];
                let line = before.matches('\n').count() as u32 + 1;
                let column = before.rsplit('\n').next().unwrap().chars().count() as u32 + 1;
                assert_eq!(index.of(&text, at), (line, column), "{unit:?} at {at}");
            }
            assert_eq!(index.of(&text, text.len() + 9), index.of(&text, text.len()));
            let lines = text.lines().count() as u32;
            for number in 0..lines + 3 {
                let counted = text.lines().nth((number as usize).wrapping_sub(1));
                assert_eq!(index.line(&text, number), counted, "{unit:?}, line {number}");
            }
        }
        assert_eq!(Index::new("").of("", 0), (1, 1));
    }
}
