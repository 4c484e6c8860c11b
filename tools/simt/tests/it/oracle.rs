//! Small kernels made at random, and whether they race as one tells who looks at every pair of
//! accesses. What is found must be the same for any number of threads and in any order.
//!
//! Such a kernel has no loops and no data in its addresses, so that who accesses what is known
//! beforehand. Two accesses of one byte race if one of them writes, if not both are atomic (in a
//! scope that has both threads), and if nothing orders them: barriers of the block, and
//! `__syncwarp` of a warp or of some of its lanes.

use simt::random::Lcg64;
use simt::{Arg, Checks, Class, Config, Memory, Model, Sources};
use std::collections::HashMap;
use std::fmt::Write as _;

/// Bytes of either array.
const BYTES: u32 = 4096;

struct Random(Lcg64);

impl Random {
    fn below(&mut self, n: u32) -> u32 {
        ((self.0.next_u64() >> 33) % u64::from(n)) as u32
    }

    fn of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len() as u32) as usize]
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Read,
    Write,
    Atomic,
    AtomicBlock,
}

#[derive(Debug, Clone, Copy)]
enum Guard {
    All,
    Thread(u32),
    Below(u32),
    Warp(u32),
    Odd(u32),
    Block(u32),
}

impl Guard {
    fn holds(self, thread: u32, block: u32) -> bool {
        match self {
            Guard::All => true,
            Guard::Thread(t) => thread == t,
            Guard::Below(t) => thread < t,
            Guard::Warp(w) => thread / 32 == w,
            Guard::Odd(o) => thread % 2 == o,
            Guard::Block(b) => block == b,
        }
    }

    fn text(self) -> String {
        match self {
            Guard::All => String::new(),
            Guard::Thread(t) => format!("if (t == {t}) "),
            Guard::Below(t) => format!("if (t < {t}) "),
            Guard::Warp(w) => format!("if (t / 32 == {w}) "),
            Guard::Odd(o) => format!("if (t % 2 == {o}) "),
            Guard::Block(b) => format!("if (b == {b}) "),
        }
    }
}

/// `array[(t * by_thread + b * by_block + from) % many]`, of elements of so many bytes.
#[derive(Debug, Clone, Copy)]
struct Access {
    kind: Kind,
    guard: Guard,
    shared: bool,
    width: u32,
    by_thread: u32,
    by_block: u32,
    from: u32,
    many: u32,
}

impl Access {
    fn first_byte(&self, thread: u32, block: u32) -> u32 {
        (thread * self.by_thread + block * self.by_block + self.from) % self.many * self.width
    }

    fn text(&self) -> String {
        let (array, atomic) = (["g", "s"][usize::from(self.shared)], "atomicAdd");
        let ty = match self.width {
            1 => "char",
            2 => "short",
            4 => "int",
            8 => "int2",
            _ => "int4",
        };
        let place = format!(
            "(({ty}*){array})[(t * {} + b * {} + {}) % {}]",
            self.by_thread, self.by_block, self.from, self.many
        );
        let what = match (self.kind, self.width) {
            (Kind::Read, 8 | 16) => format!("x += {place}.x;"),
            (Kind::Read, _) => format!("x += {place};"),
            (Kind::Write, 8) => format!("{place} = make_int2(y++, y++);"),
            (Kind::Write, 16) => format!("{place} = make_int4(y++, y++, y++, y++);"),
            (Kind::Write, _) => format!("{place} = ({ty})y++;"),
            (Kind::Atomic, _) => format!("{atomic}(&{place}, 1);"),
            (Kind::AtomicBlock, _) => format!("{atomic}_block(&{place}, 1);"),
        };
        format!("{}{what}", self.guard.text())
    }
}

#[derive(Debug, Clone, Copy)]
enum Step {
    Access(Access),
    Barrier,
    /// `__syncwarp` of these lanes, in every warp.
    Warp(u32),
}

struct Case {
    blocks: u32,
    threads: u32,
    steps: Vec<Step>,
}

impl Case {
    fn new(seed: u64) -> Case {
        let mut r = Random(Lcg64(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1));
        r.below(2);
        let (blocks, threads) = (r.of(&[1, 2, 3]), r.of(&[32, 64, 96]));
        // Few places, or one for each thread: otherwise all of them race.
        let crowded = r.below(3) == 0;
        let mut steps = Vec::new();
        for _ in 0..2 + r.below(6) {
            let width = r.of(&[4, 4, 4, 1, 2, 8, 16]);
            let kind = r.of(&[Kind::Read, Kind::Read, Kind::Write, Kind::Write, Kind::Atomic]);
            let kind = if kind == Kind::Atomic { r.of(&[kind, Kind::AtomicBlock]) } else { kind };
            let width = if matches!(kind, Kind::Atomic | Kind::AtomicBlock) { 4 } else { width };
            let guard = match r.below(8) {
                0 => Guard::Thread(r.below(threads)),
                1 => Guard::Below(r.below(threads)),
                2 => Guard::Warp(r.below(threads / 32)),
                3 => Guard::Odd(r.below(2)),
                4 => Guard::Block(r.below(blocks)),
                _ => Guard::All,
            };
            let shared = r.below(2) == 0;
            let many = if crowded { 8 } else { BYTES / 16 };
            steps.push(Step::Access(Access {
                kind,
                guard,
                shared,
                width,
                by_thread: r.of(&[1, 1, 1, 0, 2]),
                by_block: if shared { 0 } else { r.of(&[threads, threads, 0, 1]) },
                from: r.of(&[0, 0, 0, 1, 31, 32, 63, 64]),
                many,
            }));
            match r.below(6) {
                0 | 1 => steps.push(Step::Barrier),
                2 => steps.push(Step::Warp(u32::MAX)),
                3 => steps.push(Step::Warp(r.of(&[0xFFFF, 0xFF, 0xFFFF_0000, 0x5555_5555, 0x3]))),
                _ => {}
            }
        }
        Case { blocks, threads, steps }
    }

    fn text(&self) -> String {
        let mut text = format!(
            "__global__ void k(int* g, int* out) {{\n    __shared__ __align__(16) int s[{}];\n    int t = threadIdx.x, b = blockIdx.x, x = 0, y = (b * blockDim.x + t) * 8;\n    for (int i = t; i < {0}; i += blockDim.x) s[i] = i;\n    __syncthreads();\n",
            BYTES / 4
        );
        for step in &self.steps {
            let step = match step {
                Step::Access(access) => access.text(),
                Step::Barrier => "__syncthreads();".to_owned(),
                Step::Warp(u32::MAX) => "__syncwarp();".to_owned(),
                Step::Warp(lanes) => {
                    format!("if ({lanes:#x}u >> t % 32 & 1) __syncwarp({lanes:#x}u);")
                }
            };
            let _ = writeln!(text, "    {step}");
        }
        text + "    out[b * blockDim.x + t] = x;\n}\n"
    }

    /// Whether two of its accesses race: every pair at a byte is looked at.
    fn races(&self) -> bool {
        /// One thread's access: who, the step, the barriers before, and what it knew of its warp.
        struct Done {
            block: u32,
            thread: u32,
            step: u32,
            epoch: u32,
            knew: [u32; 32],
            kind: Kind,
        }
        let mut done: HashMap<(bool, u32, u32), Vec<Done>> = HashMap::new();
        for block in 0..self.blocks {
            for warp in 0..self.threads / 32 {
                // For each lane, up to which step it knows each lane's accesses.
                let (mut knows, mut epoch) = ([[0u32; 32]; 32], 0);
                for (at, step) in (1u32..).zip(&self.steps) {
                    match step {
                        Step::Barrier => {
                            epoch += 1;
                            knows = [[at; 32]; 32];
                        }
                        Step::Warp(lanes) => {
                            let within = |lane: usize| lanes >> lane & 1 == 1;
                            let mut all = [0u32; 32];
                            for lane in (0..32).filter(|&lane| within(lane)) {
                                for (all, one) in all.iter_mut().zip(knows[lane]) {
                                    *all = one.max(*all);
                                }
                                all[lane] = at;
                            }
                            (0..32).filter(|&lane| within(lane)).for_each(|lane| knows[lane] = all);
                        }
                        Step::Access(access) => {
                            for lane in 0..32u32 {
                                let thread = warp * 32 + lane;
                                if !access.guard.holds(thread, block) {
                                    continue;
                                }
                                let first = access.first_byte(thread, block);
                                // Of a vector that is read, its first member.
                                let narrow = access.kind == Kind::Read && access.width > 4;
                                let width = if narrow { 4 } else { access.width };
                                for byte in first..first + width {
                                    let home = if access.shared { block } else { 0 };
                                    done.entry((access.shared, home, byte)).or_default().push(
                                        Done {
                                            block,
                                            thread,
                                            step: at,
                                            epoch,
                                            knew: knows[lane as usize],
                                            kind: access.kind,
                                        },
                                    );
                                }
                            }
                        }
                    }
                }
            }
        }
        let knew = |a: &Done, b: &Done| a.knew[b.thread as usize % 32] >= b.step;
        let conflict = |a: &Done, b: &Done| {
            let near = a.block == b.block;
            let atomic = |d: &Done| matches!(d.kind, Kind::Atomic | Kind::AtomicBlock);
            let exclusive = atomic(a)
                && atomic(b)
                && (near || a.kind == Kind::Atomic && b.kind == Kind::Atomic);
            let ordered = near
                && (a.thread == b.thread
                    || a.epoch != b.epoch
                    || a.thread / 32 == b.thread / 32 && (knew(a, b) || knew(b, a)));
            (a.kind != Kind::Read || b.kind != Kind::Read) && !exclusive && !ordered
        };
        done.values()
            .any(|all| all.iter().enumerate().any(|(i, a)| all[..i].iter().any(|b| conflict(a, b))))
    }
}

/// Whether races are found; and everything that is.
fn found(case: &Case, module: &simt::Module, config: &Config) -> (bool, Vec<simt::Finding>) {
    let mut memory = Memory::new();
    let kernel = module.kernel("k").expect("the kernel");
    let arrays = [("g", BYTES), ("out", case.blocks * case.threads * 4)].map(|(name, bytes)| {
        let array = memory.alloc(name, "int", 4, bytes as usize);
        memory.upload(array, &vec![0; bytes as usize]);
        Arg::Buffer(array)
    });
    let extent = |x| simt::Dim3 { x, y: 1, z: 1 };
    let launch = simt::Launch {
        kernel,
        grid: extent(case.blocks),
        block: extent(case.threads),
        dynamic_shared: 0,
        args: &arrays,
    };
    let report = simt::launch(module, &launch, &mut memory, config).expect("it runs");
    assert_eq!(report.outcome, simt::Outcome::Completed);
    // Notes, too: bytes of different values may be the same.
    let race = |f: &simt::Finding| f.class() == Class::Race;
    (report.findings.iter().any(race), report.findings)
}

#[test]
fn what_races_is_found_and_nothing_else() {
    let number = |name, or| std::env::var(name).ok().and_then(|s| s.parse().ok()).unwrap_or(or);
    let from = number("SEED", 0);
    let (mut racy, mut amiss) = (0, String::new());
    let many = number("CASES", 1500);
    for seed in from..from + many {
        let case = Case::new(seed);
        let (text, races) = (case.text(), case.races());
        racy += u64::from(races);
        let module = simt::compile(Sources::single("k.cu", &text)).unwrap_or_else(|failure| {
            panic!("{text}{}", failure.diagnostics[0].render(&failure.sources))
        });
        let config = Config { checks: Checks::All, threads: 1, ..Config::default() };
        let (one, findings) = found(&case, &module, &config);
        let (_, many) = found(&case, &module, &Config { threads: 3, ..config.clone() });
        assert_eq!(findings, many, "seed {seed}: more threads, other findings\n{text}");
        let model = Model::Adversarial(seed);
        let (other, _) = found(&case, &module, &Config { model, ..config });
        if one != races || other != races {
            let _ = writeln!(
                amiss,
                "seed {seed}, {} x {}: races: {races}, found: {one}, in another order: {other}\n{text}",
                case.blocks, case.threads
            );
        }
    }
    // Half and half, or the test says little.
    assert!((many / 4..many * 3 / 4).contains(&racy), "{racy} of {many} race");
    assert!(amiss.is_empty(), "{amiss}");
}
