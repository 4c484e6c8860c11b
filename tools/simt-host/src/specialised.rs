//! Type-specialised opcodes and superinstructions for the fast interpreter loop.
//!
//! Each opcode names one operation on one type, so the loop dispatches once per instruction. There is
//! one for each [`Inst`], at the same index. A superinstruction does the work of several and continues
//! behind them; the opcodes of the others stay in place, because a jump may lead there. A
//! superinstruction that fails has written nothing: the slow loop executes its parts one by one, and
//! the failing part reports. So a program behaves as without this module and has the same findings.

use crate::bytecode::{Function, Indexed, Inst, Pc, Reg, Width};
use simt::isa::{BinOp, CmpOp, MemTy, Ty, UnOp};
use simt::sema::types::Prim;

/// The table of opcodes: their names, operations and types. The enum, the selection of opcodes and the
/// match of the fast loop are generated from it. A name with `K` has a constant as its second operand.
macro_rules! tables {
    ($with:ident) => {
        $with! {
            // Binary operations: on two registers, and on a register and a constant.
            {
                AddI32 AddI32K Add I32, SubI32 SubI32K Sub I32, MulI32 MulI32K Mul I32,
                AndI32 AndI32K And I32, OrI32 OrI32K Or I32, XorI32 XorI32K Xor I32,
                ShlI32 ShlI32K Shl I32, ShrI32 ShrI32K Shr I32, DivI32 DivI32K Div I32,
                RemI32 RemI32K Rem I32, MinI32 MinI32K Min I32, MaxI32 MaxI32K Max I32,
                AddU32 AddU32K Add U32, SubU32 SubU32K Sub U32, MulU32 MulU32K Mul U32,
                AndU32 AndU32K And U32, OrU32 OrU32K Or U32, XorU32 XorU32K Xor U32,
                ShlU32 ShlU32K Shl U32, ShrU32 ShrU32K Shr U32, DivU32 DivU32K Div U32,
                RemU32 RemU32K Rem U32, MinU32 MinU32K Min U32, MaxU32 MaxU32K Max U32,
                AddI64 AddI64K Add I64, SubI64 SubI64K Sub I64, MulI64 MulI64K Mul I64,
                AndI64 AndI64K And I64, OrI64 OrI64K Or I64, XorI64 XorI64K Xor I64,
                ShlI64 ShlI64K Shl I64, ShrI64 ShrI64K Shr I64, DivI64 DivI64K Div I64,
                RemI64 RemI64K Rem I64,
                AddU64 AddU64K Add U64, SubU64 SubU64K Sub U64, MulU64 MulU64K Mul U64,
                AndU64 AndU64K And U64, OrU64 OrU64K Or U64, XorU64 XorU64K Xor U64,
                ShlU64 ShlU64K Shl U64, ShrU64 ShrU64K Shr U64, DivU64 DivU64K Div U64,
                RemU64 RemU64K Rem U64,
                AddF32 AddF32K Add F32, SubF32 SubF32K Sub F32, MulF32 MulF32K Mul F32,
                DivF32 DivF32K Div F32, MinF32 MinF32K Min F32, MaxF32 MaxF32K Max F32,
                AddF64 AddF64K Add F64, SubF64 SubF64K Sub F64, MulF64 MulF64K Mul F64,
                DivF64 DivF64K Div F64,
            }
            // Compare and branch: on two registers, and on a register and a constant.
            {
                IfLtI32 IfLtI32K Lt I32, IfLeI32 IfLeI32K Le I32, IfGtI32 IfGtI32K Gt I32,
                IfGeI32 IfGeI32K Ge I32, IfEqI32 IfEqI32K Eq I32, IfNeI32 IfNeI32K Ne I32,
                IfLtU32 IfLtU32K Lt U32, IfLeU32 IfLeU32K Le U32, IfGtU32 IfGtU32K Gt U32,
                IfGeU32 IfGeU32K Ge U32, IfEqU32 IfEqU32K Eq U32, IfNeU32 IfNeU32K Ne U32,
                IfLtI64 IfLtI64K Lt I64, IfLeI64 IfLeI64K Le I64, IfGtI64 IfGtI64K Gt I64,
                IfGeI64 IfGeI64K Ge I64, IfEqI64 IfEqI64K Eq I64, IfNeI64 IfNeI64K Ne I64,
                IfLtU64 IfLtU64K Lt U64, IfLeU64 IfLeU64K Le U64, IfGtU64 IfGtU64K Gt U64,
                IfGeU64 IfGeU64K Ge U64, IfEqU64 IfEqU64K Eq U64, IfNeU64 IfNeU64K Ne U64,
                IfLtF32 IfLtF32K Lt F32, IfLeF32 IfLeF32K Le F32, IfGtF32 IfGtF32K Gt F32,
                IfGeF32 IfGeF32K Ge F32, IfEqF32 IfEqF32K Eq F32, IfNeF32 IfNeF32K Ne F32,
                IfLtF64 IfLtF64K Lt F64, IfLeF64 IfLeF64K Le F64, IfGtF64 IfGtF64K Gt F64,
                IfGeF64 IfGeF64K Ge F64, IfEqF64 IfEqF64K Eq F64, IfNeF64 IfNeF64K Ne F64,
            }
            // Superinstructions for loop ends: add a constant, compare, branch back.
            {
                NextLtI32 NextLtI32K Lt I32, NextLeI32 NextLeI32K Le I32,
                NextGtI32 NextGtI32K Gt I32, NextGeI32 NextGeI32K Ge I32,
                NextLtU32 NextLtU32K Lt U32, NextLeU32 NextLeU32K Le U32,
            }
            // Loads and stores of elements, per width of the index.
            {
                GetS8 PutS8 Signed32 U8, GetU8 PutU8 Unsigned32 U8, GetF8 PutF8 Full U8,
                GetS16 PutS16 Signed32 U16, GetU16 PutU16 Unsigned32 U16, GetF16 PutF16 Full U16,
                GetS32 PutS32 Signed32 B32, GetU32 PutU32 Unsigned32 B32, GetF32 PutF32 Full B32,
                GetS64 PutS64 Signed32 B64, GetU64 PutU64 Unsigned32 B64, GetF64 PutF64 Full B64,
            }
            // Loads and stores at a pointer, and in the frame.
            {
                LoadI8 StoreI8 LoadFrameI8 StoreFrameI8 I8,
                LoadU8 StoreU8 LoadFrameU8 StoreFrameU8 U8,
                LoadI16 StoreI16 LoadFrameI16 StoreFrameI16 I16,
                LoadU16 StoreU16 LoadFrameU16 StoreFrameU16 U16,
                Load32 Store32 LoadFrame32 StoreFrame32 B32,
                Load64 Store64 LoadFrame64 StoreFrame64 B64,
            }
            // Conversions.
            {
                IntToLong Int LongLong, IntToFloat Int Float, IntToDouble Int Double,
                UIntToFloat UInt Float, UIntToDouble UInt Double, FloatToDouble Float Double,
                DoubleToFloat Double Float, FloatToInt Float Int, DoubleToInt Double Int,
                LongToInt LongLong Int, IntToChar Int Char, IntToUChar Int UChar,
                IntToShort Int Short, IntToUShort Int UShort, ULongToDouble ULongLong Double,
                LongToDouble LongLong Double, ULongToFloat ULongLong Float, IntToBool Int Bool,
            }
            // Unary operations.
            {
                NegI32 Neg I32, NotI32 Not I32, NegI64 Neg I64, NotI64 Not I64,
                NegF32 Neg F32, AbsF32 Abs F32, SqrtF32 Sqrt F32,
                NegF64 Neg F64, AbsF64 Abs F64, SqrtF64 Sqrt F64,
            }
        }
    };
}
pub(super) use tables;

macro_rules! define {
    (
        { $($name:ident $const:ident $op:ident $ty:ident,)* }
        { $($if:ident $ifk:ident $cmp:ident $cty:ident,)* }
        { $($next:ident $nextk:ident $ncmp:ident $nty:ident,)* }
        { $($get:ident $put:ident $width:ident $ety:ident,)* }
        { $($load:ident $store:ident $loadf:ident $storef:ident $mty:ident,)* }
        { $($convert:ident $from:ident $to:ident,)* }
        { $($unary:ident $uop:ident $uty:ident,)* }
    ) => {
        /// A specialised opcode; operands are named as in [`Inst`].
        #[derive(Debug, Clone, Copy)]
        pub(super) enum Specialised {
            /// The generic instruction at this index, which is rare enough.
            Generic,
            /// The same for a branch.
            GenericBranch,
            Const { d: Reg, bits: u64 },
            Move { d: Reg, a: Reg },
            Jump { to: Pc },
            Branch { when: bool, cond: Reg, to: Pc },
            Skip { to: Pc },
            Tick,
            Call { function: u32, window: Reg },
            Return,
            /// The branch back of a strip, and the increment before it: index into
            /// [`Function::strips`].
            Loop { strip: u32 },
            Compare { op: CmpOp, ty: Ty, d: Reg, a: Reg, b: Reg },
            /// Copies a small object.
            Copy { to: Reg, from: Reg, bytes: u32 },
            Offset { d: Reg, a: Reg, offset: i32 },
            AddressS { d: Reg, at: ElementAddress },
            AddressU { d: Reg, at: ElementAddress },
            AddressF { d: Reg, at: ElementAddress },
            FrameAddress { d: Reg, at: u32 },
            GlobalAddress { d: Reg, global: u32 },
            /// `t = a * b; d = t + c`.
            MulAddI32 { t: Reg, a: Reg, b: Reg, d: Reg, c: Reg },
            /// `t = a * b; d = c + t`, each rounded.
            MulAddF32 { t: Reg, a: Reg, b: Reg, d: Reg, c: Reg },
            MulAddF64 { t: Reg, a: Reg, b: Reg, d: Reg, c: Reg },
            /// Loads an element and converts it.
            GetDoubleS { d: Reg, t: Reg, at: ElementAddress },
            GetDoubleU { d: Reg, t: Reg, at: ElementAddress },
            /// `t = element; d = t + by; element = d`.
            BumpS { d: Reg, t: Reg, by: i16, at: ElementAddress },
            BumpU { d: Reg, t: Reg, by: i16, at: ElementAddress },
            $($name { d: Reg, a: Reg, b: Reg }, $const { d: Reg, a: Reg, b: u64 },)*
            $($if { when: bool, a: Reg, b: Reg, to: Pc }, $ifk { when: bool, a: Reg, b: i32, to: Pc },)*
            $($next { d: Reg, by: i16, b: Reg, to: Pc }, $nextk { d: Reg, by: i16, b: i32, to: Pc },)*
            $($get { d: Reg, at: ElementAddress }, $put { a: Reg, at: ElementAddress },)*
            $($load { d: Reg, p: Reg, offset: i32 }, $store { a: Reg, p: Reg, offset: i32 },)*
            $($loadf { d: Reg, at: u32 }, $storef { a: Reg, at: u32 },)*
            $($convert { d: Reg, a: Reg },)*
            $($unary { d: Reg, a: Reg },)*
        }

        fn binary(op: BinOp, ty: Ty, d: Reg, a: Reg, b: Reg) -> Specialised {
            match (op, ty) {
                $((BinOp::$op, Ty::$ty) => Specialised::$name { d, a, b },)*
                _ => Specialised::Generic,
            }
        }

        fn constant(op: BinOp, ty: Ty, d: Reg, a: Reg, b: u64) -> Specialised {
            match (op, ty) {
                $((BinOp::$op, Ty::$ty) => Specialised::$const { d, a, b },)*
                _ => Specialised::Generic,
            }
        }

        fn branch(op: CmpOp, ty: Ty, when: bool, a: Reg, b: Reg, to: Pc) -> Specialised {
            match (op, ty) {
                $((CmpOp::$cmp, Ty::$cty) => Specialised::$if { when, a, b, to },)*
                _ => Specialised::GenericBranch,
            }
        }

        fn branch_constant(op: CmpOp, ty: Ty, when: bool, a: Reg, b: i32, to: Pc) -> Specialised {
            match (op, ty) {
                $((CmpOp::$cmp, Ty::$cty) => Specialised::$ifk { when, a, b, to },)*
                _ => Specialised::GenericBranch,
            }
        }

        /// An addition and the branch behind it.
        fn next(step: Inst, jump: Inst) -> Option<Specialised> {
            let Inst::AddI32Const { d, a, b: by } = step else { return None };
            let by = i16::try_from(by).ok().filter(|_| d == a)?;
            match jump {
                Inst::BranchCompare { op, ty, when: true, a, b, to } if a == d && b != d => {
                    match (op, ty) {
                        $((CmpOp::$ncmp, Ty::$nty) => Some(Specialised::$next { d, by, b, to }),)*
                        _ => None,
                    }
                }
                Inst::BranchConst { op, ty, when: true, a, b, to } if a == d => match (op, ty) {
                    $((CmpOp::$ncmp, Ty::$nty) => Some(Specialised::$nextk { d, by, b, to }),)*
                    _ => None,
                },
                _ => None,
            }
        }

        fn get(ty: MemTy, d: Reg, at: Indexed) -> Specialised {
            match (at.width, ty) {
                $((Width::$width, MemTy::$ety) => Specialised::$get { d, at: at.into() },)*
                _ => Specialised::Generic,
            }
        }

        fn put(ty: MemTy, a: Reg, at: Indexed) -> Specialised {
            match (at.width, ty) {
                $((Width::$width, MemTy::$ety) => Specialised::$put { a, at: at.into() },)*
                _ => Specialised::Generic,
            }
        }

        fn load(ty: MemTy, d: Reg, p: Reg, offset: i32) -> Specialised {
            match ty {
                $(MemTy::$mty => Specialised::$load { d, p, offset },)*
            }
        }

        fn store(ty: MemTy, a: Reg, p: Reg, offset: i32) -> Specialised {
            match ty {
                $(MemTy::$mty => Specialised::$store { a, p, offset },)*
            }
        }

        fn load_frame(ty: MemTy, d: Reg, at: u32) -> Specialised {
            match ty {
                $(MemTy::$mty => Specialised::$loadf { d, at },)*
            }
        }

        fn store_frame(ty: MemTy, a: Reg, at: u32) -> Specialised {
            match ty {
                $(MemTy::$mty => Specialised::$storef { a, at },)*
            }
        }

        fn convert(from: Prim, to: Prim, d: Reg, a: Reg) -> Specialised {
            match plain(from, to) {
                $((Prim::$from, Prim::$to) => Specialised::$convert { d, a },)*
                _ => Specialised::Generic,
            }
        }

        fn unary(op: UnOp, ty: Ty, d: Reg, a: Reg) -> Specialised {
            match (op, ty) {
                $((UnOp::$uop, Ty::$uty) => Specialised::$unary { d, a },)*
                _ => Specialised::Generic,
            }
        }
    };
}

tables!(define);

/// The address of an element; the opcode implies the width of the index.
#[derive(Debug, Clone, Copy)]
pub(super) struct ElementAddress {
    pub(super) p: Reg,
    pub(super) index: Reg,
    pub(super) scale: i16,
    pub(super) offset: u16,
}

impl From<Indexed> for ElementAddress {
    fn from(at: Indexed) -> ElementAddress {
        ElementAddress { p: at.p, index: at.index, scale: at.scale, offset: at.offset }
    }
}

/// The canonical form of a conversion: types with the same bits are one.
fn plain(from: Prim, to: Prim) -> (Prim, Prim) {
    use Prim::{Int, LongLong, UInt, ULongLong};
    let wide = |p: Prim| match (p.size(), p.is_signed()) {
        _ if !p.is_integer() || p == Prim::Bool => p,
        (8, true) => LongLong,
        (8, false) => ULongLong,
        (_, true) => Int,
        (_, false) => UInt,
    };
    match (wide(from), wide(to)) {
        (Int, LongLong | ULongLong) => (Int, LongLong),
        (LongLong | ULongLong, Int | UInt) if to.size() == 4 => (LongLong, Int),
        // The other conversions depend on the width of the target.
        (from, _) => (from, if to.size() == 8 { wide(to) } else { to }),
    }
}

/// Selects the opcode of each instruction, at the same index.
pub(super) fn specialise(functions: &mut [Function]) {
    for function in functions {
        let code = &function.code;
        let chosen = |at: usize| several(&code[at..]).unwrap_or_else(|| one(code[at]));
        function.specialised = (0..code.len()).map(chosen).collect();
    }
}

pub(super) fn one(inst: Inst) -> Specialised {
    match inst {
        Inst::Const { d, bits } => Specialised::Const { d, bits },
        Inst::Move { d, a } => Specialised::Move { d, a },
        Inst::Binary { op, ty, d, a, b } => binary(op, ty, d, a, b),
        Inst::BinaryConst { op, ty, d, a, b } => constant(op, ty, d, a, i64::from(b) as u64),
        Inst::AddI32 { d, a, b } => Specialised::AddU32 { d, a, b },
        Inst::AddI32Const { d, a, b } => Specialised::AddU32K { d, a, b: i64::from(b) as u64 },
        Inst::MulI32 { d, a, b } => Specialised::MulU32 { d, a, b },
        Inst::AddI64 { d, a, b } => Specialised::AddU64 { d, a, b },
        Inst::AddF32 { d, a, b } => Specialised::AddF32 { d, a, b },
        Inst::MulF32 { d, a, b } => Specialised::MulF32 { d, a, b },
        Inst::AddF64 { d, a, b } => Specialised::AddF64 { d, a, b },
        Inst::MulF64 { d, a, b } => Specialised::MulF64 { d, a, b },
        Inst::Unary { op, ty, d, a } => unary(op, ty, d, a),
        Inst::Convert { from, to, d, a } => convert(from, to, d, a),
        Inst::Compare { op, ty, d, a, b } => Specialised::Compare { op, ty, d, a, b },
        Inst::Jump { to } => Specialised::Jump { to },
        Inst::Branch { cond, when, to } => Specialised::Branch { when, cond, to },
        Inst::BranchCompare { op, ty, when, a, b, to } => branch(op, ty, when, a, b, to),
        Inst::BranchConst { op, ty, when, a, b, to } => branch_constant(op, ty, when, a, b, to),
        Inst::Load { ty, d, p, offset } => load(ty, d, p, offset),
        Inst::Store { ty, a, p, offset } => store(ty, a, p, offset),
        Inst::LoadIndex { ty, d, at } => get(ty, d, at),
        Inst::StoreIndex { ty, a, at } => put(ty, a, at),
        Inst::IndexAddress { d, at } => match at.width {
            Width::Signed32 => Specialised::AddressS { d, at: at.into() },
            Width::Unsigned32 => Specialised::AddressU { d, at: at.into() },
            Width::Full => Specialised::AddressF { d, at: at.into() },
        },
        Inst::LoadFrame { ty, d, at } => load_frame(ty, d, at),
        Inst::StoreFrame { ty, a, at } => store_frame(ty, a, at),
        Inst::GlobalAddress { d, global } => Specialised::GlobalAddress { d, global },
        Inst::FrameAddress { d, at } => Specialised::FrameAddress { d, at },
        Inst::Offset { d, a, offset } => Specialised::Offset { d, a, offset },
        Inst::Copy { to, from, bytes: bytes @ 0..=64 } => Specialised::Copy { to, from, bytes },
        Inst::Skip { to } => Specialised::Skip { to },
        Inst::Tick => Specialised::Tick,
        Inst::Call { function, window } => Specialised::Call { function, window },
        Inst::Return => Specialised::Return,
        _ => Specialised::Generic,
    }
}

/// A superinstruction for the first few instructions.
fn several(code: &[Inst]) -> Option<Specialised> {
    use Inst::{
        AddF32, AddF64, AddI32, AddI32Const, LoadIndex, MulF32, MulF64, MulI32, StoreIndex,
    };
    let (first, second) = (*code.first()?, *code.get(1)?);
    match (first, second) {
        (AddI32Const { .. }, _) => next(first, second),
        (MulI32 { d: t, a, b }, AddI32 { d, a: x, b: y }) if x == t || y == t => {
            Some(Specialised::MulAddI32 { t, a, b, d, c: if x == t { y } else { x } })
        }
        (MulF32 { d: t, a, b }, AddF32 { d, a: c, b: y }) if y == t => {
            Some(Specialised::MulAddF32 { t, a, b, d, c })
        }
        (MulF64 { d: t, a, b }, AddF64 { d, a: c, b: y }) if y == t => {
            Some(Specialised::MulAddF64 { t, a, b, d, c })
        }
        (
            LoadIndex { ty: MemTy::B32, d: t, at },
            Inst::Convert { from: Prim::Float, to: Prim::Double, d, a },
        ) if a == t => match at.width {
            Width::Signed32 => Some(Specialised::GetDoubleS { d, t, at: at.into() }),
            Width::Unsigned32 => Some(Specialised::GetDoubleU { d, t, at: at.into() }),
            Width::Full => None,
        },
        (LoadIndex { ty: MemTy::B32, d: t, at }, AddI32Const { d, a, b }) if a == t => {
            let StoreIndex { ty: MemTy::B32, a, at: to } = *code.get(2)? else { return None };
            let by = i16::try_from(b).ok()?;
            let same = a == d && to == at && ![t, d].contains(&at.p) && ![t, d].contains(&at.index);
            match at.width {
                Width::Signed32 if same => Some(Specialised::BumpS { d, t, by, at: at.into() }),
                Width::Unsigned32 if same => Some(Specialised::BumpU { d, t, by, at: at.into() }),
                _ => None,
            }
        }
        _ => None,
    }
}

// As small as the generic instructions.
const _: () = assert!(size_of::<Specialised>() == 16);

#[cfg(test)]
mod tests;
