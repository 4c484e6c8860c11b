//! Loads and stores.

use super::Entry;
use super::access::{SCOPES, Semantics, elements, hints, space, without_policy};
use crate::error::{Lowered, error};
use crate::lower::{Lowering, Space};
use crate::modifiers::Modifiers;
use crate::syntax::{Instruction, Operand, OperandKind};
use crate::types::{Class, Type};
use simt_machine::isa::{Inst, MemTy, Reg, Scope};

pub(super) const TABLE: &[Entry] = &[
    Entry { name: "ld", types: &[], lower: load },
    Entry { name: "ldu", types: &[], lower: load },
    Entry { name: "st", types: &[], lower: store },
];

/// The types of loads and stores.
const ACCESSED: &[Type] = &[
    Type::B8,
    Type::B16,
    Type::B32,
    Type::B64,
    Type::U8,
    Type::U16,
    Type::U32,
    Type::U64,
    Type::S8,
    Type::S16,
    Type::S32,
    Type::S64,
    Type::F32,
    Type::F64,
];

/// What the modifiers of an access say.
struct Access {
    semantics: Semantics,
    scope: Scope,
    space: Space,
    policy: bool,
    count: u8,
    ty: Type,
}

fn access(mut m: Modifiers<'_>, ordered: (&str, Semantics)) -> Lowered<Access> {
    let at = m.span();
    let semantics = m
        .choice(&[
            ("weak", Semantics::Weak),
            ("volatile", Semantics::Volatile),
            ("relaxed", Semantics::Relaxed),
            ("mmio", Semantics::Relaxed),
            ordered,
        ])
        .unwrap_or(Semantics::Weak);
    let scope = m.choice(SCOPES);
    let scoped = !matches!(semantics, Semantics::Weak | Semantics::Volatile);
    if scoped != scope.is_some() {
        let message = match scoped {
            true => "this access needs a scope: `.cta`, `.cluster`, `.gpu` or `.sys`",
            false => "a scope needs `.relaxed`, `.acquire` or `.release`",
        };
        return error(at, message);
    }
    let space = space(&mut m)?;
    let policy = hints(&mut m);
    let at = m.span();
    let count = m.choice(&[("v2", 2), ("v4", 4)]).unwrap_or(1);
    let ty = m.ty_of(ACCESSED)?;
    m.end()?;
    if u32::from(count) * ty.bits > 128 {
        return error(at, "an access moves 16 bytes at most");
    }
    Ok(Access { semantics, scope: scope.unwrap_or(Scope::Device), space, policy, count, ty })
}

/// The two operands of an access; a cache policy may follow.
fn two<'o>(l: &mut Lowering<'_>, i: &'o Instruction, policy: bool) -> Lowered<&'o [Operand; 2]> {
    let rest = without_policy(l, &i.operands, policy)?;
    match rest.try_into() {
        Ok(two) => Ok(two),
        Err(_) => error(i.span, format!("`{}` has two operands here", i.mnemonic())),
    }
}

/// Whether a register of this type may hold what is moved: it may be wider, but no float then.
fn fits(ty: Type, register: Type) -> bool {
    let floats = matches!(register, Type::F32 | Type::F64 | Type::PRED) || ty.class == Class::Float;
    ty.accepts(register) || register.bits > ty.bits && !floats
}

/// `ld.acquire.gpu.global.v4.f32 {a, b, c, d}, [p];`
fn load(l: &mut Lowering<'_>, i: &Instruction, m: Modifiers<'_>) -> Lowered<()> {
    let Access { semantics, scope, space, policy, count, ty } =
        access(m, ("acquire", Semantics::Acquire))?;
    let [to, from] = two(l, i, policy)?;
    let addr = l.address(from, space)?;
    let parts = elements(l, to, count)?;
    let memory = ty.memory();
    let loaded = l.target.registers(memory.slots() * u16::from(count));
    let volatile = semantics.is_strong();
    l.emit(Inst::Load { ty: memory, n: count, volatile, d: loaded, addr });
    semantics.after(l, scope);
    for (at, part) in (0u16..).zip(parts) {
        put(l, part, loaded + at * memory.slots(), ty)?;
    }
    Ok(())
}

/// Writes a loaded value into a register that may be wider.
fn put(l: &mut Lowering<'_>, part: &Operand, a: Reg, ty: Type) -> Lowered<()> {
    if matches!(part.kind, OperandKind::Sink) {
        return Ok(());
    }
    let register = l.writable(part)?;
    if !fits(ty, register.ty) {
        let found = register.ty;
        return error(part.span, format!("a `{ty}` does not go into a `{found}`"));
    }
    let d = register.reg;
    match register.ty.bits {
        64 if ty.bits == 64 => l.emit(Inst::Mov { wide: true, d, a }),
        64 => {
            // 32 bits or fewer were extended to 32 by the load.
            let from = if ty.is_signed() { Type::S32 } else { Type::U32 };
            l.emit(Inst::Convert { from: from.arithmetic(), to: Type::U64.arithmetic(), d, a });
        }
        16 => l.emit(Inst::Narrow { to: MemTy::U16, d, a }),
        _ => l.emit(Inst::Mov { wide: false, d, a }),
    }
    Ok(())
}

/// `st.release.gpu.shared.u32 [p], a;`
fn store(l: &mut Lowering<'_>, i: &Instruction, m: Modifiers<'_>) -> Lowered<()> {
    let Access { semantics, scope, space, policy, count, ty } =
        access(m, ("release", Semantics::Release))?;
    let [to, from] = two(l, i, policy)?;
    if matches!(space, Space::Constant) {
        return error(i.mnemonic_span(), "constant memory cannot be written");
    }
    let addr = l.address(to, space)?;
    let memory = ty.memory();
    let volatile = semantics.is_strong();
    let parts = elements(l, from, count)?;
    let values: Vec<Reg> = parts.iter().map(|p| stored(l, p, ty)).collect::<Lowered<_>>()?;
    let a = match values[..] {
        [only] => only,
        _ => {
            let packed = l.target.registers(memory.slots() * u16::from(count));
            for (at, a) in (0u16..).zip(values) {
                let d = packed + at * memory.slots();
                l.emit(Inst::Mov { wide: memory.slots() == 2, d, a });
            }
            packed
        }
    };
    semantics.before(l, scope);
    l.emit(Inst::Store { ty: memory, n: count, volatile, a, addr });
    Ok(())
}

/// The value that a store takes from a register that may be wider.
fn stored(l: &mut Lowering<'_>, part: &Operand, ty: Type) -> Lowered<Reg> {
    use OperandKind::{Argument, Component, Name};
    if !matches!(part.kind, Name(_) | Component(..) | Argument(_)) || l.known(part).is_some() {
        return l.source(part, ty);
    }
    let register = l.readable(part)?;
    if !fits(ty, register.ty) {
        let found = register.ty;
        return error(part.span, format!("a `{ty}` is not stored from a `{found}`"));
    }
    if register.ty.bits == 64 && ty.bits < 64 {
        let (from, to) = (Type::U64.arithmetic(), Type::U32.arithmetic());
        return Ok(l.converted(from, to, register.reg));
    }
    Ok(register.reg)
}
