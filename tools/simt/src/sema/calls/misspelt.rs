//! "Did you mean": the function that a misspelt call means.

use crate::sema::expressions::id_expression::closest;
use crate::syntax::ast::Prim;

/// What to pass in place of a value that is no target of an atomic operation on these types.
pub(super) fn instead_of_target(given: Option<Prim>, allowed: &[Prim]) -> String {
    if given.is_some_and(|prim| allowed.contains(&prim)) {
        return "its address is wanted: write `&` before it".to_owned();
    }
    let all: Vec<String> = allowed.iter().map(|prim| format!("`{}*`", prim.spelling())).collect();
    format!("CUDA has it for {}", all.join(", "))
}

/// Built-in functions of both sides.
const NAMES: [&str; 26] = [
    "atomicAdd",
    "atomicSub",
    "atomicMin",
    "atomicMax",
    "atomicExch",
    "atomicCAS",
    "printf",
    "assert",
    "min",
    "max",
    "abs",
    "sqrtf",
    "fabsf",
    "fminf",
    "fmaxf",
    "fmaf",
    "make_float4",
    "make_int4",
    "make_float2",
    "make_int2",
    "floorf",
    "ceilf",
    "sqrt",
    "expf",
    "sinf",
    "powf",
];

/// Intrinsics, without the two underscores that each begins with.
const INTRINSICS: [&str; 16] = [
    "syncthreads",
    "syncthreads_count",
    "syncthreads_and",
    "syncthreads_or",
    "syncwarp",
    "threadfence",
    "threadfence_block",
    "threadfence_system",
    "shfl_sync",
    "shfl_up_sync",
    "shfl_down_sync",
    "shfl_xor_sync",
    "ballot_sync",
    "any_sync",
    "all_sync",
    "activemask",
];

/// The built-in function, or one of those that are `known`, whose name is nearest.
pub(super) fn meant(written: &str, known: impl Iterator<Item = String>) -> Option<String> {
    let word = written.trim_start_matches('_');
    let intrinsic = closest(word, INTRINSICS.iter()).map(|name| format!("__{name}"));
    let other = closest(written, known.chain(NAMES.iter().map(|name| (*name).to_owned())));
    match written.starts_with("__") {
        true => intrinsic.or(other),
        false => other.or(intrinsic),
    }
}
