//! Small enough for Miri, which interprets:
//! `cargo +nightly miri test -p simt-machine --lib -- machine::simd machine::memory`.

use super::*;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

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
    for (bits, lane, expected) in [(FULL, 3, 6), (0x0000_FFF0, 3, 0), (0x0000_FFF0, 4, 8)] {
        *r.pair_mut(4) = [0; 32];
        r.put_pair(&Mask::new(bits), 4, &from_fn(|l| 2 * l as u64));
        assert_eq!(r.pair(4)[lane], expected, "lane {lane} of {bits:08x}");
        *r.row_mut(4) = [0; 32];
        r.put(&Mask::new(bits), 4, &from_fn(|l| 2 * l as u32));
        assert_eq!(u64::from(r.row(4)[lane]), expected, "lane {lane} of {bits:08x}");
    }
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

#[test]
fn words_are_copied_from_anywhere() {
    let words: Vec<AtomicU32> = (0..40).map(|i| AtomicU32::new(1000 + i)).collect();
    for wide in [None, Wide::detect()] {
        for at in [0, 1, 2, 3, 5, 8] {
            let mut to = [0; 32];
            copy(wide, &words, at, &mut to);
            assert_eq!(to, from_fn(|i| 1000 + (at + i) as u32), "from {at} on");
            let own: Vec<u32> = words.iter().map(|word| word.load(Relaxed)).collect();
            let mut same = [0; 32];
            copy_own(&own, at, &mut same);
            assert_eq!(to, same);
        }
        let mut few = [7; 16];
        copy(wide, &words, 32, few.first_chunk_mut::<8>().unwrap());
        assert_eq!(few, from_fn(|i| if i < 8 { 1032 + i as u32 } else { 7 }));
    }
}

#[test]
#[should_panic(expected = "range end index 41 out of range for slice of length 40")]
fn no_word_beyond_the_end_is_copied() {
    let words: Vec<AtomicU32> = (0..40).map(AtomicU32::new).collect();
    copy(Wide::detect(), &words, 9, &mut [0; 32]);
}

/// Stores meanwhile, as blocks on other threads do: each word is one of those that stood there.
#[test]
#[cfg_attr(target_family = "wasm", ignore = "there are no threads")]
fn words_may_change_while_they_are_copied() {
    let words: Vec<AtomicU32> = (0..8).map(|_| AtomicU32::new(0)).collect();
    let rounds = if cfg!(miri) { 20 } else { 20_000 };
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for i in 0..rounds {
                words.iter().for_each(|w| w.store(i << 16 | i, Relaxed));
            }
        });
        for _ in 0..rounds {
            let mut seen = [0; 8];
            copy(Wide::detect(), &words, 0, &mut seen);
            assert!(seen.iter().all(|w| w >> 16 == w & 0xFFFF), "{seen:x?}");
        }
    });
}
