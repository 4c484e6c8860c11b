//! Debug information: the location of each variable over a range of instructions.
//!
//! A range begins where the location becomes known and ends with the variable's scope.
//! [`super::instruction_builder`] updates it when instructions are removed, and [`super::register_allocation`] keeps the
//! registers for all of it. Debug information costs no instructions.

use super::kernel::Lower;
use super::layout;
use super::location::Location;
use crate::isa::{Home, Index, Layout, Life, Preload, Scalar, Variable};
use crate::sema::tree::{Function, VarId};
use crate::sema::types::{Kind, Type, Types};
use crate::syntax::ast::Prim;
use std::collections::HashMap;

/// The limit of scalars per variable; a larger one is shown without its value.
const MAX_SCALARS: usize = 64;

/// The debug information collected so far.
#[derive(Debug, Default)]
pub(super) struct DebugInfo {
    pub(super) variables: Vec<Variable>,
    known: HashMap<(*const Function, VarId), u32>,
    /// The open ranges, as indices into [`super::instruction_builder::Builder::lives`].
    open: Vec<usize>,
}

/// A position on the stack of open ranges.
#[derive(Debug, Clone, Copy)]
pub(super) struct ScopeMark(usize);

impl Lower<'_> {
    /// Opens a scope.
    pub(super) fn open_scope(&self) -> ScopeMark {
        ScopeMark(self.names.open.len())
    }

    /// Closes a scope, and ends the ranges of its variables.
    pub(super) fn close_scope(&mut self, mark: ScopeMark) {
        let here = self.code.insts.len() as u32;
        for life in self.names.open.drain(mark.0..) {
            self.code.lives[life].scope.end = here;
        }
    }

    /// Extends the ranges opened since `mark` back to `from`: the cases of a `switch` can enter the
    /// scope of a variable behind its declaration.
    pub(super) fn extend_scopes_to(&mut self, mark: ScopeMark, from: usize) {
        for life in &self.names.open[mark.0..] {
            self.code.lives[*life].scope.start = from as u32;
        }
    }

    /// Records that a variable is at a location from instruction `from` on. `fresh`: it is
    /// uninitialised at first.
    pub(super) fn record_variable(&mut self, id: VarId, place: Location, from: usize, fresh: bool) {
        let frame = &self.frames[self.frames.len() - 1];
        let function = &frame.function;
        let var = &function.vars[id as usize];
        // Compiler-made variables and built-in headers are not shown.
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
                    pointee: pointee_layout(self.types, &var.ty),
                });
                let index = self.names.variables.len() as u32 - 1;
                self.names.known.insert(key, index);
                index
            }
        };
        let home = match place {
            Location::Reg(reg) => Home::Registers(reg),
            Location::Mem(addr) if addr.index == Index::None && addr.offset == 0 => {
                match self.code.preload_in(addr.base) {
                    Some(Preload::Shared(object)) => Home::Shared(object),
                    Some(Preload::Local(object)) => Home::Local(object),
                    _ => Home::Address(addr.base),
                }
            }
            Location::Mem(_) => Home::Nowhere,
        };
        self.names.open.push(self.code.lives.len());
        self.code.lives.push(Life { variable, home, scope: from as u32..from as u32, fresh });
    }
}

/// The layout and the size in bytes of an array's innermost element.
fn element_layout(types: &Types, ty: &Type) -> Option<(Layout, u32)> {
    let Kind::Array(element, _) = &ty.kind else { return None };
    let mut element = element;
    while let Kind::Array(inner, _) = &element.kind {
        element = inner;
    }
    Some((value_layout(types, element)?, types.size_of(element).max(1) as u32))
}

/// The name and the layout of the struct that a pointer leads to.
fn pointee_layout(types: &Types, ty: &Type) -> Option<(String, Layout)> {
    let pointee = ty.pointee()?.unqualified();
    let Kind::Struct(_) = pointee.kind else { return None };
    Some((types.spell(&pointee), value_layout(types, &pointee)?))
}

/// The layout of a value in registers and in memory.
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
