//! A traced block, as its diagrams show it.

use super::warp;
use crate::directive::Context;
use crate::facts::{BlockTrace, Kernel, WarpRequest};

/// A block of a kernel on a page.
pub(crate) struct Block<'a> {
    pub(crate) kernel: &'a Kernel,
    pub(crate) trace: &'a BlockTrace,
    is_linked: bool,
}

impl<'a> Block<'a> {
    /// The block that was requested on a page.
    pub(crate) fn of(page: &Context<'a>, request: &WarpRequest) -> Result<Block<'a>, String> {
        let kernel = page.kernel(&request.path)?;
        let trace = page.facts.block(request)?;
        let is_linked = page.figures.contains(&request.path.as_str());
        Ok(Block { kernel, trace, is_linked })
    }

    /// `block 5 (n = 64)`.
    pub(crate) fn title(&self) -> String {
        let address = &self.trace.address;
        format!("block {} ({})", address.block, warp::point(address))
    }

    /// The link to the kernel's figure on this page, if it is there.
    pub(crate) fn link(&self) -> String {
        let address = &self.trace.address;
        if self.is_linked { warp::to_lab(self.kernel, address, None) } else { String::new() }
    }
}
