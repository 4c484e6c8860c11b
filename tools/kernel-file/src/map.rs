//! Tensor maps: descriptors of an array for the tensor memory accelerator (TMA), which copies boxes
//! of it into shared memory.
//!
//! ```text
//! //@ map am: a (columns, rows) box (64, 128) swizzle 128
//! //@ launch product(am, c) grid = ..., block = ...
//! ```
//!
//! Axes are given fastest first, as for a grid, and rows are contiguous. A map's name is an argument
//! of a launch; the kernel takes it as a `const __grid_constant__` struct of 128 bytes, aligned to
//! 64. The driver's limits are checked here, so that a violation is reported at its line. Not
//! supported: strides between rows or elements, and fills beyond the edge other than zero.

use crate::cursor::{Cursor, closing};
use crate::declared::Array;
use crate::expression::{Expression, Scope};
use crate::text_error::TextError;

/// The most elements along an axis of a box.
const BOX: i64 = 256;

/// The most elements along an axis of the array.
const AXIS: i64 = 1 << 32;

/// A declared map.
#[derive(Debug, Clone, PartialEq)]
pub struct Map {
    /// Its name.
    pub name: String,
    /// The name of its array.
    pub array: String,
    /// Elements of the array along each axis, fastest first.
    pub sizes: Vec<Expression>,
    /// Elements of a box along each axis.
    pub tile: Vec<u32>,
    /// Bytes of the rows within which pieces of 16 bytes are swizzled; 0 for none.
    pub swizzle: u32,
    /// The line of the directive.
    pub line: u32,
}

/// A map with its numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlannedMap {
    /// Its name.
    pub name: String,
    /// Index into [`crate::Plan::arrays`].
    pub array: usize,
    /// Elements of the array along each axis, fastest first.
    pub sizes: Vec<u64>,
    /// Elements of a box along each axis.
    pub tile: Vec<u32>,
    /// Bytes of a swizzled row; 0 for none.
    pub swizzle: u32,
}

impl Map {
    /// Parses what follows `map name`; `arrays` and `scalars` are declared before it.
    pub(crate) fn parse<'a>(
        name: String,
        mut rest: Cursor<'_>,
        arrays: &[Array],
        scalars: impl Iterator<Item = &'a str> + Clone,
    ) -> Result<Map, TextError> {
        let line = rest.line;
        rest.expect(":")?;
        rest.skip_blanks();
        let start = rest;
        let word = rest.name("the name of an array")?;
        let Some(array) = arrays.iter().find(|a| a.name == word) else {
            let names = arrays.iter().map(|a| a.name.as_str());
            return Err(start.unknown("unknown array", &word, names));
        };
        let mut sizes = Vec::new();
        for mut axis in axes(&mut rest)? {
            axis.skip_blanks();
            let size = Expression::parse(axis.text).map_err(|e| axis.inside(e))?;
            size.check_names(scalars.clone()).map_err(|e| axis.inside(e))?;
            sizes.push(size);
        }
        rest.expect("box")?;
        rest.skip_blanks();
        let at_box = rest;
        let mut tile = Vec::new();
        for mut axis in axes(&mut rest)? {
            axis.skip_blanks();
            let elements = Expression::parse(axis.text)
                .and_then(|e| e.evaluate(&Scope::new()))
                .map_err(|e| axis.inside(e))?;
            let elements =
                u32::try_from(elements).ok().filter(|e| (1..=BOX).contains(&(*e).into()));
            tile.push(elements.ok_or_else(|| {
                let text = axis.text.trim();
                axis.error(format!("an axis of a box has 1 to {BOX} elements, not {text}"))
            })?);
        }
        if sizes.len() != tile.len() || !(1..=5).contains(&sizes.len()) {
            return Err(at_box.error(format!(
                "array and box have the same one to five axes, not {} and {}",
                sizes.len(),
                tile.len()
            )));
        }
        rest.skip_blanks();
        let mut swizzle = 0;
        if !rest.text.is_empty() {
            rest.expect("swizzle")?;
            rest.skip_blanks();
            let start = rest;
            let word = rest.word();
            swizzle = word.parse().ok().filter(|s| [32, 64, 128].contains(s)).ok_or_else(|| {
                start.error(format!("a swizzle is of 32, 64 or 128 bytes, not `{word}`"))
            })?;
        }
        let row = tile[0] * array.element.bytes() as u32;
        if !row.is_multiple_of(16) || (swizzle > 0 && row > swizzle) {
            let most = if swizzle > 0 { format!(", {swizzle} at the most") } else { String::new() };
            return Err(at_box.error(format!(
                "a row of the box has {row} bytes; it must have a multiple of 16{most}"
            )));
        }
        rest.end()?;
        Ok(Map { name, array: word, sizes, tile, swizzle, line })
    }

    /// Its numbers in `scope`; `count` is how many elements `array`, at `index`, has there.
    pub(crate) fn plan(
        &self,
        scope: &Scope,
        (index, array, count): (usize, &Array, usize),
    ) -> Result<PlannedMap, String> {
        let mut sizes = Vec::new();
        for size in &self.sizes {
            let elements = size.evaluate(scope).map_err(|e| e.to_string())?;
            if !(1..=AXIS).contains(&elements) {
                let text = size.text();
                return Err(format!("an axis of `{}` has {text} = {elements} elements", self.name));
            }
            sizes.push(elements as u64);
        }
        let all = sizes.iter().try_fold(1u64, |all, s| all.checked_mul(*s));
        if all.is_none_or(|all| all > count as u64) {
            let (name, array) = (&self.name, &self.array);
            return Err(format!("`{name}` covers more than the {count} elements of `{array}`"));
        }
        let row = sizes[0] * array.element.bytes() as u64;
        if sizes.len() > 1 && !row.is_multiple_of(16) {
            let name = &self.name;
            return Err(format!(
                "a row of `{name}` has {row} bytes, which is not a multiple of 16"
            ));
        }
        let (name, tile) = (self.name.clone(), self.tile.clone());
        Ok(PlannedMap { name, array: index, sizes, tile, swizzle: self.swizzle })
    }

    /// The part of it that a measurement's key depends on.
    pub fn text(&self) -> String {
        let sizes: Vec<&str> = self.sizes.iter().map(Expression::text).collect();
        format!("{} ({}) {:?} {}", self.array, sizes.join(", "), self.tile, self.swizzle)
    }
}

/// `(e, e)`, in pieces.
fn axes<'a>(rest: &mut Cursor<'a>) -> Result<Vec<Cursor<'a>>, TextError> {
    rest.expect("(")?;
    let Some(close) = closing(rest.text) else {
        return Err(rest.error("expected `)` after the axes".to_owned()));
    };
    let parts = rest.until(close).split(',');
    rest.advance(close + 1);
    Ok(parts)
}

#[cfg(test)]
mod tests {
    use crate::{KernelFile, Plan};

    fn file(map: &str) -> Result<KernelFile, Vec<crate::Problem>> {
        let text = format!(
            "//@ input a: bfloat16[n * 64] = frac\n{map}\n\
             //@ launch k(am) grid = 1, block = 1\n//@ page 1\nint x;\n"
        );
        KernelFile::parse("x.cu", text)
    }

    #[test]
    fn a_map_is_planned_with_its_array() {
        let file = file("//@ map am: a (64, n) box (64, 128) swizzle 128").unwrap();
        let plan = Plan::new(&file, 8).unwrap();
        let map = &plan.maps[0];
        assert_eq!((map.array, map.swizzle), (0, 128));
        assert_eq!((&map.sizes[..], &map.tile[..]), (&[64, 8][..], &[64, 128][..]));
        assert!(Plan::new(&file, 0).is_err(), "no rows");
    }

    #[test]
    fn a_map_beyond_its_array_or_with_odd_rows_is_refused() {
        let at = |map: &str| Plan::new(&file(map).unwrap(), 8).unwrap_err()[0].message.clone();
        let long = at("//@ map am: a (64, n + 1) box (64, 128)");
        assert_eq!(long, "at n = 8: `am` covers more than the 512 elements of `a`");
        let odd = at("//@ map am: a (63, n) box (32, 128)");
        assert_eq!(odd, "at n = 8: a row of `am` has 126 bytes, which is not a multiple of 16");
        let huge = at("//@ map am: a (2^33, 1) box (32, 128)");
        assert_eq!(huge, "at n = 8: an axis of `am` has 2^33 = 8589934592 elements");
    }

    #[test]
    fn a_bad_map_is_named_with_its_column() {
        for (bad, message) in [
            ("//@ map am: b (64, n) box (64, 8)", "2:13: unknown array `b`; did you mean `a`?"),
            ("//@ map a: a (64, n) box (64, 8)", "2:9: `a` is declared twice"),
            ("//@ map am: a (64, m) box (64, 8)", "2:20: unknown name `m`; did you mean `n`?"),
            ("//@ map am: a (64, n) bax (64, 8)", "2:23: expected `box`, found `bax`"),
            (
                "//@ map am: a (64, n) box (64)",
                "2:27: array and box have the same one to five axes, not 2 and 1",
            ),
            (
                "//@ map am: a (64, n) box (64, 300)",
                "2:32: an axis of a box has 1 to 256 elements, not 300",
            ),
            (
                "//@ map am: a (64, n) box (4, 8)",
                "2:27: a row of the box has 8 bytes; it must have a multiple of 16",
            ),
            (
                "//@ map am: a (64, n) box (64, 8) swizzle 64",
                "2:27: a row of the box has 128 bytes; it must have a multiple of 16, 64 at the most",
            ),
            (
                "//@ map am: a (64, n) box (64, 8) swizzle 100",
                "2:43: a swizzle is of 32, 64 or 128 bytes, not `100`",
            ),
            ("//@ map am: a (64, n box (64, 8)", "2:16: expected `)` after the axes"),
        ] {
            let problem = &file(bad).unwrap_err()[0];
            let said = format!("{}:{}: {}", problem.line, problem.column, problem.message);
            assert_eq!(said, message, "{bad}");
        }
    }

    #[test]
    fn maps_and_arrays_share_their_names() {
        let twice = "//@ map am: a (64, n) box (64, 8)\n//@ scratch am: int[n] = zero";
        assert_eq!(file(twice).unwrap_err()[0].message, "`am` is declared twice");
    }
}
