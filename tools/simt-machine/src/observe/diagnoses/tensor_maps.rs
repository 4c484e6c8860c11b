//! Tensor copies that cannot be done.

use crate::event::{LanesAt, MapMisuse};
use crate::machine::prepared_kernel::PreparedKernel;
use crate::observe::findings::{Case, Findings, Text};
use crate::observe::{Code, Site};

/// A tensor copy cannot be done.
pub(crate) fn misused(
    prepared: &PreparedKernel<'_>,
    findings: &mut Findings,
    at: LanesAt,
    misuse: MapMisuse,
) {
    let case = Case::new(Code::TensorMap, Site::at(prepared, at, "tensor copy"));
    findings.add(case, || match misuse {
        MapMisuse::NoMap => Text::error("this pointer leads to no tensor map")
            .with_help("pass the map as a `const __grid_constant__` parameter, aligned to 64 bytes, and take its address"),
        MapMisuse::Rank { map, copy } => {
            Text::error(format!("the tensor map has {map} axes, and this copy gives {copy} coordinates"))
        }
        MapMisuse::Shared { address } => Text::error(format!(
            "byte {address} of shared memory is not a multiple of 128, as a box must begin at"
        ))
        .with_help("declare the array with __align__(128); with a swizzle of 128 bytes 1024 is needed for the pattern to begin there"),
        MapMisuse::Coordinate { at } => Text::error(format!(
            "element {at} of a row does not begin at a multiple of 16 bytes, as a box must"
        ))
        .with_help("the first coordinate times the size of an element must be a multiple of 16; the others may be any"),
        MapMisuse::Before { axis, at } => Text::error(format!(
            "coordinate {axis} of this copy to global memory is {at}, before the array"
        ))
        .with_help("only copies to shared memory may begin before the array; a GPU stops here with \"an illegal instruction was encountered\""),
        MapMisuse::Outside => Text::error("the tensor map covers more than its array")
            .with_help("compare the sizes and strides that it was made with, and the array's size"),
        MapMisuse::Reduction => {
            Text::error("the elements of this tensor map have no such reduction")
        }
    });
}
