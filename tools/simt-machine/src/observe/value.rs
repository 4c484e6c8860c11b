//! Values and names of objects, for messages.

use crate::event::{Access, Space};
use crate::isa::{Element, Object};
use crate::machine::memory::Global;
use crate::machine::prepared_kernel::PreparedKernel;
use std::sync::atomic::Ordering::Relaxed;

/// What a lane stores, if it is a single number.
pub(crate) fn stored(access: &Access<'_>, lane: usize) -> Option<u64> {
    let (values, ty) = access.stored?;
    (access.width == ty.bytes()).then(|| {
        let bits = values.lane(lane);
        if ty.bytes() >= 8 { bits } else { bits & ((1 << (ty.bytes() * 8)) - 1) }
    })
}

/// What memory holds now, if it is a single number.
pub(crate) fn current(
    prepared: &PreparedKernel<'_>,
    access: &Access<'_>,
    offset: u32,
) -> Option<u64> {
    let word = |at: usize| match access.space {
        Space::Global => {
            prepared.objects[access.object as usize].words.get(at).map(|w| w.load(Relaxed))
        }
        _ => access.shared.get(at).copied(),
    };
    let at = offset as usize / 4;
    match access.width {
        8 => Some(u64::from(word(at & !1)?) | u64::from(word(at | 1)?) << 32),
        4 => word(at).map(u64::from),
        1 | 2 => {
            word(at).map(|w| u64::from(w >> (offset % 4 * 8)) & ((1 << (access.width * 8)) - 1))
        }
        _ => None,
    }
}

/// The object at an offset of an address space.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Place<'a> {
    name: &'a str,
    pub(crate) element: &'a Element,
    /// No array: it has no index.
    scalar: bool,
    start: u32,
    /// The number of the object.
    pub(crate) number: u32,
}

impl Place<'_> {
    /// The element at an offset, for messages: `a[3]`, or the name of what is no array.
    pub(crate) fn at(&self, offset: u32) -> String {
        let index = (offset - self.start) / self.element.size.max(1);
        match self.scalar && index == 0 {
            true => format!("`{}`", self.name),
            false => format!("`{}[{index}]`", self.name),
        }
    }
}

/// The object that an access meets at an offset.
pub(crate) fn object<'a>(
    prepared: &'a PreparedKernel<'_>,
    access: &Access<'_>,
    offset: u32,
) -> Place<'a> {
    place(prepared, access.space, access.object, offset)
}

/// The same without an access; `object` counts for global memory only.
pub(crate) fn place<'a>(
    prepared: &'a PreparedKernel<'_>,
    space: Space,
    object: u32,
    offset: u32,
) -> Place<'a> {
    if space == Space::Global {
        let Global { name, element, scalar, .. } = prepared.objects[object as usize];
        return Place { name, element, scalar: *scalar, start: 0, number: object };
    }
    let list = match space {
        Space::Shared => &prepared.kernel.shared,
        _ => &prepared.kernel.locals,
    };
    let found = list.iter().enumerate().find(|(_, o)| {
        let size = if space == Space::Shared { prepared.size(o) } else { o.size };
        offset >= o.offset && offset - o.offset < size
    });
    match found {
        Some((at, Object { name, element, scalar, offset, .. })) => {
            Place { name, element, scalar: *scalar, start: *offset, number: 1 << 20 | at as u32 }
        }
        None => {
            let name = &prepared.kernel.name;
            Place { name, element: UNKNOWN, scalar: false, start: 0, number: 1 << 20 }
        }
    }
}

const UNKNOWN: &Element = &Element { name: String::new(), size: 1 };

/// A value as its type prints.
pub(crate) fn show(bits: u64, element: &Element, width: u32) -> String {
    if element.size != width {
        return format!("{bits:#x}");
    }
    match (element.name.trim_start_matches("const "), width) {
        ("float", 4) => format!("{:?}", f32::from_bits(bits as u32)),
        ("double", 8) => format!("{:?}", f64::from_bits(bits)),
        ("int" | "long", 4) => (bits as i32).to_string(),
        ("long long" | "long" | "long long int", 8) => (bits as i64).to_string(),
        ("short", 2) => (bits as i16).to_string(),
        ("char" | "signed char", 1) => (bits as i8).to_string(),
        (name, _)
            if name.starts_with("unsigned")
                || name.starts_with("uint")
                || name == "size_t"
                || name == "bool" =>
        {
            bits.to_string()
        }
        _ => format!("{bits:#x}"),
    }
}
