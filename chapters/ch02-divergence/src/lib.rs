//! The host's side of chapter 2: a first launch beside a second, and a clock that counts in whole
//! seconds.

pub mod experiments;
