//! What only a host's clock can show.

mod first_launch;
mod seconds;

verify::experiments! {
    first_launch: [],
    seconds: ["6_paths"],
}
