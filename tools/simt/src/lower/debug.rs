//! What a debugger wants to know: which variable is where, and over which instructions.
//!
//! A life begins where the variable's place becomes known and ends with its scope, as places in
//! the code that is being written; [`super::code`] moves them along when instructions go away, and
//! [`super::allocate`] keeps the registers for the whole of it. No instruction is written for any
//! of this: a kernel is the same whether somebody looks or not.

use super::kernel::Lower;
use super::layout;
use super::place::Place;
use crate::isa::{Home, Index, Layout, Life, Preload, Scalar, Variable};
use crate::sema::tree::{Function, VarId};
use crate::sema::types::{Kind, Type, Types};
use crate::syntax::ast::Prim;
use std::collections::HashMap;

/// Scalars of one variable at most.
const MAX_SCALARS: usize = 64;

/// What was written down so far.
#[derive(Debug, Default)]
pub(super) struct Names {
    pub(super) variables: Vec<Variable>,
    known: HashMap<(*const Function, VarId), u32>,
    /// The lives that have not ended, as indices into [`super::code::Code::lives`].
    open: Vec<usize>,
}

/// The scopes that are open.
#[derive(Debug, Clone, Copy)]
pub(super) struct Mark(usize);

impl Lower<'_> {
    /// A scope begins.
    pub(super) fn open_scope(&self) -> Mark {
        Mark(self.names.open.len())
    }

    /// It ends, and with it what was declared in it.
    pub(super) fn close_scope(&mut self, mark: Mark) {
        let here = self.code.insts.len() as u32;
        for life in self.names.open.drain(mark.0..) {
            self.code.lives[life].scope.end = here;
        }
    }

    /// The variables declared since then may be in scope without their declarations' having been
    /// passed: they hold nothing from `from` on.
    pub(super) fn begin_scope_at(&mut self, mark: Mark, from: usize) {
        for life in &self.names.open[mark.0..] {
            self.code.lives[*life].scope.start = from as u32;
        }
    }

    /// A variable is at a place, since the instruction number `from`. `fresh`: it holds nothing at
    /// first.
    pub(super) fn live(&mut self, id: VarId, place: Place, from: usize, fresh: bool) {
        let frame = &self.frames[self.frames.len() - 1];
        let function = &frame.function;
        let var = &function.vars[id as usize];
        // What the compiler made up for itself, and what stands in its own headers.
        if var.name.is_empty() || function.span.is_built_in() {
            return;
        }
        let key = (std::rc::Rc::as_ptr(function), id);
        let variable = match self.names.known.get(&key) {
            Some(index) => *index,
            None => {
                let mut spelt = self.types.spell(&var.ty);
                if var.reference {
                    spelt.push('&');
                }
                self.names.variables.push(Variable {
                    name: var.name.to_string(),
                    ty: spelt,
                    function: function.name.to_string(),
                    span: var.span,
                    layout: value_layout(self.types, &var.ty),
                    element: element_layout(self.types, &var.ty),
                });
                let index = self.names.variables.len() as u32 - 1;
                self.names.known.insert(key, index);
                index
            }
        };
        let home = match place {
            Place::Reg(reg) => Home::Registers(reg),
            Place::Mem(addr) if addr.index == Index::None && addr.offset == 0 => {
                match self.code.preload_in(addr.base) {
                    Some(Preload::Shared(object)) => Home::Shared(object),
                    Some(Preload::Local(object)) => Home::Local(object),
                    _ => Home::Address(addr.base),
                }
            }
            Place::Mem(_) => Home::Nowhere,
        };
        self.names.open.push(self.code.lives.len());
        self.code.lives.push(Life { variable, home, scope: from as u32..from as u32, fresh });
    }
}

/// How the bits of an array's innermost element are read, and how many bytes it has.
fn element_layout(types: &Types, ty: &Type) -> Option<(Layout, u32)> {
    let Kind::Array(element, _) = &ty.kind else { return None };
    let mut element = element;
    while let Kind::Array(inner, _) = &element.kind {
        element = inner;
    }
    Some((value_layout(types, element)?, types.size_of(element).max(1) as u32))
}

/// How a value's bits are read, in registers and in memory.
fn value_layout(types: &Types, ty: &Type) -> Option<Layout> {
    let slots = layout::leaves(types, ty).unwrap_or_default();
    let mut left = MAX_SCALARS;
    collect(types, ty, 0, &mut left, &|offset| {
        slots.iter().find(|l| l.offset == offset).map_or(0, |l| l.slot)
    })
}

fn collect(
    types: &Types,
    ty: &Type,
    offset: u64,
    left: &mut usize,
    slot: &dyn Fn(u64) -> u16,
) -> Option<Layout> {
    if let Some(scalar) = scalar(types, ty) {
        *left = left.checked_sub(1)?;
        return Some(Layout::Scalar { scalar, slot: slot(offset), offset: offset as u32 });
    }
    match &ty.kind {
        Kind::Array(element, n) => {
            let step = types.size_of(element);
            let elements = (0..*n).map(|i| collect(types, element, offset + i * step, left, slot));
            elements.collect::<Option<Vec<_>>>().map(Layout::Array)
        }
        Kind::Struct(i) if !types.get(*i).union => {
            let fields = types.get(*i).fields.iter();
            let members = fields.map(|f| {
                let member = collect(types, &f.ty, offset + f.offset, left, slot)?;
                Some((f.name.to_string(), member))
            });
            members.collect::<Option<Vec<_>>>().map(Layout::Struct)
        }
        _ => None,
    }
}

fn scalar(types: &Types, ty: &Type) -> Option<Scalar> {
    if ty.pointee().is_some() || ty.kind == Kind::Null {
        return Some(Scalar::Pointer);
    }
    Some(match types.scalar(ty)? {
        Prim::Void => return None,
        Prim::Bool => Scalar::Bool,
        Prim::Char | Prim::SChar => Scalar::I8,
        Prim::UChar => Scalar::U8,
        Prim::Short => Scalar::I16,
        Prim::UShort => Scalar::U16,
        Prim::Int => Scalar::I32,
        Prim::UInt => Scalar::U32,
        Prim::Long | Prim::LongLong => Scalar::I64,
        Prim::ULong | Prim::ULongLong => Scalar::U64,
        Prim::Float => Scalar::F32,
        Prim::Double => Scalar::F64,
        Prim::Half => Scalar::F16,
        Prim::BFloat16 => Scalar::Bf16,
        Prim::Half2 => Scalar::F16x2,
        Prim::BFloat162 => Scalar::Bf16x2,
    })
}
