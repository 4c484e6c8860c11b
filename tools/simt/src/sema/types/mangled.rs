//! The names that `typeid(T).name()` gives: those of the Itanium ABI, as GCC has them.

use crate::sema::body::Body;
use crate::sema::types::{ClassId, Kind, Prim, Type};
use crate::sema::{Arg, Sema};
use crate::syntax::name::Path;

/// A name that is being made, and its parts so far: a part that was written before is a number.
struct Mangler<'s, 'a> {
    sema: &'s Sema<'a>,
    known: Vec<String>,
    /// Parts are written in full each time.
    whole: bool,
}

impl Body<'_, '_> {
    /// The mangled name of a type, without its reference and its own qualifiers.
    pub(in crate::sema) fn mangled(&self, ty: &Type) -> String {
        let mut mangler = Mangler { sema: self.sema, known: Vec::new(), whole: false };
        mangler.ty(&ty.unreferenced().unqualified())
    }
}

fn builtin(prim: Prim) -> &'static str {
    match prim {
        Prim::Void => "v",
        Prim::Bool => "b",
        Prim::Char => "c",
        Prim::SChar => "a",
        Prim::UChar => "h",
        Prim::Short => "s",
        Prim::UShort => "t",
        Prim::Int => "i",
        Prim::UInt => "j",
        Prim::Long => "l",
        Prim::ULong => "m",
        Prim::LongLong => "x",
        Prim::ULongLong => "y",
        Prim::Float => "f",
        Prim::Double => "d",
        Prim::Half => "6__half",
        Prim::BFloat16 => "13__nv_bfloat16",
        Prim::Half2 => "7__half2",
        Prim::BFloat162 => "14__nv_bfloat162",
    }
}

fn source_name(name: &str) -> String {
    let plain = name.split('<').next().unwrap_or(name);
    format!("{}{plain}", plain.len())
}

impl Mangler<'_, '_> {
    /// The part of this full spelling, as a number if it was written before.
    fn part(&mut self, key: String, write: impl FnOnce(&mut Self) -> String) -> String {
        if self.whole {
            return write(self);
        }
        if let Some(at) = self.known.iter().position(|known| *known == key) {
            let digits = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
            return match at.checked_sub(1) {
                None => "S_".to_owned(),
                Some(n) if n < 36 => format!("S{}_", char::from(digits[n])),
                Some(n) => format!("S{}{}_", n / 36, char::from(digits[n % 36])),
            };
        }
        let text = write(self);
        self.known.push(key);
        text
    }

    fn full(&self, ty: &Type) -> String {
        Mangler { sema: self.sema, known: Vec::new(), whole: true }.ty(ty)
    }

    fn ty(&mut self, ty: &Type) -> String {
        if ty.constant || ty.volatile {
            let signs = [("V", ty.volatile), ("K", ty.constant)];
            let signs: String = signs.iter().filter(|(_, is)| *is).map(|(sign, _)| *sign).collect();
            let inner = ty.unqualified();
            let key = format!("{signs}{}", self.full(&inner));
            return self.part(key, |m| format!("{signs}{}", m.ty(&inner)));
        }
        let of = |sign: &'static str, inner: &Type| (sign.to_owned(), inner.clone());
        let (sign, inner) = match &ty.kind {
            Kind::Prim(prim) => return builtin(*prim).to_owned(),
            Kind::Null => return "Dn".to_owned(),
            Kind::Struct(class) => return self.class(*class),
            Kind::Enum(id) => {
                let name = self.sema.types.enums[id.index()].name;
                return self.name(name, None, &[]);
            }
            Kind::Pointer(inner) => of("P", inner),
            Kind::Reference(inner) => of("R", inner),
            Kind::Rvalue(inner) => of("O", inner),
            Kind::Array(element, n) => (format!("A{n}_"), (**element).clone()),
            Kind::Function(signature) => {
                let signature = signature.clone();
                let write = move |m: &mut Self| {
                    let mut text = format!("F{}", m.ty(&signature.returns));
                    for param in &signature.params {
                        text += &m.ty(param);
                    }
                    text + if signature.params.is_empty() { "vE" } else { "E" }
                };
                let mut whole = Mangler { sema: self.sema, known: Vec::new(), whole: true };
                let key = write(&mut whole);
                return self.part(key, write);
            }
            Kind::List(_) => return "v".to_owned(),
        };
        let key = format!("{sign}{}", self.full(&inner));
        self.part(key, |m| format!("{sign}{}", m.ty(&inner)))
    }

    fn class(&mut self, class: ClassId) -> String {
        let info = self.sema.types.get(class);
        let known = &self.sema.instances.structs;
        let args = known.iter().find(|(_, ty)| ty.kind == Kind::Struct(class));
        let args = args.map(|((_, args), _)| args.clone());
        // `std::string`.
        let declared = info.declared;
        if declared.in_std().as_deref() == Some("basic_string")
            || declared.in_std().as_deref() == Some("string")
        {
            return "NSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE".to_owned();
        }
        let name = if declared.is_qualified() { declared } else { info.path };
        match args {
            Some(args) => self.name(declared, Some(class), &args),
            None => self.name(name, Some(class), &[]),
        }
    }

    /// The name of a class or an enumeration, with its template arguments.
    fn name(&mut self, name: Path, class: Option<ClassId>, args: &[Arg]) -> String {
        let instance = class.is_some() && !args.is_empty();
        let std = name.parent().is_some_and(|space| space.is("std"));
        let nested = name.parent().filter(|_| !std);
        let mut whole = Mangler { sema: self.sema, known: Vec::new(), whole: true };
        let template_key = format!("template {name}");
        let key = match instance {
            true => format!("{name}I{}E", whole.args(args)),
            false => name.to_string(),
        };
        let own = source_name(&name.last());
        self.part(key, |m| {
            let before = |m: &mut Self| match nested {
                Some(space) => m.prefix(space) + &own,
                None if std => format!("St{own}"),
                None => own.clone(),
            };
            let mut text = match instance {
                true => m.part(template_key, before),
                false => before(m),
            };
            if instance {
                text += &format!("I{}E", m.args(args));
            }
            if nested.is_some() { format!("N{text}E") } else { text }
        })
    }

    /// The namespaces and classes in front of a name.
    fn prefix(&mut self, path: Path) -> String {
        if path.is("std") {
            return "St".to_owned();
        }
        self.part(path.to_string(), |m| {
            let outer = path.parent().map(|outer| m.prefix(outer)).unwrap_or_default();
            outer + &source_name(&path.last())
        })
    }

    fn args(&mut self, args: &[Arg]) -> String {
        let mut text = String::new();
        for arg in args {
            text += &match arg {
                Arg::Type(ty) => self.ty(ty),
                Arg::Value(v, ty) => {
                    let sign = if *v < 0 { "n" } else { "" };
                    format!("L{}{sign}{}E", self.ty(&ty.unqualified()), v.unsigned_abs())
                }
                Arg::Pack(all) => format!("J{}E", self.args(all)),
                Arg::Template(name) => self.name(*name, None, &[]),
                Arg::Function(name) => format!("XadL_Z{}EE", source_name(&name.last())),
            };
        }
        text
    }
}
