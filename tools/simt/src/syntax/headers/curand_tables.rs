//! The tables by which cuRAND's generator XORWOW jumps ahead, as C++ text.
//!
//! A step is a linear map, so jumps are polynomials in it, modulo its characteristic polynomial. 480 of
//! them are 10 KB that no compressor makes smaller. They are computed when a text first asks for them, in
//! less than a millisecond, so that the module in a page does without them.

use std::sync::OnceLock;

/// A polynomial of 160 coefficients; word 0 has those of the lowest powers.
type Polynomial = [u32; 5];

/// What the step's 160th power is in its lower ones.
const CHARACTERISTIC: Polynomial = [0x6_0001, 0x861_0030, 0x6_2121, 0xf3c_0035, 0xf0e];

/// A subsequence has two to that many numbers.
const SUBSEQUENCE: u32 = 67;

/// The declarations of both tables.
pub(super) fn text() -> &'static str {
    static TEXT: OnceLock<String> = OnceLock::new();
    TEXT.get_or_init(|| {
        let step = [2, 0, 0, 0, 0];
        // Each square doubles the jump.
        let subsequence = (0..SUBSEQUENCE).fold(step, |jump, _| after(jump, jump));
        table("offset", step) + &table("subsequence", subsequence)
    })
}

/// The first 15 powers of a jump, then those of its power 16, ..
fn table(name: &str, mut jump: Polynomial) -> String {
    let mut text =
        format!("static __device__ const unsigned int __curand_of_{name}[240][5] = {{\n");
    for _ in 0..16 {
        let mut power = jump;
        for _ in 0..15 {
            let [a, b, c, d, e] = power;
            text += &format!("{{{a:#x}, {b:#x}, {c:#x}, {d:#x}, {e:#x}}},\n");
            power = after(power, jump);
        }
        jump = power;
    }
    text + "};\n"
}

/// The jump `a` after the jump `b`: the product of the polynomials.
fn after(a: Polynomial, b: Polynomial) -> Polynomial {
    let mut sum = [0; 5];
    let mut shifted = b;
    for bit in 0..160 {
        if a[bit / 32] >> (bit % 32) & 1 == 1 {
            sum = xor(sum, shifted);
        }
        let overflow = shifted[4] >> 31 == 1;
        for word in (1..5).rev() {
            shifted[word] = shifted[word] << 1 | shifted[word - 1] >> 31;
        }
        shifted[0] <<= 1;
        if overflow {
            shifted = xor(shifted, CHARACTERISTIC);
        }
    }
    sum
}

fn xor(a: Polynomial, b: Polynomial) -> Polynomial {
    std::array::from_fn(|i| a[i] ^ b[i])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_polynomial_is_that_of_the_step() {
        let step = |[a, b, c, d, e]: Polynomial| {
            let t = a ^ (a >> 2);
            [b, c, d, e, (e ^ (e << 4)) ^ (t ^ (t << 1))]
        };
        // It is linear: 160 states with one bit each say all.
        for one in 0..160 {
            let mut state = [0; 5];
            state[one / 32] = 1 << (one % 32);
            let mut sum = [0; 5];
            for bit in 0..160 {
                if CHARACTERISTIC[bit / 32] >> (bit % 32) & 1 == 1 {
                    sum = xor(sum, state);
                }
                state = step(state);
            }
            assert_eq!(sum, state);
        }
    }
}
