//! mdBook's warnings and errors.
//!
//! mdBook reports through `tracing`: a chapter listed twice, a search index that grows too large.
//! This subscriber prints them to stderr and counts them: `build` accepts no error, and `build
//! --strict` no warning. It keeps no spans and no levels below: a logging framework would be more than is needed.

use std::fmt::{Debug, Write};
use std::sync::atomic::{AtomicUsize, Ordering};
use tracing::field::{Field, Visit};
use tracing::{Event, Level, Metadata, Subscriber, span, subscriber};

static WARNINGS: AtomicUsize = AtomicUsize::new(0);
static ERRORS: AtomicUsize = AtomicUsize::new(0);

/// Prints and counts warnings from here on.
pub(crate) fn install() {
    subscriber::set_global_default(Warnings).expect("installed once, at the start");
}

/// How many warnings were printed so far.
pub(crate) fn warnings() -> usize {
    WARNINGS.load(Ordering::Relaxed)
}

/// How many errors were printed so far.
pub(crate) fn errors() -> usize {
    ERRORS.load(Ordering::Relaxed)
}

struct Warnings;

impl Subscriber for Warnings {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        *metadata.level() <= Level::WARN && metadata.target().starts_with("mdbook")
    }

    fn event(&self, event: &Event<'_>) {
        let mut message = Message::default();
        event.record(&mut message);
        let (level, count) = match *event.metadata().level() == Level::ERROR {
            true => ("error", &ERRORS),
            false => ("warning", &WARNINGS),
        };
        cuda_sim::tell!("{level}: {}", message.0);
        count.fetch_add(1, Ordering::Relaxed);
    }

    fn new_span(&self, _: &span::Attributes<'_>) -> span::Id {
        span::Id::from_u64(1)
    }
    fn record(&self, _: &span::Id, _: &span::Record<'_>) {}
    fn record_follows_from(&self, _: &span::Id, _: &span::Id) {}
    fn enter(&self, _: &span::Id) {}
    fn exit(&self, _: &span::Id) {}
}

#[derive(Default)]
struct Message(String);

impl Visit for Message {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        if field.name() == "message" {
            let _ = write!(self.0, "{value:?}");
        }
    }
}
