//! The instructions, one file per family.
//!
//! Each family has a `TABLE`. A name may stand in several tables, for different types: `add` of
//! integers, of `f32` and of halves.

mod access;
mod address;
mod async_copy;
mod atomic;
mod barrier;
mod bits;
mod carry;
mod cluster;
mod compare;
mod control;
mod convert;
mod float;
mod half;
mod hint;
mod integer;
mod matrix;
mod mbarrier;
mod memory;
mod moves;
mod shared_operand;
mod tensor_copy;
mod warp;
mod warp_group;

pub(crate) use control::branch;

use crate::error::{Lowered, error, nearest, unsupported};
use crate::lower::Lowering;
use crate::modifiers::Modifiers;
use crate::syntax::Instruction;
use crate::types::Type;
use simt_machine::diagnostic::Diagnostic;

/// What lowers a form of an instruction.
pub(crate) type Lower = fn(&mut Lowering<'_>, &Instruction, Modifiers<'_>) -> Lowered<()>;

/// A form of an instruction.
pub(crate) struct Entry {
    /// The opcode, with as many modifiers as tell it apart: `add`, `cp.async.bulk`.
    pub(crate) name: &'static str,
    /// Its types: the last type among the modifiers is one of these. Empty: any, or none.
    pub(crate) types: &'static [Type],
    /// Emits it.
    pub(crate) lower: Lower,
}

/// The table of each family.
const FAMILIES: &[&[Entry]] = &[
    address::TABLE,
    async_copy::TABLE,
    atomic::TABLE,
    barrier::TABLE,
    bits::TABLE,
    carry::TABLE,
    cluster::TABLE,
    compare::TABLE,
    control::TABLE,
    convert::TABLE,
    float::TABLE,
    half::TABLE,
    hint::TABLE,
    integer::TABLE,
    matrix::TABLE,
    mbarrier::TABLE,
    memory::TABLE,
    moves::TABLE,
    tensor_copy::TABLE,
    warp::TABLE,
    warp_group::TABLE,
];

/// The names of all entries.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    FAMILIES.iter().copied().flatten().map(|entry| entry.name)
}

/// The modifiers in the names of entries that ptxas takes at any place: `add.u32.cc`.
const MOVABLE: [&str; 6] = ["cc", "sync", "any", "all", "ca", "cg"];

/// The entry of an instruction.
pub(crate) fn find(instruction: &Instruction) -> Lowered<&'static Entry> {
    let words: Vec<&str> = instruction.modifiers.iter().map(|word| word.text.as_str()).collect();
    let ty = words.iter().rev().find_map(|word| Type::named(word));
    // How many modifiers the name of an entry has, if it is the beginning of the mnemonic.
    let matched = |entry: &Entry| {
        let mut parts = entry.name.split('.');
        if parts.next() != Some(instruction.opcode.text.as_str()) {
            return None;
        }
        let (movable, first): (Vec<&str>, Vec<&str>) = parts.partition(|p| MOVABLE.contains(p));
        let matches = words.starts_with(&first) && movable.iter().all(|p| words.contains(p));
        matches.then_some(first.len() + movable.len())
    };
    let named = FAMILIES.iter().copied().flatten();
    let named: Vec<(&Entry, usize)> = named.filter_map(|e| Some((e, matched(e)?))).collect();
    let longest = named.iter().map(|(_, length)| *length).max();
    let Some(longest) = longest else { return unknown(instruction) };
    let mut forms = named.into_iter().filter(|(_, length)| *length == longest).peekable();
    let fits =
        |entry: &Entry| entry.types.is_empty() || ty.is_some_and(|t| entry.types.contains(&t));
    let only = forms.clone().count() == 1;
    match forms.find(|(entry, _)| only || fits(entry)) {
        Some((entry, _)) => Ok(entry),
        None => {
            let span = instruction.mnemonic_span();
            let opcode = &instruction.opcode.text;
            match ty {
                Some(ty) => error(span, format!("`{ty}` is no type of `{opcode}`")),
                None => match instruction.modifiers.iter().find(|word| is_like_type(&word.text)) {
                    Some(word) => error(word.span, format!("`.{}` is no type of PTX", word.text)),
                    None => error(span, format!("`{opcode}` needs a type")),
                },
            }
        }
    }
}

/// Whether it has the form of a type, as `u33` has.
fn is_like_type(word: &str) -> bool {
    let bits = word.trim_start_matches(|c| "usbf".contains(c));
    bits.len() < word.len() && !bits.is_empty() && bits.bytes().all(|c| c.is_ascii_digit())
}

/// The error for an instruction that is in no table: the one that may have been meant, if there is one.
fn unknown<T>(instruction: &Instruction) -> Lowered<T> {
    let opcode = &instruction.opcode.text;
    let what = format!("the PTX instruction `{}`", instruction.mnemonic());
    let with_mask = format!("{opcode}.sync");
    let opcodes = names().filter_map(|name| name.split('.').next());
    let meant = match names().find(|name| *name == with_mask) {
        // `shfl` and `vote` without a mask went with Volta.
        Some(name) => Some(name),
        None => nearest(opcode, opcodes).filter(|near| near != opcode),
    };
    let span = instruction.mnemonic_span();
    match meant {
        Some(meant) => Err(Box::new(
            Diagnostic::unsupported(span, what).with_help(format!("did you mean `{meant}`?")),
        )),
        None => unsupported(span, what),
    }
}
