//! Verifies in child processes, so that no text can end or fill the process of a server.
//!
//! What a page's author writes is compiled and run. However carefully that is bounded, a text may be
//! found that takes all memory, overflows the stack or never ends, and no `catch_unwind` helps. So the
//! work is done by children: this program once more, with a limit on its memory. One child answers for
//! many files. One that dies is replaced, and the file that it died of has a problem that says so.
//!
//! A child is given requests, a line of JSON each, and answers each with the verdict in a line of JSON.
//! Where no [`Workers`] are given, [`crate::Verifier`] does the work itself; the tests do so.

use crate::cache::sha256;
use crate::fence::Fence;
use crate::verifier::Verifier;
use anyhow::{Context, Result};
use kernel_file::directive::Defect;
use kernel_file::verdict::{BackendName, Problem, Verdict};
use kernel_file::{KernelFile, Point};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The code of the problem of a file that a child died of.
pub const DIED: &str = "process";

/// Bytes of address space that a child may take.
pub const MEMORY: u64 = 4 << 30;

/// How long a child may take for one request.
const TIME: Duration = Duration::from_secs(120);

/// What a child is asked.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Request {
    /// To run a kernel file.
    Run { file: FileText, backend: BackendName, point: Point, sizes: Vec<u64> },
    /// Whether a kernel file's expectation can fail.
    Mutation { file: FileText },
    /// Whether a fence keeps its promise.
    Fence { file: String, line: u32, info: String, code: String, backend: BackendName },
}

/// A kernel file as its text; a fence's promise names the defect outside of it.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct FileText {
    relative: String,
    path: PathBuf,
    text: String,
    catches: Option<String>,
}

impl FileText {
    pub(crate) fn new(file: &KernelFile) -> FileText {
        FileText {
            relative: file.relative.clone(),
            path: file.path.clone(),
            text: file.text.clone(),
            catches: file.directives.catches.map(|defect| defect.name().to_owned()),
        }
    }

    fn parse(self) -> Result<KernelFile, Vec<Problem>> {
        let mut file = KernelFile::parse(&self.relative, self.text)?;
        file.path = self.path;
        file.directives.catches =
            self.catches.and_then(|name| Defect::all().find(|defect| defect.name() == name));
        Ok(file)
    }
}

impl Request {
    /// What a child may die of: a file or a fence, at whatever size.
    fn subject(&self) -> String {
        let (name, text) = match self {
            Request::Run { file, .. } | Request::Mutation { file } => (&file.relative, &file.text),
            Request::Fence { file, code, .. } => (file, code),
        };
        sha256(format!("{name}\n{text}").as_bytes())
    }

    pub(crate) fn fence(fence: &Fence, backend: BackendName) -> Request {
        Request::Fence {
            file: fence.file.clone(),
            line: fence.line,
            info: fence.info(),
            code: fence.code.clone(),
            backend,
        }
    }
}

/// Starts children, gives them requests, and replaces those that die.
pub struct Workers {
    program: PathBuf,
    arguments: Vec<std::ffi::OsString>,
    idle: Mutex<Vec<Worker>>,
    /// What children died of, by [`Request::subject`]: asked again, it would kill another.
    deadly: Mutex<HashMap<String, String>>,
}

/// A child that runs.
struct Worker {
    child: Child,
    stdin: ChildStdin,
    answers: Receiver<String>,
    last_words: Arc<Mutex<String>>,
    fresh: bool,
}

/// Why there is no answer.
struct Death {
    why: String,
    /// Whether a child that has done nothing before may fare better.
    may_be_others_fault: bool,
    /// Whether the request is to blame: not if somebody else ended the child.
    blames_request: bool,
}

impl Workers {
    /// Workers that are started so; the first when there is something to do.
    pub fn new(program: PathBuf, arguments: Vec<std::ffi::OsString>) -> Workers {
        Workers { program, arguments, idle: Mutex::default(), deadly: Mutex::default() }
    }

    /// The verdict of a child, or how it died of the request.
    pub(crate) fn ask(&self, request: &Request) -> Result<Verdict, String> {
        let line = serde_json::to_string(request).map_err(|error| error.to_string())?;
        let key = request.subject();
        if let Some(why) = locked(&self.deadly).get(&key) {
            return Err(why.clone());
        }
        loop {
            let mut worker = self.worker().map_err(|error| format!("{error:#}"))?;
            match worker.exchange(&line) {
                Ok(verdict) => {
                    worker.fresh = false;
                    locked(&self.idle).push(worker);
                    return Ok(verdict);
                }
                Err(Death { may_be_others_fault: true, .. }) if !worker.fresh => {}
                Err(Death { why, blames_request, .. }) => {
                    if blames_request {
                        locked(&self.deadly).insert(key, why.clone());
                    }
                    return Err(why);
                }
            }
        }
    }

    /// One that waits, or a new one.
    fn worker(&self) -> Result<Worker> {
        while let Some(mut worker) = locked(&self.idle).pop() {
            if worker.child.try_wait().is_ok_and(|ended| ended.is_none()) {
                return Ok(worker);
            }
        }
        let mut child = Command::new(&self.program)
            .args(&self.arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .with_context(|| format!("`{}` does not start", self.program.display()))?;
        let stdin = child.stdin.take().context("a child has no input")?;
        let stdout = child.stdout.take().context("a child has no output")?;
        let stderr = child.stderr.take().context("a child has no errors")?;
        let (send, answers) = mpsc::channel();
        std::thread::spawn(move || {
            for line in BufReader::new(stdout).lines().map_while(Result::ok) {
                if send.send(line).is_err() {
                    break;
                }
            }
        });
        let last_words = Arc::new(Mutex::new(String::new()));
        let heard = Arc::clone(&last_words);
        std::thread::spawn(move || listen(stderr, &heard));
        Ok(Worker { child, stdin, answers, last_words, fresh: true })
    }
}

/// Keeps the last line that a child writes to its standard error.
fn listen(stderr: impl Read, last: &Mutex<String>) {
    for line in BufReader::new(stderr).lines().map_while(Result::ok) {
        if !line.trim().is_empty() {
            *locked(last) = line.chars().take(200).collect();
        }
    }
}

impl Worker {
    fn exchange(&mut self, line: &str) -> Result<Verdict, Death> {
        // A child that is dead by now is found out by its silence.
        let _ = writeln!(self.stdin, "{line}").and_then(|()| self.stdin.flush());
        match self.answers.recv_timeout(TIME) {
            Ok(answer) => serde_json::from_str(&answer).map_err(|error| {
                let why = format!("the verifying process gave no verdict: {error}");
                Death { why, may_be_others_fault: false, blames_request: true }
            }),
            Err(RecvTimeoutError::Timeout) => {
                let why = format!("this took more than {} seconds and was ended", TIME.as_secs());
                Err(Death { why, may_be_others_fault: false, blames_request: true })
            }
            Err(RecvTimeoutError::Disconnected) => Err(self.death()),
        }
    }

    fn death(&mut self) -> Death {
        let status = self.child.wait();
        let killed = status.as_ref().is_ok_and(was_killed);
        let status = status.map_or_else(|e| e.to_string(), |status| status.to_string());
        if killed {
            let why = format!(
                "the verifying process was ended from outside ({status}), perhaps because the system has no \
                 memory left; save a file to try again"
            );
            return Death { why, may_be_others_fault: true, blames_request: false };
        }
        // The thread that listens may be a moment behind.
        std::thread::sleep(Duration::from_millis(50));
        let said = locked(&self.last_words).clone();
        let said = if said.is_empty() { said } else { format!("; its last words: {said}") };
        let why = format!(
            "this ended the verifying process, which may take {} GiB of memory ({status}{said})",
            MEMORY >> 30
        );
        Death { why, may_be_others_fault: true, blames_request: true }
    }
}

/// Whether a process was killed, which is never its own doing: an allocation beyond its limit aborts it.
#[cfg(unix)]
fn was_killed(status: &ExitStatus) -> bool {
    use std::os::unix::process::ExitStatusExt;
    const SIGKILL: i32 = 9;
    status.signal() == Some(SIGKILL)
}

/// This system does not say.
#[cfg(not(unix))]
fn was_killed(_: &ExitStatus) -> bool {
    false
}

impl Drop for Worker {
    fn drop(&mut self) {
        // One that has ended already is only waited for.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // Nothing is left half done by a thread that panics.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A child's answer to one line.
///
/// # Errors
/// If the line is no request.
pub fn answer(verifier: &Verifier, line: &str) -> Result<String> {
    let request: Request = serde_json::from_str(line).context("not a request")?;
    let verdict = match request {
        Request::Run { file, backend, point, sizes } => match file.parse() {
            Ok(file) => verifier.run_here(&file.at(&point), backend, &sizes),
            Err(problems) => Verdict::failed(backend, "", problems),
        },
        Request::Mutation { file } => match file.parse() {
            Ok(file) => verifier.mutate_here(&file),
            Err(problems) => Verdict::failed(BackendName::Sim, "", problems),
        },
        Request::Fence { file, line, info, code, backend } => {
            match Fence::with_info(&file, line, &info, &code) {
                Ok(fence) => verifier.verify_fence(&fence, backend),
                Err(message) => {
                    let problem = Problem::new(&file, "", (line, 0), "fence", message);
                    Verdict::failed(backend, "", vec![problem])
                }
            }
        }
    };
    Ok(serde_json::to_string(&verdict)?)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    /// How a child that runs this shell script dies of a request, and whether it is asked again.
    fn dies(script: &str) -> (String, bool) {
        let workers = Workers::new("sh".into(), vec!["-c".into(), script.into()]);
        let (file, info, code) = ("a.md".into(), "cuda".into(), "int a;".into());
        let request = Request::Fence { file, line: 1, info, code, backend: BackendName::Sim };
        let why = workers.ask(&request).unwrap_err();
        let remembered = locked(&workers.deadly).contains_key(&request.subject());
        (why, !remembered)
    }

    #[test]
    fn a_request_is_not_blamed_for_a_child_that_somebody_killed() {
        let (why, again) = dies("read line; kill -KILL $$");
        assert!(why.contains("ended from outside") && again, "{why}");
        let (why, again) = dies("read line; kill -ABRT $$");
        assert!(why.contains("this ended the verifying process") && !again, "{why}");
    }
}
