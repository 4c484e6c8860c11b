//! Types as C++ spells them, for messages.

use crate::sema::types::{Kind, Type, Types};

impl Types {
    /// As C++ spells it: `const int*`, `float[32][33]`.
    pub fn spell(&self, ty: &Type) -> String {
        let qualifiers = match (ty.constant, ty.volatile) {
            (true, true) => "const volatile ",
            (true, false) => "const ",
            (false, true) => "volatile ",
            (false, false) => "",
        };
        match &ty.kind {
            Kind::Prim(p) => format!("{qualifiers}{}", p.spelling()),
            Kind::Struct(i) => format!("{qualifiers}{}", self.get(*i).path),
            Kind::Enum(i) => format!("{qualifiers}{}", self.enums[i.index()].name),
            Kind::Null => "std::nullptr_t".to_string(),
            Kind::List(_) => "{..}".to_string(),
            Kind::Function(signature) => {
                let params: Vec<String> = signature.params.iter().map(|p| self.spell(p)).collect();
                format!("{}({})", self.spell(&signature.returns), params.join(", "))
            }
            Kind::Pointer(inner) | Kind::Reference(inner) | Kind::Rvalue(inner) => {
                let sign = match ty.kind {
                    Kind::Pointer(_) => "*",
                    Kind::Reference(_) => "&",
                    _ => "&&",
                };
                let own = if qualifiers.is_empty() {
                    String::new()
                } else {
                    format!(" {}", qualifiers.trim_end())
                };
                match &inner.kind {
                    Kind::Array(..) => {
                        let whole = self.spell(inner);
                        let cut = whole.find('[').unwrap_or(whole.len());
                        format!("{} ({sign}){}", &whole[..cut], &whole[cut..])
                    }
                    Kind::Function(signature) => {
                        let whole = self.spell(inner);
                        let returns = self.spell(&signature.returns);
                        format!("{returns} ({sign}){}", &whole[returns.len()..])
                    }
                    _ => format!("{}{sign}{own}", self.spell(inner)),
                }
            }
            Kind::Array(..) => {
                let mut element = ty;
                let mut lengths = String::new();
                while let Kind::Array(inner, n) = &element.kind {
                    lengths.push_str(&format!("[{n}]"));
                    element = inner;
                }
                format!("{}{lengths}", self.spell(element))
            }
        }
    }
}
