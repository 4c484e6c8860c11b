//! Whether a kernel's code can be run at all, asked once before a launch.
//!
//! The front end makes no malformed code, but `Kernel` is a public type that anyone may fill. The
//! loop indexes registers, instructions and tables without asking; so everything that it indexes
//! by is looked at here, and the loop never panics.

use crate::isa::{Addr, Index, Inst, Kernel, MemTy, Module, Preload, PrintArg, Reg, Ty};

/// The first thing that is wrong with a kernel, in one sentence.
pub(super) fn check(module: &Module, kernel: &Kernel) -> Result<(), String> {
    let code = &kernel.code;
    if kernel.spans.len() != code.len() {
        return Err(format!("{} instructions have {} spans", code.len(), kernel.spans.len()));
    }
    if !matches!(code.last(), Some(Inst::Exit | Inst::Jump { .. })) {
        return Err("the code does not end in an exit or a jump".to_owned());
    }
    objects(module, kernel)?;
    for (at, &(register, preload)) in kernel.preloads.iter().enumerate() {
        let wide = match preload {
            Preload::Const { wide, .. } => wide,
            Preload::Param { offset, ty } => {
                let end = u64::from(offset) + u64::from(ty.bytes());
                if end > u64::from(kernel.param_bytes) {
                    return Err(format!("preload {at} reads past the arguments"));
                }
                ty.slots() == 2
            }
            Preload::Shared(index) => index_in(at, "shared object", index, kernel.shared.len())?,
            Preload::Local(index) => index_in(at, "local object", index, kernel.locals.len())?,
            Preload::Global(index) => index_in(at, "global object", index, module.globals.len())?,
            _ => false,
        };
        Operands { kernel }
            .some(register, if wide { 2 } else { 1 })
            .map_err(|e| format!("preload {at}: {e}"))?;
    }
    for print in &kernel.prints {
        for arg in &print.args {
            if let PrintArg::Value(ty, register) = arg {
                Operands { kernel }
                    .some(*register, ty.slots())
                    .map_err(|e| format!("an argument of printf: {e}"))?;
            }
        }
    }
    for (pc, inst) in code.iter().enumerate() {
        Operands { kernel }.inst(inst).map_err(|e| format!("instruction {pc}: {e}"))?;
    }
    Ok(())
}

/// A pointer to an object by index; pointers are wide.
fn index_in(at: usize, what: &str, index: u16, count: usize) -> Result<bool, String> {
    if usize::from(index) < count {
        Ok(true)
    } else {
        Err(format!("preload {at} names {what} {index} of {count}"))
    }
}

/// Objects lie inside their space, and arguments inside their block.
fn objects(module: &Module, kernel: &Kernel) -> Result<(), String> {
    let spaces = [(&kernel.shared, kernel.shared_bytes), (&kernel.locals, kernel.local_bytes)];
    for (objects, bytes) in spaces {
        for object in objects.iter().filter(|o| !o.dynamic) {
            if u64::from(object.offset) + u64::from(object.size) > u64::from(bytes) {
                return Err(format!("`{}` lies outside its memory", object.name));
            }
        }
    }
    if let Some(object) = kernel.locals.iter().find(|o| o.dynamic) {
        return Err(format!("the local array `{}` has no size of its own", object.name));
    }
    if kernel.local_bytes > 512 * 1024 {
        return Err(format!("{} bytes of local memory; 512 KiB is the limit", kernel.local_bytes));
    }
    if kernel.param_bytes > 32_764 {
        return Err(format!("{} bytes of arguments; 32764 is the limit", kernel.param_bytes));
    }
    if module.globals.len() > 1 << 16 {
        return Err(format!("{} device variables; 65536 is the limit", module.globals.len()));
    }
    Ok(())
}

/// What an instruction names, held against what there is.
struct Operands<'a> {
    kernel: &'a Kernel,
}

impl Operands<'_> {
    fn inst(&self, inst: &Inst) -> Result<(), String> {
        let bits = |wide: bool| if wide { 2 } else { 1 };
        match *inst {
            Inst::Mov { wide, d, a } => self.all(&[(d, bits(wide)), (a, bits(wide))]),
            Inst::Unary { op, ty, d, a } => {
                let count = if op.counts() { 1 } else { ty.slots() };
                self.all(&[(d, count), (a, ty.slots())])
            }
            Inst::Binary { op, ty, d, a, b } => {
                use crate::isa::BinOp::{Shl, Shr};
                let count = if matches!(op, Shl | Shr) { 1 } else { ty.slots() };
                self.all(&[(d, ty.slots()), (a, ty.slots()), (b, count)])
            }
            Inst::Fma { ty, d, a, b, c } => self.all(&[d, a, b, c].map(|r| (r, ty.slots()))),
            Inst::Math { ty, d, operands: [a, b, c, e], .. } => {
                if !matches!(ty, Ty::F32 | Ty::F64) {
                    return Err("the mathematics library is for floats only".to_owned());
                }
                self.all(&[d, a, b, c, e].map(|r| (r, ty.slots())))
            }
            Inst::Compare { ty, d, a, b, .. } => {
                self.all(&[(d, 1), (a, ty.slots()), (b, ty.slots())])
            }
            Inst::Select { wide, d, cond, a, b } => {
                self.all(&[(d, bits(wide)), (cond, 1), (a, bits(wide)), (b, bits(wide))])
            }
            Inst::Convert { from, to, d, a } => self.all(&[(d, to.slots()), (a, from.slots())]),
            Inst::Narrow { to, d, a } => self.all(&[(d, to.slots()), (a, to.slots())]),
            Inst::Load { ty, n, d, addr, .. } => self.vector(ty, n, d, &addr),
            Inst::Store { ty, n, a, addr, .. } => self.vector(ty, n, a, &addr),
            Inst::Lea { d, addr } => {
                self.some(d, 2)?;
                self.addr(&addr)
            }
            Inst::Atomic { ty, d, a, b, addr, .. } => {
                self.all(&[(d.unwrap_or(a), ty.slots()), (a, ty.slots()), (b, ty.slots())])?;
                self.addr(&addr)
            }
            Inst::Jump { target } => self.target(target),
            Inst::Branch { cond, target, .. } => {
                self.some(cond, 1)?;
                self.target(target)
            }
            Inst::Bssy { barrier, at } => {
                self.target(at)?;
                self.index("convergence barrier", barrier, usize::from(self.kernel.barriers))
            }
            Inst::Bsync { barrier } | Inst::Leave { barrier } => {
                self.index("convergence barrier", barrier, usize::from(self.kernel.barriers))
            }
            Inst::Fence { .. } | Inst::Exit => Ok(()),
            Inst::Barrier { kind: crate::isa::BarrierKind::Plain, .. } => Ok(()),
            Inst::Barrier { d, pred, .. } => self.all(&[(d, 1), (pred, 1)]),
            Inst::SyncWarp { mask } => self.some(mask, 1),
            Inst::ActiveMask { d } => self.some(d, 1),
            Inst::Clock { d } => self.some(d, 2),
            Inst::Malloc { d, a } => self.all(&[(d, 2), (a, 2)]),
            Inst::Free { a } => self.some(a, 2),
            Inst::Shuffle { wide, d, a, lane, width, mask, .. } => {
                self.all(&[(d, bits(wide)), (a, bits(wide)), (lane, 1), (width, 1), (mask, 1)])
            }
            Inst::Vote { d, pred, mask, .. } => self.all(&[(d, 1), (pred, 1), (mask, 1)]),
            Inst::WarpReduce { ty, d, a, mask, .. } => {
                if !matches!(ty, Ty::I32 | Ty::U32) {
                    return Err("a warp reduces 32-bit integers only".to_owned());
                }
                self.all(&[(d, 1), (a, 1), (mask, 1)])
            }
            Inst::Match { all, wide, d, pred, a, mask } => {
                self.all(&[(d, 1), (a, bits(wide)), (mask, 1)])?;
                if all { self.some(pred, 1) } else { Ok(()) }
            }
            Inst::Undefine { variable }
            | Inst::Define { variable }
            | Inst::CheckDefined { variable } => {
                self.index("variable", variable, self.kernel.variables.len())
            }
            Inst::Print { print } => self.index("printf", print, self.kernel.prints.len()),
            Inst::Trap { trap } => self.index("trap", trap, self.kernel.traps.len()),
        }
    }

    fn all(&self, registers: &[(Reg, u16)]) -> Result<(), String> {
        registers.iter().try_for_each(|&(register, slots)| self.some(register, slots))
    }

    /// `slots` registers from `register` on; two stand at an even number.
    fn some(&self, register: Reg, slots: u16) -> Result<(), String> {
        let count = self.kernel.registers;
        if u32::from(register) + u32::from(slots) > u32::from(count) {
            return Err(format!("register {register} of {count}"));
        }
        if slots == 2 && !register.is_multiple_of(2) {
            return Err(format!("a pair of registers at the odd number {register}"));
        }
        Ok(())
    }

    fn vector(&self, ty: MemTy, n: u8, first: Reg, addr: &Addr) -> Result<(), String> {
        if !matches!(n, 1 | 2 | 4) || u32::from(n) * ty.bytes() > 16 {
            return Err(format!("an access of {n} times {} bytes", ty.bytes()));
        }
        for part in 0..u16::from(n) {
            let register = first.checked_add(part * ty.slots()).ok_or("register past 65535")?;
            self.some(register, ty.slots())?;
        }
        self.addr(addr)
    }

    fn addr(&self, addr: &Addr) -> Result<(), String> {
        self.some(addr.base, 2)?;
        match addr.index {
            Index::None => Ok(()),
            Index::I32(register) | Index::U32(register) => self.some(register, 1),
            Index::I64(register) => self.some(register, 2),
        }
    }

    fn target(&self, target: u32) -> Result<(), String> {
        let count = self.kernel.code.len();
        if (target as usize) < count {
            Ok(())
        } else {
            Err(format!("a jump to {target} of {count}"))
        }
    }

    fn index(&self, what: &str, index: u16, count: usize) -> Result<(), String> {
        if usize::from(index) < count { Ok(()) } else { Err(format!("{what} {index} of {count}")) }
    }
}
