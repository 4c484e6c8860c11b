//! The names of the built-in functions, and what each needs.

use crate::isa::{
    AtomicOp, BarrierKind, BinOp, Math, MatrixShape, Scope, ShuffleKind, UnOp, VoteKind,
};
use crate::sema::tree::Intrinsic;
use crate::sema::types::vector_shape;
use crate::syntax::ast::Prim;

/// What a built-in function needs and does.
pub(in crate::sema) struct Shape {
    pub(in crate::sema) count: (usize, usize),
    pub(in crate::sema) what: What,
}

pub(in crate::sema) enum What {
    /// Fixed types of parameters and result.
    Typed(Intrinsic, &'static [Prim], Prim),
    /// `float` or `double`.
    Math(UnOp),
    Abs,
    MinMax(BinOp),
    FloatPair(BinOp),
    /// A function of the mathematics library, and whether it is for `float` alone.
    Library(Math, bool),
    Fma,
    HalfAbs,
    /// On two of one 16-bit type, never contracted.
    Operator(BinOp),
    Bits(Prim, Prim),
    Shuffle(ShuffleKind),
    Reduce(AtomicOp),
    Match(bool),
    Atomic(AtomicOp, Scope),
    Load,
    Store,
    Make,
    Assert,
    Trap(&'static str),
    /// `__builtin_assume`: a hint; nothing is evaluated.
    Assume,
    /// The first of two, as a `long`.
    Expect,
    /// The first, as it is.
    First,
    Unreachable,
    /// The quiet NaN, whatever the payload argument says.
    NotANumber(Prim),
    SyncWarp,
    /// All arguments are pointers.
    Matrix(Intrinsic),
    Malloc,
    Free,
}

pub(in crate::sema) fn atomic_types(op: AtomicOp) -> &'static [Prim] {
    use Prim::{
        BFloat16, BFloat162, Double, Float, Half, Half2, Int, LongLong, UInt, ULongLong, UShort,
    };
    match op {
        AtomicOp::Add => &[Int, UInt, ULongLong, Float, Double, Half, Half2, BFloat16, BFloat162],
        AtomicOp::Sub => &[Int, UInt],
        AtomicOp::Min | AtomicOp::Max => &[Int, UInt, LongLong, ULongLong],
        AtomicOp::And | AtomicOp::Or | AtomicOp::Xor => &[Int, UInt, LongLong, ULongLong],
        AtomicOp::Cas => &[Int, UInt, ULongLong, UShort],
        AtomicOp::Exch => &[Int, UInt, ULongLong, Float],
        AtomicOp::Inc | AtomicOp::Dec => &[UInt],
    }
}

/// A built-in function with parameters and a result of fixed types.
fn typed(kind: Intrinsic, params: &'static [Prim], returns: Prim) -> Shape {
    Shape { count: (params.len(), params.len()), what: What::Typed(kind, params, returns) }
}

fn unary(op: UnOp, params: &'static [Prim], returns: Prim) -> Shape {
    typed(Intrinsic::Unary(op), params, returns)
}

fn binary(op: BinOp, params: &'static [Prim], returns: Prim) -> Shape {
    typed(Intrinsic::Binary(op), params, returns)
}

fn one(what: What) -> Shape {
    Shape { count: (1, 1), what }
}

fn two(what: What) -> Shape {
    Shape { count: (2, 2), what }
}

/// The built-in function of that name.
pub(in crate::sema) fn known(name: &str) -> Option<Shape> {
    if let Some(found) = atomic(name) {
        return Some(found);
    }
    if name.strip_prefix("make_").is_some_and(|ty| vector_shape(ty).is_some()) {
        return Some(Shape { count: (1, 4), what: What::Make });
    }
    matrix(name)
        .or_else(|| synchronisation(name))
        .or_else(|| arithmetic(name))
        .or_else(|| conversion_or_hint(name))
        .or_else(|| library(name))
}

/// What `<mma.h>` is made of: `__builtin_mma_m16n8k16_f32_f16_f16`, `__builtin_ldmatrix_x4_trans`.
fn matrix(name: &str) -> Option<Shape> {
    let name = name.strip_prefix("__builtin_")?;
    if let Some(rest) = name.strip_prefix("ldmatrix_x") {
        let (count, transpose) = match rest.strip_suffix("_trans") {
            Some(count) => (count, true),
            None => (rest, false),
        };
        let count = count.parse().ok().filter(|n| matches!(n, 1 | 2 | 4))?;
        return Some(two(What::Matrix(Intrinsic::LoadMatrix(count, transpose))));
    }
    let mut parts = name.strip_prefix("mma_")?.split('_');
    let mut next = || parts.next();
    let shape = MatrixShape::named(next()?, next()?, next()?, next()?)?;
    Some(Shape { count: (4, 4), what: What::Matrix(Intrinsic::MatrixMultiply(shape)) })
}

/// Barriers, warp-level functions, fences, and loads and stores with a cache hint.
fn synchronisation(name: &str) -> Option<Shape> {
    use Prim::{Int, UInt, Void};
    Some(match name {
        "__syncthreads" => typed(Intrinsic::Barrier(BarrierKind::Plain), &[], Void),
        "__syncthreads_count" => typed(Intrinsic::Barrier(BarrierKind::Count), &[Int], Int),
        "__syncthreads_and" => typed(Intrinsic::Barrier(BarrierKind::And), &[Int], Int),
        "__syncthreads_or" => typed(Intrinsic::Barrier(BarrierKind::Or), &[Int], Int),
        "__syncwarp" => Shape { count: (0, 1), what: What::SyncWarp },
        "__activemask" => typed(Intrinsic::ActiveMask, &[], UInt),
        "__shfl_sync" => Shape { count: (3, 4), what: What::Shuffle(ShuffleKind::Idx) },
        "__shfl_up_sync" => Shape { count: (3, 4), what: What::Shuffle(ShuffleKind::Up) },
        "__shfl_down_sync" => Shape { count: (3, 4), what: What::Shuffle(ShuffleKind::Down) },
        "__shfl_xor_sync" => Shape { count: (3, 4), what: What::Shuffle(ShuffleKind::Xor) },
        "__all_sync" => typed(Intrinsic::Vote(VoteKind::All), &[UInt, Int], Int),
        "__any_sync" => typed(Intrinsic::Vote(VoteKind::Any), &[UInt, Int], Int),
        "__ballot_sync" => typed(Intrinsic::Vote(VoteKind::Ballot), &[UInt, Int], UInt),
        "__reduce_add_sync" => two(What::Reduce(AtomicOp::Add)),
        "__reduce_min_sync" => two(What::Reduce(AtomicOp::Min)),
        "__reduce_max_sync" => two(What::Reduce(AtomicOp::Max)),
        "__reduce_and_sync" => two(What::Reduce(AtomicOp::And)),
        "__reduce_or_sync" => two(What::Reduce(AtomicOp::Or)),
        "__reduce_xor_sync" => two(What::Reduce(AtomicOp::Xor)),
        "__match_any_sync" => two(What::Match(false)),
        "__match_all_sync" => Shape { count: (3, 3), what: What::Match(true) },
        "__threadfence" | "__threadfence_system" => {
            typed(Intrinsic::Fence(Scope::Device), &[], Void)
        }
        "__threadfence_block" => typed(Intrinsic::Fence(Scope::Block), &[], Void),
        "__ldg" | "__ldcs" | "__ldca" | "__ldcg" | "__ldlu" | "__ldcv" => one(What::Load),
        "__stcs" | "__stcg" | "__stwb" | "__stwt" => two(What::Store),
        _ => return None,
    })
}

/// Arithmetic on numbers and bits.
fn arithmetic(name: &str) -> Option<Shape> {
    use Prim::{Double, Float, Int, Long, LongLong, UInt, ULongLong};
    Some(match name {
        "min" => two(What::MinMax(BinOp::Min)),
        "max" => two(What::MinMax(BinOp::Max)),
        "umin" => binary(BinOp::Min, &[UInt, UInt], UInt),
        "umax" => binary(BinOp::Max, &[UInt, UInt], UInt),
        "llmin" => binary(BinOp::Min, &[LongLong, LongLong], LongLong),
        "llmax" => binary(BinOp::Max, &[LongLong, LongLong], LongLong),
        "ullmin" => binary(BinOp::Min, &[ULongLong, ULongLong], ULongLong),
        "ullmax" => binary(BinOp::Max, &[ULongLong, ULongLong], ULongLong),
        "nan" => one(What::NotANumber(Double)),
        "nanf" => one(What::NotANumber(Float)),
        "fmin" | "fminf" => two(What::FloatPair(BinOp::Min)),
        "fmax" | "fmaxf" => two(What::FloatPair(BinOp::Max)),
        "fmod" | "fmodf" => two(What::FloatPair(BinOp::Rem)),
        "abs" => one(What::Abs),
        "labs" => unary(UnOp::Abs, &[Long], Long),
        "llabs" => unary(UnOp::Abs, &[LongLong], LongLong),
        "fabs" | "fabsf" => one(What::Math(UnOp::Abs)),
        "sqrt" | "sqrtf" => one(What::Math(UnOp::Sqrt)),
        "__fsqrt_rn" => unary(UnOp::Sqrt, &[Float], Float),
        "__dsqrt_rn" => unary(UnOp::Sqrt, &[Double], Double),
        "floor" | "floorf" => one(What::Math(UnOp::Floor)),
        "ceil" | "ceilf" => one(What::Math(UnOp::Ceil)),
        "trunc" | "truncf" => one(What::Math(UnOp::Trunc)),
        "rint" | "rintf" | "nearbyint" | "nearbyintf" => one(What::Math(UnOp::RoundEven)),
        "fma" | "fmaf" => Shape { count: (3, 3), what: What::Fma },
        "__fmaf_rn" => typed(Intrinsic::Fma, &[Float, Float, Float], Float),
        "__fma_rn" => typed(Intrinsic::Fma, &[Double, Double, Double], Double),
        "__fadd_rn" => binary(BinOp::Add, &[Float, Float], Float),
        "__fsub_rn" => binary(BinOp::Sub, &[Float, Float], Float),
        "__fmul_rn" => binary(BinOp::Mul, &[Float, Float], Float),
        "__fdiv_rn" => binary(BinOp::Div, &[Float, Float], Float),
        "__dadd_rn" => binary(BinOp::Add, &[Double, Double], Double),
        "__dsub_rn" => binary(BinOp::Sub, &[Double, Double], Double),
        "__dmul_rn" => binary(BinOp::Mul, &[Double, Double], Double),
        "__ddiv_rn" => binary(BinOp::Div, &[Double, Double], Double),
        "__popc" => unary(UnOp::Popc, &[UInt], Int),
        "__popcll" => unary(UnOp::Popc, &[ULongLong], Int),
        "__clz" => unary(UnOp::Clz, &[UInt], Int),
        "__clzll" => unary(UnOp::Clz, &[ULongLong], Int),
        "__ffs" => unary(UnOp::Ffs, &[UInt], Int),
        "__ffsll" => unary(UnOp::Ffs, &[ULongLong], Int),
        "__brev" => unary(UnOp::Brev, &[UInt], UInt),
        "__brevll" => unary(UnOp::Brev, &[ULongLong], ULongLong),
        "__umulhi" => binary(BinOp::MulHi, &[UInt, UInt], UInt),
        "__mulhi" => binary(BinOp::MulHi, &[Int, Int], Int),
        "__umul64hi" => binary(BinOp::MulHi, &[ULongLong, ULongLong], ULongLong),
        "__mul64hi" => binary(BinOp::MulHi, &[LongLong, LongLong], LongLong),
        _ => return None,
    })
}

/// Bits as another type, 16-bit floats, the heap, clocks, and hints to the compiler.
fn conversion_or_hint(name: &str) -> Option<Shape> {
    use Prim::{BFloat16, Double, Float, Half, Int, Long, LongLong, UInt, UShort, Void};
    Some(match name {
        "__float_as_int" => one(What::Bits(Float, Int)),
        "__float_as_uint" => one(What::Bits(Float, UInt)),
        "__int_as_float" => one(What::Bits(Int, Float)),
        "__uint_as_float" => one(What::Bits(UInt, Float)),
        "__double_as_longlong" => one(What::Bits(Double, LongLong)),
        "__longlong_as_double" => one(What::Bits(LongLong, Double)),
        "__half_as_ushort" => one(What::Bits(Half, UShort)),
        "__ushort_as_half" => one(What::Bits(UShort, Half)),
        "__bfloat16_as_ushort" => one(What::Bits(BFloat16, UShort)),
        "__ushort_as_bfloat16" => one(What::Bits(UShort, BFloat16)),
        "__builtin_half_fma" => Shape { count: (3, 3), what: What::Fma },
        "__builtin_half_add" => two(What::Operator(BinOp::Add)),
        "__builtin_half_sub" => two(What::Operator(BinOp::Sub)),
        "__builtin_half_mul" => two(What::Operator(BinOp::Mul)),
        "__builtin_half_min" => two(What::Operator(BinOp::Min)),
        "__builtin_half_max" => two(What::Operator(BinOp::Max)),
        "__builtin_half_abs" => one(What::HalfAbs),
        "assert" => one(What::Assert),
        "__trap" => Shape { count: (0, 0), what: What::Trap("__trap() was called") },
        // What the grid's barrier calls.
        "__grid_trap" => Shape {
            count: (0, 0),
            what: What::Trap(
                "`sync()` of the grid in an ordinary launch: only in a cooperative one may a grid wait for itself\n\
                 launch the kernel with `cudaLaunchCooperativeKernel`",
            ),
        },
        // What the headers of textures call.
        "__surface_trap" => Shape {
            count: (0, 0),
            what: What::Trap("a surface access is outside of its array, where it traps"),
        },
        "malloc" => one(What::Malloc),
        "free" => one(What::Free),
        "__builtin_is_constant_evaluated" => typed(Intrinsic::ConstantEvaluated, &[], Prim::Bool),
        "clock64" => typed(Intrinsic::Clock, &[], LongLong),
        "clock" => typed(Intrinsic::Clock, &[], Long),
        "__builtin_assume" | "__assume" => one(What::Assume),
        "__builtin_expect" => two(What::Expect),
        "__builtin_assume_aligned" => Shape { count: (2, 3), what: What::First },
        "__builtin_unreachable" => Shape { count: (0, 0), what: What::Unreachable },
        "__prof_trigger" => typed(Intrinsic::Nothing, &[Int], Void),
        "__nanosleep" => typed(Intrinsic::Nothing, &[UInt], Void),
        _ => return None,
    })
}

/// The mathematics library: `sin` for both, `sinf` for `float`.
fn library(name: &str) -> Option<Shape> {
    let (function, single) = match Math::named(name) {
        Some(function) => (function, false),
        None => (Math::named(name.strip_suffix('f')?)?, true),
    };
    let count = function.arity();
    Some(Shape { count: (count, count), what: What::Library(function, single) })
}

fn atomic(name: &str) -> Option<Shape> {
    let rest = name.strip_prefix("atomic")?;
    let (rest, scope) = match rest.strip_suffix("_block") {
        Some(rest) => (rest, Scope::Block),
        None => (rest.strip_suffix("_system").unwrap_or(rest), Scope::Device),
    };
    let op = match rest {
        "Add" => AtomicOp::Add,
        "Sub" => AtomicOp::Sub,
        "Min" => AtomicOp::Min,
        "Max" => AtomicOp::Max,
        "And" => AtomicOp::And,
        "Or" => AtomicOp::Or,
        "Xor" => AtomicOp::Xor,
        "Exch" => AtomicOp::Exch,
        "CAS" => AtomicOp::Cas,
        "Inc" => AtomicOp::Inc,
        "Dec" => AtomicOp::Dec,
        _ => return None,
    };
    let count = if op == AtomicOp::Cas { 3 } else { 2 };
    Some(Shape { count: (count, count), what: What::Atomic(op, scope) })
}

/// Functions of CUDA that are not supported, and why.
pub(in crate::sema) fn refused(name: &str) -> Option<&'static str> {
    match name {
        "globaltimer" => Some("a clock of nanoseconds: `clock64` counts the warp's instructions"),
        "__shfl" | "__shfl_up" | "__shfl_down" | "__shfl_xor" | "__any" | "__all" | "__ballot" => {
            Some("removed since Volta: use the `_sync` form with a mask")
        }
        "tex1D" | "tex2D" | "tex3D" | "tex1Dfetch" | "surf2Dread" | "surf2Dwrite" => {
            Some("textures")
        }
        _ => None,
    }
}

/// Whether `std::` may stand before it.
pub(in crate::sema) fn is_standard(name: &str) -> bool {
    let plain = |n: &str| {
        matches!(n, "min" | "max" | "abs" | "sqrt" | "fabs" | "fma" | "floor" | "ceil")
            || matches!(n, "nan" | "trunc" | "rint" | "nearbyint" | "fmin" | "fmax" | "fmod")
            || Math::named(n).is_some()
    };
    plain(name) || name.strip_suffix('f').is_some_and(plain)
}
