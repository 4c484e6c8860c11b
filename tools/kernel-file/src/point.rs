//! A point: one value for each variable of `//@ vary`, in the order of the directives.
//!
//! A kernel file with `//@ vary stride = 1, 2, 4` is three kernels that differ in a number.
//! [`crate::KernelFile::at`] binds one of them. Everything after that (plan, back ends, comparison)
//! sees an ordinary file in which `stride` is a name of `//@ let`. A file without
//! variables has one point, the empty one.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// Values of the variables, by name. As text: `bx=32,by=16`; empty without variables.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Point(Vec<(String, i64)>);

impl Point {
    /// The point with these values, in the order of the directives.
    pub fn new(values: Vec<(String, i64)>) -> Point {
        Point(values)
    }

    /// The variables with their values.
    pub fn values(&self) -> &[(String, i64)] {
        &self.0
    }

    /// The value of a variable.
    pub fn get(&self, name: &str) -> Option<i64> {
        self.0.iter().find(|(n, _)| n == name).map(|(_, v)| *v)
    }

    /// Whether there are no variables.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, (name, value)) in self.0.iter().enumerate() {
            let comma = if at == 0 { "" } else { "," };
            write!(f, "{comma}{name}={value}")?;
        }
        Ok(())
    }
}

impl FromStr for Point {
    type Err = String;

    fn from_str(text: &str) -> Result<Point, String> {
        let parts = text.split(',').map(str::trim).filter(|part| !part.is_empty());
        let values = parts.map(|part| {
            let pair = part.split_once('=');
            let value = pair.and_then(|(name, value)| {
                Some((name.trim().to_owned(), value.trim().parse().ok()?))
            });
            value.ok_or_else(|| format!("expected `name=number`, found `{part}`"))
        });
        Ok(Point(values.collect::<Result<_, _>>()?))
    }
}

impl From<Point> for String {
    fn from(point: Point) -> String {
        point.to_string()
    }
}

impl TryFrom<String> for Point {
    type Error = String;

    fn try_from(text: String) -> Result<Point, String> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_and_back() {
        for text in ["", "stride=4", "bx=32,by=-16"] {
            assert_eq!(text.parse::<Point>().unwrap().to_string(), text);
        }
        assert_eq!("a=1, b=2".parse::<Point>().unwrap().get("b"), Some(2));
        assert_eq!("a".parse::<Point>(), Err("expected `name=number`, found `a`".to_owned()));
    }
}
