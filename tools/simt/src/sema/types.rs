//! Types, their sizes, and how C++ spells them.
//!
//! The data model is CUDA's on Linux: `long` and pointers have 64 bits, `char` is signed.

pub(in crate::sema) mod as_written;
pub(in crate::sema) mod declared;
mod mangling;
mod prim;
pub(in crate::sema) mod resolve;
mod spelling;

pub use crate::sema::ids::{ClassId, EnumId, ListId};
pub use crate::syntax::ast::Prim;
use crate::syntax::name::{Name, Path};
use std::collections::HashMap;
use std::rc::Rc;

/// A type with its qualifiers.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Type {
    /// The type without them.
    pub kind: Kind,
    /// `const`.
    pub constant: bool,
    /// `volatile`.
    pub volatile: bool,
}

/// The kinds of type.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A fundamental type, or one of 16-bit floats.
    Prim(Prim),
    /// `T*`.
    Pointer(Rc<Type>),
    /// `T&`.
    Reference(Rc<Type>),
    /// `T[n]`.
    Array(Rc<Type>, u64),
    /// A struct, class or union.
    Struct(ClassId),
    /// An enumeration.
    Enum(EnumId),
    /// The type of `nullptr`.
    Null,
    /// `T&&`.
    Rvalue(Rc<Type>),
    /// What is behind a pointer to a function.
    Function(Rc<Signature>),
    /// An argument in braces, whose type depends on the parameter.
    List(ListId),
}

/// The type of a function.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Signature {
    /// The type of its result.
    pub returns: Type,
    /// The types of its parameters.
    pub params: Vec<Type>,
}

impl From<Kind> for Type {
    fn from(kind: Kind) -> Type {
        Type { kind, constant: false, volatile: false }
    }
}

impl From<Prim> for Type {
    fn from(prim: Prim) -> Type {
        Kind::Prim(prim).into()
    }
}

impl Type {
    /// The fundamental type that it is.
    pub fn prim(&self) -> Option<Prim> {
        if let Kind::Prim(p) = self.kind { Some(p) } else { None }
    }

    /// Whether it is this fundamental type.
    pub fn is(&self, prim: Prim) -> bool {
        self.kind == Kind::Prim(prim)
    }

    /// A pointer to it.
    pub fn pointer_to(self) -> Type {
        Kind::Pointer(Rc::new(self)).into()
    }

    /// What a pointer points to.
    pub fn pointee(&self) -> Option<&Type> {
        if let Kind::Pointer(p) = &self.kind { Some(p) } else { None }
    }

    /// The type itself, if it is a reference's.
    pub fn unreferenced(&self) -> &Type {
        if let Kind::Reference(r) | Kind::Rvalue(r) = &self.kind { r } else { self }
    }

    /// `T&` or `T&&`.
    pub fn is_reference(&self) -> bool {
        matches!(self.kind, Kind::Reference(_) | Kind::Rvalue(_))
    }

    /// What a pointer to a function points to.
    pub fn signature(&self) -> Option<&Rc<Signature>> {
        match &self.pointee()?.kind {
            Kind::Function(signature) => Some(signature),
            _ => None,
        }
    }

    /// Without `const` and `volatile` at the top: what a value has.
    pub fn unqualified(&self) -> Type {
        self.kind.clone().into()
    }

    /// Its parts, counted to `most`.
    pub(in crate::sema) fn parts(&self, most: usize) -> usize {
        let inner: Vec<&Type> = match &self.kind {
            Kind::Pointer(inner)
            | Kind::Reference(inner)
            | Kind::Rvalue(inner)
            | Kind::Array(inner, _) => vec![&**inner],
            Kind::Function(signature) => {
                std::iter::once(&signature.returns).chain(&signature.params).collect()
            }
            _ => Vec::new(),
        };
        let mut count = 1;
        for part in inner {
            if count >= most {
                return most;
            }
            count += part.parts(most - count);
        }
        count.min(most)
    }

    pub(crate) fn is_arithmetic(&self) -> bool {
        self.prim().is_some_and(|p| p != Prim::Void)
    }

    /// Two 16-bit floats: what they are.
    pub(crate) fn packed(&self) -> Option<Prim> {
        self.prim().and_then(Prim::packed)
    }

    /// An integer type; no enumeration.
    pub fn is_integer(&self) -> bool {
        self.prim().is_some_and(Prim::is_integer)
    }

    /// A floating-point type of 16, 32 or 64 bits.
    pub fn is_float(&self) -> bool {
        self.prim().is_some_and(Prim::is_float)
    }

    /// The same with `const` (`volatile`) added.
    pub(crate) fn qualified(mut self, constant: bool, volatile: bool) -> Type {
        // The elements of a constant array are constant.
        if let Kind::Array(element, n) = &self.kind
            && (constant || volatile)
        {
            let element = (**element).clone().qualified(constant, volatile);
            return Kind::Array(Rc::new(element), *n).into();
        }
        self.constant |= constant;
        self.volatile |= volatile;
        self
    }
}

/// A member.
#[derive(Debug, Clone)]
pub struct Field {
    /// Its name; empty for a base and for an anonymous struct.
    pub name: Path,
    /// Its type.
    pub ty: Type,
    /// Where it begins, in bytes.
    pub offset: u64,
}

/// Some bits of a member that has no name of its own.
#[derive(Debug, Clone)]
pub struct BitField {
    /// Its name.
    pub name: Path,
    /// Which member.
    pub unit: usize,
    /// Its lowest bit there.
    pub shift: u64,
    /// How many bits it has.
    pub width: u64,
    /// Its declared type.
    pub ty: Type,
}

/// A struct's layout.
#[derive(Debug, Clone)]
pub struct StructInfo {
    /// Its bit-fields: they count as members behind all others.
    pub bits: Vec<BitField>,
    /// Its path; for an instance of a template the last segment has the arguments.
    pub path: Path,
    /// The path that it was declared by: for an instance, the template's.
    pub declared: Path,
    /// The class that it is declared in.
    pub outer: Option<ClassId>,
    /// The innermost namespace around it.
    pub namespace: Option<Path>,
    /// Its bases and members, in order.
    pub fields: Vec<Field>,
    /// Its bytes, with the padding at its end.
    pub size: u64,
    /// What its address is a multiple of.
    pub align: u64,
    /// `int4` and its kin: moved by one access where the hardware can.
    pub vector: bool,
    /// Its members share one address.
    pub union: bool,
    /// Its members may be where their own types may not: see `#pragma pack`.
    pub packed: bool,
    /// An incomplete type: declared, not defined.
    pub incomplete: bool,
    /// The number of its bases, which are the first fields.
    pub bases: usize,
    /// The number of its members, those of its members counted, an array's once.
    pub parts: usize,
    /// The number of all subobjects of bases, those of its bases among them.
    pub ancestors: usize,
}

/// An enumeration.
#[derive(Debug, Clone)]
pub struct EnumInfo {
    /// Its name.
    pub name: Path,
    /// Its underlying type.
    pub base: Prim,
    /// Whether it is an `enum class`.
    pub scoped: bool,
    /// Whether the underlying type is written down.
    pub fixed: bool,
    /// Whether it has no names yet: it may be declared again with them.
    pub opaque: bool,
    /// Its enumerators.
    pub values: Vec<(Name, i128)>,
}

/// Every struct and enumeration of the unit.
#[derive(Debug, Default)]
pub struct Types {
    /// The structs, classes and unions.
    pub structs: Vec<StructInfo>,
    /// The enumerations.
    pub enums: Vec<EnumInfo>,
    vectors: HashMap<String, ClassId>,
}

/// Rounds up to a multiple.
pub fn align_up(value: u64, align: u64) -> u64 {
    value.div_ceil(align.max(1)) * align.max(1)
}

impl Types {
    /// The layout of a class.
    pub fn get(&self, class: ClassId) -> &StructInfo {
        &self.structs[class.index()]
    }

    /// The classes so far, in the order of their declarations.
    pub(crate) fn class_ids(&self) -> impl Iterator<Item = ClassId> + use<> {
        (0..self.structs.len()).map(ClassId::new)
    }

    /// The layout of a class, to be changed.
    pub(crate) fn get_mut(&mut self, class: ClassId) -> &mut StructInfo {
        &mut self.structs[class.index()]
    }

    /// A new class.
    pub(crate) fn add(&mut self, info: StructInfo) -> ClassId {
        self.structs.push(info);
        ClassId::new(self.structs.len() - 1)
    }

    /// `int4`, `dim3`: the built-in struct of that name.
    pub(crate) fn builtin(&mut self, name: &str) -> Option<Type> {
        if let Some(i) = self.vectors.get(name) {
            return Some(Kind::Struct(*i).into());
        }
        let (prim, count) = vector_shape(name)?;
        let size = prim.size();
        let fields = ["x", "y", "z", "w"][..count]
            .iter()
            .enumerate()
            .map(|(i, n)| Field { name: (*n).into(), ty: prim.into(), offset: i as u64 * size })
            .collect();
        let align = match count {
            2 | 4 if name != "dim3" => (count as u64 * size).min(16),
            _ => size,
        };
        let info = StructInfo {
            bits: Vec::new(),
            path: name.into(),
            declared: name.into(),
            outer: None,
            namespace: None,
            fields,
            size: count as u64 * size,
            align,
            vector: true,
            union: false,
            packed: false,
            incomplete: false,
            bases: 0,
            parts: 1,
            ancestors: 0,
        };
        let index = self.add(info);
        self.vectors.insert(name.to_string(), index);
        Some(Kind::Struct(index).into())
    }

    /// Lays out members one after the other, as C++ does; some ask for an alignment of their own, and
    /// that of a packed class's members counts `pack` at most.
    pub(crate) fn lay_out(
        &self,
        members: Vec<(Path, Type)>,
        aligned: &[(usize, u64)],
        align: u64,
        pack: Option<u64>,
    ) -> (Vec<Field>, u64, u64) {
        let mut fields = Vec::new();
        let (mut offset, mut align) = (0u64, align.max(1));
        for (i, (name, ty)) in members.into_iter().enumerate() {
            let asked = aligned.iter().filter(|(of, _)| *of == i).map(|(_, n)| *n).max();
            let own = self.align_of(&ty).min(pack.unwrap_or(u64::MAX)).max(asked.unwrap_or(1));
            align = align.max(own);
            offset = align_up(offset, own);
            // An empty base has no size.
            let size = if name.is_empty() && self.is_empty(&ty) { 0 } else { self.size_of(&ty) };
            fields.push(Field { name, ty, offset });
            offset = offset.saturating_add(size);
        }
        (fields, align_up(offset.max(1), align), align)
    }

    pub(in crate::sema) fn is_empty(&self, ty: &Type) -> bool {
        match ty.kind {
            Kind::Struct(i) => {
                self.get(i).fields.iter().all(|f| f.name.is_empty() && self.is_empty(&f.ty))
            }
            _ => false,
        }
    }

    /// Where a member is: by way of bases, and of members without a name.
    pub(crate) fn find(&self, index: ClassId, name: impl Into<Path>) -> Option<Vec<usize>> {
        let name = name.into();
        let fields = &self.get(index).fields;
        if let Some(i) = fields.iter().position(|f| f.name == name && !name.is_empty()) {
            return Some(vec![i]);
        }
        if let Some(i) = self.get(index).bits.iter().position(|b| b.name == name) {
            return Some(vec![fields.len() + i]);
        }
        for (i, field) in fields.iter().enumerate().filter(|(_, f)| f.name.is_empty()) {
            if let Kind::Struct(inner) = field.ty.kind
                && let Some(mut path) = self.find(inner, name)
            {
                path.insert(0, i);
                return Some(path);
            }
        }
        None
    }

    /// The way from a struct to one of its bases; empty to itself.
    pub fn base_path(&self, from: ClassId, to: ClassId) -> Option<Vec<usize>> {
        if from == to {
            return Some(Vec::new());
        }
        let info = self.get(from);
        for (i, field) in info.fields[..info.bases].iter().enumerate() {
            if let Kind::Struct(base) = field.ty.kind
                && let Some(mut path) = self.base_path(base, to)
            {
                path.insert(0, i);
                return Some(path);
            }
        }
        None
    }

    /// Where in a struct one of its bases is.
    pub fn base_offset(&self, from: ClassId, to: ClassId) -> Option<u64> {
        let (mut at, mut offset) = (from, 0);
        for i in self.base_path(from, to)? {
            let field = &self.get(at).fields[i];
            offset += field.offset;
            let Kind::Struct(next) = field.ty.kind else { break };
            at = next;
        }
        Some(offset)
    }

    /// The same with all members at the start.
    pub(crate) fn overlay(
        &self,
        members: Vec<(Path, Type)>,
        align: u64,
        pack: Option<u64>,
    ) -> (Vec<Field>, u64, u64) {
        let size = members.iter().map(|(_, ty)| self.size_of(ty)).max().unwrap_or(1).max(1);
        let (mut fields, _, align) = self.lay_out(members, &[], align, pack);
        for field in &mut fields {
            field.offset = 0;
        }
        (fields, align_up(size, align), align)
    }

    /// The members of a value of this type: 1 of a scalar.
    pub(in crate::sema) fn members_of(&self, ty: &Type) -> usize {
        match &ty.kind {
            Kind::Struct(i) => self.get(*i).parts.max(1),
            Kind::Array(element, _) => self.members_of(element),
            _ => 1,
        }
    }

    /// `sizeof`.
    pub fn size_of(&self, ty: &Type) -> u64 {
        match &ty.kind {
            Kind::Prim(p) => p.size(),
            Kind::Pointer(_) | Kind::Reference(_) | Kind::Rvalue(_) | Kind::Null => 8,
            Kind::Function(_) => 1,
            Kind::List(_) => 0,
            Kind::Array(element, n) => self.size_of(element).saturating_mul(*n),
            Kind::Struct(i) => self.get(*i).size,
            Kind::Enum(i) => self.enums[i.index()].base.size(),
        }
    }

    /// `alignof`.
    pub fn align_of(&self, ty: &Type) -> u64 {
        match &ty.kind {
            Kind::Prim(p) => p.size().max(1),
            Kind::Pointer(_) | Kind::Reference(_) | Kind::Rvalue(_) | Kind::Null => 8,
            Kind::Function(_) | Kind::List(_) => 1,
            Kind::Array(element, _) => self.align_of(element),
            Kind::Struct(i) => self.get(*i).align,
            Kind::Enum(i) => self.enums[i.index()].base.size(),
        }
    }

    /// What a scalar is made of; pointers count as 64-bit unsigned.
    pub fn scalar(&self, ty: &Type) -> Option<Prim> {
        match &ty.kind {
            Kind::Prim(Prim::Void) => None,
            Kind::Prim(p) => Some(*p),
            Kind::Pointer(_) | Kind::Null => Some(Prim::ULong),
            Kind::Enum(i) => Some(self.enums[i.index()].base),
            _ => None,
        }
    }

    /// Whether it is a scalar and no pointer.
    pub fn is_number(&self, ty: &Type) -> bool {
        self.scalar(ty).is_some() && !matches!(ty.kind, Kind::Pointer(_) | Kind::Null)
    }

    /// The arithmetic type that an unscoped enumeration, or a type itself, counts as.
    pub fn arithmetic(&self, ty: &Type) -> Option<Prim> {
        match &ty.kind {
            Kind::Prim(p) if *p == Prim::Void || p.packed().is_some() => None,
            Kind::Prim(p) => Some(*p),
            Kind::Enum(i) => {
                let info = &self.enums[i.index()];
                // What no type is written for is promoted to `int` where that has all values.
                let small = || info.values.iter().all(|(_, v)| *v <= i128::from(i32::MAX));
                match info.base {
                    _ if info.scoped => None,
                    Prim::UInt if !info.fixed && small() => Some(Prim::Int),
                    base => Some(base),
                }
            }
            _ => None,
        }
    }
}

/// `uint4` is four `unsigned int`.
pub(in crate::sema) fn vector_shape(name: &str) -> Option<(Prim, usize)> {
    if name == "dim3" {
        return Some((Prim::UInt, 3));
    }
    let count = name.chars().last()?.to_digit(10).filter(|n| (1..=4).contains(n))? as usize;
    let prim = match &name[..name.len() - 1] {
        "char" => Prim::SChar,
        "uchar" => Prim::UChar,
        "short" => Prim::Short,
        "ushort" => Prim::UShort,
        "int" => Prim::Int,
        "uint" => Prim::UInt,
        "long" => Prim::Long,
        "ulong" => Prim::ULong,
        "longlong" => Prim::LongLong,
        "ulonglong" => Prim::ULongLong,
        "float" => Prim::Float,
        "double" => Prim::Double,
        _ => return None,
    };
    Some((prim, count))
}
