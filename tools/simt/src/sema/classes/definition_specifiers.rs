//! The execution space of a member whose definition outside its class has other words than its
//! declaration: `__device__ int S::f() {..}` makes an `int f();` a function of both sides.

use super::outside::class_written;
use crate::sema::types::as_written;
use crate::syntax::ast::{Function, Item, Storage, Struct, Unit};
use crate::syntax::name::Path;
use std::collections::HashMap;
use std::rc::Rc;

/// Puts the words of definitions at the declarations in their classes.
pub(crate) fn join(unit: &mut Unit) {
    let mut defined: Vec<(Path, Rc<Function>)> = Vec::new();
    for item in &unit.items {
        if let Item::Method(owner, _, function) = item
            && (function.storage.device || function.storage.host)
            && !function.span.is_built_in()
            && let Some((class, _)) = class_written(owner)
        {
            defined.push((class, function.clone()));
        }
    }
    if defined.is_empty() {
        return;
    }
    let mut classes: HashMap<Path, usize> = HashMap::new();
    for (number, item) in unit.items.iter().enumerate() {
        if let Item::Struct(class) = item
            && class.defined
            && !class.special
        {
            classes.insert(class.name, number);
        }
    }
    for (path, function) in defined {
        let (mut outer, mut inner) = (path, Vec::new());
        let found = loop {
            if let Some(number) = classes.get(&outer) {
                break Some(*number);
            }
            let Some(around) = outer.parent() else { break None };
            inner.push(outer.last());
            outer = around;
        };
        let Some(Item::Struct(class)) = found.and_then(|number| unit.items.get_mut(number)) else {
            continue;
        };
        inner.reverse();
        let inner: Vec<_> = inner.into_iter().map(Path::from).collect();
        take_words(class, &inner, &function);
    }
}

/// Gives the declaration of `function` in the class, or in the class inside it that `path` leads to, its
/// words.
fn take_words(class: &mut Rc<Struct>, path: &[Path], function: &Function) {
    if let [first, rest @ ..] = path {
        let is_inner = |item: &&mut Item| match item {
            Item::Struct(inner) => inner.defined && inner.name.last() == first.last(),
            _ => false,
        };
        if let Some(Item::Struct(inner)) = Rc::make_mut(class).members.iter_mut().find(is_inner) {
            take_words(inner, rest, function);
        }
        return;
    }
    let all = || class.methods.iter().chain(&class.constructors).chain(&class.destructor);
    let fits = |of: &&Rc<Function>| {
        of.name.last() == function.name.last()
            && of.body.is_none()
            && of.params.len() == function.params.len()
            && of.template.len() == function.template.len()
            && of.constant == function.constant
            && of.object == function.object
    };
    let fitting: Vec<_> = all().filter(fits).collect();
    let exact = fitting.iter().find(|of| as_written::same_parameters(of, function));
    let declared = match (exact, fitting.as_slice()) {
        (Some(one), _) | (None, [one]) => Rc::clone(one),
        _ => return,
    };
    let Some(storage) = joined(declared.storage, function.storage) else { return };
    let class = Rc::make_mut(class);
    let all = class.methods.iter_mut().chain(&mut class.constructors).chain(&mut class.destructor);
    for own in all.filter(|own| Rc::ptr_eq(own, &declared)) {
        *own = Rc::new(Function { storage, ..(**own).clone() });
    }
}

/// The words of a declaration with those of its definition; none if that adds no side.
fn joined(declared: Storage, defined: Storage) -> Option<Storage> {
    let on_host = |words: Storage| words.host || !words.device;
    let device = declared.device || defined.device;
    let host = on_host(declared) || on_host(defined);
    let adds = (device, host) != (declared.device, on_host(declared));
    (adds && !declared.constexpr).then_some(Storage { device, host, ..declared })
}
