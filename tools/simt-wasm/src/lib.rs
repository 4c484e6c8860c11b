//! The simulator as a page calls it: one request in, one answer out.
//!
//! A page has a WebAssembly module, its linear memory and functions that take and give numbers.
//! That is enough, without generated glue:
//!
//! ```text
//! at = room(bytes)         a place for the request; the page writes it there
//! bytes = answer()         does it, and says how long the answer is
//! at = answer_at()         where it stands, until the next call of `room`
//! ```
//!
//! Requests and answers have one shape ([`Message`]): the length of a JSON text as four bytes,
//! little-endian, the text, and then bytes, for what JSON has no good place for. `do` names what is
//! wanted; each of these is a module, which says what it takes and what it answers:
//!
//! ```text
//! check     what the compiler and the directives' reader say of a text
//! run       a kernel file, at a size: is it right, what does it count, what was found
//! program   a complete program, with `main`
//! history   a block of a launch, step by step: `record` keeps it, `state` looks at a step of it
//! request   what requests have in common: files, sizes, budgets
//! show      what answers have in common: diagnostics, findings, counters
//! ```
//!
//! A request that makes no sense is answered, too: `{"error": "..."}`. What is wrong with the CUDA
//! in it is no error but the answer.
//!
//! A request runs to its end in one call, so a page calls the module in a Worker, with a budget, and
//! ends the Worker if the reader gives up. If a call throws (the engine's stack is the page's, not
//! ours), make a new instance.

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

pub mod check;
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

/// Answers a request. Every text of bytes has an answer.
pub fn respond(request: &[u8]) -> Vec<u8> {
    let answer = Message::read(request).and_then(|message| dispatch(&message));
    answer.unwrap_or_else(|error| Message::said(serde_json::json!({ "error": error }))).write()
}

/// Does what is asked for.
fn dispatch(request: &Message) -> Result<Message, String> {
    reserve::for_any();
    match request.text["do"].as_str() {
        Some("check") => check::answer(&request.text),
        Some("run") => run::answer(&request.text),
        Some("program") => program::answer(&request.text),
        Some("record") => history::record(&request.text),
        Some("state") => history::state(&request.text),
        _ => {
            Err(format!("`do` is check, run, program, record or state, not {}", request.text["do"]))
        }
    }
}

/// Room for a request of this many bytes: where the page writes it. The last answer is dropped.
#[unsafe(no_mangle)]
pub extern "C" fn room(bytes: usize) -> *mut u8 {
    ANSWER.take();
    REQUEST.with_borrow_mut(|request| {
        request.clear();
        request.resize(bytes, 0);
        request.as_mut_ptr()
    })
}

/// Answers the request that stands in the room; the answer's length.
#[unsafe(no_mangle)]
pub extern "C" fn answer() -> usize {
    let answer = respond(&REQUEST.take());
    let bytes = answer.len();
    ANSWER.set(answer);
    bytes
}

/// Where the answer begins.
#[unsafe(no_mangle)]
pub extern "C" fn answer_at() -> *const u8 {
    ANSWER.with_borrow(|answer| answer.as_ptr())
}
