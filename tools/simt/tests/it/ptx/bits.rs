//! Logic, shifts, fields and permutations against the pseudocode of the PTX ISA, bit by bit.

use super::conformance::{case, check};

fn bit(x: u64, at: u32) -> bool {
    at < 64 && x >> at & 1 == 1
}

#[test]
fn logic_and_shifts() {
    let mut cases = vec![];
    for (ty, bits, class) in [("b16", 16u32, "h"), ("b32", 32, "r"), ("b64", 64, "l")] {
        let all = u64::MAX >> (64 - bits);
        let three: &'static str = class.repeat(3).leak();
        let two: &'static str = class.repeat(2).leak();
        cases.push(case(&format!("and.{ty}"), three, |x| x[0] & x[1]));
        cases.push(case(&format!("or.{ty}"), three, |x| x[0] | x[1]));
        cases.push(case(&format!("xor.{ty}"), three, |x| x[0] ^ x[1]));
        cases.push(case(&format!("not.{ty}"), two, move |x| !x[0] & all));
        cases.push(case(&format!("cnot.{ty}"), two, |x| u64::from(x[0] == 0)));
        let by: &'static str = format!("{class}{class}r").leak();
        cases.push(case(&format!("shl.{ty}"), by, move |x| {
            if x[1] >= u64::from(bits) { 0 } else { x[0] << x[1] & all }
        }));
        for sign in ["u", "s"] {
            cases.push(case(&format!("shr.{sign}{bits}"), by, move |x| {
                let negative = sign == "s" && bit(x[0], bits - 1);
                let value = |at: u32| {
                    let from = u64::from(at) + x[1];
                    if from >= u64::from(bits) { negative } else { bit(x[0], from as u32) }
                };
                (0..bits).map(|at| u64::from(value(at)) << at).sum()
            }));
        }
    }
    for (side, mode) in [("l", "clamp"), ("l", "wrap"), ("r", "clamp"), ("r", "wrap")] {
        cases.push(case(&format!("shf.{side}.{mode}.b32"), "rrrr", move |x| {
            let n = if mode == "clamp" { x[2].min(32) } else { x[2] & 31 };
            let both = u128::from(x[1] << 32 | x[0]);
            let moved = if side == "l" { both << n >> 32 } else { both >> n };
            moved as u64 & 0xffff_ffff
        }));
    }
    check(cases);
}

#[test]
fn every_table_of_lop3() {
    let cases = (0..256u64).map(|table| {
        case(&format!("lop3.b32 %0, %1, %2, %3, {table};"), "rrrr", move |x| {
            let value = |at: u32| {
                let number = u64::from(bit(x[0], at)) << 2
                    | u64::from(bit(x[1], at)) << 1
                    | u64::from(bit(x[2], at));
                table >> number & 1
            };
            (0..32).map(|at| value(at) << at).sum()
        })
    });
    check(cases.step_by(5).collect());
}

#[test]
fn counts_and_searches() {
    let mut cases = vec![
        case("popc.b32", "rr", |x| x[0].count_ones().into()),
        case("popc.b64", "rl", |x| x[0].count_ones().into()),
        case("clz.b32", "rr", |x| (x[0] as u32).leading_zeros().into()),
        case("clz.b64", "rl", |x| x[0].leading_zeros().into()),
        case("brev.b32", "rr", |x| (0..32).map(|i| u64::from(bit(x[0], 31 - i)) << i).sum()),
        case("brev.b64", "ll", |x| (0..64).map(|i| u64::from(bit(x[0], 63 - i)) << i).sum()),
    ];
    for (ty, bits, classes) in
        [("u32", 32, "rr"), ("s32", 32, "rr"), ("u64", 64, "rl"), ("s64", 64, "rl")]
    {
        let found = move |x: u64| {
            let wanted = !(ty.starts_with('s') && bit(x, bits - 1));
            (0..bits).rev().find(|at| bit(x, *at) == wanted)
        };
        cases.push(case(&format!("bfind.{ty}"), classes, move |x| {
            found(x[0]).unwrap_or(u32::MAX).into()
        }));
        cases.push(case(&format!("bfind.shiftamt.{ty}"), classes, move |x| {
            found(x[0]).map_or(u32::MAX, |at| bits - 1 - at).into()
        }));
    }
    check(cases);
}

#[test]
fn fields() {
    let mut cases = vec![];
    for (ty, bits, class) in
        [("u32", 32, "r"), ("s32", 32, "r"), ("u64", 64, "l"), ("s64", 64, "l")]
    {
        let classes: &'static str = format!("{class}{class}rr").leak();
        cases.push(case(&format!("bfe.{ty}"), classes, move |x| {
            let (position, length, last) = (x[1] as u32 & 255, x[2] as u32 & 255, bits - 1);
            let sign = match ty.starts_with('u') || length == 0 {
                true => false,
                false => bit(x[0], (position + length - 1).min(last)),
            };
            let value = |i: u32| match i < length && position + i <= last {
                true => bit(x[0], position + i),
                false => sign,
            };
            (0..bits).map(|i| u64::from(value(i)) << i).sum()
        }));
    }
    for (bits, class) in [(32, "r"), (64, "l")] {
        let classes: &'static str = format!("{class}{class}{class}rr").leak();
        cases.push(case(&format!("bfi.b{bits}"), classes, move |x| {
            let (position, length) = (x[2] as u32 & 255, x[3] as u32 & 255);
            let mut out = x[1];
            for i in 0..length.min(bits) {
                let to = position + i;
                if to < bits {
                    out = out & !(1 << to) | u64::from(bit(x[0], i)) << to;
                }
            }
            out
        }));
    }
    for mode in ["clamp", "wrap"] {
        cases.push(case(&format!("bmsk.{mode}.b32"), "rrr", move |x| {
            let (a, b) = (x[0] & 31, x[1] & 31);
            let over = |value: u64| mode == "clamp" && value >= 32;
            let mask0 = if over(x[0]) { 0 } else { u32::MAX << a };
            let none = a + b >= 32 || over(x[0]) || over(x[1]);
            let mask1 = if none { 0 } else { u32::MAX << (a + b) };
            (mask0 & !mask1).into()
        }));
        for ty in ["u32", "s32"] {
            cases.push(case(&format!("szext.{mode}.{ty}"), "rrr", move |x| {
                let b = x[1] & 31;
                let too_large = mode == "clamp" && x[1] >= 32;
                let mask = if too_large { 0 } else { u32::MAX << b };
                let plain = b == 0 || too_large || ty == "u32";
                let sign = !plain && bit(x[0], (b as u32 + 31) & 31);
                (x[0] as u32 & !mask | if sign { mask } else { 0 }).into()
            }));
        }
    }
    check(cases);
}

#[test]
fn permutations_of_bytes() {
    fn permuted(x: &[u64], nibbles: [u64; 4]) -> u64 {
        let both = x[1] << 32 | x[0];
        let byte = |at: usize| {
            let byte = both >> (8 * (nibbles[at] & 7)) & 255;
            match nibbles[at] & 8 {
                0 => byte,
                _ if byte & 128 != 0 => 255,
                _ => 0,
            }
        };
        (0..4).map(|at| byte(at) << (8 * at)).sum()
    }
    let of = |selector: u64| [0, 4, 8, 12].map(|at| selector >> at & 15);
    let mut cases = vec![case("prmt.b32", "rrrr", move |x| permuted(x, of(x[2])))];
    for selector in [0x0123u64, 0x3210, 0x5410, 0x7632, 0x89ab, 0xfedc] {
        cases.push(case(&format!("prmt.b32 %0, %1, %2, {selector};"), "rrr", move |x| {
            permuted(x, of(selector))
        }));
    }
    // The tables of the ISA, the lowest byte first, for selectors 0 to 3.
    type Rows = [[u64; 4]; 4];
    let modes: [(&str, Rows); 6] = [
        ("f4e", [[0, 1, 2, 3], [1, 2, 3, 4], [2, 3, 4, 5], [3, 4, 5, 6]]),
        ("b4e", [[0, 7, 6, 5], [1, 0, 7, 6], [2, 1, 0, 7], [3, 2, 1, 0]]),
        ("rc8", [[0, 0, 0, 0], [1, 1, 1, 1], [2, 2, 2, 2], [3, 3, 3, 3]]),
        ("ecl", [[0, 1, 2, 3], [1, 1, 2, 3], [2, 2, 2, 3], [3, 3, 3, 3]]),
        ("ecr", [[0, 0, 0, 0], [0, 1, 1, 1], [0, 1, 2, 2], [0, 1, 2, 3]]),
        ("rc16", [[0, 1, 0, 1], [2, 3, 2, 3], [0, 1, 0, 1], [2, 3, 2, 3]]),
    ];
    for (mode, rows) in modes {
        cases.push(case(&format!("prmt.b32.{mode}"), "rrrr", move |x| {
            permuted(x, rows[x[2] as usize & 3])
        }));
    }
    check(cases);
}
