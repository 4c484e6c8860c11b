//! The process in which a kernel runs.
//!
//! It is given one request on its standard input, and has so long for its answer. What it writes
//! is bounded: first whatever kernels print, then a line that begins with the *seal* and holds the
//! answer. The seal is random and comes before the request, so that no kernel can print an answer.
//!
//! Once there is an answer the process is ended, without waiting for its own end: a device with a
//! kernel that never ends holds on to it.

use serde_json::{Value, json};
use simt_wasm::{run::PRINTED, show};
use std::ffi::OsString;
use std::path::PathBuf;
use std::pin::pin;
use std::process::Stdio;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWriteExt};
use tokio::process::{Child, Command};
use tokio::sync::oneshot;

/// Bytes that a process may write: a device keeps a megabyte of what its kernels print.
const MOST_OUTPUT: usize = 8 << 20;

/// Bytes of its errors that are looked at.
const MOST_ERRORS: usize = 1 << 14;

/// How a process for one request is started.
pub(crate) struct Worker {
    /// The executable.
    pub(crate) program: PathBuf,
    /// What it is given.
    pub(crate) arguments: Vec<OsString>,
    /// How long it may take.
    pub(crate) limit: Duration,
}

/// What came on standard output.
enum Output {
    /// An answer, and what was printed before it.
    Answer(Value, Vec<u8>),
    /// An end without one.
    Nothing,
    /// More than is taken.
    TooMuch,
    /// A sealed line that is no JSON.
    Garbage,
}

impl Worker {
    /// Runs the order in a child process and sends the answer to `tell`, whatever happens. Returns
    /// when the process has ended, even if the receiver is gone by then.
    pub(super) async fn carry_out(&self, order: &Value, mut tell: oneshot::Sender<Value>) {
        let mut child = match self.start() {
            Ok(child) => child,
            Err(error) => {
                let program = self.program.display();
                // Here and below, it is no error if the receiver is gone.
                let _ =
                    tell.send(json!({ "error": format!("`{program}` does not start: {error}") }));
                return;
            }
        };
        let answer = {
            let answer = pin!(tokio::time::timeout(self.limit, exchange(&mut child, order)));
            let gone = pin!(tell.closed());
            match futures_util::future::select(answer, gone).await {
                futures_util::future::Either::Left((answer, _)) => Some(answer),
                futures_util::future::Either::Right(_) => None,
            }
        };
        let seconds = self.limit.as_secs_f64();
        let answer = answer.map(|answer| {
            answer.unwrap_or_else(|_| {
                let words = format!(
                    "It was ended after {seconds} seconds, and its process with it. A loop \
                     without an end?"
                );
                json!({ "error": words, "stopped": true })
            })
        });
        if let Some(answer) = answer {
            let _ = tell.send(answer);
        }
        // Where it has ended already there is nothing to kill, and nothing to say.
        let _ = child.kill().await;
    }

    fn start(&self) -> std::io::Result<Child> {
        let mut command = Command::new(&self.program);
        command.args(&self.arguments).kill_on_drop(true);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()
    }
}

/// Gives the order, and takes the answer.
async fn exchange(child: &mut Child, order: &Value) -> Value {
    let seal = super::secret();
    let (Some(mut stdin), Some(stdout), Some(stderr)) =
        (child.stdin.take(), child.stdout.take(), child.stderr.take())
    else {
        return json!({ "error": "The process has no pipes." });
    };
    let text = format!("{seal}\n{order}");
    // Side by side: who waits to be read does not read.
    let writing = tokio::spawn(async move {
        // It may end before it has read everything; then it has said why.
        let _ = stdin.write_all(text.as_bytes()).await;
    });
    let errors = tokio::spawn(first(stderr));
    let output = output(stdout, &seal).await;
    writing.abort();
    match output {
        Output::Answer(mut answer, printed) => {
            let printed = String::from_utf8_lossy(&printed);
            answer["printed"] = json!(show::cut(&printed, PRINTED));
            answer
        }
        Output::TooMuch => {
            json!({ "error": format!("It was ended after {MOST_OUTPUT} bytes of output.") })
        }
        Output::Garbage => json!({ "error": "The GPU’s process gave an answer that is none." }),
        Output::Nothing => {
            let status = child.wait().await.map_or_else(|e| e.to_string(), |s| s.to_string());
            let said = errors.await.unwrap_or_default();
            let said = said.lines().rfind(|line| !line.trim().is_empty());
            let said = said.map_or(String::new(), |line| format!(" Its last words: {line}"));
            let words = format!("The GPU’s process ended without an answer ({status}).{said}");
            json!({ "error": words })
        }
    }
}

/// Reads up to the answer.
async fn output(mut from: impl AsyncRead + Unpin, seal: &str) -> Output {
    let mut all: Vec<u8> = Vec::new();
    // From here on the seal is looked for; and what follows it, once it was found.
    let (mut unseen, mut answer) = (0, None);
    loop {
        match from.read_buf(&mut all).await {
            Ok(0) | Err(_) => return Output::Nothing,
            Ok(_) if all.len() > MOST_OUTPUT => return Output::TooMuch,
            Ok(_) => {}
        }
        if answer.is_none() {
            answer = find(&all[unseen..], seal.as_bytes()).map(|at| unseen + at);
            unseen = all.len().saturating_sub(seal.len());
        }
        let Some(at) = answer else { continue };
        let line = &all[at + seal.len()..];
        if let Some(end) = line.iter().position(|byte| *byte == b'\n') {
            return match serde_json::from_slice(&line[..end]) {
                Ok(value @ Value::Object(_)) => {
                    all.truncate(at);
                    Output::Answer(value, all)
                }
                _ => Output::Garbage,
            };
        }
    }
}

fn find(text: &[u8], word: &[u8]) -> Option<usize> {
    text.windows(word.len()).position(|window| window == word)
}

/// The first bytes of the output. The rest is read and dropped, so that the writer does not block.
async fn first(mut from: impl AsyncRead + Unpin) -> String {
    let (mut kept, mut piece) = (Vec::new(), [0; 4096]);
    while let Ok(count @ 1..) = from.read(&mut piece).await {
        let room = MOST_ERRORS.saturating_sub(kept.len()).min(count);
        kept.extend_from_slice(&piece[..room]);
    }
    String::from_utf8_lossy(&kept).into_owned()
}
