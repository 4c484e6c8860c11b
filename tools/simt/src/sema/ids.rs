//! Ids: typed indices into the tables of the typed tree and of the symbol table.

/// Declares types of ids, each the index of an entry in one table.
macro_rules! ids {
    ($($(#[$doc:meta])* $vis:vis $id:ident($number:ty);)*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        $vis struct $id($number);

        impl $id {
            /// The id of the entry at this index. The table is never longer than the ids are many.
            pub(in crate::sema) fn new(index: usize) -> $id {
                $id(index as $number)
            }

            /// The index of its entry.
            $vis fn index(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}

ids! {
    /// A struct, class or union: where [`Types`](super::types::Types) keeps its layout.
    pub ClassId(u32);
    /// An enumeration: its entry in [`Types::enums`](super::types::Types::enums).
    pub EnumId(u32);
    /// A braced list that is an argument of a call.
    pub ListId(u32);
    /// A declared function, method or constructor.
    pub(in crate::sema) FunctionId(u32);
    /// A variable in device memory: its entry in [`Program::globals`](super::tree::Program::globals).
    pub GlobalId(u16);
    /// A variable of the host that lives as long as the program: its entry in
    /// [`Program::host_globals`](super::tree::Program::host_globals).
    pub HostGlobalId(u32);
    /// A `__shared__` variable outside functions.
    pub FileSharedId(u32);
}

impl ClassId {
    /// What objects of a polymorphic class hold as their dynamic type.
    pub(in crate::sema) fn as_value(self) -> i128 {
        i128::from(self.0)
    }
}
