//! The words of built-in types, `unsigned long long int`.

use super::super::ast::Prim;

/// Whether a word is part of a built-in type's name.
pub(super) fn is_type_word(word: &str) -> bool {
    matches!(
        word,
        "void"
            | "bool"
            | "char"
            | "short"
            | "int"
            | "long"
            | "float"
            | "double"
            | "signed"
            | "unsigned"
            | "__int64"
            | "__int128"
            | "wchar_t"
            | "__builtin_half"
            | "__builtin_half2"
            | "__builtin_bfloat16"
            | "__builtin_bfloat162"
    )
}

/// The words of `unsigned long long int`, in any order.
#[derive(Default)]
pub(super) struct Words {
    pub(super) any: bool,
    base: Option<Prim>,
    long: u8,
    short: bool,
    signed: bool,
    pub(super) unsigned: bool,
}

impl Words {
    /// Adds a word; `false` if it does not fit the words before it.
    pub(super) fn take(&mut self, word: &str) -> bool {
        self.any = true;
        let base = match word {
            // `long double` is a `double`, as in nvcc's device code.
            "long" => {
                self.long += 1;
                let most = if self.base == Some(Prim::Double) { 1 } else { 2 };
                let fits = matches!(self.base, None | Some(Prim::Int | Prim::Double));
                return self.long <= most && !self.short && fits;
            }
            "short" => {
                let fits =
                    !self.short && self.long == 0 && matches!(self.base, None | Some(Prim::Int));
                self.short = true;
                return fits;
            }
            "signed" => {
                self.signed = true;
                return !self.unsigned;
            }
            "unsigned" => {
                self.unsigned = true;
                return !self.signed;
            }
            "void" => Prim::Void,
            "bool" => Prim::Bool,
            "char" => Prim::Char,
            // 32 bits with a sign, as on Linux.
            "int" | "wchar_t" => Prim::Int,
            "float" => Prim::Float,
            "double" => Prim::Double,
            "__builtin_half" => Prim::Half,
            "__builtin_half2" => Prim::Half2,
            "__builtin_bfloat16" => Prim::BFloat16,
            "__builtin_bfloat162" => Prim::BFloat162,
            _ => return false,
        };
        let sized = self.long > 0 || self.short;
        let wide = base == Prim::Double && self.long == 1 && !self.short;
        if self.base.is_some() || (sized && base != Prim::Int && !wide) {
            return false;
        }
        self.base = Some(base);
        true
    }

    /// The type that the words name.
    pub(super) fn prim(&self) -> Option<Prim> {
        if !self.any {
            return None;
        }
        let pick = |signed, unsigned| if self.unsigned { unsigned } else { signed };
        Some(match (self.base, self.long, self.short) {
            (Some(Prim::Char), ..) if self.unsigned => Prim::UChar,
            (Some(Prim::Char), ..) if self.signed => Prim::SChar,
            (Some(p), ..) if p != Prim::Int => p,
            (_, 1, _) => pick(Prim::Long, Prim::ULong),
            (_, 2, _) => pick(Prim::LongLong, Prim::ULongLong),
            (_, _, true) => pick(Prim::Short, Prim::UShort),
            _ => pick(Prim::Int, Prim::UInt),
        })
    }
}

/// `decltype`, and what GCC has of the kind.
pub(super) fn is_type_of(word: &str) -> bool {
    matches!(
        word,
        "decltype"
            | "typeof"
            | "__typeof__"
            | "__typeof"
            | "__underlying_type"
            | "__call_signature"
    )
}
