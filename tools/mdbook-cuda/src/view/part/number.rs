//! Numbers for readers: three significant digits, thousands separated, a unit that fits.
//!
//! Counts are exact and are printed exactly; measurements are not, and must not look exact.

pub(crate) use verify::number::{count, counter, significant};

/// Microseconds in the unit that fits: `15.3 µs`, `1.25 ms`.
pub(crate) fn time(us: f64) -> String {
    if us < 1.0 {
        format!("{} ns", significant(us * 1e3))
    } else if us < 999.5 {
        format!("{} µs", significant(us))
    } else if us < 999_500.0 {
        format!("{} ms", significant(us / 1e3))
    } else {
        format!("{} s", significant(us / 1e6))
    }
}

/// A share in per cent: `92.3 %`.
pub(crate) fn percent(share: f64) -> String {
    format!("{} %", significant(share * 100.0))
}

/// Bytes in the unit that fits, decimal as bandwidths are: `67.1 MB`.
pub(crate) fn bytes(value: u64) -> String {
    let scaled = value as f64;
    match value {
        0..=999 => format!("{value} B"),
        1_000..=999_499 => format!("{} kB", significant(scaled / 1e3)),
        999_500..=999_499_999 => format!("{} MB", significant(scaled / 1e6)),
        _ => format!("{} GB", significant(scaled / 1e9)),
    }
}

/// A problem's size as HTML: 2<sup>24</sup> where it is a large power of two, else `1,021`.
pub(crate) fn size(n: u64) -> String {
    power(n).map_or_else(|| count(n), |exponent| format!("2<sup>{exponent}</sup>"))
}

/// The exponent of a size that is better printed as a power of two.
pub(crate) fn power(n: u64) -> Option<u32> {
    (n >= 1024 && n.is_power_of_two()).then(|| n.trailing_zeros())
}

/// A size in plain text: `2²⁸`, or `1,021`.
pub(crate) fn plain_size(n: u64) -> String {
    const DIGITS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    let raised = |digit: u32| DIGITS[digit as usize];
    power(n).map_or_else(
        || count(n),
        |exponent| {
            format!(
                "2{}",
                exponent
                    .to_string()
                    .chars()
                    .filter_map(|c| c.to_digit(10))
                    .map(raised)
                    .collect::<String>()
            )
        },
    )
}

/// A step of 1, 2 or 5 times a power of ten that divides a length into `ticks` parts at most.
pub(crate) fn step(length: f64, ticks: f64) -> f64 {
    let power = 10f64.powf((length / ticks).log10().floor());
    let wanted = length / ticks;
    [1.0, 2.0, 5.0, 10.0]
        .into_iter()
        .map(|m| m * power)
        .find(|s| *s >= wanted)
        .unwrap_or(power * 10.0)
}

/// Reads a size as a page writes it: `2^24`, `16777216`, `16,777,216` or `16_777_216`.
pub(crate) fn parse_size(text: &str) -> Option<u64> {
    if let Some((base, exponent)) = text.split_once('^') {
        return base.parse::<u64>().ok()?.checked_pow(exponent.parse().ok()?);
    }
    text.replace(['_', ','], "").parse().ok()
}

/// How `new` compares with `old`: `÷ 16`, `× 2.5`, `+3.1 %`, `=`.
///
/// From a factor of two on, people think in factors; below it, in per cent.
pub(crate) fn change(old: f64, new: f64) -> String {
    if old == new {
        return "=".to_string();
    }
    if old <= 0.0 || new <= 0.0 {
        return if new <= 0.0 { "gone".to_string() } else { "new".to_string() };
    }
    let factor = new / old;
    if factor >= 2.0 {
        format!("× {}", short(factor))
    } else if factor <= 0.5 {
        format!("÷ {}", short(old / new))
    } else {
        let percent = (factor - 1.0) * 100.0;
        let sign = if percent > 0.0 { "+" } else { "" };
        format!("{sign}{} %", significant_at(percent, 2))
    }
}

/// How two percentages differ: `+28 points`.
pub(crate) fn points(old: f64, new: f64) -> String {
    let difference = new - old;
    if difference.abs() < 0.05 {
        return "=".to_string();
    }
    let sign = if difference > 0.0 { "+" } else { "" };
    format!("{sign}{} points", significant_at(difference, 2))
}

/// Three digits, but a whole factor without its zeros: `16`, not `16.0`.
fn short(value: f64) -> String {
    if (value - value.round()).abs() < 5e-4 * value {
        count(value.round() as u64)
    } else {
        significant(value)
    }
}

fn significant_at(value: f64, digits: i32) -> String {
    let magnitude = value.abs().log10().floor() as i32;
    let decimals = (digits - 1 - magnitude).clamp(0, 3) as usize;
    format!("{value:.decimals$}").replace('-', "−")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_follow_the_magnitude() {
        assert_eq!(time(0.5), "500 ns");
        assert_eq!(time(15.26), "15.3 µs");
        assert_eq!(time(1249.0), "1.25 ms");
        assert_eq!(bytes(67_108_864), "67.1 MB");
        assert_eq!(bytes(1_073_741_824), "1.07 GB");
        assert_eq!(percent(0.9234), "92.3 %");
    }

    #[test]
    fn sizes_read_and_print() {
        assert_eq!(size(1 << 24), "2<sup>24</sup>");
        assert_eq!(size(1021), "1,021");
        assert_eq!(size(512), "512");
        assert_eq!(plain_size(1 << 28), "2²⁸");
        assert_eq!(plain_size(1021), "1,021");
        for text in ["2^24", "16777216", "16_777_216", "16,777,216"] {
            assert_eq!(parse_size(text), Some(1 << 24), "{text}");
        }
        for text in ["", "n", "2^", "2^99", "-1"] {
            assert_eq!(parse_size(text), None, "{text}");
        }
    }

    #[test]
    fn ticks_are_round_and_few() {
        for (highest, wanted) in [(4450.0, 1000.0), (900.0, 200.0), (0.4, 0.1), (12.0, 2.0)] {
            let step = step(highest, 6.0);
            assert!((step - wanted).abs() < 1e-9, "{highest}: {step}");
        }
    }

    #[test]
    fn a_change_is_a_factor_or_a_percentage() {
        assert_eq!(change(16.0, 1.0), "÷ 16");
        assert_eq!(change(2.0, 5.0), "× 2.50");
        assert_eq!(change(100.0, 103.1), "+3.1 %");
        assert_eq!(change(100.0, 87.0), "−13 %");
        assert_eq!(change(7.0, 7.0), "=");
        assert_eq!(change(0.0, 7.0), "new");
        assert_eq!(change(7.0, 0.0), "gone");
        assert_eq!(points(70.0, 98.1), "+28 points");
        assert_eq!(points(98.1, 97.9), "−0.20 points");
        assert_eq!(points(50.0, 50.0), "=");
    }
}
