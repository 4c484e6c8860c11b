//! Interned identifiers, and qualified names as paths of them.
//!
//! Each spelling is stored once per process and never freed, as compilers do with their symbol
//! interner, so a [`Name`] and a [`Path`] are copied as pointers and compared by address. Only
//! [`Path`]'s `Display` joins segments with `::`; no other code makes or reads such a text.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::Deref;
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

/// An identifier, or the spelling of another token.
#[derive(Clone, Copy)]
pub struct Name(&'static str);

/// A name with the namespaces and classes in front of it: `f`, `std::vector`.
#[derive(Clone, Copy)]
pub struct Path(&'static Segment);

/// The last segment of a path, and the path in front of it.
struct Segment {
    parent: Option<Path>,
    last: Name,
}

/// The first segment of a rooted path.
const ROOT: &str = "::";

#[derive(Default)]
struct Interner {
    names: HashSet<&'static str>,
    paths: HashMap<(Option<Path>, Name), Path>,
}

static INTERNER: LazyLock<Mutex<Interner>> = LazyLock::new(Mutex::default);

fn interner() -> MutexGuard<'static, Interner> {
    // A poisoned lock is usable: each entry is added in one step, so the tables are consistent.
    INTERNER.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Name {
    /// Interns this spelling.
    pub fn new(text: &str) -> Name {
        let mut interner = interner();
        if let Some(known) = interner.names.get(text) {
            return Name(known);
        }
        let text: &'static str = Box::leak(text.into());
        interner.names.insert(text);
        Name(text)
    }
}

impl Path {
    fn new(parent: Option<Path>, last: Name) -> Path {
        let make = || Path(Box::leak(Box::new(Segment { parent, last })));
        *interner().paths.entry((parent, last)).or_insert_with(make)
    }

    /// The identifier after the last `::`.
    pub fn last(self) -> Name {
        self.0.last
    }

    /// The path before the last `::`; `None` for an unqualified name.
    pub fn parent(self) -> Option<Path> {
        self.0.parent
    }

    /// The identifier before the first `::`.
    pub fn first(self) -> Name {
        self.0.parent.map_or(self.0.last, Path::first)
    }

    /// The path without its first segment; `None` for an unqualified name.
    pub fn without_first(self) -> Option<Path> {
        let parent = self.0.parent?;
        Some(Path::new(parent.without_first(), self.0.last))
    }

    /// The identifier, if the name is unqualified.
    pub fn unqualified(self) -> Option<Name> {
        self.0.parent.is_none().then_some(self.0.last)
    }

    /// Whether it contains a `::`.
    pub fn is_qualified(self) -> bool {
        self.0.parent.is_some()
    }

    /// `self::name`.
    pub fn join(self, name: Name) -> Path {
        Path::new(Some(self), name)
    }

    /// `self::path`.
    pub fn concat(self, path: Path) -> Path {
        let front = path.0.parent.map_or(self, |parent| self.concat(parent));
        Path::new(Some(front), path.0.last)
    }

    /// `::self`: only what is declared at file level is meant, however near another one is.
    pub fn rooted(self) -> Path {
        Path::from(ROOT).concat(self)
    }

    /// The name without the `::` before it, if it is [`rooted`](Path::rooted).
    pub fn unrooted(self) -> Path {
        match self.without_first() {
            Some(rest) if &*self.first() == ROOT => rest,
            _ => self,
        }
    }

    /// Whether this is the unqualified name `text`.
    pub fn is(self, text: &str) -> bool {
        !self.is_qualified() && &*self.0.last == text
    }

    /// The name of something in `std` or `cuda::std`, without the namespace.
    pub fn in_std(self) -> Option<Name> {
        let space = self.unrooted().0.parent?;
        let outer = space.0.parent.is_none_or(|outer| outer.is("cuda"));
        (outer && &*space.0.last == "std").then_some(self.0.last)
    }

    /// Whether it is the namespace `cuda::std`.
    pub fn is_cuda_std(self) -> bool {
        &*self.0.last == "std" && self.0.parent.is_some_and(|outer| outer.is("cuda"))
    }

    /// Whether it is the empty name, which unnamed declarations have.
    pub fn is_empty(self) -> bool {
        self.is("")
    }
}

impl AsRef<str> for Name {
    fn as_ref(&self) -> &str {
        self.0
    }
}

impl Deref for Name {
    type Target = str;

    fn deref(&self) -> &str {
        self.0
    }
}

impl PartialEq for Name {
    fn eq(&self, other: &Name) -> bool {
        std::ptr::eq(self.0, other.0)
    }
}

impl Eq for Name {}

impl Hash for Name {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.as_ptr().hash(state);
    }
}

impl PartialEq for Path {
    fn eq(&self, other: &Path) -> bool {
        std::ptr::eq(self.0, other.0)
    }
}

impl Eq for Path {}

impl Hash for Path {
    fn hash<H: Hasher>(&self, state: &mut H) {
        std::ptr::from_ref(self.0).hash(state);
    }
}

impl PartialEq<Path> for Name {
    fn eq(&self, other: &Path) -> bool {
        other.unqualified() == Some(*self)
    }
}

impl PartialEq<Name> for Path {
    fn eq(&self, other: &Name) -> bool {
        other == self
    }
}

impl From<&Name> for Name {
    fn from(name: &Name) -> Name {
        *name
    }
}

impl From<&str> for Name {
    fn from(text: &str) -> Name {
        Name::new(text)
    }
}

impl From<String> for Name {
    fn from(text: String) -> Name {
        Name::new(&text)
    }
}

impl From<Name> for Path {
    fn from(name: Name) -> Path {
        Path::new(None, name)
    }
}

impl From<&Name> for Path {
    fn from(name: &Name) -> Path {
        Path::new(None, *name)
    }
}

impl From<&Path> for Path {
    fn from(path: &Path) -> Path {
        *path
    }
}

impl From<&str> for Path {
    /// An unqualified name.
    fn from(text: &str) -> Path {
        Path::new(None, text.into())
    }
}

impl From<String> for Path {
    fn from(text: String) -> Path {
        Path::from(text.as_str())
    }
}

impl Default for Name {
    fn default() -> Name {
        Name::new("")
    }
}

impl Default for Path {
    fn default() -> Path {
        Name::default().into()
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.0)
    }
}

impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.0, f)
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.parent {
            Some(parent) if parent.is(ROOT) => f.write_str(ROOT)?,
            Some(parent) => write!(f, "{parent}{ROOT}")?,
            None => {}
        }
        f.write_str(self.0.last.0)
    }
}

impl fmt::Debug for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

#[cfg(test)]
mod tests {
    use super::{Name, Path};

    #[test]
    fn one_spelling_is_one_name() {
        assert_eq!(Name::new("x"), Name::from(String::from("x")));
        assert_ne!(Name::new("x"), Name::new("y"));
        let path = Path::from("a").join("b".into());
        assert_eq!(path, Path::from("a").concat(Path::from("b")));
        assert_ne!(path, Path::from("b"));
        assert_eq!(Name::new("b"), Path::from("b"));
    }

    #[test]
    fn a_path_is_taken_apart_by_segments() {
        let path = Path::from("a").concat(Path::from("b").join("c".into()));
        assert_eq!(path.to_string(), "a::b::c");
        assert_eq!((&*path.first(), &*path.last()), ("a", "c"));
        assert_eq!(path.without_first(), Some(Path::from("b").join("c".into())));
        assert_eq!(path.parent(), Some(Path::from("a").join("b".into())));
        assert_eq!((path.unqualified(), Path::from("a").without_first()), (None, None));
    }

    #[test]
    fn a_rooted_path_is_another_name() {
        let path = Path::from("a").join("b".into());
        assert_eq!(path.rooted().to_string(), "::a::b");
        assert_ne!(path.rooted(), path);
        assert_eq!((path.rooted().unrooted(), path.unrooted()), (path, path));
        assert_eq!(Path::from("std").join("abs".into()).rooted().in_std(), Some("abs".into()));
    }

    #[test]
    fn the_standard_namespace_is_known() {
        let std = Path::from("std");
        assert_eq!(std.join("abs".into()).in_std(), Some("abs".into()));
        assert_eq!(Path::from("cuda").concat(std.join("abs".into())).in_std(), Some("abs".into()));
        assert_eq!(Path::from("my").concat(std.join("abs".into())).in_std(), None);
        assert_eq!(Path::from("abs").in_std(), None);
    }
}
