//! Variables at file level, and `static` members, which are the same under a longer name.

use super::body::Body;
use super::tree::{Expr, Global};
use super::types::Kind;
use super::{Checked, Entity};
use crate::diagnostic::Diagnostic;
use crate::syntax::ast::VarDecl;

/// Bytes of one variable at most: an offset has 32 bits.
const MAX_BYTES: u64 = (1 << 32) - 64;

impl Body<'_, '_> {
    /// What the variable's name means from here on; `None` also for one that is merely announced.
    pub(super) fn global(&mut self, ast: &VarDecl) -> Option<Entity> {
        let ty = self.variable_type(ast)?;
        let storage = ast.storage;
        let in_memory = storage.device || storage.constant_memory || storage.managed;
        if storage.managed && !self.sema.host.whole {
            return self.sema.unsupported(ast.span, "`__managed__` variables");
        }
        if storage.shared {
            return self.sema.unsupported(ast.span, "`__shared__` variables outside functions");
        }
        let constant =
            ty.constant || storage.constexpr || matches!(&ty.kind, Kind::Array(e, _) if e.constant);
        if !in_memory && !constant {
            if storage.external {
                return None;
            }
            let message = format!("`{}` is a variable of the host", ast.name);
            let diagnostic = Diagnostic::error("name", ast.span, message)
                .with_help("for the device, write `__device__` or `__constant__` before it");
            self.sema.report(diagnostic);
            return None;
        }
        if self.sema.types.size_of(&ty) > MAX_BYTES {
            let message = format!("`{}` is larger than 4 GiB less 64 bytes", ast.name);
            return self.sema.error("type", ast.span, message);
        }
        let init = self.initial_value(&ty, &ast.init, ast.span)?;
        if !in_memory && let Some(value) = init.as_ref().filter(|e| e.is_constant()) {
            return Some(Entity::Constant(value.clone()));
        }
        let initial = self.initial_bytes(init.as_ref(), self.sema.types.size_of(&ty))?;
        let index = self.sema.globals.len() as u16;
        self.sema.globals.push(Global {
            name: ast.name.clone(),
            ty,
            span: ast.span,
            constant: storage.constant_memory || !in_memory,
            managed: storage.managed,
            initial,
        });
        Some(Entity::Global(index))
    }

    fn initial_bytes(&mut self, value: Option<&Expr>, size: u64) -> Checked<Vec<u8>> {
        let Some(value) = value else { return Some(Vec::new()) };
        let mut bytes = vec![0; size as usize];
        self.sema.store_constant(value, &mut bytes, 0)?;
        Some(bytes)
    }
}
