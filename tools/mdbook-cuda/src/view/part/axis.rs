//! The axes of a chart: their ends, whether they are logarithmic, and their ticks.

use super::{number, quantity};

/// An axis.
pub(crate) struct Axis {
    pub(crate) low: f64,
    pub(crate) high: f64,
    /// Whether it is logarithmic. That follows from the data: it is, where they span a large factor.
    pub(crate) log: bool,
}

impl Axis {
    /// The axis below: it ends where the values end.
    pub(crate) fn below(values: &[f64]) -> Axis {
        let (low, high) = ends(values);
        let log = low > 0.0 && high / low >= 16.0;
        if low == high {
            return Axis { low: low - 0.5, high: high + 0.5, log: false };
        }
        Axis { low, high, log }
    }

    /// The axis beside: from zero where the values are close together, else over whole decades. Over a
    /// logarithmic axis it is logarithmic sooner: a proportion is then a straight line.
    pub(crate) fn beside(values: &[f64], below: &Axis) -> Axis {
        let (low, high) = ends(values);
        let factor = if below.log { 16.0 } else { 50.0 };
        if low > 0.0 && high / low >= factor {
            let power = |v: f64| 10f64.powf(v);
            return Axis {
                low: power(low.log10().floor()),
                high: power(high.log10().ceil()),
                log: true,
            };
        }
        let high = if high > 0.0 { high * 1.08 } else { 1.0 };
        Axis { low: low.min(0.0), high, log: false }
    }

    /// Where a value is: 0 at the low end, 1 at the high one.
    pub(crate) fn at(&self, value: f64) -> f64 {
        let share = if self.log {
            (value.max(self.low) / self.low).ln() / (self.high / self.low).ln()
        } else {
            (value - self.low) / (self.high - self.low)
        };
        share.clamp(0.0, 1.0)
    }

    /// Round values between the ends.
    pub(crate) fn ticks(&self) -> Vec<f64> {
        if self.log {
            let decades = (self.high / self.low).log10().round().max(1.0) as i32;
            let step = (decades + 4) / 5;
            return (0..=decades / step).map(|i| self.low * 10f64.powi(i * step)).collect();
        }
        let step = number::step(self.high - self.low, 6.0);
        let first = (self.low / step).ceil() as i64;
        let last = (self.high / step).floor() as i64;
        (first..=last).map(|i| i as f64 * step).collect()
    }
}

/// The smallest and the largest finite value; 0 and 1 where there is none.
pub(crate) fn ends(values: &[f64]) -> (f64, f64) {
    let finite = || values.iter().copied().filter(|v| v.is_finite());
    let (low, high) =
        (finite().fold(f64::INFINITY, f64::min), finite().fold(f64::NEG_INFINITY, f64::max));
    if low <= high { (low, high) } else { (0.0, 1.0) }
}

/// As many of the sorted values as have room for their labels: both ends first, then evenly. `x`
/// gives the place of a value.
pub(crate) fn labelled(values: &[f64], quantity: &str, x: &dyn Fn(f64) -> f64) -> Vec<f64> {
    let longest = values.iter().map(|v| quantity::tick(quantity, *v).chars().count()).max();
    let room = (6.0 * longest.unwrap_or(0) as f64 + 8.0).max(34.0);
    let mut shown: Vec<f64> = Vec::new();
    let last = values[values.len() - 1];
    for value in values {
        let near = |other: f64| (x(*value) - x(other)).abs() < room;
        if *value == last || !(shown.last().is_some_and(|s| near(*s)) || near(last)) {
            shown.push(*value);
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_follow_the_data() {
        assert!(Axis::below(&[1.0, 2.0, 32.0]).log && !Axis::below(&[8.0, 16.0, 32.0]).log);
        assert!(!Axis::below(&[0.0, 1000.0]).log, "a zero has no logarithm");
        let (linear, logarithmic) = (Axis::below(&[8.0, 16.0]), Axis::below(&[1.0, 32.0]));
        let near = Axis::beside(&[80.0, 100.0], &logarithmic);
        assert_eq!((near.low, near.log), (0.0, false));
        assert!(Axis::beside(&[20.0, 640.0], &logarithmic).log, "a proportion is a line");
        assert!(!Axis::beside(&[20.0, 640.0], &linear).log);
        let far = Axis::beside(&[3.0, 900.0], &linear);
        assert_eq!((far.low, far.high, far.log), (1.0, 1000.0, true));
        assert_eq!(far.ticks(), [1.0, 10.0, 100.0, 1000.0]);
        assert_eq!(Axis::beside(&[4000.0], &linear).ticks(), [0.0, 1000.0, 2000.0, 3000.0, 4000.0]);
    }

    #[test]
    fn labels_keep_their_distance() {
        let xs: Vec<f64> = (0..64).map(f64::from).collect();
        let shown = labelled(&xs, "count", &|v| v * 4.0);
        assert_eq!((shown[0], shown[shown.len() - 1]), (0.0, 63.0));
        assert!(shown.windows(2).all(|pair| (pair[1] - pair[0]) * 4.0 >= 34.0), "{shown:?}");

        let long = labelled(&[1_048_576.0, 4_194_304.0, 16_777_216.0], "bytes", &|v| v.ln() * 28.0);
        assert_eq!(long, [1_048_576.0, 16_777_216.0], "\"1.05 MB\" takes more room");
    }
}
