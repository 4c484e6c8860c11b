//! Definite assignment analysis: which variables may be read before they are assigned.
//!
//! A forward data-flow analysis over the tree; its state is the set of variables that are assigned
//! on every path. A variable that passes costs nothing at run time; for the others each lane's
//! definedness is tracked. Members of a struct that are named are tracked one by one; the struct as
//! a whole counts as assigned once one member is, since structs are copied before they are
//! complete.
//!
//! A reference parameter that a function may read before it writes it is checked at the call
//! ([`Function::needs_defined`]). Otherwise passing a variable by reference counts as an
//! assignment: the analysis misses some reads and reports no false ones.
//!
//! The same walk finds parameters that are modified in part, or may be through a pointer. Other
//! parameters that are too large for registers are read from the argument's memory.
//!
//! Host code is analysed likewise, for its scalar variables. There a function is called and not
//! inlined, so only what it surely reads is checked at the call. A `goto` backwards needs no care, as a
//! loop needs none: between its label and itself more is assigned, and nothing less.

use crate::sema::tree::{Expr, ExprKind, Function, Home, Host, Name, Stmt, VarId};
use crate::sema::types::{Kind, Type, Types};
use std::collections::{BTreeSet, HashMap, HashSet};

/// Sets [`crate::sema::tree::Var::tracked`], [`crate::sema::tree::Var::tracked_members`],
/// [`crate::sema::tree::Var::partially_written`] and [`Function::needs_defined`].
pub(in crate::sema) fn watch(function: &mut Function, types: &Types) {
    let mut walk = Walk::over(function, types);
    walk.statements(&walk.function.body);
    let suspects = std::mem::take(&mut walk.suspects);
    let touched = std::mem::take(&mut walk.touched);
    for id in touched.range(..function.params as VarId) {
        function.vars[*id as usize].partially_written = true;
    }
    for (id, member) in suspects {
        if (id as usize) < function.params {
            function.needs_defined.push((id, member));
            continue;
        }
        let var = &mut function.vars[id as usize];
        let in_registers = var.home == Home::Own && !var.addressed && !var.reference;
        if !in_registers || matches!(var.ty.kind, Kind::Array(..)) || has_no_value(types, &var.ty) {
            continue;
        }
        match member {
            Some(member) => var.tracked_members.push(member),
            None => var.tracked = true,
        }
    }
}

/// The same of a function of the host: sets [`crate::sema::tree::Var::tracked`] of its scalars,
/// [`crate::sema::tree::Var::tracked_members`] of its classes to the scalars in them, and
/// [`Function::needs_defined`] to the reference parameters that it reads on every path. The library's
/// own functions are trusted.
pub(in crate::sema) fn watch_host(function: &mut Function, types: &Types) {
    let mut walk = Walk { in_memory: true, ..Walk::over(function, types) };
    walk.statements(&walk.function.body);
    walk.exit();
    let params = function.params as VarId;
    let read = (0..params).filter(|id| walk.is_read_at_exits(*id)).map(|id| (id, None)).collect();
    let suspects = std::mem::take(&mut walk.suspects);
    function.needs_defined = read;
    if function.span.is_built_in() {
        return;
    }
    for (id, member) in suspects.range((params, None)..) {
        let var = &mut function.vars[*id as usize];
        match member {
            _ if var.reference => {}
            Some(member) if matches!(var.ty.kind, Kind::Struct(_)) => {
                var.tracked_members.push(*member);
            }
            _ => var.tracked |= types.scalar(&var.ty).is_some(),
        }
    }
}

/// An object of an empty class has nothing to assign.
fn has_no_value(types: &Types, ty: &Type) -> bool {
    match ty.kind {
        Kind::Struct(index) => types.get(index).fields.iter().all(|f| has_no_value(types, &f.ty)),
        _ => false,
    }
}

/// The part of a variable that is assigned: the index of a member, or..
type Part = u32;
/// ..any part, or..
const SOME: Part = Part::MAX;
/// ..the whole.
const ALL: Part = Part::MAX - 1;

/// That it was read before it was assigned.
const READ: Part = Part::MAX - 2;

/// A set of parts, a bit for each: it is copied at each branch of a function that may have ten thousand.
#[derive(Debug, Clone, Default)]
struct Parts(Vec<u64>);

impl Parts {
    fn insert(&mut self, number: usize) {
        let word = number / 64;
        if self.0.len() <= word {
            self.0.resize(word + 1, 0);
        }
        self.0[word] |= 1 << (number % 64);
    }

    fn remove(&mut self, number: usize) {
        if let Some(word) = self.0.get_mut(number / 64) {
            *word &= !(1 << (number % 64));
        }
    }

    fn contains(&self, number: usize) -> bool {
        self.0.get(number / 64).is_some_and(|word| word >> (number % 64) & 1 == 1)
    }
}

/// What is assigned; `None` in unreachable code.
type State = Option<Parts>;

fn meet(a: State, b: State) -> State {
    match (a, b) {
        (Some(a), Some(b)) => Some(Parts(a.0.iter().zip(&b.0).map(|(a, b)| a & b).collect())),
        (a, b) => a.or(b),
    }
}

/// States at `break` and `continue` of the loop or switch around.
struct Exits {
    breaks: State,
    continues: State,
    is_loop: bool,
}

struct Walk<'f> {
    function: &'f Function,
    types: &'f Types,
    /// Whether classes are in memory, so that each member that is a scalar is told apart.
    in_memory: bool,
    state: State,
    /// The number of each part in a set.
    numbers: HashMap<(VarId, Part), usize>,
    numbers_of: HashMap<VarId, Vec<usize>>,
    suspects: BTreeSet<(VarId, Option<u32>)>,
    /// Variables that are modified in part, or passed to be modified.
    touched: BTreeSet<VarId>,
    exits: Vec<Exits>,
    /// States at each `goto`, by its label.
    jumps: HashMap<Name, State>,
    /// What holds wherever the function ends.
    at_exits: State,
}

impl<'f> Walk<'f> {
    /// Before the first statement, where the parameters have their values.
    fn over(function: &'f Function, types: &'f Types) -> Walk<'f> {
        let mut walk = Walk {
            function,
            types,
            in_memory: false,
            state: Some(Parts::default()),
            numbers: HashMap::new(),
            numbers_of: HashMap::new(),
            suspects: BTreeSet::new(),
            touched: BTreeSet::new(),
            exits: Vec::new(),
            jumps: HashMap::new(),
            at_exits: None,
        };
        for param in 0..function.params as VarId {
            if !function.vars[param as usize].reference {
                walk.assign(param);
            }
        }
        walk
    }

    fn assign(&mut self, id: VarId) {
        self.assign_parts(id, &[SOME, ALL]);
    }

    fn assign_parts(&mut self, id: VarId, parts: &[Part]) {
        let Some(state) = &mut self.state else { return };
        for part in parts {
            let next = self.numbers.len();
            let number = *self.numbers.entry((id, *part)).or_insert_with(|| {
                self.numbers_of.entry(id).or_default().push(next);
                next
            });
            state.insert(number);
        }
    }

    /// The place is written.
    fn assign_place(&mut self, place: &Expr) {
        match place.path() {
            Some((id, Some(member))) => {
                self.assign_parts(id, &[SOME, member]);
            }
            Some((id, None)) => self.assign(id),
            // An element of an array inside a struct or a union: some part of it. Its bytes are
            // tracked in memory.
            None => {
                if let Some(id) = place.whole() {
                    self.assign_parts(id, &[SOME]);
                }
            }
        }
    }

    fn lacks(&self, id: VarId, part: Part) -> bool {
        let number = self.numbers.get(&(id, part));
        self.state.as_ref().is_some_and(|s| !number.is_some_and(|number| s.contains(*number)))
    }

    fn read(&mut self, id: VarId) {
        if self.lacks(id, SOME) {
            self.suspects.insert((id, None));
            if (id as usize) < self.function.params {
                self.assign_parts(id, &[READ]);
            }
        }
    }

    /// The function ends here.
    fn exit(&mut self) {
        self.at_exits = meet(self.at_exits.take(), self.state.take());
    }

    fn is_read_at_exits(&self, id: VarId) -> bool {
        let number = self.numbers.get(&(id, READ));
        number.is_some_and(|n| self.at_exits.as_ref().is_some_and(|parts| parts.contains(*n)))
    }

    fn read_member(&mut self, id: VarId, member: u32) {
        if !self.has_own_members(id, member) {
            self.read(id);
        } else if self.lacks(id, ALL) && self.lacks(id, member) {
            self.suspects.insert((id, Some(member)));
        }
    }

    /// Whether the members of the variable can be told apart: a union's cannot.
    fn has_own_members(&self, id: VarId, member: u32) -> bool {
        match self.function.vars[id as usize].ty.kind {
            Kind::Struct(index) => {
                let definition = self.types.get(index);
                let plain = |ty: &crate::sema::types::Type| self.types.scalar(ty).is_some();
                let fields = definition.fields.iter().enumerate();
                let mut asked = fields.filter(|(i, _)| !self.in_memory || *i == member as usize);
                !definition.union && asked.all(|(_, f)| plain(&f.ty))
            }
            _ => false,
        }
    }

    fn statements(&mut self, list: &[Stmt]) {
        for stmt in list {
            self.statement(stmt);
        }
    }

    fn statement(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Expr(e) => self.expr(e),
            Stmt::Declare { var, init, .. } => {
                let own = self.function.vars[*var as usize].home == Home::Own;
                if let Some(init) = init {
                    if self.function.vars[*var as usize].reference {
                        self.refer(init);
                    } else {
                        self.expr(init);
                    }
                    self.assign(*var);
                } else if own {
                    if let Some(state) = &mut self.state {
                        let parts = self.numbers_of.get(var).into_iter().flatten();
                        parts.for_each(|number| state.remove(*number));
                    }
                } else {
                    self.assign(*var);
                }
            }
            Stmt::Block(list) => self.statements(list),
            Stmt::If { cond, then, other, .. } => {
                self.expr(cond);
                let before = self.state.clone();
                self.statements(then);
                let after = std::mem::replace(&mut self.state, before);
                self.statements(other);
                self.state = meet(after, self.state.take());
            }
            Stmt::Loop { cond, body, step, test_first, .. } => {
                self.repeat(cond.as_ref(), body, step.as_ref(), *test_first)
            }
            Stmt::Switch { value, cases, body, .. } => {
                self.expr(value);
                let entry = self.state.clone();
                self.exits.push(Exits { breaks: None, continues: None, is_loop: false });
                self.state = None;
                let labelled: HashSet<usize> = cases.iter().map(|(_, at)| *at).collect();
                for (i, stmt) in body.iter().enumerate() {
                    if labelled.contains(&i) {
                        self.state = meet(self.state.take(), entry.clone());
                    }
                    self.statement(stmt);
                }
                let covered = cases.iter().any(|(v, _)| v.is_none());
                let exits = self.exits.pop();
                self.state = meet(self.state.take(), exits.and_then(|e| e.breaks));
                let trailing = cases.iter().any(|(_, at)| *at >= body.len());
                if !covered || trailing {
                    self.state = meet(self.state.take(), entry);
                }
            }
            Stmt::Asm(asm) => {
                for operand in &asm.operands {
                    match (operand.output, operand.input) {
                        (true, false) => self.place(&operand.value),
                        _ => self.expr(&operand.value),
                    }
                }
                for operand in asm.operands.iter().filter(|operand| operand.output) {
                    self.touched.extend(operand.value.whole());
                    self.assign_place(&operand.value);
                }
            }
            Stmt::Static(_, begin) => self.statements(begin),
            Stmt::Label(name, _) => {
                let jumps = self.jumps.get(name).cloned().flatten();
                self.state = meet(self.state.take(), jumps);
            }
            Stmt::Goto(name, _) => {
                let now = self.state.take();
                let known = self.jumps.entry(*name).or_default();
                *known = meet(known.take(), now);
            }
            Stmt::Try { body, handlers } => self.attempt(body, handlers),
            Stmt::Break(_) => {
                let now = self.state.take();
                if let Some(exits) = self.exits.last_mut() {
                    exits.breaks = meet(exits.breaks.take(), now);
                }
            }
            Stmt::Continue(_) => {
                let now = self.state.take();
                if let Some(exits) = self.exits.iter_mut().rev().find(|e| e.is_loop) {
                    exits.continues = meet(exits.continues.take(), now);
                }
            }
            Stmt::Return(value, _) => {
                match value {
                    Some(place) if self.function.reference => self.refer(place),
                    Some(value) => self.expr(value),
                    None => {}
                }
                self.exit();
            }
        }
    }

    fn attempt(&mut self, body: &[Stmt], handlers: &[(Option<VarId>, Option<Type>, Vec<Stmt>)]) {
        // An exception may come before anything in the block was assigned.
        let before = self.state.clone();
        self.statements(body);
        let mut after = self.state.take();
        for (var, _, body) in handlers {
            self.state = before.clone();
            var.iter().for_each(|var| self.assign(*var));
            self.statements(body);
            after = meet(after, self.state.take());
        }
        self.state = after;
    }

    fn repeat(
        &mut self,
        cond: Option<&Expr>,
        body: &[Stmt],
        step: Option<&Expr>,
        test_first: bool,
    ) {
        let mut after = None;
        let always = cond.is_none_or(|c| c.as_int().is_some_and(|v| v != 0));
        if test_first {
            if let Some(cond) = cond {
                self.expr(cond);
            }
            if !always {
                after = self.state.clone();
            }
        }
        self.exits.push(Exits { breaks: None, continues: None, is_loop: true });
        self.statements(body);
        let Some(exits) = self.exits.pop() else { return };
        self.state = meet(self.state.take(), exits.continues);
        if let Some(step) = step {
            self.expr(step);
        }
        if !test_first {
            if let Some(cond) = cond {
                self.expr(cond);
            }
            if !always {
                after = self.state.clone();
            }
        }
        self.state = meet(after, exits.breaks);
    }

    /// Passed by reference to non-const: counts as assigned.
    fn refer(&mut self, e: &Expr) {
        self.touched.extend(e.whole());
        self.lend(e);
    }

    /// Passed by reference to const.
    fn lend(&mut self, e: &Expr) {
        self.place(e);
        self.assign_place(e);
    }

    /// Passed to a reference parameter: what the function may read first counts as read.
    fn ask(&mut self, e: &Expr, function: &Function, param: usize) {
        let asked = function.needs_defined.iter().filter(|(id, _)| *id as usize == param);
        for (_, member) in asked {
            match (e.path(), member) {
                (Some((id, None)), None) => self.read(id),
                (Some((id, None)), Some(member)) => self.read_member(id, *member),
                (Some((id, Some(member))), None) => self.read_member(id, member),
                _ => {}
            }
        }
    }

    /// What finding the place itself reads.
    fn place(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Var(_) | ExprKind::Global(_) | ExprKind::This => {}
            ExprKind::Member(inner, _) if e.place => self.place(inner),
            ExprKind::Index(base, index) => {
                match &base.kind {
                    ExprKind::Decay(array) => self.place(array),
                    _ => self.expr(base),
                }
                self.expr(index);
            }
            ExprKind::Deref(pointer) => self.expr(pointer),
            _ => self.expr(e),
        }
    }

    fn call(&mut self, function: &Function, object: Option<&Expr>, args: &[Expr]) {
        if let Some(object) = object {
            self.refer(object);
        }
        for (i, arg) in args.iter().enumerate() {
            let param = &function.vars[i];
            if param.reference && arg.place {
                self.ask(arg, function, i);
            }
            if param.reference && arg.place && param.ty.constant {
                self.lend(arg);
            } else if param.reference && arg.place {
                self.refer(arg);
            } else {
                self.expr(arg);
            }
        }
    }

    fn host(&mut self, host: &Host) {
        match host {
            Host::Global(_) | Host::Function(_) => {}
            Host::Launch { grid, block, shared, stream, args, .. } => {
                [grid, block, shared, stream].into_iter().chain(args).for_each(|e| self.expr(e));
            }
            Host::LaunchPointer { pointer, grid, block, args, shared, stream } => {
                [pointer, grid, block, args, shared, stream].into_iter().for_each(|e| self.expr(e));
            }
            Host::IndirectCall(callee, args, _) => {
                self.expr(callee);
                let params = callee.ty.signature().map_or(&[][..], |s| &s.params);
                for (i, arg) in args.iter().enumerate() {
                    match params.get(i).is_some_and(Type::is_reference) && arg.place {
                        true => self.refer(arg),
                        false => self.expr(arg),
                    }
                }
            }
            Host::Library(_, args) => args.iter().for_each(|e| self.expr(e)),
            Host::New { count, own, make, .. } => {
                let room = own.as_ref().map(|own| &own.room);
                count.iter().chain(room).chain(make).for_each(|e| self.expr(e));
            }
            Host::Delete { pointer: value, .. } | Host::Temporary(value, _) => self.expr(value),
            Host::Built(..) => {}
            Host::Begin(place, value) => {
                self.expr(value);
                self.place(place);
                self.assign_place(place);
            }
            Host::Throw(value) => {
                value.iter().for_each(|e| self.expr(e));
                self.exit();
            }
        }
    }

    fn expr(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Host(host) => self.host(host),
            ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::Text(_)
            | ExprKind::Global(_)
            | ExprKind::Builtin(_)
            | ExprKind::This
            | ExprKind::Current
            | ExprKind::Zero => {}
            ExprKind::Var(id) => self.read(*id),
            ExprKind::Unary(_, a) | ExprKind::Not(a) | ExprKind::Cast(a) | ExprKind::Bits(a) => {
                self.expr(a)
            }
            ExprKind::Binary(_, a, b)
            | ExprKind::Compare(_, a, b)
            | ExprKind::PointerAdd(a, b, _)
            | ExprKind::PointerDiff(a, b)
            | ExprKind::Comma(a, b) => {
                self.expr(a);
                self.expr(b);
            }
            ExprKind::And(a, b) | ExprKind::Or(a, b) => {
                self.expr(a);
                let before = self.state.clone();
                self.expr(b);
                self.state = before;
            }
            ExprKind::Cond(c, a, b) => {
                self.expr(c);
                let before = self.state.clone();
                self.expr(a);
                let after = std::mem::replace(&mut self.state, before);
                self.expr(b);
                self.state = meet(after, self.state.take());
            }
            ExprKind::Assign(place, value) => {
                self.expr(value);
                self.place(place);
                self.touched.extend(place.whole());
                self.assign_place(place);
            }
            ExprKind::Update { place, value, partial, .. } => {
                self.expr(value);
                self.touched.extend(place.whole());
                if *partial {
                    self.place(place);
                } else {
                    self.expr(place);
                }
                self.assign_place(place);
            }
            ExprKind::Deref(_) | ExprKind::Index(..) => self.place(e),
            ExprKind::Member(inner, _) => match e.path() {
                Some((id, Some(member))) => self.read_member(id, member),
                _ => self.expr(inner),
            },
            ExprKind::Address(inner) | ExprKind::Decay(inner) => {
                match e.ty.pointee().is_some_and(|to| to.constant) {
                    true => self.lend(inner),
                    false => self.refer(inner),
                }
            }
            ExprKind::Call(function, object, args) => {
                self.call(function, object.as_deref(), args);
            }
            // The callee is not known here: reference arguments count as assigned.
            ExprKind::RecursiveCall(_, object, args) => {
                if let Some(object) = object {
                    self.refer(object);
                }
                for arg in args {
                    if arg.place {
                        self.refer(arg);
                    } else {
                        self.expr(arg);
                    }
                }
            }
            ExprKind::Make(parts) | ExprKind::Intrinsic(_, parts) => {
                for part in parts {
                    self.expr(part);
                }
            }
        }
    }
}
