//! The reader's own GPU, which the second button of the lab uses.
//!
//! A page that is served here on a machine with a GPU says so (`<meta name="warpbook-gpu">`, with the
//! GPU's name), and its lab shows a button. Pressed, it asks this server ([`PATH`]): first, by GET,
//! for the token of this start; then, by POST, to run the text in the editor. Pages that come from
//! anywhere else say nothing and ask nothing.
//!
//! To run a kernel is to run a program, so [`guard`] says who may ask: only pages of this server, by
//! one of its loopback names. A server that listens to other machines (`--host`) has no GPU to offer.
//! Other users of the same computer can reach its loopback too, as with any such server.
//!
//! What runs it is a [`child`]: this executable once more, for one request. It may crash, hang or
//! print nonsense; each is an answer to the page and nothing to the server. One runs at a time.
//!
//! The routes are in the router that serves the pages: one origin, one listener, no CORS. tokio
//! starts the child, since it can wait for a process and a clock at once.

mod child;
mod guard;

pub(crate) use child::Worker;

use axum::Router;
use axum::body::to_bytes;
use axum::extract::Request;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use guard::{Guard, Refusal};
use serde_json::{Value, json};
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{Semaphore, oneshot};

/// Where a page asks.
pub(crate) const PATH: &str = "/__gpu";

/// A text with its headers is some kilobytes.
const MOST_REQUEST: usize = 1 << 20;

/// A run waits so long for the one before it, whose process may still be ending.
const PATIENCE: Duration = Duration::from_secs(2);

/// A GPU that pages may use.
pub(crate) struct Gpu {
    /// `NVIDIA H200`.
    pub(crate) name: String,
    guard: Guard,
    worker: Arc<Worker>,
    turn: Arc<Semaphore>,
}

impl Gpu {
    /// A GPU for the pages that are served at `address`; none where others than this machine can
    /// reach it.
    pub(crate) fn offer(name: String, address: SocketAddr, worker: Worker) -> Option<Gpu> {
        address.ip().is_loopback().then(|| Gpu {
            name,
            guard: Guard::new(address.port()),
            worker: Arc::new(worker),
            turn: Arc::new(Semaphore::new(1)),
        })
    }

    /// What answers at [`PATH`].
    pub(crate) fn routes(self) -> Router {
        let gpu = Arc::new(self);
        let asked = Arc::clone(&gpu);
        let token = get(move |headers: HeaderMap| async move { gpu.token(&headers) });
        Router::new()
            .route(PATH, token.post(move |request| async move { asked.run(request).await }))
    }

    fn token(&self, headers: &HeaderMap) -> Response {
        match self.guard.admits_reader(headers) {
            Ok(()) => {
                said(StatusCode::OK, &json!({ "gpu": self.name, "token": self.guard.token() }))
            }
            Err(refusal) => refused(&refusal),
        }
    }

    async fn run(&self, request: Request) -> Response {
        if let Err(refusal) = self.guard.admits_order(request.headers()) {
            return refused(&refusal);
        }
        let Ok(body) = to_bytes(request.into_body(), MOST_REQUEST).await else {
            let words = format!("a request of more than {MOST_REQUEST} bytes");
            return said(StatusCode::PAYLOAD_TOO_LARGE, &json!({ "error": words }));
        };
        let order: Value = match serde_json::from_slice(&body) {
            Ok(order @ Value::Object(_)) => order,
            Ok(_) => return refused(&Refusal::nonsense("the request is no JSON object")),
            Err(error) => return refused(&Refusal::nonsense(format!("the request: {error}"))),
        };
        let turn = tokio::time::timeout(PATIENCE, Arc::clone(&self.turn).acquire_owned()).await;
        let Ok(Ok(turn)) = turn else {
            let words = "The GPU runs another page’s kernel. Try again when that has ended.";
            return said(StatusCode::CONFLICT, &json!({ "error": words }));
        };
        let (tell, told) = oneshot::channel();
        let worker = Arc::clone(&self.worker);
        // On its own: where the reader leaves, the child is still waited for before the next starts.
        tokio::spawn(async move {
            worker.carry_out(&order, tell).await;
            drop(turn);
        });
        let answer = told.await.unwrap_or_else(|_| json!({ "error": "The run was lost." }));
        said(StatusCode::OK, &answer)
    }
}

fn refused(refusal: &Refusal) -> Response {
    said(refusal.status, &json!({ "error": refusal.why }))
}

/// A JSON response that is not cached and that no other site may embed.
fn said(status: StatusCode, answer: &Value) -> Response {
    let headers = [
        (header::CONTENT_TYPE.as_str(), "application/json"),
        (header::CACHE_CONTROL.as_str(), "no-store"),
        (header::X_CONTENT_TYPE_OPTIONS.as_str(), "nosniff"),
        ("cross-origin-resource-policy", "same-origin"),
    ];
    (status, headers, answer.to_string()).into_response()
}

/// So many random bytes from the operating system, as text.
fn secret() -> String {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).expect("an operating system has random numbers");
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(all(test, unix))]
mod tests;
