//! Lowers recursive calls: inlined near the surface, and a subroutine with a stack below.
//!
//! Where a function calls itself once, its first levels are inlined like any call. What goes deeper,
//! and recursion that branches, runs one copy of the body. A call there saves the registers that are
//! needed after it to the thread's local memory, and jumps to the start of the body. A return goes to
//! the instructions behind the call, which restore them. Variables in memory are arrays with an element
//! per level. The lanes of a warp may be at different levels; convergence regions inside the body are
//! left when a lane goes deeper, and all lanes reconverge at the end of the outermost call.

use super::instruction_builder::Label;
use super::kernel::{Lower, Lowered, Returns};
use super::layout;
use super::location::Location;
use crate::diagnostic::Span;
use crate::isa::operands::{visit, visit_print};
use crate::isa::{Addr, BinOp, CmpOp, Index, Inst, MemTy, Reg, Successor, Ty};
use crate::sema::tree::{Expr, Function, Recursion};
use crate::sema::types::{Kind, Type};
use crate::syntax::ast::Prim;
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

/// The inlined levels of a function that calls itself at one place.
const INLINED: usize = 20;

/// The levels of a subroutine.
const LEVELS: u64 = 128;

/// Local memory for the variables of all levels. With more of them there are fewer levels.
const STACK_BYTES: u64 = 64 * 1024;

/// A recursive function whose body is being lowered as a subroutine.
pub(super) struct Subroutine {
    function: Rc<Function>,
    /// The first instruction of the body.
    entry: Label,
    /// Where a `return` goes.
    back: Label,
    /// The level that runs, counted from 0.
    level: Reg,
    levels: u64,
    /// The address of the object of a method.
    this: Option<Reg>,
    /// Per parameter its value, or its address if it is a reference.
    parameters: Vec<Reg>,
    result: Option<Reg>,
    /// The number of the call that each level came from: an array in local memory.
    callers: Reg,
    sites: Vec<Site>,
}

/// A call inside the body.
struct Site {
    /// Where registers are saved, and where they are restored.
    save: Label,
    restore: Label,
}

/// A register that is saved, and whether it is a pair.
type Unit = (Reg, bool);

impl Lower<'_> {
    /// A call of a function from inside itself.
    pub(super) fn call_recursive(
        &mut self,
        recursion: &Recursion,
        object: Option<&Expr>,
        args: &[Expr],
        into: Option<Location>,
        span: Span,
    ) -> Lowered<Option<Reg>> {
        let Some(function) = recursion.function.get().cloned() else {
            let what = "a recursive call of a function whose check has failed";
            return self.unsupported(span, what);
        };
        if let Some(at) = self.subroutines.iter().position(|s| Rc::ptr_eq(&s.function, &function)) {
            if at + 1 == self.subroutines.len() {
                return self.call_again(object, args, span);
            }
            let what = format!(
                "`{}` and another function that calls itself, each of which calls the other",
                function.name
            );
            return self.unsupported(span, what);
        }
        let in_memory = object.is_none() || recursion.of_method.get();
        let fits = in_memory && self.fits_subroutine(&function);
        // Each inlined level has one copy per call inside it.
        let inlined = match (recursion.sites.get(), fits) {
            (0 | 1, _) => INLINED,
            (_, true) => 1,
            (2, false) => 8,
            (3, false) => 5,
            _ => 3,
        };
        if self.recursion(&function) < inlined {
            return self.call_into(&function, object, args, into, span);
        }
        if fits {
            return self.call_subroutine(&function, object, args, span);
        }
        let words = format!(
            "`{}` calls itself more than {inlined} levels deep: the simulator copies it into itself that often, and no more, because it passes or returns a value that is too large for registers",
            function.name
        );
        self.trap(words, span);
        Ok(match self.result(&function.returns, span)? {
            Some(Location::Reg(reg)) => Some(reg),
            _ => None,
        })
    }

    /// Whether parameters and result fit in registers.
    fn fits_subroutine(&self, function: &Function) -> bool {
        let in_registers = |ty: &Type| layout::leaves(self.types, ty).is_some();
        let mut parameters = function.vars[..function.params].iter();
        !function.reference
            && (function.returns.is(Prim::Void) || in_registers(&function.returns))
            && parameters.all(|var| var.reference || in_registers(&var.ty) && var.destroy.is_none())
    }

    /// The outermost call: makes the subroutine, and runs it from level 0.
    fn call_subroutine(
        &mut self,
        function: &Rc<Function>,
        object: Option<&Expr>,
        args: &[Expr],
        span: Span,
    ) -> Lowered<Option<Reg>> {
        // The address is in a register of its own, which calls inside the body write.
        let this = self.given_object(object, span)?;
        let given = self.given(function, args)?;
        let parameters: Vec<Reg> = function.vars[..function.params]
            .iter()
            .map(|var| self.code.registers(self.parameter_slots(var.reference, &var.ty)))
            .collect();
        let levels = self.levels(function);
        let callers = self.stack_object("the calls that are open", 4 * levels, 4, span)?;
        let level = self.code.registers(1);
        let zero = self.constant(0, false);
        self.code.emit(span, Inst::Mov { wide: false, d: level, a: zero });
        self.pass(function, &given, &parameters, span);
        let result = match self.result(&function.returns, span)? {
            Some(Location::Reg(reg)) => Some(reg),
            _ => None,
        };
        let (entry, back, out) = (self.code.label(), self.code.label(), self.code.label());
        let region = self.open_region(out, span);
        self.code.bind(entry);
        self.subroutines.push(Subroutine {
            function: function.clone(),
            entry,
            back,
            level,
            levels,
            this,
            parameters: parameters.clone(),
            result,
            callers,
            sites: Vec::new(),
        });
        let into = result.map(Location::Reg);
        let returns = Returns::Inline { into, end: back, regions: self.regions.len() };
        let body = self.subroutine_body(function, this, &parameters, returns, span);
        let made = self.subroutines.pop();
        body?;
        self.code.bind(back);
        if let Some(made) = made {
            self.dispatch_returns(&made, out, span);
            self.save_registers(&made, span)?;
        }
        self.close_region(region, out, span);
        Ok(result)
    }

    /// A call inside the body of a subroutine.
    fn call_again(
        &mut self,
        object: Option<&Expr>,
        args: &[Expr],
        span: Span,
    ) -> Lowered<Option<Reg>> {
        let last = self.subroutines.len() - 1;
        let function = self.subroutines[last].function.clone();
        let this = self.given_object(object, span)?;
        let given = self.given(&function, args)?;
        let (save, restore) = (self.code.label(), self.code.label());
        let it = &mut self.subroutines[last];
        it.sites.push(Site { save, restore });
        let (level, levels, callers) = (it.level, it.levels, it.callers);
        let (entry, result, number) = (it.entry, it.result, it.sites.len() as u64 - 1);
        let (own, parameters) = (it.this, it.parameters.clone());

        let most = self.constant(levels - 1, false);
        let deep = self.code.registers(1);
        let compare = Inst::Compare { op: CmpOp::Ge, ty: Ty::U32, d: deep, a: level, b: most };
        self.code.emit(span, compare);
        self.code.emit(span, Inst::Branch { cond: deep, when: false, target: save });
        let inlined = self.recursion(&function) as u64 - 1;
        let words = format!(
            "`{}` calls itself more than {} levels deep: the simulator has no more stack for it",
            function.name,
            inlined + levels
        );
        self.trap(words, span);

        self.code.bind(save);
        let number = self.constant(number, false);
        let addr = Addr { base: callers, index: Index::U32(level), scale: 4, offset: 0 };
        self.code
            .emit(span, Inst::Store { ty: MemTy::B32, n: 1, volatile: false, a: number, addr });
        if let (Some(d), Some(a)) = (own, this) {
            self.code.emit(span, Inst::Mov { wide: true, d, a });
        }
        self.pass(&function, &given, &parameters, span);
        self.count_level(BinOp::Add, level, span);
        self.code.emit(span, Inst::Jump { target: entry });

        // Registers are restored before this instruction; lanes that did not call jump past it.
        self.code.bind(restore);
        self.count_level(BinOp::Sub, level, span);
        let Some(result) = result else { return Ok(None) };
        let leaves = layout::leaves(self.types, &function.returns).unwrap_or_default();
        let d = self.code.registers(layout::slots(&leaves));
        self.copy(d, result, &leaves, span);
        Ok(Some(d))
    }

    fn count_level(&mut self, op: BinOp, level: Reg, span: Span) {
        let one = self.constant(1, false);
        self.code.emit(span, Inst::Binary { op, ty: Ty::U32, d: level, a: level, b: one });
    }

    /// The address of the object of a method.
    fn given_object(&mut self, object: Option<&Expr>, span: Span) -> Lowered<Option<Reg>> {
        let Some(object) = object else { return Ok(None) };
        let place = match object.place {
            true => self.location(object)?,
            false => self.materialize(object)?,
        };
        let Location::Mem(addr) = place else { return self.reference_to_register(object) };
        let a = self.fold_address(addr, span);
        let d = self.code.registers(2);
        self.code.emit(span, Inst::Mov { wide: true, d, a });
        Ok(Some(d))
    }

    /// The arguments: values, and addresses for references.
    fn given(&mut self, function: &Rc<Function>, args: &[Expr]) -> Lowered<Vec<Reg>> {
        if self.is_too_large() {
            return self.kernel_too_large(function.span);
        }
        let mut given = Vec::new();
        for (arg, var) in args.iter().zip(&function.vars) {
            let reg = if var.reference {
                let place = match arg.place {
                    true => self.location(arg)?,
                    false => self.materialize(arg)?,
                };
                match place {
                    Location::Mem(addr) => self.fold_address(addr, arg.span),
                    Location::Reg(_) => return self.reference_to_register(arg),
                }
            } else {
                self.value(arg)?
            };
            // A later argument, or the body, may change what is there.
            let own = self.code.registers(self.parameter_slots(var.reference, &var.ty));
            self.move_parameter(var.reference, &var.ty, own, reg, arg.span);
            given.push(own);
        }
        Ok(given)
    }

    /// A reference to what is in registers: at the level below it would mean something else.
    fn reference_to_register<T>(&mut self, arg: &Expr) -> Lowered<T> {
        self.unsupported(arg.span, "a recursive call with a reference to a value in registers")
    }

    fn parameter_slots(&self, reference: bool, ty: &Type) -> u16 {
        match layout::leaves(self.types, ty) {
            Some(leaves) if !reference => layout::slots(&leaves),
            _ => 2,
        }
    }

    fn move_parameter(&mut self, reference: bool, ty: &Type, to: Reg, from: Reg, span: Span) {
        match layout::leaves(self.types, ty) {
            Some(leaves) if !reference => self.copy(to, from, &leaves, span),
            _ => self.code.emit(span, Inst::Mov { wide: true, d: to, a: from }),
        }
    }

    /// Moves the arguments to where the body expects them.
    fn pass(&mut self, function: &Rc<Function>, given: &[Reg], parameters: &[Reg], span: Span) {
        for ((from, to), var) in given.iter().zip(parameters).zip(&function.vars) {
            self.move_parameter(var.reference, &var.ty, *to, *from, span);
        }
    }

    /// How many levels have room in local memory.
    fn levels(&self, function: &Function) -> u64 {
        let in_memory = function.vars.iter().filter(|var| {
            !var.reference && (var.addressed || layout::leaves(self.types, &var.ty).is_none())
        });
        let bytes: u64 = in_memory.map(|var| self.types.size_of(&var.ty)).sum();
        (STACK_BYTES / bytes.max(1)).clamp(8, LEVELS)
    }

    /// The innermost subroutine: its level, and the number of levels.
    pub(super) fn innermost_level(&self) -> Option<(Reg, u64)> {
        self.subroutines.last().map(|it| (it.level, it.levels))
    }

    /// Goes back to the call that the level came from; from level 0 out of the subroutine.
    fn dispatch_returns(&mut self, made: &Subroutine, out: Label, span: Span) {
        let zero = self.constant(0, false);
        let done = self.code.registers(1);
        let compare = Inst::Compare { op: CmpOp::Eq, ty: Ty::U32, d: done, a: made.level, b: zero };
        self.code.emit(span, compare);
        self.code.emit(span, Inst::Branch { cond: done, when: true, target: out });
        let Some((last, others)) = made.sites.split_last() else { return };
        if !others.is_empty() {
            let caller = self.code.registers(1);
            let index = Index::U32(made.level);
            let addr = Addr { base: made.callers, index, scale: 4, offset: -4 };
            let load = Inst::Load { ty: MemTy::B32, n: 1, volatile: false, d: caller, addr };
            self.code.emit(span, load);
            for (i, site) in others.iter().enumerate() {
                let number = self.constant(i as u64, false);
                let is = self.code.registers(1);
                let compare =
                    Inst::Compare { op: CmpOp::Eq, ty: Ty::U32, d: is, a: caller, b: number };
                self.code.emit(span, compare);
                self.code.emit(span, Inst::Branch { cond: is, when: true, target: site.restore });
            }
        }
        self.code.emit(span, Inst::Jump { target: last.restore });
    }

    /// Inserts the instructions that save and restore registers around each call.
    fn save_registers(&mut self, made: &Subroutine, span: Span) -> Lowered<()> {
        let ranges = self.ranges_in_body(made);
        let units = self.units_in_body(made);
        let at = |label: Label, l: &Self| l.code.labels[label as usize].unwrap_or(0);
        let mut plans = Vec::new();
        let mut frame = 0u32;
        for site in &made.sites {
            let (save, restore) = (at(site.save, self), at(site.restore, self));
            let mut offset = 0u32;
            let mut saved: Vec<(Unit, u32)> = Vec::new();
            for (&(reg, wide), &tuple) in &units {
                let Some((first, last)) = ranges.get(&tuple).copied() else { continue };
                if first < save && last >= restore {
                    let bytes = if wide { 8 } else { 4 };
                    offset = offset.next_multiple_of(bytes);
                    saved.push(((reg, wide), offset));
                    offset += bytes;
                }
            }
            frame = frame.max(offset.next_multiple_of(8));
            plans.push((save, restore, saved));
        }
        if frame == 0 {
            return Ok(());
        }
        let bytes = u64::from(frame) * made.levels;
        let stack = self.stack_object("saved registers", bytes, 8, span)?;
        let mut before: HashMap<usize, Vec<Inst>> = HashMap::new();
        for (save, restore, saved) in plans {
            for ((reg, wide), offset) in saved {
                let ty = if wide { MemTy::B64 } else { MemTy::B32 };
                let index = Index::U32(made.level);
                let addr = Addr { base: stack, index, scale: frame, offset: offset as i32 };
                let (n, volatile) = (1, false);
                let store = Inst::Store { ty, n, volatile, a: reg, addr };
                before.entry(save).or_default().push(store);
                // The level is still that of the function that has returned.
                let addr = Addr { offset: offset as i32 - frame as i32, ..addr };
                let load = Inst::Load { ty, n, volatile, d: reg, addr };
                before.entry(restore).or_default().push(load);
            }
        }
        let keep = vec![true; self.code.insts.len()];
        self.code.rebuild(&keep, &before);
        Ok(())
    }

    /// The live ranges of the register tuples that were made for the body, as
    /// [`super::register_allocation`] finds them; jumps to the start of the body are calls, and no
    /// loops.
    fn ranges_in_body(&mut self, made: &Subroutine) -> BTreeMap<u32, (usize, usize)> {
        let at = |label: Label, l: &Self| l.code.labels[label as usize].unwrap_or(0);
        let (entry, back) = (at(made.entry, self), at(made.back, self));
        let mut ranges: BTreeMap<u32, (usize, usize)> = BTreeMap::new();
        for i in entry..back {
            let mut note = |reg: Reg| {
                let tuple = self.code.tuple_of[usize::from(reg)];
                let made_at = self.code.tuples[tuple as usize].first_def;
                let range = ranges.entry(tuple).or_insert((made_at.min(i), i));
                range.1 = range.1.max(i);
            };
            if let Inst::Print { print } = self.code.insts[i] {
                let print = &mut self.code.prints[usize::from(print)];
                visit_print(print, &mut |reg, _, _| note(*reg));
            }
            let mut inst = self.code.insts[i];
            visit(&mut inst, &mut |reg, _, _| note(*reg));
        }
        let fixed =
            made.parameters.iter().chain(&made.result).chain(&made.this).chain([&made.level]);
        let fixed: Vec<u32> = fixed.map(|reg| self.code.tuple_of[usize::from(*reg)]).collect();
        ranges.retain(|tuple, _| {
            !self.code.tuples[*tuple as usize].preloaded && !fixed.contains(tuple)
        });
        for end in entry..back {
            let (Successor::Jump(label) | Successor::Branch(label)) =
                self.code.insts[end].successor()
            else {
                continue;
            };
            let Some(start) = self.code.labels[label as usize] else { continue };
            if label == made.entry || start > end {
                continue;
            }
            for (first, last) in ranges.values_mut() {
                if *first < start && *last >= start {
                    *last = (*last).max(end);
                }
            }
        }
        ranges
    }

    /// How the registers of the body are used, singly or in pairs, each with its tuple.
    fn units_in_body(&mut self, made: &Subroutine) -> BTreeMap<Unit, u32> {
        let at = |label: Label, l: &Self| l.code.labels[label as usize].unwrap_or(0);
        let mut units = BTreeMap::new();
        for i in at(made.entry, self)..at(made.back, self) {
            let mut inst = self.code.insts[i];
            let vector = match inst {
                Inst::Load { ty, d, .. } => Some((d, ty.slots())),
                Inst::Store { ty, a, .. } => Some((a, ty.slots())),
                _ => None,
            };
            let tuple_of = &self.code.tuple_of;
            let mut note = |reg: &mut Reg, slots: u16, _| {
                let step = vector.filter(|v| v.0 == *reg).map_or(slots, |v| v.1).max(1);
                for part in (0..slots).step_by(usize::from(step)) {
                    let reg = *reg + part;
                    units.insert((reg, step == 2), tuple_of[usize::from(reg)]);
                }
            };
            if let Inst::Print { print } = inst {
                visit_print(&mut self.code.prints[usize::from(print)], &mut note);
            }
            visit(&mut inst, &mut note);
        }
        units
    }

    /// An object in the thread's local memory that no variable names.
    fn stack_object(&mut self, name: &str, bytes: u64, align: u64, span: Span) -> Lowered<Reg> {
        let words = Kind::Array(Rc::new(Type::from(Prim::UInt)), bytes.div_ceil(4)).into();
        self.local_object(name, &words, align, span)
    }
}
