//! Atomic operations: `atom` and `red`, and fences.

use super::Entry;
use super::access::{SCOPES, Semantics, elements, hints, space, without_policy};
use crate::error::{Lowered, error, unsupported};
use crate::lower::{Lowering, miscounted, operands};
use crate::modifiers::Modifiers;
use crate::syntax::{Instruction, Operand};
use crate::types::{Class, Type};
use simt_machine::isa::{AtomicOp, Inst, Reg, Scope, Ty};

pub(super) const TABLE: &[Entry] = &[
    Entry { name: "atom", types: &[], lower: |l, i, m| atomic(l, i, m, true) },
    Entry { name: "red", types: &[], lower: |l, i, m| atomic(l, i, m, false) },
    Entry { name: "membar", types: &[], lower: memory_barrier },
    Entry { name: "fence", types: &[], lower: fence },
];

const OPERATIONS: &[(&str, AtomicOp)] = &[
    ("add", AtomicOp::Add),
    ("min", AtomicOp::Min),
    ("max", AtomicOp::Max),
    ("and", AtomicOp::And),
    ("or", AtomicOp::Or),
    ("xor", AtomicOp::Xor),
    ("exch", AtomicOp::Exch),
    ("cas", AtomicOp::Cas),
    ("inc", AtomicOp::Inc),
    ("dec", AtomicOp::Dec),
];

/// The types of an operation.
fn types(op: AtomicOp) -> &'static [Type] {
    match op {
        AtomicOp::Add => &[
            Type::U32,
            Type::S32,
            Type::U64,
            Type::F32,
            Type::F64,
            Type::F16,
            Type::F16X2,
            Type::BF16,
            Type::BF16X2,
        ],
        AtomicOp::Min | AtomicOp::Max => &[Type::U32, Type::S32, Type::U64, Type::S64],
        AtomicOp::Inc | AtomicOp::Dec => &[Type::U32],
        AtomicOp::Cas => &[Type::B16, Type::B32, Type::B64],
        _ => &[Type::B32, Type::B64],
    }
}

/// `atom.acq_rel.gpu.global.add.u32 d, [p], a;`, `red.global.add.v4.f32 [p], {a, b, c, d};`: each
/// element of a vector is an atomic of its own.
fn atomic(
    l: &mut Lowering<'_>,
    i: &Instruction,
    mut m: Modifiers<'_>,
    with_result: bool,
) -> Lowered<()> {
    let semantics = m
        .choice(&[
            ("relaxed", Semantics::Relaxed),
            ("acquire", Semantics::Acquire),
            ("release", Semantics::Release),
            ("acq_rel", Semantics::AcquireRelease),
        ])
        .unwrap_or(Semantics::Relaxed);
    let scope = m.choice(SCOPES).unwrap_or(Scope::Device);
    let space = space(&mut m)?;
    let op = m.required(OPERATIONS)?;
    let rounds = m.flag("noftz");
    let policy = hints(&mut m);
    let at = m.span();
    let count = m.choice(&[("v2", 2), ("v4", 4), ("v8", 8)]).unwrap_or(1);
    let ty = m.ty_of(types(op))?;
    m.end()?;
    let half = ty.arithmetic().is_half();
    if half != rounds || count > 1 && !(op == AtomicOp::Add && (half || ty == Type::F32)) {
        let message = match half && !rounds {
            true => format!("`{ty}` needs `.noftz` here"),
            false => format!("`{}` has no such form for `{ty}`", i.opcode.text),
        };
        return error(at, message);
    }
    if u32::from(count) * ty.bits > 128 {
        return error(at, "an access moves 16 bytes at most");
    }
    let all = without_policy(l, &i.operands, policy)?;
    let (to, rest) = match all {
        [to, rest @ ..] if with_result => (Some(to), rest),
        rest => (None, rest),
    };
    let (address, first, second) = match (rest, op) {
        ([address, first, second], AtomicOp::Cas) => (address, first, Some(second)),
        ([address, first], op) if op != AtomicOp::Cas => (address, first, None),
        (_, AtomicOp::Cas) => return miscounted(i, "`d, [address], compared, value`"),
        _ if with_result => return miscounted(i, "`d, [address], value`"),
        _ => return miscounted(i, "`[address], value`"),
    };
    if !with_result && matches!(op, AtomicOp::Exch | AtomicOp::Cas) {
        return error(i.mnemonic_span(), "`red` has neither `.exch` nor `.cas`");
    }
    let addr = l.address(address, space)?;
    let machine = if ty == Type::B16 { Ty::F16 } else { ty.arithmetic() };
    let sources = elements(l, first, count)?;
    let sources: Vec<Reg> = sources.iter().map(|s| l.source(s, ty)).collect::<Lowered<_>>()?;
    let b = match second {
        Some(second) => Some(l.source(second, ty)?),
        None => None,
    };
    let results = match to {
        Some(to) => Some(elements(l, to, count)?),
        None => None,
    };
    semantics.before(l, scope);
    let mut made = Vec::new();
    for (at, a) in (0i32..).zip(sources) {
        let offset = addr.offset.wrapping_add(at * (ty.bits / 8) as i32);
        let addr = simt_machine::isa::Addr { offset, ..addr };
        let d = results.map(|_| l.temporary(ty));
        l.emit(Inst::Atomic { op, ty: machine, scope, d, a, b: b.unwrap_or(a), addr });
        made.extend(d);
    }
    semantics.after(l, scope);
    for (to, value) in results.into_iter().flatten().zip(made) {
        store_old(l, to, value, ty)?;
    }
    Ok(())
}

fn store_old(l: &mut Lowering<'_>, to: &Operand, value: Reg, ty: Type) -> Lowered<()> {
    // The result of an atomic is bits.
    let ty = if ty.class == Class::Float && ty.bits == 16 { Type::B16 } else { ty };
    l.store(to, value, ty)
}

/// `membar.gl;`
fn memory_barrier(l: &mut Lowering<'_>, i: &Instruction, mut m: Modifiers<'_>) -> Lowered<()> {
    let scope = m.required(&[
        ("cta", Scope::Block),
        ("gl", Scope::Device),
        ("gpu", Scope::Device),
        ("sys", Scope::Device),
    ])?;
    m.end()?;
    let [] = operands(i)?;
    l.emit(Inst::Fence { scope });
    Ok(())
}

/// `fence.acq_rel.gpu;`: every fence is sequentially consistent here.
fn fence(l: &mut Lowering<'_>, i: &Instruction, mut m: Modifiers<'_>) -> Lowered<()> {
    if m.peek().is_some_and(|word| word.text == "proxy" || word.text == "mbarrier_init") {
        return unsupported(i.mnemonic_span(), format!("the PTX instruction `{}`", i.mnemonic()));
    }
    m.choice(&[("sc", ()), ("acq_rel", ()), ("acquire", ()), ("release", ())]);
    let scope = m.required(SCOPES)?;
    m.end()?;
    let [] = operands(i)?;
    l.emit(Inst::Fence { scope });
    Ok(())
}
