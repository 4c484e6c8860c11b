//! Placeholder.
use crate::{Failure, Module, Sources};
pub(crate) fn compile(_sources: Sources) -> Result<Module, Failure> {
    todo!("lower")
}
