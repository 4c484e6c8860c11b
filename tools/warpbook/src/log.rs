//! mdBook's warnings and errors.
//!
//! mdBook reports through `tracing`: a chapter listed twice, a search index that grows too large.
//! This subscriber prints them to stderr and counts them: `build` accepts no error, and `build
//! --strict` no warning. It keeps no spans and no levels below: a logging framework would be more than is needed.
//!
//! A message may hold all the HTML of a page, and a page may have a message for each of its words. So a
//! message is cut, and of one build only the first are printed; all are counted.

use std::fmt::{self, Debug, Write};
use std::sync::atomic::{AtomicUsize, Ordering};
use tracing::field::{Field, Visit};
use tracing::{Event, Level, Metadata, Subscriber, span, subscriber};

static WARNINGS: AtomicUsize = AtomicUsize::new(0);
static ERRORS: AtomicUsize = AtomicUsize::new(0);
/// Messages of this build so far.
static MESSAGES: AtomicUsize = AtomicUsize::new(0);

/// The most messages of a build that are printed.
const MOST: usize = 100;
/// The most bytes of a message that are printed.
const LONGEST: usize = 1000;

/// Prints and counts warnings from here on.
pub(crate) fn install() {
    subscriber::set_global_default(Warnings).expect("installed once, at the start");
}

/// A build begins: its messages are printed, whatever was printed before.
pub(crate) fn begin_build() {
    MESSAGES.store(0, Ordering::Relaxed);
}

/// How many warnings there were so far.
pub(crate) fn warnings() -> usize {
    WARNINGS.load(Ordering::Relaxed)
}

/// How many errors there were so far.
pub(crate) fn errors() -> usize {
    ERRORS.load(Ordering::Relaxed)
}

struct Warnings;

impl Subscriber for Warnings {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        *metadata.level() <= Level::WARN && metadata.target().starts_with("mdbook")
    }

    fn event(&self, event: &Event<'_>) {
        let (level, count) = match *event.metadata().level() == Level::ERROR {
            true => ("error", &ERRORS),
            false => ("warning", &WARNINGS),
        };
        count.fetch_add(1, Ordering::Relaxed);
        match MESSAGES.fetch_add(1, Ordering::Relaxed) {
            ..MOST => {
                let mut message = Message::default();
                event.record(&mut message);
                cuda_sim::tell!("{level}: {}", message.0);
            }
            MOST => cuda_sim::tell!("{level}: there are more; only the first {MOST} are shown"),
            _ => {}
        }
    }

    fn new_span(&self, _: &span::Attributes<'_>) -> span::Id {
        span::Id::from_u64(1)
    }
    fn record(&self, _: &span::Id, _: &span::Record<'_>) {}
    fn record_follows_from(&self, _: &span::Id, _: &span::Id) {}
    fn enter(&self, _: &span::Id) {}
    fn exit(&self, _: &span::Id) {}
}

/// The beginning of a message.
#[derive(Default)]
struct Message(String);

impl Visit for Message {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        if field.name() == "message" && write!(self, "{value:?}").is_err() {
            self.0.push_str(" ...");
        }
    }
}

impl Write for Message {
    /// An error ends the formatting, so that what is cut costs no time.
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let room = LONGEST - self.0.len();
        if text.len() <= room {
            self.0.push_str(text);
            return Ok(());
        }
        let end = (0..=room).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
        self.0.push_str(&text[..end]);
        Err(fmt::Error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_message_is_cut() {
        let mut message = Message::default();
        assert!(write!(message, "{}", "ab".repeat(LONGEST / 2)).is_ok());
        assert!(write!(message, "c").is_err());
        let mut message = Message::default();
        assert!(write!(message, "a{}", "é".repeat(LONGEST)).is_err());
        assert_eq!(message.0.len(), LONGEST - 1);
    }
}
