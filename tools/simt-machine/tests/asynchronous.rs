//! Asynchronous copies and mbarriers, as bytecode: what they copy, and which races are found. Each
//! kernel runs under the normal model and under many adversarial schedules; findings must be the same.

use simt_machine::isa::{
    Addr, BarrierKind, BinOp, BulkDirection, CmpOp, Element, FencedMemory, GroupKind, Index, Inst,
    MbarrierOp, MemTy, Module, Object, Param, Preload, Reg, Scope, Ty,
};
use simt_machine::{
    Arg, Buffer, Config, Kernel, Launch, Memory, Model, Outcome, Report, Sources, Span, launch,
};

/// Threads of the block.
const THREADS: u32 = 64;
/// Where the buffer and the mbarriers are in shared memory.
const BUFFER: u32 = 0;
const FULL: u32 = 512;
const EMPTY: u32 = 520;

/// A kernel that is being written: it takes two arrays, `in` and `out`.
struct Asm {
    code: Vec<Inst>,
    preloads: Vec<(Reg, Preload)>,
    registers: Reg,
}

const IN: Reg = 0;
const OUT: Reg = 2;
const THREAD: Reg = 4;
/// Scratch for conditions.
const FLAG: Reg = 5;

impl Asm {
    fn new() -> Asm {
        let param = |offset| Preload::Param { offset, ty: MemTy::B64 };
        let preloads = vec![(IN, param(0)), (OUT, param(8)), (THREAD, Preload::ThreadIdx(0))];
        Asm { code: Vec::new(), preloads, registers: 6 }
    }

    fn push(&mut self, inst: Inst) -> usize {
        self.code.push(inst);
        self.code.len() - 1
    }

    fn pair(&mut self) -> Reg {
        self.registers += self.registers % 2 + 2;
        self.registers - 2
    }

    fn word(&mut self) -> Reg {
        self.registers += 1;
        self.registers - 1
    }

    fn constant(&mut self, bits: u32) -> Reg {
        let d = self.word();
        self.preloads.push((d, Preload::Const { bits: bits.into(), wide: false }));
        d
    }

    /// `base + thread * scale`.
    fn per_thread(&mut self, base: u32, scale: u32) -> Reg {
        let (base, scale, d) = (self.constant(base), self.constant(scale), self.word());
        self.push(Inst::Fma { ty: Ty::U32, d, a: THREAD, b: scale, c: base });
        d
    }

    /// The pointer to `array[thread]`.
    fn element(&mut self, array: Reg) -> Reg {
        let d = self.pair();
        let addr = Addr { base: array, index: Index::U32(THREAD), scale: 4, offset: 0 };
        self.push(Inst::Lea { d, addr });
        d
    }

    /// The pointer to a 32-bit address of shared memory.
    fn shared(&mut self, address: Reg) -> Reg {
        let d = self.pair();
        self.push(Inst::SharedPointer { d, a: address });
        d
    }

    fn load(&mut self, base: Reg) -> Reg {
        let d = self.word();
        let addr = Addr { base, index: Index::None, scale: 1, offset: 0 };
        self.push(Inst::Load { ty: MemTy::B32, n: 1, volatile: false, d, addr });
        d
    }

    fn store(&mut self, base: Reg, a: Reg) {
        let addr = Addr { base, index: Index::None, scale: 1, offset: 0 };
        self.push(Inst::Store { ty: MemTy::B32, n: 1, volatile: false, a, addr });
    }

    /// `buffer[thread]` and `buffer[63 - thread]`, as 32-bit addresses.
    fn mine(&mut self) -> Reg {
        self.per_thread(BUFFER, 4)
    }

    fn others(&mut self) -> Reg {
        let (last, mine, d) = (self.constant(BUFFER + 252), self.mine(), self.word());
        self.push(Inst::Binary { op: BinOp::Sub, ty: Ty::U32, d, a: last, b: mine });
        d
    }

    /// Writes a value into `buffer[thread]`.
    fn write(&mut self, value: Reg) {
        let at = self.mine();
        let at = self.shared(at);
        self.store(at, value);
    }

    /// Copies `buffer[63 - thread]` to `out[thread]`.
    fn read_others(&mut self) {
        let from = self.others();
        let from = self.shared(from);
        let value = self.load(from);
        let to = self.element(OUT);
        self.store(to, value);
    }

    /// `in[thread]` to `buffer[thread]`, by `cp.async`.
    fn copy_mine(&mut self) {
        let (to, from) = (self.mine(), self.element(IN));
        self.push(Inst::CopyAsync { bytes: 4, to, from, size: None });
    }

    fn commit(&mut self, kind: GroupKind) {
        self.push(Inst::CommitGroup { kind });
    }

    fn wait(&mut self, kind: GroupKind, left: u16, read: bool) {
        self.push(Inst::WaitGroup { kind, left, read });
    }

    fn barrier(&mut self) {
        self.push(Inst::Barrier { kind: BarrierKind::Plain, d: 0, pred: 0 });
    }

    /// What `body` does is done by thread `which` alone.
    fn only(&mut self, which: u32, body: impl FnOnce(&mut Asm)) {
        let which = self.constant(which);
        self.only_if(CmpOp::Eq, which, body);
    }

    fn only_if(&mut self, op: CmpOp, b: Reg, body: impl FnOnce(&mut Asm)) {
        self.push(Inst::Compare { op, ty: Ty::U32, d: FLAG, a: THREAD, b });
        let branch = self.push(Inst::Exit);
        body(self);
        let target = self.code.len() as u32;
        self.code[branch] = Inst::Branch { cond: FLAG, when: false, target };
    }

    fn mbarrier(&mut self, op: MbarrierOp, at: u32, a: u32) {
        let (barrier, a) = (self.constant(at), self.constant(a));
        self.push(Inst::Mbarrier { op, order: Some(Scope::Device), d: None, barrier, a });
    }

    /// Waits for the phase of a parity.
    fn pass(&mut self, at: u32, parity: u32) {
        let (barrier, a, d) = (self.constant(at), self.constant(parity), self.word());
        let order = Some(Scope::Device);
        let wait = Inst::MbarrierTest { parity: true, order, d, barrier, a };
        let target = self.push(wait) as u32;
        self.push(Inst::Branch { cond: d, when: false, target });
    }

    /// All of `in` to the buffer, by the copy engine; its bytes count at `FULL`.
    fn bulk_load(&mut self) {
        let (to, bytes) = (self.constant(BUFFER), self.constant(256));
        let barrier = self.constant(FULL);
        let direction = BulkDirection::ToShared;
        self.push(Inst::BulkCopy { direction, to, from: IN, bytes, barrier });
    }

    /// The buffer to `out`, by the copy engine.
    fn bulk_store(&mut self) {
        let (from, bytes) = (self.constant(BUFFER), self.constant(256));
        let direction = BulkDirection::ToGlobal;
        self.push(Inst::BulkCopy { direction, to: OUT, from, bytes, barrier: 0 });
    }

    fn module(mut self) -> Module {
        self.code.push(Inst::Exit);
        let object = |name: &str, ty: &str, offset, size, each| Object {
            name: name.to_owned(),
            element: Element { name: ty.to_owned(), size: each },
            scalar: false,
            size,
            offset,
            dynamic: false,
            initial: Vec::new(),
            constant: false,
            managed: false,
            span: Span::default(),
        };
        let param = |name: &str, offset| Param {
            name: name.to_owned(),
            ty: "int *".to_owned(),
            offset,
            size: 8,
            pointee: None,
            object: None,
        };
        let kernel = Kernel {
            name: "f".to_owned(),
            params: vec![param("in", 0), param("out", 8)],
            param_bytes: 16,
            spans: (0..self.code.len() as u32)
                .map(|at| Span { file: 0, start: at, end: at + 1 })
                .collect(),
            code: self.code,
            registers: self.registers + 2,
            preloads: self.preloads,
            shared: vec![
                object("buffer", "int", BUFFER, 512, 4),
                object("full", "unsigned long long", FULL, 8, 8),
                object("empty", "unsigned long long", EMPTY, 8, 8),
            ],
            shared_bytes: 528,
            ..Kernel::default()
        };
        Module {
            sources: Sources::default(),
            kernels: vec![kernel],
            functions: Vec::new(),
            globals: Vec::new(),
            diagnostics: Vec::new(),
        }
    }
}

fn run(module: &Module, model: Model) -> (Report, Vec<u32>) {
    let mut memory = Memory::new();
    let input: Vec<u8> = (100..100 + THREADS).flat_map(u32::to_le_bytes).collect();
    let arrays: [Buffer; 2] = ["in", "out"].map(|name| {
        let array = memory.alloc(name, "int", 4, 4 * THREADS as usize);
        memory.upload(array, &input);
        array
    });
    let args = arrays.map(Arg::Buffer);
    let what = Launch {
        kernel: &module.kernels[0],
        grid: 1.into(),
        block: THREADS.into(),
        dynamic_shared: 0,
        args: &args,
    };
    let config = Config { model, budget: 1_000_000, ..Config::default() };
    let report = launch(module, &what, &mut memory, &config).unwrap();
    let words = memory
        .download(arrays[1])
        .chunks(4)
        .map(|w| u32::from_le_bytes(w.try_into().unwrap()))
        .collect();
    (report, words)
}

fn codes(report: &Report) -> Vec<&'static str> {
    let mut codes: Vec<_> = report.findings.iter().map(|f| f.code.name()).collect();
    codes.sort_unstable();
    codes.dedup();
    codes
}

/// The codes of the findings, each once. Under every schedule there are some.
fn found(write: impl Fn(&mut Asm)) -> Vec<&'static str> {
    let mut asm = Asm::new();
    write(&mut asm);
    let module = asm.module();
    let (report, _) = run(&module, Model::Volta);
    if report.outcome == Outcome::Completed {
        for seed in 0..40 {
            let (other, _) = run(&module, Model::Adversarial(seed));
            assert!(!other.findings.is_empty(), "seed {seed}");
        }
    }
    codes(&report)
}

/// It has this finding, whatever else it has: where nothing orders two sides, the later one is shown.
fn finds(code: &str, write: impl Fn(&mut Asm)) {
    let all = found(write);
    assert!(all.contains(&code), "{all:?}");
}

/// It has no finding, and under every schedule `out` is right.
fn gives(expected: impl Fn(u32) -> u32, write: impl Fn(&mut Asm)) {
    let mut asm = Asm::new();
    write(&mut asm);
    let module = asm.module();
    let models = (0..40).map(Model::Adversarial).chain([Model::Volta]);
    for model in models {
        let (report, out) = run(&module, model);
        assert!(report.findings.is_empty(), "{model:?}: {:#?}", report.findings);
        assert_eq!(report.outcome, Outcome::Completed);
        assert_eq!(out, (0..THREADS).map(&expected).collect::<Vec<_>>(), "{model:?}");
    }
}

/// The input, turned round.
fn turned(i: u32) -> u32 {
    100 + THREADS - 1 - i
}

use GroupKind::{Bulk, CopyAsync};
use MbarrierOp::{Arrive, ArriveExpectTx, Init};

#[test]
fn a_copy_that_is_waited_for_is_read() {
    gives(turned, |asm| {
        asm.copy_mine();
        asm.commit(CopyAsync);
        asm.wait(CopyAsync, 0, false);
        asm.barrier();
        asm.read_others();
    });
}

#[test]
fn bytes_beyond_the_size_are_zero() {
    gives(
        |i| if turned(i).is_multiple_of(2) { turned(i) & 0xFF } else { 0 },
        |asm| {
            let (one, odd, size) = (asm.constant(1), asm.word(), asm.word());
            // One byte of even elements, and none of odd ones.
            asm.push(Inst::Binary { op: BinOp::And, ty: Ty::U32, d: odd, a: THREAD, b: one });
            asm.push(Inst::Binary { op: BinOp::Xor, ty: Ty::U32, d: size, a: odd, b: one });
            let (to, from) = (asm.mine(), asm.element(IN));
            asm.push(Inst::CopyAsync { bytes: 4, to, from, size: Some(size) });
            asm.commit(CopyAsync);
            asm.wait(CopyAsync, 0, false);
            asm.barrier();
            asm.read_others();
        },
    );
}

#[test]
fn a_copy_that_is_not_waited_for_is_found() {
    let without = |asm: &mut Asm| {
        asm.copy_mine();
        asm.commit(CopyAsync);
        asm.barrier();
        asm.read_others();
    };
    finds("copy-not-awaited", without);
    let no_barrier = |asm: &mut Asm| {
        asm.copy_mine();
        asm.commit(CopyAsync);
        asm.wait(CopyAsync, 0, false);
        asm.read_others();
    };
    finds("copy-not-awaited", no_barrier);
    // One group too many is left.
    let off_by_one = |asm: &mut Asm| {
        asm.copy_mine();
        asm.commit(CopyAsync);
        asm.wait(CopyAsync, 1, false);
        asm.barrier();
        asm.read_others();
    };
    finds("copy-not-awaited", off_by_one);
}

#[test]
fn a_buffer_that_is_still_read_is_not_refilled() {
    let kernel = |barrier: bool| {
        move |asm: &mut Asm| {
            asm.write(THREAD);
            asm.barrier();
            asm.read_others();
            if barrier {
                asm.barrier();
            }
            asm.copy_mine();
            asm.commit(CopyAsync);
            asm.wait(CopyAsync, 0, false);
        }
    };
    finds("refilled-early", kernel(false));
    gives(|i| THREADS - 1 - i, kernel(true));
}

/// Thread 0 makes the mbarrier and has the buffer filled; all wait for it.
fn bulk(fence: bool, bytes: u32, wait: Option<u32>) -> impl Fn(&mut Asm) {
    move |asm: &mut Asm| {
        asm.only(0, |asm| {
            asm.mbarrier(Init, FULL, 1);
            if fence {
                asm.push(Inst::MbarrierInitFence);
            }
            asm.mbarrier(ArriveExpectTx, FULL, bytes);
            asm.bulk_load();
        });
        asm.barrier();
        if let Some(parity) = wait {
            asm.pass(FULL, parity);
        }
        asm.read_others();
    }
}

#[test]
fn a_bulk_copy_ends_the_phase_of_its_mbarrier() {
    gives(turned, bulk(true, 256, Some(0)));
    finds("missing-init-fence", bulk(false, 256, Some(0)));
    finds("copy-not-awaited", bulk(true, 256, None));
    // The parity of the next phase: the wait is over at once, or never, as the copy is slow or fast.
    let wrong = found(bulk(true, 256, Some(1)));
    assert!(wrong == ["phase-never-ends"] || wrong == ["copy-not-awaited"], "{wrong:?}");
    finds("phase-never-ends", bulk(true, 240, Some(0)));
    finds("phase-never-ends", bulk(true, 272, Some(0)));
}

#[test]
fn a_phase_that_never_ends_says_what_is_missing() {
    let mut asm = Asm::new();
    bulk(true, 272, Some(0))(&mut asm);
    let (report, _) = run(&asm.module(), Model::Volta);
    assert_eq!(report.outcome, Outcome::Deadlock);
    assert_eq!(
        report.findings[0].message,
        "this wait never ends: phase 0 (parity 0) of `full[0]` is not complete: all have arrived, but 16 of the bytes that were announced never come"
    );
}

/// All write the buffer, and thread 0 has it copied to `out`.
fn bulk_out(fence: Option<FencedMemory>, wait: Option<bool>, again: bool) -> impl Fn(&mut Asm) {
    move |asm: &mut Asm| {
        asm.write(THREAD);
        if let Some(memory) = fence {
            asm.push(Inst::ProxyFence { memory });
        }
        asm.barrier();
        asm.only(0, |asm| {
            asm.bulk_store();
            asm.commit(Bulk);
            if let Some(read) = wait {
                asm.wait(Bulk, 0, read);
            }
        });
        asm.barrier();
        if again {
            let zero = asm.constant(0);
            asm.write(zero);
        }
    }
}

#[test]
fn a_bulk_store_needs_a_proxy_fence_and_a_wait() {
    for memory in [FencedMemory::All, FencedMemory::Block, FencedMemory::Cluster] {
        gives(|i| i, bulk_out(Some(memory), Some(false), false));
    }
    gives(|i| i, bulk_out(Some(FencedMemory::All), Some(true), true));
    for fence in [None, Some(FencedMemory::Global)] {
        finds("missing-proxy-fence", bulk_out(fence, Some(false), false));
    }
    finds("source-not-awaited", bulk_out(Some(FencedMemory::All), None, true));
}

#[test]
fn writes_that_no_barrier_orders_are_copied_early() {
    let kernel = |asm: &mut Asm| {
        asm.write(THREAD);
        asm.push(Inst::ProxyFence { memory: FencedMemory::All });
        asm.only(0, |asm| {
            asm.bulk_store();
            asm.commit(Bulk);
            asm.wait(Bulk, 0, false);
        });
    };
    finds("copied-early", kernel);
}

/// The first warp fills the buffer twice, and the second one reads it twice.
fn pipeline(refill_waits: bool, second_parity: u32) -> impl Fn(&mut Asm) {
    move |asm: &mut Asm| {
        asm.only(0, |asm| {
            asm.mbarrier(Init, FULL, 1);
            asm.mbarrier(Init, EMPTY, 32);
            asm.push(Inst::MbarrierInitFence);
        });
        asm.barrier();
        asm.only(0, |asm| {
            for turn in 0..2 {
                if turn == 1 {
                    asm.pass(if refill_waits { EMPTY } else { FULL }, 0);
                }
                asm.mbarrier(ArriveExpectTx, FULL, 256);
                asm.bulk_load();
            }
        });
        let half = asm.constant(32);
        asm.only_if(CmpOp::Ge, half, |asm| {
            for parity in [0, second_parity] {
                asm.pass(FULL, parity);
                asm.read_others();
                asm.mbarrier(Arrive, EMPTY, 1);
            }
        });
    }
}

#[test]
fn a_pipeline_waits_in_both_directions() {
    gives(|i| if i < 32 { 100 + i } else { turned(i) }, pipeline(true, 1));
    // The second copy comes while the first one is read, or before its phase is waited for.
    let wrong = found(pipeline(false, 1));
    assert!(wrong == ["phase-never-ends"] || wrong == ["refilled-early"], "{wrong:?}");
    // The second read does not wait for the second copy.
    let wrong = found(pipeline(true, 0));
    assert!(wrong == ["phase-never-ends"] || wrong == ["copy-not-awaited"], "{wrong:?}");
}

#[test]
fn arrivals_order_what_threads_wrote() {
    let kernel = |wait: bool| {
        move |asm: &mut Asm| {
            asm.only(0, |asm| asm.mbarrier(Init, FULL, THREADS));
            asm.barrier();
            asm.write(THREAD);
            asm.mbarrier(Arrive, FULL, 1);
            if wait {
                asm.pass(FULL, 0);
            }
            asm.read_others();
        }
    };
    gives(|i| THREADS - 1 - i, kernel(true));
    finds("shared-race", kernel(false));
}

/// The first warp makes an mbarrier and arrives, the second one waits.
#[test]
fn an_mbarrier_is_made_before_others_use_it() {
    let kernel = |barrier: bool| {
        move |asm: &mut Asm| {
            asm.only(0, |asm| {
                asm.mbarrier(Init, FULL, 1);
                asm.mbarrier(Arrive, FULL, 1);
            });
            if barrier {
                asm.barrier();
            }
            asm.only(32, |asm| asm.pass(FULL, 0));
        }
    };
    gives(|i| 100 + i, kernel(true));
    finds("unordered-init", kernel(false));
}

#[test]
fn copies_arrive_at_an_mbarrier() {
    let kernel = |wait: bool| {
        move |asm: &mut Asm| {
            asm.only(0, |asm| asm.mbarrier(Init, FULL, THREADS));
            asm.barrier();
            asm.copy_mine();
            let barrier = asm.constant(FULL);
            asm.push(Inst::CopyAsyncArrive { barrier, counted: false });
            if wait {
                asm.pass(FULL, 0);
            }
            asm.read_others();
        }
    };
    gives(turned, kernel(true));
    finds("copy-not-awaited", kernel(false));
}

#[test]
fn wrong_uses_of_an_mbarrier_are_named() {
    finds("no-mbarrier", |asm| asm.only(0, |asm| asm.mbarrier(Arrive, FULL, 1)));
    let twice = |asm: &mut Asm| {
        asm.only(0, |asm| {
            asm.mbarrier(Init, FULL, 2);
            asm.mbarrier(Arrive, FULL, 1);
            asm.mbarrier(Init, FULL, 2);
        });
    };
    finds("mbarrier-in-use", twice);
    finds("mbarrier-count", |asm| {
        asm.only(0, |asm| {
            asm.mbarrier(Init, FULL, 2);
            asm.mbarrier(Arrive, FULL, 3);
        });
    });
}

#[test]
fn copies_outside_of_their_arrays_are_refused() {
    let kernel = |asm: &mut Asm| {
        let (to, from) = (asm.per_thread(BUFFER, 16), asm.element(IN));
        // 16 bytes at multiples of 4; and beyond the end of shared memory.
        asm.push(Inst::CopyAsync { bytes: 16, to, from, size: None });
    };
    let codes = found(kernel);
    assert!(codes.contains(&"misaligned") && codes.contains(&"out-of-bounds"), "{codes:?}");
}
