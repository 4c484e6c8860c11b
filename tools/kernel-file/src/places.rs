//! Lines and columns of a text by an index, so that thousands of places cost no more than one pass.
//!
//! Lines and columns count from 1, columns in characters. A line may be as long as the text, so the
//! index holds a place every few hundred bytes, not every line.

/// The places of a text.
#[derive(Debug)]
pub struct Places<'a> {
    text: &'a str,
    /// Some bytes at which a character begins, with line and column, in order.
    known: Vec<(usize, u32, u32)>,
}

/// How many bytes lie between two known places.
const STEP: usize = 512;

impl<'a> Places<'a> {
    /// Reads the text once.
    pub fn new(text: &'a str) -> Places<'a> {
        let mut known = vec![(0, 1, 1)];
        let (mut last, mut line, mut column) = (0, 1, 1);
        for (at, c) in text.char_indices() {
            if at - last >= STEP {
                known.push((at, line, column));
                last = at;
            }
            (line, column) = after(c, line, column);
        }
        Places { text, known }
    }

    /// Line and column of a byte; of the end for a byte behind it.
    pub fn of(&self, at: usize) -> (u32, u32) {
        let first = self.known.partition_point(|(known, ..)| *known <= at) - 1;
        let (start, mut line, mut column) = self.known[first];
        for (_, c) in self.text[start..].char_indices().take_while(|(i, _)| start + i < at) {
            (line, column) = after(c, line, column);
        }
        (line, column)
    }

    /// A line of the text by its number, without its end.
    pub fn line(&self, number: u32) -> Option<&'a str> {
        if number == 0 {
            return None;
        }
        // The last place on an earlier line, or the start of the text.
        let later = self.known.partition_point(|(_, line, _)| *line < number);
        let (start, line, _) = self.known[later.saturating_sub(1)];
        let mut rest = &self.text[start..];
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
            let places = Places::new(&text);
            for at in (0..=text.len()).filter(|at| text.is_char_boundary(*at)) {
                let before = &text[..at];
                let line = before.matches('\n').count() as u32 + 1;
                let column = before.rsplit('\n').next().unwrap().chars().count() as u32 + 1;
                assert_eq!(places.of(at), (line, column), "{unit:?} at {at}");
            }
            assert_eq!(places.of(text.len() + 9), places.of(text.len()));
            let lines = text.lines().count() as u32;
            for number in 0..lines + 3 {
                let counted = text.lines().nth((number as usize).wrapping_sub(1));
                assert_eq!(places.line(number), counted, "{unit:?}, line {number}");
            }
        }
        assert_eq!(Places::new("").of(0), (1, 1));
    }
}
