//! Overloaded operators as calls: members of the left operand, and functions of both.

use crate::diagnostic::Span;
use crate::sema::body::Body;
use crate::sema::classes::special_members::is_rvalue;
use crate::sema::tree::Expr;
use crate::sema::types::Kind;
use crate::sema::{Checked, FunctionId};
use crate::syntax::name::Path;

impl Body<'_, '_> {
    /// Whether an overloaded operator takes these operands.
    pub(in crate::sema) fn operator_fits(
        &mut self,
        name: impl Into<Path>,
        values: &[Expr],
    ) -> bool {
        let name = name.into();
        let methods = match values.first().map(|v| &v.ty.kind) {
            Some(Kind::Struct(index)) => self.sema.find_methods(*index, name),
            _ => None,
        };
        let (methods, _) = methods.unwrap_or_default();
        let functions = self.sema.definitions.functions.get(&name).cloned().unwrap_or_default();
        let methods: Vec<FunctionId> = methods
            .into_iter()
            .filter(|id| !values[0].ty.constant || self.sema.definitions[*id].ast.constant)
            .collect();
        methods.iter().any(|id| self.could_take(*id, &values[1..]))
            || functions.iter().any(|id| self.could_take(*id, values))
    }

    /// `a + b` where one of them is a struct.
    pub(in crate::sema) fn operator_call(
        &mut self,
        name: impl Into<Path>,
        values: Vec<Expr>,
        span: Span,
    ) -> Checked<Expr> {
        let name = name.into();
        let methods = match values.first().map(|v| &v.ty.kind) {
            Some(Kind::Struct(index)) => self.sema.find_methods(*index, name),
            _ => None,
        };
        let (methods, path) = methods.unwrap_or_default();
        let rvalue = values.first().is_some_and(is_rvalue);
        let methods = self.by_category(methods, rvalue);
        let functions = self.operators_here(name);
        if let Some((id, bound, params, method)) =
            self.choose_operator(&methods, &functions, &values)
        {
            if !method {
                return self.finish(id, bound, &params, None, values, span);
            }
            let mut values = values;
            let object = values.remove(0);
            let object = self.whole_object(object, &path, span);
            let object = self.along(object, &path, span);
            if let Kind::Struct(class) = object.ty.kind {
                self.check_function(class, id, span);
            }
            if !self.sema.definitions[id].ast.constant {
                self.mark_written(&object);
            }
            return self.finish(id, bound, &params, Some(object), values, span);
        }
        // No candidate is viable, or the call is ambiguous: report why.
        if !methods.is_empty() && functions.is_empty() {
            let constant = values[0].ty.constant;
            let ids = self.by_constness(methods, constant);
            self.choose(name, &ids, &[], &values[1..], span)?;
        } else if !functions.is_empty() && methods.is_empty() {
            self.choose(name, &functions, &[], &values, span)?;
        }
        let texts: Vec<String> = values
            .iter()
            .map(|v| format!("`{}`", self.sema.types.spell(&v.ty.unqualified())))
            .collect();
        let op = name.last();
        let op = op.trim_start_matches("operator");
        self.sema.error("type", span, format!("there is no `{op}` for {}", texts.join(" and ")))
    }

    /// The functions of this operator that the code here can call.
    fn operators_here(&self, name: Path) -> Vec<FunctionId> {
        let all = self.sema.definitions.functions.get(&name).into_iter().flatten().copied();
        all.filter(|id| {
            !self.sema.host.is_program()
                || crate::sema::host::callable(&self.sema.definitions[*id].ast, self.side)
        })
        .collect()
    }

    /// `a | b` where one of them is of an enumeration, by an operator that takes it as such: the
    /// built-in one, which takes it as a number, is for the others.
    pub(in crate::sema) fn enum_operator(
        &mut self,
        name: &str,
        values: &[Expr],
        span: Span,
    ) -> Option<Checked<Expr>> {
        let is_enum = |value: &&Expr| matches!(value.ty.kind, Kind::Enum(_));
        values.iter().find(is_enum)?;
        let functions = self.operators_here(name.into());
        let (id, bound, params, _) = self.choose_operator(&[], &functions, values)?;
        let mut pairs = values.iter().zip(&params);
        pairs
            .any(|(value, param)| is_enum(&value) && value.ty.kind == param.unreferenced().kind)
            .then(|| self.finish(id, bound, &params, None, values.to_vec(), span))
    }
}
