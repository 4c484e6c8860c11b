//! What the host measures for this chapter's page.

mod bandwidth;
mod latency;

verify::experiments! {
    latency: ["1_chase", "2_chase_shared"],
    bandwidth: ["3_reread", "4_reread_shared"],
}
