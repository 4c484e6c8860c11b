//! `min` and `max`, which CUDA overloads for pairs of types: two numbers that no overload fits best
//! are an error.

use crate::diagnostic::{Diagnostic, Span};
use crate::reported::Reported;
use crate::sema::Checked;
use crate::sema::body::Body;
use crate::sema::conversions::standard_conversion::promoted;
use crate::sema::tree::Expr;
use crate::syntax::ast::Prim;

/// The overloads: each pair of one group.
const GROUPS: [&[Prim]; 4] = [
    &[Prim::Int, Prim::UInt],
    &[Prim::Long, Prim::ULong],
    &[Prim::LongLong, Prim::ULongLong],
    &[Prim::Float, Prim::Double],
];

/// What a number costs as an argument: nothing, a promotion or a conversion.
fn cost(from: Prim, to: Prim) -> u8 {
    match from == to {
        true => 0,
        false if promoted(from) == to || (from, to) == (Prim::Float, Prim::Double) => 1,
        false => 2,
    }
}

/// Whether one overload fits two numbers best.
fn one_fits([a, b]: [Prim; 2]) -> bool {
    let pairs = GROUPS.iter().flat_map(|group| {
        group.iter().flat_map(|x| group.iter().map(|y| [cost(a, *x), cost(b, *y)]))
    });
    let all: Vec<[u8; 2]> = pairs.collect();
    let best = [0, 1].map(|i| all.iter().map(|costs| costs[i]).min().unwrap_or_default());
    all.iter().filter(|costs| **costs == best).count() == 1
}

impl Body<'_, '_> {
    /// Reports numbers of which no overload of `min` or `max` is the best.
    pub(super) fn check_ambiguous_extremes(
        &mut self,
        name: &str,
        prims: [Prim; 2],
        values: &[Expr],
        span: Span,
    ) -> Checked<()> {
        let is_half = prims.iter().any(|prim| prim.is_half() || prim.packed().is_some());
        if span.is_built_in() || is_half || one_fits(prims) {
            return Ok(());
        }
        let [a, b] = [0, 1].map(|i| self.sema.types.spell(&values[i].ty.unqualified()));
        let message = format!("no overload of `{name}` fits `{a}` and `{b}` best");
        let diagnostic = Diagnostic::error("overload", span, message)
            .with_help(format!("convert one of them: `{name}(({b})x, y)`"));
        self.sema.report(diagnostic);
        Err(Reported)
    }
}

#[cfg(test)]
mod tests {
    use super::one_fits;
    use crate::syntax::ast::Prim::{
        Bool, Char, Double, Float, Int, Long, LongLong, Short, UInt, ULong, ULongLong,
    };

    /// What nvcc 13.0 accepts and refuses.
    #[test]
    fn overloads_are_chosen_as_nvcc_does() {
        for fits in [
            [Float, Double],
            [UInt, Int],
            [Char, Int],
            [ULongLong, LongLong],
            [ULong, Long],
            [Short, Char],
            [Bool, UInt],
            [Short, UInt],
            [Int, Int],
            [Float, Float],
        ] {
            assert!(one_fits(fits), "{fits:?}");
        }
        for refused in [
            [Int, Double],
            [Int, Float],
            [ULong, Int],
            [Long, Int],
            [LongLong, Int],
            [ULong, UInt],
            [Char, Float],
            [Long, LongLong],
            [ULong, ULongLong],
        ] {
            assert!(!one_fits(refused), "{refused:?}");
        }
    }
}
