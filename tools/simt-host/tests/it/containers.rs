//! How the containers make, move and order their elements, and what they say of bad positions: as
//! libstdc++ does.

use crate::world::*;

fn same(program: &str, expected: &str) {
    assert_eq!(printed(program), (expected.to_owned(), 0));
}

#[test]
fn elements_of_vectors_move_by_their_constructors() {
    same(include_str!("../containers/vector.cpp"), include_str!("../containers/vector.txt"));
}

#[test]
fn elements_that_only_move_are_sorted_and_equal_ones_end_as_with_gcc() {
    same(include_str!("../containers/sort.cpp"), include_str!("../containers/sort.txt"));
}
