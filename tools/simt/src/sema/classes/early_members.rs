//! Static member functions that are named before their class is complete.
//!
//! `enum { value = sizeof(test<T>(0)) == 1 };` names an overload of a class that is being laid out.
//! Its methods are declared when all of its members are known; a static one that is named before that
//! is declared for the time until then, with the names that are known at that point.

use crate::sema::body::Body;
use crate::sema::types::ClassId;
use crate::sema::{Declared, Sema};
use crate::syntax::ast;
use crate::syntax::name::Path;
use std::rc::Rc;

impl Body<'_, '_> {
    /// Declares the static functions of that name, if the class is not complete yet.
    pub(in crate::sema) fn declare_early(&mut self, class: ClassId, name: Path) {
        if !self.sema.types.get(class).incomplete
            || self.sema.definitions.methods.contains_key(&(class, name))
        {
            return;
        }
        let Some(ast) = self.sema.definitions.struct_asts.get(&class).cloned() else { return };
        let of_name = |method: &&Rc<ast::Function>| method.name == name && method.storage.is_static;
        let bindings = Rc::new(self.local_names());
        let ids: Vec<_> = (ast.methods.iter().filter(of_name))
            .map(|method| {
                self.sema.definitions.declare(Declared {
                    ast: method.clone(),
                    owner: Some(class),
                    bindings: bindings.clone(),
                    scope: None,
                })
            })
            .collect();
        if !ids.is_empty() {
            self.sema.definitions.methods.insert((class, name), ids);
        }
    }
}

impl Sema<'_> {
    /// Forgets what was declared early: the class is complete.
    pub(super) fn forget_early(&mut self, class: ClassId, ast: &ast::Struct) {
        for method in ast.methods.iter().filter(|method| method.storage.is_static) {
            self.definitions.methods.remove(&(class, method.name));
        }
    }
}
