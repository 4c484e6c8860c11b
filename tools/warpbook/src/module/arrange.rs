//! The order of a module's functions.
//!
//! gzip finds a repetition only within the 32 KiB before it. The compiler leaves functions in the order in
//! which it made them, so the hundred instances of one generic function are far apart. Sorted by their
//! names, functions that are alike are neighbours, and a reader downloads a twentieth less. The module does
//! the same: only the numbers of its functions change.
//!
//! The linker also pads the numbers that it fills in to five bytes each; here they become as short as
//! possible. The names are then dropped.

use super::binary::{Reader, put_counted, put_unsigned};
use super::instruction::copy_instruction;
use anyhow::{Context, Result, bail, ensure};

const HEAD: &[u8] = b"\0asm\x01\0\0\0";

// The numbers of the sections that are read here.
const CUSTOM: u8 = 0;
const IMPORTS: u8 = 2;
const TYPES_OF_FUNCTIONS: u8 = 3;
const GLOBALS: u8 = 6;
const EXPORTS: u8 = 7;
const START: u8 = 8;
const ELEMENTS: u8 = 9;
const CODE: u8 = 10;

/// What functions become: the new number of each.
struct Numbers(Vec<usize>);

impl Numbers {
    fn of(&self, old: u64) -> Result<u64> {
        let new = usize::try_from(old).ok().and_then(|old| self.0.get(old));
        Ok(*new.with_context(|| format!("there is no function {old}"))? as u64)
    }
}

/// The same module, with its functions in the order of their names.
///
/// # Errors
/// If the module has no names, or something that the lab's module does not need.
pub(super) fn arrange(module: &[u8]) -> Result<Vec<u8>> {
    let mut reader = Reader::new(module);
    ensure!(reader.take(HEAD.len())? == HEAD, "this is no WebAssembly module");
    let mut sections = Vec::new();
    while !reader.is_empty() {
        let id = reader.byte()?;
        sections.push((id, reader.counted()?));
    }
    let section = |wanted| sections.iter().find(|(id, _)| *id == wanted).map(|(_, bytes)| *bytes);
    ensure!(section(IMPORTS).is_none(), "the module imports something");
    let code = vector(section(CODE).unwrap_or(&[0]), Reader::counted)?;
    let types = vector(section(TYPES_OF_FUNCTIONS).unwrap_or(&[0]), Reader::unsigned)?;
    ensure!(code.len() == types.len(), "functions without code");
    let names = names(&sections, code.len())?;
    let mut order: Vec<usize> = (0..code.len()).collect();
    order.sort_by_key(|&old| (family(names[old]), code[old].len(), old));
    let mut numbers = Numbers(vec![0; code.len()]);
    for (new, &old) in order.iter().enumerate() {
        numbers.0[old] = new;
    }
    let mut out = HEAD.to_vec();
    for (id, bytes) in &sections {
        let mut to = Vec::new();
        match *id {
            CUSTOM => continue,
            TYPES_OF_FUNCTIONS => {
                put_unsigned(&mut to, types.len() as u64);
                order.iter().for_each(|&old| put_unsigned(&mut to, types[old]));
            }
            CODE => {
                put_unsigned(&mut to, code.len() as u64);
                for &old in &order {
                    let body = body(code[old], &numbers);
                    put_counted(&mut to, &body.with_context(|| names[old].to_owned())?);
                }
            }
            GLOBALS => globals(bytes, &numbers, &mut to)?,
            EXPORTS => exports(bytes, &numbers, &mut to)?,
            ELEMENTS => elements(bytes, &numbers, &mut to)?,
            START => put_unsigned(&mut to, numbers.of(Reader::new(bytes).unsigned()?)?),
            _ => to.extend(*bytes),
        }
        out.push(*id);
        put_counted(&mut out, &to);
    }
    Ok(out)
}

/// A counted list of things.
fn vector<'a, T>(bytes: &'a [u8], read: impl Fn(&mut Reader<'a>) -> Result<T>) -> Result<Vec<T>> {
    let mut reader = Reader::new(bytes);
    let count = reader.unsigned()?;
    (0..count).map(|_| read(&mut reader)).collect()
}

/// The name of each function.
fn names<'a>(sections: &[(u8, &'a [u8])], count: usize) -> Result<Vec<&'a str>> {
    let mut names = vec![""; count];
    for (_, bytes) in sections.iter().filter(|(id, _)| *id == CUSTOM) {
        let mut reader = Reader::new(bytes);
        if reader.name()? != "name" {
            continue;
        }
        while !reader.is_empty() {
            let (part, bytes) = (reader.byte()?, reader.counted()?);
            if part == 1 {
                for (number, name) in vector(bytes, |r| Ok((r.unsigned()?, r.name()?)))? {
                    let place = usize::try_from(number).ok().and_then(|n| names.get_mut(n));
                    *place.with_context(|| format!("there is no function {number}"))? = name;
                }
            }
        }
    }
    ensure!(names.iter().any(|n| !n.is_empty()), "the module has no names of functions");
    Ok(names)
}

/// A mangled name without its hash, by which the instances of a generic function differ.
fn family(name: &str) -> &str {
    name.rfind("17h").map_or(name, |end| &name[..end])
}

/// The body of a function: the types of its locals, and instructions.
fn body(bytes: &[u8], numbers: &Numbers) -> Result<Vec<u8>> {
    let mut reader = Reader::new(bytes);
    let mut out = Vec::with_capacity(bytes.len());
    let groups = reader.unsigned()?;
    put_unsigned(&mut out, groups);
    for _ in 0..groups {
        put_unsigned(&mut out, reader.unsigned()?);
        out.push(reader.byte()?);
    }
    while !reader.is_empty() {
        copy_instruction(&mut reader, &mut out, &|old| numbers.of(old))?;
    }
    Ok(out)
}

fn globals(bytes: &[u8], numbers: &Numbers, out: &mut Vec<u8>) -> Result<()> {
    let mut reader = Reader::new(bytes);
    let count = reader.unsigned()?;
    put_unsigned(out, count);
    for _ in 0..count {
        out.extend(reader.take(2)?);
        expression(&mut reader, numbers, out)?;
    }
    Ok(())
}

/// Instructions up to the first `end`.
fn expression(reader: &mut Reader<'_>, numbers: &Numbers, out: &mut Vec<u8>) -> Result<()> {
    const END: u8 = 0x0B;
    while copy_instruction(reader, out, &|old| numbers.of(old))? != END {}
    Ok(())
}

fn exports(bytes: &[u8], numbers: &Numbers, out: &mut Vec<u8>) -> Result<()> {
    let mut reader = Reader::new(bytes);
    let count = reader.unsigned()?;
    put_unsigned(out, count);
    for _ in 0..count {
        put_counted(out, reader.counted()?);
        let (kind, number) = (reader.byte()?, reader.unsigned()?);
        out.push(kind);
        put_unsigned(out, if kind == 0 { numbers.of(number)? } else { number });
    }
    Ok(())
}

fn elements(bytes: &[u8], numbers: &Numbers, out: &mut Vec<u8>) -> Result<()> {
    let mut reader = Reader::new(bytes);
    let count = reader.unsigned()?;
    put_unsigned(out, count);
    for _ in 0..count {
        let kind = reader.unsigned()?;
        if kind != 0 {
            bail!("a segment of elements of kind {kind}");
        }
        put_unsigned(out, kind);
        expression(&mut reader, numbers, out)?;
        let functions = reader.unsigned()?;
        put_unsigned(out, functions);
        for _ in 0..functions {
            put_unsigned(out, numbers.of(reader.unsigned()?)?);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A module of these sections.
    fn module(sections: &[(u8, &[u8])]) -> Vec<u8> {
        let mut out = HEAD.to_vec();
        for (id, bytes) in sections {
            out.push(*id);
            put_counted(&mut out, bytes);
        }
        out
    }

    const TYPES: (u8, &[u8]) = (1, b"\x02\x60\0\0\x60\0\x01\x7F");
    const NAMES: (u8, &[u8]) = (CUSTOM, b"\x04name\x01\x07\x02\0\x01b\x01\x01a");

    #[test]
    fn functions_stand_in_the_order_of_their_names() {
        // b calls a, whose number the linker padded; a returns 5. The table holds a, and b is exported.
        let before = module(&[
            TYPES,
            (TYPES_OF_FUNCTIONS, b"\x02\0\x01"),
            (EXPORTS, b"\x01\x01x\0\0"),
            (ELEMENTS, b"\x01\0\x41\0\x0B\x01\x01"),
            (CODE, b"\x02\x09\0\x10\x81\x80\x80\x80\0\x1A\x0B\x04\0\x41\x05\x0B"),
            NAMES,
        ]);
        let after = module(&[
            TYPES,
            (TYPES_OF_FUNCTIONS, b"\x02\x01\0"),
            (EXPORTS, b"\x01\x01x\0\x01"),
            (ELEMENTS, b"\x01\0\x41\0\x0B\x01\0"),
            (CODE, b"\x02\x04\0\x41\x05\x0B\x05\0\x10\0\x1A\x0B"),
        ]);
        assert_eq!(arrange(&before).unwrap(), after);
    }

    #[test]
    fn a_module_that_is_not_understood_is_refused() {
        let refused =
            |sections: &[(u8, &[u8])]| format!("{:#}", arrange(&module(sections)).unwrap_err());
        assert_eq!(refused(&[TYPES]), "the module has no names of functions");
        assert_eq!(refused(&[(IMPORTS, b"\0")]), "the module imports something");
        let code = |code| [TYPES, (TYPES_OF_FUNCTIONS, b"\x02\0\x01"), (CODE, code), NAMES];
        assert_eq!(
            refused(&code(b"\x02\x02\0\x0B\x03\0\xD5\x0B")),
            "a: the instruction 0xd5 is not known"
        );
        assert_eq!(refused(&code(b"\x02\x02\0\x0B\x03\0\x10")), "the module ends too early");
        assert_eq!(
            refused(&code(b"\x02\x02\0\x0B\x04\0\x10\x07\x0B")),
            "a: there is no function 7"
        );
        assert_eq!(
            format!("{:#}", arrange(b"no module").unwrap_err()),
            "this is no WebAssembly module"
        );
    }
}
