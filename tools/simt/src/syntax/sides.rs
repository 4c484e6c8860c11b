//! `__CUDA_ARCH__`: what a program says differently to the device and to the host.
//!
//! nvcc compiles a source once for each of them, and defines the macro only for the device. Here both
//! share one tree. A program that names the macro is preprocessed twice, and if that gives different
//! tokens it is parsed twice, and the two trees become one:
//!
//! - a function that both trees have keeps its other text for the host ([`Function::on_host`]);
//! - a function that only one tree has is that side's alone;
//! - a class that differs has the functions of both, and must have the same data members;
//! - a constant of the host that the device has in its own memory, with the same value, is the host's:
//!   the device gets a copy of it, as of any constant;
//! - another variable or a type that differs is refused: one name would mean two things.

use super::ast::{Function, Item, Storage, Struct, TypeExpr, TypeKind, VarDecl};
use super::name::Path;
use super::parser::Tree;
use crate::diagnostic::{Diagnostic, Span};
use std::collections::{HashMap, VecDeque};
use std::rc::Rc;

/// The macro.
pub(super) const ARCH: &str = "__CUDA_ARCH__";

/// Words of a constant's declaration that may differ between the sides.
const SPECIFIERS: [&str; 5] = ["__device__", "__constant__", "static", "const", "constexpr"];

/// What a declaration is recognised by in the other tree.
struct Mark {
    name: Path,
    span: Span,
    /// A function's number of parameters, and whether it is a template.
    signature: Option<(usize, bool)>,
}

impl Mark {
    fn new(name: Path, span: Span) -> Mark {
        // A name that the parser makes up differs between the trees.
        let name = if name.last().contains('#') { Path::default() } else { name };
        Mark { name, span, signature: None }
    }

    fn of_function(function: &Function) -> Mark {
        let signature = Some((function.params.len(), function.template.is_empty()));
        Mark { signature, ..Mark::new(function.name, function.span) }
    }

    fn of_variable(variable: &VarDecl) -> Mark {
        Mark::new(variable.name, variable.span)
    }

    fn of(item: &Item) -> Mark {
        match item {
            Item::Function(function) => Mark::of_function(function),
            Item::Specialisation(_, function)
            | Item::Method(_, _, function)
            | Item::Guide(function) => Mark::new(function.name, function.span),
            Item::Variables(all) => all.first().map_or(Mark::default(), Mark::of_variable),
            Item::Static(_, _, variable) => Mark::of_variable(variable),
            Item::Struct(class) | Item::Inner(_, class) => Mark::new(class.name, class.span),
            Item::Enum(ast) => {
                Mark::new(ast.name, ast.values.first().map_or(Span::default(), |value| value.1))
            }
            Item::Alias(alias) => Mark::new(alias.name, alias.ty.span),
            Item::StaticAssert(cond, _) => Mark::new(Path::default(), cond.span),
        }
    }

    fn default() -> Mark {
        Mark::new(Path::default(), Span::default())
    }
}

/// Whether two trees have the same tokens.
pub(super) fn same_tokens(device: &Tree, host: &Tree) -> bool {
    device.words(0..device.tokens.len()).eq(host.words(0..host.tokens.len()))
}

/// Makes one tree of the device's and the host's.
pub(super) fn merge(device: Tree, host: Tree, diagnostics: &mut Vec<Diagnostic>) -> Vec<Item> {
    let marks = |items: &[Item]| items.iter().map(Mark::of).collect::<Vec<_>>();
    let partners = partners(&marks(&device.items), &marks(&host.items));
    let mut pairs: Vec<Option<usize>> = vec![None; device.items.len()];
    for (number, partner) in partners.iter().enumerate() {
        if let Some(partner) = partner {
            pairs[*partner] = Some(number);
        }
    }
    let same = |of_device: usize, of_host: usize| {
        let of_device = device.words(device.places[of_device].clone());
        of_device.eq(host.words(host.places[of_host].clone()))
    };
    let same_value = |of_device: usize, of_host: usize| {
        let of_device = device.words(device.places[of_device].clone());
        let of_host = host.words(host.places[of_host].clone());
        let is_value = |word: &&str| !SPECIFIERS.contains(word);
        of_device.filter(is_value).eq(of_host.filter(is_value))
    };
    // Names of variables and types that only the device has, each with its item.
    let alone: HashMap<Path, usize> = (device.items.iter().enumerate())
        .filter(|(number, item)| pairs[*number].is_none() && !is_function(item))
        .map(|(number, item)| (Mark::of(item).name, number))
        .collect();
    let mut merge = Merge { out: Vec::new(), diagnostics };
    let mut at = 0;
    let mut device_up_to = |merge: &mut Merge<'_>, end: usize| {
        while at < end {
            let item = &device.items[at];
            match pairs[at] {
                Some(other) if !same(at, other) => {
                    let host_item = &host.items[other];
                    match same_value(at, other) && is_constant_of_both(item, host_item) {
                        true => merge.out.push(host_item.clone()),
                        false => merge.differ(item, host_item),
                    }
                }
                Some(_) => merge.out.push(item.clone()),
                None => merge.out.extend(only(item, for_device)),
            }
            at += 1;
        }
    };
    for (number, item) in host.items.iter().enumerate() {
        if let Some(partner) = partners[number] {
            device_up_to(&mut merge, partner + 1);
            continue;
        }
        let mark = Mark::of(item);
        match alone.get(&mark.name).filter(|_| !is_function(item) && !mark.name.is_empty()) {
            Some(other) if same(*other, number) => {}
            Some(_) => merge.refuse(&mark),
            None => merge.out.extend(only(item, for_host)),
        }
    }
    device_up_to(&mut merge, device.items.len());
    merge.out
}

/// For each of the host's declarations, the number of the same one of the device's: at the same place,
/// or else a function of the same name with as many parameters.
fn partners(device: &[Mark], host: &[Mark]) -> Vec<Option<usize>> {
    type Key = (Path, Option<Span>, Option<(usize, bool)>);
    let keys: [fn(&Mark) -> Option<Key>; 2] = [
        |mark| Some((mark.name, Some(mark.span), None)),
        |mark| mark.signature.map(|signature| (mark.name, None, Some(signature))),
    ];
    let mut found: Vec<Option<usize>> = vec![None; host.len()];
    let mut taken = vec![false; device.len()];
    for key in keys {
        let mut free: HashMap<Key, VecDeque<usize>> = HashMap::new();
        for (number, mark) in device.iter().enumerate().filter(|(number, _)| !taken[*number]) {
            if let Some(key) = key(mark) {
                free.entry(key).or_default().push_back(number);
            }
        }
        for (number, mark) in host.iter().enumerate() {
            if found[number].is_none() {
                let all = key(mark).and_then(|key| free.get_mut(&key));
                found[number] = all.and_then(VecDeque::pop_front);
            }
        }
        for number in found.iter().flatten() {
            taken[*number] = true;
        }
    }
    found
}

fn is_function(item: &Item) -> bool {
    matches!(item, Item::Function(_) | Item::Specialisation(..) | Item::Method(..))
}

/// An item of one tree alone, for its side.
fn only(item: &Item, of: fn(&Rc<Function>) -> Option<Rc<Function>>) -> Option<Item> {
    Some(match item {
        Item::Function(function) => Item::Function(of(function)?),
        Item::Specialisation(arguments, function) => {
            Item::Specialisation(arguments.clone(), of(function)?)
        }
        other => other.clone(),
    })
}

/// A function that only the device's tree has; `None` if the device has no use for it.
fn for_device(function: &Rc<Function>) -> Option<Rc<Function>> {
    let storage = function.storage;
    match (storage.device, storage.host) {
        (true, true) => Some(with(function, Storage { host: false, ..storage })),
        (false, _) if !storage.global && !storage.constexpr => None,
        _ => Some(function.clone()),
    }
}

/// A function that only the host's tree has; `None` if the host has no use for it.
fn for_host(function: &Rc<Function>) -> Option<Rc<Function>> {
    let storage = function.storage;
    match (storage.device, storage.host) {
        (true, true) => Some(with(function, Storage { device: false, ..storage })),
        (true, false) => None,
        _ => Some(function.clone()),
    }
}

fn with(function: &Rc<Function>, storage: Storage) -> Rc<Function> {
    Rc::new(Function { storage, ..(**function).clone() })
}

/// One function of two texts.
fn of_both(device: &Rc<Function>, host: &Rc<Function>) -> Rc<Function> {
    let Storage { device: is_device, host: is_host, .. } = device.storage;
    let storage = Storage {
        host: is_host || is_device && (host.storage.host || !host.storage.device),
        ..device.storage
    };
    Rc::new(Function { on_host: Some(host.clone()), storage, ..(**device).clone() })
}

/// The functions of a class.
fn functions(device: &[Rc<Function>], host: &[Rc<Function>]) -> Vec<Rc<Function>> {
    let marks = |all: &[Rc<Function>]| all.iter().map(|f| Mark::of_function(f)).collect::<Vec<_>>();
    let partners = partners(&marks(device), &marks(host));
    let mut out: Vec<Option<Rc<Function>>> = device.iter().map(for_device).collect();
    for (number, partner) in partners.into_iter().enumerate() {
        match partner {
            Some(partner) => out[partner] = Some(of_both(&device[partner], &host[number])),
            None => out.push(for_host(&host[number])),
        }
    }
    out.into_iter().flatten().collect()
}

struct Merge<'a> {
    out: Vec<Item>,
    diagnostics: &'a mut Vec<Diagnostic>,
}

impl Merge<'_> {
    /// A declaration with two texts.
    fn differ(&mut self, device: &Item, host: &Item) {
        let made = match (device, host) {
            (Item::Function(device), Item::Function(host)) => Item::Function(of_both(device, host)),
            (Item::Specialisation(arguments, device), Item::Specialisation(_, host)) => {
                Item::Specialisation(arguments.clone(), of_both(device, host))
            }
            (Item::Method(class, template, device), Item::Method(_, _, host)) => {
                Item::Method(class.clone(), template.clone(), of_both(device, host))
            }
            (Item::Struct(device), Item::Struct(host)) => Item::Struct(self.class(device, host)),
            (Item::StaticAssert(..), Item::StaticAssert(..)) => {
                self.out.push(device.clone());
                host.clone()
            }
            (Item::Variables(on_device), Item::Variables(on_host)) => {
                if on_host.iter().all(of_host_alone) && on_device.iter().all(of_host_alone) {
                    host.clone()
                } else if on_device.iter().chain(on_host).all(|v| v.storage.device) {
                    device.clone()
                } else {
                    return self.refuse(&Mark::of(device));
                }
            }
            _ => return self.refuse(&Mark::of(device)),
        };
        self.out.push(made);
    }

    fn class(&mut self, device: &Rc<Struct>, host: &Rc<Struct>) -> Rc<Struct> {
        let names = |class: &Struct| -> Vec<Path> {
            class.fields.iter().map(|field| Mark::of_variable(field).name).collect()
        };
        if names(device) != names(host) {
            self.refuse(&Mark::new(device.name, device.span));
        }
        let mut members = device.members.clone();
        let marks = |items: &[Item]| items.iter().map(Mark::of).collect::<Vec<_>>();
        for (number, partner) in
            partners(&marks(&device.members), &marks(&host.members)).into_iter().enumerate()
        {
            let other = &host.members[number];
            match partner {
                None => members.push(other.clone()),
                Some(partner) => {
                    if let (Item::Struct(device), Item::Struct(host)) =
                        (&device.members[partner], other)
                    {
                        members[partner] = Item::Struct(self.class(device, host));
                    }
                }
            }
        }
        let destructor = match (&device.destructor, &host.destructor) {
            (Some(device), Some(host)) => Some(of_both(device, host)),
            (device, host) => device.clone().or_else(|| host.clone()),
        };
        Rc::new(Struct {
            members,
            methods: functions(&device.methods, &host.methods),
            constructors: functions(&device.constructors, &host.constructors),
            friends: functions(&device.friends, &host.friends),
            destructor,
            ..(**device).clone()
        })
    }

    fn refuse(&mut self, mark: &Mark) {
        let construct =
            format!("`{}` with one meaning on the device and another on the host", mark.name);
        self.diagnostics.push(Diagnostic::unsupported(mark.span, construct).with_help(
            "`__CUDA_ARCH__` may choose what a function does, and which functions there are",
        ));
    }
}

/// Whether these are constants, of which the device has its own in its memory.
fn is_constant_of_both(device: &Item, host: &Item) -> bool {
    let (Item::Variables(device), Item::Variables(host)) = (device, host) else { return false };
    let in_memory = |v: &VarDecl| v.storage.device || v.storage.constant_memory;
    let constant = |v: &VarDecl| is_constant(&v.ty) || v.storage.constexpr;
    device.iter().all(in_memory) && host.iter().all(|v| constant(v) && !in_memory(v))
}

/// Whether the type, or that of an array's elements, is `const`.
fn is_constant(ty: &TypeExpr) -> bool {
    ty.constant || matches!(&ty.kind, TypeKind::Array(element, _) if is_constant(element))
}

/// Whether only host code can name the variable.
fn of_host_alone(variable: &VarDecl) -> bool {
    let Storage { device, constant_memory, managed, shared, constexpr, .. } = variable.storage;
    !(device || constant_memory || managed || shared || constexpr || variable.ty.constant)
}
