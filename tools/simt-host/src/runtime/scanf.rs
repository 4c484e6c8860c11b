//! `scanf`, `strtol`, `strtod` and their variants.

use crate::interpreter::{Executed, Interpreter};
use crate::runtime::errno::Errno;
use simt::isa::MemTy;
use simt::sema::types::Prim;

/// The input of `scanf`.
enum Source {
    Text(Vec<u8>, usize),
    File(i32),
}

impl Interpreter<'_> {
    /// `strtod`: the text, and where to store the pointer behind the number.
    pub(super) fn number(&mut self, text: u64, end: u64) -> Executed<u64> {
        let bytes = self.text_at(text)?;
        let blank = bytes.iter().take_while(|b| b.is_ascii_whitespace()).count();
        let length = float_length(&bytes[blank..]);
        let digits = &bytes[blank..blank + length];
        let value = parse_float(digits);
        if value.is_infinite() && digits.iter().any(u8::is_ascii_digit) {
            self.set_errno(Errno::OutOfRange);
        }
        self.tell_end(end, text, if length == 0 { 0 } else { blank + length })?;
        Ok(value.to_bits())
    }

    /// `strtoll`, `strtoull`: the text, where to store the pointer behind the number, the base.
    pub(super) fn whole_number(
        &mut self,
        text: u64,
        end: u64,
        base: i32,
        signed: bool,
    ) -> Executed<u64> {
        let bytes = self.text_at(text)?;
        let (value, length) = parse_whole(&bytes, base);
        self.tell_end(end, text, length)?;
        let (least, most) = match signed {
            true => (i128::from(i64::MIN), i128::from(i64::MAX)),
            // A minus sign negates the unsigned value.
            false => (-i128::from(u64::MAX), i128::from(u64::MAX)),
        };
        if !(least..=most).contains(&value) {
            self.set_errno(Errno::OutOfRange);
            return Ok(if signed { value.clamp(least, most) as u64 } else { u64::MAX });
        }
        Ok(value as u64)
    }

    fn tell_end(&mut self, end: u64, text: u64, length: usize) -> Executed<()> {
        if end == 0 {
            Ok(())
        } else {
            self.store(end, MemTy::B64, text.wrapping_add(length as u64))
        }
    }

    pub(super) fn scan_text(
        &mut self,
        text: u64,
        format: u64,
        to: &[(Prim, u64)],
    ) -> Executed<u64> {
        let bytes = self.text_at(text)?;
        self.scan(Source::Text(bytes, 0), format, to)
    }

    pub(super) fn scan_file(
        &mut self,
        file: i32,
        format: u64,
        to: &[(Prim, u64)],
    ) -> Executed<u64> {
        self.scan(Source::File(file), format, to)
    }

    fn peek(&mut self, source: &Source) -> Option<u8> {
        match source {
            Source::Text(bytes, at) => bytes.get(*at).copied(),
            Source::File(file) => self.file_peek(*file),
        }
    }

    fn take(&mut self, source: &mut Source) {
        match source {
            Source::Text(_, at) => *at += 1,
            Source::File(file) => self.file_take(*file),
        }
    }

    fn skip_blank(&mut self, source: &mut Source) {
        while self.peek(source).is_some_and(|b| b.is_ascii_whitespace()) {
            self.take(source);
        }
    }

    /// Consumes bytes while they are wanted, `width` at most.
    fn take_while(
        &mut self,
        source: &mut Source,
        width: usize,
        mut wanted: impl FnMut(&[u8], u8) -> bool,
    ) -> Vec<u8> {
        let mut out = Vec::new();
        while out.len() < width
            && let Some(byte) = self.peek(source).filter(|b| wanted(&out, *b))
        {
            out.push(byte);
            self.take(source);
        }
        out
    }

    /// Returns how many conversions were stored; -1 if the input ended before the first.
    fn scan(&mut self, mut source: Source, format: u64, to: &[(Prim, u64)]) -> Executed<u64> {
        let format = self.text_at(format)?;
        let (mut done, mut targets, mut at) = (0u64, to.iter(), 0);
        let failed = |source_ended: bool, done: u64| {
            if source_ended && done == 0 { u64::from(u32::MAX) } else { done }
        };
        while let Some(&c) = format.get(at) {
            at += 1;
            if c.is_ascii_whitespace() {
                self.skip_blank(&mut source);
                continue;
            }
            if c != b'%' || format.get(at) == Some(&b'%') {
                at += usize::from(c == b'%');
                if c == b'%' {
                    self.skip_blank(&mut source);
                }
                match self.peek(&source) {
                    Some(b) if b == c => self.take(&mut source),
                    other => return Ok(failed(other.is_none(), done)),
                }
                continue;
            }
            let Some(conversion) = Conversion::parse(&format, &mut at) else { break };
            if !b"c[n".contains(&conversion.letter) {
                self.skip_blank(&mut source);
            }
            let ended = self.peek(&source).is_none();
            let mut target = None;
            if !conversion.dropped {
                match targets.next() {
                    Some((_, pointer)) => target = Some(*pointer),
                    None => return Ok(done),
                }
            }
            let matched = match conversion.letter {
                b'd' | b'i' | b'u' | b'x' | b'X' | b'o' | b'p' => {
                    self.scan_integer(&mut source, &conversion, target)?
                }
                b'f' | b'F' | b'e' | b'E' | b'g' | b'G' | b'a' => {
                    self.scan_float(&mut source, &conversion, target)?
                }
                b's' | b'c' | b'[' => self.scan_bytes(&mut source, &conversion, target)?,
                _ => return Ok(done),
            };
            if !matched {
                return Ok(failed(ended, done));
            }
            done += u64::from(!conversion.dropped);
        }
        Ok(done)
    }

    /// `%d` and the other integers. Returns whether there was one.
    fn scan_integer(
        &mut self,
        source: &mut Source,
        conversion: &Conversion,
        target: Option<u64>,
    ) -> Executed<bool> {
        let base = match conversion.letter {
            b'i' => 0,
            b'x' | b'X' | b'p' => 16,
            b'o' => 8,
            _ => 10,
        };
        let text = self.take_while(source, conversion.width, |so_far, byte| {
            whole_prefix(&[so_far, &[byte]].concat(), base)
        });
        let (value, length) = parse_whole(&text, base);
        if length == 0 {
            return Ok(false);
        }
        if let Some(pointer) = target {
            let ty = match &conversion.length[..] {
                b"hh" => MemTy::U8,
                b"h" => MemTy::U16,
                b"" if conversion.letter != b'p' => MemTy::B32,
                _ => MemTy::B64,
            };
            self.store(pointer, ty, value as u64)?;
        }
        Ok(true)
    }

    /// `%f` and the other floating-point numbers. Returns whether there was one.
    fn scan_float(
        &mut self,
        source: &mut Source,
        conversion: &Conversion,
        target: Option<u64>,
    ) -> Executed<bool> {
        let text = self.take_while(source, conversion.width, |so_far, byte| {
            float_prefix(&[so_far, &[byte]].concat())
        });
        if float_length(&text) == 0 {
            return Ok(false);
        }
        let value = parse_float(&text);
        match target {
            None => {}
            Some(pointer) if conversion.length.is_empty() => {
                self.store(pointer, MemTy::B32, u64::from((value as f32).to_bits()))?;
            }
            Some(pointer) => self.store(pointer, MemTy::B64, value.to_bits())?,
        }
        Ok(true)
    }

    /// `%s`, `%c` and `%[..]`. Returns whether there was a byte.
    fn scan_bytes(
        &mut self,
        source: &mut Source,
        conversion: &Conversion,
        target: Option<u64>,
    ) -> Executed<bool> {
        let is_char = conversion.letter == b'c';
        let most = if is_char && conversion.width == usize::MAX { 1 } else { conversion.width };
        let mut text = self.take_while(source, most, |_, byte| match &conversion.set {
            Some((negated, set)) => set.contains(&byte) != *negated,
            None => is_char || !byte.is_ascii_whitespace(),
        });
        if text.is_empty() {
            return Ok(false);
        }
        if let Some(pointer) = target {
            if !is_char {
                text.push(0);
            }
            self.write_bytes(pointer, &text)?;
        }
        Ok(true)
    }
}

/// A conversion of a format: what follows `%`.
struct Conversion {
    /// `*`: read and not stored.
    dropped: bool,
    /// The most bytes that it reads.
    width: usize,
    /// `h`, `l` and the like.
    length: Vec<u8>,
    letter: u8,
    /// Of `[..]`: whether it is negated, and its members.
    set: Option<(bool, Vec<u8>)>,
}

impl Conversion {
    /// Reads a conversion; `at` stands behind `%`, and behind the conversion afterwards. `None` at
    /// the end of the format.
    fn parse(format: &[u8], at: &mut usize) -> Option<Conversion> {
        let dropped = format.get(*at) == Some(&b'*');
        *at += usize::from(dropped);
        let digits = format[*at..].iter().take_while(|b| b.is_ascii_digit()).count();
        let width = std::str::from_utf8(&format[*at..*at + digits]).ok();
        let width = width.and_then(|text| text.parse().ok()).unwrap_or(usize::MAX);
        *at += digits;
        let mut length = Vec::new();
        while let Some(&c) = format.get(*at).filter(|c| b"hlLzjt".contains(c)) {
            length.push(c);
            *at += 1;
        }
        let letter = *format.get(*at)?;
        *at += 1;
        let mut set = None;
        if letter == b'[' {
            let negated = format.get(*at) == Some(&b'^');
            *at += usize::from(negated);
            let start = *at;
            // A `]` that comes first is a member.
            *at += 1;
            while format.get(*at).is_some_and(|c| *c != b']') {
                *at += 1;
            }
            let end = (*at).min(format.len());
            set = Some((negated, ranges(format.get(start..end).unwrap_or_default())));
            *at += 1;
        }
        Some(Conversion { dropped, width, length, letter, set })
    }
}

/// The members of `[a-z_]`.
fn ranges(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut at = 0;
    while at < text.len() {
        if text.get(at + 1) == Some(&b'-') && at + 2 < text.len() {
            out.extend(text[at]..=text[at + 2]);
            at += 3;
        } else {
            out.push(text[at]);
            at += 1;
        }
    }
    out
}

/// Whether a text is the prefix of an integer.
fn whole_prefix(text: &[u8], base: i32) -> bool {
    let rest = match text {
        [b'+' | b'-', rest @ ..] => rest,
        _ => text,
    };
    let (rest, base) = match rest {
        [b'0', b'x' | b'X', rest @ ..] if base == 16 || base == 0 => (rest, 16),
        [b'0', ..] if base == 0 => (rest, 8),
        _ if base == 0 => (rest, 10),
        _ => (rest, base),
    };
    rest.iter().all(|b| char::from(*b).is_digit(base as u32))
}

/// The integer at the start of a text, and how many bytes it has with the white space before it.
fn parse_whole(text: &[u8], base: i32) -> (i128, usize) {
    let blank = text.iter().take_while(|b| b.is_ascii_whitespace()).count();
    let mut at = blank;
    let negative = text.get(at) == Some(&b'-');
    at += usize::from(matches!(text.get(at), Some(b'-' | b'+')));
    let digit = |at: usize, base: u32| text.get(at).and_then(|b| char::from(*b).to_digit(base));
    let mut base = u32::try_from(base).unwrap_or(10);
    if matches!(base, 0 | 16)
        && text.get(at) == Some(&b'0')
        && matches!(text.get(at + 1), Some(b'x' | b'X'))
        && digit(at + 2, 16).is_some()
    {
        (base, at) = (16, at + 2);
    } else if base == 0 {
        base = if text.get(at) == Some(&b'0') { 8 } else { 10 };
    }
    if !(2..=36).contains(&base) {
        return (0, 0);
    }
    let start = at;
    let mut value = 0i128;
    while let Some(d) = digit(at, base) {
        value = (value * i128::from(base) + i128::from(d)).min(1 << 80);
        at += 1;
    }
    if at == start {
        return (0, 0);
    }
    (if negative { -value } else { value }, at)
}

/// Whether a text is the prefix of a floating-point number.
fn float_prefix(text: &[u8]) -> bool {
    let lower = text.to_ascii_lowercase();
    let rest = match &lower[..] {
        [b'+' | b'-', rest @ ..] => rest,
        all => all,
    };
    if b"infinity".starts_with(rest) || b"nan".starts_with(rest) {
        return true;
    }
    let mut parts = rest.splitn(2, |b| *b == b'e');
    let mantissa = parts.next().unwrap_or_default();
    let dots = mantissa.iter().filter(|b| **b == b'.').count();
    let fits = dots <= 1 && mantissa.iter().all(|b| b.is_ascii_digit() || *b == b'.');
    let exponent = match parts.next() {
        Some([b'+' | b'-', rest @ ..]) => rest,
        Some(rest) => rest,
        None => &[],
    };
    fits && exponent.iter().all(u8::is_ascii_digit)
}

/// The length of the floating-point number at the start of a text.
fn float_length(text: &[u8]) -> usize {
    let mut longest = 0;
    for end in 1..=text.len() {
        if !float_prefix(&text[..end]) {
            break;
        }
        if parsed(&text[..end]).is_some() {
            longest = end;
        }
    }
    longest
}

fn parsed(text: &[u8]) -> Option<f64> {
    std::str::from_utf8(text).ok()?.parse().ok()
}

/// The floating-point number at the start of a text; 0 if there is none.
fn parse_float(text: &[u8]) -> f64 {
    parsed(&text[..float_length(text)]).unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_end_where_c_ends_them() {
        assert_eq!(parse_whole(b"  -12x", 10), (-12, 5));
        assert_eq!(parse_whole(b"0x1F", 0), (31, 4));
        assert_eq!(parse_whole(b"0x", 0), (0, 1));
        assert_eq!(parse_whole(b"017", 0), (15, 3));
        assert_eq!(parse_whole(b"x", 10), (0, 0));
        assert_eq!(float_length(b"1.5e3x"), 5);
        assert_eq!(float_length(b"1e"), 1);
        assert_eq!(float_length(b".5"), 2);
        assert_eq!(float_length(b"-inf"), 4);
        assert_eq!(float_length(b"e5"), 0);
        assert_eq!(parse_float(b"2.5e-1"), 0.25);
    }
}
