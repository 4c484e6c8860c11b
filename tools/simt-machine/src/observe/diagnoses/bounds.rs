//! Accesses outside their object, misaligned accesses, and writes to constant memory.

use super::heap::freed_at;
use crate::event::{LanesAt, RefusedAccess};
use crate::isa::Element;
use crate::lanes::lanes_of;
use crate::machine::memory::{BIAS, OBJECT_SHIFT};
use crate::machine::program::{Program, Target};
use crate::observe::findings::{Case, Findings, Text};
use crate::observe::{Class, Code, Site};
use std::borrow::Cow;

/// Lanes of an access were refused.
pub(crate) fn access_refused(
    program: &Program<'_>,
    findings: &mut Findings,
    refused: &RefusedAccess<'_>,
) {
    for lane in lanes_of(refused.at.lanes) {
        let pointer = refused.pointers[lane];
        let object = pointer >> OBJECT_SHIFT;
        let at = LanesAt { lanes: 1 << lane, ..refused.at };
        let key = (Class::Bounds, program.kernel.spans[at.pc as usize], None, object as u32);
        findings.add_ranked(key, 0, || {
            let freed = program.heap.and_then(|heap| heap.allocation(object)?.freed);
            let (code, text) = match &freed {
                Some(_) => (Code::FreedMemory, Text::error("memory that was freed is accessed")),
                None => {
                    let offset = pointer.wrapping_sub((object << OBJECT_SHIFT) | BIAS) as i64;
                    describe(program, object, offset, refused.width)
                }
            };
            let first = Site::at(program, at, refused.kind.word());
            Case::new(code, first).with_second(freed.as_ref().map(freed_at)).finding(text)
        });
    }
}

/// Lanes write to a `__constant__` object.
pub(crate) fn constant_written(
    program: &Program<'_>,
    findings: &mut Findings,
    at: LanesAt,
    object: u32,
) {
    let case = Case::new(Code::ReadOnly, Site::at(program, at, "write")).with_object(object);
    findings.add(case.with_count(at.lanes.count_ones()), || {
        let name = &program.objects[object as usize].name;
        Text::error(format!("`{name}` is __constant__ and cannot be written")).with_help(
            "only the host writes constant memory; make it __device__ to write it in a kernel",
        )
    });
}

/// An object's name, element and size, for messages.
fn name_of<'a>(program: &'a Program<'_>, object: u64) -> Option<(Cow<'a, str>, &'a Element, u64)> {
    Some(match program.target(object)? {
        Target::Global(index, size) => {
            let o = program.objects[index as usize];
            (Cow::from(&o.name), &o.element, u64::from(size))
        }
        Target::Heap(index, _, size) => {
            let made = program.heap?.allocation(object)?.made;
            let line = program.module.sources.position(made).line;
            let name = format!("malloc({size}) in line {line}");
            (name.into(), &program.objects[index as usize].element, u64::from(size))
        }
        Target::Shared(_, size) => {
            let o = &program.kernel.shared[(object & 0x3F_FFFF) as usize];
            (Cow::from(&o.name), &o.element, u64::from(size))
        }
        Target::Local(_, size) => {
            let o = &program.kernel.locals[(object & 0x3F_FFFF) as usize];
            (Cow::from(&o.name), &o.element, u64::from(size))
        }
    })
}

/// What is wrong with an access of `width` bytes at an offset of an object.
fn describe(program: &Program<'_>, object: u64, offset: i64, width: u32) -> (Code, Text) {
    let Some((name, element, size)) = name_of(program, object) else {
        return no_object(program, object);
    };
    if let Some(Target::Global(index, _)) = program.target(object)
        && program.objects[index as usize].owner.freed.is_some()
    {
        let text = Text::error(format!("`{name}` has been freed"));
        return (Code::FreedMemory, text.with_help("free it after the last kernel that uses it"));
    }
    if offset >= 0 && (offset as u64) + u64::from(width) <= size {
        let message = format!(
            "byte {offset} of `{name}` is not a multiple of {width}, as an access of {width} bytes must be"
        );
        let help = "hardware refuses a misaligned access; use a narrower one, or an aligned offset";
        return (Code::Misaligned, Text::error(message).with_help(help));
    }
    let step = element.size.max(1);
    let has = plural(size / u64::from(step), &element.name);
    let index = offset.div_euclid(i64::from(step));
    let place = if offset < 0 {
        format!("{} before the start", plural(offset.unsigned_abs(), "byte"))
    } else if offset as u64 >= size {
        match offset as u64 - size {
            0 => "just past the end".to_owned(),
            past => format!("{} past the end", plural(past, "byte")),
        }
    } else {
        "across the end".to_owned()
    };
    let message =
        format!("index {index} of `{name}` is out of bounds: it has {has}, and this is {place}");
    let help = format!("check the index against the number of elements before using `{name}`");
    (Code::OutOfBounds, Text::error(message).with_help(help))
}

/// What is wrong with a pointer to no object of the device.
fn no_object(program: &Program<'_>, object: u64) -> (Code, Text) {
    if object == 0 {
        let text = Text::error("a null pointer, or an integer that is no pointer, is dereferenced");
        let help = "look where the pointer was set: it must lead into an array";
        return (Code::BadPointer, text.with_help(help));
    }
    let Some((_, name)) = program.foreign.iter().find(|(number, _)| *number == object) else {
        return (Code::BadPointer, Text::error("the pointer points into no array"));
    };
    let message = match &**name {
        "the stack" => "a kernel cannot access the host's local variables".to_owned(),
        name => format!("`{name}` is host memory: a kernel cannot access it"),
    };
    let help = "copy it with `cudaMemcpy`, or use `cudaMallocManaged`";
    (Code::HostMemory, Text::error(message).with_help(help))
}

/// `1 float`, `2 floats`.
pub fn plural(count: u64, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}
