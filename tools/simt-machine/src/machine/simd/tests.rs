//! Small enough for Miri, which interprets:
//! `cargo +nightly miri test -p simt-machine --lib -- machine::simd machine::memory`.

use super::*;

#[test]
fn a_pair_is_two_rows() {
    let mut r = Registers::new(4);
    for l in 0..32 {
        r.pair_mut(2)[l] = (l as u64) << 32 | 7;
    }
    // Lane 0 of the pair is the first eight bytes of row 2, lane 16 those of row 3.
    assert_eq!((r.row(2)[0], r.row(2)[1], r.row(2)[3]), (7, 0, 1));
    assert_eq!((r.row(3)[0], r.row(3)[1]), (7, 16));
    r.row_mut(3)[1] = 99;
    assert_eq!(r.pair(2)[16], 99 << 32 | 7);
    assert_eq!((r.lane(2, true, 16), r.lane(3, false, 1)), (99 << 32 | 7, 99));
    r.set_lane(2, true, 0, u64::MAX);
    assert_eq!((r.row(2)[0], r.row(2)[1], r.row(2)[2]), (u32::MAX, u32::MAX, 7));
}

/// The last pair: the row behind the last register is there.
#[test]
fn a_pair_at_the_end_is_whole() {
    for count in [0, 1, 5] {
        let mut r = Registers::new(count);
        r.pair_mut(count)[31] = 5;
        assert_eq!(r.pair(count)[31], 5);
    }
}

#[test]
#[should_panic(expected = "range end index 3 out of range for slice of length 2")]
fn half_a_pair_is_none() {
    let _ = Registers::new(0).pair(1);
}

#[test]
fn results_reach_the_active_lanes_alone() {
    let mut r = Registers::new(6);
    *r.pair_mut(0) = from_fn(|l| l as u64);
    for (bits, lane, expected) in [(FULL, 3, 6), (0x0000_FFF0, 3, 0), (0x0000_FFF0, 4, 8)] {
        *r.pair_mut(4) = [0; 32];
        r.map3_pair(&Mask::new(bits), 4, 0, 0, 0, |x, y, _| x + y);
        assert_eq!(r.pair(4)[lane], expected, "lane {lane} of {bits:08x}");
        *r.pair_mut(4) = [0; 32];
        let doubled = r.pair(0).map(|x| 2 * x);
        r.put_pair(&Mask::new(bits), 4, &doubled);
        assert_eq!(r.pair(4)[lane], expected, "lane {lane} of {bits:08x}");
    }
    // An operand may be the result.
    r.map2_pair(&Mask::new(FULL), 0, 0, 0, |x, y| x + y);
    assert_eq!(r.pair(0)[31], 62);
}

/// The build for wide vectors does what the other does. (Under Miri there is none.)
#[test]
fn both_builds_do_the_same() {
    struct Sum([u32; 32]);
    impl Task for Sum {
        type Output = u32;
        #[inline(always)]
        fn run<const FMA: bool>(self) -> u32 {
            self.0.iter().sum()
        }
    }
    let lanes: [u32; 32] = from_fn(|l| l as u32);
    assert_eq!(Sum(lanes).run::<false>(), 496);
    if let Some(wide) = Wide::detect() {
        assert_eq!(wide.run(Sum(lanes)), 496);
    }
}
