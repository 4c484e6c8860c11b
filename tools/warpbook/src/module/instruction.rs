//! One instruction of WebAssembly: where it ends, and which functions it names.

use super::binary::{Reader, put_signed, put_unsigned};
use anyhow::{Result, bail};

/// What follows an opcode.
enum Operands {
    /// So many unsigned numbers.
    Numbers(usize),
    /// A signed number.
    Signed,
    /// So many bytes as they are.
    Bytes(usize),
    /// Alignment and offset of an access, and so many bytes.
    Access(usize),
    /// The number of a function.
    Function,
    /// A counted list of numbers, and so many more numbers.
    List(usize),
}

/// Copies an instruction with the new numbers of its functions, and returns its opcode.
///
/// # Errors
/// If it is none that the compiler makes for the lab.
pub(super) fn copy_instruction(
    from: &mut Reader<'_>,
    to: &mut Vec<u8>,
    number_of: &dyn Fn(u64) -> Result<u64>,
) -> Result<u8> {
    let opcode = from.byte()?;
    to.push(opcode);
    let operands = match opcode {
        0xFC | 0xFD => {
            let second = from.unsigned()?;
            put_unsigned(to, second);
            if opcode == 0xFC { bulk(second)? } else { vector(second)? }
        }
        _ => plain(opcode)?,
    };
    let mut numbers = 0;
    match operands {
        Operands::Numbers(count) => numbers = count,
        Operands::Signed => put_signed(to, from.signed()?),
        Operands::Bytes(count) => to.extend(from.take(count)?),
        Operands::Access(count) => {
            for _ in 0..2 {
                put_unsigned(to, from.unsigned()?);
            }
            to.extend(from.take(count)?);
        }
        Operands::Function => put_unsigned(to, number_of(from.unsigned()?)?),
        Operands::List(more) => {
            let count = from.unsigned()?;
            put_unsigned(to, count);
            numbers = usize::try_from(count)? + more;
        }
    }
    for _ in 0..numbers {
        put_unsigned(to, from.unsigned()?);
    }
    Ok(opcode)
}

/// An opcode of one byte.
fn plain(opcode: u8) -> Result<Operands> {
    Ok(match opcode {
        // block, loop, if: their type. i32.const, i64.const
        0x02..=0x04 | 0x41 | 0x42 => Operands::Signed,
        // br, br_if
        0x0C | 0x0D => Operands::Numbers(1),
        // br_table
        0x0E => Operands::List(1),
        // call, ref.func
        0x10 | 0xD2 => Operands::Function,
        // call_indirect: its type, and the table
        0x11 => Operands::Numbers(2),
        // select with types
        0x1C => Operands::List(0),
        // Locals, globals, tables
        0x20..=0x26 => Operands::Numbers(1),
        // Loads and stores
        0x28..=0x3E => Operands::Access(0),
        // memory.size, memory.grow
        0x3F | 0x40 => Operands::Numbers(1),
        // f32.const, f64.const
        0x43 => Operands::Bytes(4),
        0x44 => Operands::Bytes(8),
        // unreachable, nop, else, end, return, drop, select, arithmetic
        0x00 | 0x01 | 0x05 | 0x0B | 0x0F | 0x1A | 0x1B | 0x45..=0xC4 => Operands::Bytes(0),
        _ => bail!("the instruction {opcode:#04x} is not known"),
    })
}

/// An opcode behind 0xFC: conversions that saturate, and operations on much memory.
fn bulk(second: u64) -> Result<Operands> {
    Ok(match second {
        0..=7 => Operands::Bytes(0),
        // memory.init, memory.copy
        8 | 10 => Operands::Numbers(2),
        // data.drop, memory.fill
        9 | 11 => Operands::Numbers(1),
        _ => bail!("the instruction 0xfc {second:#04x} is not known"),
    })
}

/// An opcode behind 0xFD: vectors of 128 bits.
fn vector(second: u64) -> Result<Operands> {
    Ok(match second {
        // Loads and stores of all lanes, or of one that the rest is filled with
        0..=11 | 92 | 93 => Operands::Access(0),
        // v128.const, i8x16.shuffle
        12 | 13 => Operands::Bytes(16),
        // A lane in or out
        21..=34 => Operands::Bytes(1),
        // Loads and stores of a lane
        84..=91 => Operands::Access(1),
        14..=255 => Operands::Bytes(0),
        _ => bail!("the instruction 0xfd {second:#04x} is not known"),
    })
}
