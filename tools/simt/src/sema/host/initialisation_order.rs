//! The order in which variables of the host get their first values.
//!
//! Those whose first values are constants come first, then the others in the order of their
//! definitions. A variable that a template makes comes just before the first one whose value uses
//! it, and not at all if nothing uses it. A `thread_local` variable whose value must be computed
//! waits until its thread uses one of these: then all of them begin.

use crate::diagnostic::Span;
use crate::sema::Sema;
use crate::sema::ids::HostGlobalId;
use crate::sema::tree::{Expr, ExprKind, Function, Host, HostGlobal, Program, Stmt};
use crate::syntax::ast::Prim;
use crate::syntax::name::{Name, Path};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::rc::Rc;

/// What is known of the order so far.
#[derive(Default)]
pub(in crate::sema) struct InitialisationOrder {
    /// Definitions, in their order, and instances that functions use.
    defined: Vec<HostGlobalId>,
    /// Static members of class templates, and variables of templates.
    instances: HashSet<HostGlobalId>,
    /// The instances that the value of a variable uses.
    needs: BTreeMap<HostGlobalId, Vec<HostGlobalId>>,
    /// The variable without a name that a reference names.
    kept: HashMap<HostGlobalId, HostGlobalId>,
    /// Those whose values are constants.
    constant: HashSet<HostGlobalId>,
    /// The variable whose value is being checked.
    checked: Option<HostGlobalId>,
}

impl InitialisationOrder {
    /// A variable is defined here.
    pub(in crate::sema) fn define(&mut self, index: HostGlobalId) {
        self.defined.push(index);
    }

    /// The variable is made by a template.
    pub(in crate::sema) fn instance(&mut self, index: HostGlobalId) {
        self.instances.insert(index);
    }

    /// A reference names this variable without a name.
    pub(in crate::sema) fn keep(&mut self, reference: HostGlobalId, kept: HostGlobalId) {
        self.kept.insert(reference, kept);
    }

    /// The variable is named.
    pub(in crate::sema) fn used(&mut self, index: HostGlobalId) {
        if !self.instances.contains(&index) {
            return;
        }
        let users = match self.checked {
            Some(user) if user != index => self.needs.entry(user).or_default(),
            Some(_) => return,
            None => &mut self.defined,
        };
        if users.last() != Some(&index) {
            users.push(index);
        }
    }

    /// The value of this variable is checked from here on. Gives the one that was before.
    pub(in crate::sema) fn check(&mut self, index: Option<HostGlobalId>) -> Option<HostGlobalId> {
        std::mem::replace(&mut self.checked, index)
    }

    /// The variable begins with this value.
    pub(in crate::sema) fn value(&mut self, index: HostGlobalId, value: Option<&Expr>) {
        if value.is_none_or(is_constant) {
            self.constant.insert(index);
        }
    }

    /// All that begin before `main`, in their order.
    fn all(&self, globals: &[HostGlobal]) -> Vec<HostGlobalId> {
        let mut order = Vec::new();
        let mut seen = HashSet::new();
        let by_users = self.defined.iter().chain(self.needs.values().flatten());
        let others = (0..globals.len()).map(HostGlobalId::new);
        let others = others.filter(|index| !self.instances.contains(index));
        for index in by_users.copied().chain(others) {
            // The variable, and whether what its value uses has been visited.
            let mut open = vec![(index, false)];
            while let Some((index, ready)) = open.pop() {
                if ready {
                    order.push(index);
                    order.extend(self.kept.get(&index).filter(|kept| seen.insert(**kept)));
                } else if seen.insert(index) {
                    open.push((index, true));
                    let needs = self.needs.get(&index).into_iter().flatten();
                    open.extend(needs.rev().map(|needed| (*needed, false)));
                }
            }
        }
        order.retain(|index| !globals[index.index()].lazy);
        order
    }
}

/// Whether it is known without running the program.
fn is_constant(value: &Expr) -> bool {
    match &value.kind {
        ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Text(_) | ExprKind::Zero => true,
        ExprKind::Cast(inner) | ExprKind::Decay(inner) | ExprKind::Bits(inner) => {
            is_constant(inner)
        }
        ExprKind::Make(parts) => parts.iter().all(is_constant),
        ExprKind::Host(host) => matches!(**host, Host::Function(_)),
        ExprKind::Address(place) => {
            matches!(&place.kind, ExprKind::Host(host) if matches!(**host, Host::Global(_)))
        }
        _ => false,
    }
}

/// A function without parameters or result.
fn procedure(name: Path, body: Vec<Stmt>) -> Rc<Function> {
    Rc::new(Function {
        name,
        span: Span::default(),
        returns: Prim::Void.into(),
        reference: false,
        moved: false,
        params: 0,
        vars: Vec::new(),
        body,
        max_threads: None,
        cluster: None,
        this_addressed: false,
        c_linkage: false,
        noexcept: false,
        needs_defined: Vec::new(),
    })
}

impl Sema<'_> {
    /// What begins before `main`, and what each thread begins when it needs it.
    pub(in crate::sema) fn order_initialisation(&mut self, program: &mut Program) {
        let order = &self.host.order;
        let all = order.all(&self.host.globals);
        let (first, then): (Vec<_>, Vec<_>) = all.into_iter().partition(|index| {
            let destroyed = self.host.globals[index.index()].destroy.is_some();
            order.constant.contains(index) && !destroyed
        });
        program.begins = first;
        let mut of_threads = Vec::new();
        for index in then {
            let global = &mut self.host.globals[index.index()];
            if !global.thread_local || (global.init.is_none() && global.destroy.is_none()) {
                program.begins.push(index);
                continue;
            }
            (global.lazy, global.at_use) = (true, true);
            let call = global.init.clone().map(|init| {
                let call = ExprKind::Call(init, None, Vec::new());
                Stmt::Expr(Expr::new(call, Prim::Void.into(), global.span))
            });
            of_threads.push(Stmt::Static(index, call.into_iter().collect()));
        }
        if of_threads.is_empty() {
            return;
        }
        let name = Path::from(Name::from("thread_local"));
        let guard = HostGlobalId::new(self.host.globals.len());
        self.host.globals.push(HostGlobal {
            name,
            ty: Prim::Char.into(),
            span: Span::default(),
            init: None,
            lazy: true,
            at_use: false,
            thread_local: true,
            destroy: None,
        });
        program.begin_thread = Some((guard, procedure(name, of_threads)));
    }
}
