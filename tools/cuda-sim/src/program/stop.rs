//! Stops a program from outside: at a signal, at the end of its time, or when nobody reads what it
//! writes.
//!
//! The simulator looks for the request between instructions, and then says where host and kernel
//! were. What does not look (a program that waits for input) is ended a little later, or by a second
//! signal. What was found until then has been printed.

use anyhow::{Context, Result};
use simt::Interrupt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::Duration;
use tokio::time::sleep;

/// How long a program may take to notice.
const NOTICE: Duration = Duration::from_secs(2);

/// Exit codes, as a shell or `timeout` has them.
const TIMED_OUT: u8 = 124;
const BROKEN_PIPE: u8 = 141;
const INTERRUPTED: u8 = 130;
const TERMINATED: u8 = 143;

/// A request to stop, and the exit code that goes with it.
#[derive(Debug, Clone, Default)]
pub(super) struct Stop {
    /// What the simulator looks at.
    pub(super) interrupt: Interrupt,
    code: Arc<AtomicU8>,
}

impl Stop {
    /// The exit code of a program that was stopped.
    pub(super) fn code(&self) -> u8 {
        self.code.load(Ordering::SeqCst)
    }

    /// The reader of the program's output is gone.
    pub(super) fn pipe_closed(&self) {
        self.request(BROKEN_PIPE, "its output is closed");
    }

    fn request(&self, code: u8, reason: &str) {
        let _ = self.code.compare_exchange(0, code, Ordering::SeqCst, Ordering::SeqCst);
        self.interrupt.request(reason);
    }

    /// Waits for a signal or the end of the time, in a thread of its own. A signal that comes before
    /// that thread runs is not lost.
    pub(super) fn watch(&self, limit: Option<Duration>) -> Result<()> {
        let stop = self.clone();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.context("starting the thread that waits for signals")?;
        let signals = {
            let _runtime = runtime.enter();
            Signals::listen().context("listening to signals")?
        };
        let watching = std::thread::Builder::new().name("signals".to_owned());
        watching.spawn(move || runtime.block_on(stop.wait(limit, signals)))?;
        Ok(())
    }

    async fn wait(self, limit: Option<Duration>, mut signals: Signals) {
        let end = async {
            match limit {
                Some(limit) => sleep(limit).await,
                None => std::future::pending().await,
            }
        };
        let (code, reason) = tokio::select! {
            (code, name) = signals.next() => (code, format!("it got the signal {name}")),
            () = end => {
                let seconds = limit.unwrap_or_default().as_secs_f64();
                (TIMED_OUT, format!("its time limit of {seconds} s is over"))
            }
        };
        self.request(code, &reason);
        tokio::select! {
            _ = signals.next() => {}
            () = sleep(NOTICE) => {}
        }
        super::tell(&format!("error[interrupted]: the program is ended: {reason}\n"));
        std::process::exit(i32::from(code));
    }
}

/// The signals that ask the command to end.
#[cfg(unix)]
struct Signals {
    interrupt: tokio::signal::unix::Signal,
    terminate: tokio::signal::unix::Signal,
}

#[cfg(unix)]
impl Signals {
    /// From here on no signal is lost, and none ends the process by itself.
    fn listen() -> std::io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Self {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
        })
    }

    /// The exit code that goes with the next signal, and its name.
    async fn next(&mut self) -> (u8, &'static str) {
        tokio::select! {
            _ = self.interrupt.recv() => (INTERRUPTED, "SIGINT"),
            _ = self.terminate.recv() => (TERMINATED, "SIGTERM"),
        }
    }
}

/// The signals that ask the command to end.
#[cfg(windows)]
struct Signals(tokio::signal::windows::CtrlC);

#[cfg(windows)]
impl Signals {
    /// From here on no signal is lost, and none ends the process by itself.
    fn listen() -> std::io::Result<Self> {
        Ok(Self(tokio::signal::windows::ctrl_c()?))
    }

    /// The exit code that goes with the next signal, and its name.
    async fn next(&mut self) -> (u8, &'static str) {
        self.0.recv().await;
        (INTERRUPTED, "Ctrl-C")
    }
}
