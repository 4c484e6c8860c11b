//! Fast path and slow path, and what each build (vectors, or lane by lane) makes of whole rows.

use super::fast_path::{Op, execute};
use super::slow_path;
use crate::isa::{BinOp, Inst, Reg, Ty};
use crate::machine::simd::{FULL, Mask, Registers};

/// Runs one binary instruction on two rows.
fn both(op: BinOp, ty: Ty, x: [u32; 32], y: [u32; 32]) -> [u32; 32] {
    let mut r = Registers::new(4);
    (*r.row_mut(0), *r.row_mut(1)) = (x, y);
    let inst = Inst::Binary { op, ty, d: 2, a: 0, b: 1 };
    let m = Mask::new(FULL);
    assert!(execute::<false>(&mut r, &m, Op::of(&inst)) || slow_path(&mut r, &m, &inst));
    *r.row(2)
}

/// Pseudo-random words, edge cases among them.
fn junk(seed: u32) -> impl FnMut(usize) -> u32 {
    let edges = [0u32, 1, 31, 32, 33, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF, 0x7FC0_0001];
    let mut z = seed;
    move |l| {
        z = z.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        if l.is_multiple_of(3) { edges[z as usize / 7 % edges.len()] } else { z ^ z >> 15 }
    }
}

/// Rounds of random words; fewer under Miri, which interprets.
const ROUNDS: u32 = if cfg!(miri) { 1 } else { 200 };

type Make = fn(Reg, Reg, Reg) -> Op;

/// The fast path computes in every active lane what the operation says, with all lanes active or some,
/// and also if an operand is the result.
#[test]
fn rows_are_lanes() {
    let float = |x: f32| if x.is_nan() { 0x7FFF_FFFF } else { x.to_bits() };
    type One = fn(u32, u32, &dyn Fn(f32) -> u32) -> u32;
    let cases: [(Make, One); 24] = [
        (Op::Add, |x, y, _| x.wrapping_add(y)),
        (Op::Sub, |x, y, _| x.wrapping_sub(y)),
        (Op::Mul, |x, y, _| x.wrapping_mul(y)),
        (Op::And, |x, y, _| x & y),
        (Op::Or, |x, y, _| x | y),
        (Op::Xor, |x, y, _| x ^ y),
        (Op::Shl, |x, y, _| x.unbounded_shl(y)),
        (Op::Shr, |x, y, _| x.unbounded_shr(y)),
        (Op::ShrSigned, |x, y, _| (x as i32).unbounded_shr(y) as u32),
        (Op::MinSigned, |x, y, _| (x as i32).min(y as i32) as u32),
        (Op::MaxSigned, |x, y, _| (x as i32).max(y as i32) as u32),
        (Op::AddFloat, |x, y, float| float(f32::from_bits(x) + f32::from_bits(y))),
        (Op::SubFloat, |x, y, float| float(f32::from_bits(x) - f32::from_bits(y))),
        (Op::MulFloat, |x, y, float| float(f32::from_bits(x) * f32::from_bits(y))),
        (Op::Eq, |x, y, _| (x == y).into()),
        (Op::Ne, |x, y, _| (x != y).into()),
        (Op::LtSigned, |x, y, _| ((x as i32) < y as i32).into()),
        (Op::LeSigned, |x, y, _| (x as i32 <= y as i32).into()),
        (Op::Lt, |x, y, _| (x < y).into()),
        (Op::Le, |x, y, _| (x <= y).into()),
        (Op::EqFloat, |x, y, _| (f32::from_bits(x) == f32::from_bits(y)).into()),
        (Op::NeFloat, |x, y, _| (f32::from_bits(x) != f32::from_bits(y)).into()),
        (Op::LtFloat, |x, y, _| (f32::from_bits(x) < f32::from_bits(y)).into()),
        (Op::LeFloat, |x, y, _| (f32::from_bits(x) <= f32::from_bits(y)).into()),
    ];
    for round in 0..ROUNDS {
        let mut next = junk(round);
        let bits = if round % 2 == 0 { FULL } else { next(1) };
        let x: [u32; 32] = std::array::from_fn(&mut next);
        // Shift counts are mostly the same in all lanes.
        let same = next(round as usize);
        let y = std::array::from_fn(|l| if round % 4 < 2 { same } else { next(l) });
        for (number, (make, one)) in cases.iter().enumerate() {
            for d in [0, 1, 2] {
                let mut r = Registers::new(4);
                (*r.row_mut(0), *r.row_mut(1), *r.row_mut(2)) = (x, y, [7; 32]);
                let old = *r.row(d);
                assert!(execute::<false>(&mut r, &Mask::new(bits), make(d, 0, 1)));
                for l in 0..32 {
                    let new = one(x[l], y[l], &float);
                    let expected = if bits >> l & 1 == 1 { new } else { old[l] };
                    assert_eq!(r.row(d)[l], expected, "{number}: {:#x}, {:#x}", x[l], y[l]);
                }
            }
        }
    }
}

#[test]
fn pairs_are_lanes() {
    type One = fn(u64, u64) -> u64;
    let cases: [(Make, One); 4] = [
        (Op::AddWide, u64::wrapping_add),
        (Op::SubWide, u64::wrapping_sub),
        (Op::MulWide, u64::wrapping_mul),
        (|d, a, _| Op::MovWide(d, a), |x, _| x),
    ];
    for round in 0..ROUNDS {
        let mut next = junk(round);
        let bits = if round % 2 == 0 { FULL } else { next(1) };
        let mut wide = |_| u64::from(next(0)) << 32 | u64::from(next(1));
        let x: [u64; 32] = std::array::from_fn(&mut wide);
        let y: [u64; 32] = std::array::from_fn(&mut wide);
        for (number, (make, one)) in cases.iter().enumerate() {
            for d in [0, 2, 4] {
                let mut r = Registers::new(6);
                (*r.pair_mut(0), *r.pair_mut(2), *r.pair_mut(4)) = (x, y, [7; 32]);
                let old = *r.pair(d);
                assert!(execute::<false>(&mut r, &Mask::new(bits), make(d, 0, 2)));
                for l in 0..32 {
                    let new = one(x[l], y[l]);
                    let expected = if bits >> l & 1 == 1 { new } else { old[l] };
                    assert_eq!(r.pair(d)[l], expected, "{number}, lane {l}");
                }
            }
        }
    }
}

#[test]
fn one_and_three_operands_are_computed_lane_by_lane() {
    for round in 0..ROUNDS {
        let mut next = junk(round);
        let bits = if round % 2 == 0 { FULL } else { next(1) };
        let [x, y]: [[u32; 32]; 2] = std::array::from_fn(|_| std::array::from_fn(&mut next));
        // The operand is a half of the result.
        for d in [0, 1, 3] {
            let mut r = Registers::new(5);
            *r.row_mut(1) = x;
            let old = *r.pair(d);
            assert!(execute::<false>(&mut r, &Mask::new(bits), Op::SignExtend(d, 1)));
            for l in 0..32 {
                let new = i64::from(x[l] as i32) as u64;
                assert_eq!(r.pair(d)[l], if bits >> l & 1 == 1 { new } else { old[l] });
            }
        }
        let mut r = Registers::new(6);
        (*r.row_mut(0), *r.row_mut(1), *r.row_mut(2)) = (x, y, [7; 32]);
        let m = Mask::new(bits);
        assert!(execute::<false>(&mut r, &m, Op::MulAdd(3, 0, 1, 2)));
        assert!(execute::<false>(&mut r, &m, Op::Select(4, 0, 1, 2)));
        assert!(execute::<false>(&mut r, &m, Op::IntToFloat(5, 0)));
        for l in 0..32 {
            let there = |new: u32| if bits >> l & 1 == 1 { new } else { 0 };
            assert_eq!(r.row(3)[l], there(x[l].wrapping_mul(y[l]).wrapping_add(7)));
            assert_eq!(r.row(4)[l], there(if x[l] != 0 { y[l] } else { 7 }));
            assert_eq!(r.row(5)[l], there((x[l] as i32 as f32).to_bits()));
        }
    }
}

/// In which lanes a condition holds, and whether lanes advance by given steps.
#[test]
fn all_lanes_are_asked() {
    for round in 0..ROUNDS {
        let mut next = junk(round);
        let m = Mask::new(if round % 2 == 0 { FULL } else { next(1) });
        let mut r = Registers::new(2);
        let some = next(1) & next(1);
        *r.row_mut(0) = std::array::from_fn(|l| match round % 3 {
            0 => some >> l & 1,
            1 => next(l),
            _ => 1,
        });
        let set = (0..32).fold(0, |set, l| set | u32::from(r.row(0)[l] != 0) << l);
        assert_eq!(r.whole(0).holds(&m), set & m.bits);
        let first = next(1);
        *r.row_mut(1) = r.whole(0).plus(first);
        assert!(r.whole(1).follows(first, r.whole(0)));
        let lane = first as usize % 32;
        r.row_mut(1)[lane] ^= 1 << (first >> 27);
        assert!(!r.whole(1).follows(first, r.whole(0)));
        r.fill(1, first);
        assert_eq!(r.row(1), &[first; 32]);
    }
}

/// Whatever has a fast path gives the same bits on the slow path.
#[test]
fn both_paths_agree() {
    use BinOp::{Add, And, Max, Min, Mul, Or, Shl, Shr, Sub, Xor};
    let integers = [Ty::I32, Ty::U32, Ty::I64, Ty::U64]
        .map(|ty| [Add, Sub, Mul, And, Or, Xor, Shl, Shr, Min, Max].map(|op| (op, ty)));
    let floats = [Add, Sub, Mul].map(|op| (op, Ty::F32));
    let m = Mask::new(FULL);
    let mut compared = 0;
    for (op, ty) in integers.into_iter().flatten().chain(floats) {
        let inst = |d| Inst::Binary { op, ty, d, a: 0, b: 2 };
        if Op::of(&inst(4)) == Op::SlowPath {
            continue;
        }
        for round in 0..ROUNDS {
            let mut next = junk(round);
            let mut r = Registers::new(8);
            (0..4).for_each(|row| *r.row_mut(row) = std::array::from_fn(&mut next));
            assert!(execute::<false>(&mut r, &m, Op::of(&inst(4))));
            assert!(slow_path(&mut r, &m, &inst(6)));
            assert_eq!((r.row(4), r.row(5)), (r.row(6), r.row(7)), "{op} of {ty}");
        }
        compared += 1;
    }
    assert_eq!(compared, 27);
}

/// Shifts by an unknown count take the slow path where arithmetic is checked.
#[test]
fn shifts_are_the_same_on_both_paths() {
    let mut r = Registers::new(4);
    let counts = [0, 1, 7, 31, 32, 33, 1 << 16, u32::MAX];
    *r.row_mut(0) = std::array::from_fn(|l| 0x9E37_79B9u32.rotate_left(l as u32));
    *r.row_mut(1) = std::array::from_fn(|l| counts[l % counts.len()]);
    let m = Mask::new(FULL);
    for (op, ty) in [BinOp::Shl, BinOp::Shr].map(|op| [(op, Ty::I32), (op, Ty::U32)]).concat() {
        let inst = |d| Inst::Binary { op, ty, d, a: 0, b: 1 };
        assert!(execute::<false>(&mut r, &m, Op::of(&inst(2))) && slow_path(&mut r, &m, &inst(3)));
        assert_eq!(r.row(2), r.row(3), "{op:?} of {ty:?}");
    }
}

#[test]
fn division_by_a_power_of_two_is_division() {
    let edges = [
        0u32,
        1,
        2,
        3,
        7,
        8,
        100,
        i32::MAX as u32,
        i32::MIN as u32,
        u32::MAX,
        -7i32 as u32,
        -8i32 as u32,
    ];
    let x: [u32; 32] = std::array::from_fn(|l| edges[l % edges.len()]);
    for by in [1u32, 2, 4, 8, 1 << 30] {
        let y = [by; 32];
        for l in 0..32 {
            let (i, j) = (x[l] as i32, by as i32);
            assert_eq!(both(BinOp::Div, Ty::I32, x, y)[l], i.wrapping_div(j) as u32, "{i} / {j}");
            assert_eq!(both(BinOp::Rem, Ty::I32, x, y)[l], i.wrapping_rem(j) as u32, "{i} % {j}");
            assert_eq!(both(BinOp::Div, Ty::U32, x, y)[l], x[l] / by);
            assert_eq!(both(BinOp::Rem, Ty::U32, x, y)[l], x[l] % by);
        }
    }
}
