//! What the host measures for this chapter's page.

mod latency;
mod waiting;

verify::experiments! {
    latency: ["4_latency"],
    waiting: ["2_chains"],
}
