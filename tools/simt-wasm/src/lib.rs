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
//! little-endian, the text, and then the bytes of arrays one after the other, since JSON has no
//! good place for them. What a request may say stands in [`mod@request`], what an answer says in
//! [`mod@answer`]. A request that makes no sense is answered, too: `{"error": "..."}`.
//!
//! The module keeps nothing between requests but the last answer. It runs to its end in one call,
//! so a page calls it in a Worker, with a budget, and ends the Worker if the reader gives up. If a
//! call throws (the engine's stack is the page's, not ours), make a new instance.

pub mod answer;
pub mod message;
pub mod request;

pub use message::Message;

use std::cell::RefCell;

thread_local! {
    static REQUEST: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static ANSWER: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Answers a request. Every text of bytes has an answer.
pub fn respond(request: &[u8]) -> Vec<u8> {
    let answer = Message::read(request).and_then(|message| request::run(&message));
    answer
        .unwrap_or_else(|error| Message {
            text: serde_json::json!({ "error": error }),
            bytes: Vec::new(),
        })
        .write()
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
