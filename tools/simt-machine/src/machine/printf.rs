//! `printf`, formatted here and not by the host's C library, so every platform prints the same.

use super::simd::Registers;
use crate::isa::half::decode;
use crate::isa::{Print, PrintArg, Ty};
use std::cell::Cell;

/// Bytes that a launch may print; the rest is dropped, as if the device's buffer overflowed.
pub(super) const MAX: usize = 1 << 20;

/// The length modifiers of a device's `printf`.
const DEVICE: &str = "lh";
/// Those of C.
pub const C: &str = "lhzjtqL";

/// One conversion's flags and sizes.
#[derive(Debug, Default)]
struct Spec {
    left: bool,
    zero: bool,
    plus: bool,
    space: bool,
    alternate: bool,
    width: usize,
    precision: Option<usize>,
}

/// The arguments of one lane.
pub(super) fn values(print: &Print, registers: &Registers, lane: usize) -> Vec<u64> {
    let value = |arg: &PrintArg| match arg {
        PrintArg::Text(_) => 0,
        PrintArg::Address(r) => registers.lane(*r, true, lane),
        PrintArg::Value(ty, r) => registers.lane(*r, ty.slots() == 2, lane),
    };
    print.args.iter().map(value).collect()
}

/// Appends what one lane prints; `texts` are the strings that its arguments are addresses of.
pub(super) fn format(
    out: &mut Vec<u8>,
    print: &Print,
    registers: &Registers,
    lane: usize,
    texts: &[Vec<u8>],
) {
    let mut texts = texts.iter();
    if out.len() >= MAX {
        return;
    }
    let mut args = print.args.iter().map(|arg| match arg {
        PrintArg::Text(text) => Value::Text(text),
        PrintArg::Address(_) => Value::Text(texts.next().map_or(b"", Vec::as_slice)),
        PrintArg::Value(ty, r) => {
            let bits = registers.lane(*r, ty.slots() == 2, lane);
            match ty {
                Ty::I32 => Value::Int(i64::from(bits as i32), 32),
                Ty::U32 => Value::Int(bits as i64, 32),
                Ty::I64 | Ty::U64 => Value::Int(bits as i64, 64),
                Ty::F32 => Value::Float(f64::from(f32::from_bits(bits as u32))),
                Ty::F64 => Value::Float(f64::from_bits(bits)),
                Ty::F16 | Ty::Bf16 => Value::Float(decode(*ty, bits as u16)),
                Ty::F16x2 | Ty::Bf16x2 => Value::Int(bits as i64, 32),
            }
        }
    });
    expand(out, &print.format, DEVICE, &mut args);
    if out.len() >= MAX {
        out.extend_from_slice(b"\n(the rest of the output is dropped)\n");
    }
}

/// An argument.
#[derive(Debug, Clone, Copy)]
pub enum Value<'a> {
    /// The value, sign- or zero-extended, and how wide it was.
    Int(i64, u32),
    /// A `double`.
    Float(f64),
    /// A string, without its zero.
    Text(&'a [u8]),
    /// Where `%n` puts the number of bytes so far.
    Count(&'a Cell<usize>),
}

impl Value<'_> {
    fn int(self) -> i64 {
        match self {
            Value::Int(i, _) => i,
            Value::Float(x) => x as i64,
            Value::Text(_) | Value::Count(_) => 0,
        }
    }

    fn unsigned(self) -> u64 {
        match self {
            Value::Int(i, 32) => u64::from(i as u32),
            other => other.int() as u64,
        }
    }

    fn signed(self) -> i64 {
        match self {
            Value::Int(i, 32) => i64::from(i as i32),
            other => other.int(),
        }
    }

    fn float(self) -> f64 {
        match self {
            Value::Float(x) => x,
            Value::Int(i, _) => i as f64,
            Value::Text(_) | Value::Count(_) => 0.0,
        }
    }
}

/// `lengths`: the length modifiers that are known. A conversion with another one is printed as it is.
pub fn expand<'a>(
    out: &mut Vec<u8>,
    format: &[u8],
    lengths: &str,
    args: &mut dyn Iterator<Item = Value<'a>>,
) {
    let mut at = 0;
    while let Some(&byte) = format.get(at) {
        let start = at;
        at += 1;
        if byte != b'%' {
            out.push(byte);
            continue;
        }
        let mut spec = Spec::default();
        while let Some(flag) = format.get(at) {
            match flag {
                b'-' => spec.left = true,
                b'0' => spec.zero = true,
                b'+' => spec.plus = true,
                b' ' => spec.space = true,
                b'#' => spec.alternate = true,
                _ => break,
            }
            at += 1;
        }
        if format.get(at) == Some(&b'*') {
            at += 1;
            let width = args.next().map_or(0, Value::signed);
            spec.left |= width < 0;
            spec.width = width.unsigned_abs().min(4096) as usize;
        } else {
            spec.width = number(format, &mut at);
        }
        if format.get(at) == Some(&b'.') {
            at += 1;
            if format.get(at) == Some(&b'*') {
                at += 1;
                let precision = args.next().map_or(0, Value::signed);
                spec.precision = usize::try_from(precision).ok().map(|p| p.min(4096));
            } else {
                spec.precision = Some(number(format, &mut at));
            }
        }
        let length = at;
        while format.get(at).is_some_and(|b| lengths.as_bytes().contains(b)) {
            at += 1;
        }
        let length = &format[length..at];
        let Some(&conversion) = format.get(at) else {
            return out.extend_from_slice(&format[start..]);
        };
        at += 1;
        let value = match conversion {
            b'%' => {
                out.push(b'%');
                continue;
            }
            // The C library's only.
            b'n' if lengths == C => {
                if let Some(Value::Count(count)) = args.next() {
                    count.set(out.len());
                }
                continue;
            }
            c if b"diuxXocspfFeEgGaA".contains(&c) => args.next(),
            _ => None,
        };
        match value {
            Some(value) => one(out, &spec, char::from(conversion), length, value),
            None => out.extend_from_slice(&format[start..at]),
        }
    }
}

/// The number at `at`, and the position behind it.
fn number(format: &[u8], at: &mut usize) -> usize {
    let mut value = 0usize;
    while let Some(digit) = format.get(*at).filter(|b| b.is_ascii_digit()) {
        value = (value * 10 + usize::from(digit - b'0')).min(4096);
        *at += 1;
    }
    value
}

fn one(out: &mut Vec<u8>, spec: &Spec, conversion: char, length: &[u8], value: Value<'_>) {
    let narrow = |v: u64| match length {
        b"h" => v & 0xFFFF,
        b"hh" => v & 0xFF,
        _ => v,
    };
    match conversion {
        'd' | 'i' => {
            let v = match length {
                b"h" => i64::from(value.signed() as i16),
                b"hh" => i64::from(value.signed() as i8),
                _ => value.signed(),
            };
            integer(out, spec, v < 0, true, &v.unsigned_abs().to_string(), "");
        }
        'u' => integer(out, spec, false, false, &narrow(value.unsigned()).to_string(), ""),
        'x' => {
            let v = narrow(value.unsigned());
            integer(
                out,
                spec,
                false,
                false,
                &format!("{v:x}"),
                if spec.alternate && v != 0 { "0x" } else { "" },
            );
        }
        'X' => {
            let v = narrow(value.unsigned());
            integer(
                out,
                spec,
                false,
                false,
                &format!("{v:X}"),
                if spec.alternate && v != 0 { "0X" } else { "" },
            );
        }
        'o' => integer(
            out,
            spec,
            false,
            false,
            &format!("{:o}", narrow(value.unsigned())),
            if spec.alternate { "0" } else { "" },
        ),
        'p' => match value {
            Value::Text(text) => pad(out, spec, text, false),
            _ => pad(out, spec, format!("0x{:x}", value.unsigned()).as_bytes(), false),
        },
        'c' => pad(out, spec, &[value.int() as u8], false),
        's' => match value {
            Value::Text(text) => {
                let cut = text.len().min(spec.precision.unwrap_or(usize::MAX));
                pad(out, spec, &text[..cut], false);
            }
            _ => pad(out, spec, b"(not a string literal)", false),
        },
        _ => float(out, spec, conversion, value.float()),
    }
}

fn sign(spec: &Spec, negative: bool, signed: bool) -> &'static str {
    match (negative, signed) {
        (true, _) => "-",
        (false, true) if spec.plus => "+",
        (false, true) if spec.space => " ",
        _ => "",
    }
}

fn integer(
    out: &mut Vec<u8>,
    spec: &Spec,
    negative: bool,
    signed: bool,
    digits: &str,
    prefix: &str,
) {
    let head = format!("{}{prefix}", sign(spec, negative, signed));
    let digits = if spec.precision == Some(0) && digits == "0" { "" } else { digits };
    let mut zeros = spec.precision.unwrap_or(0).saturating_sub(digits.len());
    if spec.zero && !spec.left && spec.precision.is_none() {
        zeros = spec.width.saturating_sub(head.len() + digits.len());
    }
    pad(out, spec, format!("{head}{}{digits}", "0".repeat(zeros)).as_bytes(), false);
}

fn pad(out: &mut Vec<u8>, spec: &Spec, text: &[u8], zeros: bool) {
    let fill = spec.width.saturating_sub(text.len());
    if spec.left {
        out.extend_from_slice(text);
        out.extend(std::iter::repeat_n(b' ', fill));
    } else if zeros {
        let at = usize::from(text.first().is_some_and(|b| b"-+ ".contains(b)));
        out.extend_from_slice(&text[..at]);
        out.extend(std::iter::repeat_n(b'0', fill));
        out.extend_from_slice(&text[at..]);
    } else {
        out.extend(std::iter::repeat_n(b' ', fill));
        out.extend_from_slice(text);
    }
}

fn float(out: &mut Vec<u8>, spec: &Spec, conversion: char, x: f64) {
    let upper = conversion.is_ascii_uppercase();
    let head = sign(spec, x.is_sign_negative(), true);
    let x = x.abs();
    if !x.is_finite() {
        let word = if x.is_nan() { "nan" } else { "inf" };
        let word = if upper { word.to_ascii_uppercase() } else { word.to_owned() };
        return pad(out, spec, format!("{head}{word}").as_bytes(), false);
    }
    let precision = spec.precision.unwrap_or(6);
    let digits = match conversion.to_ascii_lowercase() {
        'f' => fixed(x, precision, spec.alternate),
        'e' => scientific(x, precision, spec.alternate),
        'a' => hexadecimal(x, spec.precision, spec.alternate),
        _ => general(x, precision.max(1), spec.alternate),
    };
    let digits = if upper { digits.to_ascii_uppercase() } else { digits };
    pad(out, spec, format!("{head}{digits}").as_bytes(), spec.zero);
}

fn fixed(x: f64, precision: usize, point: bool) -> String {
    let text = format!("{x:.precision$}");
    if point && precision == 0 { text + "." } else { text }
}

/// `%a`, as glibc has it: the exact value, unless a precision rounds it.
fn hexadecimal(x: f64, precision: Option<usize>, point: bool) -> String {
    const DIGITS: usize = 13;
    let bits = x.to_bits();
    let (raw, fraction) = (bits >> 52 & 0x7ff, bits & ((1 << 52) - 1));
    let exponent = if raw == 0 { -1022 } else { raw as i64 - 1023 };
    let exponent = if x == 0.0 { 0 } else { exponent };
    let mut value = u64::from(raw != 0) << 52 | fraction;
    let kept = precision.unwrap_or(DIGITS).min(DIGITS);
    let dropped = 4 * (DIGITS - kept) as u32;
    if dropped > 0 {
        let (half, rest) = (1u64 << (dropped - 1), value & ((1u64 << dropped) - 1));
        value >>= dropped;
        value += u64::from(rest > half || (rest == half && value & 1 == 1));
    }
    let lead = value >> (4 * kept);
    let fraction = value & ((1u64 << (4 * kept)) - 1);
    let mut digits = if kept == 0 { String::new() } else { format!("{fraction:0kept$x}") };
    match precision {
        None => digits.truncate(digits.trim_end_matches('0').len()),
        Some(precision) => digits.extend(std::iter::repeat_n('0', precision - kept)),
    }
    let dot = if digits.is_empty() && !point { "" } else { "." };
    format!("0x{lead:x}{dot}{digits}p{exponent:+}")
}

fn scientific(x: f64, precision: usize, point: bool) -> String {
    let text = format!("{x:.precision$e}");
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let dot = if point && precision == 0 { "." } else { "" };
    format!("{mantissa}{dot}e{}{:02}", if exponent < 0 { '-' } else { '+' }, exponent.abs())
}

fn general(x: f64, precision: usize, keep: bool) -> String {
    let rounded = format!("{x:.*e}", precision - 1);
    let exponent: i32 = rounded.split_once('e').and_then(|(_, e)| e.parse().ok()).unwrap_or(0);
    let strip = |text: String| {
        if keep || !text.contains('.') {
            return text;
        }
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    };
    if exponent < -4 || exponent >= precision as i32 {
        let text = scientific(x, precision - 1, keep);
        let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "+00"));
        return format!("{}e{exponent}", strip(mantissa.to_owned()));
    }
    strip(fixed(x, (precision as i32 - 1 - exponent) as usize, keep))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn print(format: &str, values: &[Value<'_>]) -> String {
        let mut out = Vec::new();
        expand(&mut out, format.as_bytes(), DEVICE, &mut values.iter().copied());
        String::from_utf8_lossy(&out).into_owned()
    }

    /// What glibc prints for the same.
    #[test]
    fn conversions_are_as_in_c() {
        let i = |v: i64| Value::Int(v, 32);
        let cases: &[(&str, Value<'_>, &str)] = &[
            ("%d", i(-5), "-5"),
            ("%5d|", i(42), "   42|"),
            ("%-5d|", i(42), "42   |"),
            ("%05d", i(-42), "-0042"),
            ("%+d", i(7), "+7"),
            ("%.3d", i(7), "007"),
            ("%u", i(-1), "4294967295"),
            ("%x", i(-1), "ffffffff"),
            ("%#X", i(255), "0XFF"),
            ("%o", i(8), "10"),
            ("%c", i(65), "A"),
            ("%lld", Value::Int(-9_000_000_000, 64), "-9000000000"),
            ("%llu", Value::Int(-1, 64), "18446744073709551615"),
            ("%hhd", i(300), "44"),
            ("%f", Value::Float(1.5), "1.500000"),
            ("%8.2f|", Value::Float(-2.71), "   -2.71|"),
            ("%08.2f", Value::Float(-2.71), "-0002.71"),
            ("%.0f", Value::Float(2.5), "2"),
            ("%e", Value::Float(12345.678), "1.234568e+04"),
            ("%.2E", Value::Float(0.00012), "1.20E-04"),
            ("%g", Value::Float(0.0001), "0.0001"),
            ("%g", Value::Float(0.00001), "1e-05"),
            ("%g", Value::Float(1_000_000.0), "1e+06"),
            ("%g", Value::Float(100_000.0), "100000"),
            ("%g", Value::Float(0.0), "0"),
            ("%f", Value::Float(f64::INFINITY), "inf"),
            ("%F", Value::Float(f64::NAN), "NAN"),
            ("%a", Value::Float(1.0), "0x1p+0"),
            ("%a", Value::Float(-0.1), "-0x1.999999999999ap-4"),
            ("%.2a", Value::Float(0.1), "0x1.9ap-4"),
            ("%.0a", Value::Float(1.5), "0x2p+0"),
            ("%A", Value::Float(255.5), "0X1.FFP+7"),
            ("%a", Value::Float(0.0), "0x0p+0"),
            ("%a", Value::Float(5e-324), "0x0.0000000000001p-1022"),
            ("%s|%%", Value::Text(b"text"), "text|%"),
            ("%.2s", Value::Text(b"text"), "te"),
            ("%6s|", Value::Text(b"text"), "  text|"),
        ];
        for (format, value, expected) in cases {
            assert_eq!(print(format, &[*value]), *expected, "{format}");
        }
        assert_eq!(print("%*d|%-*d|", &[i(4), i(1), i(3), i(2)]), "   1|2  |");
    }

    #[test]
    fn what_does_not_fit_is_left_as_it_stands() {
        assert_eq!(print("%d and %d", &[Value::Int(1, 32)]), "1 and %d");
        assert_eq!(print("100%", &[]), "100%");
        assert_eq!(print("%y", &[]), "%y");
        assert_eq!(print("%zu", &[Value::Int(1, 64)]), "%zu", "as a GPU prints it");
        assert_eq!(print("%99999d", &[Value::Int(1, 32)]).len(), 4096);
    }
}
