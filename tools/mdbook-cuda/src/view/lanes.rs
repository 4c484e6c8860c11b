//! `{{#lanes FILE}}`: the 32 lanes of a warp, instruction after instruction.

use super::part::diagram::{self, Diagram, Drawn};
use super::part::lanes;
use super::part::warp::{self, Warp};
use crate::directive::{Arguments, Context, Directive};
use crate::facts::{Needs, WarpRequest};

#[derive(Debug)]
struct Lanes(WarpRequest);

/// Reads `{{#lanes}}`.
pub(super) fn parse(arguments: &Arguments<'_>) -> Result<Box<dyn Directive>, String> {
    diagram::parse(arguments, |options| Ok(Box::new(Lanes(options.warp()?))))
}

impl Diagram for Lanes {
    fn needs(&self) -> Needs {
        Needs { warps: vec![self.0.clone()], ..Needs::kernels() }
    }

    fn name(&self) -> String {
        warp::name("lanes", &self.0)
    }

    fn draw(&self, page: &Context<'_>, _id: &str) -> Result<Drawn, String> {
        lanes::draw(&Warp::of(page, &self.0)?)
    }
}
