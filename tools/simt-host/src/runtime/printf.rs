//! `printf` and its variants.

use crate::interpreter::{Executed, Interpreter};
use simt::machine::printf::{C, Value, expand};
use simt::observe::bounds::plural;
use simt::sema::types::Prim;
use std::cell::Cell;

impl Interpreter<'_> {
    /// `printf` to a stream. Returns the length of the text.
    pub(super) fn print(
        &mut self,
        stream: i32,
        format: u64,
        extra: &[(Prim, u64)],
    ) -> Executed<u64> {
        let text = self.formatted(format, extra)?;
        self.put_out(stream, &text);
        Ok(text.len() as u64)
    }

    /// `snprintf`: buffer, its size, format.
    pub(super) fn print_into(
        &mut self,
        to: u64,
        size: u64,
        format: u64,
        extra: &[(Prim, u64)],
    ) -> Executed<u64> {
        let text = self.formatted(format, extra)?;
        if size > 0 {
            let kept = text.len().min((size - 1) as usize);
            let mut bytes = text[..kept].to_vec();
            bytes.push(0);
            self.write_bytes(to, &bytes)?;
        }
        Ok(text.len() as u64)
    }

    /// The variadic arguments that a format takes from a `va_list`, eight bytes each.
    pub(super) fn va_list(&mut self, format: u64, list: u64) -> Executed<Vec<(Prim, u64)>> {
        let format = self.text_at(format)?;
        let mut out = Vec::new();
        for prim in wanted(&format) {
            let at = list.wrapping_add(8 * out.len() as u64);
            let mut word = [0; 8];
            word.copy_from_slice(&self.read_bytes(at, 8)?);
            out.push((prim, u64::from_le_bytes(word)));
        }
        Ok(out)
    }

    pub(super) fn formatted(&mut self, format: u64, extra: &[(Prim, u64)]) -> Executed<Vec<u8>> {
        let format = self.text_at(format)?;
        self.check_arguments(&format, extra);
        // The format says which arguments are strings.
        let mut texts = Vec::new();
        for conversion in conversions(&format, extra.len()) {
            texts.push(match conversion {
                ('s', Some(at)) => match extra.get(at) {
                    Some((_, 0)) => Some(b"(null)".to_vec()),
                    Some((_, pointer)) => Some(self.text_at(*pointer)?),
                    None => None,
                },
                ('p', Some(at)) if extra.get(at).is_some_and(|e| e.1 == 0) => {
                    Some(b"(nil)".to_vec())
                }
                _ => None,
            });
        }
        let counts: Vec<Cell<usize>> = extra.iter().map(|_| Cell::new(0)).collect();
        let counted = counted(&format, extra.len());
        let all = extra.iter().zip(&texts).enumerate();
        let mut values = all.map(|(at, ((prim, bits), text))| match (prim, text) {
            _ if counted[at].is_some() => Value::Count(&counts[at]),
            (_, Some(text)) => Value::Text(text),
            (Prim::Float, _) => Value::Float(f64::from(f32::from_bits(*bits as u32))),
            (Prim::Double, _) => Value::Float(f64::from_bits(*bits)),
            (p, _) if p.size() == 8 => Value::Int(*bits as i64, 64),
            (p, _) if p.is_signed() => Value::Int(i64::from(*bits as i32), 32),
            _ => Value::Int(*bits as i64, 32),
        });
        let mut out = Vec::new();
        expand(&mut out, &format, C, &mut values);
        for (at, bytes) in counted.into_iter().enumerate() {
            if let Some(bytes) = bytes {
                let count = (counts[at].get() as u64).to_le_bytes();
                self.write_bytes(extra[at].1, &count[..bytes])?;
            }
        }
        Ok(out)
    }

    /// Reports arguments that are missing, or that are in the wrong registers: a `double` for `%d`.
    fn check_arguments(&mut self, format: &[u8], extra: &[(Prim, u64)]) {
        let wanted = directives(format);
        if wanted.len() > extra.len() {
            let given = extra.len();
            let verb = if given == 1 { "is" } else { "are" };
            let asked = plural(wanted.len() as u64, "value");
            let message = format!("the format asks for {asked}, and {given} {verb} given");
            let help = "give one value for each `%`; what is missing is printed as garbage";
            return self.report_error("printf", message, Some(help));
        }
        for (number, ((letter, _), (prim, _))) in wanted.iter().zip(extra).enumerate() {
            let floats = "aAeEfFgG".contains(*letter);
            if floats == matches!(prim, Prim::Float | Prim::Double) {
                continue;
            }
            let (asks, given) = match floats {
                true => ("a `double`", "an integer"),
                false if matches!(letter, 's' | 'p' | 'n') => ("a pointer", "a `double`"),
                false => ("an integer", "a `double`"),
            };
            let number = number + 1;
            let message =
                format!("`%{letter}` prints {asks}, and value {number} of the format is {given}");
            let help = "a compiled program prints garbage; change the format, or convert the value";
            return self.report_error("printf", message, Some(help));
        }
    }
}

/// The types of the arguments of a format.
fn wanted(format: &[u8]) -> Vec<Prim> {
    let mut out = Vec::new();
    let mut bytes = format.iter();
    while let Some(byte) = bytes.next() {
        if *byte != b'%' {
            continue;
        }
        let mut long = false;
        for byte in bytes.by_ref() {
            match byte {
                b'*' => out.push(Prim::Int),
                b'l' | b'z' | b'j' | b't' | b'q' => long = true,
                b'h' | b'L' => {}
                b'%' => break,
                c if c.is_ascii_alphabetic() => {
                    out.push(match c {
                        b's' | b'p' | b'n' => Prim::ULong,
                        c if b"aAeEfFgG".contains(c) => Prim::Double,
                        b'd' | b'i' | b'c' if !long => Prim::Int,
                        b'd' | b'i' | b'c' => Prim::Long,
                        _ if long => Prim::ULong,
                        _ => Prim::UInt,
                    });
                    break;
                }
                c if !in_directive(*c) => break,
                _ => {}
            }
        }
    }
    out
}

/// Whether a conversion goes on behind this byte: flags, width and precision. Others end it without a value.
fn in_directive(byte: u8) -> bool {
    b"-+ #'.$0123456789".contains(&byte)
}

/// For each of `count` arguments, the letter of its conversion.
fn conversions(format: &[u8], count: usize) -> Vec<(char, Option<usize>)> {
    let mut out = Vec::new();
    for (letter, _) in directives(format) {
        out.push((letter, (letter != '*').then_some(out.len())));
    }
    out.resize(count, ('d', None));
    out
}

/// For each of `count` arguments, how many bytes `%n` writes to where it points; `None` for the others.
fn counted(format: &[u8], count: usize) -> Vec<Option<usize>> {
    let bytes = |length: &str| match length {
        "hh" => 1,
        "h" => 2,
        "" => 4,
        _ => 8,
    };
    let letters = directives(format).into_iter();
    let mut out: Vec<_> =
        letters.map(|(letter, length)| (letter == 'n').then(|| bytes(&length))).collect();
    out.resize(count, None);
    out
}

/// The letters that take an argument, as far as they are known, each with its length modifier; `*` for a width or a precision.
fn directives(format: &[u8]) -> Vec<(char, String)> {
    let mut out = Vec::new();
    let mut chars = format.iter().map(|b| char::from(*b));
    while let Some(c) = chars.next() {
        if c != '%' {
            continue;
        }
        let mut length = String::new();
        for c in chars.by_ref() {
            match c {
                '*' => out.push((c, String::new())),
                '%' => break,
                _ if "lhzjtqL".contains(c) => length.push(c),
                _ if c.is_ascii_alphabetic() => {
                    if "diuxXocspfFeEgGaAn".contains(c) {
                        out.push((c, length));
                    }
                    break;
                }
                _ if !in_directive(c as u8) => break,
                _ => {}
            }
        }
    }
    out
}
