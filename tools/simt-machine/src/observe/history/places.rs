//! Where a name in a kernel leads: a parameter or another pointer to the array that it points into, an
//! array to itself.

use super::{History, place_of};
use crate::isa::{Home, Layout, Scalar};
use crate::machine::memory::{BUFFERS, GLOBALS, LOCAL, SHARED};
use crate::observe::ArraySpace;

/// An array of a launch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ArrayId {
    /// Its memory space; constant memory counts as global.
    space: ArraySpace,
    /// Its number there.
    object: u32,
}

impl ArrayId {
    pub(super) fn new(space: ArraySpace, object: u32) -> ArrayId {
        let space = if space == ArraySpace::Constant { ArraySpace::Global } else { space };
        ArrayId { space, object }
    }

    /// Its memory space; constant memory counts as global.
    pub fn space(self) -> ArraySpace {
        self.space
    }
}

/// What is known about an array.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ArrayInfo<'a> {
    /// Its name; in a program the one by which the host allocated it.
    pub name: &'a str,
    /// The type of its elements, as C++ spells it.
    pub ty: &'a str,
    /// Bytes of an element.
    pub element: u32,
    /// All its bytes.
    pub bytes: u32,
}

/// Where a variable leads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place<'a> {
    /// The array.
    pub array: ArrayId,
    /// Bytes from its start.
    pub offset: i64,
    /// The variable's type, as C++ spells it.
    pub ty: &'a str,
}

impl History {
    /// What is known about an array.
    pub fn array(&self, id: ArrayId) -> Option<ArrayInfo<'_>> {
        let named = self.names.of(id.space).get(id.object as usize)?;
        let (name, ty) = (named.name.as_str(), named.ty.as_str());
        Some(ArrayInfo { name, ty, element: named.element, bytes: named.bytes })
    }

    /// The arrays in global memory that are called so. Several are, where one line of a host program
    /// allocates them.
    pub fn arrays<'a>(&'a self, name: &'a str) -> impl Iterator<Item = ArrayId> + 'a {
        let all = self.names.global.iter().enumerate();
        let named = all.filter(move |(_, known)| known.name == name);
        named.map(|(object, _)| ArrayId::new(ArraySpace::Global, object as u32))
    }

    /// Where a variable leads that is in scope at a step, in a lane of the step's warp or the first that
    /// has it: of several with one name the innermost.
    pub fn place(&self, name: &str, step: usize, lane: u32) -> Option<Place<'_>> {
        let pc = self.steps.get(step)?.pc;
        let named = |variable: u32| &self.debug.variables[variable as usize];
        let mut lives = self.debug.lives.iter().rev();
        let life =
            lives.find(|life| life.scope.contains(&pc) && named(life.variable).name == name)?;
        let variable = named(life.variable);
        let is_pointer =
            matches!(variable.layout, Some(Layout::Scalar { scalar: Scalar::Pointer, .. }));
        let (array, offset) = match life.home {
            Home::Registers(_) | Home::Local(_) | Home::Shared(_) if is_pointer => {
                let leaf = self.leaf(life.home, Scalar::Pointer, 0, 0, step, &mut false);
                self.target(leaf.of(lane)?)?
            }
            Home::Address(register) => {
                let leaf = self.register_leaf(register, Scalar::Pointer, step, &mut false);
                self.target(leaf.of(lane)?)?
            }
            Home::Shared(object) => (ArrayId::new(ArraySpace::Shared, u32::from(object)), 0),
            Home::Local(object) => (ArrayId::new(ArraySpace::Local, u32::from(object)), 0),
            Home::Registers(_) | Home::Nowhere => return None,
        };
        Some(Place { array, offset, ty: &variable.ty })
    }

    /// The array that a pointer leads to, and the bytes from its start. A block of the heap is none.
    pub(super) fn target(&self, bits: u64) -> Option<(ArrayId, i64)> {
        let (object, bytes) = place_of(bits);
        let at = (object & (GLOBALS - 1)) as usize;
        let (space, at) = match object & !(GLOBALS - 1) {
            0 => {
                let buffer = at.checked_sub(BUFFERS as usize);
                (ArraySpace::Global, buffer.filter(|at| *at < self.names.buffers)?)
            }
            GLOBALS => (ArraySpace::Global, self.names.buffers + at),
            SHARED => (ArraySpace::Shared, at),
            LOCAL => (ArraySpace::Local, at),
            _ => return None,
        };
        Some((ArrayId::new(space, at as u32), bytes))
    }
}
