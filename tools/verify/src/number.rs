//! Numbers as the book prints them: a count exactly, anything else with three significant digits.

/// A count: `16,777,216`.
pub fn count(value: u64) -> String {
    let digits = value.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// Three significant digits: `4,310`, `62.8`, `0.0125`.
pub fn significant(value: f64) -> String {
    if !value.is_finite() {
        return "–".to_string();
    }
    if value == 0.0 {
        return "0".to_string();
    }
    let magnitude = value.abs().log10().floor() as i32;
    let unit = 10f64.powi(magnitude - 2);
    let rounded = (value / unit).round() * unit;
    // 999.6 rounds up to a number with one digit more.
    let magnitude = rounded.abs().log10().floor() as i32;
    let decimals = (2 - magnitude).clamp(0, 12) as usize;
    if decimals > 0 {
        return format!("{rounded:.decimals$}").replace('-', "−");
    }
    let sign = if rounded < 0.0 { "−" } else { "" };
    format!("{sign}{}", count(rounded.abs() as u64))
}

/// A counter: exact where it is a whole number, else three digits.
pub fn counter(value: f64) -> String {
    if value >= 0.0 && value.fract() == 0.0 && value < 9e15 {
        count(value as u64)
    } else {
        significant(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_digits_and_no_more() {
        for (value, text) in [
            (4312.7, "4,310"),
            (62.849, "62.8"),
            (999.6, "1,000"),
            (0.012_49, "0.0125"),
            (1.0, "1.00"),
            (-3.456, "−3.46"),
            (0.0, "0"),
            (f64::NAN, "–"),
        ] {
            assert_eq!(significant(value), text, "{value}");
        }
    }

    #[test]
    fn a_counter_is_exact_where_it_is_whole() {
        for (value, text) in [(16_777_216.0, "16,777,216"), (2.5, "2.50"), (0.0, "0")] {
            assert_eq!(counter(value), text, "{value}");
        }
    }
}
