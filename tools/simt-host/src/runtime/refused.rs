//! Calls of the CUDA runtime that are refused, where nothing tells of it: what they return is
//! discarded.

use super::driver_calls::ends_driver_call;
use super::error::{Error, SUCCESS};
use crate::Library;
use crate::interpreter::Interpreter;
use simt::{Diagnostic, Severity};

/// What is known of the last call.
#[derive(Debug, Default)]
pub(crate) struct Refused {
    /// A finding tells of it.
    pub(crate) told: bool,
    /// Why it was refused: how serious that is depends on whether its error is discarded.
    why: Option<Diagnostic>,
}

/// How advice to look at a call's error begins.
pub(super) const LOOK: &str = "check what the call returns";

impl Interpreter<'_> {
    /// The call is refused, for this reason.
    pub(super) fn refused(&mut self, why: Diagnostic) {
        self.runtime.refused.why = Some(why);
    }

    /// Before a library call: the error of the call before it was not discarded.
    pub(super) fn before_call(&mut self, function: Library, args: &[u64; 8]) {
        if ends_driver_call(function, args) {
            return;
        }
        // It is what a call ends with.
        if function != Library::CudaAnswer {
            self.runtime.refused.told = false;
        }
        if self.runtime.refused.why.is_some() {
            self.tell_refused(Severity::Note);
        }
    }

    /// Why the last call was refused, if that is still to be told.
    pub(super) fn tell_refused(&mut self, severity: Severity) {
        if let Some(mut why) = self.runtime.refused.why.take() {
            why.severity = severity;
            if severity == Severity::Note {
                // The program looks at the error: it needs no advice to do so.
                why.help = why.help.filter(|help| !help.starts_with(LOOK));
            }
            self.report(why);
        }
    }

    /// The error of a call is discarded.
    pub(super) fn discarded(&mut self, error: Error) {
        self.tell_refused(Severity::Warning);
        let told = std::mem::take(&mut self.runtime.refused.told);
        // A sticky error is that of a kernel, which was found there.
        if error == SUCCESS || told || self.runtime.sticky != SUCCESS {
            return;
        }
        let text = self.sources.text(self.span());
        let call = text.split('(').next().unwrap_or_default().trim();
        let call = if crate::library::is_of_cuda(call) { call } else { "the call" };
        let name = self.name_of_result(call, error);
        let message = format!("`{call}` is refused with {name}, and nothing looks at that");
        self.warn("refused", &message, "check what each call returns");
        self.runtime.refused.told = false;
    }
}
