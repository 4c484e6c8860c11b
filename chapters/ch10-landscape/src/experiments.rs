//! What the chapter measures on the host's side.

mod cpu;

verify::experiments! {
    cpu: [],
}
