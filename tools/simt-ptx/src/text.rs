//! The text of an `asm` statement, with the place of each byte in the source.
//!
//! The text is what the compiler sees after it has joined adjacent literals and resolved escapes,
//! so a place in it says nothing about the source by itself. Each byte carries the span of the
//! characters that it comes from.

use simt_machine::diagnostic::Span;

/// Text with a span per byte.
#[derive(Debug, Clone, Default)]
pub struct Text {
    bytes: Vec<u8>,
    spans: Vec<Span>,
    /// The whole statement, for what has no place of its own.
    whole: Span,
}

impl Text {
    /// An empty text of the statement at `whole`.
    pub fn new(whole: Span) -> Text {
        Text { whole, ..Text::default() }
    }

    /// Text that stands in the source as it is, from the first byte of `span` on.
    pub fn verbatim(text: &str, span: Span) -> Text {
        let mut out = Text::new(span);
        for at in 0..text.len() as u32 {
            let start = span.start + at;
            out.push(text.as_bytes()[at as usize], Span { start, end: start + 1, ..span });
        }
        out
    }

    /// Appends a byte.
    pub fn push(&mut self, byte: u8, span: Span) {
        self.bytes.push(byte);
        self.spans.push(span);
    }

    /// The same with the text of an operand in place of its number: `%1`, but not `%%1`.
    #[must_use]
    pub fn with_operand(&self, number: usize, text: &[u8]) -> Text {
        let mut out = Text::new(self.whole);
        let mut at = 0;
        while let Some(&byte) = self.bytes.get(at) {
            let digits = self.bytes[at + 1..].iter().take_while(|b| b.is_ascii_digit()).count();
            let written = &self.bytes[at + 1..at + 1 + digits];
            let value = str::from_utf8(written).ok().and_then(|digits| digits.parse().ok());
            let length = match (byte, self.bytes.get(at + 1)) {
                (b'%', Some(b'%')) => 2,
                (b'%', _) if value == Some(number) => {
                    let span = self.span(at, at + 1 + digits);
                    text.iter().for_each(|byte| out.push(*byte, span));
                    at += 1 + digits;
                    continue;
                }
                _ => 1,
            };
            for at in at..(at + length).min(self.bytes.len()) {
                out.push(self.bytes[at], self.spans[at]);
            }
            at += length;
        }
        out
    }

    /// The bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The span of the bytes from `start` to `end`; an empty range is the place of the byte before.
    pub fn span(&self, start: usize, end: usize) -> Span {
        let last = self.spans.len().saturating_sub(1);
        let Some(first) = self.spans.get(start.min(last)) else { return self.whole };
        let end = end.saturating_sub(1).clamp(start.min(last), last);
        first.to(self.spans[end])
    }

    /// The span of the whole statement.
    pub fn whole(&self) -> Span {
        self.whole
    }
}
