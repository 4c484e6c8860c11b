//! Accesses outside their object, misaligned accesses, and writes to constant memory.

use super::heap::freed_at;
use crate::event::{AccessKind, LanesAt, RefusedAccess};
use crate::isa::Element;
use crate::lanes::lanes_of;
use crate::machine::memory::Foreign;
use crate::machine::memory::{BIAS, GLOBALS, HOST, OBJECT_SHIFT, SHARED_WINDOW};
use crate::machine::prepared_kernel::{PreparedKernel, Target};
use crate::observe::findings::{Case, Findings, Text};
use crate::observe::{Class, Code, Site};
use std::borrow::Cow;
use std::sync::OnceLock;

/// Lanes of an access were refused.
pub(crate) fn access_refused(
    prepared: &PreparedKernel<'_>,
    findings: &mut Findings,
    refused: &RefusedAccess<'_>,
) {
    for lane in lanes_of(refused.at.lanes) {
        let pointer = refused.pointers[lane];
        let object = pointer >> OBJECT_SHIFT;
        let at = LanesAt { lanes: 1 << lane, ..refused.at };
        let key = (Class::Bounds, prepared.kernel.spans[at.pc as usize], None, object as u32);
        findings.add_ranked(key, 0, || {
            let freed = prepared.heap.and_then(|heap| heap.allocation(object)?.freed);
            let (code, text) = match &freed {
                Some(_) => (Code::FreedMemory, Text::error("memory that was freed is accessed")),
                None => {
                    let offset = pointer.wrapping_sub((object << OBJECT_SHIFT) | BIAS) as i64;
                    match refused.wrapped {
                        true => wrapped(prepared, object, offset),
                        false => describe(prepared, object, offset, refused.width),
                    }
                }
            };
            let first = Site::at(prepared, at, sized(refused.kind, refused.width));
            Case::new(code, first).with_second(freed.as_ref().map(freed_at)).finding(text)
        });
    }
}

/// What an access does, with its size.
fn sized(kind: AccessKind, width: u32) -> &'static str {
    match (kind, width) {
        (AccessKind::Load, 1) => "read of 1 byte",
        (AccessKind::Load, 2) => "read of 2 bytes",
        (AccessKind::Load, 4) => "read of 4 bytes",
        (AccessKind::Load, 8) => "read of 8 bytes",
        (AccessKind::Load, 16) => "read of 16 bytes",
        (AccessKind::Store, 1) => "write of 1 byte",
        (AccessKind::Store, 2) => "write of 2 bytes",
        (AccessKind::Store, 4) => "write of 4 bytes",
        (AccessKind::Store, 8) => "write of 8 bytes",
        (AccessKind::Store, 16) => "write of 16 bytes",
        _ => kind.word(),
    }
}

/// Lanes write to a `__constant__` object.
pub(crate) fn constant_written(
    prepared: &PreparedKernel<'_>,
    findings: &mut Findings,
    at: LanesAt,
    object: u32,
) {
    let case = Case::new(Code::ReadOnly, Site::at(prepared, at, "write")).with_object(object);
    findings.add(case.with_count(at.lanes.count_ones()), || {
        let name = &prepared.objects[object as usize].name;
        Text::error(format!("`{name}` is __constant__ and cannot be written")).with_help(
            "only the host writes constant memory; make it __device__ to write it in a kernel",
        )
    });
}

/// An object's name, element and size, for messages.
fn name_of<'a>(
    prepared: &'a PreparedKernel<'_>,
    object: u64,
) -> Option<(Cow<'a, str>, &'a Element, u64)> {
    Some(match prepared.target(object)? {
        Target::Global(index, size) => {
            let o = prepared.objects[index as usize];
            (Cow::from(&o.name), &o.element, u64::from(size))
        }
        Target::Heap(index, _, size) => {
            let made = prepared.heap?.allocation(object)?.made;
            let line = prepared.module.sources.position(made).line;
            let name = format!("malloc({size}) in line {line}");
            (name.into(), &prepared.objects[index as usize].element, u64::from(size))
        }
        Target::Shared(_, size) if object == SHARED_WINDOW => {
            (Cow::from("the block's shared memory"), BYTE.get_or_init(byte), u64::from(size))
        }
        Target::Shared(_, size) => {
            let o = &prepared.kernel.shared[(object & 0x3F_FFFF) as usize];
            (Cow::from(&o.name), &o.element, u64::from(size))
        }
        Target::Local(_, size) => {
            let o = &prepared.kernel.locals[(object & 0x3F_FFFF) as usize];
            (Cow::from(&o.name), &o.element, u64::from(size))
        }
    })
}

/// The element of memory without one.
static BYTE: OnceLock<Element> = OnceLock::new();

fn byte() -> Element {
    Element { name: "byte".to_owned(), size: 1 }
}

/// What is wrong with an access of `width` bytes at an offset of an object.
fn describe(prepared: &PreparedKernel<'_>, object: u64, offset: i64, width: u32) -> (Code, Text) {
    let Some((name, element, size)) = name_of(prepared, object) else {
        return no_object(prepared, object);
    };
    if let Some(Target::Global(index, _)) = prepared.target(object)
        && prepared.objects[index as usize].owner.freed.is_some()
    {
        let text = Text::error(format!("`{name}` has been freed"));
        return (Code::FreedMemory, text.with_help("free it after the last kernel that uses it"));
    }
    if offset >= 0 && (offset as u64) + u64::from(width) <= size {
        // What is longer than a vector is a bulk copy.
        let align = width.min(16);
        let message = if (offset as u64).is_multiple_of(align.into()) {
            format!("a bulk copy of {width} bytes: the size must be a multiple of 16")
        } else {
            format!(
                "byte {offset} of `{name}` is not a multiple of {align}, as an access of {width} bytes must be"
            )
        };
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
    let help = match size {
        // An array of the language has an element.
        0 if matches!(prepared.target(object), Some(Target::Shared(..))) => format!(
            "`extern __shared__` has as many bytes as the launch gives: <<<grid, block, bytes>>>, and \
             this one gives none for `{name}`"
        ),
        bytes if is_dynamic(prepared, object) => format!(
            "the third number of <<<grid, block, bytes>>> is in bytes, and this launch gives {bytes}: \
             for each element of `{name}` {step}"
        ),
        _ => format!("check the index against the number of elements before using `{name}`"),
    };
    (Code::OutOfBounds, Text::error(message).with_help(help))
}

/// Whether this is the shared memory whose size the launch says.
fn is_dynamic(prepared: &PreparedKernel<'_>, object: u64) -> bool {
    let Some(Target::Shared(start, _)) = prepared.target(object) else { return false };
    object != SHARED_WINDOW
        && prepared.kernel.shared.iter().any(|own| own.dynamic && own.offset == start)
}

/// An address in shared memory that wraps.
fn wrapped(prepared: &PreparedKernel<'_>, object: u64, offset: i64) -> (Code, Text) {
    let Some((name, element, _)) = name_of(prepared, object) else {
        return no_object(prepared, object);
    };
    let step = i64::from(element.size.max(1));
    let (index, there) = (offset.div_euclid(step), i64::from(offset as u32) / step);
    let message = format!(
        "index {index} of `{name}` is out of bounds: a shared address has 32 bits, so this is index {there}"
    );
    let help = "C++ leaves this undefined: compute the index in a signed type, or bound it";
    (Code::OutOfBounds, Text::warning(message).with_help(help))
}

/// What is wrong with a pointer to no object of the device.
fn no_object(prepared: &PreparedKernel<'_>, object: u64) -> (Code, Text) {
    if object == 0 {
        let text = Text::error("a null pointer, or an integer that is no pointer, is dereferenced");
        let help = "look where the pointer was set: it must lead into an array";
        return (Code::BadPointer, text.with_help(help));
    }
    if let Some(rank) = object.checked_sub(SHARED_WINDOW + 1).filter(|rank| *rank < 255) {
        let blocks = prepared.cluster.blocks;
        return if rank < blocks.into() {
            let what = "this is outside of the shared memory of the block of rank";
            (Code::OutOfBounds, Text::error(format!("{what} {rank}, or not aligned there")))
        } else {
            let has = plural(blocks.into(), "block");
            let text =
                Text::error(format!("the cluster has no block of rank {rank}: it has {has}"));
            (Code::BadPointer, text.with_help("ranks go from 0 to cluster.num_blocks() - 1"))
        };
    }
    if let Some((_, foreign)) = prepared.foreign.iter().find(|(number, _)| *number == object) {
        let copy = "copy it with `cudaMemcpy`, or use `cudaMallocManaged`";
        let (message, help) = match foreign {
            Foreign::Stack => {
                ("a kernel cannot access the host's local variables".to_owned(), copy.to_owned())
            }
            Foreign::Object(name) => {
                (format!("`{name}` is host memory: a kernel cannot access it"), copy.to_owned())
            }
            Foreign::Variable(name) => (
                format!("this is the address of `{name}` in host code: a kernel cannot access it"),
                format!(
                    "use `{name}` in the kernel itself, or pass the address that `cudaGetSymbolAddress` gives"
                ),
            ),
        };
        return (Code::HostMemory, Text::error(message).with_help(help));
    }
    if (HOST..GLOBALS).contains(&object) {
        let text =
            Text::error("the pointer is an address of host memory: a kernel cannot access it");
        let help = "what holds the pointer was copied, and not what it points to: copy that too, with `cudaMalloc` and `cudaMemcpy`, and store the device's pointer in the copy";
        return (Code::HostMemory, text.with_help(help));
    }
    let help = "look where the pointer was set: it must lead into an array of the device";
    (Code::BadPointer, Text::error("the pointer points into no array").with_help(help))
}

/// `1 float`, `2 floats`.
pub fn plural(count: u64, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}
