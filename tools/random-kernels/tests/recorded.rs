//! The simulator gives the bits that a GPU gave, for every kernel of the committed recording, and finds
//! nothing wrong in them.
//!
//! `recorded/known.txt` names the differences that are known. One that is not there fails, and so does
//! one that is there and is no more: the list only shrinks.

use random_kernels::check::{Known, check};
use random_kernels::recording::Recording;

/// Compares a recording, which holds at least so many lines, with the list of known differences.
fn compare(recording: &str, known: &str, lines: usize) {
    let recording = Recording::read(recording).expect("it can be read");
    let threads = std::thread::available_parallelism().map_or(2, std::num::NonZero::get);
    let comparison = check(&recording, threads);
    assert!(comparison.lines >= lines, "the recording holds only {} lines", comparison.lines);
    let (new, gone) = Known::read(known).compare(&comparison);
    assert!(new.is_empty(), "the simulator differs from {}:\n{}", recording.device, new.join("\n"));
    assert!(gone.is_empty(), "no longer a difference; remove from the list: {gone:?}");
}

#[test]
fn the_simulator_gives_the_bits_of_the_gpu() {
    compare(include_str!("recorded/h200.txt"), include_str!("recorded/known.txt"), 1000);
}

/// Every PTX instruction that computes, on 2,000 rows of random operands and edges.
#[test]
fn instructions_give_the_bits_of_the_gpu() {
    let recording = include_str!("recorded/instructions-h100.txt");
    compare(recording, include_str!("recorded/instructions-known.txt"), 850);
}

/// Tensor cores, in every shape and type, on 100 random tiles.
#[test]
fn tiles_give_the_bits_of_the_gpu() {
    let recording = include_str!("recorded/tiles-h100.txt");
    compare(recording, include_str!("recorded/tiles-known.txt"), 116);
}
