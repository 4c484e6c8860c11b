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
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

/// How long a program may take to notice.
const NOTICE: Duration = Duration::from_secs(2);

/// Exit codes, as a shell or `timeout` has them.
const TIMED_OUT: u8 = 124;
const BROKEN_PIPE: u8 = 141;
const INTERRUPTED: u8 = 130;
#[cfg(unix)]
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
        let signals = signals().context("listening to signals")?;
        let watching = std::thread::Builder::new().name("time limit".to_owned());
        watching.spawn(move || stop.wait(limit, &signals))?;
        Ok(())
    }

    fn wait(self, limit: Option<Duration>, signals: &Receiver<Signal>) {
        let first = match limit {
            Some(limit) => signals.recv_timeout(limit),
            None => signals.recv().map_err(RecvTimeoutError::from),
        };
        let (code, reason) = match first {
            Ok(Signal { code, name }) => (code, format!("it got the signal {name}")),
            Err(RecvTimeoutError::Timeout) => {
                let seconds = limit.unwrap_or_default().as_secs_f64();
                (TIMED_OUT, format!("its time limit of {seconds} s is over"))
            }
            // The thread that gets the signals ends with the process only.
            Err(RecvTimeoutError::Disconnected) => return,
        };
        self.request(code, &reason);
        let _ = signals.recv_timeout(NOTICE);
        super::tell(&format!("error[interrupted]: the program is ended: {reason}\n"));
        std::process::exit(i32::from(code));
    }
}

/// A signal that asks the command to end.
struct Signal {
    /// The exit code that goes with it.
    code: u8,
    name: &'static str,
}

/// The signals from here on: none is lost, and none ends the process by itself.
#[cfg(unix)]
fn signals() -> std::io::Result<Receiver<Signal>> {
    use signal_hook::consts::{SIGINT, SIGTERM};
    let mut arriving = signal_hook::iterator::Signals::new([SIGINT, SIGTERM])?;
    let (sender, receiver) = channel();
    let listening = std::thread::Builder::new().name("signals".to_owned());
    listening.spawn(move || {
        for signal in &mut arriving {
            let signal = if signal == SIGINT {
                Signal { code: INTERRUPTED, name: "SIGINT" }
            } else {
                Signal { code: TERMINATED, name: "SIGTERM" }
            };
            if sender.send(signal).is_err() {
                return;
            }
        }
    })?;
    Ok(receiver)
}

/// The signals from here on: none is lost, and none ends the process by itself.
#[cfg(windows)]
fn signals() -> Result<Receiver<Signal>> {
    let (sender, receiver) = channel();
    ctrlc::set_handler(move || {
        let _ = sender.send(Signal { code: INTERRUPTED, name: "Ctrl-C" });
    })?;
    Ok(receiver)
}
