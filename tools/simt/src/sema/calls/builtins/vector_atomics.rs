//! `atomicAdd` of `float2` and `float4`, which CUDA has from compute capability 9.0 on.
//!
//! It adds the parts one by one, each atomically. The simulator does not have it, and says so.

use crate::diagnostic::{Diagnostic, Span};
use crate::isa::AtomicOp;
use crate::reported::Reported;
use crate::sema::Checked;
use crate::sema::body::Body;

impl Body<'_, '_> {
    /// Reports an `atomicAdd` of a vector: `pointer` is the spelling of its type.
    pub(super) fn check_vector_atomic(
        &mut self,
        name: &str,
        op: AtomicOp,
        pointer: &str,
        span: Span,
    ) -> Checked<()> {
        if op != AtomicOp::Add || !matches!(pointer, "float2*" | "float4*") {
            return Ok(());
        }
        let what = format!("`{name}` of `{pointer}`, which devices from 9.0 on have");
        let diagnostic = Diagnostic::unsupported(span, what)
            .with_help("add the parts, each by an `atomicAdd` of a `float*`");
        self.sema.report(diagnostic);
        Err(Reported)
    }
}
