//! `public:`, `private:`, `protected:` and `friend` in a class.

use super::super::ast::{Access, Item, Struct};
use super::super::token::{Kind, Token};
use super::Parser;
use super::global_names::without_root;

impl Parser<'_> {
    /// What `public:`, `private:` or `protected:` means for the members behind it.
    pub(super) fn access_ahead(&self) -> Option<Option<Access>> {
        let access = match &*self.peek().text {
            "public" => None,
            "private" => Some(Access::Private),
            "protected" => Some(Access::Protected),
            _ => return None,
        };
        Some(access)
    }

    /// The words of a friend declaration, if one begins here.
    pub(super) fn note_friends(&self, out: &mut Struct) {
        let ends =
            |token: &Token| token.kind == Kind::End || [";", "{", "}"].iter().any(|p| token.is(p));
        let words = || (0..).map(|at| self.ahead(at)).take_while(|token| !ends(token));
        if words().any(|token| token.is_word("friend")) {
            let names = words().filter(|token| token.kind == Kind::Ident);
            let plain = |token: &Token| without_root(token.text).unwrap_or(token.text);
            out.access.friends.extend(names.map(plain));
        }
    }
}

/// How many fields, static members, functions and constructors a class has so far.
pub(super) fn counts(class: &Struct) -> [usize; 5] {
    let (fields, members) = (class.fields.len(), class.members.len());
    let destructors = usize::from(class.destructor.is_some());
    [fields, members, class.methods.len(), class.constructors.len(), destructors]
}

/// Notes that the members behind these are not public.
pub(super) fn hide(
    class: &mut Struct,
    [fields, members, methods, constructors, destructors]: [usize; 5],
    access: Access,
) {
    let statics = class.members[members..].iter().filter_map(|item| match item {
        Item::Variables(all) => Some(all),
        _ => None,
    });
    let variables = class.fields[fields..].iter().chain(statics.flatten());
    let destructor = class.destructor.iter().skip(destructors);
    let functions = class.methods[methods..].iter().chain(&class.constructors[constructors..]);
    let functions = functions.chain(destructor);
    let types = class.members[members..].iter().filter_map(Item::declared_type);
    let places = variables.map(|v| (v.span, v.name.last())).chain(types);
    let places = places.chain(functions.map(|f| (f.span, f.name.last())));
    class.access.hidden.extend(places.map(|place| (place, access)));
}
