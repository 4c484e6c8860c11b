//! Functions of a warp against the pseudocode of the PTX ISA, for every lane.

use super::run;

/// What lanes 0 to 31 leave after this text, which computes `%0` from the lane's `%1`.
fn lanes(text: &str) -> Vec<u32> {
    let body = format!(
        "unsigned x = threadIdx.x * 3 + 1, d; asm volatile(\"{text}\" : \"=r\"(d) : \"r\"(x)); \
         out[threadIdx.x] = d;"
    );
    run(&body)[..32].to_vec()
}

/// `shfl` as the ISA defines it: the value, and the predicate in bit 31.
fn shuffled(mode: &str, lane: u32, b: u32, c: u32) -> u32 {
    let (bval, cval, mask) = (b & 31, c & 31, c >> 8 & 31);
    let (max_lane, min_lane) = ((lane & mask) | (cval & !mask), lane & mask);
    let (j, valid) = match mode {
        "up" => (lane as i32 - bval as i32, lane as i32 - bval as i32 >= max_lane as i32),
        "down" => ((lane + bval) as i32, lane + bval <= max_lane),
        "bfly" => ((lane ^ bval) as i32, lane ^ bval <= max_lane),
        _ => ((min_lane | (bval & !mask)) as i32, min_lane | (bval & !mask) <= max_lane),
    };
    let from = if valid { j as u32 } else { lane };
    (from * 3 + 1) | u32::from(valid) << 31
}

#[test]
fn shuffles_with_every_clamp_and_segment() {
    for mode in ["up", "down", "bfly", "idx"] {
        for b in [0u32, 1, 2, 3, 7, 16, 31, 33] {
            for c in [0x1f, 0, 0x1c03, 0x181f, 0x1000, 0x100f, 0x1e01, 0x0a15] {
                let got = lanes(&format!(
                    "{{ .reg .pred p; shfl.sync.{mode}.b32 %0|p, %1, {b}, {c}, 0xffffffff; \
                     @p or.b32 %0, %0, 0x80000000; }}"
                ));
                let wanted: Vec<u32> = (0..32).map(|l| shuffled(mode, l, b, c)).collect();
                assert_eq!(got, wanted, "{mode} {b} {c:#x}");
            }
        }
    }
}

#[test]
fn votes_and_elections() {
    let odd = "and.b32 t, %1, 1; setp.eq.u32 p, t, 1;";
    let vote = |what: &str| lanes(&format!("{{ .reg .pred p, q; .reg .b32 t; {odd} {what} }}"));
    // x is odd in the even lanes.
    assert_eq!(vote("vote.sync.ballot.b32 %0, p, -1;"), [0x5555_5555; 32]);
    assert_eq!(vote("vote.sync.ballot.b32 %0, !p, -1;"), [0xaaaa_aaaa; 32]);
    let pred = |kind: &str| vote(&format!("vote.sync.{kind}.pred q, p, -1; selp.u32 %0, 1, 0, q;"));
    assert_eq!(pred("any"), [1; 32]);
    assert_eq!(pred("all"), [0; 32]);
    assert_eq!(pred("uni"), [0; 32]);
    assert_eq!(
        vote("setp.ne.u32 p, t, 9; vote.sync.uni.pred q, p, -1; selp.u32 %0, 1, 0, q;"),
        [1; 32]
    );
    assert_eq!(vote("activemask.b32 %0;"), [u32::MAX; 32]);
    let elected = vote("elect.sync t|q, -1; selp.u32 %0, 100, t, q;");
    assert!(elected[0] == 100 && elected[1..].iter().all(|leader| *leader == 0), "{elected:?}");
}

#[test]
fn reductions_and_matches() {
    let all: Vec<u32> = (0..32).map(|lane| lane * 3 + 1).collect();
    let reduce = |op: &str| lanes(&format!("redux.sync.{op} %0, %1, 0xffffffff;"));
    assert_eq!(reduce("add.u32"), [all.iter().sum::<u32>(); 32]);
    assert_eq!(reduce("min.s32"), [1; 32]);
    assert_eq!(reduce("max.u32"), [94; 32]);
    assert_eq!(reduce("xor.b32"), [all.iter().fold(0, |a, b| a ^ b); 32]);
    let same = |lane: u32| (0..32).filter(|l| l % 4 == lane % 4).map(|l| 1u32 << l).sum::<u32>();
    let got = lanes(
        "{ .reg .b32 t; mov.u32 t, %%laneid; and.b32 t, t, 3; match.any.sync.b32 %0, t, -1; }",
    );
    assert_eq!(got, (0..32).map(same).collect::<Vec<_>>());
    let got = lanes(
        "{ .reg .pred p; .reg .b64 w; mov.b64 w, 7; match.all.sync.b64 %0|p, w, -1; \
         @!p mov.b32 %0, 5; }",
    );
    assert_eq!(got, [u32::MAX; 32]);
}

#[test]
fn special_registers() {
    let read = |name: &str| lanes(&format!("mov.u32 %0, %%{name}; bar.warp.sync -1;"));
    let per_lane = |f: fn(u32) -> u32| (0..32).map(f).collect::<Vec<_>>();
    assert_eq!(read("tid.x"), per_lane(|lane| lane));
    assert_eq!(read("laneid"), per_lane(|lane| lane));
    assert_eq!(read("ntid.x"), [64; 32]);
    assert_eq!(read("warpid"), [0; 32]);
    assert_eq!(read("lanemask_eq"), per_lane(|lane| 1 << lane));
    assert_eq!(read("lanemask_lt"), per_lane(|lane| (1 << lane) - 1));
    assert_eq!(read("lanemask_le"), per_lane(|lane| ((2u64 << lane) - 1) as u32));
    assert_eq!(read("lanemask_gt"), per_lane(|lane| !((2u64 << lane) - 1) as u32));
    assert_eq!(read("lanemask_ge"), per_lane(|lane| !((1u64 << lane) - 1) as u32));
}
