//! Bytecode as text: for golden tests, and for whoever wants to see what a line became.

use super::{Addr, AtomicOp, Index, Inst, Kernel, MemTy, Preload, Scope, Ty};
use std::fmt::{self, Display, Write};

/// The whole kernel, one instruction a line.
pub fn disassemble(kernel: &Kernel) -> String {
    let mut out = format!(
        "kernel {} registers {} barriers {}\n",
        kernel.name, kernel.registers, kernel.barriers
    );
    for (reg, preload) in &kernel.preloads {
        let _ = writeln!(out, "       r{reg} = {}", preload_text(kernel, *preload));
    }
    for (i, inst) in kernel.code.iter().enumerate() {
        let _ = writeln!(out, "{i:5}  {inst}");
    }
    out
}

fn preload_text(kernel: &Kernel, preload: Preload) -> String {
    const AXES: [&str; 3] = ["x", "y", "z"];
    let axis = |a: u8| AXES.get(usize::from(a)).copied().unwrap_or("?");
    let name = |all: &[crate::isa::Object], i: u16| {
        all.get(usize::from(i)).map_or("?".to_string(), |o| o.name.clone())
    };
    match preload {
        Preload::Const { bits, wide: false } => format!("{:#x}", bits as u32),
        Preload::Const { bits, wide: true } => format!("{bits:#x} wide"),
        Preload::Param { offset, ty } => {
            let param = kernel.params.iter().rfind(|p| p.offset <= offset);
            format!("param {} +{offset} {}", param.map_or("?", |p| p.name.as_str()), memory(ty))
        }
        Preload::ThreadIdx(a) => format!("threadIdx.{}", axis(a)),
        Preload::BlockIdx(a) => format!("blockIdx.{}", axis(a)),
        Preload::BlockDim(a) => format!("blockDim.{}", axis(a)),
        Preload::GridDim(a) => format!("gridDim.{}", axis(a)),
        Preload::LaneId => "lane".to_string(),
        Preload::Shared(i) => format!("shared {}", name(&kernel.shared, i)),
        Preload::Local(i) => format!("local {}", name(&kernel.locals, i)),
        Preload::Global(i) => format!("global {i}"),
    }
}

fn memory(ty: MemTy) -> &'static str {
    match ty {
        MemTy::I8 => "i8",
        MemTy::U8 => "u8",
        MemTy::I16 => "i16",
        MemTy::U16 => "u16",
        MemTy::B32 => "b32",
        MemTy::B64 => "b64",
    }
}

fn ty_text(ty: Ty) -> &'static str {
    match ty {
        Ty::I32 => "i32",
        Ty::U32 => "u32",
        Ty::I64 => "i64",
        Ty::U64 => "u64",
        Ty::F32 => "f32",
        Ty::F64 => "f64",
        Ty::F16 => "f16",
        Ty::Bf16 => "bf16",
        Ty::F16x2 => "f16x2",
        Ty::Bf16x2 => "bf16x2",
    }
}

fn lower(text: impl fmt::Debug) -> String {
    format!("{text:?}").to_lowercase()
}

impl Display for Addr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[r{}", self.base)?;
        match self.index {
            Index::None => {}
            Index::I32(r) => write!(f, " + i32 r{r} * {}", self.scale)?,
            Index::U32(r) => write!(f, " + u32 r{r} * {}", self.scale)?,
            Index::I64(r) => write!(f, " + i64 r{r} * {}", self.scale)?,
        }
        match self.offset {
            0 => f.write_str("]"),
            n if n < 0 => write!(f, " - {}]", n.unsigned_abs()),
            n => write!(f, " + {n}]"),
        }
    }
}

impl Display for Inst {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let wide = |w: bool| if w { ".wide" } else { "" };
        let times = |n: u8| if n == 1 { String::new() } else { format!(".v{n}") };
        let vol = |v: bool| if v { ".volatile" } else { "" };
        let reach = |s: Scope| if s == Scope::Block { ".block" } else { "" };
        match *self {
            Inst::Mov { wide: w, d, a } => write!(f, "mov{} r{d}, r{a}", wide(w)),
            Inst::Unary { op, ty, d, a } => write!(f, "{}.{} r{d}, r{a}", lower(op), ty_text(ty)),
            Inst::Binary { op, ty, d, a, b } => {
                write!(f, "{}.{} r{d}, r{a}, r{b}", lower(op), ty_text(ty))
            }
            Inst::Fma { ty, d, a, b, c } => write!(f, "fma.{} r{d}, r{a}, r{b}, r{c}", ty_text(ty)),
            Inst::Math { function, ty, d, operands } => {
                write!(f, "{}.{} r{d}", function.name(), ty_text(ty))?;
                operands[..function.arity()].iter().try_for_each(|a| write!(f, ", r{a}"))
            }
            Inst::Compare { op, ty, d, a, b } => {
                write!(f, "{}.{} r{d}, r{a}, r{b}", lower(op), ty_text(ty))
            }
            Inst::Select { wide: w, d, cond, a, b } => {
                write!(f, "select{} r{d}, r{cond} ? r{a} : r{b}", wide(w))
            }
            Inst::Convert { from, to, d, a } => {
                write!(f, "convert.{}.{} r{d}, r{a}", ty_text(from), ty_text(to))
            }
            Inst::Narrow { to, d, a } => write!(f, "narrow.{} r{d}, r{a}", memory(to)),
            Inst::Load { ty, n, volatile, d, addr } => {
                write!(f, "load{}.{}{} r{d}, {addr}", vol(volatile), memory(ty), times(n))
            }
            Inst::Store { ty, n, volatile, a, addr } => {
                write!(f, "store{}.{}{} {addr}, r{a}", vol(volatile), memory(ty), times(n))
            }
            Inst::Lea { d, addr } => write!(f, "lea r{d}, {addr}"),
            Inst::Atomic { op, ty, scope, d, a, b, addr } => {
                write!(f, "atomic.{}.{}{} ", lower(op), ty_text(ty), reach(scope))?;
                match d {
                    Some(d) => write!(f, "r{d}, ")?,
                    None => f.write_str("_, ")?,
                }
                write!(f, "{addr}, r{a}")?;
                if op == AtomicOp::Cas { write!(f, ", r{b}") } else { Ok(()) }
            }
            Inst::Fence { scope } => write!(f, "fence{}", reach(scope)),
            Inst::Jump { target } => write!(f, "jump {target}"),
            Inst::Branch { cond, when, target } => {
                write!(f, "branch {}r{cond}, {target}", if when { "" } else { "!" })
            }
            Inst::Bssy { barrier, at } => write!(f, "bssy b{barrier}, {at}"),
            Inst::Bsync { barrier } => write!(f, "bsync b{barrier}"),
            Inst::Leave { barrier } => write!(f, "leave b{barrier}"),
            Inst::Exit => f.write_str("exit"),
            Inst::Barrier { kind, d, pred } => match kind {
                crate::isa::BarrierKind::Plain => f.write_str("barrier"),
                kind => write!(f, "barrier.{} r{d}, r{pred}", lower(kind)),
            },
            Inst::SyncWarp { mask } => write!(f, "syncwarp r{mask}"),
            Inst::Clock { d } => write!(f, "clock r{d}"),
            Inst::Malloc { d, a } => write!(f, "malloc r{d}, r{a}"),
            Inst::Free { a } => write!(f, "free r{a}"),
            Inst::ActiveMask { d } => write!(f, "activemask r{d}"),
            Inst::Shuffle { kind, wide: w, d, a, lane, width, mask } => {
                write!(
                    f,
                    "shuffle.{}{} r{d}, r{a}, lane r{lane}, width r{width}, mask r{mask}",
                    lower(kind),
                    wide(w)
                )
            }
            Inst::Vote { kind, d, pred, mask } => {
                write!(f, "vote.{} r{d}, r{pred}, mask r{mask}", lower(kind))
            }
            Inst::WarpReduce { op, ty, d, a, mask } => {
                write!(f, "warpreduce.{}.{} r{d}, r{a}, mask r{mask}", lower(op), ty_text(ty))
            }
            Inst::Match { all, wide: w, d, pred, a, mask } => {
                let kind = if all { "all" } else { "any" };
                write!(f, "match.{kind}{} r{d}, r{pred}, r{a}, mask r{mask}", wide(w))
            }
            Inst::Undefine { variable } => write!(f, "undefine v{variable}"),
            Inst::Define { variable } => write!(f, "define v{variable}"),
            Inst::CheckDefined { variable } => write!(f, "checkdefined v{variable}"),
            Inst::Print { print } => write!(f, "print p{print}"),
            Inst::Trap { trap } => write!(f, "trap t{trap}"),
        }
    }
}
