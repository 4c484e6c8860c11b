//! Validation: whether a kernel's code is well-formed, checked once before a launch.
//!
//! The front end makes no malformed code, but `Kernel` is a public type that anyone may fill. The
//! interpreter indexes registers, instructions and tables without checks of its own; everything
//! that it indexes by is checked here, so that it never panics.

use crate::isa::operands::Width;
use crate::isa::{Inst, Kernel, Module, Preload, PrintArg, Reg, Table};

/// The first fault of a kernel, in one sentence.
pub(super) fn check(module: &Module, kernel: &Kernel) -> Result<(), String> {
    let code = &kernel.code;
    if kernel.spans.len() != code.len() {
        return Err(format!("{} instructions have {} spans", code.len(), kernel.spans.len()));
    }
    if !matches!(code.last(), Some(Inst::Exit | Inst::Jump { .. })) {
        return Err("the code does not end in an exit or a jump".to_owned());
    }
    objects(module, kernel)?;
    let checker = Checker { kernel };
    for (at, &(register, preload)) in kernel.preloads.iter().enumerate() {
        let width = preload_width(module, kernel, preload);
        width
            .and_then(|width| checker.operand(register, width))
            .map_err(|e| format!("preload {at}: {e}"))?;
    }
    for print in &kernel.prints {
        for arg in &print.args {
            let (register, width) = match arg {
                PrintArg::Value(ty, register) => (*register, ty.width()),
                PrintArg::Address(register) => (*register, Width::PAIR),
                PrintArg::Text(_) => continue,
            };
            let checked = checker.operand(register, width);
            checked.map_err(|e| format!("an argument of printf: {e}"))?;
        }
    }
    for (pc, inst) in code.iter().enumerate() {
        checker.instruction(inst).map_err(|e| format!("instruction {pc}: {e}"))?;
    }
    Ok(())
}

/// How wide a preloaded value is, if what it is taken from exists.
fn preload_width(module: &Module, kernel: &Kernel, preload: Preload) -> Result<Width, String> {
    let pointer_to = |what: &str, index: u16, count: usize| {
        if usize::from(index) < count {
            Ok(Width::PAIR)
        } else {
            Err(format!("{what} {index} of {count}"))
        }
    };
    match preload {
        Preload::Const { wide, .. } => Ok(Width::wide(wide)),
        Preload::Param { offset, ty } => {
            let end = u64::from(offset) + u64::from(ty.bytes());
            if end > u64::from(kernel.param_bytes) {
                return Err("reads past the arguments".to_owned());
            }
            Ok(ty.width())
        }
        Preload::Shared(index) => pointer_to("shared object", index, kernel.shared.len()),
        Preload::Local(index) => pointer_to("local object", index, kernel.locals.len()),
        Preload::Global(index) => pointer_to("global object", index, module.globals.len()),
        _ => Ok(Width::WORD),
    }
}

/// Objects are inside their memory space, and nothing exceeds the limits of the device.
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

/// What a kernel's instructions refer to, compared with what there is.
struct Checker<'a> {
    kernel: &'a Kernel,
}

impl Checker<'_> {
    /// An instruction: its row in the table says what it refers to.
    fn instruction(&self, inst: &Inst) -> Result<(), String> {
        inst.check_fields()?;
        let mut result = Ok(());
        let mut copy = *inst;
        copy.visit_operands(&mut |register, width, _| {
            if result.is_ok() {
                result = self.operand(*register, width);
            }
        });
        result?;
        if let Some(label) = inst.label() {
            let count = self.kernel.code.len();
            if label as usize >= count {
                return Err(format!("a jump to {label} of {count}"));
            }
        }
        let Some((table, index)) = inst.table_index() else { return Ok(()) };
        let (what, count) = match table {
            Table::ConvergenceBarriers => {
                ("convergence barrier", usize::from(self.kernel.barriers))
            }
            Table::Variables => ("variable", self.kernel.variables.len()),
            Table::Prints => ("printf", self.kernel.prints.len()),
            Table::Traps => ("trap", self.kernel.traps.len()),
        };
        if usize::from(index) < count { Ok(()) } else { Err(format!("{what} {index} of {count}")) }
    }

    /// The registers of an operand exist, and pairs begin at even ones.
    fn operand(&self, register: Reg, width: Width) -> Result<(), String> {
        let count = self.kernel.registers;
        if u32::from(register) + u32::from(width.slots()) > u32::from(count) {
            return Err(format!("register {register} of {count}"));
        }
        if width.is_wide() && !register.is_multiple_of(2) {
            return Err(format!("a pair of registers at the odd number {register}"));
        }
        Ok(())
    }
}
