//! The sum without a GPU: one number after the other, by halves as the kernels do it, and the loop
//! that is unrolled by two. And the numbers of an old program, whose sum is known.

// ANCHOR: serial
/// One after the other.
#[must_use]
pub fn sum_serial(data: &[i32]) -> i32 {
    data.iter().fold(0, |sum, x| sum.wrapping_add(*x))
}
// ANCHOR_END: serial

// ANCHOR: halving
/// The second half is added to the first, and the first half has the
/// same sum. Rung 3 does this to each tile. Leaves partial sums in
/// `data`.
pub fn sum_by_halving(data: &mut [i32]) -> i32 {
    match data.len() {
        0 => 0,
        1 => data[0],
        len => {
            let half = len.div_ceil(2); // the middle one of an odd number stays
            let (first, second) = data.split_at_mut(half);
            for (a, b) in first.iter_mut().zip(second) {
                *a = a.wrapping_add(*b);
            }
            sum_by_halving(first)
        }
    }
}
// ANCHOR_END: halving

// ANCHOR: by_two
/// `a[i] = b[i] + c[i]`.
pub fn add(a: &mut [i32], b: &[i32], c: &[i32]) {
    for i in 0..a.len() {
        a[i] = b[i].wrapping_add(c[i]);
    }
}

/// The same, two elements per turn: half as many tests whether it is
/// the end.
pub fn add_by_two(a: &mut [i32], b: &[i32], c: &[i32]) {
    let even = a.len() / 2 * 2;
    for i in (0..even).step_by(2) {
        a[i] = b[i].wrapping_add(c[i]);
        a[i + 1] = b[i + 1].wrapping_add(c[i + 1]);
    }
    for i in even..a.len() {
        a[i] = b[i].wrapping_add(c[i]); // the last of an odd number
    }
}
// ANCHOR_END: by_two

// ANCHOR: rand
/// `rand()` of the GNU C library, as a program that never calls
/// `srand` sees it: each number is the sum of those 3 and 31 before
/// it, without the lowest bit.
#[must_use]
pub fn glibc_rand(count: usize) -> Vec<i32> {
    let mut state = vec![1i32];
    for i in 1..31 {
        let next = i64::from(state[i - 1]) * 16_807 % 2_147_483_647;
        state.push(next as i32);
    }
    let mut state: Vec<u32> = state.into_iter().map(|x| x as u32).collect();
    state.extend_from_within(0..3);
    for i in 34..344 + count {
        state.push(state[i - 31].wrapping_add(state[i - 3]));
    }
    state[344..].iter().map(|x| (x >> 1) as i32).collect()
}
// ANCHOR_END: rand

/// The input of the old program: `rand() & 0xFF`.
#[must_use]
pub fn old_input(count: usize) -> Vec<i32> {
    glibc_rand(count).into_iter().map(|x| x & 0xff).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_ways_to_add_agree() {
        for len in [0, 1, 2, 3, 7, 8, 31, 100, 1023, 1024, 1025] {
            let mut data: Vec<i32> = (0..len).map(|i| i * 7919 - 40_000).collect();
            let wanted = sum_serial(&data);
            assert_eq!(sum_by_halving(&mut data), wanted, "{len} numbers");
        }
    }

    #[test]
    fn a_loop_by_two_forgets_no_element() {
        for len in [0usize, 1, 2, 3, 99, 100] {
            let b: Vec<i32> = (0..len as i32).collect();
            let c: Vec<i32> = b.iter().map(|x| 3 * x + 1).collect();
            let (mut one, mut two) = (vec![0; len], vec![-1; len]);
            add(&mut one, &b, &c);
            add_by_two(&mut two, &b, &c);
            assert_eq!(one, two, "{len} elements");
        }
    }

    #[test]
    fn rand_is_that_of_the_c_library() {
        assert_eq!(glibc_rand(3), [1_804_289_383, 846_930_886, 1_681_692_777]);
    }

    // ANCHOR: old_sum
    #[test]
    fn the_sum_of_the_old_program_is_reproduced() {
        assert_eq!(sum_serial(&old_input(1 << 24)), 2_139_353_471);
    }
    // ANCHOR_END: old_sum
}
