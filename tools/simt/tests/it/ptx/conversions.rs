//! Conversions between all types against soft floating point and exact integers.

use super::conformance::{Case, case, check};
use super::soft::{
    BF16, F16, F32, F64, Format, MODES, Mode, Number, Value, converted_nan, encode, nan_of,
    saturate, to_integer,
};

/// The integer types: name, bits, whether signed, and the constraint of a register for them.
const INTEGERS: [(&str, u32, bool, &str); 8] = [
    ("u8", 8, false, "r"),
    ("s8", 8, true, "r"),
    ("u16", 16, false, "h"),
    ("s16", 16, true, "h"),
    ("u32", 32, false, "r"),
    ("s32", 32, true, "r"),
    ("u64", 64, false, "l"),
    ("s64", 64, true, "l"),
];

const FLOATS: [(&str, Format, &str); 4] =
    [("f16", F16, "h"), ("bf16", BF16, "h"), ("f32", F32, "f"), ("f64", F64, "d")];

fn exact(x: u64, bits: u32, signed: bool) -> i128 {
    let up = x << (64 - bits);
    if signed { i128::from(up as i64 >> (64 - bits)) } else { i128::from(up >> (64 - bits)) }
}

/// A result in its register: extended to the register's width.
fn in_register(x: i128, bits: u32, signed: bool, class: &str) -> u64 {
    let extended = exact(x as u64, bits, signed) as u64;
    match class {
        "h" => extended & 0xffff,
        "r" => extended & 0xffff_ffff,
        _ => extended,
    }
}

fn classes(to: &str, from: &str) -> &'static str {
    format!("{to}{from}").leak()
}

#[test]
fn between_integers() {
    let mut cases = Vec::new();
    for (to, bits, signed, result) in INTEGERS {
        for (from, from_bits, from_signed, class) in INTEGERS {
            let both = classes(result, class);
            cases.push(case(&format!("cvt.{to}.{from}"), both, move |x| {
                in_register(exact(x[0], from_bits, from_signed), bits, signed, result)
            }));
            let contains = bits > from_bits || bits == from_bits && signed == from_signed;
            // There is `.sat` only where it can change something.
            if contains && (signed || !from_signed) {
                continue;
            }
            cases.push(case(&format!("cvt.sat.{to}.{from}"), both, move |x| {
                let (low, high) = match signed {
                    true => (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1),
                    false => (0, (1i128 << bits) - 1),
                };
                let clamped = exact(x[0], from_bits, from_signed).clamp(low, high);
                in_register(clamped, bits, signed, result)
            }));
        }
    }
    // A register wider than the type.
    cases.push(case("cvt.s8.u64 %0, %1;", "ll", |x| x[0] as i8 as i64 as u64));
    cases.push(case("cvt.u16.s64 %0, %1;", "rl", |x| x[0] & 0xffff));
    check(cases);
}

#[test]
fn integers_to_floats() {
    let mut cases = Vec::new();
    for (to, format, result) in FLOATS {
        for (from, bits, signed, class) in INTEGERS {
            if to == "bf16" && bits == 8 {
                continue;
            }
            for (ending, mode) in MODES {
                cases.push(case(
                    &format!("cvt.{ending}.{to}.{from}"),
                    classes(result, class),
                    move |x| format.encode(Number::integer(exact(x[0], bits, signed)), mode, false),
                ));
            }
        }
    }
    cases.push(case("cvt.rn.sat.f32.s32", "fr", |x| {
        saturate(F32.encode(Number::integer(exact(x[0], 32, true)), Mode::Nearest, false), F32)
    }));
    check(cases);
}

#[test]
fn floats_to_integers() {
    let mut cases: Vec<Case<'_>> = Vec::new();
    let modes =
        [("rni", Mode::Nearest), ("rzi", Mode::Zero), ("rmi", Mode::Down), ("rpi", Mode::Up)];
    for (from, format, class) in FLOATS {
        for (to, bits, signed, result) in INTEGERS {
            if from == "bf16" && bits == 8 {
                continue;
            }
            for (ending, mode) in modes {
                cases.push(case(
                    &format!("cvt.{ending}.{to}.{from}"),
                    classes(result, class),
                    move |x| {
                        let value = format.decode(x[0], false);
                        let made = to_integer(value, mode, bits, signed).unwrap_or(
                            // A NaN becomes 0, or the uppermost bit alone from `.f64` or to 64 bits.
                            match (from, bits) {
                                (_, 64) => 1 << 63,
                                ("f64", 32) => 1 << 31,
                                ("f64", _) => 1 << (bits - 1),
                                _ => 0,
                            },
                        );
                        in_register(made, bits, signed, result)
                    },
                ));
            }
        }
        for (ending, mode) in modes {
            cases.push(case(
                &format!("cvt.{ending}.{from}.{from}"),
                classes(class, class),
                move |x| {
                    let value = format.decode(x[0], false);
                    let number = match value {
                        Value::Finite(number) => number,
                        Value::Nan => return nan_of(format, x),
                        _ => return encode(value, format, mode, false),
                    };
                    // A number of 2^fraction and more is an integer.
                    if number.exponent >= 0 {
                        return x[0];
                    }
                    let whole = to_integer(value, mode, 64, true).unwrap_or(0);
                    let made = Number { negative: number.negative, ..Number::integer(whole) };
                    format.encode(made, Mode::Nearest, false)
                },
            ));
        }
    }
    check(cases);
}

fn converted(x: u64, from: Format, to: Format, mode: Mode, flush: bool) -> u64 {
    match from.decode(x, false) {
        Value::Nan => converted_nan(x, from, to),
        value => encode(value, to, mode, flush),
    }
}

#[test]
fn between_floats() {
    let mut cases = Vec::new();
    for (to, format, result) in FLOATS {
        for (from, other, class) in FLOATS {
            let widens = matches!((from, to), ("f16" | "bf16", "f32" | "f64") | ("f32", "f64"));
            if widens {
                cases.push(case(&format!("cvt.{to}.{from}"), classes(result, class), move |x| {
                    converted(x[0], other, format, Mode::Nearest, false)
                }));
            } else if from != to {
                for (ending, mode) in MODES {
                    cases.push(case(
                        &format!("cvt.{ending}.{to}.{from}"),
                        classes(result, class),
                        move |x| converted(x[0], other, format, mode, false),
                    ));
                }
            }
        }
    }
    cases.push(case("cvt.rz.ftz.f32.f64", "fd", |x| converted(x[0], F64, F32, Mode::Zero, true)));
    cases.push(case("cvt.rn.sat.f32.f64", "fd", |x| {
        saturate(encode(F64.decode(x[0], false), F32, Mode::Nearest, false), F32)
    }));
    for (to, format) in [("f16", F16), ("bf16", BF16)] {
        for (ending, mode) in [("rn", Mode::Nearest), ("rz", Mode::Zero)] {
            let half = move |x: u64, relu: bool| {
                let made = encode(F32.decode(x, false), format, mode, false);
                if relu && made != format.nan && made >> 15 == 1 { 0 } else { made }
            };
            cases.push(case(&format!("cvt.{ending}.{to}x2.f32"), "rff", move |x| {
                half(x[0], false) << 16 | half(x[1], false)
            }));
            cases.push(case(&format!("cvt.{ending}.relu.{to}x2.f32"), "rff", move |x| {
                half(x[0], true) << 16 | half(x[1], true)
            }));
        }
    }
    // 10 bits of fraction; `.rna` rounds ties away from zero.
    let tf32 = Format { fraction: 10, exponent: 8, nan: 0 };
    let special = |x: u64, nan: u64| match F32.decode(x, false) {
        Value::Nan => Some(nan),
        Value::Infinite(_) => Some(x),
        Value::Finite(_) => None,
    };
    cases.push(case("cvt.rna.tf32.f32", "rf", move |x| {
        special(x[0], x[0] & 0xffff_e000)
            .unwrap_or(((x[0] & 0x7fff_ffff) + 0x1000) & 0x7fff_e000 | x[0] & 0x8000_0000)
    }));
    cases.push(case("cvt.rn.tf32.f32", "rf", move |x| {
        special(x[0], 0x7fff_e000)
            .unwrap_or_else(|| encode(F32.decode(x[0], false), tf32, Mode::Nearest, false) << 13)
    }));
    check(cases);
}

#[test]
fn pairs_of_bytes_to_halves() {
    let value = |byte: u64, e4m3: bool| {
        let (fraction, exponent) = if e4m3 { (3, 4) } else { (2, 5) };
        // `e4m3` has numbers where others have infinities.
        match byte & 0x7f {
            0x7f if e4m3 => Value::Nan,
            0x78..0x7f if e4m3 => {
                let (negative, mantissa) = (byte & 0x80 != 0, u128::from(8 + (byte & 7)));
                Value::Finite(Number { negative, mantissa, exponent: 5, sticky: false })
            }
            _ => Format { fraction, exponent, nan: 0 }.decode(byte, false),
        }
    };
    let half = move |byte: u64, e4m3: bool, relu: bool| {
        let made = encode(value(byte & 0xff, e4m3), F16, Mode::Nearest, false);
        if relu && made != F16.nan && made >> 15 == 1 { 0 } else { made }
    };
    let mut cases = Vec::new();
    for (from, e4m3) in [("e4m3x2", true), ("e5m2x2", false)] {
        for (name, relu) in [("rn", false), ("rn.relu", true)] {
            cases.push(case(&format!("cvt.{name}.f16x2.{from}"), "rh", move |x| {
                half(x[0] >> 8, e4m3, relu) << 16 | half(x[0], e4m3, relu)
            }));
        }
    }
    check(cases);
}
