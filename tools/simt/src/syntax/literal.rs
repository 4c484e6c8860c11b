//! What literals mean: numbers with their suffixes, characters and strings with their escapes.

use super::ast::Prim;

/// An integer's value and its type, by C++'s rule: the first type that holds it, starting at the
/// one that the suffix names. `None` if it is no integer, or larger than 64 bits.
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
    if !body.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | 'e' | '+' | '-')) {
        return None;
    }
    // Rounded once, straight to the type: 64 bits first and 32 after would round twice.
    if single {
        body.parse::<f32>().ok().map(|v| (f64::from(v), true))
    } else {
        body.parse().ok().map(|v| (v, false))
    }
}

/// `0x1.8p-3`.
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

/// The text between the quotes, escapes resolved. `None` for an escape that C++ does not have.
pub(crate) fn unescape(quoted: &str) -> Option<String> {
    if let Some(raw) = quoted.strip_prefix("R\"") {
        let (_, inside) = raw.split_once('(')?;
        return inside.rfind(')').map(|end| inside[..end].to_string());
    }
    let inner = quoted.get(1..quoted.len().checked_sub(1)?)?;
    let mut out = String::new();
    let mut chars = inner.chars().peekable();
    while let Some(c) = chars.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        out.push(match chars.next()? {
            'n' => '\n',
            't' => '\t',
            'r' => '\r',
            'a' => '\x07',
            'b' => '\x08',
            'f' => '\x0c',
            'v' => '\x0b',
            c @ ('\\' | '\'' | '"' | '?') => c,
            '\n' => continue,
            'x' => {
                let mut value = 0u32;
                while let Some(d) = chars.peek().and_then(|c| c.to_digit(16)) {
                    value = (value * 16 + d).min(255);
                    chars.next();
                }
                char::from(value as u8)
            }
            c @ '0'..='7' => {
                let mut value = c.to_digit(8)?;
                while let Some(d) = chars.peek().and_then(|c| c.to_digit(8)) {
                    value = (value * 8 + d).min(255);
                    chars.next();
                }
                char::from(value as u8)
            }
            _ => return None,
        });
    }
    Some(out)
}
