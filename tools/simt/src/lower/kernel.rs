//! Lowers one kernel: parameters, storage of variables, and the final assembly of the bytecode.

use super::debug::DebugInfo;
use super::instruction_builder::{Builder, MAX_REGISTERS};
use super::layout;
use super::location::{Cleanup, Location};
use super::recursion::Subroutine;
use super::{fma_contraction, register_allocation};
use crate::diagnostic::{Diagnostic, Span};
use crate::isa::{Debug, Home as At, Inst, Kernel, Object, Param, Preload, Reg};
use crate::reported::Reported;
use crate::sema::tree::{Expr, FileSharedId, Function, Home, Var, VarId};
use crate::sema::types::{Kind, Type, Types, align_up};
use crate::stack::Stack;
use crate::syntax::ast::Prim;
use crate::{Sources, isa};
use std::collections::HashMap;
use std::rc::Rc;

/// The limit of instructions per kernel.
const MAX_CODE: usize = 1_000_000;

/// The limit of parameter bytes.
const MAX_PARAMS: u64 = 32_764;

pub(super) type Lowered<T> = Result<T, Reported>;

/// Identifies a variable of the kernel.
#[derive(PartialEq, Eq, Hash)]
enum Key {
    /// A `__shared__` variable at file scope.
    FileScope(FileSharedId),
    /// A variable of a function, which is named by its address, at a depth of its recursion.
    Local(*const Function, usize, VarId),
}

/// A function being inlined.
pub(super) struct Frame {
    pub(super) function: Rc<Function>,
    pub(super) slots: Vec<Option<Location>>,
    /// For each reference parameter: the definedness slots of its argument.
    pub(super) reference_slots: HashMap<VarId, Vec<(Option<u32>, u16)>>,
    pub(super) this: Option<Location>,
    /// Named return value optimisation: the local variable that shares the result's storage.
    pub(super) result: Option<(VarId, Location)>,
    pub(super) returns: Returns,
    /// What a `return` of [`Returns::Location`] refers to.
    pub(super) referent: Option<Location>,
}

/// What a `return` does.
#[derive(Debug, Clone, Copy)]
pub(super) enum Returns {
    /// The kernel ends.
    Exit,
    /// The value goes to `into`, if there is one. Control goes to `end`, where `regions` convergence
    /// regions are open.
    Inline { into: Option<Location>, end: super::instruction_builder::Label, regions: usize },
    /// The address of the referent goes to `into`; otherwise like `Inline`.
    Address { into: Reg, end: super::instruction_builder::Label, regions: usize },
    /// The referent goes to [`Frame::referent`], and control falls through to the caller's code.
    Location,
}

/// Where `break` and `continue` go.
pub(super) struct Target {
    pub(super) exit: super::instruction_builder::Label,
    pub(super) exit_regions: usize,
    /// `None` for a `switch`.
    pub(super) next: Option<(super::instruction_builder::Label, usize)>,
    /// How many of [`Lower::cleanups`] a jump there leaves pending.
    pub(super) pending: usize,
}

/// The objects of a module that are made for large parameters and string literals.
#[derive(Debug, Default)]
pub(super) struct Constants {
    pub(super) objects: Vec<Object>,
    /// The number of each string literal: kernels that inline one function share those of it.
    texts: HashMap<(Span, Vec<u8>), usize>,
}

/// The state of lowering one kernel.
pub(super) struct Lower<'a> {
    pub(super) types: &'a Types,
    pub(super) sources: &'a Sources,
    pub(super) diagnostics: &'a mut Vec<Diagnostic>,
    pub(super) code: Builder,
    pub(super) frames: Vec<Frame>,
    /// The barriers of the open convergence regions, innermost last.
    pub(super) regions: Vec<u16>,
    pub(super) targets: Vec<Target>,
    /// The lists of statements with labels, innermost last.
    pub(super) labelled: Vec<super::goto::Labelled>,
    /// The cleanup stack of the function: objects and their destructors, in order of construction.
    pub(super) cleanups: Vec<(Cleanup, Rc<Function>)>,
    /// The recursive functions whose bodies are being lowered as subroutines, innermost last.
    pub(super) subroutines: Vec<Subroutine>,
    /// The targets of the updates being lowered: see [`crate::sema::tree::ExprKind::Current`].
    pub(super) current: Vec<(Location, Type, Span)>,
    /// Operands whose value is known already: see [`Lower::right_side_first`].
    pub(super) evaluated: Vec<(*const Expr, Reg)>,
    pub(super) traps: Vec<String>,
    /// The condition code register of `add.cc` and its kin, where inline assembly uses it.
    pub(super) carry: Option<Reg>,
    pub(super) names: DebugInfo,
    shared: Vec<Object>,
    shared_bytes: u64,
    /// Where dynamic shared memory begins: at a multiple of this.
    dynamic_align: u64,
    locals: Vec<Object>,
    local_bytes: u64,
    objects: HashMap<Key, Location>,
    variables: Vec<(String, Span)>,
    definedness: HashMap<(Key, Option<u32>), u16>,
    pub(super) depth: usize,
    pub(super) blocks: usize,
    pub(super) stack: Stack,
    /// Module-level objects made for large parameters and string literals.
    globals: &'a mut Constants,
    /// The number of the first of these objects in the module.
    first: usize,
}

/// Lowers one kernel; `None` if that failed, with the reason among `diagnostics`.
pub(super) fn lower(
    function: &Rc<Function>,
    types: &Types,
    sources: &Sources,
    diagnostics: &mut Vec<Diagnostic>,
    globals: &mut Constants,
    first: usize,
) -> Option<Kernel> {
    let mut it = Lower {
        types,
        sources,
        diagnostics,
        code: Builder::default(),
        frames: Vec::new(),
        regions: Vec::new(),
        targets: Vec::new(),
        labelled: Vec::new(),
        cleanups: Vec::new(),
        subroutines: Vec::new(),
        current: Vec::new(),
        evaluated: Vec::new(),
        traps: Vec::new(),
        carry: None,
        names: DebugInfo::default(),
        shared: Vec::new(),
        shared_bytes: 0,
        dynamic_align: 16,
        locals: Vec::new(),
        local_bytes: 0,
        objects: HashMap::new(),
        variables: Vec::new(),
        definedness: HashMap::new(),
        depth: 0,
        blocks: 0,
        stack: Stack::here(),
        globals,
        first,
    };
    let scope = it.open_scope();
    let params = it.enter(function).ok()?;
    it.statements(&function.body).ok()?;
    let end = Span { start: function.span.start, ..function.span };
    it.code.emit(end, Inst::Exit);
    it.close_scope(scope);
    it.finish(function, params).ok()
}

impl Lower<'_> {
    pub(super) fn error<T>(&mut self, error: Diagnostic) -> Lowered<T> {
        let span = self.code.user_span(error.span);
        self.diagnostics.push(Diagnostic { span, ..error });
        Err(Reported)
    }

    pub(super) fn unsupported<T>(
        &mut self,
        span: Span,
        construct: impl std::fmt::Display,
    ) -> Lowered<T> {
        self.diagnostics.push(Diagnostic::unsupported(self.code.user_span(span), construct));
        Err(Reported)
    }

    /// Whether the kernel exceeds its limits: inlining can double the code at every call.
    pub(super) fn is_too_large(&self) -> bool {
        self.code.overflow || self.code.insts.len() > MAX_CODE
    }

    pub(super) fn kernel_too_large<T>(&mut self, span: Span) -> Lowered<T> {
        self.unsupported(
            span,
            format!(
                "a kernel of more than {MAX_CODE} instructions or {MAX_REGISTERS} values (all its \
                 calls are inlined)"
            ),
        )
    }

    pub(super) fn frame(&mut self) -> &mut Frame {
        let last = self.frames.len() - 1;
        &mut self.frames[last]
    }

    pub(super) fn var(&self, id: VarId) -> &Var {
        &self.frames[self.frames.len() - 1].function.vars[id as usize]
    }

    fn key(&self, id: VarId) -> Key {
        if let Some(shared) = self.var(id).file_scope {
            return Key::FileScope(shared);
        }
        let frame = &self.frames[self.frames.len() - 1];
        // All levels of a recursion use the same shared variable.
        let own = frame.function.vars[id as usize].home == Home::Own;
        let depth = if own { self.recursion(&frame.function) } else { 0 };
        Key::Local(Rc::as_ptr(&frame.function), depth, id)
    }

    /// The number of calls of the function on the inlining stack.
    pub(super) fn recursion(&self, function: &Rc<Function>) -> usize {
        self.frames.iter().filter(|f| Rc::ptr_eq(&f.function, function)).count()
    }

    /// Pushes the kernel's own frame, whose parameters are preloaded.
    fn enter(&mut self, function: &Rc<Function>) -> Lowered<(Vec<Param>, u32)> {
        let frame = Frame {
            function: function.clone(),
            slots: vec![None; function.vars.len()],
            reference_slots: HashMap::new(),
            this: None,
            result: None,
            returns: Returns::Exit,
            referent: None,
        };
        self.frames.push(frame);
        let mut offset = 0u64;
        let mut params = Vec::new();
        for (i, var) in function.vars[..function.params].iter().enumerate() {
            offset = align_up(offset, self.types.align_of(&var.ty));
            let size = self.types.size_of(&var.ty);
            params.push(Param {
                name: var.name.to_string(),
                ty: self.types.spell(&var.ty),
                offset: offset as u32,
                size: size as u32,
                pointee: var.ty.pointee().map(|p| layout::element(self.types, p)),
                object: None,
            });
            let leaves = layout::leaves(self.types, &var.ty);
            let Some(leaves) = leaves.filter(|_| !self.is_tensor_map(i as VarId)) else {
                let object = self.constant_parameter(i as VarId)?;
                if let Some(last) = params.last_mut() {
                    last.object = Some(object);
                }
                offset += size;
                continue;
            };
            let parts: Vec<(u16, Preload)> = leaves
                .iter()
                .map(|l| {
                    (l.slot, Preload::Param { offset: (offset + l.offset) as u32, ty: l.memory() })
                })
                .collect();
            let from = self.code.preload_group(layout::slots(&leaves), &parts);
            let (begun, moved) = (self.code.insts.len(), var.written || var.addressed);
            let place = if moved {
                let place = self.allocate_variable(i as VarId)?;
                self.store_value(&place, &var.ty, from, var.span, false)?;
                place
            } else {
                Location::Reg(from)
            };
            self.frame().slots[i] = Some(place);
            self.record_variable(i as VarId, place, begun, moved);
            offset += size;
        }
        if offset > MAX_PARAMS {
            return self
                .unsupported(function.span, format!("more than {MAX_PARAMS} bytes of parameters"));
        }
        Ok((params, align_up(offset, 8) as u32))
    }

    /// The address of a string literal, which is an object with a terminating zero.
    pub(super) fn text(&mut self, text: &[u8], span: Span) -> Lowered<Reg> {
        let initial = [text, &[0]].concat();
        let span = self.code.user_span(span);
        let next = self.globals.objects.len();
        let number = *self.globals.texts.entry((span, initial.clone())).or_insert(next);
        let Ok(global) = u16::try_from(self.first + number) else {
            return self.unsupported(
                span,
                "more string literals and large parameters than a module can number",
            );
        };
        if number == next {
            self.globals.objects.push(Object {
                name: "a string literal".to_string(),
                element: layout::element(self.types, &Prim::Char.into()),
                scalar: false,
                size: initial.len() as u32,
                offset: 0,
                dynamic: false,
                initial,
                constant: false,
                managed: false,
                span,
            });
        }
        Ok(self.code.preload(Preload::Global(global), true))
    }

    /// Whether a parameter has the size and the alignment of a tensor map. Its address leads to the
    /// constant bank, not to a copy: it is `const __grid_constant__`.
    fn is_tensor_map(&self, id: VarId) -> bool {
        let ty = &self.var(id).ty;
        (self.types.size_of(ty), self.types.align_of(ty)) == (128, 64)
    }

    /// A parameter that does not fit in registers stays in constant memory. If the kernel modifies it
    /// or takes its address, it gets a copy in local memory.
    fn constant_parameter(&mut self, id: VarId) -> Lowered<u16> {
        let var = self.var(id).clone();
        let Ok(number) = u16::try_from(self.first + self.globals.objects.len()) else {
            return self.unsupported(
                var.span,
                "more string literals and large parameters than a module can number",
            );
        };
        self.globals.objects.push(Object {
            name: var.name.to_string(),
            element: layout::element(self.types, &var.ty),
            scalar: true,
            size: self.types.size_of(&var.ty) as u32,
            offset: 0,
            dynamic: false,
            initial: Vec::new(),
            constant: true,
            managed: false,
            span: self.code.user_span(var.span),
        });
        let mut place = Location::at(self.code.preload(Preload::Global(number), true));
        let changed = var.written || var.addressed || var.partially_written;
        if changed && !self.is_tensor_map(id) {
            let copy = self.allocate_variable(id)?;
            if let (Location::Mem(to), Location::Mem(from)) = (&copy, &place) {
                self.copy_memory(*to, *from, &var.ty, var.span)?;
            }
            place = copy;
        }
        self.frame().slots[id as usize] = Some(place);
        Ok(number)
    }

    /// Allocates the storage of a variable: registers, or an object in memory.
    pub(super) fn allocate_variable(&mut self, id: VarId) -> Lowered<Location> {
        let var = self.var(id).clone();
        let key = self.key(id);
        if let Some(place) = self.objects.get(&key) {
            return Ok(*place);
        }
        let leaves = layout::leaves(self.types, &var.ty);
        if let (Home::Own, false, Some(leaves)) = (var.home, var.addressed, leaves) {
            return Ok(Location::Reg(self.code.registers(layout::slots(&leaves))));
        }
        if var.home == Home::Own {
            let place = self.stack_slot(&var.name.to_string(), &var.ty, var.align, var.span)?;
            self.objects.insert(key, place);
            return Ok(place);
        }
        let size = self.types.size_of(&var.ty);
        let dynamic = var.home == Home::DynamicShared;
        let mut object =
            Object { dynamic, ..self.object(&var.name.to_string(), &var.ty, var.span) };
        let align = self.types.align_of(&var.ty).max(4).max(var.align);
        if dynamic {
            self.dynamic_align = self.dynamic_align.max(align);
        } else {
            let offset = align_up(self.shared_bytes, align);
            self.shared_bytes = offset + size;
            if self.shared_bytes > 227 * 1024 {
                let message =
                    format!("`{}` makes this more shared memory than any block has", var.name);
                self.diagnostics.push(Diagnostic::error("limit", var.span, message).with_help(
                    "a block has 48 KiB of static shared memory, and up to 227 KiB of dynamic",
                ));
                return Err(Reported);
            }
            object.offset = offset as u32;
        }
        self.shared.push(object);
        let preload = Preload::Shared(self.shared.len() as u16 - 1);
        let base = self.code.preload(preload, true);
        let place = Location::at(base);
        self.objects.insert(key, place);
        Ok(place)
    }

    /// Allocates an object in the thread's local memory; in a subroutine one per level.
    pub(super) fn stack_slot(
        &mut self,
        name: &str,
        ty: &Type,
        align: u64,
        span: Span,
    ) -> Lowered<Location> {
        let Some((level, levels)) = self.innermost_level() else {
            return self.local_object(name, ty, align, span).map(Location::at);
        };
        let size = align_up(self.types.size_of(ty), self.types.align_of(ty).max(align));
        let all = Type::from(Kind::Array(Rc::new(Type::from(Prim::UChar)), size * levels));
        let base = self.local_object(name, &all, self.types.align_of(ty).max(align), span)?;
        if let Some(object) = self.locals.last_mut() {
            object.element = layout::element(self.types, ty);
        }
        let index = isa::Index::U32(level);
        Ok(Location::Mem(isa::Addr { base, index, scale: size as u32, offset: 0 }))
    }

    /// Allocates an object in the thread's local memory, and returns its address.
    pub(super) fn local_object(
        &mut self,
        name: &str,
        ty: &Type,
        align: u64,
        span: Span,
    ) -> Lowered<Reg> {
        let size = self.types.size_of(ty);
        let offset = align_up(self.local_bytes, self.types.align_of(ty).max(align));
        self.local_bytes = offset + size;
        if self.local_bytes > 512 * 1024 {
            return self.unsupported(span, "more than 512 KiB of local memory per thread");
        }
        self.locals.push(self.object(name, ty, span));
        if let Some(last) = self.locals.last_mut() {
            last.offset = offset as u32;
        }
        let preload = Preload::Local(self.locals.len() as u16 - 1);
        Ok(self.code.preload(preload, true))
    }

    fn object(&self, name: &str, ty: &Type, span: Span) -> Object {
        let mut inner = ty;
        while let Kind::Array(next, _) = &inner.kind {
            inner = next;
        }
        Object {
            name: name.to_string(),
            element: layout::element(self.types, inner),
            scalar: std::ptr::eq(inner, ty),
            size: u32::try_from(self.types.size_of(ty)).unwrap_or(u32::MAX),
            offset: 0,
            dynamic: false,
            initial: Vec::new(),
            constant: false,
            managed: false,
            span: self.code.user_span(span),
        }
    }

    /// The definedness slot of a variable or of one of its members, if it has one: at run time a
    /// slot says whether each lane has assigned a value.
    pub(super) fn definedness_slot(&mut self, id: VarId, member: Option<u32>) -> Option<u16> {
        // The levels of a subroutine would share it.
        if !self.subroutines.is_empty() {
            return None;
        }
        let var = self.var(id);
        if var.reference {
            let reference_slots = self.frame().reference_slots.get(&id)?;
            return reference_slots
                .iter()
                .find(|(part, _)| *part == member)
                .map(|(_, number)| *number);
        }
        let mut name = var.name.to_string();
        match (member, &var.ty.kind) {
            (None, _) if var.tracked => {}
            (Some(member), Kind::Struct(index)) if var.tracked_members.contains(&member) => {
                name = format!("{name}.{}", self.types.get(*index).fields[member as usize].name);
            }
            _ => return None,
        }
        let span = self.code.user_span(var.span);
        let key = (self.key(id), member);
        if let Some(number) = self.definedness.get(&key) {
            return Some(*number);
        }
        self.variables.push((name, span));
        let number = self.variables.len() as u16 - 1;
        self.definedness.insert(key, number);
        Some(number)
    }

    /// All definedness slots of a variable, each with the member that it belongs to.
    pub(super) fn definedness_slots(&mut self, id: VarId) -> Vec<(Option<u32>, u16)> {
        if self.var(id).reference {
            return self.frame().reference_slots.get(&id).cloned().unwrap_or_default();
        }
        let members = self.var(id).tracked_members.clone();
        std::iter::once(None)
            .chain(members.into_iter().map(Some))
            .filter_map(|part| Some((part, self.definedness_slot(id, part)?)))
            .collect()
    }

    fn finish(mut self, function: &Rc<Function>, params: (Vec<Param>, u32)) -> Lowered<Kernel> {
        if self.is_too_large() {
            return self.kernel_too_large(function.span);
        }
        self.code.remove_jumps_to_next();
        fma_contraction::contract(&mut self.code);
        self.code.remove_jumps_to_next();
        self.code.resolve_labels();
        let (registers, preloads) = register_allocation::allocate(&mut self.code);
        let order = self.place_shared();
        let now = |old: u16| order.iter().position(|i| *i == usize::from(old)).unwrap_or(0) as u16;
        let preloads = preloads.into_iter().map(|(r, p)| match p {
            Preload::Shared(i) => (r, Preload::Shared(now(i))),
            other => (r, other),
        });
        let preloads = preloads.collect();
        for life in &mut self.code.lives {
            if let At::Shared(object) = &mut life.home {
                *object = now(*object);
            }
        }
        let copied = self.code.copied_parts();
        let debug = Debug { variables: self.names.variables, lives: self.code.lives };
        Ok(Kernel {
            name: function.name.to_string(),
            params: params.0,
            param_bytes: params.1,
            copied,
            code: self.code.insts,
            spans: self.code.spans,
            registers,
            preloads,
            barriers: self.code.barriers,
            shared: self.shared,
            shared_bytes: self.shared_bytes as u32,
            locals: self.locals,
            local_bytes: self.local_bytes as u32,
            variables: self.variables,
            debug,
            prints: self.code.prints,
            traps: self.traps,
            max_threads: function.max_threads,
            cluster: function.cluster,
            span: function.span,
        })
    }

    /// Sorts dynamic shared objects behind the static ones, and gives all of them the first address
    /// after these. Returns the old numbers in the new order.
    fn place_shared(&mut self) -> Vec<usize> {
        let dynamic_at = align_up(self.shared_bytes, self.dynamic_align) as u32;
        let mut order: Vec<usize> = (0..self.shared.len()).collect();
        order.sort_by_key(|i| self.shared[*i].dynamic);
        let mut sorted: Vec<Object> = order.iter().map(|i| self.shared[*i].clone()).collect();
        for object in sorted.iter_mut().filter(|o| o.dynamic) {
            object.offset = dynamic_at;
        }
        self.shared = sorted;
        order
    }

    /// A constant of 32 or 64 bits.
    pub(super) fn constant(&mut self, bits: u64, wide: bool) -> Reg {
        let bits = if wide { bits } else { bits & 0xffff_ffff };
        self.code.preload(Preload::Const { bits, wide }, wide)
    }

    /// The type in which arithmetic on `ty` is computed.
    pub(super) fn ty_of(&self, ty: &Type) -> isa::Ty {
        self.types.scalar(ty).map_or(isa::Ty::I32, |p| p.ty())
    }
}
