//! The name of a type as `typeid(T).name()` gives it: that of the Itanium C++ ABI.

use crate::sema::Arg;
use crate::sema::body::Body;
use crate::sema::types::{Kind, Type};
use crate::syntax::ast::Prim;
use crate::syntax::name::Path;

/// What was written so far and may be named again.
#[derive(Default)]
struct Seen(Vec<String>);

impl Seen {
    /// The short form of what was written before, or the long one, which is noted.
    fn short(&mut self, whole: String, long: String) -> String {
        match self.0.iter().position(|known| *known == whole) {
            Some(0) => "S_".to_owned(),
            Some(n) => format!("S{}_", digits(n - 1)),
            None => {
                self.0.push(whole);
                long
            }
        }
    }

    fn has(&self, whole: &String) -> bool {
        self.0.contains(whole)
    }
}

/// A number in base 36.
fn digits(n: usize) -> String {
    let last = char::from_digit((n % 36) as u32, 36).unwrap_or('0').to_ascii_uppercase();
    if n < 36 { last.to_string() } else { format!("{}{last}", digits(n / 36)) }
}

impl Body<'_, '_> {
    /// The mangled name; `None` if the type has none here.
    pub(in crate::sema) fn mangled(&self, ty: &Type) -> Option<String> {
        self.mangle(ty, &mut Seen::default())
    }

    fn mangle(&self, ty: &Type, seen: &mut Seen) -> Option<String> {
        if ty.constant || ty.volatile {
            let words = format!(
                "{}{}",
                if ty.volatile { "V" } else { "" },
                if ty.constant { "K" } else { "" }
            );
            return self.behind(&words, &ty.unqualified(), seen);
        }
        match &ty.kind {
            Kind::Prim(prim) => primitive(*prim).map(str::to_owned),
            Kind::Null => Some("Dn".to_owned()),
            Kind::Pointer(to) => self.behind("P", to, seen),
            Kind::Reference(to) => self.behind("R", to, seen),
            Kind::Rvalue(to) => self.behind("O", to, seen),
            Kind::Array(element, n) => self.behind(&format!("A{n}_"), element, seen),
            Kind::Function(signature) => {
                let mut all = vec![signature.returns.clone()];
                all.extend(signature.params.iter().cloned());
                if signature.params.is_empty() {
                    all.push(Kind::Prim(Prim::Void).into());
                }
                let list = |seen: &mut Seen| {
                    let text: Option<String> = all.iter().map(|ty| self.mangle(ty, seen)).collect();
                    text.map(|text| format!("F{text}E"))
                };
                let whole = list(&mut Seen::default())?;
                let long = if seen.has(&whole) { String::new() } else { list(seen)? };
                Some(seen.short(whole, long))
            }
            Kind::Enum(index) => self.named(self.sema.types.enums[index.index()].name, None, seen),
            Kind::Struct(index) => {
                let declared = self.sema.types.get(*index).declared;
                let instances = &self.sema.instances.structs;
                let found = instances.iter().find(|(_, made)| made.kind == ty.kind);
                self.named(declared, found.map(|((_, args), _)| args.as_slice()), seen)
            }
            _ => None,
        }
    }

    /// A type with something before it.
    fn behind(&self, words: &str, ty: &Type, seen: &mut Seen) -> Option<String> {
        let whole = format!("{words}{}", self.mangle(ty, &mut Seen::default())?);
        let long = match seen.has(&whole) {
            true => String::new(),
            false => format!("{words}{}", self.mangle(ty, seen)?),
        };
        Some(seen.short(whole, long))
    }

    /// A class or an enumeration, with the arguments of its template.
    fn named(&self, path: Path, args: Option<&[Arg]>, seen: &mut Seen) -> Option<String> {
        if path.in_std().as_deref() == Some("string") {
            let standard = "NSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE";
            return Some(seen.short(standard.to_owned(), standard.to_owned()));
        }
        let mut segments = vec![path.last()];
        let mut around = path.parent();
        while let Some(outer) = around {
            segments.insert(0, outer.last());
            around = outer.parent();
        }
        let standard = segments.len() > 1 && &*segments[0] == "std";
        let nested = segments.len() > if standard { 2 } else { 1 };
        let (mut whole, mut long) = (String::new(), String::new());
        for (i, segment) in segments.iter().enumerate() {
            if i == 0 && standard {
                (whole, long) = ("St".to_owned(), "St".to_owned());
                continue;
            }
            let name = format!("{}{segment}", segment.len());
            whole.push_str(&name);
            long.push_str(&name);
            // What no template's arguments follow is noted whole, as below.
            if i + 1 < segments.len() || args.is_some() {
                long = seen.short(whole.clone(), long);
            }
        }
        if let Some(args) = args {
            let (mut inner, mut listed) = ("I".to_owned(), "I".to_owned());
            self.arguments(args, &mut inner, &mut Seen::default())?;
            whole = format!("{whole}{inner}E");
            if !seen.has(&whole) {
                self.arguments(args, &mut listed, seen)?;
            }
            long = format!("{long}{listed}E");
        }
        if seen.has(&whole) {
            return Some(seen.short(whole, long));
        }
        let long = if nested { format!("N{long}E") } else { long };
        Some(seen.short(whole, long))
    }

    fn arguments(&self, args: &[Arg], out: &mut String, seen: &mut Seen) -> Option<()> {
        for arg in args {
            match arg {
                Arg::Type(ty) => out.push_str(&self.mangle(ty, seen)?),
                Arg::Value(v, ty) => {
                    let sign = if *v < 0 { "n" } else { "" };
                    let ty = self.mangle(&ty.unqualified(), seen)?;
                    out.push_str(&format!("L{ty}{sign}{}E", v.unsigned_abs()));
                }
                Arg::Pack(all) => {
                    out.push('J');
                    self.arguments(all, out, seen)?;
                    out.push('E');
                }
                Arg::Template(_) | Arg::Function(_) => return None,
            }
        }
        Some(())
    }
}

fn primitive(prim: Prim) -> Option<&'static str> {
    Some(match prim {
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
        _ => return None,
    })
}
