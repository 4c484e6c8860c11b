//! Kernels written by hand, instruction by instruction: what the machine's own tests run.
//!
//! [`Asm::line`] begins a line of pretended source; the instructions that follow belong to it, so
//! that findings can be checked by line.

#![allow(unreachable_pub, missing_docs, reason = "for the other modules")]

use simt::isa::*;
use simt::{Arg, Buffer, Checks, Config, Finding, Launch, Memory, Report, Sources, Span};

/// An assembler.
#[derive(Default)]
pub struct Asm {
    text: String,
    line: Span,
    kernel: Option<Kernel>,
    next: u16,
}

impl Asm {
    pub fn new() -> Asm {
        let kernel = Kernel {
            name: "k".into(),
            params: vec![],
            param_bytes: 0,
            code: vec![],
            spans: vec![],
            registers: 0,
            preloads: vec![],
            barriers: 0,
            shared: vec![],
            shared_bytes: 0,
            locals: vec![],
            local_bytes: 0,
            variables: vec![],
            debug: Debug::default(),
            prints: vec![],
            traps: vec![],
            copied: Vec::new(),
            max_threads: None,
            cluster: None,
            span: Span::default(),
        };
        Asm { kernel: Some(kernel), ..Asm::default() }
    }

    pub fn k(&mut self) -> &mut Kernel {
        self.kernel.as_mut().unwrap()
    }

    /// Begins a line of source.
    pub fn line(&mut self, text: &str) -> &mut Asm {
        let start = self.text.len() as u32;
        self.text.push_str(text);
        self.line = Span { file: 0, start, end: self.text.len() as u32 };
        self.text.push('\n');
        self
    }

    pub fn reg(&mut self) -> Reg {
        self.next += 1;
        self.next - 1
    }

    pub fn pair(&mut self) -> Reg {
        self.next = self.next.next_multiple_of(2) + 2;
        self.next - 2
    }

    /// Four adjacent registers.
    pub fn next_four(&mut self) -> Reg {
        self.next += 4;
        self.next - 4
    }

    fn preload(&mut self, d: Reg, p: Preload) -> Reg {
        self.k().preloads.push((d, p));
        d
    }

    pub fn int(&mut self, value: i32) -> Reg {
        let d = self.reg();
        self.preload(d, Preload::Const { bits: u64::from(value as u32), wide: false })
    }

    pub fn float(&mut self, value: f32) -> Reg {
        self.int(value.to_bits() as i32)
    }

    pub fn tid(&mut self) -> Reg {
        let d = self.reg();
        self.preload(d, Preload::ThreadIdx(0))
    }

    pub fn bid(&mut self) -> Reg {
        let d = self.reg();
        self.preload(d, Preload::BlockIdx(0))
    }

    pub fn bdim(&mut self) -> Reg {
        let d = self.reg();
        self.preload(d, Preload::BlockDim(0))
    }

    /// A pointer parameter.
    pub fn array(&mut self, name: &str) -> Reg {
        let d = self.pair();
        let offset = self.k().param_bytes.next_multiple_of(8);
        self.k().params.push(Param {
            name: name.into(),
            ty: "int*".into(),
            offset,
            size: 8,
            pointee: Some(Element { name: "int".into(), size: 4 }),
            object: None,
        });
        self.k().param_bytes = offset + 8;
        self.preload(d, Preload::Param { offset, ty: MemTy::B64 })
    }

    /// A shared array of ints.
    pub fn shared(&mut self, name: &str, count: u32) -> Reg {
        let offset = self.k().shared_bytes;
        self.k().shared.push(array_of_ints(name, count, offset));
        self.k().shared_bytes += count * 4;
        let at = self.k().shared.len() as u16 - 1;
        let d = self.pair();
        self.preload(d, Preload::Shared(at))
    }

    /// A local array of ints.
    pub fn local(&mut self, name: &str, count: u32) -> Reg {
        let offset = self.k().local_bytes;
        self.k().locals.push(array_of_ints(name, count, offset));
        self.k().local_bytes += count * 4;
        let at = self.k().locals.len() as u16 - 1;
        let d = self.pair();
        self.preload(d, Preload::Local(at))
    }

    pub fn push(&mut self, inst: Inst) -> Pc {
        let span = self.line;
        self.k().code.push(inst);
        self.k().spans.push(span);
        self.k().code.len() as Pc - 1
    }

    /// Where the next instruction will stand.
    pub fn here(&mut self) -> Pc {
        self.k().code.len() as Pc
    }

    pub fn bin(&mut self, op: BinOp, ty: Ty, a: Reg, b: Reg) -> Reg {
        let d = if ty.slots() == 2 { self.pair() } else { self.reg() };
        self.push(Inst::Binary { op, ty, d, a, b });
        d
    }

    pub fn add(&mut self, a: Reg, b: Reg) -> Reg {
        self.bin(BinOp::Add, Ty::I32, a, b)
    }

    pub fn mul(&mut self, a: Reg, b: Reg) -> Reg {
        self.bin(BinOp::Mul, Ty::I32, a, b)
    }

    pub fn cmp(&mut self, op: CmpOp, a: Reg, b: Reg) -> Reg {
        let d = self.reg();
        self.push(Inst::Compare { op, ty: Ty::I32, d, a, b });
        d
    }

    pub fn mov(&mut self, d: Reg, a: Reg) {
        self.push(Inst::Mov { wide: false, d, a });
    }

    pub fn at(base: Reg, index: Reg) -> Addr {
        Addr { base, index: Index::I32(index), scale: 4, offset: 0 }
    }

    pub fn load(&mut self, base: Reg, index: Reg) -> Reg {
        let d = self.reg();
        self.push(Inst::Load {
            ty: MemTy::B32,
            n: 1,
            volatile: false,
            d,
            addr: Asm::at(base, index),
        });
        d
    }

    pub fn store(&mut self, base: Reg, index: Reg, a: Reg) {
        self.push(Inst::Store {
            ty: MemTy::B32,
            n: 1,
            volatile: false,
            a,
            addr: Asm::at(base, index),
        });
    }

    pub fn vload(&mut self, base: Reg, index: Reg) -> Reg {
        let d = self.reg();
        self.push(Inst::Load {
            ty: MemTy::B32,
            n: 1,
            volatile: true,
            d,
            addr: Asm::at(base, index),
        });
        d
    }

    pub fn vstore(&mut self, base: Reg, index: Reg, a: Reg) {
        self.push(Inst::Store {
            ty: MemTy::B32,
            n: 1,
            volatile: true,
            a,
            addr: Asm::at(base, index),
        });
    }

    /// An atomic whose result is dropped.
    pub fn red(&mut self, op: AtomicOp, base: Reg, index: Reg, a: Reg) {
        let addr = Asm::at(base, index);
        self.push(Inst::Atomic { op, ty: Ty::I32, scope: Scope::Device, d: None, a, b: a, addr });
    }

    /// An atomic whose result is used.
    pub fn atom(&mut self, op: AtomicOp, base: Reg, index: Reg, a: Reg, b: Reg) -> Reg {
        let d = self.reg();
        let addr = Asm::at(base, index);
        self.push(Inst::Atomic { op, ty: Ty::I32, scope: Scope::Device, d: Some(d), a, b, addr });
        d
    }

    pub fn sync(&mut self) {
        self.push(Inst::Barrier { kind: BarrierKind::Plain, d: 0, pred: 0 });
    }

    pub fn syncwarp(&mut self, mask: u32) {
        let mask = self.int(mask as i32);
        self.push(Inst::SyncWarp { mask });
    }

    pub fn shuffle(&mut self, kind: ShuffleKind, a: Reg, lane: i32, mask: u32) -> Reg {
        let (lane, width, mask) = (self.int(lane), self.int(32), self.int(mask as i32));
        let d = self.reg();
        self.push(Inst::Shuffle { kind, wide: false, d, a, lane, width, mask });
        d
    }

    /// `if (cond) body`, with its convergence barrier.
    pub fn if_(&mut self, cond: Reg, body: impl FnOnce(&mut Asm)) {
        self.if_else(cond, body, |_| {});
    }

    pub fn if_else(&mut self, cond: Reg, yes: impl FnOnce(&mut Asm), no: impl FnOnce(&mut Asm)) {
        let barrier = self.k().barriers;
        self.k().barriers += 1;
        let bssy = self.push(Inst::Bssy { barrier, at: 0 });
        let branch = self.push(Inst::Branch { cond, when: false, target: 0 });
        yes(self);
        let jump = self.push(Inst::Jump { target: 0 });
        let target = self.here();
        self.k().code[branch as usize] = Inst::Branch { cond, when: false, target };
        no(self);
        let at = self.here();
        self.k().code[jump as usize] = Inst::Jump { target: at };
        self.k().code[bssy as usize] = Inst::Bssy { barrier, at };
        self.push(Inst::Bsync { barrier });
    }

    /// `do body while (cond)`; the body gives the condition.
    pub fn do_while(&mut self, body: impl FnOnce(&mut Asm) -> Reg) {
        let barrier = self.k().barriers;
        self.k().barriers += 1;
        let bssy = self.push(Inst::Bssy { barrier, at: 0 });
        let target = self.here();
        let cond = body(self);
        self.push(Inst::Branch { cond, when: true, target });
        let at = self.here();
        self.k().code[bssy as usize] = Inst::Bssy { barrier, at };
        self.push(Inst::Bsync { barrier });
    }

    pub fn exit(&mut self) {
        self.push(Inst::Exit);
    }

    /// Ends the kernel.
    pub fn module(mut self) -> Module {
        self.exit();
        let mut kernel = self.kernel.take().unwrap();
        kernel.registers = self.next;
        Module {
            sources: Sources::single("test.cu", self.text),
            kernels: vec![kernel],
            functions: vec![],
            globals: vec![],
            diagnostics: vec![],
        }
    }
}

/// What a run left.
pub struct Ran {
    pub report: Report,
    pub arrays: Vec<Vec<i32>>,
    pub sources: Sources,
}

impl Ran {
    /// Class, severity and lines of every finding, for comparing: `race error 3 5`.
    pub fn findings(&self) -> Vec<String> {
        self.report.findings.iter().map(|f| self.short(f)).collect()
    }

    fn short(&self, f: &Finding) -> String {
        let mut out = format!(
            "{} {} {}",
            f.class().name(),
            f.severity,
            self.sources.position(f.first.span).line
        );
        if let Some(second) = &f.second {
            out.push_str(&format!(" {}", self.sources.position(second.span).line));
        }
        out
    }

    pub fn rendered(&self) -> String {
        self.report.findings.iter().map(|f| f.render(&self.sources)).collect()
    }
}

/// Runs `k` of a source text in one thread, without a finding; returns the bytes of the buffer that
/// `prepare` names, beside the arguments.
pub fn one_thread(
    text: String,
    prepare: impl FnOnce(&mut Memory) -> (Buffer, Vec<Arg>),
) -> Vec<u8> {
    let module = simt::compile(Sources::single("case.cu", text.clone())).unwrap_or_else(|e| {
        panic!("{text}\n{}", e.diagnostics.iter().map(|d| d.render(&e.sources)).collect::<String>())
    });
    let mut memory = Memory::new();
    let (out, args) = prepare(&mut memory);
    let kernel = module.kernel("k").unwrap();
    let launch = Launch { kernel, grid: 1.into(), block: 1.into(), dynamic_shared: 0, args: &args };
    let report = simt::launch(&module, &launch, &mut memory, &Config::default()).unwrap();
    let findings: String = report.findings.iter().map(|f| f.render(&module.sources)).collect();
    assert_eq!((report.outcome, &*findings), (simt::Outcome::Completed, ""), "{text}");
    memory.download(out)
}

pub fn bytes(values: &[i32]) -> Vec<u8> {
    values.iter().flat_map(|v| v.to_le_bytes()).collect()
}

pub fn ints(bytes: &[u8]) -> Vec<i32> {
    bytes.as_chunks::<4>().0.iter().map(|b| i32::from_le_bytes(*b)).collect()
}

/// Runs a kernel on arrays of ints, all uploaded.
pub fn run(asm: Asm, grid: u32, block: u32, arrays: &[Vec<i32>]) -> Ran {
    run_with(asm, grid, block, arrays, &Config { checks: Checks::All, ..Config::default() })
}

pub fn run_with(asm: Asm, grid: u32, block: u32, arrays: &[Vec<i32>], config: &Config) -> Ran {
    run_module(&asm.module(), grid, block, arrays, config)
}

pub fn run_module(
    module: &Module,
    grid: u32,
    block: u32,
    arrays: &[Vec<i32>],
    config: &Config,
) -> Ran {
    let kernel = &module.kernels[0];
    let mut memory = Memory::new();
    let mut buffers: Vec<Buffer> = vec![];
    for (values, param) in arrays.iter().zip(&kernel.params) {
        let buffer = memory.alloc(&param.name, "int", 4, values.len() * 4);
        memory.upload(buffer, &bytes(values));
        buffers.push(buffer);
    }
    let args: Vec<Arg> = buffers.iter().map(|&b| Arg::Buffer(b)).collect();
    let launch =
        Launch { kernel, grid: grid.into(), block: block.into(), dynamic_shared: 0, args: &args };
    let report = simt::launch(module, &launch, &mut memory, config).expect("the launch is valid");
    let arrays = buffers.iter().map(|&b| ints(&memory.download(b))).collect();
    Ran { report, arrays, sources: module.sources.clone() }
}

/// An array of ints in shared or local memory.
fn array_of_ints(name: &str, count: u32, offset: u32) -> Object {
    Object {
        name: name.into(),
        element: Element { name: "int".into(), size: 4 },
        scalar: false,
        size: count * 4,
        offset,
        dynamic: false,
        initial: vec![],
        constant: false,
        managed: false,
        span: Span::default(),
    }
}
