//! The simulator as a page calls it: one request in, one answer out.
//!
//! A page has a WebAssembly module, its linear memory, and functions of numbers. That is enough, without
//! generated glue:
//!
//! ```text
//! at = room(bytes)         the address of a buffer; the page writes the request there
//! bytes = answer()         answers it, and returns the length of the answer
//! at = answer_at()         the address of the answer, valid until the next call of `room`
//! ```
//!
//! Requests and answers have one shape ([`Message`]): the length of a JSON text as four bytes,
//! little-endian, the text, and then bytes, for large binary data. `do` names the kind of request. Each
//! kind is a module, which documents its request and its answer:
//!
//! ```text
//! check     diagnostics of a text
//! run       a kernel file, at a size: its verdict, counters and findings
//! program   a complete program, with `main`
//! exercise  the check of an attempt at an exercise
//! history   a block of a launch, step by step: `record` keeps it, `state` shows a step of it
//! request   what requests have in common: files, sizes, budgets
//! show      what answers have in common: diagnostics, findings, counters
//! ```
//!
//! A request that makes no sense is answered with `{"error": "..."}`. A mistake in its CUDA is not an
//! error but part of the answer.
//!
//! A request runs to its end in one call, so a page calls the module in a Worker, with a budget, and
//! ends the Worker if the reader presses Stop. If a call throws (the engine's stack can overflow), make a
//! new instance.

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

pub mod check;
pub mod exercise;
pub mod history;
pub mod message;
pub mod program;
pub mod request;
mod reserve;
pub mod run;
pub mod show;

pub use message::Message;

use std::cell::RefCell;

thread_local! {
    static REQUEST: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static ANSWER: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Answers a request. Any bytes have an answer.
pub fn respond(request: &[u8]) -> Vec<u8> {
    let answer = Message::read(request).and_then(|message| dispatch(&message));
    answer.unwrap_or_else(|error| Message::said(serde_json::json!({ "error": error }))).write()
}

/// Dispatches on the kind of request.
fn dispatch(request: &Message) -> Result<Message, String> {
    reserve::for_any();
    match request.text["do"].as_str() {
        Some("check") => check::answer(&request.text),
        Some("run") => run::answer(&request.text),
        Some("program") => program::answer(&request.text),
        Some("exercise") => exercise::answer(&request.text),
        Some("record") => history::record(&request.text),
        Some("state") => history::state(&request.text),
        _ => {
            let known = "check, run, program, exercise, record or state";
            Err(format!("`do` is {known}, not {}", request.text["do"]))
        }
    }
}

/// Allocates a buffer for a request of this many bytes, and returns its address. Drops the last answer.
#[unsafe(no_mangle)]
pub extern "C" fn room(bytes: usize) -> *mut u8 {
    ANSWER.take();
    REQUEST.with_borrow_mut(|request| {
        request.clear();
        request.resize(bytes, 0);
        request.as_mut_ptr()
    })
}

/// Answers the request in the buffer. Returns the length of the answer.
#[unsafe(no_mangle)]
pub extern "C" fn answer() -> usize {
    let answer = respond(&REQUEST.take());
    let bytes = answer.len();
    ANSWER.set(answer);
    bytes
}

/// The address of the answer.
#[unsafe(no_mangle)]
pub extern "C" fn answer_at() -> *const u8 {
    ANSWER.with_borrow(|answer| answer.as_ptr())
}
