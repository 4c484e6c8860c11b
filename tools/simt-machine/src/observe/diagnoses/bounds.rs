//! Accesses outside of their object, or not aligned.

use crate::diagnostic::Severity;
use crate::isa::Element;
use crate::machine::memory::{BIAS, OBJECT_SHIFT};
use crate::machine::program::{Program, Target};
use crate::machine::simd::lanes_of;
use crate::observe::event::AccessKind;
use crate::observe::{Class, Code, Finding, Findings, Site};
use std::borrow::Cow;

/// Reports the refused lanes of one instruction, object by object.
#[expect(clippy::too_many_arguments, reason = "the parts of one event")]
pub(crate) fn report(
    program: &Program<'_>,
    findings: &mut Findings,
    pc: u32,
    kind: AccessKind,
    lanes: u32,
    pointers: &[u64; 32],
    width: u32,
    block: u32,
    warp: u32,
) {
    for lane in lanes_of(lanes) {
        let object = pointers[lane] >> OBJECT_SHIFT;
        let span = program.kernel.spans[pc as usize];
        findings.add(
            1,
            object as u32,
            || {
                let rel = pointers[lane].wrapping_sub((object << OBJECT_SHIFT) | BIAS) as i64;
                let freed = program.heap.and_then(|heap| heap.allocation(object)?.freed);
                let (code, message, help) = match &freed {
                    Some(_) => {
                        (Code::FreedMemory, "memory that was freed is accessed".to_owned(), None)
                    }
                    None => describe(program, object, rel, width),
                };
                Finding {
                    code,
                    severity: Severity::Error,
                    message,
                    first: Site {
                        span,
                        what: kind.word(),
                        block: program.block_index(block),
                        thread: program.thread_index(warp * 32 + lane as u32),
                        value: None,
                    },
                    second: freed,
                    count: 0,
                    help,
                }
            },
            Class::Bounds,
            span,
            None,
        );
    }
}

/// Reports a store to a `__constant__` variable.
pub(crate) fn report_constant(
    program: &Program<'_>,
    findings: &mut Findings,
    pc: u32,
    lanes: u32,
    object: u32,
    block: u32,
    warp: u32,
) {
    let span = program.kernel.spans[pc as usize];
    findings.add(
        u64::from(lanes.count_ones()),
        object,
        || Finding {
            code: Code::ReadOnly,
            severity: Severity::Error,
            message: format!(
                "`{}` is __constant__ and cannot be written",
                program.objects[object as usize].name
            ),
            first: Site {
                span,
                what: "write",
                block: program.block_index(block),
                thread: program.thread_index(warp * 32 + lanes.trailing_zeros()),
                value: None,
            },
            second: None,
            count: 0,
            help: Some(
                "only the host writes constant memory; make it __device__ to write it in a kernel"
                    .to_owned(),
            ),
        },
        Class::Bounds,
        span,
        None,
    );
}

/// An object's name, element and size, for messages.
pub(crate) fn name_of<'a>(
    program: &'a Program<'_>,
    object: u64,
) -> Option<(Cow<'a, str>, &'a Element, u64)> {
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

fn describe(
    program: &Program<'_>,
    object: u64,
    rel: i64,
    width: u32,
) -> (Code, String, Option<String>) {
    let Some((name, element, size)) = name_of(program, object) else {
        return if object == 0 {
            (
                Code::BadPointer,
                "a null pointer, or an integer that is no pointer, is dereferenced".to_owned(),
                Some("look where the pointer was set: it must lead into an array".to_owned()),
            )
        } else if let Some((_, name)) = program.foreign.iter().find(|(o, _)| *o == object) {
            (
                Code::HostMemory,
                match &**name {
                    "the stack" => "a kernel cannot access the host's local variables".to_owned(),
                    name => format!("`{name}` is host memory: a kernel cannot access it"),
                },
                Some("copy it with `cudaMemcpy`, or use `cudaMallocManaged`".to_owned()),
            )
        } else {
            (Code::BadPointer, "the pointer points into no array".to_owned(), None)
        };
    };
    if let Target::Global(index, _) = program.target(object).unwrap_or(Target::Local(0, 0))
        && program.objects[index as usize].owner.freed.is_some()
    {
        return (
            Code::FreedMemory,
            format!("`{name}` has been freed"),
            Some("free it after the last kernel that uses it".to_owned()),
        );
    }
    let count = size / u64::from(element.size.max(1));
    let made_of = plural(count, &element.name);
    let step = i64::from(element.size.max(1));
    if rel >= 0 && (rel as u64) + u64::from(width) <= size {
        return (
            Code::Misaligned,
            format!(
                "byte {rel} of `{name}` is not a multiple of {width}, as an access of {width} bytes must be"
            ),
            Some(
                "hardware refuses a misaligned access; use a narrower one, or an aligned offset"
                    .to_owned(),
            ),
        );
    }
    let index = rel.div_euclid(step);
    let place = if rel < 0 {
        format!("{} before the start", plural(rel.unsigned_abs(), "byte"))
    } else if rel as u64 >= size {
        match rel as u64 - size {
            0 => "just past the end".to_owned(),
            past => format!("{} past the end", plural(past, "byte")),
        }
    } else {
        "across the end".to_owned()
    };
    (
        Code::OutOfBounds,
        format!(
            "index {index} of `{name}` is out of bounds: it has {made_of}, and this is {place}"
        ),
        Some(format!("check the index against the number of elements before using `{name}`")),
    )
}

/// `1 float`, `2 floats`.
pub fn plural(count: u64, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}
