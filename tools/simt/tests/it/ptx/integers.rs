//! Integer instructions against an oracle in exact arithmetic.

use super::conformance::{Case, case, check};

/// A value of a type of so many bits as an exact number.
fn exact(x: u64, bits: u32, signed: bool) -> i128 {
    let low = x & (u64::MAX >> (64 - bits));
    match signed {
        true => i128::from((low << (64 - bits)) as i64 >> (64 - bits)),
        false => i128::from(low),
    }
}

fn low(x: i128, bits: u32) -> u64 {
    x as u64 & (u64::MAX >> (64 - bits))
}

/// The integer types, with the constraint of their registers.
const TYPES: [(&str, u32, bool, &str); 6] = [
    ("u16", 16, false, "h"),
    ("s16", 16, true, "h"),
    ("u32", 32, false, "r"),
    ("s32", 32, true, "r"),
    ("u64", 64, false, "l"),
    ("s64", 64, true, "l"),
];

/// A case per integer type.
fn per_type(
    name: &'static str,
    operands: usize,
    f: impl Fn(&[i128], u32) -> i128 + Copy + 'static,
) -> Vec<Case<'static>> {
    let mut out = Vec::new();
    for (ty, bits, signed, class) in TYPES {
        let classes: &'static str = class.repeat(operands + 1).leak();
        out.push(case(&format!("{name}.{ty}"), classes, move |x| {
            let values: Vec<i128> = x.iter().map(|x| exact(*x, bits, signed)).collect();
            low(f(&values, bits), bits)
        }));
    }
    out
}

#[test]
fn sums_products_and_quotients() {
    let mut cases = per_type("add", 2, |x, _| x[0] + x[1]);
    cases.extend(per_type("sub", 2, |x, _| x[0] - x[1]));
    cases.extend(per_type("mul.lo", 2, |x, _| x[0].wrapping_mul(x[1])));
    cases.extend(per_type("mad.lo", 3, |x, _| x[0].wrapping_mul(x[1]).wrapping_add(x[2])));
    cases.extend(per_type("min", 2, |x, _| x[0].min(x[1])));
    cases.extend(per_type("max", 2, |x, _| x[0].max(x[1])));
    cases.extend(per_type("sad", 3, |x, _| x[2] + (x[0] - x[1]).abs()));
    // What a division by zero gives is not defined; here all bits are set.
    cases.extend(per_type("div", 2, |x, _| if x[1] == 0 { -1 } else { x[0] / x[1] }));
    cases.extend(per_type("rem", 2, |x, _| if x[1] == 0 { -1 } else { x[0] % x[1] }));
    check(cases);
}

#[test]
fn upper_halves_and_wide_products() {
    let mut cases = Vec::new();
    for (ty, bits, signed, class) in TYPES {
        let product = move |x: &[u64]| -> (u128, bool) {
            // 128 bits of two's complement.
            let (a, b) = (exact(x[0], bits, signed), exact(x[1], bits, signed));
            match signed {
                true => (a.wrapping_mul(b) as u128, true),
                false => ((a as u128).wrapping_mul(b as u128), false),
            }
        };
        let two: &'static str = class.repeat(3).leak();
        cases.push(case(&format!("mul.hi.{ty}"), two, move |x| {
            low((product(x).0 >> bits) as i128, bits)
        }));
        let three: &'static str = class.repeat(4).leak();
        cases.push(case(&format!("mad.hi.{ty}"), three, move |x| {
            low(((product(x).0 >> bits) as i128).wrapping_add(x[2].into()), bits)
        }));
        if bits < 64 {
            let wide = if bits == 16 { "r" } else { "l" };
            let classes: &'static str = format!("{wide}{class}{class}").leak();
            cases.push(case(&format!("mul.wide.{ty}"), classes, move |x| {
                low(product(x).0 as i128, 2 * bits)
            }));
            let classes: &'static str = format!("{wide}{class}{class}{wide}").leak();
            cases.push(case(&format!("mad.wide.{ty}"), classes, move |x| {
                low((product(x).0 as i128).wrapping_add(x[2].into()), 2 * bits)
            }));
        }
    }
    let clamp = |x: i128| low(x.clamp(i32::MIN.into(), i32::MAX.into()), 32);
    let s = |x: u64| exact(x, 32, true);
    cases.push(case("add.sat.s32", "rrr", move |x| clamp(s(x[0]) + s(x[1]))));
    cases.push(case("sub.sat.s32", "rrr", move |x| clamp(s(x[0]) - s(x[1]))));
    cases.push(case("mad.hi.sat.s32", "rrrr", move |x| {
        clamp(((s(x[0]) * s(x[1])) >> 32) + s(x[2]))
    }));
    for (ty, signed) in [("u32", false), ("s32", true)] {
        let product = move |x: &[u64]| exact(x[0], 24, signed) * exact(x[1], 24, signed);
        cases.push(case(&format!("mul24.lo.{ty}"), "rrr", move |x| low(product(x), 32)));
        cases.push(case(&format!("mul24.hi.{ty}"), "rrr", move |x| low(product(x) >> 16, 32)));
        cases.push(case(&format!("mad24.lo.{ty}"), "rrrr", move |x| {
            low(product(x) + i128::from(x[2]), 32)
        }));
    }
    check(cases);
}

#[test]
fn signs_and_pairs() {
    let mut cases = Vec::new();
    for (ty, bits, signed, class) in TYPES {
        if signed {
            let two: &'static str = class.repeat(2).leak();
            cases.push(case(&format!("abs.{ty}"), two, move |x| {
                low(exact(x[0], bits, true).abs(), bits)
            }));
            cases.push(case(&format!("neg.{ty}"), two, move |x| {
                low(-exact(x[0], bits, true), bits)
            }));
        }
    }
    let pairs = |x: &[u64], signed: bool, f: fn(i128, i128) -> i128| {
        let part = |at: u32| {
            low(f(exact(x[0] >> at, 16, signed), exact(x[1] >> at, 16, signed)), 16) << at
        };
        part(0) | part(16)
    };
    for (ty, signed) in [("u16x2", false), ("s16x2", true)] {
        cases.push(case(&format!("add.{ty}"), "rrr", move |x| pairs(x, signed, |a, b| a + b)));
        cases.push(case(&format!("min.{ty}"), "rrr", move |x| pairs(x, signed, |a, b| a.min(b))));
        cases.push(case(&format!("max.{ty}"), "rrr", move |x| pairs(x, signed, |a, b| a.max(b))));
    }
    cases.push(case("max.relu.s16x2", "rrr", move |x| pairs(x, true, |a, b| a.max(b).max(0))));
    cases.push(case("min.relu.s32", "rrr", |x| {
        low(exact(x[0], 32, true).min(exact(x[1], 32, true)).max(0), 32)
    }));
    check(cases);
}

#[test]
fn dot_products() {
    let mut cases = Vec::new();
    for (first, a_signed) in [("u32", false), ("s32", true)] {
        for (second, b_signed) in [("u32", false), ("s32", true)] {
            cases.push(case(&format!("dp4a.{first}.{second}"), "rrrr", move |x| {
                let term = |i: u32| {
                    exact(x[0] >> (8 * i), 8, a_signed) * exact(x[1] >> (8 * i), 8, b_signed)
                };
                low((0..4).map(term).sum::<i128>() + i128::from(x[2]), 32)
            }));
            for (half, from) in [("lo", 0), ("hi", 2)] {
                cases.push(case(&format!("dp2a.{half}.{first}.{second}"), "rrrr", move |x| {
                    let term = |i: u32| {
                        exact(x[0] >> (16 * i), 16, a_signed)
                            * exact(x[1] >> (8 * (i + from)), 8, b_signed)
                    };
                    low(term(0) + term(1) + i128::from(x[2]), 32)
                }));
            }
        }
    }
    check(cases);
}

#[test]
fn carries_go_on() {
    // 128-bit arithmetic on two words of 64, and 64-bit arithmetic on two of 32.
    let text = |op: &str, ty: &str| {
        format!("{{ .reg .{ty} x; {op}.cc.{ty} x, %1, %3; {op}c.{ty} %0, %2, %4; }}")
    };
    let wide = |x: &[u64], at: usize| u128::from(x[at + 1]) << 64 | u128::from(x[at]);
    let long = |x: &[u64], at: usize| x[at + 1] << 32 | x[at];
    let mut cases = vec![
        case(&text("add", "u64"), "lllll", move |x| {
            (wide(x, 0).wrapping_add(wide(x, 2)) >> 64) as u64
        }),
        case(&text("sub", "u64"), "lllll", move |x| {
            (wide(x, 0).wrapping_sub(wide(x, 2)) >> 64) as u64
        }),
        case(&text("add", "u32"), "rrrrr", move |x| long(x, 0).wrapping_add(long(x, 2)) >> 32),
        case(&text("sub", "s32"), "rrrrr", move |x| long(x, 0).wrapping_sub(long(x, 2)) >> 32),
    ];
    // (a + b + carry of the words before) and its carry, through `addc.cc`.
    cases.push(case(
        "{ .reg .u32 x, y; add.cc.u32 x, %1, %2; addc.cc.u32 y, %1, %3; addc.u32 %0, 0, 0; }",
        "rrrr",
        |x| (((x[0] + x[1]) >> 32) + x[0] + x[2]) >> 32,
    ));
    cases.push(case(
        "{ .reg .u32 x, y; sub.cc.u32 x, %1, %2; subc.cc.u32 y, %1, %3; subc.u32 %0, 0, 0; }",
        "rrrr",
        |x| {
            let borrow = i128::from(x[0] < x[1]);
            low(-i128::from(i128::from(x[0]) - i128::from(x[2]) - borrow < 0), 32)
        },
    ));
    cases.push(case(
        "{ .reg .u32 x; mad.lo.cc.u32 x, %1, %2, %3; madc.hi.u32 %0, %1, %2, 0; }",
        "rrrr",
        |x| (x[0] * x[1]).wrapping_add(x[2]) >> 32,
    ));
    cases.push(case(
        "{ .reg .u64 x; mad.lo.cc.u64 x, %1, %2, %3; madc.hi.u64 %0, %1, %2, 0; }",
        "llll",
        |x| ((u128::from(x[0]) * u128::from(x[1]) + u128::from(x[2])) >> 64) as u64,
    ));
    // ptxas takes `.cc` and `.sync` at any place.
    cases.push(case(
        "{ .reg .u32 x, y; add.u32.cc x, %1, %2; addc.u32.cc y, %1, %3; addc.u32 %0, 0, 0; }",
        "rrrr",
        |x| (((x[0] + x[1]) >> 32) + x[0] + x[2]) >> 32,
    ));
    cases.push(case(
        "{ .reg .u32 x; mad.lo.u32.cc x, %1, %2, %3; madc.hi.u32.cc %0, %1, %2, 0; }",
        "rrrr",
        |x| (x[0] * x[1]).wrapping_add(x[2]) >> 32,
    ));
    cases.push(case("shfl.b32.bfly.sync %0, %1, 0, 31, -1;", "rr", |x| x[0]));
    check(cases);
}
