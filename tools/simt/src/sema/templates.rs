//! Templates: argument deduction, parameter packs, explicit and partial specialisation.

pub(in crate::sema) mod class_deduction;
pub(in crate::sema) mod concepts;
pub(in crate::sema) mod cross_unit_instantiations;
pub(in crate::sema) mod deduction;
pub(in crate::sema) mod instances;
pub(in crate::sema) mod packs;
pub(in crate::sema) mod partial_ordering;
pub(in crate::sema) mod pending_instantiations;
pub(in crate::sema) mod specialisation;
pub(in crate::sema) mod variables;

use crate::sema::Checked;
use crate::sema::symbols::symbol_table::{Arg, Bindings, Entity, FunctionId, Instance};
use crate::sema::types::ClassId;
use crate::syntax::ast;
use crate::syntax::name::Path;
use std::collections::HashMap;
use std::rc::Rc;

/// Templates of classes and aliases, and specialisations. Templates of functions are among the
/// functions.
#[derive(Default)]
pub(in crate::sema) struct Templates {
    pub(in crate::sema) structs: HashMap<Path, Rc<ast::Struct>>,
    pub(in crate::sema) aliases: HashMap<Path, Rc<ast::Alias>>,
    /// `template <typename T> struct S<T*>`, by the template's path.
    pub(in crate::sema) partial_specialisations: HashMap<Path, Vec<Rc<ast::Struct>>>,
    /// The functions that partial specialisations of variable templates are. What they specialise is
    /// among the partial specialisations, as a class of the same name.
    pub(in crate::sema) partial_variables: Vec<(Rc<ast::Struct>, FunctionId)>,
    /// Explicit specialisations of functions, by template and arguments.
    pub(in crate::sema) function_specialisations: HashMap<(FunctionId, Vec<Arg>), FunctionId>,
    /// Explicit specialisations of classes.
    pub(in crate::sema) struct_specialisations: HashMap<(Path, Vec<Arg>), Rc<ast::Struct>>,
    /// Instances of variable templates.
    pub(in crate::sema) variables: HashMap<(FunctionId, Vec<Arg>), Checked<Entity>>,
    /// Whether each concept that was asked for holds.
    pub(in crate::sema) concepts: HashMap<Instance, bool>,
    /// Deduction guides, by the class template's path; and those that its constructors are.
    pub(in crate::sema) guides: HashMap<Path, Vec<FunctionId>>,
    pub(in crate::sema) constructor_guides: HashMap<Path, Vec<FunctionId>>,
    /// For a member template: the class around it, and what the class' own parameters stand for.
    pub(in crate::sema) enclosing: HashMap<Path, (Bindings, ClassId)>,
}
