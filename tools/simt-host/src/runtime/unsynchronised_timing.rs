//! A warning about a clock that is read before the kernel has ended.
//!
//! A launch returns before its kernel has run. Two readings of a clock around it, without a
//! synchronisation in between, measure the launch overhead. The program gets a warning if its text
//! subtracts the two, unless it later synchronises and subtracts the first reading from a third.

use crate::interpreter::Interpreter;
use simt::Span;

/// The readings of the clock that still matter.
#[derive(Debug, Default)]
pub(super) struct Timer {
    /// The last reading, and the variable that it was stored in.
    last: Option<(Span, String)>,
    /// The last launch since, if the host has not synchronised.
    launched: Option<(Span, String)>,
    /// Two readings around a launch, without a synchronisation.
    doubted: Option<Doubt>,
    /// Whether the host has synchronised since.
    waited: bool,
    /// The nanoseconds of all pauses so far.
    slept: i64,
}

#[derive(Debug)]
struct Doubt {
    first: Span,
    name: String,
    second: Span,
    launch: Span,
    kernel: String,
}

impl Interpreter<'_> {
    /// `__host_now`.
    pub(super) fn now(&mut self) -> u64 {
        let span = self.span();
        let name = target(self.sources.line(span), &self.reading(span));
        let timer = &mut self.runtime.timer;
        if let Some(doubt) = timer.doubted.take() {
            let again = timer.waited && subtracts(&self.sources, span, &name, &doubt.name);
            if !again {
                self.doubt(doubt);
            }
        }
        let timer = &mut self.runtime.timer;
        if let (Some((first, before)), Some((launch, kernel))) =
            (timer.last.take(), timer.launched.take())
            && subtracts(&self.sources, span, &name, &before)
        {
            timer.doubted = Some(Doubt { first, name: before, second: span, launch, kernel });
            timer.waited = false;
        }
        timer.last = Some((span, name));
        self.clock_ns() as u64
    }

    /// The caller's clock, as if the program's pauses had taken their time.
    pub(super) fn clock_ns(&mut self) -> i64 {
        self.os.now_ns().saturating_add(self.runtime.timer.slept)
    }

    /// `__host_sleep`.
    pub(super) fn sleep(&mut self, nanoseconds: i64, until: bool) -> u64 {
        let pause = match until {
            true => nanoseconds.saturating_sub(self.clock_ns()),
            false => nanoseconds,
        };
        let slept = &mut self.runtime.timer.slept;
        *slept = slept.saturating_add(pause.max(0));
        *slept as u64
    }

    /// The text of the call that reads the clock.
    fn reading(&self, span: Span) -> String {
        self.sources.text(span).to_owned()
    }

    pub(super) fn timer_launch(&mut self, span: Span, kernel: String) {
        self.runtime.timer.launched = Some((span, kernel));
    }

    pub(super) fn timer_waited(&mut self) {
        self.runtime.timer.launched = None;
        self.runtime.timer.waited = true;
    }

    /// Reports what is left when the program ends.
    pub(super) fn timer_end(&mut self) {
        if let Some(doubt) = self.runtime.timer.doubted.take() {
            self.doubt(doubt);
        }
    }

    fn doubt(&mut self, doubt: Doubt) {
        let message = format!(
            "the clock is read before `{}` has run: a launch does not wait for its kernel",
            doubt.kernel
        );
        let mut diagnostic = simt::Diagnostic::error("timer", doubt.second, message)
            .with_label(doubt.launch, "launched here")
            .with_label(doubt.first, "first read here")
            .with_help("call `cudaDeviceSynchronize()` before the second reading");
        diagnostic.severity = simt::Severity::Warning;
        self.report(diagnostic);
    }
}

/// The variable that a reading is stored in: `start` in `auto start = clock();`, `&end` in `gettimeofday(&end, 0)`.
fn target(line: &str, call: &str) -> String {
    let word = |text: &str| -> String {
        let kept = |c: char| c.is_alphanumeric() || c == '_';
        let end = text.trim_end();
        let start = end.rfind(|c| !kept(c)).map_or(0, |at| at + 1);
        end[start..].to_owned()
    };
    if let Some((_, inside)) = call.split_once("(&") {
        return inside.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
    }
    let before = line.find(call.trim()).map_or(line, |at| &line[..at]);
    match before.rfind('=') {
        Some(at) => word(&before[..at]),
        None => String::new(),
    }
}

/// Whether the text subtracts `before` from `after`.
fn subtracts(sources: &simt::Sources, span: Span, after: &str, before: &str) -> bool {
    if after.is_empty() || before.is_empty() || after == before {
        return false;
    }
    let Some((_, text)) = sources.files().get(span.file as usize) else { return false };
    let text = packed(text);
    let ends = |at: usize| !text[at..].starts_with(|c: char| c.is_alphanumeric() || c == '_');
    let begins = |at: usize| !text[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_');
    let found = |pattern: &str| {
        text.match_indices(pattern).any(|(at, _)| begins(at) && ends(at + pattern.len()))
    };
    found(&format!("{after}-{before}"))
        || found(&format!("{after}.tv_sec-{before}"))
        || found(&format!("({after}-{before})"))
}

/// A text without white space, except between words.
fn packed(text: &str) -> String {
    let word = |c: char| c.is_alphanumeric() || c == '_';
    let mut out = String::with_capacity(text.len());
    let mut blank = false;
    for c in text.chars() {
        if c.is_whitespace() {
            blank = true;
            continue;
        }
        if std::mem::take(&mut blank) && word(c) && out.ends_with(word) {
            out.push(' ');
        }
        out.push(c);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_reading_goes_into() {
        assert_eq!(target("  clock_t start = clock();", "clock()"), "start");
        assert_eq!(target("t1 = std::chrono::now();", "std::chrono::now()"), "t1");
        assert_eq!(target("gettimeofday(&end, NULL);", "gettimeofday(&end, NULL)"), "end");
        assert_eq!(target("srand(time(NULL));", "time(NULL)"), "");
    }
}
