//! The symbol table: what each name at namespace scope and in each class means.
//!
//! The parser has looked names up in namespaces, so a declaration at namespace scope is known by
//! its whole path. What a class declares is known by the class and the name.

use crate::sema::Side;
use crate::sema::classes::class::Class;
use crate::sema::classes::outside::MemberDefinition;
pub(in crate::sema) use crate::sema::ids::FunctionId;
use crate::sema::ids::{ClassId, FileSharedId, GlobalId, HostGlobalId};
use crate::sema::tree::{Expr, VarId};
use crate::sema::types::Type;
use crate::syntax::ast;
use crate::syntax::name::Path;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// What a name means.
#[derive(Debug, Clone)]
pub(in crate::sema) enum Entity {
    Var(VarId),
    /// A named constant.
    Constant(Expr),
    Global(GlobalId),
    /// A `__shared__` variable of the file.
    Shared(FileSharedId),
    /// A variable of the host that lives as long as the program.
    HostGlobal(HostGlobalId),
    Type(Type),
    /// The arguments of a template parameter pack.
    Pack(Vec<Arg>),
    /// The variables of a function parameter pack.
    Vars(Vec<VarId>),
    /// A struct's template by another name.
    Template(Path),
    /// A function by another name.
    Function(Path),
    /// A name of `auto [a, b] = ..`: a member of the variable, or an element.
    StructuredBinding(VarId, u32),
    /// A variable without a type: its initial value is wrong.
    Wrong,
    /// A variable of the function around a lambda that does not capture it.
    NotCaptured,
}

impl Entity {
    /// Whether it lives in the function that is being checked.
    pub(in crate::sema) fn is_local(&self) -> bool {
        matches!(self, Entity::Var(_) | Entity::Vars(_) | Entity::StructuredBinding(..))
    }
}

/// A function, its template arguments, and the side that runs it.
pub(in crate::sema) type Instance = (FunctionId, Vec<Arg>, Side);

/// An argument of a template.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(in crate::sema) enum Arg {
    Type(Type),
    Value(i128, Type),
    Pack(Vec<Arg>),
    /// The name of a struct's template.
    Template(Path),
    /// The name of a function: it is called by that name, wherever the parameter is.
    Function(Path),
}

/// Template parameters and their arguments.
pub(in crate::sema) type Bindings = Vec<(Path, Arg)>;

/// A function as declared.
#[derive(Clone)]
pub(in crate::sema) struct Declared {
    pub(in crate::sema) ast: Rc<ast::Function>,
    /// The struct whose method it is.
    pub(in crate::sema) owner: Option<ClassId>,
    /// The template arguments of its class.
    pub(in crate::sema) bindings: Rc<Bindings>,
    /// For a lambda, the names that are visible where it stands.
    pub(in crate::sema) scope: Option<Rc<HashMap<Path, Entity>>>,
}

impl Declared {
    /// A function that is no member; its text may name these.
    pub(in crate::sema) fn free(ast: Rc<ast::Function>, bindings: Bindings) -> Declared {
        Declared { ast, owner: None, bindings: Rc::new(bindings), scope: None }
    }
}

/// Static members, and the types and templates that a class declares.
#[derive(Default)]
pub(in crate::sema) struct Statics(HashMap<ClassId, HashMap<Path, Entity>>);

impl Statics {
    pub(in crate::sema) fn get(&self, class: ClassId, name: impl Into<Path>) -> Option<&Entity> {
        self.0.get(&class)?.get(&name.into())
    }

    pub(in crate::sema) fn insert(
        &mut self,
        class: ClassId,
        name: impl Into<Path>,
        entity: Entity,
    ) {
        self.0.entry(class).or_default().insert(name.into(), entity);
    }

    /// All of a class.
    pub(in crate::sema) fn of(&self, class: ClassId) -> impl Iterator<Item = (&Path, &Entity)> {
        self.0.get(&class).into_iter().flatten()
    }
}

/// The declarations of a unit.
#[derive(Default)]
pub(in crate::sema) struct Definitions {
    /// Variables, constants and types at namespace scope.
    pub(in crate::sema) scope: HashMap<Path, Entity>,
    /// Every function, method and constructor.
    declared: Vec<Declared>,
    /// The overloads of each function at namespace scope.
    pub(in crate::sema) functions: HashMap<Path, Vec<FunctionId>>,
    /// The overloads of each method, by class.
    pub(in crate::sema) methods: HashMap<(ClassId, Path), Vec<FunctionId>>,
    pub(in crate::sema) constructors: HashMap<ClassId, Vec<FunctionId>>,
    /// Static members, and the types that a class declares.
    pub(in crate::sema) statics: Statics,
    /// What each class was declared as.
    pub(in crate::sema) struct_asts: HashMap<ClassId, Rc<ast::Struct>>,
    pub(in crate::sema) classes: HashMap<ClassId, Class>,
    /// Default member initialisers.
    pub(in crate::sema) member_values: HashMap<ClassId, (Vec<ast::Init>, Bindings)>,
    /// Members that refer to a variable: a lambda's captures.
    pub(in crate::sema) references: HashSet<(ClassId, usize)>,
    /// Members that are `mutable`.
    pub(in crate::sema) mutables: HashSet<(ClassId, usize)>,
    /// Members defined outside their class, by the class and their name.
    pub(in crate::sema) member_definitions: HashMap<(Path, Path), Vec<MemberDefinition>>,
    /// Static members defined outside their class, by the name of the class or class template.
    pub(in crate::sema) static_members: HashMap<(Path, Path), Rc<ast::VarDecl>>,
    /// Static members of explicit specialisations, likewise.
    pub(in crate::sema) specialised_static_members: HashMap<(ClassId, Path), Rc<ast::VarDecl>>,
}

impl Definitions {
    /// A new function; it is not yet an overload of any name.
    pub(in crate::sema) fn declare(&mut self, function: Declared) -> FunctionId {
        self.declared.push(function);
        FunctionId::new(self.declared.len() - 1)
    }
}

impl std::ops::Index<FunctionId> for Definitions {
    type Output = Declared;

    fn index(&self, id: FunctionId) -> &Declared {
        &self.declared[id.index()]
    }
}

impl std::ops::IndexMut<FunctionId> for Definitions {
    fn index_mut(&mut self, id: FunctionId) -> &mut Declared {
        &mut self.declared[id.index()]
    }
}
