//! Objects of an evaluation: places, what is stored there, and pointers to them.
//!
//! A pointer is [`ExprKind::Address`] of a number: that of its place among those pointed to so far.
//! So it moves as any other value does. What leaves the evaluation is written as the program
//! would write it ([`Evaluation::outside`]).

use super::{Evaluation, take};
use crate::diagnostic::Span;
use crate::isa::CmpOp;
use crate::sema::tree::{Expr, ExprKind, Host, VarId};
use crate::sema::types::{Kind, Type, Types};
use crate::syntax::ast::Prim;
use std::rc::Rc;

/// The variables of a call, and its object.
#[derive(Default)]
pub(super) struct Frame {
    pub(super) slots: Vec<Slot>,
    pub(super) this: Option<Lvalue>,
    /// Whether it returns a place.
    pub(super) of_reference: bool,
}

/// A variable.
pub(super) enum Slot {
    /// The number of its object.
    Object(usize),
    /// Another name for a place.
    Reference(Option<Lvalue>),
}

/// A place: an object, and the way to a part of it.
#[derive(Debug, Clone)]
pub(super) struct Lvalue {
    pub(super) root: Root,
    pub(super) steps: Vec<Step>,
}

/// A whole object.
#[derive(Debug, Clone)]
pub(super) enum Root {
    Object(usize),
    /// A variable that is a constant: its value and its name.
    Known(Rc<Expr>, Rc<Expr>),
    Text(Rc<[u8]>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    Member(usize),
    /// An element, or the place behind the last one.
    Element(i64),
}

impl Step {
    fn index(self) -> Option<usize> {
        match self {
            Step::Member(i) => Some(i),
            Step::Element(i) => usize::try_from(i).ok(),
        }
    }
}

impl Evaluation<'_> {
    /// A new object; its number.
    pub(super) fn new_object(&mut self, value: Option<Expr>) -> usize {
        self.objects.push(value);
        self.objects.len() - 1
    }

    /// The place that an expression denotes; that of a value is a new object.
    #[inline(never)]
    pub(super) fn lvalue(&mut self, e: &Expr) -> Option<Lvalue> {
        let whole = |root| Some(Lvalue { root, steps: Vec::new() });
        match &e.kind {
            ExprKind::Var(id) => self.variable(*id, e),
            ExprKind::This => self.frame.this.clone(),
            ExprKind::Text(text) => whole(Root::Text(text.clone())),
            ExprKind::Global(i) => {
                whole(Root::Known(self.known.globals.get(i)?.clone(), Rc::new(e.clone())))
            }
            ExprKind::Host(host) => match &**host {
                Host::Global(i) => {
                    whole(Root::Known(self.known.hosts.get(i)?.clone(), Rc::new(e.clone())))
                }
                Host::Temporary(inner, _) if inner.place => self.lvalue(inner),
                _ => self.stored(e),
            },
            ExprKind::Member(inner, i) => {
                let mut path = self.lvalue(inner)?;
                path.steps.push(Step::Member(*i as usize));
                Some(path)
            }
            ExprKind::Index(base, index) => {
                let base = self.value(base)?;
                let index = self.value(index)?.as_int()?;
                let place = self.pointee(&base)?;
                moved(place, i64::try_from(index).ok()?)
            }
            ExprKind::Deref(pointer) => match &pointer.kind {
                ExprKind::Address(inner) if !is_pointer(pointer) => self.lvalue(inner),
                _ => {
                    let pointer = self.value(pointer)?;
                    self.pointee(&pointer)
                }
            },
            ExprKind::Comma(a, b) if b.place => {
                self.value(a)?;
                self.lvalue(b)
            }
            ExprKind::Cond(cond, a, b) if e.place => match self.truth(cond)? {
                true => self.lvalue(a),
                false => self.lvalue(b),
            },
            ExprKind::Assign(place, _) | ExprKind::Update { place, post: false, .. } if e.place => {
                self.value(e)?;
                self.lvalue(place)
            }
            ExprKind::Bits(inner) if e.place => self.lvalue(inner),
            ExprKind::Call(function, object, args) if function.reference => {
                let pointer = self.called(function, object.as_deref(), args, e.span)?;
                self.pointee(&pointer)
            }
            ExprKind::RecursiveCall(recursion, object, args) if e.place => {
                let function = recursion.function.get()?;
                let pointer = self.called(function, object.as_deref(), args, e.span)?;
                self.pointee(&pointer)
            }
            _ if e.place => None,
            _ => self.stored(e),
        }
    }

    /// A temporary object with the value.
    fn stored(&mut self, e: &Expr) -> Option<Lvalue> {
        let value = self.value(e)?;
        Some(Lvalue { root: Root::Object(self.new_object(Some(value))), steps: Vec::new() })
    }

    fn variable(&mut self, id: VarId, e: &Expr) -> Option<Lvalue> {
        let whole = |root| Some(Lvalue { root, steps: Vec::new() });
        if let Some(value) = self.locals.and_then(|locals| locals.get(&id)) {
            return whole(Root::Known(value.clone(), Rc::new(e.clone())));
        }
        let at = id as usize;
        // Variables that an expression makes for its own use.
        if self.locals.is_some() {
            while self.frame.slots.len() <= at {
                let object = self.new_object(None);
                self.frame.slots.push(Slot::Object(object));
            }
        }
        match self.frame.slots.get(at)? {
            Slot::Object(object) => whole(Root::Object(*object)),
            Slot::Reference(place) => place.clone(),
        }
    }

    /// The value of the part; `e` is the expression that reads it.
    pub(super) fn read(&mut self, path: &Lvalue, e: &Expr) -> Option<Expr> {
        let of_known = match &path.root {
            Root::Text(text) => return character(text, &path.steps, e),
            Root::Object(_) => false,
            Root::Known(..) => true,
        };
        let mut at = match &path.root {
            Root::Object(id) => self.objects.get(*id)?.as_ref()?,
            Root::Known(value, _) => value,
            Root::Text(_) => return None,
        };
        for step in &path.steps {
            match &at.kind {
                ExprKind::Make(parts) => at = parts.get(step.index()?)?,
                ExprKind::Zero if has(&at.ty, *step) => {
                    return Some(Expr::new(zero_of(self.types, &e.ty), e.ty.unqualified(), e.span));
                }
                _ => return None,
            }
        }
        let size = self.types.size_of(&at.ty) / 8;
        let made = at.clone();
        self.step(size)?;
        match of_known && !made.is_constant() {
            // Its pointers are those of the program.
            true => self.value(&made),
            false => Some(made),
        }
    }

    pub(super) fn write(&mut self, path: &Lvalue, value: Expr) -> Option<()> {
        let Root::Object(id) = path.root else { return None };
        let root = self.objects.get_mut(id)?;
        if path.steps.is_empty() {
            *root = Some(value);
            return Some(());
        }
        let types = self.types;
        let mut at = root.as_mut()?;
        for step in &path.steps {
            if matches!(at.kind, ExprKind::Zero) {
                let parts: Vec<Type> = match &at.ty.kind {
                    Kind::Array(element, n) => {
                        take(self.steps, *n)?;
                        (0..*n).map(|_| element.unqualified()).collect()
                    }
                    Kind::Struct(i) if !types.get(*i).union => {
                        types.get(*i).fields.iter().map(|f| f.ty.unqualified()).collect()
                    }
                    _ => return None,
                };
                let span = at.span;
                let zero = |ty: Type| Expr::new(zero_of(types, &ty), ty, span);
                at.kind = ExprKind::Make(parts.into_iter().map(zero).collect());
            }
            let ExprKind::Make(parts) = &mut at.kind else { return None };
            at = parts.get_mut(step.index()?)?;
        }
        *at = value;
        Some(())
    }

    /// A pointer to the place, which holds a `ty`.
    pub(super) fn address_of(&mut self, place: Lvalue, ty: &Type, span: Span) -> Expr {
        self.pointed.push(place);
        let number = ExprKind::Int(self.pointed.len() as i128 - 1);
        let number = Expr::new(number, Prim::Void.into(), span);
        Expr::new(ExprKind::Address(Box::new(number)), ty.clone().pointer_to(), span)
    }

    /// What a pointer points to; `None` for a null pointer.
    pub(super) fn pointee(&self, pointer: &Expr) -> Option<Lvalue> {
        let ExprKind::Address(number) = &pointer.kind else { return None };
        self.pointed.get(usize::try_from(number.as_int()?).ok()?).cloned()
    }

    /// `&x`, an array as a pointer, and arithmetic of pointers.
    #[inline(never)]
    pub(super) fn pointer(&mut self, e: &Expr) -> Option<Expr> {
        match &e.kind {
            ExprKind::Address(inner) => {
                let place = self.lvalue(inner)?;
                let made = self.address_of(place, &inner.ty, e.span);
                Some(Expr { ty: e.ty.clone(), ..made })
            }
            ExprKind::Decay(inner) => {
                let mut place = self.lvalue(inner)?;
                place.steps.push(Step::Element(0));
                let made = self.address_of(place, &inner.ty, e.span);
                Some(Expr { ty: e.ty.clone(), ..made })
            }
            ExprKind::PointerAdd(pointer, by, back) => {
                let pointer = self.value(pointer)?;
                let by = i64::try_from(self.value(by)?.as_int()?).ok()?;
                let by = if *back { by.checked_neg()? } else { by };
                if by == 0 {
                    return Some(pointer);
                }
                let place = moved(self.pointee(&pointer)?, by)?;
                let made = self.address_of(place, &e.ty, e.span);
                Some(Expr { ty: e.ty.clone(), ..made })
            }
            ExprKind::PointerDiff(a, b) => {
                let (a, b) = (self.value(a)?, self.value(b)?);
                let difference = match is_pointer(&a) || is_pointer(&b) {
                    true => {
                        let (a, b) = (self.pointee(&a)?, self.pointee(&b)?);
                        distance(&a, &b)?
                    }
                    false => 0,
                };
                let kind = ExprKind::Int(i128::from(difference));
                Some(Expr::new(kind, e.ty.unqualified(), e.span))
            }
            _ => None,
        }
    }

    /// A comparison of pointers, of which one may be null.
    pub(super) fn compared(&self, op: CmpOp, a: &Expr, b: &Expr) -> Option<ExprKind> {
        let same = match (self.pointee(a), self.pointee(b)) {
            (Some(a), Some(b)) => match distance(&a, &b) {
                Some(n) => {
                    let order = n.cmp(&0);
                    return Some(ExprKind::Int(i128::from(match op {
                        CmpOp::Eq => order.is_eq(),
                        CmpOp::Ne => order.is_ne(),
                        CmpOp::Lt => order.is_lt(),
                        CmpOp::Le => order.is_le(),
                        CmpOp::Gt => order.is_gt(),
                        CmpOp::Ge => order.is_ge(),
                    })));
                }
                None => false,
            },
            (a, b) => a.is_none() && b.is_none(),
        };
        match op {
            CmpOp::Eq => Some(ExprKind::Int(i128::from(same))),
            CmpOp::Ne => Some(ExprKind::Int(i128::from(!same))),
            _ => None,
        }
    }

    /// A pointer converted: to `bool`, to `void*` and back, to one that adds `const`, to a base.
    pub(super) fn pointer_as(&mut self, pointer: Expr, to: &Type) -> Option<Expr> {
        if to.is(Prim::Bool) {
            return Some(Expr::new(ExprKind::Int(1), to.unqualified(), pointer.span));
        }
        let (from, target) = (pointer.ty.pointee()?.clone(), to.pointee()?);
        let made = match (&from.kind, &target.kind) {
            (a, b) if a == b => pointer,
            (_, Kind::Prim(Prim::Void)) => return Some(pointer),
            (Kind::Struct(a), Kind::Struct(b)) => {
                let mut place = self.pointee(&pointer)?;
                let path = self.types.base_path(*a, *b)?;
                place.steps.extend(path.into_iter().map(Step::Member));
                self.address_of(place, target, pointer.span)
            }
            _ => return None,
        };
        Some(Expr { ty: to.unqualified(), ..made })
    }

    /// A value as the program would write it; `None` where it points to an object of the evaluation.
    pub(super) fn outside(&self, value: Expr) -> Option<Expr> {
        let kind = match &value.kind {
            ExprKind::Make(parts) => ExprKind::Make(
                parts.iter().map(|part| self.outside(part.clone())).collect::<Option<_>>()?,
            ),
            _ if is_pointer(&value) => self.written(&self.pointee(&value)?, &value)?,
            _ => return Some(value),
        };
        Some(Expr { kind, ..value })
    }

    /// The address of a place.
    fn written(&self, place: &Lvalue, pointer: &Expr) -> Option<ExprKind> {
        let span = pointer.span;
        let mut at = match &place.root {
            Root::Object(_) => return None,
            Root::Known(_, name) => (**name).clone(),
            Root::Text(text) => {
                let element = Type::from(Prim::Char).qualified(true, false);
                let ty = Kind::Array(Rc::new(element), text.len() as u64 + 1).into();
                Expr::place(ExprKind::Text(text.clone()), ty, span)
            }
        };
        let Some((last, rest)) = place.steps.split_last() else {
            return Some(ExprKind::Address(Box::new(at)));
        };
        for step in rest {
            at = self.part(at, *step)?;
        }
        match last {
            Step::Element(0) => Some(ExprKind::Decay(Box::new(at))),
            Step::Element(n) => {
                let first = Expr::new(ExprKind::Decay(Box::new(at)), pointer.ty.clone(), span);
                let n = Expr::new(ExprKind::Int(i128::from(*n)), Prim::Long.into(), span);
                Some(ExprKind::PointerAdd(Box::new(first), Box::new(n), false))
            }
            Step::Member(_) => Some(ExprKind::Address(Box::new(self.part(at, *last)?))),
        }
    }

    fn part(&self, whole: Expr, step: Step) -> Option<Expr> {
        let (span, n) = (whole.span, step.index()?);
        match &whole.ty.kind {
            Kind::Struct(class) => {
                let ty = self.types.get(*class).fields.get(n)?.ty.clone();
                Some(Expr::place(ExprKind::Member(Box::new(whole), n as u32), ty, span))
            }
            Kind::Array(element, _) => {
                let ty = (**element).clone();
                let index = Expr::new(ExprKind::Int(n as i128), Prim::Long.into(), span);
                let pointer = ty.clone().pointer_to();
                let first = Expr::new(ExprKind::Decay(Box::new(whole)), pointer, span);
                Some(Expr::place(ExprKind::Index(Box::new(first), Box::new(index)), ty, span))
            }
            _ => None,
        }
    }
}

/// Whether the value is a pointer of an evaluation.
pub(super) fn is_pointer(value: &Expr) -> bool {
    matches!(&value.kind, ExprKind::Address(number) if number.ty.is(Prim::Void) && number.as_int().is_some())
}

/// The place so many elements further.
fn moved(mut place: Lvalue, by: i64) -> Option<Lvalue> {
    match place.steps.last_mut() {
        Some(Step::Element(i)) => *i = i.checked_add(by)?,
        _ if by == 0 => {}
        _ => return None,
    }
    Some(place)
}

/// How many elements lie between two places of one array; 0 if they are one place.
fn distance(a: &Lvalue, b: &Lvalue) -> Option<i64> {
    let one = match (&a.root, &b.root) {
        (Root::Object(a), Root::Object(b)) => a == b,
        (Root::Known(a, _), Root::Known(b, _)) => Rc::ptr_eq(a, b),
        (Root::Text(a), Root::Text(b)) => Rc::ptr_eq(a, b),
        _ => false,
    };
    if !one {
        return None;
    }
    match (a.steps.split_last(), b.steps.split_last()) {
        (Some((Step::Element(i), a)), Some((Step::Element(j), b))) if a == b => i.checked_sub(*j),
        (a, b) if a == b => Some(0),
        _ => None,
    }
}

/// A character of a text, or all of them.
fn character(text: &[u8], steps: &[Step], e: &Expr) -> Option<Expr> {
    let char = |byte: u8, ty: Type| Expr::new(ExprKind::Int(i128::from(byte as i8)), ty, e.span);
    match steps {
        [step] => {
            let i = step.index()?;
            let byte = if i == text.len() { 0 } else { *text.get(i)? };
            Some(char(byte, e.ty.unqualified()))
        }
        [] => {
            let all = text.iter().chain(&[0]).map(|byte| char(*byte, Prim::Char.into())).collect();
            Some(Expr::new(ExprKind::Make(all), e.ty.unqualified(), e.span))
        }
        _ => None,
    }
}

/// Whether a value has the part.
fn has(whole: &Type, step: Step) -> bool {
    match (&whole.kind, step) {
        (Kind::Array(_, n), Step::Element(i)) => u64::try_from(i).is_ok_and(|i| i < *n),
        _ => true,
    }
}

/// Zero: a scalar's, or all of a value.
pub(super) fn zero_of(types: &Types, ty: &Type) -> ExprKind {
    match types.scalar(ty) {
        Some(prim) if prim.is_float() => ExprKind::Float(0.0),
        Some(prim) if prim.is_integer() => ExprKind::Int(0),
        _ => ExprKind::Zero,
    }
}
