//! `__int128` and `unsigned __int128`, on the host and the device.
#![cfg(not(target_arch = "wasm32"))]

use crate::world::printed;

/// The numbers are those that GCC's own type gives.
#[test]
fn integers_of_128_bits() {
    let (said, code) = printed(include_str!("../wide_integers/arithmetic.cu"));
    let expected = "18446743945957795198 17709967451150722719 10804599610343456782 1 0 \
         17709967451150722719 10804599610343456782 17709967327 3337964706420615434 973159624 0 \
         136642548694144822 468 0 409927 63 32 276718241424230048 888178419700125 1 1 1 \
         276718248890728448 1 18364758544493064722 14 17708874310761169560 4141658679 4 \
         5570560";
    assert_eq!((said.as_str(), code), (expected, 0));
}
