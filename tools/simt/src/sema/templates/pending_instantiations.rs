//! Deferred instantiation of class templates that are named before their arguments are complete:
//! `struct S { using Boxed = Box<S>; };`. C++ looks into an instance where its members are needed. Here
//! that is done at once if it is possible, and else as soon as the arguments are complete.

use crate::sema::body::Body;
use crate::sema::types::{ClassId, Kind, Type};
use crate::sema::{Arg, Bindings, Checked};
use crate::syntax::ast::Struct;
use crate::syntax::name::Path;
use std::collections::HashMap;
use std::rc::Rc;

/// The instances that wait.
#[derive(Default)]
pub(in crate::sema) struct PendingInstantiations {
    waiting: HashMap<ClassId, Waiting>,
    /// Only a name is given to a type, or a pointer to it is named.
    only_named: bool,
}

#[derive(Clone)]
struct Waiting {
    ast: Rc<Struct>,
    seen: Bindings,
    /// The classes among its arguments that were not complete.
    arguments: Vec<ClassId>,
}

impl Body<'_, '_> {
    /// Resolves a type whose members are not needed.
    pub(in crate::sema) fn only_named<T>(&mut self, resolve: impl FnOnce(&mut Self) -> T) -> T {
        let outer = std::mem::replace(&mut self.sema.pending_instantiations.only_named, true);
        let made = resolve(self);
        self.sema.pending_instantiations.only_named = outer;
        made
    }

    /// Gives an instance of this template its members, now or later.
    pub(in crate::sema) fn fill_instance(
        &mut self,
        index: ClassId,
        (template, ast): (&Path, &Rc<Struct>),
        seen: Bindings,
        arguments: &[Arg],
    ) -> Checked<()> {
        let only_named = std::mem::take(&mut self.sema.pending_instantiations.only_named);
        let open: Vec<ClassId> = arguments.iter().filter_map(|arg| self.incomplete(arg)).collect();
        if !only_named || open.is_empty() {
            let made = self.sema.fill_struct(index, ast, seen);
            self.sema.pending_instantiations.only_named = only_named;
            return made;
        }
        // `using Square = Unit<Unit<T>>;` in `Unit<T>` would have no end.
        let of_itself = open.iter().any(|open| self.sema.types.get(*open).declared == *template);
        let filled =
            !of_itself && self.speculate(|b| b.sema.fill_struct(index, ast, seen.clone())).is_ok();
        if !filled {
            self.sema.types.get_mut(index).ancestors = 0;
            let waiting = Waiting { ast: ast.clone(), seen, arguments: open };
            self.sema.pending_instantiations.waiting.insert(index, waiting);
        }
        self.sema.pending_instantiations.only_named = only_named;
        Ok(())
    }

    /// The class of an argument that is not complete.
    fn incomplete(&self, arg: &Arg) -> Option<ClassId> {
        match arg {
            Arg::Type(Type { kind: Kind::Struct(class), .. }) => {
                Some(*class).filter(|class| self.sema.types.get(*class).incomplete)
            }
            Arg::Pack(all) => all.iter().find_map(|arg| self.incomplete(arg)),
            _ => None,
        }
    }

    /// The members of a type are needed: those of an instance that waits are made.
    pub(in crate::sema) fn complete(&mut self, ty: &Type) -> Checked<()> {
        let all = &self.sema.pending_instantiations;
        let class = match &ty.kind {
            _ if all.waiting.is_empty() || all.only_named => return Ok(()),
            Kind::Struct(class) => *class,
            Kind::Array(element, _) => return self.complete(&element.clone()),
            _ => return Ok(()),
        };
        let Some(waiting) = all.waiting.get(&class) else { return Ok(()) };
        if waiting.arguments.iter().any(|open| self.sema.types.get(*open).incomplete) {
            return Ok(());
        }
        let Waiting { ast, seen, .. } = waiting.clone();
        self.sema.pending_instantiations.waiting.remove(&class);
        self.sema.fill_struct(class, &ast, seen)
    }
}
