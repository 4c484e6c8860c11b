//! Asynchronous copies and mbarriers in inline PTX.

use super::{report, run};

/// Declares a buffer and mbarriers in shared memory, and what the bodies need.
const HEAD: &str = r#"
    __shared__ __align__(128) unsigned s[64];
    __shared__ unsigned long long bar;
    unsigned t = threadIdx.x, at = (unsigned)__cvta_generic_to_shared(&bar);
    unsigned mine = (unsigned)__cvta_generic_to_shared(&s[t]), all = (unsigned)__cvta_generic_to_shared(s);
    out[t] = t + 1;
"#;

/// Thread 0 makes the mbarrier.
const MAKE: &str = r#"
    if (t == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(at) : "memory");
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    __syncthreads();
"#;

/// All threads wait for the phase of parity 0.
const WAIT: &str = r#"
    unsigned done;
    do {
        asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; }"
                     : "=r"(done) : "r"(at) : "memory");
    } while (!done);
"#;

fn codes(body: &str) -> Vec<&'static str> {
    let (report, ..) = report(&format!("{HEAD}{body}"));
    report.findings.iter().map(|finding| finding.code.name()).collect()
}

#[test]
fn copies_and_their_groups() {
    let words = run(&format!(
        r#"{HEAD}
        asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(mine), "l"(out + t));
        asm volatile("cp.async.commit_group;" ::: "memory");
        asm volatile("cp.async.wait_group %0;" ::"n"(0) : "memory");
        __syncthreads();
        out[64 + t] = s[63 - t];
        __syncthreads();
        // Sixteen bytes, of which none, four or eight are read.
        if (t < 3)
            asm volatile("cp.async.cg.shared::cta.global.L2::128B [%0+16], [%1], 16, %2;"
                         ::"r"(all + t * 16), "l"(out), "r"(t * 4));
        asm volatile("cp.async.wait_all;" ::: "memory");
        __syncthreads();
        if (t < 12) out[128 + t] = s[4 + t];
        __syncthreads();
        // A predicate ignores the source.
        asm volatile("{{ .reg .pred p; setp.lt.u32 p, %2, 32; cp.async.ca.shared.global [%0], [%1], 4, p; }}"
                     ::"r"(mine), "l"(out + t), "r"(t));
        asm volatile("cp.async.wait_all;" ::: "memory");
        out[192 + t] = s[t];
        "#
    ));
    assert!((0..64).all(|i| words[64 + i] == 64 - i as u32), "{words:?}");
    assert_eq!(words[128..140], [0, 0, 0, 0, 1, 0, 0, 0, 1, 2, 0, 0]);
    assert!((0..64).all(|i| words[192 + i] == if i < 32 { 0 } else { i as u32 + 1 }), "{words:?}");
}

#[test]
fn a_bulk_copy_there_and_back() {
    let words = run(&format!(
        r#"{HEAD}
        asm volatile("fence.proxy.async.global;" ::: "memory");
        {MAKE}
        if (t == 0) {{
            asm volatile("mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 _, [%0], 256;" ::"r"(at) : "memory");
            asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
                         ::"r"(all), "l"(out), "r"(256), "r"(at) : "memory");
        }}
        {WAIT}
        unsigned other = s[63 - t];
        __syncthreads();
        s[t] = other;
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
        __syncthreads();
        if (t == 0) {{
            asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(out + 64), "r"(all), "r"(256) : "memory");
            asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%0], [%1], %2;"
                         ::"l"(out + 128), "r"(all), "r"(256) : "memory");
            asm volatile("cp.async.bulk.commit_group; cp.async.bulk.wait_group.read 0;" ::: "memory");
        }}
        __syncthreads();
        s[t] = 0;
        "#
    ));
    assert!((0..64).all(|i| words[64 + i] == 64 - i as u32), "{words:?}");
    assert!((0..64).all(|i| words[128 + i] == 64 - i as u32), "{words:?}");
}

#[test]
fn a_state_says_the_phase_and_what_is_pending() {
    let words = run(&format!(
        r#"{HEAD}
        if (t == 0) {{
            asm volatile("mbarrier.init.b64 [%0], 3;" ::"l"(&bar) : "memory");
            unsigned long long state;
            unsigned pending, before, after;
            asm volatile("mbarrier.arrive.shared.b64 %0, [%1], 2;" : "=l"(state) : "r"(at) : "memory");
            asm volatile("mbarrier.pending_count.b64 %0, %1;" : "=r"(pending) : "l"(state));
            asm volatile("{{ .reg .pred p; mbarrier.test_wait.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }}"
                         : "=r"(before) : "r"(at), "l"(state) : "memory");
            asm volatile("mbarrier.arrive_drop.shared.b64 _, [%0];" ::"r"(at) : "memory");
            asm volatile("{{ .reg .pred p; mbarrier.test_wait.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }}"
                         : "=r"(after) : "r"(at), "l"(state) : "memory");
            out[64] = pending, out[65] = before, out[66] = after;
            asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(state) : "r"(at) : "memory");
            asm volatile("mbarrier.pending_count.b64 %0, %1;" : "=r"(pending) : "l"(state));
            out[67] = pending;
            asm volatile("mbarrier.arrive.shared.b64 _, [%0]; mbarrier.inval.shared.b64 [%0];" ::"r"(at) : "memory");
        }}
        "#
    ));
    assert_eq!(words[64..68], [3, 0, 1, 2]);
}

#[test]
fn copies_arrive_when_they_are_done() {
    let words = run(&format!(
        r#"{HEAD}
        if (t == 0) asm volatile("mbarrier.init.shared::cta.b64 [%0], 64;" ::"r"(at) : "memory");
        __syncthreads();
        asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(mine), "l"(out + t));
        asm volatile("cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%0];" ::"r"(at) : "memory");
        {WAIT}
        out[64 + t] = s[63 - t];
        "#
    ));
    assert!((0..64).all(|i| words[64 + i] == 64 - i as u32), "{words:?}");
}

#[test]
fn what_is_missing_is_found() {
    let copy =
        r#"asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(mine), "l"(out + t));"#;
    let unawaited = format!("{copy} __syncthreads(); out[64 + t] = s[63 - t];");
    assert_eq!(codes(&unawaited), ["copy-not-awaited"]);
    // The bytes that come are fewer than those announced.
    let bytes = format!(
        r#"{MAKE}
        if (t == 0) asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 16;" ::"r"(at) : "memory");
        {WAIT}"#
    );
    assert_eq!(codes(&bytes), ["phase-never-ends"]);
    let store = r#"
        s[t] = t;
        __syncthreads();
        if (t == 0) {
            asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 256;" ::"l"(out + 64), "r"(all) : "memory");
            asm volatile("cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;" ::: "memory");
        }"#;
    assert_eq!(codes(store), ["missing-proxy-fence"]);
    let size = r#"
        if (t == 0)
            asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 20;" ::"l"(out + 64), "r"(all) : "memory");"#;
    assert_eq!(codes(size), ["misaligned"]);
}

#[test]
fn the_help_says_which_wait_is_missing() {
    let copy = r#"asm volatile("cp.async.ca.shared.global [%0], [%1], 4; cp.async.commit_group;" ::"r"(mine), "l"(out + t));"#;
    let help = |wait: &str| {
        let body = format!("{HEAD}{copy}{copy}{wait} out[64 + t] = s[63 - t];");
        let (report, ..) = report(&body);
        let unawaited = |f: &&simt::Finding| f.code.name() == "copy-not-awaited";
        report.findings.iter().find(unawaited).and_then(|f| f.help.clone()).unwrap()
    };
    assert_eq!(
        help("__syncthreads();"),
        "put cp.async.wait_all in the thread that issued it, and __syncthreads() after that"
    );
    assert_eq!(
        help(r#"asm volatile("cp.async.wait_group 1;"); __syncthreads();"#),
        "cp.async.wait_group covers the groups before number 1 of its thread, and this operation is in group 1: leave fewer groups"
    );
}
