//! Quantities of recorded numbers, and how each is printed.
//!
//! One table for everything measured, so that 1.25 ms looks the same in a kernel's table, in a sweep
//! and in the running text.

use super::number;

/// From so many GFLOP/s on, the unit is TFLOP/s.
pub(crate) const TERA: f64 = 1000.0;

/// The default order of quantities: the most important first.
const ORDER: [&str; 9] =
    ["gbps", "tflops", "gflops", "time_us", "time_ms", "ns", "cycles", "ratio", "percent"];

/// The place of a quantity in that order.
pub(crate) fn rank(quantity: &str) -> usize {
    ORDER.iter().position(|known| *known == quantity).unwrap_or(ORDER.len())
}

/// The heading of a quantity's column: `GB/s`.
pub(crate) fn heading(quantity: &str) -> String {
    match quantity {
        "time_us" | "time_ms" => "time".to_string(),
        "gbps" => "GB/s".to_string(),
        "gflops" => "GFLOP/s".to_string(),
        "tflops" => "TFLOP/s".to_string(),
        "percent" => "%".to_string(),
        "share" => "share of ceiling".to_string(),
        other => other.replace('_', " "),
    }
}

/// A number in a column, without the unit that the heading names.
pub(crate) fn cell(quantity: &str, value: f64) -> String {
    match quantity {
        "time_us" => number::time(value),
        "time_ms" => number::time(value * 1e3),
        "share" => number::percent(value),
        "bytes" if value >= 0.0 => number::bytes(value as u64),
        "ratio" => format!("{} ×", number::significant(value)),
        "percent" => number::significant(value),
        "%" => format!("{} %", number::significant(value)),
        "" | "count" | "cycles" => number::counter(value),
        _ => number::significant(value),
    }
}

/// A number with its unit, for the running text and for columns of mixed quantities.
pub(crate) fn text(quantity: &str, value: f64) -> String {
    if quantity == "gflops" && value >= TERA {
        return text("tflops", value / TERA);
    }
    let cell = cell(quantity, value);
    match quantity {
        "gbps" | "gflops" | "tflops" => format!("{cell} {}", heading(quantity)),
        "percent" => format!("{cell} %"),
        "cycles" | "ns" => format!("{cell} {quantity}"),
        _ => cell,
    }
}

/// A number in the very unit of its quantity, whatever its size: beside a formula that computes with it.
pub(crate) fn unscaled(quantity: &str, value: f64) -> String {
    let digits = number::significant(value);
    match quantity {
        "time_us" => format!("{digits} µs"),
        "time_ms" => format!("{digits} ms"),
        "gflops" => format!("{digits} {}", heading(quantity)),
        "bytes" => format!("{} bytes", number::counter(value)),
        "share" => digits,
        _ => text(quantity, value),
    }
}

/// A value beside an axis, as short as possible.
pub(crate) fn tick(quantity: &str, value: f64) -> String {
    let whole = value >= 0.0 && value.fract() == 0.0;
    match quantity {
        "time_us" | "time_ms" if value == 0.0 => "0".to_string(),
        "time_us" | "time_ms" => trimmed(&cell(quantity, value)),
        "bytes" if whole => trimmed(&number::bytes(value as u64)),
        "share" => trimmed(&number::percent(value)),
        _ if whole && value < 9e15 => match number::power(value as u64) {
            Some(_) if value >= 65536.0 => number::plain_size(value as u64),
            _ if value >= 1e6 => trimmed(&format!("{} M", number::significant(value / 1e6))),
            _ => number::count(value as u64),
        },
        _ => {
            let text = number::significant(value);
            match text.contains('.') {
                true => text.trim_end_matches('0').trim_end_matches('.').to_string(),
                false => text,
            }
        }
    }
}

/// `64 kB` for `64.0 kB`.
fn trimmed(text: &str) -> String {
    match text.split_once(' ') {
        Some((digits, unit)) if digits.contains('.') => {
            format!("{} {unit}", digits.trim_end_matches('0').trim_end_matches('.'))
        }
        _ => text.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_quantity_has_its_unit_once() {
        for (quantity, value, wanted) in [
            ("time_us", 1250.0, "1.25 ms"),
            ("time_ms", 0.5, "500 µs"),
            ("gbps", 4312.7, "4,310 GB/s"),
            ("tflops", 60.0, "60.0 TFLOP/s"),
            ("share", 0.93, "93.0 %"),
            ("percent", 93.0, "93.0 %"),
            ("ratio", 1.5, "1.50 ×"),
            ("count", 132.0, "132"),
            ("cycles", 23.0, "23 cycles"),
            ("ns", 512.4, "512 ns"),
            ("bytes", 67_108_864.0, "67.1 MB"),
            ("", 48.0, "48"),
        ] {
            assert_eq!(text(quantity, value), wanted);
        }
        assert_eq!(cell("gbps", 4312.7), "4,310");
    }

    #[test]
    fn large_rates_of_arithmetic_are_in_tflops() {
        assert_eq!(text("gflops", 999.0), "999 GFLOP/s");
        assert_eq!(text("gflops", 59_897.0), "59.9 TFLOP/s");
    }

    #[test]
    fn beside_a_formula_a_number_keeps_the_unit_of_its_quantity() {
        for (quantity, value, wanted) in [
            ("time_us", 1250.0, "1,250 µs"),
            ("time_ms", 0.5, "0.500 ms"),
            ("gflops", 59_897.0, "59,900 GFLOP/s"),
            ("bytes", 67_108_864.0, "67,108,864 bytes"),
            ("share", 0.93, "0.930"),
            ("gbps", 4312.7, "4,310 GB/s"),
        ] {
            assert_eq!(unscaled(quantity, value), wanted);
        }
    }

    #[test]
    fn ticks_are_short() {
        for (quantity, value, wanted) in [
            ("bytes", 65_536.0, "65.5 kB"),
            ("bytes", 64_000.0, "64 kB"),
            ("time_us", 1000.0, "1 ms"),
            ("stride", 32.0, "32"),
            ("n", 16_777_216.0, "2²⁴"),
            ("n", 5e6, "5 M"),
            ("gbps", 4000.0, "4,000"),
            ("share", 0.5, "50 %"),
            ("gbps", 0.1, "0.1"),
            ("gbps", 0.125, "0.125"),
            ("GB/s", 0.5, "0.5"),
            ("GB/s", 1.5, "1.5"),
        ] {
            assert_eq!(tick(quantity, value), wanted);
        }
    }
}
