//! What the chapter measures on the host's side.

mod cpu_prefetch;

verify::experiments! {
    cpu_prefetch: [],
}
