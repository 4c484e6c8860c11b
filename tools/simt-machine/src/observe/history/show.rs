//! Values of variables, as their types are written.

use super::column::LaneRow;
use super::places::ArrayInfo;
use super::{History, Shown, place_of, words};
use crate::isa::half;
use crate::isa::{Home, Layout, Life, Scalar, Ty};
use crate::lanes::lanes_of;
use crate::machine::memory::GLOBALS;
use crate::machine::memory::heap::HEAP;

/// One scalar of a variable in all lanes: the lanes that have it, and its bits.
pub(super) struct Leaf {
    scalar: Scalar,
    pub(super) there: u32,
    bits: [u64; 32],
}

impl Leaf {
    /// Its bits in a lane, or in the first that has it.
    pub(super) fn of(&self, lane: u32) -> Option<u64> {
        let lane = if self.there >> lane & 1 != 0 { lane } else { self.there.trailing_zeros() };
        self.bits.get(lane as usize).copied()
    }
}

/// The scalars of a layout: the path of each, what it is, its bytes from the beginning.
fn leaves_of(layout: &Layout) -> Vec<(String, Scalar, u32)> {
    fn collect(layout: &Layout, path: &str, out: &mut Vec<(String, Scalar, u32)>) {
        match layout {
            Layout::Scalar { scalar, offset, .. } => {
                out.push((path.to_owned(), *scalar, *offset));
            }
            Layout::Struct(members) => {
                for (name, member) in members {
                    collect(member, &format!("{path}.{name}"), out);
                }
            }
            Layout::Array(elements) => {
                for (i, element) in elements.iter().enumerate() {
                    collect(element, &format!("{path}[{i}]"), out);
                }
            }
        }
    }
    let mut out = Vec::new();
    collect(layout, "", &mut out);
    out
}

impl History {
    /// The variables in scope at a step, in its warp.
    pub(super) fn shown(&self, step: usize) -> Vec<Shown> {
        let Some(taken) = self.steps.get(step) else { return Vec::new() };
        let parts = self.parts(usize::from(taken.warp), step);
        let lives = self.debug.lives.iter().filter(|l| l.scope.contains(&taken.pc));
        lives
            .map(|life| {
                // Lanes that are elsewhere have it if they are inside its scope.
                let inside =
                    |pc: u32| pc < life.scope.end && pc >= life.scope.start + u32::from(life.fresh);
                let mut lanes = taken.lanes;
                for part in parts.iter().filter(|p| p.lanes & taken.lanes == 0 && inside(p.pc)) {
                    lanes |= part.lanes;
                }
                self.show(life, lanes, step)
            })
            .collect()
    }

    fn show(&self, life: &Life, lanes: u32, step: usize) -> Shown {
        let mut changed = false;
        let mut values = vec![None; 32];
        let layout = &self.debug.variables[life.variable as usize].layout;
        match (life.home, layout) {
            (Home::Address(reg), _) => {
                let leaf = self.register_leaf(reg, Scalar::Pointer, step, &mut changed);
                for lane in lanes_of(lanes & leaf.there) {
                    values[lane] = Some(format!("at {}", self.pointer(leaf.bits[lane])));
                }
            }
            (_, Some(layout)) => {
                let mut leaves = Vec::new();
                layout.scalars(&mut |scalar, slot, offset| {
                    leaves.push(self.leaf(life.home, scalar, slot, offset, step, &mut changed));
                });
                for lane in lanes_of(lanes) {
                    if leaves.iter().any(|l| l.there >> lane & 1 != 0) {
                        let (mut text, mut rest) = (String::new(), leaves.iter());
                        self.write(layout, &mut rest, lane, &mut text);
                        values[lane] = Some(text);
                    }
                }
            }
            _ => {}
        }
        // A variable that only lost its lanes was not visible there either.
        let changed = changed && values.iter().any(Option::is_some);
        Shown { variable: life.variable as usize, values, changed }
    }

    pub(super) fn leaf(
        &self,
        home: Home,
        scalar: Scalar,
        slot: u16,
        offset: u32,
        step: usize,
        changed: &mut bool,
    ) -> Leaf {
        let (objects, local) = match home {
            Home::Registers(reg) => {
                return self.register_leaf(reg.saturating_add(slot), scalar, step, changed);
            }
            Home::Local(object) => (self.names.local.get(usize::from(object)), true),
            Home::Shared(object) => (self.names.shared.get(usize::from(object)), false),
            Home::Address(_) | Home::Nowhere => (None, false),
        };
        match objects {
            Some(object) => self.memory_leaf(local, object.start + offset, scalar, step, changed),
            None => Leaf { scalar, there: 0, bits: [0; 32] },
        }
    }

    /// A scalar at an offset of local or shared memory.
    pub(super) fn memory_leaf(
        &self,
        local: bool,
        at: u32,
        scalar: Scalar,
        step: usize,
        changed: &mut bool,
    ) -> Leaf {
        let mut leaf = Leaf { scalar, there: u32::MAX, bits: [0; 32] };
        for (i, word) in words(at, scalar).enumerate() {
            let row = if local {
                self.row(self.known.get(&super::Key::Local(word)).copied(), step, changed)
            } else {
                self.shared.get(word as usize).map_or(LaneRow::EMPTY, |c| {
                    let (row, new) = c.at(step as u32 + 1, &self.pool);
                    *changed |= new;
                    row
                })
            };
            // Small scalars are inside a word, large ones in two.
            let first = at % 4;
            for byte in first..(first + scalar.bytes()).min(4) {
                leaf.there &= row.valid[byte as usize];
            }
            for (bits, value) in leaf.bits.iter_mut().zip(row.values) {
                *bits |= (value >> (8 * first)) << (32 * i);
            }
        }
        leaf
    }

    pub(super) fn register_leaf(
        &self,
        reg: u16,
        scalar: Scalar,
        step: usize,
        changed: &mut bool,
    ) -> Leaf {
        let row = self.row(self.register_column(reg, scalar.bytes() == 8), step, changed);
        Leaf { scalar, there: row.valid[0], bits: row.values }
    }

    /// The row of a column of the step's warp after the step.
    fn row(&self, column: Option<u32>, step: usize, changed: &mut bool) -> LaneRow {
        let track = &self.tracks[usize::from(self.steps[step].warp)];
        let Some(column) = column.and_then(|c| track.columns.get(c as usize)) else {
            return LaneRow::EMPTY;
        };
        let (row, new) = column.at(step as u32 + 1, &self.pool);
        *changed |= new;
        row
    }

    pub(super) fn write<'l>(
        &self,
        layout: &Layout,
        rest: &mut impl Iterator<Item = &'l Leaf>,
        lane: usize,
        out: &mut String,
    ) {
        match layout {
            Layout::Scalar { .. } => match rest.next() {
                Some(leaf) if leaf.there >> lane & 1 != 0 => {
                    out.push_str(&self.scalar(leaf.scalar, leaf.bits[lane]));
                }
                _ => out.push('?'),
            },
            Layout::Struct(members) => {
                for (i, (name, member)) in members.iter().enumerate() {
                    out.push_str(if i == 0 { "{" } else { ", " });
                    out.push_str(name);
                    out.push_str(": ");
                    self.write(member, rest, lane, out);
                }
                out.push_str(if members.is_empty() { "{}" } else { "}" });
            }
            Layout::Array(elements) => {
                out.push('[');
                for (i, element) in elements.iter().enumerate() {
                    out.push_str(if i == 0 { "" } else { ", " });
                    self.write(element, rest, lane, out);
                }
                out.push(']');
            }
        }
    }

    fn scalar(&self, scalar: Scalar, bits: u64) -> String {
        let float = |ty: Ty, bits: u64| format!("{:?}", half::decode(ty, bits as u16) as f32);
        match scalar {
            Scalar::Bool => (bits & 0xff != 0).to_string(),
            Scalar::I8 => (bits as i8).to_string(),
            Scalar::U8 => (bits as u8).to_string(),
            Scalar::I16 => (bits as i16).to_string(),
            Scalar::U16 => (bits as u16).to_string(),
            Scalar::I32 => (bits as i32).to_string(),
            Scalar::U32 => (bits as u32).to_string(),
            Scalar::I64 => (bits as i64).to_string(),
            Scalar::U64 => bits.to_string(),
            Scalar::F16 => float(Ty::F16, bits),
            Scalar::Bf16 => float(Ty::Bf16, bits),
            Scalar::F16x2 => {
                format!("{{x: {}, y: {}}}", float(Ty::F16, bits), float(Ty::F16, bits >> 16))
            }
            Scalar::Bf16x2 => {
                format!("{{x: {}, y: {}}}", float(Ty::Bf16, bits), float(Ty::Bf16, bits >> 16))
            }
            Scalar::F32 => format!("{:?}", f32::from_bits(bits as u32)),
            Scalar::F64 => format!("{:?}", f64::from_bits(bits)),
            Scalar::Pointer => self.pointer(bits),
        }
    }

    /// A number of this type, as C++ spells it, from its bits; in hexadecimal if the type is none of
    /// the scalars.
    pub fn number(&self, ty: &str, bits: u64) -> String {
        let scalar = match ty.trim_start_matches("const ").trim() {
            "bool" => Scalar::Bool,
            "char" | "signed char" | "int8_t" => Scalar::I8,
            "unsigned char" | "uint8_t" => Scalar::U8,
            "short" | "int16_t" => Scalar::I16,
            "unsigned short" | "uint16_t" => Scalar::U16,
            "int" | "int32_t" => Scalar::I32,
            "unsigned" | "unsigned int" | "uint32_t" => Scalar::U32,
            "long" | "long long" | "int64_t" => Scalar::I64,
            "unsigned long" | "unsigned long long" | "uint64_t" | "size_t" => Scalar::U64,
            "half" | "__half" => Scalar::F16,
            "__nv_bfloat16" | "bf16" => Scalar::Bf16,
            "float" => Scalar::F32,
            "double" => Scalar::F64,
            ty if ty.ends_with('*') => Scalar::Pointer,
            _ => return format!("{bits:#x}"),
        };
        self.scalar(scalar, bits)
    }

    /// The scalar at an offset of a struct to which a pointer of the kernel leads: its path, `.v[1].x`,
    /// and its value from its bits. `None` where the bytes are no scalar of it.
    pub fn member(
        &self,
        ty: &str,
        (offset, width): (u32, u32),
        bits: u64,
    ) -> Option<(String, String)> {
        let found = leaves_of(self.layout_of(ty)?);
        let (path, scalar, _) =
            found.into_iter().find(|(_, scalar, at)| *at == offset && scalar.bytes() == width)?;
        Some((path, self.scalar(scalar, bits)))
    }

    /// The paths of all scalars of such a struct; none if its layout is not known.
    pub fn members(&self, ty: &str) -> Vec<String> {
        let layout = self.layout_of(ty).map(leaves_of).unwrap_or_default();
        layout.into_iter().map(|(path, ..)| path).collect()
    }

    fn layout_of(&self, ty: &str) -> Option<&Layout> {
        let name = ty.trim_start_matches("const ").trim();
        let mut known = self.debug.variables.iter().filter_map(|v| v.pointee.as_ref());
        known.find(|(own, _)| own == name).map(|(_, layout)| layout)
    }

    /// A pointer as an array and a number of elements.
    fn pointer(&self, bits: u64) -> String {
        if bits == 0 {
            return "nullptr".to_owned();
        }
        let (object, bytes) = place_of(bits);
        if (HEAP..GLOBALS).contains(&object) {
            return format!("heap block {} + {bytes} bytes", object - HEAP);
        }
        let named = self.target(bits).and_then(|(id, _)| self.array(id));
        let Some(ArrayInfo { name, element, .. }) = named else {
            return format!("{bits:#x}");
        };
        let element = i64::from(element.max(1));
        let (whole, rest) = (bytes.div_euclid(element), bytes.rem_euclid(element));
        let sign = if whole < 0 { '-' } else { '+' };
        let mut out = format!("{name} {sign} {}", whole.unsigned_abs());
        if rest != 0 {
            out.push_str(&format!(" and {rest} bytes"));
        }
        out
    }
}
