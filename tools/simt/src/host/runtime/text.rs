//! `printf` and its kin.

use super::super::machine::{Machine, Ran};
use crate::machine::print::{C, Value, expand};
use crate::syntax::ast::Prim;

impl Machine<'_> {
    /// `printf` to a stream: the length of the text.
    pub(super) fn print(&mut self, stream: i32, format: u64, extra: &[(Prim, u64)]) -> Ran<u64> {
        let text = self.formatted(format, extra)?;
        self.put_out(stream, &text);
        Ok(text.len() as u64)
    }

    /// `snprintf`: where, room, format.
    pub(super) fn print_into(
        &mut self,
        to: u64,
        room: u64,
        format: u64,
        extra: &[(Prim, u64)],
    ) -> Ran<u64> {
        let text = self.formatted(format, extra)?;
        if room > 0 {
            let kept = text.len().min((room - 1) as usize);
            let mut bytes = text[..kept].to_vec();
            bytes.push(0);
            self.write_bytes(to, &bytes)?;
        }
        Ok(text.len() as u64)
    }

    pub(super) fn formatted(&mut self, format: u64, extra: &[(Prim, u64)]) -> Ran<Vec<u8>> {
        let format = self.text_at(format)?;
        let format = String::from_utf8_lossy(&format).into_owned();
        // Which of the arguments are texts is for the format to say.
        let mut texts = Vec::new();
        for conversion in conversions(&format, extra.len()) {
            texts.push(match conversion {
                ('s', Some(at)) => match extra.get(at) {
                    Some((_, 0)) => Some("(null)".to_owned()),
                    Some((_, pointer)) => {
                        let bytes = self.text_at(*pointer)?;
                        Some(String::from_utf8_lossy(&bytes).into_owned())
                    }
                    None => None,
                },
                ('p', Some(at)) if extra.get(at).is_some_and(|e| e.1 == 0) => {
                    Some("(nil)".to_owned())
                }
                _ => None,
            });
        }
        let mut values = extra.iter().zip(&texts).map(|((prim, bits), text)| match (prim, text) {
            (_, Some(text)) => Value::Text(text),
            (Prim::Float, _) => Value::Float(f64::from(f32::from_bits(*bits as u32))),
            (Prim::Double, _) => Value::Float(f64::from_bits(*bits)),
            (p, _) if p.size() == 8 => Value::Int(*bits as i64, 64),
            (p, _) if p.is_signed() => Value::Int(i64::from(*bits as i32), 32),
            _ => Value::Int(*bits as i64, 32),
        });
        let mut out = String::new();
        expand(&mut out, &format, C, &mut values);
        Ok(out.into_bytes())
    }
}

/// For each of `count` arguments, the letter that takes it.
fn conversions(format: &str, count: usize) -> Vec<(char, Option<usize>)> {
    let mut out = Vec::new();
    let mut chars = format.chars();
    while let Some(c) = chars.next() {
        if c != '%' {
            continue;
        }
        for c in chars.by_ref() {
            match c {
                '*' => out.push(('*', None)),
                '%' => break,
                c if c.is_ascii_alphabetic() && !"lhzjtqL".contains(c) => {
                    out.push((c, Some(out.len())));
                    break;
                }
                _ => {}
            }
        }
    }
    out.resize(count, ('d', None));
    out
}
