//! Values of literals: numbers with their suffixes, characters and strings with their escapes.

use super::ast::Prim;
use crate::diagnostic::raw_byte;
use std::iter::Peekable;
use std::str::CharIndices;

/// An integer's value and its type. By C++'s rule that is the first type that holds the value,
/// starting at the one that the suffix names. `None` if it is not an integer or needs over 64 bits.
pub(crate) fn integer(text: &str) -> Option<(u64, Prim)> {
    let plain = text.replace('\'', "");
    let lower = plain.to_ascii_lowercase();
    let digits_end = lower.trim_end_matches(['u', 'l', 'z']).len();
    let (body, suffix) = lower.split_at(digits_end);
    let (radix, digits) = match body.as_bytes() {
        [b'0', b'x', ..] => (16, &body[2..]),
        [b'0', b'b', ..] => (2, &body[2..]),
        [b'0', _, ..] => (8, &body[1..]),
        _ => (10, body),
    };
    let value = u64::from_str_radix(digits, radix).ok()?;
    let unsigned = suffix.contains('u');
    let long = match suffix.replace('u', "").as_str() {
        "" => 0,
        "l" | "z" => 1,
        "ll" => 2,
        _ => return None,
    };
    let also_unsigned = radix != 10;
    let fits = |bits: u32| value < 1u64 << bits;
    let ty = match (unsigned, long) {
        (false, 0) if fits(31) => Prim::Int,
        (false, 0) if also_unsigned && fits(32) => Prim::UInt,
        (true, 0) if fits(32) => Prim::UInt,
        (false, 0 | 1) if fits(63) => Prim::Long,
        (_, 0 | 1) => Prim::ULong,
        (false, _) if fits(63) => Prim::LongLong,
        _ => Prim::ULongLong,
    };
    Some((value, ty))
}

/// The digit 8 or 9 in a number that begins with `0` and has digits alone, before a suffix.
pub(crate) fn not_octal(text: &str) -> Option<char> {
    let digits = text.trim_end_matches(['u', 'U', 'l', 'L', 'z', 'Z', 'f', 'F']);
    let octal = digits.len() > 1
        && digits.starts_with('0')
        && digits.chars().all(|c| c.is_ascii_digit() || c == '\'');
    digits.chars().find(|c| octal && matches!(c, '8' | '9'))
}

/// A number with a suffix that the program or a header defines (`5_km`, `10ms`): the number, and the
/// suffix.
pub(crate) fn user_suffix(text: &str) -> Option<(&str, &str)> {
    let at = text
        .find('_')
        .unwrap_or_else(|| text.trim_end_matches(|c: char| c.is_ascii_alphabetic()).len());
    let (number, suffix) = text.split_at(at);
    (!number.is_empty() && !suffix.is_empty()).then_some((number, suffix))
}

/// A floating literal's value, and whether it is a `float`.
pub(crate) fn floating(text: &str) -> Option<(f64, bool)> {
    let plain = text.replace('\'', "").to_ascii_lowercase();
    if plain.starts_with("0x") {
        return hexadecimal(&plain);
    }
    let (body, single) = match plain.strip_suffix('f') {
        Some(body) => (body, true),
        None => (plain.strip_suffix('l').unwrap_or(&plain), false),
    };
    // `08` is no number: an octal one has no such digit.
    if body.starts_with('0') && body.len() > 1 && !body.contains(['.', 'e']) {
        return None;
    }
    if !body.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | 'e' | '+' | '-')) {
        return None;
    }
    // A `float` is parsed as 32 bits directly: to parse 64 bits and then narrow would round twice.
    if single {
        body.parse::<f32>().ok().map(|v| (f64::from(v), true))
    } else {
        body.parse().ok().map(|v| (v, false))
    }
}

/// A hexadecimal floating literal, `0x1.8p-3`.
fn hexadecimal(text: &str) -> Option<(f64, bool)> {
    let (body, single) = match text.strip_suffix('f') {
        Some(body) if body.contains('p') => (body, true),
        _ => (text, false),
    };
    let (digits, exponent) = body.strip_prefix("0x")?.split_once('p')?;
    let exponent: i32 = exponent.parse().ok()?;
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let all = format!("{whole}{fraction}");
    if all.is_empty() || all.len() > 13 {
        return None;
    }
    let bits = u64::from_str_radix(&all, 16).ok()?;
    let value = bits as f64 * 2f64.powi(exponent.checked_sub(4 * fraction.len() as i32)?);
    Some(if single { (f64::from(value as f32), true) } else { (value, false) })
}

/// The bytes between the quotes, with escapes resolved. Characters are encoded as UTF-8; `\xff` and
/// `\377` are single bytes. `None` if C++ has no such escape or its value does not fit into a byte.
pub(crate) fn unescape(quoted: &str) -> Option<Vec<u8>> {
    unescape_with_places(quoted).map(|(bytes, _)| bytes)
}

/// The same, and for each byte where the character or escape that it comes from begins in `quoted`.
pub(crate) fn unescape_with_places(quoted: &str) -> Option<(Vec<u8>, Vec<usize>)> {
    if let Some(raw) = quoted.strip_prefix("R\"") {
        let (before, inside) = raw.split_once('(')?;
        let (start, end) = (before.len() + 3, inside.rfind(')')?);
        return Some((inside.as_bytes()[..end].to_vec(), (start..start + end).collect()));
    }
    let begin = if quoted.starts_with("u8") { 3 } else { 1 };
    let inner = quoted.get(begin..quoted.len().checked_sub(1)?)?;
    let (mut out, mut places) = (Vec::new(), Vec::new());
    let mut chars = inner.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        match (c, raw_byte(c)) {
            ('\\', _) => escape(&mut chars, &mut out)?,
            (_, Some(byte)) => out.push(byte),
            (_, None) => out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
        }
        places.resize(out.len(), at + begin);
    }
    Some((out, places))
}

/// Reads what follows a backslash.
fn escape(chars: &mut Peekable<CharIndices<'_>>, out: &mut Vec<u8>) -> Option<()> {
    out.push(match chars.next()?.1 {
        'n' => b'\n',
        't' => b'\t',
        'r' => b'\r',
        'a' => 0x07,
        'b' => 0x08,
        'f' => 0x0c,
        'v' => 0x0b,
        c @ ('\\' | '\'' | '"' | '?') => c as u8,
        '\n' => return Some(()),
        'x' => u8::try_from(digits(chars, 16, usize::MAX)?).ok()?,
        c @ '0'..='7' => {
            let more = chars.clone().take(2).take_while(|(_, c)| c.is_digit(8)).count();
            let first = c.to_digit(8)? << (3 * more);
            u8::try_from(first + digits(chars, 8, more).unwrap_or(0)).ok()?
        }
        c @ ('u' | 'U') => {
            let length = if c == 'u' { 4 } else { 8 };
            let c = char::from_u32(digits(chars, 16, length)?)?;
            out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
            return Some(());
        }
        _ => return None,
    });
    Some(())
}

/// Reads a number of at most `most` digits; `None` if there is no digit.
fn digits(chars: &mut Peekable<CharIndices<'_>>, radix: u32, most: usize) -> Option<u32> {
    let mut value: Option<u32> = None;
    for _ in 0..most {
        let Some(digit) = chars.peek().and_then(|(_, c)| c.to_digit(radix)) else { break };
        value = Some(value.unwrap_or(0).saturating_mul(radix).saturating_add(digit));
        chars.next();
    }
    value
}
