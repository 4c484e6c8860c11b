//! Members of anonymous structs and unions in a constructor's list: `union { int i; }; B() : i(1) {}`.

use crate::sema::Checked;
use crate::sema::body::Body;
use crate::sema::tree::{Expr, Stmt};
use crate::sema::types::Kind;
use crate::syntax::ast::MemberInit;

impl Body<'_, '_> {
    /// Begins the member, if it is one of an anonymous struct or union; `false` if it is none.
    pub(super) fn begin_anonymous(
        &mut self,
        this: &Expr,
        init: &MemberInit,
        out: &mut Vec<Stmt>,
    ) -> Checked<bool> {
        let Kind::Struct(owner) = this.ty.kind else { return Ok(false) };
        let path = self.sema.types.find(owner, init.name).unwrap_or_default();
        let bases = self.sema.types.get(owner).bases;
        if path.len() < 2 || path[0] < bases {
            return Ok(false);
        }
        let member = self.along(this.clone(), &path, init.span);
        let value = self.member_value(&member.ty, init)?;
        out.push(Stmt::Expr(self.begun(member, value, init.span)));
        Ok(true)
    }
}
