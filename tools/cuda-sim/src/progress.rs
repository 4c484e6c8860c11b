//! What is being done right now, on stderr.
//!
//! On a terminal it is one line that is rewritten and disappears in the end. Elsewhere (a log, CI)
//! each step is a line of its own.

use std::io::{IsTerminal, Write};

/// The line that says what is being done. It disappears when dropped.
pub struct Progress {
    terminal: bool,
}

impl Default for Progress {
    fn default() -> Progress {
        Progress::new()
    }
}

impl Progress {
    /// Nothing is shown before the first [`Progress::step`].
    pub fn new() -> Progress {
        Progress { terminal: std::io::stderr().is_terminal() }
    }

    /// Says what comes next.
    pub fn step(&mut self, text: &str) {
        let mut stderr = std::io::stderr().lock();
        // Nobody can be told that stderr is closed.
        let _ = if self.terminal {
            // Longer than the terminal is wide would not be erased again.
            let text: String = text.chars().take(78).collect();
            write!(stderr, "\r\x1b[2K{text}").and_then(|()| stderr.flush())
        } else {
            writeln!(stderr, "{text}")
        };
    }

    /// Says it on a terminal only: what comes next is printed anyway once it is done.
    pub fn transient(&mut self, text: &str) {
        if self.terminal {
            self.step(text);
        }
    }

    /// Removes the line, so that something else can be printed.
    pub fn clear(&mut self) {
        if self.terminal {
            let _ = write!(std::io::stderr(), "\r\x1b[2K");
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.clear();
    }
}

/// `println!` for a command's own words: no panic where the reader of a pipe has gone (`| head`).
#[macro_export]
macro_rules! say {
    ($($words:tt)*) => {{
        use std::io::Write as _;
        let _ = writeln!(std::io::stdout(), $($words)*);
    }};
}
pub use crate::say;

/// The same to stderr: `serve 2>&1 | head` goes on when `head` has ended.
#[macro_export]
macro_rules! tell {
    ($($words:tt)*) => {{
        use std::io::Write as _;
        let _ = writeln!(std::io::stderr(), $($words)*);
    }};
}
