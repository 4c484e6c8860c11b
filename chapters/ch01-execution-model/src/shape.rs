//! A block's shape from the command line, and the mistake that makes two experiments out of four.

use anyhow::{Context as _, Result, ensure};

/// Threads in a block, at most, on every device since 2010.
const MOST: u32 = 1024;

// ANCHOR: shape
/// The block that `sum WIDTH HEIGHT` asks for; 16 by 16 where it says nothing.
///
/// # Errors
/// Where an argument is no number, or the block is empty or too large.
pub fn from_arguments(arguments: &[&str]) -> Result<(u32, u32)> {
    let side = |at: usize| {
        let text = arguments.get(at).copied().unwrap_or("16");
        text.parse::<u32>().with_context(|| format!("`{text}` is no number"))
    };
    let (width, height) = (side(0)?, side(1)?);
    let threads = width.checked_mul(height);
    ensure!(
        threads.is_some_and(|t| (1..=MOST).contains(&t)),
        "{width} x {height} threads: a block has one to {MOST}"
    );
    Ok((width, height))
}
// ANCHOR_END: shape

#[cfg(test)]
mod tests {
    use super::*;

    // ANCHOR: test
    #[test]
    fn each_side_has_its_own_argument() {
        assert_eq!(from_arguments(&["32", "16"]).unwrap(), (32, 16));
        assert_eq!(from_arguments(&["16", "32"]).unwrap(), (16, 32));
    }
    // ANCHOR_END: test

    #[test]
    fn what_is_left_out_is_sixteen_and_what_is_wrong_is_said() {
        assert_eq!(from_arguments(&[]).unwrap(), (16, 16));
        assert_eq!(from_arguments(&["8"]).unwrap(), (8, 16));
        let said = |arguments: &[&str]| from_arguments(arguments).unwrap_err().to_string();
        assert_eq!(said(&["x"]), "`x` is no number");
        assert_eq!(said(&["64", "32"]), "64 x 32 threads: a block has one to 1024");
        assert_eq!(said(&["0"]), "0 x 16 threads: a block has one to 1024");
        assert!(said(&["99999999", "99999999"]).contains("one to 1024"));
    }
}
